//! Declarations assembled by `macro_rules!`, whose fragments arrive in invisible groups.

use lagrangian::nalgebra::vector;

macro_rules! oscillator {
    (
        $(#[$attribute:meta])* $visibility:vis struct $name:ident;
        $x:ident; $m:ident = $default:literal;
        $stiffness:expr; $potential:expr; $output:ident = $value:expr;
    ) => {
        lagrangian::lagrangian! {
            $(#[$attribute])*
            $visibility struct $name {
                $x: coordinate,
                $m: parameter = $default,
                k: parameter = $stiffness,
                u: input,
            }

            pub let $output = $value;
            T = $m * der($x)^2 / 2;
            V = 2 * $potential;
            Q.$x = u;
        }
    };
}

oscillator! {
    /// A mass on a spring.
    #[derive(Clone, Debug)]
    pub(crate) struct Oscillator;
    x; mass = 4;
    1 + 2; k * x^2 / 4 + x; shift = [x - 1, -x];
}

#[test]
fn idents_expressions_literals_and_attributes() {
    let system = Oscillator::default();
    assert_eq!((system.mass, system.k), (4.0, 3.0));
    let q = vector![2.0];
    // An expression is one operand: 2 (k x^2 / 4 + x).
    assert_eq!(system.potential_energy(&q), 10.0);
    assert_eq!(system.shift(&q), vector![1.0, -2.0]);
    let a = system
        .clone()
        .acceleration(&q, &vector![0.0], &vector![8.0]);
    assert_eq!(a, Ok(vector![0.0]));
}

macro_rules! from_rules {
    ($name:ident { $($body:tt)* }) => {
        lagrangian::lagrangian! {
            struct $name {
                y: coordinate,
                $($body)*
            }

            T = der(y)^2 / 2;
            V = g * y;
        }
    };
}

/// The macro declares `y`, its caller `g`: text decides, as in one declaration.
#[test]
fn names_from_both_sides() {
    from_rules!(Ball {
        g: parameter = 9.81,
    });
    let a = Ball::default().acceleration(&vector![0.0], &vector![0.0]);
    assert_eq!(a, Ok(vector![-9.81]));
}

macro_rules! oscillators {
    ($name:ident: $($x:ident)+) => {
        lagrangian::lagrangian! {
            struct $name {
                $($x: coordinate,)+
                k: parameter = 2,
            }

            $(
                T += der($x)^2 / 2;
                V += k * $x^2 / 2;
            )+
        }
    };
}

#[test]
fn repetitions() {
    oscillators!(Three: a b c);
    assert_eq!(Three::COORDINATES, ["a", "b", "c"]);
    let a = Three::default().acceleration(&vector![1.0, 2.0, 3.0], &vector![0.0, 0.0, 0.0]);
    assert_eq!(a, Ok(vector![-2.0, -4.0, -6.0]));
}
