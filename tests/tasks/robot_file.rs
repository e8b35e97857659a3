//! The hand of a Panda, read from its URDF file, moves to a pose: by accelerations in task space, of which the smallest
//! that also damp the joints are taken.

use lagrangian::nalgebra::SVector;
use lagrangian::{lagrangian, rk4_step, vector};

lagrangian! {
    struct Panda { arm: robot = "../examples/models/panda.urdf", torque: input[7] }
    gravity [0, 0, -9.81];
    Q.arm = torque;
    pub frame hand = arm.panda_hand;
}

#[test]
fn the_hand_reaches_its_goal() {
    let robot = Panda::<f64>::default();
    let goal = robot.hand(&vector![0.4, -0.2, 0.3, -1.8, 0.2, 1.9, 0.5]);
    let start = vector![0.0, -0.5, 0.0, -2.2, 0.0, 1.7, 0.8];
    let (mut q, mut v) = (start, SVector::zeros());
    for step in 0..2000 {
        let jacobian = robot.hand_jacobian(&q);
        let error = robot.hand(&q).error_to(&goal);
        let pull = 64.0 * error - 8.0 * jacobian * v - robot.hand_bias(&q, &v);
        let spread = (jacobian * jacobian.transpose()).cholesky().unwrap();
        let a = jacobian.transpose() * spread.solve(&pull) - 8.0 * v;
        let torque = robot.inverse_dynamics(&q, &v, &a);
        (q, v) = rk4_step(&robot, 1e-3 * f64::from(step), &q, &v, &torque, 1e-3).unwrap();
    }
    assert!(robot.hand(&q).error_to(&goal).norm() < 1e-4);
}
