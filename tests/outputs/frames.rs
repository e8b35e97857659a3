//! Frames that are outputs: their motion against that of their poses.

use lagrangian::nalgebra::{Matrix3, SMatrix, SVector, Vector3, matrix, vector};
use lagrangian::{Pose, lagrangian};
use num_dual::Dual64;

use crate::craft::{Craft, Q, State, V, states};
use crate::support::{assert_close, step};

const TOLERANCE: f64 = 1e-11;

type Twist = SVector<f64, 6>;

fn stacked(velocity: Vector3<f64>, spin: Vector3<f64>) -> Twist {
    vector![velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z]
}

/// dp/dt, and w of dR/dt = [w] R.
fn twist(pose: &Pose<Dual64>) -> Twist {
    let rate = pose.rotation.map(|entry| entry.eps);
    let rotation: Matrix3<f64> = pose.rotation.map(|entry| entry.re);
    let skew = rate * rotation.transpose();
    let spin = vector![skew[(2, 1)], skew[(0, 2)], skew[(1, 0)]];
    stacked(pose.origin.map(|entry| entry.eps), spin)
}

/// Time, coordinates and velocities of a state a time eps later, at accelerations a.
fn later(state: &State, v: &V<f64>, a: &V<f64>, time: f64) -> (Dual64, Q<Dual64>, V<Dual64>) {
    let craft = dual();
    let q = state.q.map(Dual64::from_re);
    let d = v.map(|v| Dual64::new(0.0, v));
    let v = V::from_fn(|i, _| Dual64::new(state.v[i], a[i]));
    (Dual64::new(state.t, time), craft.integrate(&q, &d), v)
}

fn dual() -> Craft<Dual64> {
    Craft {
        l: Dual64::from_re(0.7),
        w: Dual64::from_re(1.3),
    }
}

/// Outputs that depend on time and coordinates, and on velocities too.
type OfPosition<'a, S, R> = dyn Fn(S, &Q<S>) -> R + 'a;
type OfMotion<'a, S> = dyn Fn(S, &Q<S>, &V<S>) -> SVector<S, 6> + 'a;

/// The methods of one frame.
struct Methods<'a> {
    pose: &'a OfPosition<'a, Dual64, Pose<Dual64>>,
    velocity: &'a OfMotion<'a, f64>,
    dual_velocity: &'a OfMotion<'a, Dual64>,
    jacobian: &'a OfPosition<'a, f64, SMatrix<f64, 6, 6>>,
    bias: &'a OfMotion<'a, f64>,
}

fn check(what: &str, methods: &Methods<'_>) {
    for state in states() {
        let State { t, q, v, a, .. } = &state;
        let (t_later, q_later, v_later) = later(&state, v, a, 1.0);
        let expected = twist(&(methods.pose)(t_later, &q_later));
        let velocity = (methods.velocity)(*t, q, v);
        assert_close(what, &velocity, &expected, TOLERANCE);
        // The error of a pose begins to grow by the velocity.
        let here = (methods.pose)(Dual64::from_re(*t), &q.map(Dual64::from_re));
        let error = here.error_to(&(methods.pose)(t_later, &q_later));
        assert_close(what, &error.map(|entry| entry.eps), &velocity, TOLERANCE);
        let jacobian = (methods.jacobian)(*t, q);
        for j in 0..6 {
            let (_, q_moved, _) = later(&state, &V::ith(j, 1.0), a, 0.0);
            let column = twist(&(methods.pose)(Dual64::from_re(*t), &q_moved));
            let found = jacobian.column(j).into_owned();
            assert_close(&format!("{what}, column {j}"), &found, &column, TOLERANCE);
        }
        let rate = (methods.dual_velocity)(t_later, &q_later, &v_later);
        let found = jacobian * a + (methods.bias)(*t, q, v);
        assert_close(what, &found, &rate.map(|entry| entry.eps), TOLERANCE);
    }
}

