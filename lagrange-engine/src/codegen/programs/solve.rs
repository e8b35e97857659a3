//! The code of the solution of the equations of motion: by M, or along the linear maps of the velocities.

use super::{Entries, Program};
use crate::codegen::cost_model::{
    INSTRUCTIONS_IN_A_CYCLE, MOST_IN_REGISTERS, MOST_REORDERED, PARTITIONED_PART, REFINED_ALONE,
    SPILLED_PART, TRIED_WITHOUT_MASS,
};
use crate::codegen::solve::{
    Blocks, Order, Updates, is_unit, looped_operations, schedule_solve_by,
};
use crate::{
    Answer, Correction, Dynamics, Equation, Factorization, Graph, NodeId, Operand, Quantity,
    Schedule, SolveSchedule, Symbol, is_singular, lower_of, lower_triangle, rank, schedule_solve,
    symmetric,
};

/// Code for the terms of the equations of motion and, if it is not too long, for their solution.
///
/// ```
/// use lagrange_engine::{Dynamics, Quantity, SolveProgram, Symbol, System};
/// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
///             node %2 = coordinate 0\nnode %3 = product %2^2\npotential %3\n";
/// let dynamics = Dynamics::new(text.parse::<System>()?);
/// let program = dynamics.solve_program();
/// assert_eq!(SolveProgram::TERMS[..2], [Quantity::MassMatrix, Quantity::Forcing]);
/// assert!(program.has_mass_matrix());
/// // 2 a = -2 x: the terms, and by their factors the solution.
/// let mut code = program.terms.schedule;
/// assert_eq!(code.evaluate(&|_: Symbol| 3.0), [2.0, -6.0]);
/// code.roots = program.factorization.expect("a short one").solution;
/// assert_eq!(code.evaluate(&|_: Symbol| 3.0), [-3.0]);
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SolveProgram {
    /// The terms: [`SolveProgram::TERMS`] (M only if the solution is by M), and the other requested quantities.
    pub terms: Program,
    /// The unrolled solution, unless it would be too long or a pivot is zero by structure.
    pub factorization: Option<Factorization>,
}

impl SolveProgram {
    /// The terms of the equations of motion, in order.
    pub const TERMS: [Quantity; 4] = [
        Quantity::MassMatrix,
        Quantity::Forcing,
        Quantity::ConstraintJacobian,
        Quantity::ConstraintGamma,
    ];

    /// Returns whether M is among the terms. It is not if the velocities are eliminated from the energy itself.
    pub fn has_mass_matrix(&self) -> bool {
        !self.terms.results(0).is_empty()
    }

    /// Returns whether the solution loses digits at so many states that a step of refinement is worth its code: many
    /// constraints pass forces on from one to the next. With fewer constraints this code would hardly ever run.
    pub fn may_lose_digits(&self) -> bool {
        let constraints = self.terms.results(3).len();
        let factors = self.factorization.as_ref();
        let is_partitioned = factors.is_some_and(Factorization::is_partitioned);
        constraints >= REFINED_ALONE[usize::from(is_partitioned)]
    }

    /// A step of iterative refinement, for a solution that has lost digits; `None` without constraints, and if M is not
    /// among the terms.
    pub fn correction(&self) -> Option<Correction> {
        let factors = self.factorization.as_ref()?;
        let [mass, forcing, jacobian, gamma] =
            [0, 1, 2, 3].map(|number| self.terms.results(number));
        if gamma.is_empty() || !self.has_mass_matrix() {
            return None;
        }
        let blocks = Blocks {
            matrix: &lower_of(mass, forcing.len()),
            forcing,
            jacobian,
            gamma,
        };
        Some(blocks.correct(&self.terms.schedule, factors))
    }

    /// The critical path: the cycles until the solution and its pivots are ready, if an instruction waits only for its
    /// own operands: 4 for a sum or product, 14 for a quotient, 40 for a function, about those of recent x86-64 and
    /// AArch64 (Fog, *Instruction tables*, Technical University of Denmark, 2022). Without a solution, until the terms
    /// are ready.
    pub fn critical_path(&self) -> usize {
        let code = &self.terms.schedule;
        let Some(factors) = &self.factorization else {
            return code.critical_path(&code.roots) as usize;
        };
        let results = [&factors.solution[..], &factors.multipliers, &factors.pivots].concat();
        code.critical_path(&results) as usize
    }

