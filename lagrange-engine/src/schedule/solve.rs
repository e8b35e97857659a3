//! The solution of the equations of motion as instructions: an LDL^T factorisation, unrolled over
//! the entries that are not structurally zero.
//!
//! With constraints the system is `M a - J^T lambda = f`, `J a = gamma`, and the matrix factored is
//! `[M J^T; J 0]` with the unknowns a and -lambda; without, it is M. K = L D L^T with unit lower
//! triangular L and diagonal D (Golub and Van Loan, *Matrix Computations*, 4th ed., section 4.1.2),
//! in the order that fills in least and without pivoting: for positive definite M, the pivots of the velocities are
//! positive and the others are minus those of the Schur complement J M^-1 J^T. The pivots are results too: where
//! one is not well above zero relative to its diagonal entry before elimination, the caller solves
//! by a method that pivots. The elimination itself is in `elimination.rs`.
//!
//! Without pivoting the constraints' equations may lose digits where a light coordinate carries a force:
//! M a = f + J^T lambda holds to rounding by the way a is computed, from the right-hand side as a whole
//! (`elimination/factors.rs`), J a = gamma need not. So what a leaves of J a = gamma, and a size that the terms
//! have at least, are results as well (`judgement.rs`), and a step of refinement may follow (`correction.rs`).
//!
//! Where M is singular everywhere, M + J^T W J takes its place, and f + J^T W gamma that of f, which
//! leaves the solution what it is (Golub and Greif, "On solving block-structured indefinite linear
//! systems", *SIAM J. Sci. Comput.* 24, 2003). The sum loses digits of M, so that all equations are
//! judged then.

use super::builder::Builder;
use super::columns::SolvedColumns;
use super::dependent::Partition;
use super::elimination::{Factors, Order, Problem, Sides, Signed, Updates};
use super::inputs::SolvedInputs;
use super::judgement::Judged;
use super::{Operand, Schedule, lower};
use crate::{Graph, NodeId, lower_triangle};

/// A solution of so many operations is unrolled, whatever it is compared with.
const ALWAYS_UNROLLED: usize = 4000;

/// One of more never is: it would crowd the instruction cache and the compiler.
pub(crate) const NEVER_UNROLLED: usize = 30_000;

/// About how many operations a loop over full matrices takes.
pub(crate) fn looped_operations(velocities: usize, constraints: usize) -> usize {
    (velocities + constraints).pow(3) / 3
}

/// The most operations that an unrolled solution may take. Between the two bounds it is at most half of what a
/// loop takes, which waits less for its instructions.
fn most_unrolled(velocities: usize, constraints: usize) -> u32 {
    let looped = looped_operations(velocities, constraints);
    (looped / 2).clamp(ALWAYS_UNROLLED, NEVER_UNROLLED) as u32
}

pub(super) const ZERO: Operand = Operand::Constant(0.0);

/// What the equations of motion are made of: n coordinates and c constraints.
///
/// ```
/// use lagrange_engine::{Equation, Graph, Symbol, schedule_solve};
/// let mut graph = Graph::new();
/// let [m, f] = [Symbol::Parameter(0), Symbol::Input(0)].map(|symbol| graph.symbol(symbol));
/// let [zero, one, minus_one] = [0, 1, -1].map(|number| graph.integer(number));
/// // Two masses m, pulled by f, that a rod holds together: a0 - a1 = 0.
/// let equation = Equation {
///     mass_matrix: &[m, zero, m],
///     forcing: &[f, zero],
///     jacobian: &[one, minus_one],
///     gamma: &[zero],
///     singular: false,
///     others: &[],
/// };
/// let mut solved = schedule_solve(&graph, equation);
/// let factorization = solved.factorization.expect("a short one");
/// solved.schedule.roots = [factorization.solution, factorization.multipliers].concat();
/// let value = |symbol| if symbol == Symbol::Parameter(0) { 2.0 } else { 12.0 };
/// assert_eq!(solved.schedule.evaluate(&value), [3.0, 3.0, -6.0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Equation<'a> {
    /// The lower triangle of M, row by row.
    pub mass_matrix: &'a [NodeId],
    /// f: n entries.
    pub forcing: &'a [NodeId],
    /// J, row by row: c x n entries.
    pub jacobian: &'a [NodeId],
    /// gamma: c entries.
    pub gamma: &'a [NodeId],
    /// Whether M is known to be singular at every state.
    pub singular: bool,
    /// What else is to be computed.
    pub others: &'a [NodeId],
}

