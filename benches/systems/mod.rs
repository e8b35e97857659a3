//! The measured systems, and states for their evaluation.

#[path = "../../tests/shared/chain.rs"]
mod chain;
#[allow(dead_code, reason = "each bench measures some")]
pub(crate) mod constrained;

use std::hint::black_box;

use chain::pendulum_chain;
use lagrangian::nalgebra::SVector;
use lagrangian::{Error, System, lagrangian};

lagrangian! {
    /// A cart that carries an inverted pendulum.
    #[derive(Clone, Debug)]
    pub(crate) struct CartPole {
        x, theta: coordinate,
        m_c, m_p, l: parameter = 1,
        g: parameter = 9.81,
        u: input,
    }

    let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
}

pendulum_chain! {
    pub(crate) struct Chain2 { q1 m1 l1, q2 m2 l2 }
}

pendulum_chain! {
    pub(crate) struct Chain5 { q1 m1 l1, q2 m2 l2, q3 m3 l3, q4 m4 l4, q5 m5 l5 }
}

pendulum_chain! {
    pub(crate) struct Chain10 {
        q1 m1 l1, q2 m2 l2, q3 m3 l3, q4 m4 l4, q5 m5 l5,
        q6 m6 l6, q7 m7 l7, q8 m8 l8, q9 m9 l9, q10 m10 l10,
    }
}

pendulum_chain! {
    pub(crate) struct Chain20 {
        q1 m1 l1, q2 m2 l2, q3 m3 l3, q4 m4 l4, q5 m5 l5,
        q6 m6 l6, q7 m7 l7, q8 m8 l8, q9 m9 l9, q10 m10 l10,
        q11 m11 l11, q12 m12 l12, q13 m13 l13, q14 m14 l14, q15 m15 l15,
        q16 m16 l16, q17 m17 l17, q18 m18 l18, q19 m19 l19, q20 m20 l20,
    }
}

/// Coordinates, velocities and inputs.
pub(crate) type State<const N: usize, const K: usize> =
    (SVector<f64, N>, SVector<f64, N>, SVector<f64, K>);

/// Enough states that the branch predictor cannot learn them, and few enough to stay in the cache.
const STATES: usize = 64;

/// States with angles in (-pi, pi) and rates in (-2, 2), the same in every run.
pub(crate) fn states<const N: usize, const K: usize>() -> Vec<State<N, K>> {
    let mut seed = 1_u64;
    let mut uniform = move |bound: f64| {
        // Knuth's MMIX generator.
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        bound * ((seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
    };
    let mut state = || {
        (
            SVector::from_fn(|_, _| uniform(std::f64::consts::PI)),
            SVector::from_fn(|_, _| uniform(2.0)),
            SVector::from_fn(|_, _| uniform(2.0)),
        )
    };
    std::iter::repeat_with(&mut state).take(STATES).collect()
}

/// The acceleration, called as a function that the compiler does not see through.
#[inline(never)]
pub(crate) fn acceleration<M, const N: usize, const K: usize>(
    system: &M,
    (q, v, u): &State<N, K>,
) -> Result<SVector<f64, N>, Error>
where
    M: System<f64, N, N, K, 0>,
{
    black_box(system).acceleration(0.0, q, v, u)
}
