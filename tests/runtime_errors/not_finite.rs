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

/// The name in an error of a method, if this argument of the whole state is the first one that is not finite.
fn named(method: &str, argument: &'static str) -> Error {
    let argument = match (method, argument) {
        ("state_derivative" | "rhs", "q" | "v") => "y",
        ("velocity" | "hamiltonian" | "hamilton_equations", "v") => "p",
        _ => argument,
    };
    Error::NotFinite { argument }
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

/// The name of each number that [`spoiled`] replaces.
const NAMES: [&str; 7] = ["t", "q", "q", "v", "v", "u", "u"];

/// The first one in the order of the arguments is told of, whichever the method looks at first.
#[test]
fn in_any_argument_whether_read_or_not() {
    for bad in BAD {
        for (first, also) in (0..7).flat_map(|first| (first..7).map(move |also| (first, also))) {
            let (t, mut q, mut v, mut u) = spoiled(first, bad);
            let (_, other_q, other_v, other_u) = spoiled(also, bad);
            // Both are spoiled; where it is no number, all the same.
            for (own, other) in [(&mut q, other_q), (&mut v, other_v), (&mut u, other_u)] {
                for i in 0..2 {
                    if !other[i].is_finite() {
                        own[i] = other[i];
                    }
                }
            }
            let argument = NAMES[first];
            macro_rules! expect {
                ($name:expr, $outcome:expr) => {
                    assert_eq!(
                        $outcome.map(|_| ()),
                        Err(named($name, argument)),
                        "{} {first} {also}",
                        $name
                    )
                };
            }
            checked_methods!(&Sparse::default(), [t], &q, &v, [&u] => expect);
            let rates = Sparse::default().hamilton_equations(t, &q, &v, &u);
            assert_eq!(rates, Err(named("hamilton_equations", argument)));
            if first < 5 {
                canonical_methods!(&Sparse::default(), [t], &q, &v, [&u] => expect);
            }
            let system = Sparse::default();
            expect!("acceleration", System::acceleration(&system, t, &q, &v, &u));
            expect!("solve", System::solve(&system, t, &q, &v, &u));
            expect!("project", System::project(&system, t, &q, &v, &u));
            expect!("vjp", System::vjp(&system, t, &q, &v, &u, &v));
            let outcome = System::state_derivative(&system, t, &q, &v, &u);
            assert_eq!(outcome.map(|_| ()), Err(Error::NotFinite { argument }));
        }
        let (t, q, v, u) = GOOD;
        let weights = vector![0.0, bad];
        let outcome = Sparse::default().vjp(t, &q, &v, &u, &weights);
        assert_eq!(outcome.map(|_| ()), Err(Error::NotFinite { argument: "w" }));
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
            (Err(Error::NotFinite { argument: "t" }), [7.0; 2])
        );
        let outcome = Mass::default().rhs(0.0, &[0.0, bad], &mut dy);
        assert_eq!(
            (outcome, dy),
            (Err(Error::NotFinite { argument: "y" }), [7.0; 2])
        );
    }
    assert_eq!(Mass::default().rhs(0.0, &[1.0, 2.0], &mut dy), Ok(()));
    assert_eq!(dy, [2.0, 0.0]);
}

#[test]
fn in_a_parameter() {
    let (t, q, v, u) = GOOD;
    for bad in BAD {
        let spoiled_m = Sparse {
            m: bad,
            ..Sparse::default()
        };
        let spoiled_k = Sparse {
            k: bad,
            ..Sparse::default()
        };
        let both = Sparse { m: bad, k: bad };
        for (system, argument) in [
            (spoiled_m, "self.m"),
            (spoiled_k, "self.k"),
            (both, "self.m"),
        ] {
            macro_rules! expect {
                ($name:expr, $outcome:expr) => {
                    assert_eq!(
                        $outcome.map(|_| ()),
                        Err(Error::NotFinite { argument }),
                        "{}",
                        $name
                    )
                };
            }
            checked_methods!(&system, [t], &q, &v, [&u] => expect);
            if argument == "self.m" {
                canonical_methods!(&system, [t], &q, &v, [&u] => expect);
            }
            // An argument comes before every parameter.
            let outcome = system.acceleration(t, &q, &v, &vector![0.0, bad]);
            assert_eq!(outcome, Err(Error::NotFinite { argument: "u" }));
        }
    }
}

lagrangian! {
    /// A rod in the plane that hangs by one end, by parameters of every shape.
    #[derive(Clone, Copy, Debug)]
    struct Hanging {
        p: coordinate[2],
        angle: coordinate,
        r#type, m: parameter = 1,
        c: parameter[2] = [0.5, 1],
        i: parameter = 0.1,
        W: parameter[2, 2] = [[1, 0], [0, 2]],
    }

    T = m * der(p)^2 / 2 + i * der(angle)^2 / 2;
    V = r#type * p.y + dot(p, W * p) / 2;
    holonomic hinge: p + c[0] * [sin(angle), -cos(angle)] * c[1] = [0, 0];
}