#[test]
fn velocities_jacobians_and_biases_are_those_of_the_pose() {
    let (craft, dual) = (Craft { l: 0.7, w: 1.3 }, dual());
    check(
        "hand",
        &Methods {
            pose: &|t, q| dual.hand(t, q),
            velocity: &|t, q, v| craft.hand_velocity(t, q, v),
            dual_velocity: &|t, q, v| dual.hand_velocity(t, q, v),
            jacobian: &|t, q| craft.hand_jacobian(t, q),
            bias: &|t, q, v| craft.hand_bias(t, q, v),
        },
    );
    check(
        "tool",
        &Methods {
            pose: &|t, q| dual.tool(t, q),
            velocity: &|t, q, v| craft.tool_velocity(t, q, v),
            dual_velocity: &|t, q, v| dual.tool_velocity(t, q, v),
            jacobian: &|t, q| craft.tool_jacobian(t, q),
            bias: &|t, q, v| craft.tool_bias(t, q, v),
        },
    );
}

/// A frame that nothing moves has a pose and zeros; outputs that read frames say the same.
#[test]
fn poses_are_what_is_read_of_frames() {
    let craft = Craft { l: 0.7, w: 1.3 };
    for State { t, q, v, .. } in states() {
        let ground = craft.ground(t, &q);
        assert_eq!(ground.origin, Vector3::zeros());
        assert_eq!(ground.rotation, Matrix3::identity());
        assert_eq!(craft.ground_velocity(t, &q, &v), Twist::zeros());
        assert_eq!(craft.ground_jacobian(t, &q), SMatrix::<f64, 6, 6>::zeros());
        assert_eq!(craft.ground_bias(t, &q, &v), Twist::zeros());
        let hand = craft.hand(t, &q);
        let tip = hand.origin + hand.rotation * vector![0.1, 0.2, 0.3];
        assert_close("tip", &craft.tip(t, &q), &tip, 1e-14);
        assert_close(
            "axes",
            &craft.turn(t, &q),
            &craft.tool(t, &q).rotation,
            1e-14,
        );
        let spin = craft
            .hand_velocity(t, &q, &v)
            .fixed_rows::<3>(3)
            .into_owned();
        assert_close("spin", &craft.spin(t, &q, &v), &spin, 1e-13);
        let lever = hand.rotation * vector![0.1, 0.2, 0.3];
        let velocity = craft.hand_velocity(t, &q, &v).fixed_rows::<3>(0) + spin.cross(&lever);
        assert_close("tip", &craft.tip_rate(t, &q, &v), &velocity, 1e-12);
    }
}

/// Two links in the plane, by angles from the link before, and by angles from the world.
macro_rules! planar {
    ($name:ident, $second:expr) => {
        lagrangian! {
            struct $name { a, b: coordinate, l: parameter[2] = [0.8, 0.5], m: parameter = 1 }
            frame Upper = world.rotate(z, a);
            frame Elbow = Upper.translate([l[0], 0, 0]);
            pub frame hand = Elbow.rotate(z, $second).translate([l[1], 0, 0]);
            body { frame: Elbow, mass: m }
            body { frame: hand, mass: m }
            gravity [0, -9.81, 0];
        }
    };
}
planar!(Relative, b);
planar!(Absolute, b - a);

