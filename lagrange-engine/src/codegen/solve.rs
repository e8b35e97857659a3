//! The solution of the equations of motion as instructions: an LDL^T factorisation, unrolled over
//! the entries that are not structurally zero.
//!
//! With constraints the system is `M a - J^T lambda = f`, `J a = gamma`, and the factored matrix is `[M J^T; J 0]` with
//! the unknowns a and -lambda; without them it is M. K = L D L^T with unit lower triangular L and diagonal D (Golub and
//! Van Loan, *Matrix Computations*, 4th ed., section 4.1.2), in minimum-fill order and without pivoting. For positive
//! definite M, the pivots of the velocities are positive and the others are minus those of the Schur complement J M^-1
//! J^T. The pivots are results too: if one is not well above zero relative to its diagonal entry before elimination,
//! the caller solves by a method that pivots. The elimination itself is in `elimination.rs`.
//!
//! Without pivoting the equations of the constraints may lose digits if a light coordinate carries a force. M a = f +
//! J^T lambda holds to rounding by construction, because a is computed from the right-hand side as a whole
//! (`elimination/factors.rs`); J a = gamma need not hold. So the residuals of J a = gamma, and lower bounds of the
//! sizes of their terms, are results as well (`backward_error.rs`), and a step of refinement may follow
//! (`refinement_step.rs`).
//!
//! If M is singular everywhere, M + J^T W J replaces M, and f + J^T W gamma replaces f, which leaves the solution
//! unchanged (Golub and Greif, "On solving block-structured indefinite linear systems", *SIAM J. Sci. Comput.* 24,
//! 2003). The sum loses digits of M, so all equations are tested then.

mod backward_error;
mod coordinate_partitioning;
mod elimination;
mod equation;
mod factorization;
mod input_columns;
mod recursive_elimination;
mod refinement_step;
mod sensitivity;
mod solution_derivatives;

use crate::codegen::cost_model::{ALWAYS_UNROLLED, NEVER_UNROLLED};
use crate::codegen::cse::{self, lower};
use crate::codegen::ir::{Builder, Operand, Signed};
use crate::{Graph, lower_triangle};
use coordinate_partitioning::Partition;
pub use elimination::LowerEntry;
pub(crate) use elimination::{Order, Updates};
use elimination::{Problem, Sides};
pub use equation::Equation;
use equation::ZERO;
pub(crate) use equation::{Blocks, is_unit};
pub use factorization::{
    Factorization, SolveSchedule, SolvedColumns, SolvedInputs, TestedEquations,
};
pub(crate) use recursive_elimination::MappedEquation;
pub use refinement_step::Correction;
pub use sensitivity::{Beyond, schedule_sensitivity};

/// The approximate number of operations of a loop over full matrices.
pub(crate) fn looped_operations(velocities: usize, constraints: usize) -> usize {
    (velocities + constraints).pow(3) / 3
}

/// The largest number of operations of an unrolled solution. Between the two bounds it is at most half of the
/// operations of a loop, which waits less for its instructions.
fn most_unrolled(velocities: usize, constraints: usize) -> u32 {
    let looped = looped_operations(velocities, constraints);
    (looped / 2).clamp(ALWAYS_UNROLLED, NEVER_UNROLLED) as u32
}

/// Schedules the terms and the solution of the equations of motion together.
pub fn schedule_solve(graph: &Graph, equation: Equation<'_>) -> SolveSchedule {
    schedule_solve_by(graph, equation, Order::LeastFill)
}

/// The same with the unknowns eliminated in this order. The order of the rows may find more zeros among the forces.
pub(crate) fn schedule_solve_by(
    graph: &Graph,
    equation: Equation<'_>,
    order: Order,
) -> SolveSchedule {
    let roots = [&equation.terms(), equation.others].concat();
    let mut builder = Builder::default();
    let values = lower::lower(graph, &roots, &mut builder);
    let blocks = Blocks::of(&values, &equation);
    let factorization = blocks.solve(&mut builder, equation.singular, order, Sides::One);
    let schedule = match factorization {
        Some(_) => builder.finish(values),
        // Without the unfinished solution.
        None => cse::schedule(graph, &roots),
    };
    SolveSchedule {
        schedule,
        factorization,
    }
}

