//! The execution of a tape for some states at once.

use super::block::{self, Block, Lanes, Mask};
use super::{Act, Compiled, Failure, Tape, conditions, dense};
use crate::codegen::kernels::Refused;
use crate::codegen::routine::{Array, Kernel, RoutineError, Step, View};

const ERRORS: [RoutineError; 4] = [
    RoutineError::SingularMassMatrix,
    RoutineError::DependentConstraints,
    RoutineError::NotConverged,
    RoutineError::NotFinite,
];

/// A running tape.
pub(super) struct Run<'a, const L: usize> {
    tape: &'a Tape,
    memory: Vec<Lanes<L>>,
    /// The error of each lane.
    errors: [Option<RoutineError>; L],
    /// The row of the last dense operation of each lane that found one that depends on others.
    rows: [Option<usize>; L],
    /// The pass of the enclosing loop over rows.
    pass: usize,
}

impl<'a, const L: usize> Run<'a, L> {
    pub(super) fn new(tape: &'a Tape, parameters: &[f64]) -> Self {
        let mut memory = vec![[0.0; L]; tape.size];
        let (constants, others) = memory.split_at_mut(tape.constants.len());
        for (place, value) in constants.iter_mut().zip(&tape.constants) {
            *place = [*value; L];
        }
        for (at, place) in others.iter_mut().take(tape.parameters).enumerate() {
            *place = [parameters.get(at).copied().unwrap_or(f64::NAN); L];
        }
        Self {
            tape,
            memory,
            errors: [None; L],
            rows: [None; L],
            pass: 0,
        }
    }

    pub(super) fn evaluate(
        mut self,
        count: usize,
        arguments: &[&[f64]],
        results: &mut [&mut [f64]],
    ) -> Result<(), Failure> {
        let Some(own) = self.tape.routines.last() else {
            return Ok(());
        };
        let mut first = None;
        for start in (0..count).step_by(L) {
            self.read(own, arguments, (start, count));
            (self.errors, self.rows) = ([None; L], [None; L]);
            let mut live = [true; L];
            self.acts(&own.acts, own, &mut live, &mut [false; L]);
            let states = (start..count).take(L).enumerate();
            for (lane, state) in states {
                match self.errors[lane] {
                    None => self.write_results(own, results, (lane, state)),
                    Some(error) => {
                        let is_dependent = error == RoutineError::DependentConstraints;
                        let row = self.rows[lane].filter(|_| is_dependent);
                        first.get_or_insert(Failure { state, error, row });
                    }
                }
            }
        }
        first.map_or(Ok(()), Err)
    }

    /// Reads the arguments of the states from `start` on. Behind the last state its arguments are repeated, so that all
    /// lanes go the same ways.
    fn read(&mut self, own: &Compiled, arguments: &[&[f64]], (start, count): (usize, usize)) {
        for (at, argument) in own.arguments.iter().enumerate() {
            let given = arguments.get(at).copied().unwrap_or_default();
            for entry in 0..argument.length {
                let lanes = std::array::from_fn(|lane| {
                    let state = if argument.is_scalar {
                        0
                    } else {
                        (start + lane).min(count - 1)
                    };
                    given
                        .get(state * argument.length + entry)
                        .copied()
                        .unwrap_or(f64::NAN)
                });
                self.memory[own.places.arguments[at] + entry] = lanes;
            }
        }
    }

    fn write_results(
        &self,
        own: &Compiled,
        results: &mut [&mut [f64]],
        (lane, state): (usize, usize),
    ) {
        let pairs = own.results.iter().zip(&own.places.results).zip(results);
        for ((result, place), written) in pairs {
            let length = result.shape.len();
            let values = &self.memory[*place..*place + length];
            let to = written.iter_mut().skip(state * length);
            for (to, value) in to.zip(values) {
                *to = value[lane];
            }
        }
    }

