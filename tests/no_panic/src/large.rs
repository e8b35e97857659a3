//! Systems whose code is long: the solution of the one is written out, that of the other is a loop.

use super::*;
use chain::pendulum_chain;
use lagrangian::lagrangian;
use long_chain::LongChain;
use scissor::scissor;

pendulum_chain! {
    pub struct Chain5 { q1 m1 l1, q2 m2 l2, q3 m3 l3, q4 m4 l4, q5 m5 l5 }
}

lagrangian! {
    /// M singular at every state, and many constraints: a body whose attitude is a rotation matrix.
    pub struct Attitude { R: coordinate[3, 3], i: parameter[3] = [1, 2, 3] }

    body { frame: world.orient(R), inertia: diag(i) }
    holonomic rigid: transpose(R) * R = identity(3);
}

// So many constraints that a step of refinement is in line.
scissor! { pub struct Linked of 2 }

lagrangian! {
    /// A bundle with a factorisation that is a loop, and one whose acceleration is a call.
    pub struct Looped { q: coordinate[24], m: parameter }

    T = m * der(sum(i in 0..24, q[i]))^2 / 2 + m * der(q)^2 / 2;
    bundle step { acceleration_unchecked, energy }
}

lagrangian! {
    /// Its velocities are eliminated from T, with a constraint, and none of the matrices is returned.
    pub struct Held {
        q: coordinate[12],
        m, l, g: parameter,
    }

    let mut r = [0, 0];
    for i in 0..12 {
        r += l * [sin(q[i]), -cos(q[i])];
        T += m * der(r)^2 / 2;
        V += m * g * r.y;
    }
    holonomic height: r.y + l = 0;
}

lagrangian! {
    /// So large that matrices are written in place.
    pub struct Placed { q: coordinate[40], m: parameter }

    T = m * der(sum(i in 0..40, q[i]))^2 / 2 + m * der(q)^2 / 2;
    bundle step { acceleration_unchecked, energy }
}

every_method! { chain5, Chain5<f64>, natural, [f64, 5, 0, 0], [] [] }
every_method! { long_chain_methods, LongChain<f64>, natural, [f64, 24, 0, 0], [] [] }
every_method! { looped_methods, Looped<f64>, natural, [f64, 24, 0, 0], [] [] }
every_method! { held_methods, Held<f64>, natural constrained 1, [f64, 12, 0, 1], [] [] }
every_method! { linked, Linked<f64>, natural constrained 11, [f64, 12, 0, 11], [] [] }
every_method! { attitude, Attitude<f64>, natural constrained 6, [f64, 9, 0, 6], [] [] }

of_trait! { attitude_trait, Attitude<f64>, [f64, 9, 0, 6] }
of_trait! { attitude_baumgarte, Baumgarte<'_, f64, Attitude<f64>>, [f64, 9, 0, 6] }

functions! { long_chain_f32, LongChain<f32>:
    acceleration(q: &Vector<f32, 24>, v: &Vector<f32, 24>) -> Result<Vector<f32, 24>, Error>;
    rhs(t: f32, y: &[f32; 48], dy: &mut [f32; 48]) -> Result<(), Error>;
}

pub mod bundles {
    use super::*;
    functions! { looped, Looped<f64>:
        step(q: &Vector<f64, 24>, v: &Vector<f64, 24>) -> LoopedStep<f64>;
    }
    functions! { placed, Placed<f64>:
        step(q: &Vector<f64, 40>, v: &Vector<f64, 40>) -> PlacedStep<f64>;
    }
}
