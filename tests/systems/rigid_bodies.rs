//! Rigid bodies, their rotation written out by components.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SMatrix, SVector, Vector3, matrix, vector};

use crate::harness::reference_test;
use crate::support::{State, assert_close};

lagrangian! {
    /// A heavy symmetric top with a fixed point, by Euler angles.
    struct SpinningTop {
        phi, theta, psi: coordinate,
        i1, i3, m, l, g: parameter,
    }

    T = i1 * (der(theta)^2 + (der(phi) * sin(theta))^2) / 2;
    T += i3 * (der(psi) + der(phi) * cos(theta))^2 / 2;
    V = m * g * l * cos(theta);
}

reference_test! {
    spinning_top: SpinningTop { i1, i3, m, l, g },
    Natural (q, v),
    outputs [],
    coordinates ["phi", "theta", "psi"], cyclic [true, false, true], conserved [true, false, true],
    conserves_energy true, constant_mass_matrix false,
}

/// i1 cos(theta) W^2 - i3 s W + m g l = 0 for steady precession W and spin s at constant theta.
#[test]
fn top_precesses_steadily() {
    let top = SpinningTop {
        i1: 0.3,
        i3: 0.5,
        m: 1.2,
        l: 0.4,
        g: 9.81,
    };
    let (theta, precession) = (0.7_f64, 1.9);
    let spin =
        (0.3 * theta.cos() * precession * precession + 1.2 * 9.81 * 0.4) / (0.5 * precession);
    let v = vector![precession, 0.0, spin - precession * theta.cos()];
    let a = top.acceleration(&vector![0.3, theta, 0.9], &v).unwrap();
    assert!(a.amax() < 1e-12, "steady precession is accelerated: {a}");
}

lagrangian! {
    /// A free rigid body; psi about z, then theta about x, then phi about y.
    struct RigidBody {
        psi, theta, phi, x, y, z: coordinate,
        m, ixx, iyy, izz: parameter,
    }

    let wx = -sin(phi) * cos(theta) * der(psi) + cos(phi) * der(theta);
    let wy = sin(theta) * der(psi) + der(phi);
    let wz = cos(phi) * cos(theta) * der(psi) + sin(phi) * der(theta);
    pub let body_rates = [wx, wy, wz];
    T = m * der([x, y, z])^2 / 2 + (ixx * wx^2 + iyy * wy^2 + izz * wz^2) / 2;
}

reference_test! {
    rigid_body: RigidBody { m, ixx, iyy, izz },
    Natural (q, v),
    outputs [body_rates(&q, &v)],
    coordinates ["psi", "theta", "phi", "x", "y", "z"],
    cyclic [true, false, false, true, true, true],
    conserved [true, false, false, true, true, true],
    conserves_energy true, constant_mass_matrix false,
}

const BODY: RigidBody = RigidBody {
    m: 1.5,
    ixx: 1.0,
    iyy: 2.0,
    izz: 3.0,
};

fn tumbling() -> State<6> {
    State::new(
        [0.4, 0.5, 0.6, 0.0, 0.0, 0.0],
        [0.3, -0.7, 1.1, 0.2, -0.4, 0.6],
    )
}

#[test]
fn rigid_body_at_a_state() {
    let State { q, v, .. } = tumbling();
    let mut mass = SMatrix::<f64, 6, 6>::identity() * 1.5;
    mass.fixed_view_mut::<3, 3>(0, 0).copy_from(&matrix![
        2.27907024238481, 0.81794124884508, 0.958851077208406;
        0.81794124884508, 1.63764224552333, 0.0;
        0.958851077208406, 0.0, 2.0
    ]);
    let bias = [
        -2.46987200781281,
        -1.79094433540776,
        -0.62712132469286,
        0.0,
        0.0,
        0.0,
    ];
    let momenta = [
        1.16589838345313,
        -0.900967197212805,
        2.48765532316252,
        0.3,
        -0.6,
        0.9,
    ];
    assert_close("T", &BODY.kinetic_energy(&q, &v), &2.27843370428184, 1e-12);
    assert_close("M", &BODY.mass_matrix(&q), &mass, 1e-12);
    assert_close("h", &BODY.bias(&q, &v), &SVector::from(bias), 1e-12);
    assert_close("p", &BODY.momenta(&q, &v), &SVector::from(momenta), 1e-12);
}

