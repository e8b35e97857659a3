//! A bicycle in a steady turn.

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Free, System, lagrangian, rk4_step, trim};

lagrangian! {
    /// Two wheels, a frame with a rider, and a fork: the benchmark of Meijaard, Papadopoulos, Ruina and Schwab
    /// (*Proc. R. Soc. A* 463, 2007). x ahead, y to the right, z down; nominal lengths from the rear contact.
    struct Bicycle {
        /// The centre of the rear wheel.
        p: coordinate[3],
        yaw, lean, pitch, steer, rear, front: coordinate,
        w: parameter = 1.02,
        c: parameter = 0.08,
        tilt: parameter = pi / 10,
        g: parameter = 9.81,
        rr: parameter = 0.3,
        rf: parameter = 0.35,
        /// On the fork, against the frame.
        torque: input,
    }

    frame Leaning = world.translate(p).rotate(z, yaw).rotate(x, lean);
    frame Frame = Leaning.rotate(y, pitch);
    frame RearWheel = Frame.rotate(y, rear);
    frame Head = Frame.translate([w + c, 0, rr]).rotate(y, tilt);
    frame Fork = Head.rotate(z, steer).rotate(y, -tilt);
    frame FrontHub = Fork.translate([-c, 0, -rf]);
    frame FrontWheel = FrontHub.rotate(y, front);

    body rider { frame: Frame, mass: 85, at: [0.3, 0, -0.9 + rr], inertia: [[9.2, 0, 2.4], [0, 11, 0], [2.4, 0, 2.8]] }
    body fork {
        frame: Fork,
        mass: 4,
        at: [0.9 - w - c, 0, -0.7],
        inertia: [[0.05892, 0, -0.00756], [0, 0.06, 0], [-0.00756, 0, 0.00708]],
    }
    body rear_wheel { frame: RearWheel, mass: 2, inertia: diag(0.0603, 0.12, 0.0603) }
    body front_wheel { frame: FrontWheel, mass: 3, inertia: diag(0.1405, 0.28, 0.1405) }
    gravity [0, 0, g];
    Q.steer = torque;

    // From the centre of each wheel to the ground: down in its plane.
    let rear_axle = Leaning.vector([0, 1, 0]);
    let front_axle = Fork.vector([0, 1, 0]);
    let rear_level = sqrt(1 - rear_axle.z^2);
    let front_level = sqrt(1 - front_axle.z^2);
    let rear_down = ([0, 0, 1] - rear_axle.z * rear_axle) * rr / rear_level;
    let front_down = ([0, 0, 1] - front_axle.z * front_axle) * rf / front_level;
    holonomic rear_touches: p.z + rr * rear_level = 0;
    holonomic front_touches: FrontHub.origin.z + rf * front_level = 0;
    let rear_slip = velocity(RearWheel) + cross(angular_velocity(RearWheel), rear_down);
    let front_slip = velocity(FrontWheel) + cross(angular_velocity(FrontWheel), front_down);
    nonholonomic rear_rolls: [rear_slip.x, rear_slip.y] = [0, 0];
    nonholonomic front_rolls: [front_slip.x, front_slip.y] = [0, 0];
}

type Vector<const N: usize> = SVector<f64, N>;

/// To the right at 5 m/s with 1.5 m/s^2: it leans into the turn, steers, and goes on so.
#[test]
fn steady_turn() {
    let bicycle = Bicycle::<f64>::default();
    let (speed, across) = (5.0, 1.5);
    let q = vector![0.0, 0.0, -0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let mut v = Vector::<9>::zeros();
    v[0] = speed;
    v[7] = -speed / 0.3;
    v[8] = -speed / 0.35;
    let mut target = Vector::<9>::zeros();
    target[1] = across;
    let free = Free {
        q: [false, false, true, false, true, true, true, false, false],
        v: [false, true, false, true, false, false, false, true, true],
        u: [true],
    };
    let start = (q, v, vector![0.0]);
    let (q, v, u) = trim(&bicycle, 0.0, start, &free, target).unwrap();
    let a = bicycle.acceleration(&q, &v, &u).unwrap();
    assert!((a - target).amax() < 1e-9, "{a}");
    assert!(bicycle.constraint_residual(&q).amax() < 1e-13);
    assert!(bicycle.constraint_velocity(&q, &v).amax() < 1e-12);
    assert_eq!((v[0], v[4], v[5], v[6]), (speed, 0.0, 0.0, 0.0));
    assert!((v[3] - across / speed).abs() < 1e-9, "yaw rate {}", v[3]);
    // Nearly the lean of a pendulum: the spin of the wheels adds to it, the smaller circle of the rider reduces it.
    let pendulum = (across / 9.81_f64).atan();
    assert!(
        (q[4] / pendulum - 1.0).abs() < 0.01,
        "lean {} {pendulum}",
        q[4]
    );
    assert!(q[6] > 0.05 && q[6] < 0.12, "steer {}", q[6]);

    // A second later lean, steer and the rates are unchanged.
    let (mut later, mut rates) = (q, v);
    let h = 1e-3;
    for _ in 0..1000 {
        (later, rates) = rk4_step(&bicycle, 0.0, &later, &rates, &u, h).unwrap();
        (later, rates) = System::project(&bicycle, 0.0, &later, &rates, &u).unwrap();
    }
    assert!((later[4] - q[4]).abs() < 1e-8 && (later[6] - q[6]).abs() < 1e-8);
    assert!((rates[3] - v[3]).abs() < 1e-8 && (later[3] - v[3]).abs() < 1e-8);
}
