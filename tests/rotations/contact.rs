//! Friction at the place where a ball touches the floor, which moves over the ball.

use lagrangian::lagrangian;
use lagrangian::nalgebra::SVector;

use crate::support::{Random, assert_close};

lagrangian! {
    /// A tippe top: a ball whose mass is off its centre.
    struct Top { p: coordinate[3], att: rotation, m, r, h, mu: parameter, i: parameter[3] }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: m, at: [0, 0, -h], inertia: diag(i) }
    gravity [0, 0, -9.81];
    pub let slip = velocity(B) + cross(angular_velocity(B), [0, 0, -r]);
    pub let friction = -mu * [slip.x, slip.y, 0];
    holonomic floor: p.z = r;
    force friction at [p.x, p.y, p.z - r] on B;
}

lagrangian! {
    /// The same by a force on the centre and a torque.
    struct TopByTorque { p: coordinate[3], att: rotation, m, r, h, mu: parameter, i: parameter[3] }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: m, at: [0, 0, -h], inertia: diag(i) }
    gravity [0, 0, -9.81];
    let slip = velocity(B) + cross(angular_velocity(B), [0, 0, -r]);
    let friction = -mu * [slip.x, slip.y, 0];
    holonomic floor: p.z = r;
    force friction at B.origin;
    torque cross([0, 0, -r], friction) on B;
}

lagrangian! {
    /// The same by the point of the ball that is lowest.
    struct TopByPoint { p: coordinate[3], att: rotation, m, r, h, mu: parameter, i: parameter[3] }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: m, at: [0, 0, -h], inertia: diag(i) }
    gravity [0, 0, -9.81];
    let slip = velocity(B) + cross(angular_velocity(B), [0, 0, -r]);
    holonomic floor: p.z = r;
    force -mu * [slip.x, slip.y, 0] at B.point(transpose(B.rotation) * [0, 0, -r]) on B;
}

#[test]
fn friction_turns_the_ball() {
    let (m, r, h, mu, i) = (0.006, 0.015, 0.003, 0.3, [3e-6, 3e-6, 2.5e-6]);
    let top: Top = Top::new(m, r, h, mu, i);
    let by_torque: TopByTorque = TopByTorque::new(m, r, h, mu, i);
    let by_point: TopByPoint = TopByPoint::new(m, r, h, mu, i);
    let mut random = Random(0xc0);
    for _ in 0..20 {
        let q = top.integrate(&top.neutral(), &random.vector());
        let v: SVector<f64, 6> = random.vector();
        let forces = top.generalized_forces(&q, &v);
        assert_close(
            "torque",
            &forces,
            &by_torque.generalized_forces(&q, &v),
            1e-15,
        );
        assert_close(
            "point",
            &forces,
            &by_point.generalized_forces(&q, &v),
            1e-15,
        );
        assert!(forces.fixed_rows::<3>(3).amax() > 1e-6);
        let power = top.friction(&q, &v).dot(&top.slip(&q, &v));
        assert!((forces.dot(&v) - power).abs() < 1e-15);
        let (a, b) = (top.acceleration(&q, &v), by_torque.acceleration(&q, &v));
        assert_close("acceleration", &a.unwrap(), &b.unwrap(), 1e-11);
    }
}
