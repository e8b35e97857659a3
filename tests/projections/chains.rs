//! Chains of hinges behind fixed oblique turns, whose tips are held. Error bounds grow with the number of turns: what
//! `project` accepts must not.

use lagrangian::nalgebra::{RealField, SVector};
use lagrangian::{Error, System, lagrangian};

use super::Random;

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
chain!(Middle, 20);
chain!(Long, 40);

/// The largest residual and rate beside `unit`, after a projection.
fn projected<S, M, const N: usize>(chain: &M, [q, v]: [SVector<S, N>; 2]) -> Result<S, Error>
where
    S: RealField + Copy,
    M: System<S, N, N, 0, 3>,
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
    check!(Middle, 20);
    check!(Long, 40);
}
