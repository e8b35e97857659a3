//! Systems with coordinates that turn.

use lagrangian::nalgebra::{SVector, Vector4};
use lagrangian::{System, lagrangian};
use num_dual::Dual64;

use crate::check::{Random, check};

/// Turns the four coordinates from each of these on into a unit quaternion.
fn normalised<const NQ: usize>(mut q: SVector<f64, NQ>, rotations: &[usize]) -> SVector<f64, NQ> {
    for first in rotations {
        let four: Vector4<f64> = q.fixed_rows::<4>(*first).into_owned();
        q.fixed_rows_mut::<4>(*first).copy_from(&four.normalize());
    }
    q
}

/// Some states, on the constraints if there are any.
fn check_some<M, D, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    (system, dual): (&M, &D),
    rotations: &[usize],
) where
    M: System<f64, NQ, N, K, C>,
    D: System<Dual64, NQ, N, K, C>,
{
    let mut random = Random(0x5EED);
    for _ in 0..4 {
        let (q, v, u) = (random.vector(), random.vector(), random.vector());
        let q = normalised(q, rotations);
        let (q, v) = system.project(0.0, &q, &v, &u).expect("near");
        check((system, dual), &(0.0, q, v, u));
    }
}

lagrangian! {
    /// A rigid body with a thrust along its own z axis, and drag.
    struct Drone {
        p: coordinate[3],
        att: rotation,
        m: parameter = 1.4,
        i: parameter[3] = [0.3, 0.5, 0.7],
        thrust: input,
        torque: input[3],
    }

    frame Body = world.translate(p).rotate(att);
    body { frame: Body, mass: m, at: [0.1, 0, 0.2], inertia: diag(i) }
    gravity [0, 0, -9.81];
    Q.att = torque - der(att) / 5;
    force Body.vector([0, 0, thrust]) - velocity(Body) * norm(velocity(Body)) at Body.point([0, 0.1, 0]);
}

#[test]
fn drone() {
    check_some(
        (&Drone::<f64>::default(), &Drone::<Dual64>::default()),
        &[3],
    );
}

lagrangian! {
    /// A body on a spring that turns, in a gimbal that carries a second one.
    struct Gimbal {
        att: rotation,
        q: coordinate,
        second: rotation,
        i: parameter[3] = [0.3, 0.5, 0.7],
    }

    frame A = world.rotate(att);
    frame B = A.translate([0.2, q, 0]).rotate(x, q).rotate(second);
    body { frame: A, mass: 1, at: [0.1, 0, 0.2], inertia: diag(i) }
    body { frame: B, mass: 2, at: [0, 0.3, 0.2], inertia: diag(i) }
    gravity [0, 0, -9.81];
    spring { k: 5, rest: 0.1, from: [1, 1, 1], to: B.point([0, 0, 1]) }
}

#[test]
fn attitude_behind_attitude() {
    check_some(
        (&Gimbal::<f64>::default(), &Gimbal::<Dual64>::default()),
        &[0, 5],
    );
}

lagrangian! {
    /// Two bodies in space, a point of each in one place.
    struct BallJoint {
        p1: coordinate[3],
        att1: rotation,
        p2: coordinate[3],
        att2: rotation,
        m: parameter[2] = [1.2, 0.7],
        i1: parameter[3] = [0.1, 0.2, 0.15],
        i2: parameter[3] = [0.05, 0.12, 0.1],
        a: parameter[3] = [0.3, -0.1, 0.2],
        b: parameter[3] = [-0.2, 0.1, 0.4],
        u: input[3],
    }

    frame A = world.translate(p1).rotate(att1);
    frame B = world.translate(p2).rotate(att2);
    body { frame: A, mass: m[0], inertia: diag(i1) }
    body { frame: B, mass: m[1], inertia: diag(i2) }
    torque u on A;
    torque -u on B;
    holonomic joint: A.point(a) = B.point(b);
}

#[test]
fn ball_joint() {
    let pair = (
        &BallJoint::<f64>::default(),
        &BallJoint::<Dual64>::default(),
    );
    check_some(pair, &[3, 10]);
}

lagrangian! {
    /// A ball whose center is off its middle, which rolls on a plane.
    struct Ball {
        x, y: coordinate,
        att: rotation,
        r: parameter = 0.3,
        i: parameter[3] = [0.3, 0.5, 0.7],
        push: input[2],
    }

    frame Body = world.translate([x, y, r]).rotate(att);
    body { frame: Body, mass: 2, at: [0.05, 0, 0.1], inertia: diag(i) }
    gravity [0, 0, -9.81];
    force [push[0], push[1], 0] at [x, y, r];
    let spin = angular_velocity(Body);
    nonholonomic rolls: [der(x), der(y)] = [spin.y, -spin.x] * r;
}

#[test]
fn rolling_ball() {
    check_some((&Ball::<f64>::default(), &Ball::<Dual64>::default()), &[2]);
}
