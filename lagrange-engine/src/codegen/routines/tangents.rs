//! Derivatives of routines along a direction of all arguments and parameters.
//!
//! The tangent of a routine computes the results of the routine and their changes. Each array has a second one with its
//! changes: steps that are linear change both alike, straight-line code is differentiated as expressions, and the changes of
//! a dense solution are the solution of the same equations for other right-hand sides. Tests read the arrays themselves, so
//! that the tangent takes the same way as the routine.

mod code;
mod rotations;

use super::motion::arguments_of_mass;
use super::system::{Routines, private};
use crate::codegen::routine::{
    Argument, Array, Compute, Equations, Kernel, Routine, RoutineResult, Step, View, Write,
};
use crate::{Graph, NodeId, Symbol};
pub(super) use code::Code;
use code::Packed;
use rotations::{difference, moved};

/// The beginnings of the names of tangents of other routines, and of those that only others call.
const NAMES: [(&str, &str); 2] = [
    ("private tangent_", ""),
    ("private inner_tangent_", "private "),
];

/// The argument with the changes of the parameters.
const PARAMETERS: &str = "d_self";

impl Routines<'_> {
    /// The tangent of a routine: after its arguments the changes of each and those of the parameters, and after its results
    /// the changes of each. `None` if a step has no derivative.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Routines, System};
    /// // T = v^2, so that p = 2 v.
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let routines = Routines::new(&dynamics);
    /// let tangent = routines.tangent(&routines.method("momenta").unwrap()).unwrap();
    /// let given = [vec![0.0], vec![3.0], vec![0.0], vec![1.0], vec![]];
    /// assert_eq!(routines.run(&tangent, &given, &[]), Ok(vec![vec![6.0], vec![2.0]]));
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn tangent(&self, routine: &Routine) -> Option<Routine> {
        self.has_tangent(routine)
            .then(|| Tangent::new(self, routine).finish())
    }

    /// The tangent of this name.
    pub(super) fn tangent_method(&self, name: &str) -> Option<Routine> {
        let mut names = NAMES.iter();
        let name = names.find_map(|(prefix, private_prefix)| {
            Some(format!("{private_prefix}{}", name.strip_prefix(prefix)?))
        })?;
        self.tangent(&self.method(&name)?)
    }

    /// The tangent of this name of a routine that has the results of its stages as further arguments: solutions and their
    /// blocks.
    pub(super) fn tangent_with_blocks(
        &self,
        routine: &Routine,
        kept: &[Kept],
        further: Vec<Argument>,
        name: &str,
    ) -> Routine {
        let mut tangent = Tangent::new(self, routine);
        tangent.kept = Some(kept.iter());
        tangent.made.arguments.extend(further);
        name.clone_into(&mut tangent.made.name);
        tangent.finish()
    }

    fn has_tangent(&self, routine: &Routine) -> bool {
        let mut has = true;
        routine.for_each_step(&mut |step| {
            has &= match step {
                Step::Kernel { kernel, .. } => {
                    !matches!(kernel, Kernel::NullSpace(_) | Kernel::RotationMatrix)
                }
                Step::Call { routine, .. } => {
                    let called = self.method(routine);
                    called.is_some_and(|called| self.has_tangent(&called))
                }
                _ => true,
            };
        });
        has
    }
}

/// The name of the tangent of a routine.
pub(super) fn name_of_tangent(name: &str) -> String {
    match name.strip_prefix(NAMES[1].1) {
        Some(name) => format!("{}{name}", NAMES[1].0),
        None => format!("{}{name}", NAMES[0].0),
    }
}

/// The results of a solution that a routine calls, and their blocks: their numbers among the further results.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// The values.
    pub(super) values: Vec<usize>,
    /// For each value its blocks by the arguments of the call, and then the one by the parameters; `None` where nothing
    /// changes.
    pub(super) blocks: Vec<Vec<Option<usize>>>,
}

/// The tangent of a routine under construction.
struct Tangent<'a> {
    routines: &'a Routines<'a>,
    routine: &'a Routine,
    /// The argument with the changes of each argument; none for flags.
    arguments: Vec<Option<usize>>,
    /// The result with the changes of each result; none for a number of things.
    results: Vec<Option<usize>>,
    /// For each local array whether its changes are read.
    are_read: Vec<bool>,
    /// The changes of the parameters.
    parameters: View,
    /// The blocks of the solutions that the routine calls, as further arguments, if it has them; those of later calls.
    kept: Option<std::slice::Iter<'a, Kept>>,
    /// The first further argument.
    further: usize,
    made: Routine,
}

