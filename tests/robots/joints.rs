//! How joints move, and which have coordinates.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{Rotation3, UnitQuaternion, Vector3, matrix, vector};

use super::support::close;

lagrangian! {
    struct Fingers {
        hand: robot = "robots/files/mimic.urdf" { friction: smooth(0.01) },
        u: input,
    }
    Q.hand.drive = u;
    pub let second = hand.f2;
    pub let rate = der(hand.f2);
    pub frame l2 = hand.l2;
    pub frame l3 = hand.l3;
}

/// f2 = -2 f1 + 0.1, f1 = 0.5 drive: both stand before the joint that they follow.
#[test]
fn followers_are_substituted() {
    let system = Fingers::default();
    assert_eq!(Fingers::COORDINATES, ["hand.drive"]);
    assert_eq!(Fingers::HAND.map(|joint| joint.name), ["drive"]);
    let (q, v) = (vector![0.3], vector![0.7]);
    close(
        system.mass_matrix(&q).iter().copied(),
        [3.0 + 2.0 * 0.25 + 1.0],
    );
    close([system.second(&q), system.rate(&q, &v)], [-0.3 + 0.1, -0.7]);
    close(system.l2(&q).origin.iter().copied(), [-0.2, 0.0, 0.0]);
    // `mimic` on a fixed joint is nothing.
    close(system.l3(&q).origin.iter().copied(), [0.0; 3]);
    // Damping counts with the square of the multiplier, friction with the multiplier.
    let friction = 0.2 * 0.5 * (0.5 * 0.7_f64 / 0.01).tanh();
    let force = system.generalized_forces(&q, &v, &vector![2.0]);
    close(force.iter().copied(), [2.0 - 0.4 * 0.25 * 0.7 - friction]);
}

lagrangian! {
    struct OfFixed { arm: robot = "robots/files/mimic_of_fixed.urdf" }
    pub let height = arm.joint.b;
    pub frame b = arm.link.b;
}

#[test]
fn a_follower_of_a_fixed_joint_is_constant() {
    let system = OfFixed::default();
    assert_eq!(OfFixed::COORDINATES, ["arm.c"]);
    close([system.height(&vector![0.2])], [0.5]);
    close(
        system.b(&vector![0.2]).origin.iter().copied(),
        [0.0, 0.0, 0.5],
    );
}

lagrangian! {
    struct LockedLeader {
        theta: coordinate,
        hand: robot = "robots/files/mimic.urdf" { lock: { drive: 2 * 0.2 }, friction: ignore },
    }
    place hand at world.rotate(z, theta);
    pub let second = hand.f2;
    pub let first = hand.drive;
}

/// No part of the robot moves by itself: it turns with its base.
#[test]
fn a_follower_of_a_locked_joint_is_constant() {
    let system = LockedLeader::default();
    assert_eq!(LockedLeader::COORDINATES, ["theta"]);
    assert_eq!(LockedLeader::HAND.len(), 0);
    let q = vector![0.9];
    close([system.first(&q), system.second(&q)], [0.4, -0.3]);
    // 3, 2 and 1 at 0.4, 0.2 and -0.3 along x.
    let second = 3.0 * 0.16 + 2.0 * 0.04 + 0.09;
    close(system.mass_matrix(&q).iter().copied(), [second]);
}

lagrangian! {
    struct Order { arm: robot = "robots/files/order.urdf", tau: input[2] }
    Q.arm = tau;
    pub let second = arm[1];
    pub let rates = der(arm);
}

/// Coordinates stand in the order of the file: the elbow first.
#[test]
fn joints_need_not_be_in_the_order_of_the_tree() {
    let system = Order::default();
    assert_eq!(Order::COORDINATES, ["arm.elbow", "arm.shoulder"]);
    assert_eq!(Order::VELOCITIES, ["der(arm.elbow)", "der(arm.shoulder)"]);
    let q = vector![0.5_f64, -0.2];
    let (c, m) = (q[0].cos(), system.mass_matrix(&q));
    close(
        m.iter().copied(),
        [0.25, 0.25 + 0.5 * c, 0.25 + 0.5 * c, 1.25 + c],
    );
    close([system.second(&q)], [-0.2]);
    let (v, u) = (vector![0.3, 0.4], vector![1.0, 2.0]);
    close(system.rates(&q, &v).iter().copied(), [0.3, 0.4]);
    close(
        system.generalized_forces(&q, &v, &u).iter().copied(),
        [1.0, 2.0],
    );
}

