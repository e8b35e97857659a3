//! A system with everything: time, a rotation, arrays, inputs, frames with rotations that the user wrote.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, vector};

use crate::support::Random;

lagrangian! {
    /// A craft with an arm, on a rail that heaves.
    #[derive(Clone, Copy, Debug)]
    pub struct Craft {
        t: time,
        x: coordinate,
        att: rotation,
        arm: coordinate[2],
        l: parameter = 0.7,
        w: parameter = 1.3,
        push: input,
        tau: input[2],
    }

    frame Base = world.translate([x, sin(w * t), 0.2 * x^2]).rotate(att);
    frame Mid = Base.translate([l, 0, 0.1]).rotate(z, arm[0]).rotate([1, 2, 2], w * t);
    /// The end of the arm.
    pub frame hand = Mid.translate([0, l, arm[1]]);
    /// The load that it holds, turned by a matrix that is a rotation by the user's word.
    pub(crate) frame tool = hand.orient([
        [cos(arm[1] * x), -sin(arm[1] * x), 0],
        [sin(arm[1] * x), cos(arm[1] * x), 0],
        [0, 0, 1],
    ]).translate([0.1, 0.2, l]);
    pub frame ground = world;

    body { frame: Base, mass: 2, at: [0.1, 0, 0.05], inertia: diag(0.3, 0.5, 0.4) }
    body { frame: tool, mass: 0.4, inertia: diag(0.03, 0.01, 0.02) }
    gravity [0, 0, -9.81];
    Q.x = push;
    Q.arm = tau;

    // Functions of q and t alone.
    pub let tip = hand.point([0.1, 0.2, 0.3]);
    #[hessian]
    pub let reach = norm(tip - [1, 2, 3 + t]);
    // Functions of neither.
    pub let sizes = [l, w, 2];
    // Functions of velocities, of inputs, of both; a matrix.
    pub let spin = angular_velocity(hand);
    pub let load = [push, push * tau[1] * x];
    pub let power = push * der(x) + dot(tau, der(arm)) + der(att).y * tip.z;
    pub let turn = tool.rotation;
    #[hessian]
    pub let cost = dot(tip, spin)^2 + exp(0.1 * push) * der(x)^2 * hand.rotation[0, 1]
        + tau[0] * tau[1]^2 * tip.x + sin(der(att).x * der(arm[0])) + push^2;
    #[hessian]
    pub let swing = der(arm[0])^2 * x * tip.y;
}

pub(crate) type Q<S> = SVector<S, 7>;
pub(crate) type V<S> = SVector<S, 6>;
pub(crate) type U<S> = SVector<S, 3>;

/// A time, coordinates, velocities, inputs, accelerations.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub(crate) t: f64,
    pub(crate) q: Q<f64>,
    pub(crate) v: V<f64>,
    pub(crate) u: U<f64>,
    pub(crate) a: V<f64>,
}

pub(crate) fn states() -> impl Iterator<Item = State> {
    let mut random = Random(0xC4AF);
    (0..12).map(move |_| {
        let att = random.quaternion();
        let [x, first, second] = random.vector::<3>().into();
        State {
            t: random.number(),
            q: vector![x, att.x, att.y, att.z, att.w, 2.0 * first, second],
            v: random.vector() * 2.0,
            u: random.vector() * 3.0,
            a: random.vector() * 4.0,
        }
    })
}