impl<'a> Tangent<'a> {
    fn new(routines: &'a Routines<'a>, routine: &'a Routine) -> Self {
        let mut made = Routine {
            name: name_of_tangent(&routine.name),
            steps: Vec::new(),
            ..routine.clone()
        };
        let arguments = routine.arguments.iter().map(|argument| {
            (!argument.is_flags).then(|| {
                made.arguments.push(Argument {
                    name: format!("d_{}", argument.name),
                    ..argument.clone()
                });
                made.arguments.len() - 1
            })
        });
        let arguments = arguments.collect();
        let length = routines.parameter_count();
        made.arguments.push(Argument {
            name: PARAMETERS.to_owned(),
            length,
            is_scalar: false,
            is_flags: false,
        });
        let results = routine.results.iter().map(|result| {
            (!result.is_count).then(|| {
                made.results.push(RoutineResult {
                    name: format!("d_{}", result.name),
                    ..result.clone()
                });
                made.results.len() - 1
            })
        });
        let results = results.collect();
        made.locals.extend(&routine.locals);
        let mut tangent = Self {
            routines,
            routine,
            arguments,
            results,
            are_read: vec![false; routine.locals.len()],
            parameters: View::whole(Array::Argument(made.arguments.len() - 1), length),
            kept: None,
            further: made.arguments.len(),
            made,
        };
        while tangent.note_reads() {}
        tangent
    }

    /// Notes the changes that steps read for changes that are read themselves; returns whether some of them are new.
    fn note_reads(&mut self) -> bool {
        let mut is_new = false;
        self.routine.for_each_step(&mut |step| {
            let mut writes = step.writes().into_iter();
            if writes.any(|view| self.read_changes(view).is_some()) {
                for view in reads_of_changes(step) {
                    if let Array::Local(at) = view.array {
                        is_new |= !std::mem::replace(&mut self.are_read[at], true);
                    }
                }
            }
        });
        is_new
    }

    fn finish(mut self) -> Routine {
        self.made.steps = self.steps(&self.routine.steps);
        self.made.without_unread()
    }

    /// The changes of the entries of a view; `None` if there are none.
    fn changes(&self, view: View) -> Option<View> {
        let array = match view.array {
            Array::Argument(at) => Array::Argument(self.arguments[at]?),
            Array::Result(at) => Array::Result(self.results[at]?),
            Array::Local(at) => Array::Local(self.routine.locals.len() + at),
        };
        Some(View { array, ..view })
    }

    /// The changes of a view, if later steps read them.
    fn read_changes(&self, view: View) -> Option<View> {
        let is_read = match view.array {
            Array::Local(at) => self.are_read[at],
            _ => true,
        };
        self.changes(view).filter(|_| is_read)
    }

    fn local(&mut self, rows: usize, columns: usize) -> View {
        self.made.locals.push(rows * columns);
        View::matrix(Array::Local(self.made.locals.len() - 1), rows, columns)
    }

    fn steps(&mut self, steps: &[Step]) -> Vec<Step> {
        let mut made = Vec::new();
        for step in steps {
            self.step(step, &mut made);
        }
        made
    }

