//! The factors of the equations of motion, and their arrays.

use nalgebra::{RealField, SMatrix};

use crate::Error;
use crate::linalg::{Kkt, Reacting, Redundant};

/// The factors of equations whose rows may depend on each other.
pub(super) enum Factors<'a, S, const E: usize, const R: usize> {
    Independent(Kkt<'a, S, E, R>),
    Redundant(Redundant<'a, S, E, R>),
    Reacting(Reacting<'a, S, E, R>),
}

impl<'a, S: RealField + Copy, const E: usize, const R: usize> Factors<'a, S, E, R> {
    pub(super) fn new(
        are_redundant: bool,
        mass: &'a mut [[S; E]; E],
        jacobian: &'a [[S; E]; R],
        work: &'a mut [[S; E]; R],
    ) -> Result<Self, Error> {
        Ok(if are_redundant {
            Self::Redundant(Redundant::factor(mass, jacobian, work)?)
        } else {
            Self::Independent(Kkt::factor_by(mass, jacobian, work, true)?)
        })
    }

    /// The accelerations. Only the independent rows are solved for, because derivatives of dependent rows agree only on
    /// the constraints.
    #[inline]
    pub(super) fn solve(&mut self, f: &[S; E], gamma: &[S; R]) -> Result<[S; E], Error> {
        let (a, _) = match self {
            Self::Independent(factors) => factors.solve(f, gamma)?,
            Self::Redundant(factors) => factors.solve_independent(f, gamma)?,
            Self::Reacting(factors) => factors.solve(f, gamma)?,
        };
        Ok(a)
    }

    /// The accelerations and the multipliers, where all rows must hold.
    pub(super) fn motion(&mut self, f: &[S; E], gamma: &[S; R]) -> Result<([S; E], [S; R]), Error> {
        match self {
            Self::Independent(factors) => factors.solve(f, gamma),
            Self::Redundant(factors) => factors.solve(f, gamma),
            Self::Reacting(factors) => factors.solve(f, gamma),
        }
    }
}

/// Sets an entry of an array of rows.
pub(super) fn set<S, const R: usize, const E: usize>(
    rows: &mut [[S; E]; R],
    i: usize,
    j: usize,
    value: S,
) {
    if let Some(entry) = rows.get_mut(i).and_then(|row| row.get_mut(j)) {
        *entry = value;
    }
}

/// The rows of a matrix, whose storage is by columns.
#[inline]
pub(super) fn rows<S: RealField + Copy, const R: usize, const N: usize>(
    matrix: &SMatrix<S, R, N>,
) -> [[S; N]; R] {
    let mut rows = [[S::zero(); N]; R];
    for (j, column) in matrix.data.0.iter().enumerate() {
        for (i, value) in column.iter().enumerate() {
            set(&mut rows, i, j, *value);
        }
    }
    rows
}