    /// Runs steps for the lanes in `live`, and takes those out that end before the last step. Those that leave the
    /// enclosing loop are in `broken` then.
    fn acts(&mut self, acts: &[Act], of: &Compiled, live: &mut Mask<L>, broken: &mut Mask<L>) {
        for act in acts {
            if !live.contains(&true) {
                return;
            }
            match act {
                Act::Compute(block) => self.compute(block, of, live),
                Act::Call(number, arguments, results, is_tried) => {
                    self.call(*number, of, (arguments, results), *is_tried, live);
                }
                Act::ForEachRow(rows, unit, acts) => {
                    for pass in 0..*rows {
                        self.pass = pass;
                        for j in 0..unit.len() {
                            let entry = if j == pass { 1.0 } else { 0.0 };
                            self.set(of, *unit, (0, j), [entry; L], live);
                        }
                        self.acts(acts, of, live, broken);
                    }
                    self.pass = 0;
                }
                Act::Loop(most, acts) => {
                    let mut ended = [false; L];
                    for _ in 0..*most {
                        self.acts(acts, of, live, &mut ended);
                        if !live.contains(&true) {
                            break;
                        }
                    }
                    join(live, &ended);
                }
                Act::If(condition, acts) => {
                    let holds =
                        conditions::holds(condition, &|view, i, j| self.entry(of, view, (i, j)));
                    let mut then: Mask<L> = std::array::from_fn(|lane| live[lane] && holds[lane]);
                    let elsewhere: Mask<L> = std::array::from_fn(|lane| live[lane] && !holds[lane]);
                    self.acts(acts, of, &mut then, broken);
                    *live = elsewhere;
                    join(live, &then);
                }
                Act::Kernel(kernel, arguments, results) => {
                    self.kernel(*kernel, of, (arguments, results), live);
                }
                Act::Single(step) => self.single(step, of, live, broken),
            }
        }
    }

    fn single(&mut self, step: &Step, of: &Compiled, live: &mut Mask<L>, broken: &mut Mask<L>) {
        match step {
            Step::Copy {
                from,
                to,
                is_transposed,
                is_negated,
            } => {
                // Both may be parts of one array.
                let values: Vec<Lanes<L>> =
                    places(*from).map(|at| self.entry(of, *from, at)).collect();
                let rows = from.rows.max(1);
                for (at, (i, j)) in places(*to).enumerate() {
                    let at = match is_transposed {
                        true => (at % rows) * from.columns + at / rows,
                        false => at,
                    };
                    let Some(value) = values.get(at) else {
                        break;
                    };
                    let value = match is_negated {
                        true => value.map(|x| 0.0 - x),
                        false => *value,
                    };
                    self.set(of, *to, (i, j), value, live);
                }
            }
            Step::Fill { to, value } => {
                for at in places(*to) {
                    self.set(of, *to, at, [*value; L], live);
                }
            }
            Step::Identity { to } => {
                for i in 0..to.rows.min(to.columns) {
                    self.set(of, *to, (i, i), [1.0; L], live);
                }
            }
            Step::Add {
                from,
                to,
                factor,
                by,
            } => {
                let by = by.map_or([1.0; L], |by| self.entry(of, by, (0, 0)));
                let factors = by.map(|by| factor * by);
                for at in places(*to) {
                    let (sum, x) = (self.entry(of, *to, at), self.entry(of, *from, at));
                    let sum = std::array::from_fn(|lane| sum[lane] + factors[lane] * x[lane]);
                    self.set(of, *to, at, sum, live);
                }
            }
            Step::Multiply { left, right, to } => {
                for (i, j) in places(*to) {
                    let mut sum = self.entry(of, *to, (i, j));
                    for k in 0..left.columns {
                        let a = self.entry(of, *left, (i, k));
                        let b = self.entry(of, *right, (k, j));
                        sum = std::array::from_fn(|lane| sum[lane] + a[lane] * b[lane]);
                    }
                    self.set(of, *to, (i, j), sum, live);
                }
            }
            Step::Break => {
                join(broken, live);
                *live = [false; L];
            }
            Step::Fail(status) => {
                let status = self.entry(of, *status, (0, 0));
                for lane in 0..L {
                    let is_it = |error: &RoutineError| f64::from(*error as u8) == status[lane];
                    if let Some(error) = ERRORS.into_iter().find(is_it) {
                        self.fail(lane, error, live);
                    }
                }
            }
            Step::RequireFinite(views) => {
                let entry = |view, i, j| self.entry(of, view, (i, j));
                let finite = conditions::are_finite(views, &entry);
                for lane in 0..L {
                    if !finite[lane] {
                        self.fail(lane, RoutineError::NotFinite, live);
                    }
                }
            }
            Step::Return => *live = [false; L],
            // Steps with steps inside are acts of their own.
            Step::Compute(_)
            | Step::Call { .. }
            | Step::Kernel { .. }
            | Step::ForEachRow { .. }
            | Step::Loop { .. }
            | Step::If { .. }
            | Step::Apart { .. }
            | Step::Library { .. } => {}
        }
    }

    /// Ends a lane with an error, if it is live.
    fn fail(&mut self, lane: usize, error: RoutineError, live: &mut Mask<L>) {
        if live[lane] {
            self.errors[lane] = Some(error);
            live[lane] = false;
        }
    }