/// Code for the terms of the equations and, if it is not too long, their solution.
///
/// ```
/// use lagrange_engine::{Equation, Graph, Symbol, schedule_solve};
/// let mut graph = Graph::new();
/// let [m, f] = [Symbol::Parameter(0), Symbol::Input(0)].map(|symbol| graph.symbol(symbol));
/// let [zero, one, minus_one] = [0, 1, -1].map(|number| graph.integer(number));
/// // Two masses m, pulled by f, that a rod holds together: a0 - a1 = 0.
/// let equation = Equation {
///     mass_matrix: &[m, zero, m],
///     forcing: &[f, zero],
///     jacobian: &[one, minus_one],
///     gamma: &[zero],
///     singular: false,
///     others: &[],
/// };
/// let solved = schedule_solve(&graph, equation);
/// let value = |symbol| if symbol == Symbol::Parameter(0) { 2.0 } else { 12.0 };
/// // M, f, J and gamma.
/// let terms = [2.0, 0.0, 2.0, 12.0, 0.0, 1.0, -1.0, 0.0];
/// assert_eq!(solved.schedule.evaluate(&value), terms);
/// assert!(solved.factorization.is_some());
/// ```
#[derive(Clone, Debug)]
pub struct SolveSchedule {
    /// The instructions; its roots are the lower triangle of M row by row, f, J row by row, gamma,
    /// and the others.
    pub schedule: Schedule,
    /// The unrolled solution, unless it would be too long or a pivot is zero by structure.
    pub factorization: Option<Factorization>,
}

/// The results of the unrolled factorisation.
///
/// ```
/// use lagrange_engine::{Equation, Graph, Symbol, schedule_solve};
/// let mut graph = Graph::new();
/// let [m, f] = [Symbol::Parameter(0), Symbol::Input(0)].map(|symbol| graph.symbol(symbol));
/// let [zero, one, minus_one] = [0, 1, -1].map(|number| graph.integer(number));
/// // Two masses m, pulled by f, that a rod holds together: a0 - a1 = 0.
/// let equation = Equation {
///     mass_matrix: &[m, zero, m],
///     forcing: &[f, zero],
///     jacobian: &[one, minus_one],
///     gamma: &[zero],
///     singular: false,
///     others: &[],
/// };
/// let mut solved = schedule_solve(&graph, equation);
/// let factors = solved.factorization.expect("a short one");
/// let (pivots, residual) = (factors.pivots.len(), factors.residual.len());
/// solved.schedule.roots = [factors.pivots, factors.residual].concat();
/// let value = |symbol| if symbol == Symbol::Parameter(0) { 2.0 } else { 12.0 };
/// // Of M, and 1/m + 1/m of the Schur complement; nothing is left of J a = 0.
/// assert_eq!((pivots, residual), (3, 1));
/// assert_eq!(solved.schedule.evaluate(&value), [2.0, 2.0, 1.0, 0.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Factorization {
    /// The pivots: n of M, and c of the Schur complement J M^-1 J^T. Where velocities are given by constraints, those of
    /// the others and of the rows that are left, and what else must not be small.
    pub pivots: Vec<Operand>,
    /// How many of them are those of M.
    pub pivots_of_mass: usize,
    /// The diagonal entries of M and of the Schur complement, which the pivots are measured by.
    pub diagonal: Vec<Operand>,
    /// The entries of L D below the diagonal that are not zero by structure, column by column, in the order in
    /// which they were eliminated. Many of them are entries of M or of J. None where it is not M that was
    /// factored, and where velocities are given by constraints.
    pub lower: Vec<LowerEntry>,
    /// L, row by row, up to its diagonal, where the ones are zeros: for derivatives of the solution whose columns
    /// are not among these, where all was eliminated in the order of the rows; else nothing.
    pub unit_lower: Vec<Operand>,
    /// The derivatives of a and lambda, where these are asked for, and few and short; see [`Beyond`](crate::Beyond).
    pub columns: Option<SolvedColumns>,
    /// Where they are not, the derivatives of a by the inputs, if these take little.
    pub by_input: Option<SolvedInputs>,
    /// W, if it is M + J^T W J that stands in the place of M; else nothing.
    pub weights: Vec<Operand>,
    /// What the solution leaves of M a = f + J^T lambda, where that is judged, and then of J a = gamma.
    pub residual: Vec<Operand>,
    /// The rows of these.
    pub judged: Judged,
    /// What the sums of the absolute values of the terms of these equations are, or at least, to within the
    /// residuals.
    pub terms: Vec<Operand>,
    /// a.
    pub solution: Vec<Operand>,
    /// lambda.
    pub multipliers: Vec<Operand>,
    /// -lambda.
    minus_multipliers: Vec<Signed>,
    /// How other right-hand sides are solved for.
    pub(super) factors: Factors,
}

