//! The tool of a UR5 moves to a pose, by the inverse dynamics of accelerations in task space.

use lagrangian::nalgebra::Vector6;
use lagrangian::{lagrangian, rk4_step, vector};

lagrangian! {
    /// Universal Robots UR5. Lengths and masses are those of its data sheet; the links are slender cylinders.
    struct Ur5 { q: coordinate[6], torque: input[6] }
    frame Shoulder = world.translate([0, 0, 0.089159]).rotate(z, q[0]);
    frame Upper = Shoulder.translate([0, 0.13585, 0]).rotate(y, pi / 2 + q[1]);
    frame Lower = Upper.translate([0, -0.1197, 0.425]).rotate(y, q[2]);
    frame Wrist1 = Lower.translate([0, 0, 0.39225]).rotate(y, pi / 2 + q[3]);
    frame Wrist2 = Wrist1.translate([0, 0.093, 0]).rotate(z, q[4]);
    frame Wrist3 = Wrist2.translate([0, 0, 0.09465]).rotate(y, q[5]);
    pub frame tool = Wrist3.translate([0, 0.0823, 0]);
    body { frame: Shoulder, mass: 3.7, inertia: diag(0.0102, 0.0102, 0.0067) }
    body { frame: Upper, mass: 8.393, at: [0, 0, 0.28], inertia: diag(0.2269, 0.2269, 0.0151) }
    body { frame: Lower, mass: 2.275, at: [0, 0, 0.25], inertia: diag(0.0494, 0.0494, 0.0041) }
    body { frame: Wrist1, mass: 1.219, inertia: diag(0.1112, 0.1112, 0.2194) }
    body { frame: Wrist2, mass: 1.219, inertia: diag(0.1112, 0.1112, 0.2194) }
    body { frame: Wrist3, mass: 0.1879, inertia: diag(0.0171, 0.0338, 0.0171) }
    gravity [0, 0, -9.81];
    Q.q = torque;
}

#[test]
fn the_tool_reaches_its_goal() {
    let arm = Ur5::<f64>::default();
    let goal = arm.tool(&vector![0.6, -1.0, 1.4, -1.2, -1.2, 0.5]);
    let (mut q, mut v) = (vector![0.0, -1.3, 1.7, -1.6, -1.5, 0.0], Vector6::zeros());
    for step in 0..2000 {
        let jacobian = arm.tool_jacobian(&q);
        let pull = 64.0 * arm.tool(&q).error_to(&goal) - 16.0 * jacobian * v;
        let wanted = pull - arm.tool_bias(&q, &v);
        let a = jacobian.lu().solve(&wanted).unwrap();
        let torque = arm.inverse_dynamics(&q, &v, &a);
        (q, v) = rk4_step(&arm, 1e-3 * f64::from(step), &q, &v, &torque, 1e-3).unwrap();
    }
    assert!(arm.tool(&q).error_to(&goal).norm() < 1e-4);
}