    fn compute(&mut self, block: &Block, of: &Compiled, live: &Mask<L>) {
        for load in &block.loads {
            self.memory[load.to as usize] = self.memory[load.from + load.advance * self.pass];
        }
        block::run(&block.code, &mut self.memory);
        for write in &block.writes {
            let mut live = *live;
            if let Some(flag) = write.flag {
                let flags = self.entry(of, flag, (0, 0));
                live = std::array::from_fn(|lane| live[lane] && flags[lane] == 1.0);
            }
            for (at, value) in places(write.to).zip(&write.values) {
                let mut value = self.memory[*value as usize];
                if write.adds {
                    let sum = self.entry(of, write.to, at);
                    value = std::array::from_fn(|lane| sum[lane] + value[lane]);
                }
                self.set(of, write.to, at, value, &live);
            }
        }
    }

    fn call(
        &mut self,
        number: usize,
        of: &Compiled,
        (arguments, results): (&[View], &[View]),
        is_tried: bool,
        live: &mut Mask<L>,
    ) {
        let tape = self.tape;
        let called = &tape.routines[number];
        for (view, place) in arguments.iter().zip(&called.places.arguments) {
            for (at, entry) in places(*view).enumerate() {
                self.memory[place + at] = self.entry(of, *view, entry);
            }
        }
        let pass = std::mem::take(&mut self.pass);
        self.acts(&called.acts, called, &mut live.clone(), &mut [false; L]);
        self.pass = pass;
        let errors = self.errors;
        let done: Mask<L> = std::array::from_fn(|lane| live[lane] && errors[lane].is_none());
        for lane in 0..L {
            if live[lane] && is_tried {
                self.errors[lane] = None;
            }
        }
        for (view, place) in results.iter().zip(&called.places.results) {
            for (at, entry) in places(*view).enumerate() {
                self.set(of, *view, entry, self.memory[place + at], &done);
            }
        }
        if !is_tried {
            *live = done;
        }
    }

    fn kernel(
        &mut self,
        kernel: Kernel,
        of: &Compiled,
        (arguments, results): (&[View], &[View]),
        live: &mut Mask<L>,
    ) {
        for lane in 0..L {
            if !live[lane] {
                continue;
            }
            let values_of_arguments = arguments.iter().map(|view| {
                places(*view)
                    .map(|at| self.entry(of, *view, at)[lane])
                    .collect()
            });
            let values_of_arguments: Vec<Vec<f64>> = values_of_arguments.collect();
            let mut row = self.rows[lane];
            let values = dense::values(
                kernel,
                &values_of_arguments,
                arguments,
                &mut row,
                self.tape.search,
            );
            self.rows[lane] = row;
            match values {
                Ok(values) => {
                    for (view, values) in results.iter().zip(values) {
                        for (at, value) in places(*view).zip(values) {
                            let place = self.place(of, *view, at);
                            self.memory[place][lane] = value;
                        }
                    }
                }
                Err(Refused { error, row }) => {
                    self.rows[lane] = row;
                    self.fail(lane, error, live);
                }
            }
        }
    }

    fn place(&self, of: &Compiled, view: View, (i, j): (usize, usize)) -> usize {
        of.places.of(view.array) + view.at(i, j, self.pass)
    }

    fn entry(&self, of: &Compiled, view: View, at: (usize, usize)) -> Lanes<L> {
        self.memory[self.place(of, view, at)]
    }

    /// Writes an entry of some lanes. Arguments are read only.
    fn set(
        &mut self,
        of: &Compiled,
        view: View,
        at: (usize, usize),
        value: Lanes<L>,
        live: &Mask<L>,
    ) {
        if matches!(view.array, Array::Argument(_)) {
            return;
        }
        let place = self.place(of, view, at);
        let entry = &mut self.memory[place];
        if live.contains(&false) {
            for lane in 0..L {
                if live[lane] {
                    entry[lane] = value[lane];
                }
            }
        } else {
            *entry = value;
        }
    }
}

/// Rows and columns of a view, row by row.
fn places(view: View) -> impl Iterator<Item = (usize, usize)> {
    (0..view.rows).flat_map(move |i| (0..view.columns).map(move |j| (i, j)))
}

/// Adds lanes to others.
fn join<const L: usize>(to: &mut Mask<L>, others: &Mask<L>) {
    for (to, other) in to.iter_mut().zip(others) {
        *to |= other;
    }
}