/// An entry of L D below the diagonal.
///
/// ```
/// use lagrange_engine::{Equation, Graph, Symbol, schedule_solve};
/// let mut graph = Graph::new();
/// let [m, f] = [Symbol::Parameter(0), Symbol::Input(0)].map(|symbol| graph.symbol(symbol));
/// let [zero, one, minus_one] = [0, 1, -1].map(|number| graph.integer(number));
/// // Two masses m, pulled by f, that a rod holds together: a0 - a1 = 0.
/// let equation = Equation {
///     mass_matrix: &[m, zero, m],
///     forcing: &[f, zero],
///     jacobian: &[one, minus_one],
///     gamma: &[zero],
///     singular: false,
///     others: &[],
/// };
/// let lower = schedule_solve(&graph, equation).factorization.expect("a short one").lower;
/// // The multiplier's row alone: J.
/// let places: Vec<_> = lower.iter().map(|entry| (entry.row, entry.column)).collect();
/// assert_eq!(places, [(2, 1), (2, 0)]);
/// assert!(lower[0].minus != lower[1].minus || lower[0].value != lower[1].value);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LowerEntry {
    /// The unknown of its row: a velocity, or a multiplier behind all velocities.
    pub row: usize,
    /// That of its column, which was eliminated before.
    pub column: usize,
    /// Whether the entry is the negative of the value.
    pub minus: bool,
    /// The value.
    pub value: Operand,
}

impl Factorization {
    /// Not judged yet.
    pub(super) fn new(
        builder: &mut Builder,
        factors: Factors,
        forcing: &[Operand],
        gamma: &[Operand],
        sides: Sides,
    ) -> Self {
        let [solution, minus_multipliers] = factors.solve(builder, forcing, gamma, sides);
        let multipliers = minus_multipliers.iter();
        let multipliers = multipliers
            .map(|value| value.negated().operand(builder))
            .collect();
        Factorization {
            pivots: factors.pivots.clone(),
            pivots_of_mass: factors.pivots_of_mass,
            diagonal: factors.diagonal.clone(),
            lower: factors.lower.clone(),
            unit_lower: Vec::new(),
            columns: None,
            by_input: None,
            weights: Vec::new(),
            residual: Vec::new(),
            judged: Judged::default(),
            terms: Vec::new(),
            solution: solution.iter().map(|a| a.operand(builder)).collect(),
            multipliers,
            minus_multipliers,
            factors,
        }
    }

    /// What the solution leaves of the equations that are judged.
    pub(super) fn keep(&mut self, judged: &[[Operand; 2]]) {
        self.residual = judged.iter().map(|[left, _]| *left).collect();
        self.terms = judged.iter().map(|[_, terms]| *terms).collect();
    }

    /// How many entries a substitution goes over, either way.
    pub(super) fn entries(&self) -> usize {
        self.factors.entries()
    }

    /// The solution for another right-hand side: f and gamma. The multipliers are -lambda.
    pub(super) fn substitute(
        &self,
        builder: &mut Builder,
        forcing: &[Operand],
        gamma: &[Operand],
    ) -> Vec<Operand> {
        let solved = self
            .factors
            .solve(builder, forcing, gamma, Sides::Several)
            .concat();
        solved.iter().map(|value| value.operand(builder)).collect()
    }

    /// Whether constraints gave velocities, so that neither these nor their multipliers were eliminated.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// // m (x'^2 + y'^2 + z'^2) / 2 where x, y and z are one: three points at one place.
    /// let text = "coordinates x y z\nparameters m\nnode %0 = velocity 0\nnode %1 = velocity 1\n\
    ///             node %2 = velocity 2\nnode %3 = parameter 0\nnode %4 = product %0^2 %3^1\n\
    ///             node %5 = product %1^2 %3^1\nnode %6 = product %2^2 %3^1\n\
    ///             node %7 = sum 0 1/2*%4 1/2*%5 1/2*%6\nkinetic %7\nnode %8 = coordinate 0\n\
    ///             node %9 = coordinate 1\nnode %10 = coordinate 2\nnode %11 = sum 0 1*%8 -1*%9\n\
    ///             node %12 = sum 0 1*%9 -1*%10\nholonomic a %11\nholonomic b %12\n";
    /// let program = Dynamics::new(text.parse::<System>()?).solve_program();
    /// let factors = program.factorization.expect("a short one");
    /// // One pivot, that of the point that moves, whose equation is judged.
    /// assert!(factors.is_partitioned() && factors.pivots.len() == 1);
    /// assert_eq!(factors.judged.forces.len(), 1);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn is_partitioned(&self) -> bool {
        self.factors.is_partitioned()
    }

    /// A column of M^-1 from one row on, where all was eliminated in the order of the rows.
    pub(super) fn column_of_inverse(
        &self,
        builder: &mut Builder,
        column: usize,
        first: usize,
    ) -> Vec<Signed> {
        self.factors.column_of_inverse(builder, column, first)
    }

    /// Keeps L too, where all was eliminated in the order of the rows.
    pub(super) fn keep_unit_lower(&mut self, builder: &mut Builder) {
        self.unit_lower = self.factors.unit_lower(builder);
    }
}

