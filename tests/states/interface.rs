//! Signatures, constants, steps, constraints and errors of systems with states.

use lagrangian::nalgebra::{SMatrix, SVector, vector};
use lagrangian::{Baumgarte, Error, Stateful, lagrangian, rk4_step_with_states};

use crate::values::{drive, motor};

lagrangian! {
    pub struct Heated {
        x: coordinate [m],
        i: state [A],
        heat: state[2] [K],
        m: parameter [kg],
        k: parameter [N/A],
        tau: parameter [s],
        u: input [A],
    }
    T = m * der(x)^2 / 2;
    der(i) = (u - i) / tau;
    der(heat) = -heat / tau;
    Q.x = k * i;
    pub let place = x;
    pub let speed = der(x);
    pub let current = i;
    let through = 2 * current;
    pub let doubled = through;
    pub let current_rate = der(i);
    pub let cooling = der(heat[0]);
    pub let command = u;
    bundle all { mass_matrix, bias, state_rates, current, place }
    regressor identify { m }
}

/// An output takes the shortest of (q), (q, v), (q, v, z) and (q, v, z, u) that its text names.
#[test]
fn outputs_take_what_they_name() {
    let s: Heated = Heated {
        m: 2.0,
        k: 3.0,
        tau: 0.5,
    };
    let (q, v, z, u) = (
        vector![1.0],
        vector![2.0],
        vector![3.0, 4.0, 5.0],
        vector![6.0],
    );
    let found = [
        s.place(&q),
        s.speed(&q, &v),
        s.current(&q, &v, &z),
        s.doubled(&q, &v, &z),
        s.cooling(&q, &v, &z),
        s.current_rate(&q, &v, &z, &u),
        s.command(&q, &v, &z, &u),
    ];
    assert_eq!(found, [1.0, 2.0, 3.0, 6.0, -8.0, 6.0, 6.0]);
    let all = s.all(&q, &v, &z, &u);
    assert_eq!(all.state_rates, vector![6.0, -8.0, -10.0]);
    assert_eq!((all.current, all.place, all.bias[0]), (3.0, 1.0, 0.0));
    assert_eq!(
        s.identify(&q, &v, &z, &vector![7.0]),
        SMatrix::from([[7.0]])
    );
}

#[test]
fn constants_name_the_states() {
    assert_eq!(Heated::STATES, ["i", "heat[0]", "heat[1]"]);
    let units = [
        ("x", "m"),
        ("der(x)", "m/s"),
        ("i", "A"),
        ("heat[0]", "K"),
        ("heat[1]", "K"),
        ("m", "kg"),
        ("k", "N/A"),
        ("tau", "s"),
        ("u", "A"),
        ("place", "m"),
        ("speed", "m/s"),
        ("current", "A"),
        ("doubled", "A"),
        ("current_rate", "A/s"),
        ("cooling", "K/s"),
        ("command", "A"),
    ];
    assert_eq!(Heated::UNITS, units);
    const { assert!(!Heated::CONSERVES_ENERGY) };
    assert!(
        Heated::EQUATIONS.text.contains("i' = "),
        "{}",
        Heated::EQUATIONS.text
    );
}

/// Both forms of the first-order equations, and the trait.
#[test]
fn the_forms_agree() {
    let s = drive();
    let (q, v, z, u) = (vector![0.1], vector![0.3], vector![0.2, 1e-3], vector![2.0]);
    let y = vector![q[0], v[0], z[0], z[1]];
    let expected = s.state_derivative(&y, &u).unwrap();
    assert_eq!(s.state_derivative_unchecked(&y, &u), expected);
    let mut dy = [0.0; 4];
    s.rhs(0.0, &y.data.0[0], &u.data.0[0], &mut dy).unwrap();
    assert_eq!(dy, expected.data.0[0]);
    let (rate, a, rates) = Stateful::state_derivative(&s, 0.0, &q, &v, &z, &u).unwrap();
    assert_eq!(vector![rate[0], a[0], rates[0], rates[1]], expected);
    assert_eq!(a, s.acceleration(&q, &v, &z, &u).unwrap());
    assert_eq!(s.mass_matrix_full(&q).shape(), (2, 2));
    assert_eq!(
        s.forcing_full(&q, &v, &z, &u)[1],
        s.forcing(&q, &v, &z, &u)[0]
    );
    let (dq, dp) = s.hamilton_equations(&q, &(v * s.j), &z, &u).unwrap();
    assert!((dq - v).norm() < 1e-15 && (dp - a * s.j).norm() < 1e-14);
}

