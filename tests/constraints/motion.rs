//! Accelerations and multipliers that are known by hand.

use lagrangian::nalgebra::{SVector, matrix, vector};
use lagrangian::{Error, lagrangian};

lagrangian! {
    /// A pendulum in Cartesian coordinates.
    #[derive(Clone, Copy, Debug)]
    pub struct Pendulum {
        x, y: coordinate,
        m, l: parameter,
        g: parameter = 9.81,
    }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = m * g * y;
    /// The rod keeps its length.
    holonomic rod: x^2 + y^2 = l^2;
}

const PENDULUM: Pendulum = Pendulum {
    m: 1.0,
    l: 2.0,
    g: 9.81,
};

/// The pendulum at this angle from below, with this rate.
fn pendulum_at(alpha: f64, rate: f64) -> (SVector<f64, 2>, SVector<f64, 2>) {
    let (sine, cosine) = alpha.sin_cos();
    let q = PENDULUM.l * vector![sine, -cosine];
    (q, PENDULUM.l * rate * vector![cosine, sine])
}

fn assert_close<const N: usize>(
    actual: SVector<f64, N>,
    expected: SVector<f64, N>,
    tolerance: f64,
) {
    let difference = (actual - expected).amax();
    assert!(difference <= tolerance, "{actual} is not {expected}");
}

#[test]
fn the_rod_of_a_pendulum_carries_weight_and_centrifugal_force() {
    let (alpha, rate) = (0.3_f64, 0.5);
    let (q, v) = pendulum_at(alpha, rate);
    let motion = PENDULUM.solve(&q, &v).unwrap();
    assert_close(motion.acceleration, vector![-2.91733144, -0.37906056], 1e-8);
    assert_close(motion.multipliers, vector![-2.46796274], 1e-8);

    let Pendulum { m, l, g } = PENDULUM;
    let angular = motion.acceleration.dot(&vector![alpha.cos(), alpha.sin()]) / l;
    assert!((angular + g / l * alpha.sin()).abs() < 1e-14);
    let tension = m * g * alpha.cos() + m * l * rate * rate;
    assert!((-2.0 * l * motion.multipliers[0] - tension).abs() < 1e-13);
    let forces = PENDULUM.constraint_forces(&q, &v).unwrap();
    assert_close(forces, -tension / l * q, 1e-13);
    assert!(forces.dot(&v).abs() < 1e-13);
}

#[test]
fn a_pendulum_has_the_terms_of_its_constraint() {
    let (q, v) = (vector![3.0, 4.0], vector![0.5, -0.25]);
    assert_eq!(PENDULUM.constraint_residual(&q), vector![21.0]);
    assert_eq!(PENDULUM.constraint_velocity(&q, &v), vector![1.0]);
    assert_eq!(PENDULUM.constraint_jacobian(&q), matrix![6.0, 8.0]);
    assert_eq!(PENDULUM.constraint_gamma(&q, &v), vector![-0.625]);
    assert_eq!(Pendulum::CONSTRAINTS, ["rod"]);
    assert_eq!(Pendulum::DEGREES_OF_FREEDOM, 1);
    const { assert!(Pendulum::CONSERVES_ENERGY) };
    assert_eq!(Pendulum::CYCLIC, [true, false]);
    assert_eq!(Pendulum::CONSERVED_MOMENTA, [false, false]);
}

#[test]
fn a_pendulum_comes_back_to_its_circle() {
    let (q, v) = pendulum_at(0.3, 0.5);
    let away = (vector![q.x * 1.01, q.y], v + vector![0.1, 0.0]);
    let (q, v) = PENDULUM.project(&away.0, &away.1).unwrap();
    assert!(PENDULUM.constraint_residual(&q).amax() < 1e-14);
    assert!(PENDULUM.constraint_velocity(&q, &v).amax() < 1e-14);
    assert!((q - away.0).norm() < 0.01 && (v - away.1).norm() < 0.1);
    assert_eq!(PENDULUM.project(&q, &v), Ok((q, v)));
    let there = PENDULUM.project(&vector![f64::NAN, 0.0], &v);
    assert_eq!(there, Err(Error::NotFinite { argument: "q" }));
}

/// Runge-Kutta steps of the fourth order, each one followed by `correct`.
fn simulate(steps: usize, dt: f64, correct: impl Fn(&mut [f64; 4])) -> [f64; 4] {
    let (q, v) = pendulum_at(1.0, 0.0);
    let mut y = [q.x, q.y, v.x, v.y];
    for _ in 0..steps {
        let rate = |y: &[f64; 4]| {
            let mut dy = [0.0; 4];
            PENDULUM.rhs(0.0, y, &mut dy).unwrap();
            dy
        };
        let moved = |dy: &[f64; 4], by: f64| std::array::from_fn(|i| y[i] + by * dy[i]);
        let first = rate(&y);
        let second = rate(&moved(&first, dt / 2.0));
        let third = rate(&moved(&second, dt / 2.0));
        let fourth = rate(&moved(&third, dt));
        y = std::array::from_fn(|i| {
            y[i] + dt / 6.0 * (first[i] + 2.0 * (second[i] + third[i]) + fourth[i])
        });
        correct(&mut y);
    }
    y
}