impl Equation<'_> {
    /// Whether there are entries of J that may give velocities.
    pub(super) fn has_units(&self, graph: &Graph) -> bool {
        self.jacobian.iter().any(|node| is_unit(graph, *node))
    }

    /// The lower triangle of M, f, J and gamma.
    pub(super) fn terms(&self) -> Vec<NodeId> {
        [self.mass_matrix, self.forcing, self.jacobian, self.gamma].concat()
    }
}

/// Whether it is 1 or -1.
pub(crate) fn is_unit(graph: &Graph, node: NodeId) -> bool {
    let number = graph.as_number(node);
    number.is_some_and(|number| number.to_f64().abs() == 1.0)
}

/// Schedules the terms and the solution of the equations of motion together.
///
/// ```
/// use lagrange_engine::{Equation, Graph, Symbol, schedule_solve};
/// let mut graph = Graph::new();
/// let [m, f] = [Symbol::Parameter(0), Symbol::Input(0)].map(|symbol| graph.symbol(symbol));
/// let [zero, one, minus_one] = [0, 1, -1].map(|number| graph.integer(number));
/// // Two masses m, pulled by f, that a rod holds together: a0 - a1 = 0.
/// let equation = Equation {
///     mass_matrix: &[m, zero, m],
///     forcing: &[f, zero],
///     jacobian: &[one, minus_one],
///     gamma: &[zero],
///     singular: false,
///     others: &[],
/// };
/// let mut solved = schedule_solve(&graph, equation);
/// solved.schedule.roots = solved.factorization.expect("a short one").solution;
/// let value = |symbol| if symbol == Symbol::Parameter(0) { 2.0 } else { 12.0 };
/// // a0 = a1 = f / (2 m)
/// assert_eq!(solved.schedule.evaluate(&value), [3.0, 3.0]);
/// ```
pub fn schedule_solve(graph: &Graph, equation: Equation<'_>) -> SolveSchedule {
    schedule_solve_by(graph, equation, Order::LeastFill)
}

/// The same with the unknowns eliminated in this order. That of the rows may meet more zeros among the forces.
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
        // Without what was begun.
        None => super::schedule(graph, &roots),
    };
    SolveSchedule {
        schedule,
        factorization,
    }
}

/// M as its lower triangle, f, J by rows, gamma.
#[derive(Clone, Copy)]
pub(crate) struct Blocks<'a> {
    pub(crate) matrix: &'a [Operand],
    pub(crate) forcing: &'a [Operand],
    pub(crate) jacobian: &'a [Operand],
    pub(crate) gamma: &'a [Operand],
}

impl<'a> Blocks<'a> {
    /// From the values of the terms of an equation, which others may follow.
    pub(super) fn of(values: &'a [Operand], equation: &Equation<'_>) -> Self {
        let (matrix, rest) = values.split_at(equation.mass_matrix.len());
        let (forcing, rest) = rest.split_at(equation.forcing.len());
        let (jacobian, rest) = rest.split_at(equation.jacobian.len());
        let (gamma, _) = rest.split_at(equation.gamma.len());
        Blocks {
            matrix,
            forcing,
            jacobian,
            gamma,
        }
    }

    pub(super) fn coordinates(&self) -> usize {
        self.forcing.len()
    }

    pub(super) fn mass(&self, i: usize, k: usize) -> Operand {
        self.matrix[lower_triangle(i.max(k), i.min(k))]
    }

    pub(super) fn row(&self, k: usize) -> &[Operand] {
        let n = self.coordinates();
        &self.jacobian[k * n..][..n]
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[Operand]> {
        self.jacobian.chunks(self.coordinates().max(1))
    }

    /// The solution; `None` where it is too long, or a pivot is zero by structure. If M is singular at every
    /// state it is that of the augmented matrix.
    pub(super) fn solve(
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
        factors.judged = match &partition {
            Some(partition) => partition.judged(self, &factors.factors.mixed()),
            None => self.judged(augmented),
        };
        let (solution, minus) = (&factors.solution, &factors.minus_multipliers);
        let judged = self.judge(builder, &factors.judged, solution, minus);
        factors.keep(&judged);
        Some(factors)
    }

    /// With the unknowns a and -lambda.
    pub(super) fn problem(&self, matrix: &[Operand]) -> Problem {
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

    /// Adds J^T W J to M and J^T W gamma to f. The weights make both terms alike in size among the
    /// coordinates of each constraint: (sum of M_ii J_ki^2) / |J_k|^4.
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
                let own = builder.mul(*entry, *entry);
                square = builder.add(square, own);
                inertia = builder.mul_add(self.matrix[lower_triangle(i, i)], own, inertia);
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