type Spoil = fn(&mut Hanging, f64);

/// Each element of each parameter by its name, in the order of declaration.
const SPOILS: [(&str, Spoil); 9] = [
    ("self.type", |system, bad| system.r#type = bad),
    ("self.m", |system, bad| system.m = bad),
    ("self.c[0]", |system, bad| system.c[0] = bad),
    ("self.c[1]", |system, bad| system.c[1] = bad),
    ("self.i", |system, bad| system.i = bad),
    ("self.W[0, 0]", |system, bad| system.W[0][0] = bad),
    ("self.W[0, 1]", |system, bad| system.W[0][1] = bad),
    ("self.W[1, 0]", |system, bad| system.W[1][0] = bad),
    ("self.W[1, 1]", |system, bad| system.W[1][1] = bad),
];

#[test]
fn in_an_element_of_a_parameter() {
    let (q, v) = (vector![0.1, -0.4, 0.3], vector![0.2, 0.1, -0.5]);
    let names: Vec<String> = Hanging::PARAMETERS
        .iter()
        .map(|name| format!("self.{name}"))
        .collect();
    assert_eq!(names, SPOILS.map(|(name, _)| name));
    for (at, (first, spoil)) in SPOILS.iter().enumerate() {
        for (_, also) in &SPOILS[at..] {
            let mut system = Hanging::default();
            spoil(&mut system, f64::NAN);
            also(&mut system, f64::NAN);
            let expected = Err(Error::NotFinite { argument: first });
            macro_rules! expect {
                ($name:expr, $outcome:expr) => {
                    assert_eq!($outcome.map(|_| ()), expected, "{} {first}", $name)
                };
            }
            checked_methods!(&system, [], &q, &v, [] => expect);
            expect!("constraint_forces", system.constraint_forces(&q, &v));
            expect!(
                "multiplier_derivatives",
                system.multiplier_derivatives(&q, &v)
            );
        }
    }
    let mut broken = Hanging::default();
    broken.c[1] = f64::NAN;
    let expected = Error::NotFinite {
        argument: "self.c[1]",
    };
    assert_eq!(broken.project(&q, &v), Err(expected));
    assert_eq!(
        broken.project(&q, &vector![0.0, f64::NAN, 0.0]),
        Err(named("project", "v"))
    );
    let steady = Hanging::default();
    let none = vector![];
    assert_eq!(
        System::project(&steady, f64::NAN, &q, &v, &none),
        Err(named("project", "t"))
    );
    assert_eq!(
        lagrangian::rk4_step(&broken, 0.0, &q, &v, &none, 0.1),
        Err(expected)
    );
    let held = |system, alpha| {
        let held = lagrangian::Baumgarte {
            system,
            alpha,
            beta: 0.1,
            step: 0.01,
        };
        System::acceleration(&held, 0.0, &q, &v, &none)
    };
    assert_eq!(held(&broken, 0.1), Err(expected));
    let gain = Error::NotFinite {
        argument: "self.alpha",
    };
    assert_eq!(held(&steady, f64::NAN), Err(gain));
    assert!(held(&steady, 0.1).is_ok());
}

#[test]
fn in_the_result_of_finite_arguments() {
    let system = Sparse {
        m: 1e-300,
        ..Sparse::default()
    };
    let (t, q, v) = (0.0, vector![0.0, 1e10], vector![0.0, 0.0]);
    macro_rules! expect {
        ($name:expr, $outcome:expr) => {
            assert_eq!(
                $outcome.map(|_| ()),
                Err(named($name, "result")),
                "{}",
                $name
            )
        };
    }
    checked_methods!(&system, [t], &q, &v, [&vector![0.0, 1e10]] => expect);
    // Momenta whose velocities overflow, which no argument is.
    let p = vector![1e10, 1e10];
    let u = vector![0.0, 0.0];
    canonical_methods!(&system, [t], &q, &p, [&u] => expect);
}

#[test]
fn a_failed_call_writes_nothing() {
    let system = Sparse::default();
    let y = [0.0, 1.0, 2.0, 3.0];
    let mut dy = [7.0; 4];
    let outcome = system.rhs(0.0, &y, &[0.0, f64::NAN], &mut dy);
    assert_eq!(
        (outcome, dy),
        (Err(Error::NotFinite { argument: "u" }), [7.0; 4])
    );
    let outcome = system.rhs(f64::INFINITY, &y, &[0.0, 0.0], &mut dy);
    assert_eq!(
        (outcome, dy),
        (Err(Error::NotFinite { argument: "t" }), [7.0; 4])
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
        Err(Error::NotFinite { argument: "q" })
    );
    assert!(
        wall.acceleration(&vector![2.0, 2.0, 2.0, 2.0], &still)
            .is_ok()
    );
}
