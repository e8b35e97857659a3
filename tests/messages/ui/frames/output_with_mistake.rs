//! mistake: `Elbov`; the methods of the frame are there all the same

use lagrangian::{Pose, lagrangian, nalgebra::{SMatrix, SVector}};

lagrangian! {
    struct Arm { t: time, x: coordinate, m: parameter }
    frame Elbow = world.translate([x * t, 0, 0]);
    pub frame hand = Elbov.translate([0, 1, 0]);
    body { frame: Elbow, mass: m }
    pub let height = hand.origin.y;
}

fn main() {
    let arm = Arm { m: 1.0 };
    let (q, v) = ([1.0].into(), [2.0].into());
    let _: Pose<f64> = arm.hand(0.0, &q);
    let _: SVector<f64, 6> = arm.hand_velocity(0.0, &q, &v);
    let _: SMatrix<f64, 6, 1> = arm.hand_jacobian(0.0, &q);
    let _: SVector<f64, 6> = arm.hand_bias(0.0, &q, &v);
    let _: f64 = arm.height_rate(0.0, &q, &v);
}
