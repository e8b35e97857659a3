//! The interpreter of routines: every backend must compute the same.

use super::kernels;
use super::ldlt::threshold;
use super::redundant::{self, Redundant};
use super::routine::{
    AcceptanceTest, Array, Compute, Condition, Equations, Input, Kernel, Pivots, Routine,
    RoutineError, Step, View,
};
use super::routines::Routines;
use crate::Symbol;

const ERRORS: [RoutineError; 4] = [
    RoutineError::SingularMassMatrix,
    RoutineError::DependentConstraints,
    RoutineError::NotConverged,
    RoutineError::NotFinite,
];

/// The end of a list of steps.
enum End {
    /// All of them were done.
    Through,
    /// The loop ended.
    Broken,
    /// The routine returned.
    Returned,
}

/// The arrays of a running routine.
struct Frame<'a> {
    arguments: &'a [Vec<f64>],
    parameters: &'a [f64],
    results: Vec<Vec<f64>>,
    locals: Vec<Vec<f64>>,
    /// The pass of the enclosing loop.
    pass: usize,
}

impl Routines<'_> {
    /// The results of a method for these arguments and parameters.
    ///
    /// # Errors
    ///
    /// The errors of the method, and `NotFinite` for an unknown name.
    pub fn evaluate(
        &self,
        method: &str,
        arguments: &[Vec<f64>],
        parameters: &[f64],
    ) -> Result<Vec<Vec<f64>>, RoutineError> {
        let routine = self.method(method).ok_or(RoutineError::NotFinite)?;
        self.run(&routine, arguments, parameters)
    }

    /// The results of a routine for these arguments and parameters.
    ///
    /// # Errors
    ///
    /// The errors of the routine.
    pub fn run(
        &self,
        routine: &Routine,
        arguments: &[Vec<f64>],
        parameters: &[f64],
    ) -> Result<Vec<Vec<f64>>, RoutineError> {
        let results = routine.results.iter();
        let locals = routine.locals.iter();
        let mut frame = Frame {
            arguments,
            parameters,
            results: results
                .map(|result| vec![0.0; result.shape.len()])
                .collect(),
            locals: locals.map(|length| vec![0.0; *length]).collect(),
            pass: 0,
        };
        self.steps(&routine.steps, &mut frame)?;
        Ok(frame.results)
    }

    fn steps(&self, steps: &[Step], frame: &mut Frame) -> Result<End, RoutineError> {
        for step in steps {
            match step {
                Step::Compute(compute) => frame.compute(compute),
                Step::Call {
                    routine,
                    arguments,
                    results,
                    is_tried,
                } => {
                    let given: Vec<Vec<f64>> =
                        arguments.iter().map(|view| frame.read(*view)).collect();
                    let values = match self.evaluate(routine, &given, frame.parameters) {
                        Err(_) if *is_tried => continue,
                        values => values?,
                    };
                    for (view, values) in results.iter().zip(values) {
                        frame.write(*view, &values);
                    }
                }
                Step::Kernel {
                    kernel,
                    arguments,
                    results,
                } => {
                    let given: Vec<Vec<f64>> =
                        arguments.iter().map(|view| frame.read(*view)).collect();
                    let values = kernel_values(*kernel, &given, arguments)?;
                    for (view, values) in results.iter().zip(values) {
                        frame.write(*view, &values);
                    }
                }
                Step::Copy {
                    from,
                    to,
                    is_transposed,
                    is_negated,
                } => {
                    let mut values = frame.read(*from);
                    if *is_negated {
                        values = values.iter().map(|x| 0.0 - x).collect();
                    }
                    if *is_transposed {
                        values = transposed(&values, from.rows, from.columns);
                    }
                    frame.write(*to, &values);
                }
                Step::Fill { to, value } => frame.write(*to, &vec![*value; to.len()]),
                Step::Identity { to } => {
                    for i in 0..to.rows.min(to.columns) {
                        frame.write(to.block((i, i), 1, 1), &[1.0]);
                    }
                }
                Step::Add {
                    from,
                    to,
                    factor,
                    by,
                } => {
                    let factor = by.map_or(*factor, |by| factor * frame.read(by)[0]);
                    let sums = frame.read(*to).into_iter().zip(frame.read(*from));
                    let sums: Vec<f64> = sums.map(|(sum, x)| sum + factor * x).collect();
                    frame.write(*to, &sums);
                }
                Step::Multiply { left, right, to } => {
                    let (a, b) = (frame.read(*left), frame.read(*right));
                    let mut sums = frame.read(*to);
                    for i in 0..left.rows {
                        for k in 0..left.columns {
                            for j in 0..right.columns {
                                sums[i * to.columns + j] +=
                                    a[i * left.columns + k] * b[k * right.columns + j];
                            }
                        }
                    }
                    frame.write(*to, &sums);
                }
                Step::ForEachRow { rows, unit, steps } => {
                    for pass in 0..*rows {
                        frame.pass = pass;
                        let mut row = vec![0.0; unit.len()];
                        row[pass] = 1.0;
                        frame.write(*unit, &row);
                        self.steps(steps, frame)?;
                    }
                    frame.pass = 0;
                }
                Step::Loop { most, steps } => {
                    for _ in 0..*most {
                        match self.steps(steps, frame)? {
                            End::Through => {}
                            End::Broken => break,
                            End::Returned => return Ok(End::Returned),
                        }
                    }
                }
                Step::Apart { steps, .. } | Step::Library { steps, .. } => {
                    match self.steps(steps, frame)? {
                        End::Through => {}
                        end => return Ok(end),
                    }
                }
                Step::Break => return Ok(End::Broken),
                Step::Fail(status) => {
                    let status = frame.read(*status)[0];
                    if let Some(error) = ERRORS.into_iter().find(|e| f64::from(*e as u8) == status)
                    {
                        return Err(error);
                    }
                }
                Step::If { condition, then } => {
                    if frame.holds(condition) {
                        match self.steps(then, frame)? {
                            End::Through => {}
                            end => return Ok(end),
                        }
                    }
                }
                Step::RequireFinite(views) => {
                    if !views.iter().all(|view| frame.is_finite(*view)) {
                        return Err(RoutineError::NotFinite);
                    }
                }
                Step::Return => return Ok(End::Returned),
            }
        }
        Ok(End::Through)
    }
}

