//! Powers of two that scale a system to entries of about 1, so that units do not matter.

use nalgebra::RealField;

use super::{
    binary::{exponent, scale_by},
    out_parameters::diagonal_of,
    tolerances::{dependent_share, magnitude},
};

/// The exponents of the diagonals of D and E in D M D and E J D: each row has a largest entry of
/// about 1, and so has each column of E J D that belongs to a massless coordinate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaling<const N: usize, const C: usize> {
    pub(super) coordinates: [i32; N],
    pub(super) constraints: [i32; C],
}

impl<const N: usize, const C: usize> Scaling<N, C> {
    pub(super) fn new<S: RealField + Copy>(mass: &[[S; N]; N], jacobian: &[[S; N]; C]) -> Self {
        let by_mass = equilibration(mass);
        let mut this = Self {
            coordinates: [0; N],
            constraints: [0; C],
        };
        for i in 0..N {
            this.coordinates[i] = by_mass[i].unwrap_or(0);
        }
        // Coordinates without inertia get a scale only from the constraints, whose scale in turn depends on theirs. So
        // both are found alternately.
        for _ in 0..3 {
            for i in 0..N {
                if by_mass[i].is_none() {
                    let mut largest = None;
                    for k in 0..C {
                        let scale = Some(this.constraints[k]);
                        largest = largest.max(scaled_exponent(jacobian[k][i], scale));
                    }
                    this.coordinates[i] = -largest.unwrap_or(0);
                }
            }
            for k in 0..C {
                let mut largest = None;
                for i in 0..N {
                    let scale = Some(this.coordinates[i]);
                    largest = largest.max(scaled_exponent(jacobian[k][i], scale));
                }
                this.constraints[k] = -largest.unwrap_or(0);
            }
        }
        this
    }

    /// The same, in which rows of J that are none beside the largest one are not enlarged.
    pub(super) fn keeping_zeros<S: RealField + Copy>(mut self, jacobian: &[[S; N]; C]) -> Self {
        let (is_none, most) = self.rows_that_are_none(jacobian);
        for (scale, is_none) in self.constraints.iter_mut().zip(is_none) {
            if is_none {
                *scale = -most;
            }
        }
        self
    }

    /// Which rows of J have, with each coordinate in its unit, a size of at most `sqrt(eps)` of the largest row; and the
    /// exponent of the largest row.
    pub(super) fn rows_that_are_none<S: RealField + Copy>(
        &self,
        jacobian: &[[S; N]; C],
    ) -> ([bool; C], i32) {
        let share = exponent(magnitude(dependent_share::<S>())).unwrap_or(0);
        let sizes: [Option<i32>; C] = core::array::from_fn(|k| {
            jacobian[k]
                .iter()
                .zip(&self.coordinates)
                .map(|(entry, scale)| scaled_exponent(*entry, Some(*scale)))
                .max()
                .flatten()
        });
        let Some(most) = sizes.iter().max().copied().flatten() else {
            return ([true; C], 0);
        };
        let is_none = sizes.map(|size| size.is_none_or(|size| size <= most + share));
        (is_none, most)
    }

    /// Writes D M D above the diagonal of M, from the entries below it; returns its diagonal.
    pub(super) fn scale_mass<S: RealField + Copy>(&self, mass: &mut [[S; N]; N]) -> [S; N] {
        let d = &self.coordinates;
        for i in 0..N {
            for j in 0..i {
                mass[j][i] = scale_by(mass[i][j], d[i] + d[j]);
            }
        }
        let mut diagonal = diagonal_of(mass);
        for i in 0..N {
            diagonal[i] = scale_by(diagonal[i], 2 * d[i]);
        }
        diagonal
    }
}

/// The exponents of D, `None` for a row of zeros.
///
/// Bunch's recursion (J. R. Bunch, "Equilibration of symmetric matrices in the max-norm", *J. ACM* 18,
/// 1971): `d_i = 1 / max(sqrt|m_ii|, max_{j<i} d_j |m_ij|)`, in order. A row that is zero up to its
/// diagonal gets its factor afterwards, from the entries below the diagonal. For a positive
/// semidefinite M this is just `d_i = 1 / sqrt(m_ii)`.
///
/// The factors carry no derivatives, which would cancel in the solution anyway.
fn equilibration<S: RealField + Copy, const N: usize>(m: &[[S; N]; N]) -> [Option<i32>; N] {
    let mut scale = [None; N];
    for i in 0..N {
        let mut largest = halved(exponent(magnitude(m[i][i])));
        for j in 0..i {
            largest = largest.max(scaled_exponent(m[i][j], scale[j]));
        }
        scale[i] = negative(largest);
    }
    for i in 0..N {
        if scale[i].is_none() {
            let mut largest = None;
            for j in i + 1..N {
                largest = largest.max(scaled_exponent(m[j][i], scale[j]));
            }
            scale[i] = negative(largest);
        }
    }
    scale
}

#[inline]
fn halved(e: Option<i32>) -> Option<i32> {
    Some(e?.div_euclid(2))
}

#[inline]
fn negative(e: Option<i32>) -> Option<i32> {
    Some(-e?)
}

/// The exponent of an entry in units of another coordinate.
fn scaled_exponent<S: RealField + Copy>(entry: S, scale: Option<i32>) -> Option<i32> {
    Some(exponent(magnitude(entry))? + scale.unwrap_or(0))
}