#[test]
fn planar_arms_by_hand() {
    let (relative, absolute) = (Relative::<f64>::default(), Absolute::<f64>::default());
    let (a, b, va, vb) = (0.4_f64, -1.1_f64, 1.7, -0.6);
    // Angles and rates from the world.
    let (s, w) = (a + b, va + vb);
    let first = vector![0.8 * a.cos(), 0.8 * a.sin()];
    let second = vector![0.5 * s.cos(), 0.5 * s.sin()];
    let by_world = matrix![
        -first.y, -second.y;
        first.x, second.x;
        0.0, 0.0; 0.0, 0.0; 0.0, 0.0;
        0.0, 1.0
    ];
    let by_joints = by_world * matrix![1.0, 0.0; 1.0, 1.0];
    let inward = -(first * va * va + second * w * w);
    let bias = vector![inward.x, inward.y, 0.0, 0.0, 0.0, 0.0];
    let origin = first + second;
    let turn = Matrix3::new(
        s.cos(),
        -s.sin(),
        0.0, //
        s.sin(),
        s.cos(),
        0.0, //
        0.0,
        0.0,
        1.0,
    );
    let check = |pose: Pose<f64>, velocity: Twist, jacobian: SMatrix<f64, 6, 2>, found: Twist| {
        assert_close("velocity", &velocity, &(by_world * vector![va, w]), 1e-14);
        assert_close("bias", &found, &bias, 1e-14);
        assert_close(
            "origin",
            &pose.origin,
            &vector![origin.x, origin.y, 0.0],
            1e-15,
        );
        assert_close("axes", &pose.rotation, &turn, 1e-15);
        jacobian
    };
    let (q, v) = (vector![a, b], vector![va, vb]);
    let jacobian = check(
        relative.hand(&q),
        relative.hand_velocity(&q, &v),
        relative.hand_jacobian(&q),
        relative.hand_bias(&q, &v),
    );
    assert_close("J", &jacobian, &by_joints, 1e-15);
    let (q, v) = (vector![a, s], vector![va, w]);
    let jacobian = check(
        absolute.hand(&q),
        absolute.hand_velocity(&q, &v),
        absolute.hand_jacobian(&q),
        absolute.hand_bias(&q, &v),
    );
    assert_close("J", &jacobian, &by_world, 1e-15);
}

lagrangian! {
    /// A free body with a boom, in free flight.
    #[derive(Clone, Copy)]
    struct Boom { p: coordinate[3], att: rotation, angle: coordinate, m: parameter = 1.5 }

    frame Trunk = world.translate(p).rotate(att);
    pub frame end = Trunk.translate([0.3, 0, 0]).rotate(y, angle).translate([0, 0, 0.4]);
    body { frame: Trunk, mass: m, inertia: diag(0.2, 0.3, 0.25) }
    body { frame: end, mass: 0.3, inertia: diag(0.01, 0.02, 0.01) }
    gravity [0, 0, -9.81];
}

/// Along a motion that is integrated, the pose moves at the velocity, and that at J a + bias.
#[test]
fn an_integrated_motion_agrees() {
    let boom = Boom::<f64>::default();
    let h = 1e-3;
    let start = (
        vector![0.0, 0.1, 0.2, 0.1, 0.7, -0.5, 0.5, 0.6],
        vector![0.3, -0.2, 1.0, 2.0, -1.0, 0.5, 1.5],
    );
    let start = (boom.integrate(&start.0, &SVector::zeros()), start.1);
    let mut motion = vec![start];
    for _ in 0..200 {
        let last = motion[motion.len() - 1];
        motion.push(step(&boom, &[3], &last, &SVector::<f64, 0>::zeros(), h));
    }
    // Central differences of the fourth order.
    let slope = |of: &dyn Fn(usize) -> SVector<f64, 12>, at: usize| {
        (8.0 * (of(at + 1) - of(at - 1)) - (of(at + 2) - of(at - 2))) / (12.0 * h)
    };
    let poses = |at: usize| {
        let pose = boom.end(&motion[at].0);
        let entries = pose.origin.iter().chain(pose.rotation.iter());
        SVector::<f64, 12>::from_iterator(entries.copied())
    };
    let velocities = |at: usize| {
        let twist = boom.end_velocity(&motion[at].0, &motion[at].1);
        SVector::<f64, 12>::from_fn(|i, _| if i < 6 { twist[i] } else { 0.0 })
    };
    for at in (2..motion.len() - 2).step_by(14) {
        let (q, v) = &motion[at];
        let rate = slope(&poses, at);
        let rotation = boom.end(q).rotation;
        let turning = Matrix3::from_column_slice(&rate.as_slice()[3..]) * rotation.transpose();
        let spin = vector![turning[(2, 1)], turning[(0, 2)], turning[(1, 0)]];
        let expected = stacked(rate.fixed_rows::<3>(0).into_owned(), spin);
        assert_close("velocity", &boom.end_velocity(q, v), &expected, 1e-8);
        let a = boom.acceleration(q, v).unwrap();
        let found = boom.end_jacobian(q) * a + boom.end_bias(q, v);
        let expected = slope(&velocities, at).fixed_rows::<6>(0).into_owned();
        assert_close("J a + bias", &found, &expected, 1e-8);
    }
}
