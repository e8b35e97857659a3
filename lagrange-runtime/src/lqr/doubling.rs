//! The structure-preserving doubling algorithm for discrete Riccati equations, and the transformation of continuous
//! ones.

use nalgebra::RealField;

use super::matrices::{
    Square, identity, norm, product, sum, symmetric, transposed, transposed_product,
};
use crate::{linalg::inverse, math::constant};

/// I - A, G and H of a symplectic pencil in standard form, that of `X = Aᵀ X (I + G X)⁻¹ A + H`.
///
/// Rounding of A would hide slow motions next to fast ones, of which I - A is small.
pub(super) struct Pencil<S, const N: usize> {
    pub(super) decay: Square<S, N>,
    pub(super) g: Square<S, N>,
    pub(super) h: Square<S, N>,
}

/// Each step squares the closed loop. This many steps are enough for a loop that decays by a part in 1/eps².
const STEPS: usize = 128;

impl<S: RealField + Copy, const N: usize> Pencil<S, N> {
    /// The pencil of `Aᵀ X + X A - X G X + H = 0`, by a Cayley transform of its Hamiltonian matrix. All eigenvalues of A
    /// are within the shift.
    pub(super) fn cayley(a: Square<S, N>, g: Square<S, N>, h: Square<S, N>) -> Option<Self> {
        let size = a
            .iter()
            .fold(S::zero(), |most, row| most.max(norm(&[*row])));
        let double = if size > S::zero() {
            constant::<S>(4.0) * size
        } else {
            S::one()
        };
        let shifted = sum(a, -double / constant(2.0), &identity());
        let inverted = inverse(shifted)?;
        let by_input = product(&g, &transposed_product(&inverted, &h));
        let middle = inverse(sum(shifted, S::one(), &by_input))?;
        let scaled = |factor: S| middle.map(|row| row.map(|entry| entry * factor));
        let decay = product(&scaled(constant(2.0)), &sum(a, S::one(), &by_input));
        let middle = scaled(double);
        Some(Self {
            decay,
            g: symmetric(product(&product(&inverted, &g), &transposed(&middle))),
            h: symmetric(transposed_product(&middle, &product(&h, &inverted))),
        })
    }

    /// The solution X, and the number of steps; `None` if its closed loop does not decay.
    pub(super) fn solve(self) -> Option<(Square<S, N>, usize)> {
        let Self {
            mut decay,
            mut g,
            mut h,
        } = self;
        for count in 0..STEPS {
            let a = sum(identity(), -S::one(), &decay);
            let size = norm(&a);
            let by_cost = product(&g, &h);
            let inverted = inverse(sum(identity(), S::one(), &by_cost))?;
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
            // I - A (I + G H)⁻¹ A
            let twice = sum(decay, S::one(), &product(&a, &decay));
            decay = sum(twice, S::one(), &product(&a, &product(&by_cost, &moved)));
        }
        None
    }
}
