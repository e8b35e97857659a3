//! A pendulum of 24 links, so many that its velocities are eliminated from T link by link, where the mass matrix of
//! a shorter one is factored.

use crate::chain::pendulum_chain;

pendulum_chain! {
    pub struct LongChain {
        q1 m1 l1, q2 m2 l2, q3 m3 l3, q4 m4 l4, q5 m5 l5, q6 m6 l6,
        q7 m7 l7, q8 m8 l8, q9 m9 l9, q10 m10 l10, q11 m11 l11, q12 m12 l12,
        q13 m13 l13, q14 m14 l14, q15 m15 l15, q16 m16 l16, q17 m17 l17, q18 m18 l18,
        q19 m19 l19, q20 m20 l20, q21 m21 l21, q22 m22 l22, q23 m23 l23, q24 m24 l24,
    }
}