    fn step(&mut self, step: &Step, made: &mut Vec<Step>) {
        match step {
            Step::Compute(compute) => self.compute(compute, made),
            Step::Call {
                routine,
                arguments,
                results,
                is_tried,
            } => self.call((routine, *is_tried), arguments, results, made),
            Step::Kernel {
                kernel,
                arguments,
                results,
            } => {
                self.before_kernel(*kernel, arguments, results, made);
                made.push(step.clone());
                self.after_kernel(*kernel, arguments, results, made);
            }
            Step::Copy {
                from,
                to,
                is_transposed,
                is_negated,
            } => {
                made.push(step.clone());
                if let Some(to) = self.read_changes(*to) {
                    made.push(match self.changes(*from) {
                        Some(from) => Step::Copy {
                            from,
                            to,
                            is_transposed: *is_transposed,
                            is_negated: *is_negated,
                        },
                        None => Step::Fill { to, value: 0.0 },
                    });
                }
            }
            Step::Fill { to, .. } => {
                made.push(step.clone());
                made.extend(self.zeros(*to));
            }
            Step::Add {
                from,
                to,
                factor,
                by,
            } => {
                if let Some(to) = self.read_changes(*to) {
                    let factor = *factor;
                    let terms = [
                        self.changes(*from).map(|from| (from, *by)),
                        by.and_then(|by| Some((*from, Some(self.changes(by)?)))),
                    ];
                    made.extend(terms.into_iter().flatten().map(|(from, by)| Step::Add {
                        from,
                        to,
                        factor,
                        by,
                    }));
                }
                made.push(step.clone());
            }
            Step::Multiply { left, right, to } => {
                if let Some(to) = self.read_changes(*to) {
                    let terms = [
                        self.changes(*left).map(|left| (left, *right)),
                        self.changes(*right).map(|right| (*left, right)),
                    ];
                    made.extend(
                        terms
                            .into_iter()
                            .flatten()
                            .map(|(left, right)| Step::Multiply { left, right, to }),
                    );
                }
                made.push(step.clone());
            }
            Step::ForEachRow { rows, unit, steps } => {
                made.extend(self.zeros(*unit));
                let steps = self.steps(steps);
                made.push(Step::ForEachRow {
                    rows: *rows,
                    unit: *unit,
                    steps,
                });
            }
            Step::Loop { most, steps } => {
                let steps = self.steps(steps);
                made.push(Step::Loop { most: *most, steps });
            }
            Step::If { condition, then } => {
                let then = self.steps(then);
                made.push(Step::If {
                    condition: condition.clone(),
                    then,
                });
            }
            Step::Apart { steps, .. } | Step::Library { steps, .. } => {
                made.extend(self.steps(steps));
            }
            Step::Identity { .. }
            | Step::Break
            | Step::Fail(_)
            | Step::RequireFinite(_)
            | Step::Return => made.push(step.clone()),
        }
    }

    fn zeros(&self, view: View) -> Option<Step> {
        let to = self.read_changes(view)?;
        Some(Step::Fill { to, value: 0.0 })
    }

    fn call(
        &mut self,
        (name, is_tried): (&str, bool),
        arguments: &[View],
        results: &[View],
        made: &mut Vec<Step>,
    ) {
        if !is_tried && self.routines.has_blocks(name) {
            let kept = self.kept.as_mut().and_then(Iterator::next);
            if let Some(kept) = kept {
                self.solved(kept, arguments, results, made);
                return;
            }
        }
        if results
            .iter()
            .all(|view| self.read_changes(*view).is_none())
        {
            made.push(Step::Call {
                routine: name.to_owned(),
                arguments: arguments.to_vec(),
                results: results.to_vec(),
                is_tried,
            });
            return;
        }
        let arguments_with_changes = self.with_changes(arguments);
        let mut places = results.to_vec();
        for view in results {
            let place = self.read_changes(*view);
            places.push(place.unwrap_or_else(|| self.local(view.rows, view.columns)));
        }
        made.push(Step::Call {
            routine: name_of_tangent(name),
            arguments: arguments_with_changes,
            results: places,
            is_tried,
        });
        if [private::POSITIONS, private::VELOCITIES].contains(&name) {
            self.keep_on_constraints(name == private::POSITIONS, arguments, results[0], made);
        }
    }

    /// A solution that was kept, and its changes by its blocks.
    fn solved(&self, kept: &Kept, arguments: &[View], results: &[View], made: &mut Vec<Step>) {
        let first = self.further;
        let argument = |at: usize, rows: usize, columns: usize| {
            View::matrix(Array::Argument(first + at), rows, columns)
        };
        for ((at, view), blocks) in kept.values.iter().zip(results).zip(&kept.blocks) {
            made.push(copied(argument(*at, view.rows, view.columns), *view, false));
            let Some(to) = self.read_changes(*view) else {
                continue;
            };
            made.push(Step::Fill { to, value: 0.0 });
            let changes = arguments
                .iter()
                .map(|view| self.changes(*view))
                .chain([Some(self.parameters)]);
            for (at, left) in blocks.iter().zip(changes) {
                let Some((at, left)) = at.zip(left.filter(|left| !left.is_empty())) else {
                    continue;
                };
                made.push(Step::Multiply {
                    left: row(left),
                    right: argument(at, left.len(), to.len()),
                    to: row(to),
                });
            }
        }
    }

    /// Arguments of a tangent. Flags have no changes, and stay flags in called routines.
    fn with_changes(&self, arguments: &[View]) -> Vec<View> {
        let changes = arguments.iter().filter_map(|view| self.changes(*view));
        arguments
            .iter()
            .copied()
            .chain(changes)
            .chain([self.parameters])
            .collect()
    }

