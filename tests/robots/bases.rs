//! Bases of robots: on the ground, free, on frames and on each other.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{Rotation3, Vector3, matrix, vector};

use super::support::close;

lagrangian! {
    struct Free { bot: robot = "robots/files/body.urdf" { base: free }, tau: input, push: input[3] }
    gravity [0, 0, -10];
    Q.bot = [tau];
    Q.bot.base.position = push;
    Q.bot.base.rotation.z = 2 * tau;
    pub frame torso = bot.base;
    pub let mid = bot.base.position;
    pub let spin = der(bot.base.rotation);
}

#[test]
fn a_free_base_comes_before_the_joints() {
    let system = Free::default();
    assert_eq!(Free::COORDINATES[0], "bot.base.position[0]");
    assert_eq!(Free::COORDINATES[6], "bot.base.rotation.w");
    assert_eq!(Free::COORDINATES[7], "bot.hinge");
    assert_eq!(Free::BOT.map(|joint| joint.name), ["hinge"]);
    let mut q = system.neutral();
    q[0] = 0.4;
    let v = vector![0.0, 0.0, 0.0, 0.1, 0.2, 0.3, 0.0];
    let m = system.mass_matrix(&q);
    close(
        m.diagonal().iter().copied(),
        [
            5.0,
            5.0,
            5.0,
            1.0 + 1.0 + 0.04,
            2.0 + 0.04 + 1.0,
            3.0 + 0.04 + 0.04,
            1.0,
        ],
    );
    let forces = system.generalized_forces(&q, &v, &vector![1.0, 2.0, 3.0, 4.0]);
    close(forces.iter().copied(), [2.0, 3.0, 4.0, 0.0, 0.0, 2.0, 1.0]);
    close(system.mid(&q).iter().copied(), [0.4, 0.0, 0.0]);
    close(system.spin(&q, &v).iter().copied(), [0.1, 0.2, 0.3]);
    close(system.torso(&q).origin.iter().copied(), [0.4, 0.0, 0.0]);
    // It falls.
    let a = system
        .acceleration(&q, &(0.0 * v), &vector![0.0, 0.0, 0.0, 0.0])
        .unwrap();
    close(a.iter().copied(), [0.0, 0.0, -10.0, 0.0, 0.0, 0.0, 0.0]);
}

lagrangian! {
    struct OnCart {
        x: coordinate,
        arm: robot = "robots/files/pendulum.urdf" { friction: ignore },
        m: parameter = 3,
    }
    frame cart = world.translate([x, 0, 0]);
    body { frame: cart, mass: m }
    place arm at cart;
    gravity [0, 0, -10];
    pub frame rod = arm.rod;
}

/// A cart of mass 3 with a pendulum of mass 2, its centre 0.5 below, and 0.2 about y.
#[test]
fn a_robot_stands_on_a_moving_frame() {
    let system = OnCart::default();
    let q = vector![0.7, 0.4_f64];
    let m = system.mass_matrix(&q);
    let c = -0.5 * 2.0 * q[1].cos();
    close(m.iter().copied(), [5.0, c, c, 0.2 + 2.0 * 0.25]);
    close(system.rod(&q).origin.iter().copied(), [0.7, 0.0, 0.0]);
}

lagrangian! {
    struct Pair {
        left, right: robot = "robots/files/pendulum.urdf" { friction: ignore },
        third: robot = "robots/files/tail.urdf",
    }
    place left at world.translate([0, 1, 0]);
    place right at left.rod.translate([0, 0, -1]);
    place third at right.base;
    pub frame rod = right.rod;
    pub frame tip = third.tip;
}

#[test]
fn robots_stand_on_robots() {
    let system = Pair::default();
    assert_eq!(
        Pair::COORDINATES,
        ["left.hinge", "right.hinge", "third.swing"]
    );
    assert_eq!(Pair::LEFT, Pair::RIGHT);
    let q = vector![0.3, 0.5, -0.2];
    let turn = |angle: f64| Rotation3::new(Vector3::y() * angle);
    let base = Vector3::y() + turn(0.3) * Vector3::new(0.0, 0.0, -1.0);
    close(system.rod(&q).origin.iter().copied(), base.iter().copied());
    close(
        system.rod(&q).rotation.iter().copied(),
        turn(0.8).matrix().iter().copied(),
    );
    let tip = base + turn(0.1) * Vector3::new(0.5, 0.0, 0.0);
    close(system.tip(&q).origin.iter().copied(), tip.iter().copied());
}

lagrangian! {
    struct Held {
        x: coordinate,
        arm: robot = "robots/files/pendulum.urdf" { lock: { hinge: pi / 2 }, friction: ignore },
    }
    place arm at world.rotate(x, x);
    pub frame rod = arm.rod;
    pub let angle = arm.hinge;
}

/// At a multiple of pi/2 the pose has entries without rounding, as have those of fixed joints.
#[test]
fn a_joint_may_be_locked_at_a_right_angle() {
    let system = Held::default();
    let pose = system.rod(&vector![0.0]);
    assert_eq!(
        pose.rotation,
        matrix![0.0, 0.0, 1.0; 0.0, 1.0, 0.0; -1.0, 0.0, 0.0]
    );
    close([system.angle(&vector![0.3])], [std::f64::consts::FRAC_PI_2]);
}