    /// The faster of this program and another one with more instructions but a shorter critical path. While the
    /// processor has enough independent work, the program with fewer instructions is faster.
    fn or_sooner(self, other: impl FnOnce() -> Option<Self>) -> Self {
        let (instructions, path) = (self.instructions(), self.critical_path());
        if self.factorization.is_none() || path * INSTRUCTIONS_IN_A_CYCLE < instructions {
            return self;
        }
        other()
            .filter(|other| {
                let more = other.instructions().saturating_sub(instructions);
                other.critical_path() * INSTRUCTIONS_IN_A_CYCLE + more
                    < path * INSTRUCTIONS_IN_A_CYCLE
            })
            .unwrap_or(self)
    }

    /// The same with a graph of its own.
    fn with_own_graph(self, graph: &Graph) -> Self {
        Self {
            terms: self.terms.with_own_graph(graph),
            ..self
        }
    }

    fn instructions(&self) -> usize {
        self.terms.schedule.instructions.len()
    }

    /// The operations, including those of a loop over full matrices.
    fn cost(&self) -> usize {
        let [velocities, constraints] = [1, 3].map(|at| self.terms.results(at).len());
        let looped = match self.factorization {
            Some(_) => 0,
            None => looped_operations(velocities, constraints),
        };
        looped + self.terms.operations().total() as usize
    }

    /// The approximate number of additional operations that this may take compared with a solution by all multipliers,
    /// for the rows that it need not solve for.
    fn saved(&self, whole: &Self) -> usize {
        let constraints = self.terms.results(3).len();
        let tested = self
            .factorization
            .iter()
            .flat_map(|factors| &factors.tested.rows);
        let satisfied = constraints - tested.count();
        let has_many = constraints >= REFINED_ALONE[0];
        whole.cost() * satisfied / (PARTITIONED_PART[usize::from(has_many)] * constraints.max(1))
    }

    /// The operations, plus other costs of the code.
    pub(super) fn weight(&self) -> usize {
        let [velocities, constraints] = [1, 3].map(|at| self.terms.results(at).len());
        let is_spilled =
            self.has_mass_matrix() && constraints == 0 && velocities > MOST_IN_REGISTERS;
        let cost = self.cost();
        if is_spilled {
            cost + cost / SPILLED_PART
        } else {
            cost
        }
    }
}

