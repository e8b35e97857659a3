//! mistake: `hand`; an output is one frame

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { x: coordinate, m: parameter }
    pub frame mut hand = world.translate([x, 0, 0]);
    hand = hand.translate([0, 1, 0]);
    body { frame: hand, mass: m }
}

fn main() {
    let arm = Arm { m: 1.0 };
    let (q, v) = ([1.0].into(), [2.0].into());
    let _ = (arm.hand(&q), arm.hand_velocity(&q, &v), arm.hand_jacobian(&q), arm.hand_bias(&q, &v));
}
