//! The rank of J where the constraints hold.

use super::constraint_rows::Row;
use super::constraints::AGREEMENT;
use super::states::{State, length, orthonormalize};
use crate::{ConstraintKind, Dynamics, Quantity};

/// The number of starts. Half of them are near the neutral q, where linkages are often declared closed, the others random.
const STARTS: usize = 32;
/// The number of random starts at which the rank beside the constraints is measured.
const SAMPLE: usize = 4;
/// The size of the displacements of starts from the neutral q.
const CLOSE: f64 = 0.1;
/// Residuals of a state, relative to those of its start: rows may agree to the square root of rounding only.
const MET: f64 = AGREEMENT;
/// A row depends on others if at most this share of it is orthogonal to them. The residuals of rows that are dependent on
/// the constraints alone grow with the square of the distance, so that a state is found to the square root of rounding.
const DEPENDENT: f64 = 1e-4;

impl Dynamics {
    /// The rank of J at a general state on the constraints. It is below
    /// [`constraint_rank`](Dynamics::constraint_rank) for overconstrained linkages such as Bricard's, whose rows depend
    /// on each other only where the linkage is closed.
    ///
    /// It is the largest rank of the states that Newton's method finds: the rank is smaller only at singular states.
    /// Parameters have random values near 1, so that a linkage that closes for special lengths only has the rank of
    /// almost every state.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// // r = x^2: the gradient vanishes wherever the constraint holds.
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
    ///             node %2 = coordinate 0\nnode %3 = product %2^2\nholonomic flat %3\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert_eq!((dynamics.constraint_rank(), dynamics.rank_on_constraints()), (1, 0));
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn rank_on_constraints(&self) -> usize {
        let by_structure = self.constraint_rank();
        let rows = self.constraint_rows();
        let sizes = self.sizes();
        let (graph, kinematics) = (self.graph(), self.kinematics());
        let every_row: Vec<usize> = (0..sizes.constraints).collect();
        let start_at = |start: usize| {
            // The points of a size near 1.
            let number = 8 * (start / 2) + start % 2;
            let mut state = State::new(&graph, kinematics, number);
            if start < STARTS / 2 {
                state.start_near_neutral(CLOSE);
            }
            let jacobian = state.jacobian(&rows, &every_row);
            (state, jacobian)
        };
        let everywhere = (STARTS / 2..STARTS / 2 + SAMPLE)
            .filter_map(|start| {
                let (_, jacobian) = start_at(start);
                rank(&jacobian, &jacobian, &rows_that_count(&jacobian), AGREEMENT)
            })
            .max()
            .unwrap_or(by_structure)
            .min(by_structure);
        // In turn, so that the first general state ends the search.
        let ranks = (0..STARTS / 2)
            .flat_map(|start| [start, start + STARTS / 2])
            .filter_map(|start| {
                let (mut state, before) = start_at(start);
                let counting_rows = rows_that_count(&before);
                let holonomic: Vec<usize> = counting_rows
                    .iter()
                    .copied()
                    .filter(|row| *row < sizes.holonomic)
                    .collect();
                let directions = rank(&before, &before, &holonomic, AGREEMENT)?;
                let is_met = state.meet(&rows, &holonomic, directions, MET);
                let jacobian_there = is_met.then(|| state.jacobian(&rows, &counting_rows))?;
                rank(&jacobian_there, &before, &counting_rows, DEPENDENT)
            });
        let mut most = None;
        for rank in ranks {
            most = most.max(Some(rank));
            if rank >= everywhere {
                break;
            }
        }
        most.map_or(everywhere, |most| most.min(everywhere))
    }

    fn constraint_rows(&self) -> Vec<Row> {
        let residuals = self.written_expressions(Quantity::ConstraintResidual);
        let rates = self.written_expressions(Quantity::ConstraintVelocity);
        let jacobian = self.written_expressions(Quantity::ConstraintJacobian);
        let columns = self.sizes().velocities;
        rates
            .into_iter()
            .enumerate()
            .map(|(k, velocity)| Row {
                kind: match residuals.get(k) {
                    Some(_) => ConstraintKind::Holonomic,
                    None => ConstraintKind::Nonholonomic,
                },
                residual: residuals.get(k).copied().unwrap_or(velocity),
                jacobian: jacobian[k * columns..][..columns].to_vec(),
                velocity,
            })
            .collect()
    }
}

/// The rows that are not none beside the largest one: more than the square root of rounding of its length.
fn rows_that_count(jacobian: &[Vec<f64>]) -> Vec<usize> {
    let lengths: Vec<f64> = jacobian.iter().map(|row| length(row)).collect();
    let most = lengths.iter().copied().fold(0.0, f64::max);
    let counts = |row: &usize| lengths[*row] > AGREEMENT * most;
    (0..lengths.len()).filter(counts).collect()
}

/// The rank of some rows, each measured by its own length or that at the start. A row depends on others if at most `share`
/// of it is orthogonal to them. `None` if an entry is not finite.
fn rank(jacobian: &[Vec<f64>], start: &[Vec<f64>], of: &[usize], share: f64) -> Option<usize> {
    let scaled: Vec<Vec<f64>> = of
        .iter()
        .map(|row| {
            let size = length(&jacobian[*row]).max(length(&start[*row]));
            let entries: Vec<f64> = jacobian[*row].iter().map(|entry| entry / size).collect();
            entries
                .iter()
                .all(|entry| entry.is_finite())
                .then_some(entries)
        })
        .collect::<Option<_>>()?;
    let count = scaled.len();
    Some(orthonormalize(scaled, count, share).len())
}