    /// Adds to the changes of a projection those of one further step of its iteration, which moves the values by rounding
    /// errors only. An iteration that ends at its start has no step.
    fn keep_on_constraints(
        &mut self,
        are_positions: bool,
        arguments: &[View],
        end: View,
        made: &mut Vec<Step>,
    ) {
        let routines = self.routines;
        let sizes = routines.sizes();
        let (n, c) = (sizes.velocities, sizes.constraints);
        let count = if are_positions { sizes.holonomic } else { c };
        let Some(changes) = self.changes(end).filter(|_| count > 0) else {
            return;
        };
        let (time, state) = arguments.split_at(arguments.len() - 2);
        let at = match are_positions {
            true => [time, &[end]].concat(),
            false => [time, &[state[0], end]].concat(),
        };
        let [residuals, changed, limits, of_limits] = [(); 4].map(|()| self.local(1, count));
        let [jacobian, of_jacobian] = [(); 2].map(|()| self.local(count, n));
        let (name, results) = match are_positions {
            true => {
                let values = vec![residuals, jacobian, limits];
                let changes = [changed, of_jacobian, of_limits];
                (private::RESIDUALS, [values, changes.to_vec()].concat())
            }
            false => (private::RATES, vec![residuals, limits, changed, of_limits]),
        };
        let mut call = |routine: String, arguments: Vec<View>, results: Vec<View>| {
            made.push(Step::Call {
                routine,
                arguments,
                results,
                is_tried: false,
            });
        };
        call(name_of_tangent(name), self.with_changes(&at), results);
        if !are_positions {
            let position = [time, &state[..1]].concat();
            call(private::JACOBIAN.to_owned(), position, vec![jacobian]);
        }
        let mass = self.local(n, n);
        let of_mass = arguments_of_mass(routines).len();
        let state_of_mass = [time, &state[..of_mass]].concat();
        call("mass_matrix".to_owned(), state_of_mass, vec![mass]);
        let [forces, step] = [(); 2].map(|()| self.local(1, n));
        let [wanted, multipliers] = [(); 2].map(|()| self.local(1, count));
        let rates = self.local(1, changes.len());
        made.push(Step::Fill {
            to: forces,
            value: 0.0,
        });
        made.push(Step::Copy {
            from: changed,
            to: wanted,
            is_transposed: false,
            is_negated: true,
        });
        let equations = match routines.has_redundant_rows() {
            true => Equations::LeastSquares {
                is_coarse: are_positions,
            },
            false => Equations::Regular,
        };
        made.push(Step::Kernel {
            kernel: Kernel::Solve(equations),
            arguments: vec![mass, jacobian, forces, wanted],
            results: vec![step, multipliers],
        });
        let is_turned = are_positions && !routines.kinematics().is_trivial();
        if is_turned {
            made.push(Step::Call {
                routine: "coordinate_rates".to_owned(),
                arguments: [time, &[end, step]].concat(),
                results: vec![rates],
                is_tried: false,
            });
        }
        made.push(Step::Add {
            from: if is_turned { rates } else { step },
            to: changes,
            factor: 1.0,
            by: None,
        });
    }

    /// Straight-line code, and that for the changes of the values that it writes.
    fn compute(&mut self, compute: &Compute, made: &mut Vec<Step>) {
        let writes: Vec<(&Write, View)> = compute
            .writes
            .iter()
            .filter_map(|write| Some((write, self.read_changes(write.to)?)))
            .collect();
        if writes.is_empty() {
            made.push(Step::Compute(compute.clone()));
            return;
        }
        let mut code = Code::new(compute);
        let packed = code.inputs(|view| self.changes(view), self.parameters);
        let local = self.local(1, packed.length);
        let roots: Vec<NodeId> = writes
            .iter()
            .flat_map(|(write, _)| &write.values)
            .map(|value| code.operand(*value))
            .collect();
        let mut remaining = &code.changes(&roots, &packed.direction)[..];
        let mut graph = Vec::new();
        for (write, to) in &writes {
            let (values, later_values) = remaining.split_at(write.values.len());
            remaining = later_values;
            graph.push((*to, values.to_vec(), write.adds, write.flag));
        }
        let of_changes = code.written(local, graph);
        if matches!(&of_changes, Step::Compute(compute) if !compute.reads.is_empty()) {
            made.extend(packed.copies(local));
        }
        made.push(Step::Compute(compute.clone()));
        made.push(of_changes);
    }

