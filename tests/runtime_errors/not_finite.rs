//! NaN and infinity in the arguments.

use lagrangian::nalgebra::{self, SVector, vector};
use lagrangian::{Error, System, lagrangian};

use crate::methods::{canonical_methods, checked_methods};

const BAD: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

lagrangian! {
    /// Its equations read neither x, nor the velocity of y, nor t, nor the input `spare`.
    #[derive(Clone, Copy, Debug)]
    #[allow(unused_variables)]
    struct Sparse {
        t: time,
        x, y: coordinate,
        m: parameter = 2,
        k: parameter = 3,
        #[allow(unused_variables)]
        spare: input,
        u: input,
    }

    T = m * der(x)^2 / 2 + m * der(y)^2 / 2;
    V = k * y^2 / 2;
    Q.x = u;
}

macro_rules! expect_not_finite {
    ($name:expr, $outcome:expr) => {
        assert_eq!(
            $outcome.map(|_| ()),
            Err(Error::NotFinite { argument: "result" }),
            "{}",
            $name
        )
    };
}

macro_rules! expect_success {
    ($name:expr, $outcome:expr) => {
        assert!($outcome.is_ok(), "{}", $name)
    };
}

type Arguments = (f64, SVector<f64, 2>, SVector<f64, 2>, SVector<f64, 2>);

const GOOD: Arguments = (0.1, vector![0.2, 0.3], vector![0.4, 0.5], vector![0.6, 0.7]);

/// The arguments with one number replaced.
fn spoiled(index: usize, bad: f64) -> Arguments {
    let (mut t, mut q, mut v, mut u) = GOOD;
    match index {
        0 => t = bad,
        1 | 2 => q[index - 1] = bad,
        3 | 4 => v[index - 3] = bad,
        _ => u[index - 5] = bad,
    }
    (t, q, v, u)
}

#[test]
fn good_arguments_succeed() {
    let (t, q, v, u) = GOOD;
    checked_methods!(&Sparse::default(), [t], &q, &v, [&u] => expect_success);
    canonical_methods!(&Sparse::default(), [t], &q, &v, [&u] => expect_success);
}

#[test]
fn in_any_argument_whether_read_or_not() {
    for bad in BAD {
        for index in 0..7 {
            let (t, q, v, u) = spoiled(index, bad);
            checked_methods!(&Sparse::default(), [t], &q, &v, [&u] => expect_not_finite);
            if index < 5 {
                canonical_methods!(&Sparse::default(), [t], &q, &v, [&u] => expect_not_finite);
            }
            let rates = Sparse::default().hamilton_equations(t, &q, &v, &u);
            assert_eq!(rates, Err(Error::NotFinite { argument: "result" }));
        }
    }
}

#[test]
fn in_any_argument_of_the_trait() {
    let system = Sparse::default();
    for bad in BAD {
        for index in 0..7 {
            let (t, q, v, u) = spoiled(index, bad);
            let outcome = System::acceleration(&system, t, &q, &v, &u);
            assert_eq!(outcome, Err(Error::NotFinite { argument: "result" }));
            let outcome = System::solve(&system, t, &q, &v, &u);
            assert_eq!(
                outcome.map(|_| ()),
                Err(Error::NotFinite { argument: "result" })
            );
            let outcome = System::state_derivative(&system, t, &q, &v, &u);
            assert_eq!(
                outcome.map(|_| ()),
                Err(Error::NotFinite { argument: "result" })
            );
        }
    }
}

#[test]
fn in_the_time_of_the_array_form_of_a_system_without_time() {
    lagrangian! {
        struct Mass {
            x: coordinate,
        }
        T = der(x)^2 / 2;
    }
    let mut dy = [7.0; 2];
    for bad in BAD {
        let outcome = Mass::default().rhs(bad, &[0.0, 0.0], &mut dy);
        assert_eq!(
            (outcome, dy),
            (Err(Error::NotFinite { argument: "result" }), [7.0; 2])
        );
        let outcome = Mass::default().rhs(0.0, &[0.0, bad], &mut dy);
        assert_eq!(
            (outcome, dy),
            (Err(Error::NotFinite { argument: "result" }), [7.0; 2])
        );
    }
    assert_eq!(Mass::default().rhs(0.0, &[1.0, 2.0], &mut dy), Ok(()));
    assert_eq!(dy, [2.0, 0.0]);
}