/// The results of a dense operation on arguments of these shapes.
fn kernel_values(
    kernel: Kernel,
    given: &[Vec<f64>],
    views: &[View],
) -> Result<Vec<Vec<f64>>, RoutineError> {
    let quaternion = |at: usize| [0, 1, 2, 3].map(|i| given[at][i]);
    Ok(match kernel {
        Kernel::Solve(equations)
        | Kernel::SolveUnchecked(equations)
        | Kernel::TrySolve(equations) => {
            let (n, c) = (views[0].rows, views[1].rows);
            let (matrices, right) = given.split_at(equations.count());
            let forces = matrices.get(2).map(Vec::as_slice);
            let is_checked = !matches!(kernel, Kernel::SolveUnchecked(_));
            let spreads = equations.spreads();
            let mut rank = None;
            let solved = if equations.may_depend() {
                let matrix = Redundant::new((n, c), (&given[0], &given[1]), forces, equations);
                rank = spreads.then(|| vec![matrix.rows.rank as f64]);
                matrix.solve(&right[0], &right[1], is_checked)
            } else {
                let matrix = kernels::Saddle::new((n, c), &given[0], &given[1], forces);
                matrix.solve(&right[0], &right[1], is_checked)
            };
            if matches!(kernel, Kernel::TrySolve(_)) {
                let status = solved.as_ref().err().map_or(0.0, |e| f64::from(*e as u8));
                let [a, lambda] = solved.unwrap_or_default();
                vec![a, lambda, vec![status]]
            } else {
                let [a, lambda] = solved?;
                [a, lambda].into_iter().chain(rank).collect()
            }
        }
        Kernel::IsClear => {
            let size = (views[0].rows, views[1].rows);
            let matrices = (&given[0][..], &given[1][..]);
            let matrix = Redundant::new(size, matrices, None, Equations::Redundant);
            let is_clear = matrix.is_clear(&given[2], &given[3]);
            vec![vec![f64::from(u8::from(is_clear))]]
        }
        Kernel::NullSpace(rank) => redundant::null_space(&given[0], views[0].columns, rank)
            .ok_or(RoutineError::DependentConstraints)?
            .to_vec(),
        Kernel::Limits => vec![kernels::limits(&given[0])],
        Kernel::Changes => vec![kernels::changes(&given[0], &given[1])],
        Kernel::Remaining => vec![vec![kernels::remaining(&given[0], &given[1], &given[2])]],
        Kernel::Significant => vec![kernels::significant(&given[0], &given[1], views[0].rows)],
        Kernel::Agreement => {
            let size = (views[0].rows, views[1].rows);
            redundant::agreement(size, (&given[0], &given[1]), &given[2]).to_vec()
        }
        Kernel::Moved => {
            let d = [0, 1, 2].map(|i| given[1][i]);
            vec![kernels::moved(quaternion(0), d).to_vec()]
        }
        Kernel::Difference => vec![kernels::difference(quaternion(0), quaternion(1)).to_vec()],
        Kernel::RotationMatrix => vec![kernels::rotation_matrix(quaternion(0)).concat()],
    })
}