    /// A function of arrays as expressions, and its changes.
    fn function(
        &mut self,
        (arguments, to): (&[View], View),
        value: impl Fn(&mut Graph, &[Vec<NodeId>]) -> Vec<NodeId>,
        made: &mut Vec<Step>,
    ) {
        let Some(to) = self.read_changes(to) else {
            return;
        };
        let mut code = Code::default();
        let mut packed = Packed::default();
        let mut arrays = Vec::new();
        for view in arguments {
            let first = packed.add(*view, self.changes(*view));
            let symbols = (first..first + view.len()).map(|at| Symbol::Weight(at as u32));
            arrays.push(symbols.map(|symbol| code.graph.symbol(symbol)).collect());
        }
        packed.directions(&mut code.graph);
        let local = self.local(1, packed.length);
        made.extend(packed.copies(local));
        let roots = value(&mut code.graph, &arrays);
        let changes = code.changes(&roots, &packed.direction);
        made.push(code.written(local, vec![(to, changes, false, None)]));
    }

    /// The changes of operations whose results may replace their arguments.
    fn before_kernel(
        &mut self,
        kernel: Kernel,
        arguments: &[View],
        results: &[View],
        made: &mut Vec<Step>,
    ) {
        match kernel {
            Kernel::Moved => self.function((arguments, results[0]), moved, made),
            Kernel::Difference => self.function((arguments, results[0]), difference, made),
            _ => {}
        }
    }

    fn after_kernel(
        &mut self,
        kernel: Kernel,
        arguments: &[View],
        results: &[View],
        made: &mut Vec<Step>,
    ) {
        match kernel {
            Kernel::Solve(equations)
            | Kernel::SolveUnchecked(equations)
            | Kernel::TrySolve(equations) => {
                let [a, lambda] = [results[0], results[1]];
                let places = [a, lambda].map(|view| self.read_changes(view));
                if places == [None, None] {
                    return;
                }
                let (matrices, right) = arguments.split_at(equations.count());
                let [forces, rates] =
                    [right[0], right[1]].map(|side| self.local(side.rows, side.columns));
                // One row for each right-hand side.
                let [a, lambda] = [(a, forces), (lambda, rates)].map(|(view, side)| {
                    let (array, advance) = (view.array, view.advance);
                    View {
                        offset: view.offset,
                        advance,
                        ..View::matrix(array, side.rows, side.columns)
                    }
                });
                for (from, to) in right.iter().zip([forces, rates]) {
                    made.push(match self.changes(*from) {
                        Some(from) => copied(from, to, false),
                        None => Step::Fill { to, value: 0.0 },
                    });
                }
                // M is symmetric.
                if let Some(changes) = self.changes(matrices[0]) {
                    self.subtract((a, changes), forces, made);
                }
                if let Some(changes) = self.changes(matrices[1]) {
                    let columns = self.local(changes.columns, changes.rows);
                    made.push(copied(changes, columns, true));
                    self.subtract((a, columns), rates, made);
                    if !equations.reacts() {
                        made.push(Step::Multiply {
                            left: lambda,
                            right: changes,
                            to: forces,
                        });
                    }
                }
                if let Some(changes) = matrices.get(2).and_then(|view| self.changes(*view)) {
                    let rows = self.local(changes.columns, changes.rows);
                    made.push(copied(changes, rows, true));
                    made.push(Step::Multiply {
                        left: lambda,
                        right: rows,
                        to: forces,
                    });
                }
                let spreads = equations.spreads() && places[1].is_some();
                let equations = equations.of_derivatives();
                let solved: Vec<View> = places
                    .into_iter()
                    .zip([forces, rates])
                    .map(|(place, side)| {
                        place.unwrap_or_else(|| self.local(side.rows, side.columns))
                    })
                    .collect();
                // The caller looks at the error of the values.
                let kernel = match kernel {
                    Kernel::Solve(_) => Kernel::Solve(equations),
                    _ => Kernel::SolveUnchecked(equations),
                };
                made.extend(results[2..].iter().filter_map(|view| self.zeros(*view)));
                let changes = solved[1];
                made.push(Step::Kernel {
                    kernel,
                    arguments: [matrices, &[forces, rates]].concat(),
                    results: solved,
                });
                if spreads {
                    self.spread([matrices[0], matrices[1]], (lambda, changes), made);
                }
            }
            Kernel::Significant | Kernel::Changes => {
                if let Some(to) = self.read_changes(results[0]) {
                    made.push(match self.changes(arguments[0]) {
                        Some(from) => Step::Copy {
                            from,
                            to,
                            is_transposed: false,
                            is_negated: kernel == Kernel::Changes,
                        },
                        None => Step::Fill { to, value: 0.0 },
                    });
                }
            }
            Kernel::IsClear | Kernel::Limits | Kernel::Remaining | Kernel::Agreement => {
                made.extend(results.iter().filter_map(|view| self.zeros(*view)));
            }
            Kernel::Moved
            | Kernel::Difference
            | Kernel::NullSpace(_)
            | Kernel::RotationMatrix
            | Kernel::ContactMotion { .. }
            | Kernel::ContactImpact { .. } => {}
        }
    }

