//! The rank of J where the constraints hold.

use super::constraint_rows::Row;
use super::constraints::AGREEMENT;
use super::surplus_rows::{State, length, orthonormal};
use crate::{ConstraintKind, Dynamics, Quantity};

/// The number of starts. Half of them are near the neutral q, where linkages are often declared closed, the others random.
const STARTS: usize = 32;
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
        let all: Vec<usize> = (0..sizes.constraints).collect();
        let (mut everywhere, mut most) = (0, None);
        for start in 0..STARTS {
            // Those of a size near 1.
            let number = 8 * (start / 2) + start % 2;
            let mut state = State::new(&graph, kinematics, number);
            if start < STARTS / 2 {
                state.start_near_neutral(CLOSE);
            }
            let before = state.jacobian(&rows, &all);
            let kept = rows_that_count(&before);
            let holonomic: Vec<usize> = kept.clone().filter(|row| *row < sizes.holonomic).collect();
            let kept: Vec<usize> = kept.collect();
            let rank_of = |jacobian: &[Vec<f64>], of: &[usize], share| {
                let lengths = of
                    .iter()
                    .map(|row| length(&jacobian[*row]).max(length(&before[*row])));
                let rows = of.iter().map(|row| jacobian[*row].clone());
                rank(rows.zip(lengths), share)
            };
            let Some(count) = rank_of(&before, &kept, AGREEMENT) else {
                continue;
            };
            everywhere = everywhere.max(count);
            let of_holonomic = rank_of(&before, &holonomic, AGREEMENT).unwrap_or(0);
            if state.meet(&rows, &holonomic, of_holonomic, MET) {
                most = most.max(rank_of(&state.jacobian(&rows, &kept), &kept, DEPENDENT));
            }
            if most == Some(everywhere) {
                break;
            }
        }
        let everywhere = everywhere.min(by_structure);
        most.map_or(everywhere, |most| most.min(everywhere))
    }

    fn constraint_rows(&self) -> Vec<Row> {
        let residuals = self.written_expressions(Quantity::ConstraintResidual);
        let rates = self.written_expressions(Quantity::ConstraintVelocity);
        let jacobian = self.written_expressions(Quantity::ConstraintJacobian);
        let rows = jacobian.chunks(self.sizes().velocities.max(1));
        let rows = rows.zip(rates).enumerate().map(|(k, (row, velocity))| Row {
            kind: match residuals.get(k) {
                Some(_) => ConstraintKind::Holonomic,
                None => ConstraintKind::Nonholonomic,
            },
            residual: residuals.get(k).copied().unwrap_or(velocity),
            jacobian: row.to_vec(),
            velocity,
        });
        rows.collect()
    }
}

/// The rows that are not none beside the largest one: more than the square root of rounding of its length.
fn rows_that_count(jacobian: &[Vec<f64>]) -> impl Iterator<Item = usize> + Clone {
    let lengths: Vec<f64> = jacobian.iter().map(|row| length(row)).collect();
    let most = lengths.iter().copied().fold(0.0, f64::max);
    (0..lengths.len()).filter(move |row| {
        let is_none = lengths[*row] <= AGREEMENT * most;
        !is_none
    })
}

/// The rank of rows, each measured by a length. `None` if an entry is not finite.
fn rank(rows: impl Iterator<Item = (Vec<f64>, f64)>, share: f64) -> Option<usize> {
    let scaled = rows.map(|(mut row, length)| {
        row.iter_mut().for_each(|entry| *entry /= length);
        row.iter().all(|entry| entry.is_finite()).then_some(row)
    });
    let scaled: Vec<Vec<f64>> = scaled.collect::<Option<_>>()?;
    let all = scaled.len();
    Some(orthonormal(scaled, all, share).axes.len())
}
