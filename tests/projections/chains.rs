//! Chains of hinges behind fixed oblique turns, whose tips are held. Error bounds grow with the number of turns: what
//! `project` accepts must not.

use lagrangian::nalgebra::{RealField, SVector};
use lagrangian::{Error, System, lagrangian};

use super::Random;

/// Calls a macro with the number of links of a long chain. Debug builds are compiled for longer than they run: the longest
/// chains are in builds for release, as `.ci/long` has them.
#[cfg(debug_assertions)]
macro_rules! long {
    ($macro:ident, $name:ident $(, $rest:tt)*) => {
        $macro!($name, 20 $(, $rest)*);
    };
}
#[cfg(not(debug_assertions))]
macro_rules! long {
    ($macro:ident, $name:ident $(, $rest:tt)*) => {
        $macro!($name, 40 $(, $rest)*);
    };
}

macro_rules! chain {
    ($name:ident, $links:literal) => {
        lagrangian! {
            pub struct $name { q: coordinate[$links], l, a: parameter }
            T = der(q)^2 / 2;
            frame mut F = world;
            for i in 0..$links {
                F = F.translate([l, l / 5, 0]).rotate(z, 3 * a).rotate(y, 2 * a).rotate(x, a).rotate([0, 1, 0.5], q[i]);
            }
            holonomic tip: F.origin = [0.5, 0.1, 0.2];
        }
    };
}

chain!(Short, 8);
long!(chain, Long);

/// The largest residual and rate beside `unit`, after a projection.
fn projected<S, M, const N: usize, const C: usize>(
    chain: &M,
    [q, v]: [SVector<S, N>; 2],
) -> Result<S, Error>
where
    S: RealField + Copy,
    M: System<S, N, N, 0, C>,
{
    let (time, none) = (S::zero(), SVector::<S, 0>::zeros());
    let (q, v) = chain.project(time, &q, &v, &none)?;
    let residual = chain.constraint_residual(time, &q, &v, &none).amax();
    let rate = chain.constraint_velocity(time, &q, &v, &none).amax();
    Ok(residual.max(rate) / S::default_epsilon())
}

/// Both precisions, from states of the chain's own size and from states near the constraints.
macro_rules! check {
    ($name:ident, $links:literal) => {
        let chain = $name { l: 0.1, a: 0.1 };
        let single: $name<f32> = chain.cast();
        let mut random = Random($links);
        for _ in 0..20 {
            let [q, v] = [(); 2].map(|()| random.vector::<$links>());
            // The chain is 0.1 times its links long, and its speeds are below that times the sum of v.
            let most = 8.0 * f64::from($links);
            let units = projected(&chain, [q, v]).unwrap();
            assert!(units < most, "{units}");
            let units = projected(&single, [q.cast(), v.cast()]).unwrap();
            assert!(f64::from(units) < most, "{units}");
        }
    };
}

#[test]
fn tips_are_held_to_rounding() {
    check!(Short, 8);
    long!(check, Long);
}

macro_rules! closed {
    ($name:ident, $links:literal) => {
        lagrangian! {
            /// A row more than those of the tip is their sum, but for an error.
            #[allow(deprecated, reason = "the macro warns of rows that depend on each other")]
            #[lagrangian(redundant)]
            pub struct $name { q: coordinate[$links], l, unit, a, error: parameter }
            T = der(q)^2 / 2;
            frame mut F = world;
            for i in 0..$links {
                F = F.translate([l, l / 5, 0]).rotate(z, 3 * a).rotate(y, 2 * a).rotate(x, a).rotate([0, 1, 0.5], q[i]);
            }
            let p = F.origin;
            holonomic tip: p = [unit / 2, unit / 10, unit / 5];
            holonomic sum: p.x + p.y + p.z = unit * 8 / 10 + error;
        }
    };
}

closed!(ShortLoop, 10);
long!(closed, LongLoop);

/// Rows that depend on each other agree to the root of rounding, whatever the number of links and the unit of length are.
macro_rules! check_agreement {
    ($name:ident, $links:literal, $scalar:ty, $units:expr) => {
        let mut random = Random($links);
        let share = <$scalar>::EPSILON.sqrt();
        for unit in $units {
            let size = unit * $links as $scalar / 10.0;
            for step in 0..16 {
                // From none to far too large errors.
                let error = if step == 0 {
                    0.0
                } else {
                    share * size * (0.25 as $scalar).powi(10 - step)
                };
                let closed: $name<$scalar> = $name {
                    l: 0.1 * unit,
                    unit,
                    a: 0.1,
                    error,
                };
                let [q, v] = [(); 2].map(|()| random.vector::<$links>().cast());
                let found =
                    projected(&closed, [q, v]).map(|units| units * <$scalar>::EPSILON / size);
                let limit = if step == 0 {
                    8.0 * $links as $scalar * <$scalar>::EPSILON
                } else {
                    4.0 * share
                };
                match found {
                    Ok(residual) => {
                        assert!(residual < limit && step < 14, "{unit} {step}: {residual}")
                    }
                    Err(error) => assert!(step > 7, "{unit} {step}: {error:?}"),
                }
            }
        }
    };
}

#[test]
fn rows_of_long_loops_agree_to_the_root_of_rounding() {
    check_agreement!(ShortLoop, 10, f64, [1e-20, 1.0, 1e20]);
    long!(check_agreement, LongLoop, f64, [1e-20, 1.0, 1e20]);
    check_agreement!(ShortLoop, 10, f32, [1e-6, 1.0, 1e6]);
    long!(check_agreement, LongLoop, f32, [1e-6, 1.0, 1e6]);
}