/// The error of a step falls with its fifth power.
#[test]
fn steps_are_of_order_four() {
    let s = motor();
    let run = |steps: u32| {
        let (mut q, mut v, mut z) = (vector![0.1], vector![2.0], vector![1.0]);
        let h = 0.5 / f64::from(steps);
        for _ in 0..steps {
            (q, v, z) = rk4_step_with_states(&s, 0.0, &q, &v, &z, &vector![1.0], h).unwrap();
        }
        vector![q[0], v[0], z[0]]
    };
    let exact = run(4096);
    let [coarse, fine] = [32, 64].map(|steps| (run(steps) - exact).norm());
    let order = (coarse / fine).log2();
    assert!((order - 4.0).abs() < 0.2, "{order}");
}

lagrangian! {
    /// A pendulum with a filter of its height.
    pub struct Filtered { p: coordinate[2], z: state, tau: parameter }
    T = der(p)^2 / 2;
    V = 9.81 * p.y;
    der(z) = (p.y - z) / tau;
    holonomic rod: p^2 = 1;
}

/// `project` and Baumgarte's method leave z alone.
#[test]
fn constraints_do_not_move_states() {
    let s: Filtered = Filtered { tau: 0.3 };
    let (mut q, mut v, mut z) = (vector![0.6, -0.8], vector![0.0, 0.0], vector![0.2]);
    let none = SVector::<f64, 0>::zeros();
    let (mut exact_q, mut exact_v, mut exact_z) = (q, v, z);
    let h = 1e-2;
    let stable = Baumgarte {
        system: &s,
        alpha: 0.1,
        beta: 0.1,
        step: h,
    };
    for step in 0..500 {
        let t = h * f64::from(step);
        (q, v, z) = rk4_step_with_states(&stable, t, &q, &v, &z, &none, h).unwrap();
        (exact_q, exact_v, exact_z) =
            rk4_step_with_states(&s, t, &exact_q, &exact_v, &exact_z, &none, h).unwrap();
        (exact_q, exact_v) = s.project(&exact_q, &exact_v).unwrap();
    }
    assert!((exact_q.norm() - 1.0).abs() < 1e-15);
    assert!((q.norm() - 1.0).abs() < 1e-5, "{}", q.norm());
    assert!(
        (z - exact_z).norm() < 1e-3 && (v - exact_v).norm() < 1e-2,
        "{z}{exact_z}"
    );
    // On the constraints the stabilised motion and its derivatives are those of the system.
    let a = stable
        .acceleration(0.0, &exact_q, &exact_v, &exact_z, &none)
        .unwrap();
    assert!((a - s.acceleration(&exact_q, &exact_v, &exact_z).unwrap()).norm() < 1e-9);
    let by = stable
        .acceleration_derivatives(0.0, &exact_q, &exact_v, &exact_z, &none)
        .unwrap();
    let of_system = s
        .acceleration_derivatives(&exact_q, &exact_v, &exact_z)
        .unwrap();
    assert_eq!((by.z - of_system.z).norm(), 0.0);
}

#[test]
fn errors_name_the_argument() {
    let s = motor();
    let (q, v, z, u) = (vector![0.0], vector![0.0], vector![f64::NAN], vector![0.0]);
    let of_z = Error::NotFinite { argument: "z" };
    assert_eq!(s.acceleration(&q, &v, &z, &u).unwrap_err(), of_z);
    assert_eq!(s.linearize(&q, &v, &z, &u).unwrap_err(), of_z);
    assert_eq!(s.vjp(&q, &v, &z, &u, &v).unwrap_err(), of_z);
    let step = rk4_step_with_states(&s, 0.0, &q, &v, &z, &u, 1e-3);
    assert_eq!(step.unwrap_err(), of_z);
    let y = vector![0.0, 0.0, f64::NAN];
    let of_y = Error::NotFinite { argument: "y" };
    assert_eq!(s.state_derivative(&y, &u).unwrap_err(), of_y);
    let s = drive();
    let z = vector![0.0, f64::INFINITY];
    assert_eq!(s.linearize(&q, &v, &z, &u).unwrap_err(), of_z);
    let broken = motor_without_inductance();
    let z = vector![1.0];
    assert!(broken.linearize(&q, &v, &z, &u).is_err());
    assert!(
        broken
            .state_derivative(&vector![0.0, 0.0, 1.0], &u)
            .is_err()
    );
}

/// A motor whose current has no finite rate.
fn motor_without_inductance() -> crate::values::Motor {
    crate::values::Motor { l: 0.0, ..motor() }
}
