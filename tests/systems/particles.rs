//! Particles in potentials, magnetic fields, rotating frames and relativity.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, matrix, vector};

use crate::harness::reference_test;
use crate::support::{State, assert_close};

lagrangian! {
    /// A charge in a homogeneous magnetic field, whose vector potential is b x r / 2, and in the
    /// potential of a homogeneous field along x and a central spring.
    struct ChargedParticle {
        x, y, z: coordinate,
        m, e, bx, by, bz, ex, k: parameter,
    }

    let r = [x, y, z];
    let vector_potential = cross([bx, by, bz], r) / 2;
    L = m * der(r)^2 / 2 + e * dot(der(r), vector_potential) - e * (k * r^2 / 2 - ex * x);
}

reference_test! {
    charged_particle: ChargedParticle { m, e, bx, by, bz, ex, k },
    Quadratic (q, v),
    outputs [],
    coordinates ["x", "y", "z"], cyclic [false; 3], conserved [false; 3],
    conserves_energy true, constant_mass_matrix true,
}

/// m a = e (E + v x B): the force that V(q) alone could not give.
#[test]
fn charged_particle_feels_the_lorentz_force() {
    let field = vector![0.3, -0.2, 0.9];
    let system = ChargedParticle {
        m: 0.7,
        e: 1.3,
        bx: field.x,
        by: field.y,
        bz: field.z,
        ex: 0.4,
        k: 0.6,
    };
    let (q, v) = (vector![0.5, -0.3, 0.8], vector![1.1, 0.4, -0.6]);
    let electric = vector![0.4, 0.0, 0.0] - q * 0.6;
    let expected = (electric + v.cross(&field)) * (1.3 / 0.7);
    assert_close("a", &system.acceleration(&q, &v).unwrap(), &expected, 1e-12);
    let energy = 0.7 * v.norm_squared() / 2.0 + 1.3 * (0.3 * q.norm_squared() - 0.4 * q.x);
    assert_close(
        "the field does no work",
        &system.energy(&q, &v),
        &energy,
        1e-12,
    );
}

lagrangian! {
    struct RelativisticParticle {
        x, y: coordinate,
        m, c, k: parameter,
    }

    let root = sqrt(1 - der([x, y])^2 / c^2);
    L = -m * c^2 * root - k * (x^2 + y^2) / 2;
    pub let gamma = 1 / root;
}

reference_test! {
    relativistic_particle: RelativisticParticle { m, c, k },
    Lagrangian (q, v),
    outputs [gamma(&q, &v)],
    coordinates ["x", "y"], cyclic [false, false], conserved [false, false],
    conserves_energy true, constant_mass_matrix false,
}

/// p = gamma m v, E = gamma m c^2 + V, M = gamma m (1 + gamma^2 v v^T / c^2).
#[test]
fn relativistic_particle_in_closed_form() {
    let (m, c, k) = (0.7_f64, 2.0, 0.9);
    let system = RelativisticParticle { m, c, k };
    let (q, v) = (vector![0.4_f64, -0.8], vector![1.2_f64, 0.9]);
    let gamma = 1.0 / (1.0 - v.norm_squared() / (c * c)).sqrt();
    let mass = matrix![1.0, 0.0; 0.0, 1.0] + v * v.transpose() * (gamma / c).powi(2);
    let energy = gamma * m * c * c + k * q.norm_squared() / 2.0;
    assert_close("p", &system.momenta(&q, &v), &(v * (gamma * m)), 1e-12);
    assert_close("E", &system.energy(&q, &v), &energy, 1e-12);
    assert_close(
        "M",
        &system.mass_matrix(&q, &v),
        &(mass * (gamma * m)),
        1e-12,
    );
}

lagrangian! {
    /// A particle by its coordinates in a frame that turns at the rate w: T has terms of every
    /// degree.
    struct RotatingFrame {
        x, y: coordinate,
        m, k1, k2, w: parameter,
        t: time,
    }

    let turn = [[cos(w * t), -sin(w * t)], [sin(w * t), cos(w * t)]];
    pub let position = turn * [x, y];
    T = m * der(position)^2 / 2;
    V = k1 * x^2 / 2 + k2 * y^2 / 2;
    pub let velocity_in_space = der(position);
}