#[test]
fn drift_is_what_projection_removes() {
    let residual = |y: &[f64; 4]| PENDULUM.constraint_residual(&vector![y[0], y[1]])[0].abs();
    let free = simulate(1000, 0.02, |_| {});
    assert!(residual(&free) > 1e-9, "{}", residual(&free));
    let held = simulate(1000, 0.02, |y| {
        let (q, v) = (vector![y[0], y[1]], vector![y[2], y[3]]);
        let (q, v) = PENDULUM.project(&q, &v).unwrap();
        *y = [q.x, q.y, v.x, v.y];
    });
    assert!(residual(&held) < 1e-14, "{}", residual(&held));
    let energy = |y: &[f64; 4]| PENDULUM.energy(&vector![y[0], y[1]], &vector![y[2], y[3]]);
    let (q, v) = pendulum_at(1.0, 0.0);
    assert!((energy(&held) - PENDULUM.energy(&q, &v)).abs() < 1e-5);
}

lagrangian! {
    /// A particle in a spherical bowl.
    pub struct Bowl {
        q: coordinate,
        r: coordinate,
        z: coordinate,
        m: parameter = 1,
        g: parameter = 9.81,
    }
    T = m * (der(q)^2 + der(r)^2 + der(z)^2) / 2;
    V = m * g * z;
    holonomic wall: q^2 + r^2 + z^2 = 1;
}

#[test]
fn the_wall_of_a_bowl_does_no_work() {
    let bowl = Bowl::default();
    let (q, v) = (vector![0.36, 0.48, -0.8], vector![-0.304, 0.188, -0.024]);
    assert_eq!(bowl.constraint_jacobian(&q), 2.0 * q.transpose());
    assert_close(
        bowl.constraint_gamma(&q, &v),
        vector![-2.0 * v.norm_squared()],
        1e-16,
    );
    let motion = bowl.solve(&q, &v).unwrap();
    let acceleration = vector![-2.87148096, -3.82864128, -3.4289312];
    assert_close(motion.acceleration, acceleration, 1e-14);
    assert_close(motion.multipliers, vector![-3.988168], 1e-14);
    assert!(bowl.constraint_forces(&q, &v).unwrap().dot(&v).abs() < 1e-15);
}

lagrangian! {
    /// A uniform stick in the plane with one end pinned to the origin.
    pub struct Stick {
        x, y, theta: coordinate,
        m, l: parameter,
        g: parameter = 9.81,
    }
    T = m * (der(x)^2 + der(y)^2) / 2 + m * l^2 / 12 * der(theta)^2 / 2;
    V = m * g * y;
    holonomic pin: [x - l / 2 * sin(theta), y + l / 2 * cos(theta)] = [0, 0];
}

#[test]
fn a_pinned_stick_is_a_pendulum_and_the_pin_carries_it() {
    let stick = Stick {
        m: 0.7,
        l: 1.2,
        g: 9.81,
    };
    let (theta, rate) = (0.4_f64, 0.9);
    let half = stick.l / 2.0;
    let (sine, cosine) = theta.sin_cos();
    let q = vector![half * sine, -half * cosine, theta];
    let v = rate * vector![half * cosine, half * sine, 1.0];
    let motion = stick.solve(&q, &v).unwrap();
    assert!((motion.acceleration[2] + 4.775242422559828).abs() < 1e-13);
    assert_close(motion.multipliers, vector![-1.97976172, 6.39932682], 1e-8);
    assert_eq!(Stick::CONSTRAINTS, ["pin[0]", "pin[1]"]);
    assert_eq!(Stick::DEGREES_OF_FREEDOM, 1);
}

lagrangian! {
    /// A skate on ice, pushed along.
    pub struct Skate {
        x, y, heading: coordinate,
        m, inertia: parameter,
        push: input,
    }
    T = m * (der(x)^2 + der(y)^2) / 2 + inertia * der(heading)^2 / 2;
    nonholonomic blade: der(x) * sin(heading) = der(y) * cos(heading);
    force [push * cos(heading), push * sin(heading)] at [x, y];
}

#[test]
fn a_skate_goes_where_it_heads() {
    let skate = Skate {
        m: 2.0,
        inertia: 0.5,
    };
    let (q, heading, speed, turn) = (vector![0.3, -0.2, 0.7], 0.7_f64, 1.5, 0.4);
    let (along, across) = (
        vector![heading.cos(), heading.sin()],
        vector![-heading.sin(), heading.cos()],
    );
    let v = vector![speed * along.x, speed * along.y, turn];
    let a = skate.acceleration(&q, &v, &vector![3.0]).unwrap();
    let expected = 1.5 * along + speed * turn * across;
    assert_close(a, vector![expected.x, expected.y, 0.0], 1e-14);
    assert_eq!(skate.constraint_residual(&q), SVector::<f64, 0>::zeros());
    assert!(skate.constraint_velocity(&q, &v).amax() < 1e-15);
    let (same, slower) = skate.project(&q, &vector![1.0, 0.0, turn]).unwrap();
    assert_eq!(same, q);
    let slower = slower.fixed_rows::<2>(0).into_owned();
    assert_close(slower, along.x * along, 1e-15);
}
