//! LU factorisation of `[M -K; J 0]` with rows and columns in units of their entries.

use core::ops::Range;

use nalgebra::RealField;

use super::{
    binary::{exponent, scale_by},
    bordered::{Bordered, Parts, part, part_mut, scaled_parts, without_left_out},
    complete_lu::CompleteLu,
    kkt_residual::Pair,
    tolerances::{magnitude, tolerance},
};

/// The scales of the rows and of the columns, as exponents of two, and the order of the pivots. Scaled entries are about
/// 1, so that units do not matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScaledLu<const N: usize, const C: usize> {
    scales: Scales<N, C>,
    order: CompleteLu<N, C>,
}

/// The exponents of rows and columns.
pub(super) type Scales<const N: usize, const C: usize> = [Parts<i32, N, C>; 2];

impl<const N: usize, const C: usize> ScaledLu<N, C> {
    /// Replaces the matrix by its factors; `None` if a pivot is not above the limit for the largest scaled entry.
    pub(super) fn factor<S: RealField + Copy>(
        matrix: &mut Bordered<S, N, C>,
        scales: Scales<N, C>,
        limit: impl Fn(f64) -> f64,
    ) -> Option<Self> {
        let [of_rows, of_columns] = &scales;
        for i in 0..N + C {
            for j in 0..N + C {
                let scale = part(of_rows, i).zip(part(of_columns, j));
                if let (Some(entry), Some((row, column))) = (matrix.at(i, j), scale) {
                    *entry = scale_by(*entry, row.saturating_add(*column));
                }
            }
        }
        let order = CompleteLu::factor(matrix, limit)?;
        Some(Self { scales, order })
    }

    /// The solution of the equations with this right-hand side.
    pub(super) fn solve<S: RealField + Copy>(
        &self,
        factors: &Bordered<S, N, C>,
        right: &Pair<S, N, C>,
    ) -> Pair<S, N, C> {
        let [rows, columns] = &self.scales;
        let solution = self.order.solve(factors, &scaled_parts(right, rows));
        scaled_parts(&solution, columns)
    }
}

/// The factors of `[K -Aᵀ; B 0]`, where K need not be symmetric, nor A equal to B.
#[derive(Clone, Debug)]
pub(crate) struct SaddleLu<S, const N: usize, const C: usize> {
    factors: Bordered<S, N, C>,
    lu: ScaledLu<N, C>,
    left_out: [bool; C],
}

impl<S: RealField + Copy, const N: usize, const C: usize> SaddleLu<S, N, C> {
    /// Factors the matrix of K, A and B, all given by rows. The multiplier of a row that is `left_out` is 0, and its row
    /// of B need not hold. `None` if a pivot is only a rounding error beside the largest entry.
    pub(crate) fn factor(
        k: &[[S; N]; N],
        a: &[[S; N]; C],
        b: &[[S; N]; C],
        left_out: &[bool; C],
    ) -> Option<Self> {
        let mut factors = Bordered::zeros();
        factors.set(k, |i, c| a[c][i], b, left_out);
        let scales = equilibrate(&factors);
        let share = magnitude(tolerance::<S>(N + C));
        let lu = ScaledLu::factor(&mut factors, scales, |largest| share * largest)?;
        Some(Self {
            factors,
            lu,
            left_out: *left_out,
        })
    }

    /// The solution of the equations with this right-hand side.
    pub(crate) fn solve(&self, right: &Pair<S, N, C>) -> Pair<S, N, C> {
        let rates = without_left_out(&right.1, &self.left_out);
        self.lu.solve(&self.factors, &(right.0, rates))
    }
}

/// The scales of K, whose rows and columns are divided by the square roots of their largest entries, alternately. The
/// largest entries of A and B then give the scales of multipliers and constraints, and of rows and columns that are zero
/// in K. With scales from all entries, an A of 1 would make a K of 1e-16 a rounding error.
fn equilibrate<S: RealField + Copy, const N: usize, const C: usize>(
    matrix: &Bordered<S, N, C>,
) -> Scales<N, C> {
    let mut scales = [([0; N], [0; C]); 2];
    for _ in 0..3 {
        for axis in 0..2 {
            for i in 0..N {
                shift(matrix, &mut scales, (axis, i), 0..N, 1);
            }
        }
    }
    for _ in 0..3 {
        for i in 0..N {
            for axis in 0..2 {
                if largest(matrix, &scales, (axis, i), 0..N).is_none() {
                    shift(matrix, &mut scales, (axis, i), N..N + C, 0);
                }
            }
        }
        for k in N..N + C {
            for axis in 0..2 {
                shift(matrix, &mut scales, (axis, k), 0..N, 0);
            }
        }
    }
    scales
}

/// Divides a row, or a column on the second axis, by its largest entry at these places, after so many square roots.
fn shift<S: RealField + Copy, const N: usize, const C: usize>(
    matrix: &Bordered<S, N, C>,
    scales: &mut Scales<N, C>,
    line: (usize, usize),
    places: Range<usize>,
    roots: u32,
) {
    let size = largest(matrix, scales, line, places).unwrap_or(0);
    let scales = scales.get_mut(line.0);
    if let Some(scale) = scales.and_then(|scales| part_mut(scales, line.1)) {
        *scale = scale.saturating_sub(size.wrapping_shr(roots));
    }
}

/// The exponent of the largest scaled entry of a row or column at these places.
fn largest<S: RealField + Copy, const N: usize, const C: usize>(
    matrix: &Bordered<S, N, C>,
    [rows, columns]: &Scales<N, C>,
    (axis, line): (usize, usize),
    places: Range<usize>,
) -> Option<i32> {
    let exponents = places.map(|place| {
        let (row, column) = [(line, place), (place, line)][usize::from(axis == 1)];
        let scale = part(rows, row)?.saturating_add(*part(columns, column)?);
        Some(exponent(magnitude(matrix.get(row, column)))?.saturating_add(scale))
    });
    exponents.max().flatten()
}
