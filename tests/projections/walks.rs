//! Closed chains that are moved to and fro.

use std::f64::consts::{FRAC_PI_3, TAU};

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{System, lagrangian};

use crate::{NO_INPUT, Random, assert_small, projections};

/// Steps along the velocity, each one projected; the first coordinate turns back at either end of its range.
fn walk<M, const N: usize, const C: usize>(
    system: &M,
    start: SVector<f64, N>,
    range: [f64; 2],
    shaken: f64,
) where
    M: System<f64, N, N, 0, C>,
{
    let u = &NO_INPUT;
    let project = |q: &SVector<f64, N>, v: &SVector<f64, N>| system.project(0.0, q, v, u);
    let mut random = Random(1);
    let mut state = project(&start, &random.vector()).expect("a start");
    for step in 0..projections() {
        let (q, v) = state;
        let mut v = v.normalize() + random.vector() * shaken;
        if (q[0] < range[0] && v[0] < 0.0) || (q[0] > range[1] && v[0] > 0.0) {
            v = -v;
        }
        let length = 0.02 * random.next().abs();
        let q = system.integrate(&q, &(v * length));
        state = project(&q, &v).unwrap_or_else(|error| panic!("step {step}: {error} at {q}{v}"));
        assert_small(system, &state, [8.0, 8.0]);
        let again = project(&state.0, &state.1).expect("a state on the constraints");
        assert_eq!(again.0, state.0, "step {step}");
    }
}

lagrangian! {
    struct Bennett { q: coordinate[4], a, b, alpha, beta: parameter }
    frame A = world.rotate(z, q[0]).translate([a, 0, 0]).rotate(x, alpha);
    frame B = A.rotate(z, q[1]).translate([b, 0, 0]).rotate(x, beta);
    frame C = B.rotate(z, q[2]).translate([a, 0, 0]).rotate(x, alpha);
    frame E = C.rotate(z, q[3]).translate([b, 0, 0]).rotate(x, beta);
    body { frame: A, inertia: 0.1 * identity(3), mass: 1 }
    body { frame: B, inertia: 0.1 * identity(3), mass: 1 }
    body { frame: C, inertia: 0.1 * identity(3), mass: 1 }
    holonomic px: E.origin.x = 0;
    holonomic py: E.origin.y = 0;
    holonomic turn: dot(E.vector([0, 1, 0]), [1, 0, 0]) = 0;
}

/// Three of its six closing rows are independent.
#[test]
fn bennetts_linkage() {
    let (alpha, beta) = (0.5_f64, 1.1_f64);
    let b = beta.sin() / alpha.sin();
    let ratio = ((beta + alpha) / 2.0).sin() / ((beta - alpha) / 2.0).sin();
    let first = 2.0_f64;
    let second = 2.0 * (ratio / (first / 2.0).tan()).atan();
    let start = vector![first, second, TAU - first, TAU - second];
    let linkage = Bennett::new(1.0, b, alpha, beta);
    assert!(linkage.constraint_residual(&start).amax() < 1e-14);
    walk(&linkage, start, [1.0, 2.8], 0.0);
}

lagrangian! {
    struct Bricard { q: coordinate[6], a, alpha: parameter }
    frame A = world.rotate(z, q[0]).translate([a, 0, 0]).rotate(x, alpha);
    frame B = A.rotate(z, q[1]).translate([a, 0, 0]).rotate(x, -alpha);
    frame C = B.rotate(z, q[2]).translate([a, 0, 0]).rotate(x, alpha);
    frame G = C.rotate(z, q[3]).translate([a, 0, 0]).rotate(x, -alpha);
    frame E = G.rotate(z, q[4]).translate([a, 0, 0]).rotate(x, alpha);
    frame F = E.rotate(z, q[5]).translate([a, 0, 0]).rotate(x, -alpha);
    body { frame: A, inertia: 0.1 * identity(3), mass: 1 }
    body { frame: B, inertia: 0.1 * identity(3), mass: 1 }
    body { frame: C, inertia: 0.1 * identity(3), mass: 1 }
    body { frame: G, inertia: 0.1 * identity(3), mass: 1 }
    body { frame: E, inertia: 0.1 * identity(3), mass: 1 }
    holonomic place: F.origin = [0, 0, 0];
    holonomic turn: dot(F.vector([0, 1, 0]), [1, 0, 0]) = 0;
    holonomic lean: dot(F.vector([0, 0, 1]), [0, 1, 0]) = 0;
}

/// The linkage of threefold symmetry (Y. Chen, Z. You, T. Tarnai, "Threefold-symmetric Bricard linkages for deployable
/// structures", *Int. J. Solids and Structures* 42, 2005); five of its six closing rows are independent.
#[test]
fn bricards_linkage() {
    let linkage = Bricard::new(1.0, FRAC_PI_3);
    let (sin, cos) = FRAC_PI_3.sin_cos();
    let first = 1.5_f64;
    // u cos x - w sin x = -c.
    let u = sin * sin + (1.0 + cos * cos) * first.cos();
    let w = 2.0 * cos * first.sin();
    let c = cos * cos + sin * sin * first.cos();
    let second = (-c / u.hypot(w)).acos() - w.atan2(u);
    let start = vector![first, second, first, second, first, second];
    assert!(linkage.constraint_residual(&start).amax() < 1e-14);
    walk(&linkage, start, [1.0, 2.0], 0.0);
}

lagrangian! {
    struct Delta { theta, p: coordinate[3], base, arm, rod: parameter }
    T = 0.3 * der(p)^2;
    for i in 0..3 {
        let out = base + arm * cos(theta[i]);
        let elbow = [out * cos(2 * pi * i / 3), out * sin(2 * pi * i / 3), -arm * sin(theta[i])];
        T += 0.01 * der(theta[i])^2;
        holonomic rod: dot(p - elbow, p - elbow) = rod^2;
    }
}

#[test]
fn a_delta_robot() {
    let robot = Delta::new(0.15, 0.25, 0.6);
    let start = vector![0.4, 0.5, 0.6, 0.0, 0.0, -0.6];
    walk(&robot, start, [0.2, 0.8], 0.1);
}