reference_test! {
    rotating_frame: RotatingFrame { m, k1, k2, w },
    Rheonomic ([t] q, v),
    outputs [position(t, &q), position_jacobian(t, &q), velocity_in_space(t, &q, &v)],
    coordinates ["x", "y"], cyclic [false, false], conserved [false, false],
    conserves_energy false, constant_mass_matrix true,
}

/// The Coriolis and the centrifugal force: m a = F + 2 m w (y', -x') + m w^2 r.
#[test]
fn rotating_frame_has_its_apparent_forces() {
    let system = RotatingFrame {
        m: 0.8,
        k1: 0.0,
        k2: 0.0,
        w: 0.6,
    };
    let (q, v) = (vector![0.7, -1.1], vector![0.9, 0.4]);
    let expected = vector![v.y, -v.x] * 1.2 + q * 0.36;
    assert_close(
        "a",
        &system.acceleration(2.3, &q, &v).unwrap(),
        &expected,
        1e-12,
    );
}

lagrangian! {
    /// A bead on a hoop that turns about its vertical diameter: T has a part without velocities, so
    /// that T + V is not conserved although nothing depends on time; the Jacobi integral is.
    struct BeadOnHoop {
        theta: coordinate,
        m, radius, w, g: parameter,
    }

    T = m * radius^2 * (der(theta)^2 + (w * sin(theta))^2) / 2;
    V = -m * g * radius * cos(theta);
}

reference_test! {
    bead_on_hoop: BeadOnHoop { m, radius, w, g },
    Rheonomic (q, v),
    outputs [],
    coordinates ["theta"], cyclic [false], conserved [false],
    conserves_energy false, constant_mass_matrix true,
}

#[test]
fn bead_on_hoop_keeps_its_jacobi_integral() {
    let hoop = BeadOnHoop {
        m: 0.4,
        radius: 0.5,
        w: 6.0,
        g: 9.81,
    };
    let start = State::new([0.4], [0.2]);
    let jacobi = hoop.jacobi_integral(&start.q, &start.v);
    let energy = hoop.energy(&start.q, &start.v);
    let mut work = 0.0_f64;
    for state in start.trajectory(1e-3, 3000, |s| hoop.acceleration(&s.q, &s.v).unwrap()) {
        let State { q, v, .. } = state;
        assert_close("p.v - L", &hoop.jacobi_integral(&q, &v), &jacobi, 1e-9);
        work = work.max((hoop.energy(&q, &v) - energy).abs());
        let expected = vector![(36.0 * q.x.cos() - 9.81 / 0.5) * q.x.sin()];
        assert_close("a", &hoop.acceleration(&q, &v).unwrap(), &expected, 1e-11);
    }
    assert!(
        work > 0.1,
        "the motor that turns the hoop does no work: {work}"
    );
}

lagrangian! {
    struct KeplerPolar {
        r, theta: coordinate,
        m, k: parameter,
    }

    T = m * (der(r)^2 + r^2 * der(theta)^2) / 2;
    V = -k / r;
}

reference_test! {
    kepler_polar: KeplerPolar { m, k },
    Natural (q, v),
    outputs [],
    coordinates ["r", "theta"], cyclic [false, true], conserved [false, true],
    conserves_energy true, constant_mass_matrix false,
}

lagrangian! {
    struct KeplerCartesian {
        x, y: coordinate,
        m, k: parameter,
    }

    T = m * der([x, y])^2 / 2;
    V = -k / norm([x, y]);
}

reference_test! {
    kepler_cartesian: KeplerCartesian { m, k },
    Natural (q, v),
    outputs [],
    coordinates ["x", "y"], cyclic [false, false], conserved [false, false],
    conserves_energy true, constant_mass_matrix true,
}

/// Perihelion of an ellipse with semi-major axis 1 and this eccentricity, for m = k = 1: the period
/// is 2 pi.
const ECCENTRICITY: f64 = 0.3;

fn perihelion() -> (f64, f64) {
    (
        1.0 - ECCENTRICITY,
        ((1.0 + ECCENTRICITY) / (1.0 - ECCENTRICITY)).sqrt(),
    )
}

