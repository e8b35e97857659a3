//! The unrolled solution: the operands that hold it, and how well it is judged.

use super::builder::Builder;
use super::elimination::{Factors, LowerEntry, Sides, Signed};
use super::{Operand, Schedule};
use crate::cost_model::REFINED_WITH_DERIVATIVES;

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
    /// The residuals of M a = f + J^T lambda, where that is judged, then those of J a = gamma.
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
    pub(super) minus_multipliers: Vec<Signed>,
    /// How other right-hand sides are solved for.
    pub(super) factors: Factors,
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

    /// Keeps the residuals of the equations that are judged.
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

/// How the size of the terms of an equation is told.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Size {
    /// By a number that it has at least.
    #[default]
    AtLeast,
    /// By the sum of the sizes of all terms.
    Sum,
}

/// Which equations are judged: those that do not hold by the way the solution is found.
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
/// let judged = schedule_solve(&graph, equation).factorization.expect("a short one").judged;
/// assert_eq!((judged.forces, judged.rows, judged.unseen), (vec![], vec![0], vec![]));
/// ```
#[derive(Clone, Default, Debug)]
pub struct Judged {
    /// Rows of M a = f + J^T lambda.
    pub forces: Vec<usize>,
    /// Rows of J a = gamma.
    pub rows: Vec<usize>,
    /// The velocities whose accelerations show in none of these.
    pub unseen: Vec<usize>,
    /// How the sizes of their terms are told.
    pub(super) size: Size,
}

/// The derivatives of a and lambda by position, by velocity and by the inputs, all row by row.
///
/// ```
/// use lagrange_engine::{Beyond, Equation, Graph, Symbol, schedule_sensitivity};
/// // m a + k q = u + lambda, 2 a = 0
/// let mut graph = Graph::new();
/// let [m, k, u] = [Symbol::Parameter(0), Symbol::Parameter(1), Symbol::Input(0)]
///     .map(|symbol| graph.symbol(symbol));
/// let [zero, one, two] = [0, 1, 2].map(|number| graph.integer(number));
/// let equation = Equation {
///     mass_matrix: &[m],
///     forcing: &[u],
///     jacobian: &[two],
///     gamma: &[zero],
///     singular: false,
///     others: &[k, zero, one, zero, zero],
/// };
/// let code = schedule_sensitivity(&graph, equation, Beyond::Columns { inputs: 1 }).expect("a short one");
/// let columns = code.factorization.and_then(|factors| factors.columns).expect("a few short ones");
/// let mut schedule = code.schedule;
/// schedule.roots = columns.multipliers.concat();
/// let value = |symbol| if symbol == Symbol::Parameter(0) { 4.0 } else { 12.0 };
/// assert_eq!(schedule.evaluate(&value), [6.0, 0.0, -0.5]);
/// ```
#[derive(Clone, Debug)]
pub struct SolvedColumns {
    /// The derivatives of a: n x n, n x n, and n x as many as there are inputs.
    pub accelerations: [Vec<Operand>; 3],
    /// The derivatives of lambda.
    pub multipliers: [Vec<Operand>; 3],
    /// The residuals of the derivatives of J a = gamma, except those that are zero by structure.
    pub residual: Vec<Operand>,
    /// What the sums of the absolute values of the terms of these equations are at least, to within the residuals.
    pub terms: Vec<Operand>,
    /// Sums of what J does not bind, and of the derivatives of lambda: finite only if all of these are.
    pub sums: Vec<Operand>,
}

/// The derivatives of accelerations by inputs.
///
/// ```
/// use lagrange_engine::{Beyond, Equation, Graph, Symbol, schedule_sensitivity};
/// // Eight velocities with a motor each, and the derivatives of the equations by q and v, all of them k.
/// let mut graph = Graph::new();
/// let [m, k, f] = [Symbol::Parameter(0), Symbol::Parameter(1), Symbol::Input(0)]
///     .map(|symbol| graph.symbol(symbol));
/// let (zero, one) = (graph.integer(0), graph.integer(1));
/// let mass: Vec<_> = (0..8).flat_map(|i| (0..=i).map(move |j| if i == j { m } else { one })).collect();
/// let motors = (0..64).map(|at| if at % 9 == 0 { one } else { zero });
/// let equation = Equation {
///     mass_matrix: &mass,
///     forcing: &[f; 8],
///     jacobian: &[],
///     gamma: &[],
///     singular: false,
///     others: &[k; 128].into_iter().chain(motors).collect::<Vec<_>>(),
/// };
/// let code = schedule_sensitivity(&graph, equation, Beyond::Columns { inputs: 8 }).expect("a short one");
/// let inputs = code.factorization.and_then(|factors| factors.by_input).expect("a motor each");
/// let mut schedule = code.schedule;
/// schedule.roots = inputs.entries;
/// // Of M with 2 on its diagonal and 1 everywhere else the inverse has 8/9 and -1/9.
/// let inverse = schedule.evaluate(&|_: Symbol| 2.0);
/// assert!((inverse[0] - 8.0 / 9.0).abs() < 1e-15 && (inverse[1] + 1.0 / 9.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct SolvedInputs {
    /// Row by row.
    pub entries: Vec<Operand>,
    /// The sum of those that differ, which is finite only if all are.
    pub sum: Operand,
}

pub(super) fn is_corrected(factors: &Factorization) -> bool {
    factors.multipliers.len() >= REFINED_WITH_DERIVATIVES[usize::from(factors.is_partitioned())]
}