lagrangian! {
    struct Planar { base: robot = "robots/files/planar.urdf" }
    pub frame px = base.px;
    pub frame py = base.py;
    pub frame pz = base.pz;
    pub frame nx = base.nx;
    pub frame ny = base.ny;
    pub frame nz = base.nz;
    pub let third = base.joint["minus x"];
}

/// x and y are along (y, z), (z, x), (x, y); a negative axis turns the other way.
#[test]
fn planar_joints_move_across_their_axes() {
    let system = Planar::default();
    assert_eq!(
        Planar::COORDINATES[..4],
        ["base.x[0]", "base.x[1]", "base.x[2]", "base.y[0]"]
    );
    assert_eq!(Planar::BASE.map(|joint| joint.name)[3], "minus x");
    let q = lagrangian::nalgebra::SVector::<f64, 18>::from_fn(|i, _| 0.1 * (i as f64 + 1.0));
    let poses = [
        system.px(&q),
        system.py(&q),
        system.pz(&q),
        system.nx(&q),
        system.ny(&q),
        system.nz(&q),
    ];
    for (number, pose) in poses.iter().enumerate() {
        let own: [f64; 3] = std::array::from_fn(|i| q[3 * number + i]);
        let axis = number % 3;
        let sign = if number < 3 { 1.0 } else { -1.0 };
        let mut origin = Vector3::zeros();
        origin[(axis + 1) % 3] = own[0];
        origin[(axis + 2) % 3] = own[1];
        let mut direction = Vector3::zeros();
        direction[axis] = sign;
        close(pose.origin.iter().copied(), origin.iter().copied());
        let rotation = Rotation3::new(direction * own[2]);
        close(
            pose.rotation.iter().copied(),
            rotation.matrix().iter().copied(),
        );
    }
    close(system.third(&q).iter().copied(), [1.0, 1.1, 1.2]);
    // Mass 1 along both, the moment about the own axis.
    close(
        system.mass_matrix(&q).diagonal().iter().take(9).copied(),
        [1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 3.0],
    );
}

lagrangian! {
    struct Wheel { arm: robot = "robots/files/continuous.urdf", u: input }
    gravity [0, -10, 0];
    Q.arm.spin = u;
    pub frame rotor = arm.rotor;
}

/// One angle, of any size, whose limits in the file are none; a point mass has no tensor.
#[test]
fn continuous_joints_have_one_angle() {
    let system = Wheel::default();
    assert_eq!(Wheel::COORDINATES, ["arm.spin"]);
    let limits = Wheel::ARM[0];
    assert_eq!(
        (limits.lower, limits.upper, limits.velocity, limits.effort),
        (f64::NEG_INFINITY, f64::INFINITY, 3.0, 5.0)
    );
    let (q, v) = (vector![7.0_f64], vector![0.5]);
    close(system.mass_matrix(&q).iter().copied(), [2.0 * 0.25]);
    let (s, c) = q[0].sin_cos();
    close(
        system.rotor(&q).rotation.iter().copied(),
        [c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0],
    );
    // m r^2 a = u - m g dy/dq
    let a = system.acceleration(&q, &v, &vector![3.0]).unwrap();
    close(
        a.iter().copied(),
        [(3.0 - 20.0 * (0.3 * c - 0.4 * s)) / 0.5],
    );
}

lagrangian! {
    struct Axes { arm: robot = "robots/files/axes.urdf" }
    pub frame d = arm.d;
}

#[test]
fn axes_are_normalised_and_x_where_there_is_none() {
    let system = Axes::default();
    let q = vector![0.1, 0.2, 0.3, 0.5];
    let m = system.mass_matrix(&q);
    // About (1, 1, 0) / sqrt 2 of diag(1, 2, 3): 1.5.
    close(m.diagonal().iter().copied(), [1.0, 3.0, 1.5, 1.0]);
    close(system.d(&q).origin.iter().copied(), [0.3, 0.0, 0.4]);
}

lagrangian! {
    struct Floating { arm: robot = "robots/files/merged_turned.urdf", tau: input[6] }
    Q.arm = tau;
    Q.arm.float.rotation += [0, 0, 1];
    pub let place = arm.float.position;
    pub let rates = der(arm);
    pub let turning = der(arm.joint.float.rotation);
    frame copy = world.rotate(arm.float.rotation);
    pub let axis = copy.vector([1, 0, 0]);
}