/// Columns are the body axes in space.
fn attitude(q: &SVector<f64, 6>) -> SMatrix<f64, 3, 3> {
    let [(s1, c1), (s2, c2), (s3, c3)] = [q[0], q[1], q[2]].map(f64::sin_cos);
    matrix![
        c3 * c1 - s3 * s1 * s2, -s1 * c2, s3 * c1 + s1 * s2 * c3;
        s3 * s2 * c1 + s1 * c3, c1 * c2, s3 * s1 - s2 * c3 * c1;
        -s3 * c2, s2, c3 * c2
    ]
}

fn angular_momentum(state: &State<6>) -> Vector3<f64> {
    let inertia = vector![BODY.ixx, BODY.iyy, BODY.izz];
    attitude(&state.q) * inertia.component_mul(&BODY.body_rates(&state.q, &state.v))
}

/// Ten seconds without torque: energy, angular momentum and p_psi are kept.
#[test]
fn tumbling_body_keeps_energy_and_angular_momentum() {
    let start = tumbling();
    let spin = angular_momentum(&start);
    let expected = vector![-1.6856840410466, 1.67339477987887, 1.16589838345313];
    assert_close("angular momentum", &spin, &expected, 1e-12);
    let energy = BODY.kinetic_energy(&start.q, &start.v);
    for state in start.trajectory(1e-3, 10_000, |s| BODY.acceleration(&s.q, &s.v).unwrap()) {
        let State { t, q, v } = state;
        let kinetic = BODY.kinetic_energy(&q, &v);
        assert!((kinetic - energy).abs() < 1e-9, "energy at {t}: {kinetic}");
        let now = angular_momentum(&state);
        assert!(
            (now.norm() - spin.norm()).abs() < 1e-9,
            "angular momentum at {t}: {now}"
        );
        let psi = BODY.momenta(&q, &v)[0];
        assert!((psi - expected.z).abs() < 1e-9, "p_psi at {t}: {psi}");
    }
}

/// I dw/dt + w x I w = 0.
#[test]
fn tumbling_body_follows_euler_equations() {
    let inertia = vector![BODY.ixx, BODY.iyy, BODY.izz];
    let start = tumbling();
    let rates = BODY.body_rates(&start.q, &start.v);
    let free = State {
        t: 0.0,
        q: Vector3::zeros(),
        v: rates,
    };
    let euler = free.trajectory(1e-3, 10_000, |s| {
        -s.v.cross(&inertia.component_mul(&s.v))
            .component_div(&inertia)
    });
    let motion = start.trajectory(1e-3, 10_000, |s| BODY.acceleration(&s.q, &s.v).unwrap());
    for (state, free) in motion.zip(euler) {
        let rates = BODY.body_rates(&state.q, &state.v);
        assert!(
            (rates - free.v).amax() < 1e-9,
            "at {}: {rates}{}",
            state.t,
            free.v
        );
    }
}

lagrangian! {
    /// Three cylinders: the halves of a cat, which twist about one axis, and its tail.
    struct FallingCat {
        q1, q2, q3: coordinate,
        l, r, g, rho: parameter,
        tb, tc: input,
    }

    let mass = rho * l * pi * r^2;
    let axial = mass * r^2 / 2;
    let lateral = mass * (3 * r^2 + l^2) / 12;
    let turn = q1 + q2;
    let along = [sin(turn) * sin(q3), -cos(turn) * sin(q3), cos(q3)];
    pub let tail = -l / 2 * along - [0, 0, 2 * l];
    let rates = [der(q3), sin(q3) * der(turn), cos(q3) * der(turn)];
    T = axial * der(q1)^2 / 2 + axial * der(turn)^2 / 2 + mass * der(tail)^2 / 2;
    T += (lateral * (rates.x^2 + rates.y^2) + axial * rates.z^2) / 2;
    V = mass * g * tail.z;
    Q.q2 = tb;
    Q.q3 = tc;
}