impl Dynamics {
    /// Code for the terms of the equations of motion and their solution together, in the cheapest form.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// // With the Jacobian and the multiplier of a constraint.
    /// // A particle of mass m on a circle of radius l.
    /// let text = "coordinates x y\nparameters m l\nnode %0 = velocity 0\nnode %1 = velocity 1\n\
    ///             node %2 = parameter 0\nnode %3 = product %0^2 %2^1\nnode %4 = product %1^2 %2^1\n\
    ///             node %5 = sum 0 1/2*%3 1/2*%4\nkinetic %5\nnode %6 = coordinate 0\n\
    ///             node %7 = coordinate 1\nnode %8 = parameter 1\nnode %9 = product %6^2\n\
    ///             node %10 = product %7^2\nnode %11 = product %8^2\n\
    ///             node %12 = sum 0 1/2*%9 1/2*%10 -1/2*%11\nholonomic circle %12\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let program = dynamics.solve_program();
    /// let factorization = program.factorization.expect("a short one");
    /// assert_eq!((factorization.solution.len(), factorization.multipliers.len()), (2, 1));
    /// assert_eq!(program.terms.results(2).len(), 2);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn solve_program(&self) -> SolveProgram {
        self.solve_program_with(&[])
    }

    /// The same with further quantities, whose results follow those of [`SolveProgram::TERMS`].
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Quantity, SolveProgram, Symbol, System};
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let program = dynamics.solve_program_with(&[Quantity::Momenta]).terms;
    /// let momenta = program.results(SolveProgram::TERMS.len());
    /// let values = program.schedule.evaluate(&|_: Symbol| 3.0);
    /// assert_eq!(program.schedule.roots[2], momenta[0]);
    /// assert_eq!(values, [2.0, 0.0, 6.0]);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn solve_program_with(&self, others: &[Quantity]) -> SolveProgram {
        self.search_from_start(|| {
            self.find_cheapest_solution(others)
                .with_own_graph(&self.graph())
        })
    }

    fn find_cheapest_solution(&self, others: &[Quantity]) -> SolveProgram {
        let quantities = [&SolveProgram::TERMS[..], others].concat();
        let programs: Vec<SolveProgram> = self
            .candidates_from_start(&quantities)
            .into_iter()
            .map(|entries| self.solve(entries))
            .collect();
        let cheapest = programs.iter().map(SolveProgram::cost).min();
        let [part, whole] = TRIED_WITHOUT_MASS;
        let most = cheapest.unwrap_or(usize::MAX) / whole * part;
        let by_mass_matrix = programs.into_iter().min_by_key(SolveProgram::weight);
        // The form as written always exists.
        let cheapest = by_mass_matrix.unwrap_or_else(|| self.solve(Entries::default()));
        if let Some(maps) = self.along_maps(others, most) {
            let mapped = maps
                .programs_near(self, cheapest.weight())
                .into_iter()
                .min_by_key(|(_, program)| program.weight());
            let shorter = mapped.filter(|(_, program)| program.weight() < cheapest.weight());
            if let Some((variant, program)) = shorter {
                return program.or_sooner(|| maps.program(self, variant, Updates::Late));
            }
        }
        let cheapest = self
            .try_order_of_rows(&cheapest)
            .filter(|other| other.cost() < cheapest.cost())
            .unwrap_or(cheapest);
        let partitioned = self.try_partitioned(&cheapest);
        let partitioned =
            partitioned.filter(|other| other.cost() < cheapest.cost() + other.saved(&cheapest));
        partitioned.unwrap_or(cheapest)
    }

    /// The same for a system whose rows of J may depend on each other: the unrolled solution leaves out the rows that are
    /// zero by structure, whose multipliers are 0, and it is found by M. There is none if other rows depend on each other
    /// at every state.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// // A particle on x = 0, and a constraint that restricts nothing.
    /// let text = "coordinates x y\nnode %0 = velocity 0\nnode %1 = velocity 1\nnode %2 = product %0^2\n\
    ///             node %3 = product %1^2\nnode %4 = sum 0 1*%2 1*%3\nkinetic %4\nnode %5 = coordinate 0\n\
    ///             node %6 = number 0\nholonomic wall %5\nholonomic nothing %6\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let program = dynamics.redundant_solve_program();
    /// let factorization = program.factorization.expect("a short one");
    /// assert_eq!((factorization.multipliers.len(), factorization.pivots.len()), (2, 3));
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn redundant_solve_program(&self) -> SolveProgram {
        self.search_from_start(|| {
            self.find_cheapest_redundant_solution()
                .with_own_graph(&self.graph())
        })
    }

    fn find_cheapest_redundant_solution(&self) -> SolveProgram {
        let program = self
            .candidates_from_start(&SolveProgram::TERMS)
            .into_iter()
            .map(|entries| self.solve_by(entries, Order::LeastFill, true))
            .min_by_key(SolveProgram::weight);
        let mut program =
            program.unwrap_or_else(|| self.solve_by(Entries::default(), Order::LeastFill, true));
        let solved = program
            .factorization
            .as_ref()
            .map(|factors| factors.pivots.len() - factors.pivots_of_mass);
        if solved.is_some_and(|solved| solved == 0 || solved != self.constraint_rank()) {
            program.factorization = None;
        }
        program
    }

    /// The rank of J at almost every state, on the constraints or not.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// let text = "coordinates x y\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
    ///             node %2 = coordinate 1\nnode %3 = sum 0 2*%2\nholonomic floor %2\nholonomic again %3\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert_eq!(dynamics.constraint_rank(), 1);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn constraint_rank(&self) -> usize {
        let jacobian = self.written_expressions(Quantity::ConstraintJacobian);
        let rows: Vec<Vec<NodeId>> = jacobian
            .chunks(self.sizes().velocities.max(1))
            .map(<[NodeId]>::to_vec)
            .collect();
        rank(&self.graph(), &rows).rank
    }

    /// A solution by M after coordinate partitioning.
    fn try_partitioned(&self, program: &SolveProgram) -> Option<SolveProgram> {
        if !program.has_mass_matrix() || self.has_singular_mass_matrix() {
            return None;
        }
        let entries = Entries::of(&program.terms);
        let mut jacobian = entries.nodes[entries.parts[2].clone()].iter();
        if !jacobian.any(|node| is_unit(&self.graph(), *node)) {
            return None;
        }
        let other = self.solve_by(entries, Order::Partitioned, false);
        let factors = other.factorization.as_ref();
        let is_partitioned = factors.is_some_and(Factorization::is_partitioned);
        is_partitioned.then_some(other)
    }

    /// A short solution by M, with the velocities eliminated in their order.
    fn try_order_of_rows(&self, program: &SolveProgram) -> Option<SolveProgram> {
        let is_short = program.terms.operations().total() <= MOST_REORDERED;
        if !is_short || !program.has_mass_matrix() || program.factorization.is_none() {
            return None;
        }
        let other = self.solve_by(Entries::of(&program.terms), Order::AsGiven, false);
        other.factorization.is_some().then_some(other)
    }

    /// Code for the terms and their solution by M and, if possible, along the linear maps of the velocities, in every
    /// form that is tried: all compute the same.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Symbol, System};
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
    ///             node %2 = coordinate 0\nnode %3 = product %2^2\npotential %3\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// for program in dynamics.solve_programs() {
    ///     let mut code = program.terms.schedule;
    ///     code.roots = program.factorization.expect("a short one").solution;
    ///     assert_eq!(code.evaluate(&|_: Symbol| 3.0), [-3.0]);
    /// }
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn solve_programs(&self) -> Vec<SolveProgram> {
        self.search_from_start(|| {
            self.every_solution()
                .into_iter()
                .map(|program| program.with_own_graph(&self.graph()))
                .collect()
        })
    }

    fn every_solution(&self) -> Vec<SolveProgram> {
        let candidates = self.candidates(&SolveProgram::TERMS).into_iter();
        let mut programs: Vec<SolveProgram> =
            candidates.map(|entries| self.solve(entries)).collect();
        let reordered = programs
            .iter()
            .filter_map(|program| self.try_order_of_rows(program));
        let partitioned = programs
            .iter()
            .filter_map(|program| self.try_partitioned(program));
        let reordered: Vec<SolveProgram> = reordered.chain(partitioned).collect();
        programs.extend(reordered);
        if let Some(maps) = self.along_maps(&[], usize::MAX) {
            let mapped = maps.programs(self).into_iter();
            programs.extend(mapped.map(|(_, program)| program));
            programs.extend(maps.program(self, 0, Updates::Late));
        }
        programs
    }

    /// The solution x of M x = b by the factorisation unrolled over the zeros of M; `None` if it would take more than
    /// `most_operations`. The entries of M on and below the diagonal, row by row, are `Symbol::Parameter`, those of b
    /// are `Symbol::Momentum`.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Symbol, System};
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let (mut code, factors) = dynamics.inverse_program(100).expect("a short one");
    /// code.roots = factors.solution;
    /// let value = |symbol| if symbol == Symbol::Parameter(0) { 2.0 } else { 3.0 };
    /// assert_eq!(code.evaluate(&value), [1.5]);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn inverse_program(&self, most_operations: u32) -> Option<(Schedule, Factorization)> {
        let entry = |i: usize, k: usize| Symbol::Parameter(lower_triangle(i, k) as u32);
        let program = self.inverse_by(entry);
        program.filter(|(code, _)| code.operations().total() <= most_operations)
    }

    /// The same of any length, with a symbol for each entry of the lower triangle.
    pub(in crate::codegen) fn inverse_by(
        &self,
        entry: impl Fn(usize, usize) -> Symbol,
    ) -> Option<(Schedule, Factorization)> {
        let n = self.sizes().velocities;
        let mass_matrix = lower_of(&self.written_expressions(Quantity::MassMatrix), n);
        let mut graph = Graph::new();
        let pattern: Vec<NodeId> = (0..n)
            .flat_map(|i| (0..=i).map(move |k| (i, k)))
            .zip(&mass_matrix)
            .map(|((i, k), node)| match self.graph().is_zero(*node) {
                true => graph.integer(0),
                false => graph.symbol(entry(i, k)),
            })
            .collect();
        let forcing = graph.numbered(n, Symbol::Momentum);
        let code = schedule_solve(
            &graph,
            Equation {
                mass_matrix: &pattern,
                forcing: &forcing,
                jacobian: &[],
                gamma: &[],
                singular: false,
                others: &[],
            },
        );
        Some((code.schedule, code.factorization?))
    }

    /// Returns whether M is singular at every state, as with a quaternion and its constraint for the attitude. Only
    /// relevant with constraints: without them the system is rejected.
    pub(super) fn has_singular_mass_matrix(&self) -> bool {
        let sizes = self.sizes();
        if sizes.constraints == 0 {
            return false;
        }
        *self.singular.get_or_init(|| {
            let mass_matrix = self.written_expressions(Quantity::MassMatrix);
            let rows: Vec<Vec<NodeId>> = mass_matrix
                .chunks(sizes.velocities.max(1))
                .map(<[NodeId]>::to_vec)
                .collect();
            is_singular(&self.graph(), &rows) == Answer::Yes
        })
    }

    fn solve(&self, entries: Entries) -> SolveProgram {
        self.solve_by(entries, Order::LeastFill, false)
    }

    fn solve_by(&self, entries: Entries, order: Order, without_zeros: bool) -> SolveProgram {
        let Entries { nodes, parts } = entries;
        let part = |i: usize| &nodes[parts[i].clone()];
        let n = part(1).len();
        let mass_matrix = lower_of(part(0), n);
        let singular = self.has_singular_mass_matrix();
        let others: Vec<NodeId> = parts
            .get(SolveProgram::TERMS.len()..)
            .unwrap_or_default()
            .iter()
            .flat_map(|range| nodes[range.clone()].to_vec())
            .collect();
        let rows = self.rows_to_solve(part(2), part(3), without_zeros);
        let jacobian: Vec<NodeId> = rows
            .iter()
            .flat_map(|k| part(2)[k * n..][..n].to_vec())
            .collect();
        let gamma: Vec<NodeId> = rows.iter().map(|k| part(3)[*k]).collect();
        let equation = Equation {
            mass_matrix: &mass_matrix,
            forcing: part(1),
            jacobian: &jacobian,
            gamma: &gamma,
            singular,
            others: &others,
        };
        let mut code = schedule_solve_by(&self.graph(), equation, order);
        if rows.len() < part(3).len() {
            let first = mass_matrix.len() + n;
            insert_zero_rows(&mut code, (&rows, part(3).len()), first, n);
        }
        let mut schedule = code.schedule;
        let triangle = schedule.roots.drain(..mass_matrix.len());
        let full = symmetric(&triangle.collect::<Vec<_>>(), n);
        schedule.roots.splice(0..0, full);
        SolveProgram {
            terms: Program::new(schedule, nodes, parts),
            factorization: code.factorization,
        }
    }

    /// The rows of J to solve for: all, or those that are not zero by structure.
    fn rows_to_solve(
        &self,
        jacobian: &[NodeId],
        gamma: &[NodeId],
        without_zeros: bool,
    ) -> Vec<usize> {
        let graph = self.graph();
        let n = jacobian.len() / gamma.len().max(1);
        let is_zero = |k: usize| {
            jacobian[k * n..][..n]
                .iter()
                .chain([&gamma[k]])
                .all(|entry| graph.is_zero(*entry))
        };
        let is_kept = |k: &usize| !without_zeros || !is_zero(*k);
        (0..gamma.len()).filter(is_kept).collect()
    }
}

/// Puts the zeros of rows that were left out among the results, and among the multipliers. The entries of J begin at
/// `first`.
fn insert_zero_rows(
    code: &mut SolveSchedule,
    (kept_rows, rows): (&[usize], usize),
    first: usize,
    n: usize,
) {
    const ZERO: Operand = Operand::Constant(0.0);
    let roots = &mut code.schedule.roots;
    for row in (0..rows).filter(|row| !kept_rows.contains(row)) {
        let place = first + row * n;
        roots.splice(place..place, std::iter::repeat_n(ZERO, n));
        if let Some(factors) = &mut code.factorization {
            factors.multipliers.insert(row, ZERO);
        }
    }
    let gamma = first + rows * n;
    for row in (0..rows).filter(|row| !kept_rows.contains(row)) {
        roots.insert(gamma + row, ZERO);
    }
}
