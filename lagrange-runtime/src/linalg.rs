//! Solves of symmetric systems of fixed size, for generated code.
//!
//! Matrices are arrays of rows. A solve reads only the lower triangle with the diagonal. `N` is the size.
//!
//! | function | M | cost | failure |
//! | --- | --- | --- | --- |
//! | [`solve_in_place`] | symmetric, regular | about N³/6 multiplications by L D Lᵀ; up to N³/2 if that fails | [`Error`] |
//!
//! L D Lᵀ without pivoting serves a positive definite M whose condition is below about 1e8. For several right-hand sides
//! factor once, by [`Kkt`] without constraints.
//!
//! # With constraints
//!
//! `C` is the number of constraints, the equations are `M a = f + Jᵀ λ`, `J a = γ`.
//!
//! | function | M | failure |
//! | --- | --- | --- |
//! | [`kkt`], [`Kkt`] | symmetric; `[M -Jᵀ; J 0]` regular | [`Error`] |
//! | [`kkt_unchecked_in_place`] | the same; serves lanes | result not finite |
//! | [`redundant_in_place`], [`Redundant`] | symmetric; rows of J may depend on each other | [`Error`] |
//!
//! [`kkt_in_place`] takes less memory than [`kkt`]. [`differentiate`] solves for the derivatives of a and λ. If generated code has factored the matrix itself, it calls [`differentiate_by_factors`] or
//! [`differentiate_with_constraints`].
//!
//! Generated code may itself factor `[M Jᵀ; J 0]` as L D Lᵀ without pivoting, in any order in which a constraint
//! follows its coordinates. The pivots of the coordinates are those of M. The negated pivot of constraint k is a pivot
//! of J M⁻¹ Jᵀ. Its diagonal entry is the negated value at this place before another constraint is subtracted. If the
//! [`AcceptanceTest`] rejects the solution, it calls [`kkt_in_place`]. This test rejects solutions in which a light
//! coordinate carries a force. M a = f + Jᵀ λ holds by construction, because a is computed from the sum on the right as
//! a whole: f alone may be much larger.

mod acceptance_test;
mod binary;
mod bordered;
mod bunch_parlett;
mod by_parameters;
mod columns;
mod complete_lu;
mod factors;
mod finite;
mod householder_qr;
mod kkt;
mod kkt_residual;
mod lanes;
mod ldlt;
mod multi_rhs;
mod null_space;
mod out_parameters;
mod rank;
mod reacting;
mod reacting_lanes;
mod reduced;
mod redundant;
mod refinement;
mod scaled_lu;
mod scaling;
mod schur;
mod significant;
mod sums;
mod tolerances;
mod values;
mod vectors;

pub use acceptance_test::{AcceptanceTest, Pivots};
pub use bordered::Bordered;
pub use by_parameters::{by_parameters, by_parameters_reacting, by_parameters_redundant};
pub use columns::{
    differentiate, differentiate_by_factors, differentiate_by_factors_unchecked,
    differentiate_redundant, weighted,
};
pub(crate) use complete_lu::{exchange, inverse};
pub use factors::{
    Factors, differentiate_with_constraints, differentiate_with_constraints_unchecked,
};
pub use finite::{all_finite, are_finite, blame, check_finite, first_not_finite};
pub(crate) use kkt::kkt_of_significant;
pub use kkt::{Kkt, kkt, kkt_in_place};
pub use lanes::{differentiate_unchecked, kkt_unchecked_in_place};
pub use out_parameters::{matrix_by, mirror};
pub use reacting::{
    Reacting, differentiate_reacting, first_columns, parted_columns, reacting, reactions,
};
pub use reacting_lanes::{differentiate_reacting_unchecked, reacting_unchecked};
pub use reduced::reduced;
pub use redundant::{Redundant, are_clear, independent_in_place, is_clear, redundant_in_place};
pub(crate) use redundant::{reacting_redundant, row_sizes, rows_that_are_none};
pub use refinement::all_met;
pub(crate) use scaled_lu::SaddleLu;
pub(crate) use significant::MULTIPLE;
pub use significant::{limits, significant};
pub(crate) use tolerances::dependent_share;
pub use tolerances::{are_regular, met, regular, regular_lanes};
pub(crate) use values::product;
pub use values::{matrix, vector};
pub(crate) use vectors::dot;

use nalgebra::RealField;

use crate::Error;
use out_parameters::diagonal_of;

/// Solves `M x = b` for any regular symmetric M, definite or not, well scaled or not: by L D Lᵀ without pivoting if all
/// pivots are [`regular`], otherwise with complete pivoting and refinement like [`Kkt`], with its accuracy. It works in
/// the memory of M: it overwrites the entries above the diagonal, and only reads the others.
///
/// # Errors
///
/// The errors of [`kkt`] without constraints.
///
/// ```
/// use lagrange_runtime::{Error, linalg::solve_in_place};
///
/// assert_eq!(solve_in_place(&mut [[4.0, 2.0], [2.0, 2.0]], &[8.0, 6.0]), Ok([1.0, 2.0]));
/// assert_eq!(solve_in_place(&mut [[0.0, 1.0], [1.0, 0.0]], &[3.0, 5.0]), Ok([5.0, 3.0]));
/// let mut singular = [[1.0, 1.0], [1.0, 1.0]];
/// assert_eq!(solve_in_place(&mut singular, &[1.0, 1.0]), Err(Error::SingularMassMatrix));
/// ```
#[inline(never)]
pub fn solve_in_place<S: RealField + Copy, const N: usize>(
    m: &mut [[S; N]; N],
    b: &[S; N],
) -> Result<[S; N], Error> {
    let diagonal = diagonal_of(m);
    let pivots = ldlt::factor_lower(m);
    if are_regular(&pivots, &diagonal) {
        let mut x = *b;
        ldlt::solve(m, &pivots, &mut x);
        if all_finite(&x) {
            return Ok(x);
        }
    }
    let (x, []) = kkt_in_place(m, &[], b, &[])?;
    Ok(x)
}