reference_test! {
    falling_cat: FallingCat { l, r, g, rho },
    Natural (q, v; u),
    outputs [tail(&q), tail_jacobian(&q)],
    coordinates ["q1", "q2", "q3"], cyclic [true, true, false], conserved [true, false, false],
    conserves_energy false, constant_mass_matrix false,
}

const CAT: FallingCat = FallingCat {
    l: 1.5,
    r: 0.3,
    g: 1.0,
    rho: 1.0,
};

#[test]
fn falling_cat_in_closed_form() {
    let (l2, r2) = (CAT.l * CAT.l, CAT.r * CAT.r);
    let q = vector![0.2_f64, -0.4, 0.7];
    let bend = (4.0 * l2 - 3.0 * r2) * q.z.sin().powi(2);
    let mass = matrix![
        bend + 18.0 * r2, bend + 12.0 * r2, 0.0;
        bend + 12.0 * r2, bend + 12.0 * r2, 0.0;
        0.0, 0.0, 4.0 * l2 + 3.0 * r2
    ] * (std::f64::consts::PI * CAT.l * r2 / 12.0);
    let v = vector![0.3, -0.7, 1.1];
    assert_close("M", &CAT.mass_matrix(&q), &mass, 1e-12);
    assert_close(
        "p1",
        &CAT.momenta(&q, &v).x,
        &(mass.m11 * 0.3 - mass.m12 * 0.7),
        1e-12,
    );
}

/// Internal torques leave the momentum of q1 at zero.
#[test]
fn falling_cat_keeps_zero_momentum_under_internal_torques() {
    let motion = State::new([0.0, 0.0, 0.5], [0.0; 3]).trajectory(1e-3, 2000, |s| {
        let torques = vector![0.05 * (2.0 * s.t).sin(), 0.3 * (3.0 * s.t).sin()];
        CAT.acceleration(&s.q, &s.v, &torques).unwrap()
    });
    let mut turned = 0.0_f64;
    for state in motion {
        let momentum = CAT.momenta(&state.q, &state.v).x;
        assert!(momentum.abs() < 1e-12, "p1 at {} is {momentum:e}", state.t);
        turned = turned.max(state.q.x.abs());
    }
    assert!(turned > 1e-2, "the torques turn nothing: {turned:e}");
}

/// A closed cycle of the shape (q2, q3) at zero momentum of q1 ends turned, which is how cats land.
#[test]
fn falling_cat_turns_by_a_cycle_of_its_shape() {
    const STEPS: usize = 4000;
    let period = std::f64::consts::TAU;
    let step = period / STEPS as f64;
    let shape = |t: f64| vector![0.8 * t.sin(), 0.7 - 0.5 * t.cos()];
    let shape_rate = |t: f64| vector![0.8 * t.cos(), 0.5 * t.sin()];
    let turning = |t: f64| {
        let mass = CAT.mass_matrix(&vector![0.0, shape(t).x, shape(t).y]);
        -mass.m12 / mass.m11 * shape_rate(t).x
    };
    let mut turned = 0.0;
    for index in 0..STEPS {
        let t = index as f64 * step;
        let q = vector![turned, shape(t).x, shape(t).y];
        let v = vector![turning(t), shape_rate(t).x, shape_rate(t).y];
        let momentum = CAT.momenta(&q, &v).x;
        assert!(momentum.abs() < 1e-12, "p1 at {t} is {momentum:e}");
        turned += step / 6.0 * (turning(t) + 4.0 * turning(t + step / 2.0) + turning(t + step));
    }
    assert!(
        (shape(period) - shape(0.0)).amax() < 1e-12,
        "the cycle is not closed"
    );
    assert!(turned.abs() > 0.05, "net rotation {turned}");
}