    /// The changes of the least multipliers from those of the independent rows, with zeros for the others. The least ones
    /// are orthogonal to each n with J^T n = 0. So n^T dlambda = n^T dJ x for an x with J x = lambda, and apart from the
    /// least multipliers that have the same J^T, dlambda is dJ x.
    fn spread(
        &mut self,
        [mass, jacobian]: [View; 2],
        (values, to): (View, View),
        made: &mut Vec<Step>,
    ) {
        let (n, c, count) = (jacobian.columns, jacobian.rows, values.rows);
        // dJ x - dlambda
        let left = self.local(count, c);
        made.push(Step::Fill {
            to: left,
            value: 0.0,
        });
        if let Some(changes) = self.changes(jacobian) {
            let [forces, motion] = [(); 2].map(|()| self.local(count, n));
            let multipliers = self.local(count, c);
            made.push(Step::Fill {
                to: forces,
                value: 0.0,
            });
            made.push(Step::Kernel {
                kernel: Kernel::SolveUnchecked(Equations::LeastSquares { is_coarse: false }),
                arguments: vec![mass, jacobian, forces, values],
                results: vec![motion, multipliers],
            });
            let columns = self.local(n, c);
            made.push(copied(changes, columns, true));
            made.push(Step::Multiply {
                left: motion,
                right: columns,
                to: left,
            });
        }
        let difference = |from: View, to: View, factor: f64| Step::Add {
            from,
            to,
            factor,
            by: None,
        };
        made.push(difference(to, left, -1.0));
        // Its least multipliers balance the forces -J^T of it.
        let [forces, motion] = [(); 2].map(|()| self.local(count, n));
        let [rates, least] = [(); 2].map(|()| self.local(count, c));
        let rank = self.local(1, 1);
        for side in [forces, rates] {
            made.push(Step::Fill {
                to: side,
                value: 0.0,
            });
        }
        self.subtract((left, jacobian), forces, made);
        made.push(Step::Kernel {
            kernel: Kernel::SolveUnchecked(Equations::Redundant),
            arguments: vec![mass, jacobian, forces, rates],
            results: vec![motion, least, rank],
        });
        made.push(difference(left, to, 1.0));
        made.push(difference(least, to, -1.0));
    }

    /// to -= left * right
    fn subtract(&mut self, (left, right): (View, View), to: View, made: &mut Vec<Step>) {
        if to.is_empty() {
            return;
        }
        let product = self.local(to.rows, to.columns);
        made.push(Step::Fill {
            to: product,
            value: 0.0,
        });
        made.push(Step::Multiply {
            left,
            right,
            to: product,
        });
        made.push(Step::Add {
            from: product,
            to,
            factor: -1.0,
            by: None,
        });
    }
}

/// A contiguous view as one row.
fn row(view: View) -> View {
    View {
        rows: 1,
        columns: view.len(),
        stride: view.len(),
        ..view
    }
}

fn copied(from: View, to: View, is_transposed: bool) -> Step {
    Step::Copy {
        from,
        to,
        is_transposed,
        is_negated: false,
    }
}

/// The views whose changes a step needs for those of its results. Sums read their own, too.
fn reads_of_changes(step: &Step) -> Vec<View> {
    match step {
        Step::Library { .. } => Vec::new(),
        Step::Compute(compute) => compute.reads.iter().map(|(_, view)| *view).collect(),
        Step::Add { from, by, .. } => [*from].into_iter().chain(*by).collect(),
        Step::Multiply { left, right, .. } => vec![*left, *right],
        _ => step.reads(),
    }
}
