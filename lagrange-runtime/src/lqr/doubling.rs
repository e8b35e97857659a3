//! The structure-preserving doubling algorithm for discrete Riccati equations, and the transformation of continuous
//! ones.

use nalgebra::RealField;

use super::matrices::{
    Square, identity, norm, product, sum, symmetric, transposed, transposed_product,
};
use crate::{linalg::inverse, math::constant};

/// A, G and H of a symplectic pencil in standard form, that of `X = Aᵀ X (I + G X)⁻¹ A + H`.
pub(super) struct Pencil<S, const N: usize> {
    pub(super) a: Square<S, N>,
    pub(super) g: Square<S, N>,
    pub(super) h: Square<S, N>,
}

/// Each step squares the closed loop. This many steps are enough for a loop that decays by a part in 1/eps.
const STEPS: usize = 64;

impl<S: RealField + Copy, const N: usize> Pencil<S, N> {
    /// The pencil of `Aᵀ X + X A - X G X + H = 0`, by a Cayley transform of its Hamiltonian matrix. All eigenvalues of A
    /// are within the shift.
    pub(super) fn cayley(self) -> Option<Self> {
        let Self { a, g, h } = self;
        let size = norm(&a);
        let double = if size > S::zero() {
            constant::<S>(4.0) * size
        } else {
            S::one()
        };
        let shifted = sum(a, -double / constant(2.0), &identity());
        let inverted = inverse(shifted)?;
        let by_input = product(&g, &transposed_product(&inverted, &h));
        let middle = inverse(sum(shifted, S::one(), &by_input))?;
        let middle = middle.map(|row| row.map(|entry| entry * double));
        Some(Self {
            a: sum(identity(), S::one(), &middle),
            g: symmetric(product(&product(&inverted, &g), &transposed(&middle))),
            h: symmetric(transposed_product(&middle, &product(&h, &inverted))),
        })
    }

    /// The solution X, and the number of steps; `None` if its closed loop does not decay.
    pub(super) fn solve(self) -> Option<(Square<S, N>, usize)> {
        let Self {
            mut a,
            mut g,
            mut h,
        } = self;
        for count in 0..STEPS {
            let size = norm(&a);
            let inverted = inverse(sum(identity(), S::one(), &product(&g, &h)))?;
            let moved = product(&inverted, &a);
            h = symmetric(sum(
                h,
                S::one(),
                &transposed_product(&a, &product(&h, &moved)),
            ));
            // The next step would add less than rounding.
            if size * size <= S::default_epsilon() {
                return Some((h, count));
            }
            let reached = product(&a, &product(&inverted, &g));
            g = symmetric(sum(g, S::one(), &product(&reached, &transposed(&a))));
            a = product(&a, &moved);
        }
        None
    }
}