#[test]
fn floating_joints_have_a_position_and_a_rotation() {
    let system = Floating::default();
    assert_eq!(Floating::COORDINATES[3], "arm.float.rotation.x");
    assert_eq!(Floating::VELOCITIES[3], "der(arm.float.rotation).x");
    let turned = UnitQuaternion::from_scaled_axis(Vector3::new(0.1, -0.2, 0.3));
    let c = turned.coords;
    let q = vector![1.0, 2.0, 3.0, c[0], c[1], c[2], c[3]];
    let v = vector![0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    close(system.place(&q).iter().copied(), [1.0, 2.0, 3.0]);
    close(system.rates(&q, &v).iter().copied(), v.iter().copied());
    close(system.turning(&q, &v).iter().copied(), [0.4, 0.5, 0.6]);
    close(
        system.axis(&q).iter().copied(),
        (turned * Vector3::x()).iter().copied(),
    );
    let u = vector![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    close(
        system.generalized_forces(&q, &v, &u).iter().copied(),
        [1.0, 2.0, 3.0, 4.0, 5.0, 7.0],
    );
    // Euler: I w' + w x I w = tau with diag(3, 3, 5).
    let a = system.acceleration(&q, &v, &u).unwrap();
    let (i, w) = (
        matrix![3.0, 0.0, 0.0; 0.0, 3.0, 0.0; 0.0, 0.0, 5.0],
        Vector3::new(0.4, 0.5, 0.6),
    );
    let expected = i.try_inverse().unwrap() * (Vector3::new(4.0, 5.0, 7.0) - w.cross(&(i * w)));
    close(
        a.fixed_rows::<3>(3).iter().copied(),
        expected.iter().copied(),
    );
}

lagrangian! {
    struct Inside { arm: robot = "robots/files/floating_inside.urdf", tau: input[8] }
    gravity [0, 0, -10];
    Q.arm = tau;
    Q.arm[1] += 0.5;
    pub let rates = der(arm);
    pub frame camera = arm.camera;
}

// The same, written out in the order of the file.
lagrangian! {
    struct Written {
        pan: coordinate, p: coordinate[3], r: rotation, turn: coordinate,
        tau: input[8],
    }
    gravity [0, 0, -10];
    frame table = world.rotate(y, turn);
    body {
        frame: table, mass: 3, at: [0.2, 0, 0.1],
        inertia: [[1, 0.1, 0], [0.1, 2, 0.2], [0, 0.2, 2.5]],
    }
    frame foot = table.translate([0, 0, 1]).rotate(z, 0.7).rotate(y, -0.4).rotate(x, 0.2);
    frame drone = foot.translate(p).rotate(r);
    frame axes = drone.translate([0, 0, 0.05]).rotate(z, 0.3).rotate(y, 0.2).rotate(x, 0.1);
    body { frame: axes, mass: 1.5, inertia: diag(0.2, 0.3, 0.4) }
    pub frame camera = drone.translate([0.1, 0, 0]).rotate(y, 0.5).rotate(z, pan);
    body { frame: camera, mass: 0.5, inertia: diag(0.02, 0.03, 0.04) }
    Q.pan = tau[0];
    Q.p = tau[1..4] + [0.5, 0, 0];
    Q.r = tau[4..7];
    Q.turn = tau[7];
}

#[test]
fn floating_joints_may_be_inside() {
    let (system, written) = (Inside::default(), Written::default());
    assert_eq!(
        Inside::COORDINATES,
        [
            "arm.pan",
            "arm.flight.position[0]",
            "arm.flight.position[1]",
            "arm.flight.position[2]",
            "arm.flight.rotation.x",
            "arm.flight.rotation.y",
            "arm.flight.rotation.z",
            "arm.flight.rotation.w",
            "arm.turn"
        ]
    );
    assert_eq!(
        Inside::ARM.map(|joint| joint.name),
        ["pan", "flight", "turn"]
    );
    let c = UnitQuaternion::from_scaled_axis(Vector3::new(0.4, -0.2, 0.9)).coords;
    let q = vector![0.3, 0.1, -0.2, 0.6, c[0], c[1], c[2], c[3], 0.8];
    let v = vector![0.5, -0.4, 0.3, 0.2, 0.7, -0.6, 0.1, 0.9];
    let u = vector![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    close(system.rates(&q, &v).iter().copied(), v.iter().copied());
    close(
        system.mass_matrix(&q).iter().copied(),
        written.mass_matrix(&q).iter().copied(),
    );
    close(
        system.forcing(&q, &v, &u).iter().copied(),
        written.forcing(&q, &v, &u).iter().copied(),
    );
    close(
        system.camera(&q).rotation.iter().copied(),
        written.camera(&q).rotation.iter().copied(),
    );
    close(
        system.camera(&q).origin.iter().copied(),
        written.camera(&q).origin.iter().copied(),
    );
}
