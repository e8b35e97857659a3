//! Numbers at the edges of their range, in every combination of two and in random ones of many.

use lagrangian::nalgebra::{self, SMatrix, vector};
use lagrangian::{Derivatives, Error, Gradient, Linearization, Motion, lagrangian};

use crate::methods::{checked_methods, plain_methods};

const EXTREMES: [f64; 19] = [
    0.0,
    -0.0,
    f64::from_bits(1),
    -f64::MIN_POSITIVE / 2.0,
    f64::MIN_POSITIVE,
    1e-200,
    -f64::EPSILON,
    0.5,
    1.0,
    -1.0,
    1e8,
    1e16,
    -1e160,
    1e300,
    f64::MAX,
    f64::MIN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// The values that a method with a `Result` may return: finite numbers.
trait Finite {
    fn is_finite(&self) -> bool;
}

impl<const R: usize, const C: usize> Finite for SMatrix<f64, R, C> {
    fn is_finite(&self) -> bool {
        self.iter().all(|entry| entry.is_finite())
    }
}

impl<const N: usize> Finite for [f64; N] {
    fn is_finite(&self) -> bool {
        self.iter().all(|entry| entry.is_finite())
    }
}

impl<const N: usize> Finite for Motion<f64, N, 0> {
    fn is_finite(&self) -> bool {
        Finite::is_finite(&self.acceleration)
    }
}

impl<A: Finite, B: Finite> Finite for (A, B) {
    fn is_finite(&self) -> bool {
        self.0.is_finite() && self.1.is_finite()
    }
}

impl<const N: usize, const K: usize> Finite for Linearization<f64, N, K> {
    fn is_finite(&self) -> bool {
        self.a.is_finite() && self.b.is_finite()
    }
}

impl<const R: usize, const N: usize, const K: usize> Finite for Derivatives<f64, R, N, K> {
    fn is_finite(&self) -> bool {
        self.q.is_finite() && self.v.is_finite() && self.u.is_finite()
    }
}

impl<const N: usize, const K: usize> Finite for Gradient<f64, N, K> {
    fn is_finite(&self) -> bool {
        self.q.is_finite() && self.v.is_finite() && self.u.is_finite()
    }
}

fn check<T: Finite>(method: &str, numbers: &[f64], arguments: usize, outcome: Result<T, Error>) {
    let arguments_are_finite = numbers[..arguments].iter().all(|number| number.is_finite());
    match outcome {
        Ok(value) => {
            assert!(value.is_finite(), "{method} of {numbers:?}");
            assert!(arguments_are_finite, "{method} of {numbers:?}");
        }
        Err(Error::NotFinite { .. }) => {}
        Err(error) => {
            assert_eq!(error, Error::SingularMassMatrix, "{method} of {numbers:?}");
            assert!(arguments_are_finite, "{method} of {numbers:?}");
        }
    }
}

/// Calls all methods of a system given as a function of its numbers, of which the first
/// `$arguments` are arguments and the others parameters.
macro_rules! call_all {
    ($kind:ident $system:expr, [$($t:expr)?], $q:expr, $v:expr, [$($u:expr)?], $numbers:expr, $arguments:expr) => {{
        macro_rules! ignore {
            ($name:expr, $value:expr) => {
                let _ = std::hint::black_box($value);
            };
        }
        macro_rules! judge {
            ($name:expr, $outcome:expr) => {
                check($name, $numbers, $arguments, $outcome)
            };
        }
        plain_methods!($kind $system, [$($t)?], $q, $v, [$($u)?], $v => ignore);
        checked_methods!($system, [$($t)?], $q, $v, [$($u)?] => judge);
        call_all!(@canonical $kind $system, [$($t)?], $q, $v, [$($u)?] => judge);
    }};
    (@canonical natural $system:expr, [$($t:expr)?], $q:expr, $p:expr, [$($u:expr)?] => $judge:ident) => {
        $judge!("hamilton_equations", $system.hamilton_equations($($t,)? $q, $p $(, $u)?));
    };
    (@canonical lagrangian $($rest:tt)*) => {};
}

/// Every pair of positions with every pair of extremes among ordinary numbers, and 5,000 random draws of
/// extremes for all positions, or as many as `EXTREMES` says.
fn for_all_extremes<const N: usize>(call: impl Fn(&[f64; N])) {
    let ordinary: [f64; N] = std::array::from_fn(|index| 0.3 + 0.1 * index as f64);
    for first in 0..N {
        for second in 0..first {
            for a in EXTREMES {
                for b in EXTREMES {
                    let mut numbers = ordinary;
                    numbers[first] = a;
                    numbers[second] = b;
                    call(&numbers);
                }
            }
        }
    }
    let draws = std::env::var("EXTREMES").map_or(5_000, |draws| draws.parse().expect("a number"));
    let mut state = 1_u64;
    for _ in 0..draws {
        call(&std::array::from_fn(|_| {
            // Knuth's MMIX generator.
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            EXTREMES[(state >> 33) as usize % EXTREMES.len()]
        }));
    }
}

lagrangian! {
    struct CartPole {
        x, theta: coordinate,
        m_c, m_p, l, g: parameter,
        u: input,
    }

    pub let bob = [x + l * sin(theta), l * cos(theta)];

    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
}

#[test]
fn cart_pole() {
    for_all_extremes(|numbers: &[f64; 9]| {
        let &[x, theta, vx, vtheta, u, m_c, m_p, l, g] = numbers;
        let system = &CartPole { m_c, m_p, l, g };
        let (q, v, u) = (&vector![x, theta], &vector![vx, vtheta], &vector![u]);
        call_all!(natural system, [], q, v, [u], numbers, 5);
        let _ = (system.bob(q), system.bob_jacobian(q));
    });
}

lagrangian! {
    /// Every function of the language, at arguments outside its domain, too.
    struct Functions {
        t: time,
        x, y: coordinate,
        a, b: parameter,
        u: input,
    }

    T = exp(x) * der(x)^2 / 2 + cosh(b * y) * der(y)^2 / 2 + a * der(x) * atan2(y, x);
    V = ln(x) * asin(y) + acos(x * y) + sqrt(y) * pow(a, y) + x^9 / y^3 + hypot(x, y)
        + tan(x) * atan(a * t) + sinh(x) * tanh(y) + min(x, y) * max(x, b) + abs(x) * sign(y)
        + if x < y { x.powi(5) } else if x == b { recip(y) } else { powf(x, 2.5) };
    D = a * der(x)^2 * (1 + sin(t)^2) + norm([der(x), der(y)]);
    Q.y = u * cos(t);
}

#[test]
fn all_functions() {
    for_all_extremes(|numbers: &[f64; 8]| {
        let &[t, x, y, vx, vy, u, a, b] = numbers;
        let system = &Functions { a, b };
        let (q, v, u) = (&vector![x, y], &vector![vx, vy], &vector![u]);
        call_all!(natural system, [t], q, v, [u], numbers, 6);
    });
}

lagrangian! {
    struct Relativistic {
        x, y, z: coordinate,
        m, c: parameter,
    }

    L = -m * c^2 * sqrt(1 - (der(x)^2 + der(y)^2 + der(z)^2) / c^2) - m * x / hypot(y, z);
}

#[test]
fn given_by_its_lagrangian() {
    for_all_extremes(|numbers: &[f64; 8]| {
        let &[x, y, z, vx, vy, vz, m, c] = numbers;
        let system = &Relativistic { m, c };
        let (q, v) = (&vector![x, y, z], &vector![vx, vy, vz]);
        call_all!(lagrangian system, [], q, v, [], numbers, 6);
    });
}
