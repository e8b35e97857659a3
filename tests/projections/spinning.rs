//! Bodies that spin: terms such as `w x r` are larger than the entries of J.

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{System, lagrangian, rk4_step};

use crate::{NO_INPUT, assert_small, projections};

/// Steps of h in time, each one projected; a part of all projections.
fn follow<M, const NQ: usize, const N: usize, const C: usize>(
    system: &M,
    (q, v): (SVector<f64, NQ>, SVector<f64, N>),
    h: f64,
    steps: usize,
    sizes: [f64; 2],
) where
    M: System<f64, NQ, N, 0, C>,
{
    let u = &NO_INPUT;
    let mut state = system.project(0.0, &q, &v, u).expect("a start");
    for step in 0..steps {
        let (q, v) = rk4_step(system, 0.0, &state.0, &state.1, u, h).expect("regular");
        state = system
            .project(0.0, &q, &v, u)
            .unwrap_or_else(|error| panic!("step {step}: {error} at {q}{v}"));
        assert_small(system, &state, sizes);
    }
}

lagrangian! {
    struct Top { p: coordinate[3], att: rotation, m, h: parameter, i: parameter[3], g: parameter = 9.81 }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: m, inertia: diag(i) }
    gravity [0, 0, -g];
    holonomic tip: B.point([0, 0, -h]) = [0, 0, 0];
}

#[test]
fn a_top_that_is_pinned_by_its_tip() {
    let top = Top::new(15.0, 1.0, [0.234375, 0.234375, 0.46875]);
    let upright = vector![0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let tilted = top.integrate(&upright, &vector![0.0, 0.0, 0.0, 0.3, 0.0, 0.0]);
    for spin in [1.0, 10.0, 100.0, 1e3, 1e4] {
        let start = (tilted, vector![0.0, 0.0, 0.0, 0.0, 0.0, spin]);
        follow(&top, start, 0.01 / spin, projections() / 5, [1.0, spin]);
    }
}

lagrangian! {
    struct Coin { p: coordinate[3], att: rotation, r: parameter, i: parameter[3], g: parameter = 9.81 }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: 1, inertia: diag(i) }
    gravity [0, 0, -g];
    holonomic height: p[2] = r * sqrt(1 - B.vector([0, 0, 1]).z^2);
}

#[test]
fn a_coin_on_its_edge() {
    let coin = Coin::new(0.5, [0.0625, 0.0625, 0.125]);
    let flat = vector![0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 1.0];
    let tilted = coin.integrate(&flat, &vector![0.0, 0.0, 0.0, 1.3, 0.0, 0.0]);
    for spin in [10.0, 100.0, 1e3] {
        let start = (tilted, vector![0.3, 0.1, 0.0, 0.2, 1.0, spin]);
        follow(&coin, start, 0.01 / spin, projections() / 3, [2.0, spin]);
    }
}

lagrangian! {
    struct Pair { p, s: coordinate[3], first, second: rotation, i: parameter[3] }
    frame A = world.translate(p).rotate(first);
    frame B = world.translate(s).rotate(second);
    body { frame: A, mass: 1, inertia: diag(i) }
    body { frame: B, mass: 2, inertia: diag(i) }
    holonomic joint: A.point([0.3, -0.2, 0.5]) = B.point([-0.4, 0.1, 0.2]);
}

#[test]
fn a_ball_joint_between_two_bodies() {
    let pair = Pair::new([0.1, 0.2, 0.25]);
    let mut start = SVector::<f64, 14>::zeros();
    (start[0], start[9], start[13]) = (0.7, 1.0, 1.0);
    let mut v = SVector::<f64, 12>::zeros();
    (v[6], v[7], v[8]) = (60.0, -70.0, 40.0);
    (v[9], v[10], v[11]) = (-30.0, 20.0, 95.0);
    follow(&pair, (start, v), 1e-4, projections(), [4.0, 100.0]);
}
