//! Parameters of links, damping and friction.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, vector};

use super::support::close;

lagrangian! {
    struct Fixed { arm: robot = "robots/files/two_links.urdf", tau: input[2] }
    gravity [0, 0, -9.81];
    Q.arm = tau;
}

lagrangian! {
    struct Identified {
        arm: robot = "robots/files/two_links.urdf" { parameters: [lower, upper, tool] },
        tau: input[2],
    }
    gravity [0, 0, -9.81];
    Q.arm = tau;
    pub let mass = arm_lower[0];
    regressor identify { arm.lower, arm.link.upper, arm_tool }
}

/// The ten numbers of a link are those of the file, about its origin, and the equations are linear in them.
#[test]
fn ten_numbers_of_a_link_are_parameters() {
    let (system, fixed) = (Identified::default(), Fixed::default());
    let lower = system.arm_lower;
    close(
        lower,
        [0.5, 0.1, 0.0, 0.05, 0.055, 0.0, 0.065, -0.01, 0.0, 0.05],
    );
    assert_eq!(system.arm_tool, [0.0; 10]);
    let (q, v, a) = (vector![0.3, -0.8], vector![0.5, 1.2], vector![-0.4, 0.9]);
    close([system.mass(&q)], [0.5]);
    close(
        system.mass_matrix(&q).iter().copied(),
        fixed.mass_matrix(&q).iter().copied(),
    );
    let expected = fixed.inverse_dynamics(&q, &v, &a);
    close(
        system.inverse_dynamics(&q, &v, &a).iter().copied(),
        expected.iter().copied(),
    );
    let y = system.identify(&q, &v, &a);
    let all = [system.arm_lower, system.arm_upper, system.arm_tool].concat();
    close(
        (y * SVector::<f64, 30>::from_iterator(all)).iter().copied(),
        expected.iter().copied(),
    );
    // A load on the tool.
    let mut loaded = Identified::default();
    loaded.arm_tool[0] = 2.0;
    let more = loaded.inverse_dynamics(&q, &v, &a);
    let theta = [loaded.arm_lower, loaded.arm_upper, loaded.arm_tool].concat();
    close(
        (y * SVector::<f64, 30>::from_iterator(theta))
            .iter()
            .copied(),
        more.iter().copied(),
    );
}

lagrangian! {
    struct Damped { arm: robot = "robots/files/pendulum.urdf" { friction: smooth(0.05) } }
}

#[test]
fn damping_and_smooth_friction_act_on_the_joint() {
    let (q, v) = (vector![0.1], vector![0.08]);
    let force = Damped::default().generalized_forces(&q, &v);
    close(
        force.iter().copied(),
        [-0.3 * 0.08 - 0.7 * (0.08_f64 / 0.05).tanh()],
    );
}

lagrangian! {
    struct Ignored { arm: robot = "robots/files/pendulum.urdf" { friction: ignore } }
}

#[test]
fn friction_can_be_left_out() {
    let force = Ignored::default().generalized_forces(&vector![0.1], &vector![0.08]);
    close(force.iter().copied(), [-0.3 * 0.08]);
}

lagrangian! {
    /// Motors on the joints of a file, named in each way.
    struct Geared {
        arm: robot = "robots/files/two_links.urdf",
        u: input[2],
    }
    gravity [0, 0, -9.81];
    actuator shoulder { joint: arm[0], gear: 100, rotor: 2e-3, torque: u[0] }
    actuator elbow { joint: arm[1], gear: 50, rotor: 1e-3, torque: u[1] }
}

/// Rotors add gear^2 rotor to the diagonal of M, and torques act gear times.
#[test]
fn actuators_turn_joints_of_files() {
    let (geared, fixed) = (Geared::<f64>::default(), Fixed::<f64>::default());
    let (q, v) = (vector![0.3, -0.7], vector![0.4, 0.2]);
    let mut mass = fixed.mass_matrix(&q);
    mass[(0, 0)] += 20.0;
    mass[(1, 1)] += 2.5;
    assert!((geared.mass_matrix(&q) - mass).norm() < 1e-13);
    let forces = geared.generalized_forces(&q, &v, &vector![0.5, -2.0]);
    let without = fixed.generalized_forces(&q, &v, &vector![50.0, -100.0]);
    assert!((forces - without).norm() < 1e-13);
}