/// The same motion, whatever the coordinates.
#[test]
fn kepler_motion_is_the_same_in_both_coordinates() {
    let (distance, speed) = perihelion();
    let polar = KeplerPolar { m: 1.0, k: 1.0 };
    let cartesian = KeplerCartesian { m: 1.0, k: 1.0 };
    let in_polar =
        State::new([distance, 0.0], [0.0, speed / distance])
            .trajectory(1e-3, 7000, |s| polar.acceleration(&s.q, &s.v).unwrap());
    let in_cartesian = State::new([distance, 0.0], [0.0, speed])
        .trajectory(1e-3, 7000, |s| cartesian.acceleration(&s.q, &s.v).unwrap());
    for (a, b) in in_polar.zip(in_cartesian) {
        let place: SVector<f64, 2> = vector![a.q.y.cos(), a.q.y.sin()] * a.q.x;
        assert!((place - b.q).amax() < 1e-9, "at {}: {place}{}", a.t, b.q);
    }
}

/// Ten revolutions: energy and angular momentum are kept, and the perihelion stays.
#[test]
fn kepler_orbit_closes() {
    const STEPS: usize = 20_000;
    let (distance, speed) = perihelion();
    let system = KeplerPolar { m: 1.0, k: 1.0 };
    let start = State::new([distance, 0.0], [0.0, speed / distance]);
    let spin = system.momenta(&start.q, &start.v).y;
    let duration = 10.0 * std::f64::consts::TAU;
    let mut last = start;
    let step = duration / STEPS as f64;
    for state in start.trajectory(step, STEPS, |s| system.acceleration(&s.q, &s.v).unwrap()) {
        assert_close("E", &system.energy(&state.q, &state.v), &-0.5, 1e-8);
        assert_close(
            "p_theta",
            &system.momenta(&state.q, &state.v).y,
            &spin,
            1e-8,
        );
        last = state;
    }
    assert!(
        (last.q - vector![distance, duration]).amax() < 1e-6,
        "after ten revolutions: {}",
        last.q
    );
}

lagrangian! {
    /// Weight, Newton's attraction and a spring of finite length.
    struct PotentialCatalogue {
        x, y, z: coordinate,
        m, g, gamma, m2, k, rest: parameter,
    }

    let r = [x, y, z];
    let distance = norm(r);
    T = m * der(r)^2 / 2;
    V = m * g * z;
    V += -gamma * m * m2 / distance;
    V += k * (distance - rest)^2 / 2;
}

reference_test! {
    potential_catalogue: PotentialCatalogue { m, g, gamma, m2, k, rest },
    Natural (q, v),
    outputs [],
    coordinates ["x", "y", "z"], cyclic [false; 3], conserved [false; 3],
    conserves_energy true, constant_mass_matrix true,
}

/// -dV/dq is the weight, plus the attraction G m m2 / r^2 and the pull k (r - rest) along -r / |r|.
#[test]
fn conservative_forces_are_the_ones_written_by_hand() {
    let system = PotentialCatalogue {
        m: 0.5,
        g: 9.81,
        gamma: 1.7,
        m2: 3.0,
        k: 8.0,
        rest: 0.9,
    };
    let q = vector![0.6, -0.7, 1.1];
    let distance = q.norm();
    let pull = 1.7 * 0.5 * 3.0 / (distance * distance) + 8.0 * (distance - 0.9);
    let expected = vector![0.0, 0.0, -0.5 * 9.81] - q / distance * pull;
    assert_close("force", &-system.potential_gradient(&q), &expected, 1e-12);
}

lagrangian! {
    /// A mass that decreases with time, which momentum and bias must show.
    struct LeakingMass {
        x, y: coordinate,
        m0, rate, g: parameter,
        t: time,
    }

    let m = m0 * exp(-rate * t);
    T = m * der([x, y])^2 / 2;
    V = m * g * y;
}

reference_test! {
    leaking_mass: LeakingMass { m0, rate, g },
    Rheonomic ([t] q, v),
    outputs [],
    coordinates ["x", "y"], cyclic [true, false], conserved [true, false],
    conserves_energy false, constant_mass_matrix false,
}