impl Blocks<'_> {
    /// The solution; `None` if it is too long, or a pivot is zero by structure. If M is singular at every state it is
    /// that of the augmented matrix.
    fn solve(
        &self,
        builder: &mut Builder,
        singular: bool,
        order: Order,
        sides: Sides,
    ) -> Option<Factorization> {
        let n = self.coordinates();
        let augmented = singular && !self.gamma.is_empty();
        let (mut matrix, mut forcing) = (self.matrix.to_vec(), self.forcing.to_vec());
        let mut weights = Vec::new();
        if augmented {
            weights = self.augment(builder, &mut matrix, &mut forcing);
        }
        let is_partitioned = order == Order::Partitioned && !augmented;
        let partition = is_partitioned.then(|| Partition::of(self)).flatten();
        let problem = match &partition {
            Some(partition) => self.partitioned(builder, partition),
            None => self.problem(&matrix),
        };
        let most = most_unrolled(n, self.gamma.len());
        let factors = problem.factor(builder, order, Updates::AtOnce, most)?;
        let mut factors = Factorization::new(builder, factors, &forcing, self.gamma, sides);
        factors.weights = weights;
        factors.tested = match &partition {
            Some(partition) => {
                partition.choose_tested(self, &factors.factors.velocities_of_mixed_equations())
            }
            None => self.choose_tested(augmented),
        };
        let (solution, minus) = (&factors.solution, &factors.minus_multipliers);
        let residuals = self.evaluate_residuals(builder, &factors.tested, solution, minus);
        factors.store_residuals(&residuals);
        Some(factors)
    }

    /// With the unknowns a and -lambda.
    fn problem(&self, matrix: &[Operand]) -> Problem {
        let n = self.coordinates();
        let entry = |operand| Signed::new(false, operand);
        let mut form = Vec::new();
        for i in 0..n {
            form.extend((0..=i).map(|j| (i, j, entry(matrix[lower_triangle(i, j)]))));
        }
        for (k, row) in self.rows().enumerate() {
            let row = row.iter().enumerate();
            form.extend(row.map(|(j, operand)| (n + k, j, entry(*operand))));
        }
        form.retain(|(.., entry)| !entry.is_zero());
        let diagonal = (0..n).map(|i| entry(matrix[lower_triangle(i, i)]));
        Problem {
            velocities: n,
            multipliers: self.gamma.len(),
            scales: diagonal.collect(),
            form,
            ..Problem::default()
        }
    }

    /// Adds J^T W J to M and J^T W gamma to f. The weights make both terms equal in size among the coordinates of each
    /// constraint: (sum of M_ii J_ki^2) / |J_k|^4.
    ///
    /// Returns the weights.
    fn augment(
        &self,
        builder: &mut Builder,
        matrix: &mut [Operand],
        forcing: &mut [Operand],
    ) -> Vec<Operand> {
        let mut weights = Vec::with_capacity(self.gamma.len());
        for (row, gamma) in self.rows().zip(self.gamma) {
            let (mut square, mut inertia) = (ZERO, ZERO);
            for (i, entry) in row.iter().enumerate() {
                let entry_square = builder.mul(*entry, *entry);
                square = builder.add(square, entry_square);
                inertia = builder.mul_add(self.matrix[lower_triangle(i, i)], entry_square, inertia);
            }
            let scale = builder.recip(square);
            let weight = builder.mul(inertia, scale);
            let weight = builder.mul(weight, scale);
            weights.push(weight);
            for i in 0..row.len() {
                let weighted = builder.mul(weight, row[i]);
                forcing[i] = builder.mul_add(weighted, *gamma, forcing[i]);
                for j in 0..=i {
                    let entry = &mut matrix[lower_triangle(i, j)];
                    *entry = builder.mul_add(weighted, row[j], *entry);
                }
            }
        }
        weights
    }
}