fn transposed(values: &[f64], rows: usize, columns: usize) -> Vec<f64> {
    let places = (0..columns).flat_map(|j| (0..rows).map(move |i| (i, j)));
    places.map(|(i, j)| values[i * columns + j]).collect()
}

impl Frame<'_> {
    fn array(&self, array: Array) -> &[f64] {
        match array {
            Array::Argument(at) => &self.arguments[at],
            Array::Result(at) => &self.results[at],
            Array::Local(at) => &self.locals[at],
        }
    }

    /// The entries of a view, row by row.
    fn read(&self, view: View) -> Vec<f64> {
        let array = self.array(view.array);
        let places = (0..view.rows).flat_map(|i| (0..view.columns).map(move |j| (i, j)));
        places
            .map(|(i, j)| array[view.at(i, j, self.pass)])
            .collect()
    }

    fn write(&mut self, view: View, values: &[f64]) {
        let array = match view.array {
            // Arguments are read only.
            Array::Argument(_) => return,
            Array::Result(at) => &mut self.results[at],
            Array::Local(at) => &mut self.locals[at],
        };
        for (place, value) in values.iter().enumerate() {
            let (i, j) = (place / view.columns, place % view.columns);
            array[view.at(i, j, self.pass)] = *value;
        }
    }

    fn compute(&mut self, compute: &Compute) {
        let mut code = compute.schedule.clone();
        code.roots = compute
            .writes
            .iter()
            .flat_map(|write| write.values.clone())
            .collect();
        let value = |symbol: Symbol| match (symbol, Input::of(symbol)) {
            (Symbol::Parameter(at), _) => self.parameters[at as usize],
            (_, Some((input, at))) => {
                let read = compute.reads.iter().find(|(known, _)| *known == input);
                read.map_or(f64::NAN, |(_, view)| {
                    self.array(view.array)[view.at(0, at, self.pass)]
                })
            }
            (_, None) => f64::NAN,
        };
        let values = code.evaluate(&value);
        let mut rest = &values[..];
        for write in &compute.writes {
            let (own, others) = rest.split_at(write.values.len());
            rest = others;
            if write.flag.is_some_and(|flag| self.read(flag)[0] != 1.0) {
                continue;
            }
            if write.adds {
                let sums = self.read(write.to).into_iter().zip(own);
                let sums: Vec<f64> = sums.map(|(sum, x)| sum + x).collect();
                self.write(write.to, &sums);
            } else {
                self.write(write.to, own);
            }
        }
    }

    fn is_finite(&self, view: View) -> bool {
        self.read(view).iter().all(|x| x.is_finite())
    }

    fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Accepted { finite, test } => {
                finite.iter().all(|view| self.is_finite(*view)) && self.is_accepted(test)
            }
            Condition::Met { residual, terms } => self.is_met(*residual, *terms),
            Condition::Regular {
                pivots,
                diagonal,
                share,
            } => {
                let mut pairs = self.read(*pivots).into_iter().zip(self.read(*diagonal));
                pairs.all(|(pivot, entry)| pivot > share * entry && share * entry > 0.0)
            }
            Condition::Finite(views) => views.iter().all(|view| self.is_finite(*view)),
            Condition::All(all) => all.iter().all(|condition| self.holds(condition)),
            Condition::Not(condition) => !self.holds(condition),
            Condition::Within {
                values,
                limits,
                times,
            } => {
                let mut pairs = self.read(*values).into_iter().zip(self.read(*limits));
                pairs.all(|(value, limit)| value.abs() * times <= limit)
            }
            Condition::Below {
                left,
                right,
                factor,
            } => self.read(*left)[0] < factor * self.read(*right)[0],
            Condition::Equal(a, b) => self.read(*a) == self.read(*b),
            Condition::Is(scalar, value) => self.read(*scalar)[0] == *value,
        }
    }

    fn is_met(&self, residual: View, terms: View) -> bool {
        let mut pairs = self.read(residual).into_iter().zip(self.read(terms));
        pairs.all(|(left, size)| left.abs() <= kernels::ACCEPTED * f64::EPSILON * size)
    }

    fn is_accepted(&self, test: &AcceptanceTest) -> bool {
        let (mass, complement) = (self.pivots(&test.mass), self.pivots(&test.complement));
        let values = self.read(test.values);
        let share = threshold(mass.count(), f64::EPSILON);
        let are_regular = mass.entries.iter().all(|pivot| *pivot > 0.0)
            && mass
                .reduced
                .iter()
                .all(|(pivot, entry)| *pivot > share * entry);
        if !test.is_constrained {
            let sum: f64 = mass.entries.iter().chain(&values).sum();
            return are_regular && sum.is_finite();
        }
        let (least, most) = kernels::ORDINARY;
        let diagonal = complement.reduced.iter().map(|(_, entry)| entry);
        let scale: f64 = complement.entries.iter().chain(diagonal).sum();
        let floor = scale * f64::EPSILON + least;
        let share = threshold(complement.count(), f64::EPSILON);
        let reduced = mass.reduced.iter().map(|(pivot, _)| pivot);
        let pivots: f64 = mass.entries.iter().chain(reduced).sum();
        let size: f64 = self.read(test.terms).iter().sum();
        let sizes = size + values.iter().map(|x| x.abs()).sum::<f64>();
        are_regular
            && pivots <= most
            && scale <= most
            && complement.entries.iter().all(|pivot| *pivot > floor)
            && complement
                .reduced
                .iter()
                .all(|(pivot, entry)| *pivot > share * entry + floor)
            && self.is_met(test.residual, test.terms)
            && sizes <= most
            && (size >= least || size == 0.0)
    }

    fn pivots(&self, pivots: &Pivots) -> PivotValues {
        let reduced = self.read(pivots.reduced).into_iter();
        PivotValues {
            entries: self.read(pivots.entries),
            reduced: reduced.zip(self.read(pivots.diagonal)).collect(),
        }
    }
}

/// The pivots that are diagonal entries, and the others with their diagonal entries.
struct PivotValues {
    entries: Vec<f64>,
    reduced: Vec<(f64, f64)>,
}

impl PivotValues {
    fn count(&self) -> usize {
        self.entries.len() + self.reduced.len()
    }
}