#[test]
fn in_a_parameter() {
    let (t, q, v, u) = GOOD;
    for bad in BAD {
        let system = Sparse {
            m: bad,
            ..Sparse::default()
        };
        checked_methods!(&system, [t], &q, &v, [&u] => expect_not_finite);
        let system = Sparse {
            k: bad,
            ..Sparse::default()
        };
        checked_methods!(&system, [t], &q, &v, [&u] => expect_not_finite);
    }
}

#[test]
fn in_the_result_of_finite_arguments() {
    let system = Sparse {
        m: 1e-300,
        ..Sparse::default()
    };
    let (t, q, v) = (0.0, vector![0.0, 1e10], vector![0.0, 0.0]);
    checked_methods!(&system, [t], &q, &v, [&vector![0.0, 1e10]] => expect_not_finite);
}

#[test]
fn a_failed_call_writes_nothing() {
    let system = Sparse::default();
    let y = [0.0, 1.0, 2.0, 3.0];
    let mut dy = [7.0; 4];
    let outcome = system.rhs(0.0, &y, &[0.0, f64::NAN], &mut dy);
    assert_eq!(
        (outcome, dy),
        (Err(Error::NotFinite { argument: "result" }), [7.0; 4])
    );
    let outcome = system.rhs(f64::INFINITY, &y, &[0.0, 0.0], &mut dy);
    assert_eq!(
        (outcome, dy),
        (Err(Error::NotFinite { argument: "result" }), [7.0; 4])
    );
    let massless = Sparse { m: 0.0, ..system };
    let outcome = massless.rhs(0.0, &y, &[0.0, 0.0], &mut dy);
    assert_eq!((outcome, dy), (Err(Error::SingularMassMatrix), [7.0; 4]));
    let light = Sparse {
        m: 1e-308,
        ..system
    };
    let outcome = light.rhs(0.0, &y, &[0.0, 1e10], &mut dy);
    assert_eq!(
        (outcome, dy),
        (Err(Error::NotFinite { argument: "result" }), [7.0; 4])
    );
    assert_eq!(system.rhs(0.0, &y, &[0.0, 8.0], &mut dy), Ok(()));
    assert_eq!(dy, [2.0, 3.0, 4.0, -1.5]);
}

#[test]
fn plain_methods_pass_it_on() {
    let system = Sparse::default();
    let (t, q, v, u) = spoiled(2, f64::NAN);
    assert!(system.energy(t, &q, &v).is_nan());
    assert!(system.forcing(t, &q, &v, &u)[1].is_nan());
    assert_eq!(
        system.mass_matrix(t, &q),
        nalgebra::matrix![2.0, 0.0; 0.0, 2.0]
    );
}

lagrangian! {
    /// A wall that pushes back on one side, by comparisons and by functions with a kink.
    #[derive(Clone, Copy, Debug)]
    struct Wall {
        x, y, z, w: coordinate,
        k: parameter = 3,
    }

    T = der([x, y, z, w])^2 / 2;
    V = if x > 0 { k * x^2 / 2 } else { 0 };
    V += if y != 1 { k * y^2 / 2 } else { 0 };
    V += k * max(z, 0)^2 / 2 + k * abs(w)^3 / 3;
}

/// A comparison with NaN is false, and `!=` true; `max` and `abs` are NaN.
#[test]
fn comparisons_choose_the_else_branch_at_nan() {
    let wall = Wall::default();
    let nan = vector![f64::NAN, 2.0, 2.0, 2.0];
    assert_eq!(wall.potential_gradient(&nan), vector![0.0, 6.0, 6.0, 12.0]);
    assert_eq!(wall.potential_energy(&nan), 20.0);
    for j in 1..4 {
        let mut q = vector![2.0, 2.0, 2.0, 2.0];
        q[j] = f64::NAN;
        assert!(wall.potential_gradient(&q)[j].is_nan() && wall.potential_energy(&q).is_nan());
    }
    let still = vector![0.0, 0.0, 0.0, 0.0];
    assert_eq!(
        wall.acceleration(&nan, &still),
        Err(Error::NotFinite { argument: "result" })
    );
    assert!(
        wall.acceleration(&vector![2.0, 2.0, 2.0, 2.0], &still)
            .is_ok()
    );
}
