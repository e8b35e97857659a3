//! Methods of systems with rotations at quaternions of any length, in C beside Rust.
//!
//! Formulas take quaternions to be of unit length. Beside it they differ, so that equal values show equal formulas.

use lagrangian::nalgebra::SVector;
use lagrangian::{Derivatives, Error, Gradient, Linearization, lagrangian};

use crate::compiled::{Call, array, check, entries, number, rows};
use crate::declared::scattered;

lagrangian! {
    /// A free body whose columns are solved for in the program of the derivatives.
    pub struct Hull { att: rotation, i: parameter[3], k: parameter, u: input[3] }
    frame B = world.rotate(att);
    body { frame: B, mass: 2, at: [0.1, 0.2, 0.3], inertia: diag(i) }
    gravity [0, 0, -k];
    Q.att = u;
    export c99 { acceleration, linearize, linearize_unchecked, acceleration_derivatives, vjp }
}

lagrangian! {
    /// Bodies in a row, whose derivatives have loops over columns.
    pub struct Train { p: coordinate[3], att: rotation, q: coordinate[4], g, k: parameter, u: input[2] }
    frame mut F = world.translate(p).rotate(att);
    body { frame: F, mass: 5, at: [0.01, 0, 0.1], inertia: diag(0.2, 0.3, 0.25) }
    for i in 0..4 {
        F = F.translate([0.1, 0, 0.2]).rotate(x, q[i]);
        body { frame: F, mass: 1.1, at: [0.01, 0.02, -0.1], inertia: diag(0.02, 0.03, 0.01) }
    }
    gravity [0, 0, -g];
    spring { k: k, from: F.origin, to: [0, 0, 1] }
    Q.q[0] = u[0];
    Q.q[3] = u[1];
    export c99 { acceleration, linearize, linearize_unchecked, acceleration_derivatives, vjp }
}

lagrangian! {
    /// A body on a plane, on which it rolls, with a second one on a ball joint.
    pub struct Rolling { p: coordinate[3], att, arm: rotation, r, k, g: parameter, u: input[3] }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: 2, at: [0, 0.05, 0], inertia: diag(0.2, 0.3, 0.25) }
    frame Arm = B.translate([0, 0, 0.3]).rotate(arm);
    body { frame: Arm, mass: 1, at: [0, 0, 0.4], inertia: diag(0.02, 0.03, 0.01) }
    gravity [0, 0, -g];
    V = k * B.vector([0, 0, 1]).x;
    Q.arm = u;
    holonomic floor: p.z = r;
    let slip = velocity(B) + cross(angular_velocity(B), [0, 0, -r]);
    nonholonomic rolls: slip.xy = [0, 0];
    export c99 {
        acceleration, linearize, linearize_unchecked, acceleration_derivatives, vjp, multiplier_derivatives
    }
}

type Values = Result<Vec<Vec<f64>>, i32>;

fn derivatives<const R: usize, const N: usize, const K: usize>(
    found: Result<Derivatives<f64, R, N, K>, Error>,
) -> Values {
    let parts = found.map(|d| vec![rows(&d.q), rows(&d.v), rows(&d.u)]);
    parts.map_err(number)
}

fn linearization<const N: usize, const K: usize>(
    found: Result<Linearization<f64, N, K>, Error>,
) -> Values {
    found.map(|l| vec![rows(&l.a), rows(&l.b)]).map_err(number)
}

fn gradient<const N: usize, const K: usize>(found: Result<Gradient<f64, N, K>, Error>) -> Values {
    let parts = found.map(|g| vec![entries(&g.q), entries(&g.v), entries(&g.u)]);
    parts.map_err(number)
}

/// The calls at quaternions of several lengths; the further methods have the same arguments.
macro_rules! compared {
    ($($test:ident: $system:expr, $type:ident, $parameters:expr, [$($rotation:expr),*], [$($method:ident: $values:ident),*];)*) => {$(
        #[test]
        fn $test() {
            let system = $system;
            let (v, u, w) = (scattered(2), scattered(3), scattered(4));
            let mut calls = Vec::new();
            for length in [0.8, 1.0, 1.0 + 1e-6, 1.3] {
                let mut q = system.integrate(&system.neutral(), &scattered(1));
                for first in [$($rotation),*] {
                    for k in 0..4 {
                        q[first + k] *= length;
                    }
                }
                let mut call = |function, others: &[SVector<f64, { $type::VELOCITIES.len() }>], expected: Values| {
                    let others = others.iter().map(array);
                    calls.push(Call {
                        function,
                        arguments: [array(&q), array(&v), array(&u)].into_iter().chain(others).collect(),
                        lengths: expected.as_ref().map_or(Vec::new(), |values| values.iter().map(Vec::len).collect()),
                        expected,
                    });
                };
                call("acceleration", &[], system.acceleration(&q, &v, &u).map(|a| vec![entries(&a)]).map_err(number));
                call("linearize", &[], linearization(system.linearize(&q, &v, &u)));
                call("linearize_unchecked", &[], linearization(Ok(system.linearize_unchecked(&q, &v, &u))));
                call("acceleration_derivatives", &[], derivatives(system.acceleration_derivatives(&q, &v, &u)));
                call("vjp", &[w], gradient(system.vjp(&q, &v, &u, &w)));
                $(call(stringify!($method), &[], $values(system.$method(&q, &v, &u)));)*
            }
            assert!(calls.iter().any(|call| call.expected.is_ok()));
            check((stringify!($test), concat!(stringify!($test), "_lengths")), $type::C99, &$parameters, &calls);
        }
    )*};
}

compared! {
    hull: Hull { i: [0.3, 0.5, 0.7], k: 9.81 }, Hull, [0.3, 0.5, 0.7, 9.81], [0], [];
    train: Train { g: 9.81, k: 3.0 }, Train, [9.81, 3.0], [3], [];
    rolling: Rolling { r: 0.4, k: 0.6, g: 9.81 }, Rolling, [0.4, 0.6, 9.81], [3, 7],
        [multiplier_derivatives: derivatives];
}
