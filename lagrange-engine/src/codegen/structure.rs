//! What the steps of a routine tell about its results at all states: which entries may differ from 0, and on which
//! variables each may depend.

use std::collections::BTreeSet;

use super::ir::Instruction;
use super::routine::{Array, Compute, Equations, Input, Kernel, Routine, Step, View};
use super::routines::Routines;
use crate::{Operand, Symbol, Unary};

/// The facts about a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// True if it is 0 at all states.
    pub(crate) is_zero: bool,
    /// The variables by which its derivative may differ from 0.
    pub(crate) by: Variables,
}

/// A set of variables: the entries of all arguments in order, without flags, then the parameters.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Variables(Vec<u64>);

impl Variables {
    fn of(number: usize) -> Self {
        let mut words = vec![0; number / 64 + 1];
        words[number / 64] = 1 << (number % 64);
        Self(words)
    }

    pub(crate) fn has(&self, number: usize) -> bool {
        let word = self.0.get(number / 64);
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    fn insert(&mut self, others: &Self) {
        if self.0.len() < others.0.len() {
            self.0.resize(others.0.len(), 0);
        }
        for (word, other) in self.0.iter_mut().zip(&others.0) {
            *word |= other;
        }
    }
}

impl Entry {
    const ZERO: Self = Self {
        is_zero: true,
        by: Variables(Vec::new()),
    };

    /// A constant that is not 0.
    const CONSTANT: Self = Self {
        is_zero: false,
        by: Variables(Vec::new()),
    };

    fn constant(value: f64) -> Self {
        if value == 0.0 {
            Self::ZERO
        } else {
            Self::CONSTANT
        }
    }

    /// A function of all of these.
    fn function<'a>(of: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut function = Self::CONSTANT;
        for entry in of {
            function.by.insert(&entry.by);
        }
        function
    }

    fn plus(mut self, other: &Self) -> Self {
        self.is_zero &= other.is_zero;
        self.by.insert(&other.by);
        self
    }

    fn times(&self, other: &Self) -> Self {
        let mut by = Variables::default();
        for (of, factor) in [(self, other), (other, self)] {
            if !factor.is_zero {
                by.insert(&of.by);
            }
        }
        Self {
            is_zero: self.is_zero || other.is_zero,
            by,
        }
    }

    /// True if it is the constant 0.
    fn is_none(&self) -> bool {
        self.is_zero && self.by.is_empty()
    }
}

/// The arrays of a routine.
#[derive(Clone, PartialEq)]
struct Frame {
    arguments: Vec<Vec<Entry>>,
    results: Vec<Vec<Entry>>,
    locals: Vec<Vec<Entry>>,
    pass: usize,
}

/// The results at each end of a routine and the arrays at each end of a loop, together.
#[derive(Default)]
struct Ends {
    returned: Option<Vec<Vec<Entry>>>,
    broken: Option<Frame>,
}

impl Routines<'_> {
    /// The facts about the entries of each result.
    pub(crate) fn structure(&self, routine: &Routine) -> Vec<Vec<Entry>> {
        let mut next = 0;
        let mut variables = |length: usize| {
            let first = next;
            next += length;
            let variables = first..next;
            variables
                .map(|number| Entry {
                    is_zero: false,
                    by: Variables::of(number),
                })
                .collect::<Vec<Entry>>()
        };
        let arguments = routine.arguments.iter().map(|argument| {
            if argument.is_flags {
                vec![Entry::CONSTANT; argument.length]
            } else {
                variables(argument.length)
            }
        });
        let arguments = arguments.collect();
        let parameters = variables(self.dynamics.names().parameters.len());
        self.results_of(routine, arguments, &parameters)
    }

    fn results_of(
        &self,
        routine: &Routine,
        arguments: Vec<Vec<Entry>>,
        parameters: &[Entry],
    ) -> Vec<Vec<Entry>> {
        let results = routine.results.iter();
        let mut frame = Frame {
            arguments,
            results: results
                .map(|result| vec![Entry::ZERO; result.shape.len()])
                .collect(),
            locals: routine
                .locals
                .iter()
                .map(|length| vec![Entry::ZERO; *length])
                .collect(),
            pass: 0,
        };
        let mut ends = Ends::default();
        let goes_on = self.follow(&routine.steps, &mut frame, &mut ends, parameters);
        match ends.returned {
            Some(returned) if !goes_on => returned,
            Some(returned) => {
                for (to, from) in frame.results.iter_mut().zip(&returned) {
                    join(to, from);
                }
                frame.results
            }
            None => frame.results,
        }
    }

    /// Returns whether the steps may come to their end.
    fn follow(
        &self,
        steps: &[Step],
        frame: &mut Frame,
        ends: &mut Ends,
        parameters: &[Entry],
    ) -> bool {
        for step in steps {
            match step {
                Step::Compute(compute) => frame.compute(compute, parameters),
                Step::Call {
                    routine,
                    arguments,
                    results,
                    is_tried,
                } => {
                    let Some(called) = self.method(routine) else {
                        continue;
                    };
                    let values_of_arguments =
                        arguments.iter().map(|view| frame.read(*view)).collect();
                    let values_of_results =
                        self.results_of(&called, values_of_arguments, parameters);
                    for (view, mut values) in results.iter().zip(values_of_results) {
                        if *is_tried {
                            join(&mut values, &frame.read(*view));
                        }
                        frame.write(*view, &values);
                    }
                }
                Step::Kernel {
                    kernel,
                    arguments,
                    results,
                } => frame.kernel(*kernel, arguments, results),
                Step::Copy {
                    from,
                    to,
                    is_transposed,
                    ..
                } => {
                    let values = frame.read(*from);
                    let values = match is_transposed {
                        true => {
                            let places =
                                (0..from.columns).flat_map(|j| (0..from.rows).map(move |i| (i, j)));
                            places
                                .map(|(i, j)| values[i * from.columns + j].clone())
                                .collect()
                        }
                        false => values,
                    };
                    frame.write(*to, &values);
                }
                Step::Fill { to, value } => {
                    frame.write(*to, &vec![Entry::constant(*value); to.len()]);
                }
                Step::Identity { to } => {
                    for i in 0..to.rows.min(to.columns) {
                        frame.write(to.block((i, i), 1, 1), &[Entry::CONSTANT]);
                    }
                }
                Step::Add { from, to, by, .. } => {
                    let factor = by.map_or(Entry::CONSTANT, |by| frame.read(by).swap_remove(0));
                    let sums = frame.read(*to).into_iter().zip(frame.read(*from));
                    let sums: Vec<Entry> =
                        sums.map(|(sum, x)| sum.plus(&factor.times(&x))).collect();
                    frame.write(*to, &sums);
                }
                Step::Multiply { left, right, to } => {
                    let (a, b, sums) = (frame.read(*left), frame.read(*right), frame.read(*to));
                    let products = sums.into_iter().enumerate().map(|(place, sum)| {
                        let (i, j) = (place / to.columns, place % to.columns);
                        (0..left.columns).fold(sum, |sum, k| {
                            let (a, b) = (&a[i * left.columns + k], &b[k * right.columns + j]);
                            sum.plus(&a.times(b))
                        })
                    });
                    let products: Vec<Entry> = products.collect();
                    frame.write(*to, &products);
                }
                Step::ForEachRow { rows, unit, steps } => {
                    for pass in 0..*rows {
                        frame.pass = pass;
                        let mut row = vec![Entry::ZERO; unit.len()];
                        row[pass] = Entry::CONSTANT;
                        frame.write(*unit, &row);
                        self.follow(steps, frame, ends, parameters);
                    }
                    frame.pass = 0;
                }
                Step::Loop { steps, .. } => {
                    let outer = ends.broken.take();
                    loop {
                        let before = frame.clone();
                        self.follow(steps, frame, ends, parameters);
                        frame.join(&before);
                        if *frame == before {
                            break;
                        }
                    }
                    if let Some(broken) = std::mem::replace(&mut ends.broken, outer) {
                        frame.join(&broken);
                    }
                }
                Step::Break => {
                    match &mut ends.broken {
                        Some(known) => known.join(frame),
                        broken => *broken = Some(frame.clone()),
                    }
                    return false;
                }
                Step::Return => {
                    match &mut ends.returned {
                        Some(known) => {
                            for (to, from) in known.iter_mut().zip(&frame.results) {
                                join(to, from);
                            }
                        }
                        returned => *returned = Some(frame.results.clone()),
                    }
                    return false;
                }
                Step::If { then, .. } => {
                    let before = frame.clone();
                    if self.follow(then, frame, ends, parameters) {
                        frame.join(&before);
                    } else {
                        *frame = before;
                    }
                }
                Step::Apart { steps, .. } | Step::Library { steps, .. } => {
                    if !self.follow(steps, frame, ends, parameters) {
                        return false;
                    }
                }
                Step::Fail(_) | Step::RequireFinite(_) => {}
            }
        }
        true
    }
}

/// Entries that have one value or the other.
fn join(to: &mut [Entry], from: &[Entry]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = std::mem::replace(to, Entry::ZERO).plus(from);
    }
}

impl Frame {
    fn join(&mut self, other: &Self) {
        let arrays = self.results.iter_mut().chain(&mut self.locals);
        for (to, from) in arrays.zip(other.results.iter().chain(&other.locals)) {
            join(to, from);
        }
    }

    fn array(&self, array: Array) -> &[Entry] {
        match array {
            Array::Argument(at) => &self.arguments[at],
            Array::Result(at) => &self.results[at],
            Array::Local(at) => &self.locals[at],
        }
    }

    fn read(&self, view: View) -> Vec<Entry> {
        let array = self.array(view.array);
        (0..view.rows)
            .flat_map(|i| (0..view.columns).map(move |j| (i, j)))
            .map(|(i, j)| array[view.at(i, j, self.pass)].clone())
            .collect()
    }

    fn write(&mut self, view: View, values: &[Entry]) {
        let array = match view.array {
            Array::Argument(_) => return,
            Array::Result(at) => &mut self.results[at],
            Array::Local(at) => &mut self.locals[at],
        };
        for (place, value) in values.iter().enumerate() {
            let (i, j) = (place / view.columns, place % view.columns);
            array[view.at(i, j, self.pass)] = value.clone();
        }
    }

    fn compute(&mut self, compute: &Compute, parameters: &[Entry]) {
        let mut temporaries: Vec<Entry> = Vec::new();
        for instruction in &compute.schedule.instructions {
            let of = |operand| self.operand(operand, &temporaries, compute, parameters);
            let value_of_instruction = match instruction.clone() {
                Instruction::Add(a, b) | Instruction::Sub(a, b) => of(a).plus(&of(b)),
                Instruction::Neg(a) => of(a),
                Instruction::Mul(a, b) => of(a).times(&of(b)),
                Instruction::Div(a, b) => of(a).times(&Entry::function([&of(b)])),
                Instruction::Recip(a) => Entry::function([&of(a)]),
                Instruction::MulAdd(a, b, c) | Instruction::NegMulAdd(a, b, c) => {
                    of(a).times(&of(b)).plus(&of(c))
                }
                Instruction::Powi(a, _) => of(a),
                Instruction::Unary(function, a) => {
                    let mut value = of(a);
                    value.is_zero &= function.value(0.0) == 0.0;
                    if function == Unary::Sign {
                        value.by = Variables::default();
                    }
                    value
                }
                Instruction::Binary(_, a, b) => Entry::function([&of(a), &of(b)]),
                Instruction::Select(_, [_, _, then, otherwise]) => of(then).plus(&of(otherwise)),
                Instruction::Curve(_, operands) => {
                    let operands: Vec<Entry> =
                        operands.iter().map(|operand| of(*operand)).collect();
                    Entry::function(&operands)
                }
                Instruction::SinCos(a) => {
                    let sine = of(a);
                    let cosine = Entry::function([&sine]);
                    temporaries.push(sine);
                    cosine
                }
            };
            temporaries.push(value_of_instruction);
        }
        for write in &compute.writes {
            let values = write.values.iter();
            let values =
                values.map(|value| self.operand(*value, &temporaries, compute, parameters));
            let mut values: Vec<Entry> = values.collect();
            if write.adds || write.flag.is_some() {
                join(&mut values, &self.read(write.to));
            }
            self.write(write.to, &values);
        }
    }

    fn operand(
        &self,
        operand: Operand,
        temporaries: &[Entry],
        compute: &Compute,
        parameters: &[Entry],
    ) -> Entry {
        match (operand, operand_input(operand)) {
            (Operand::Constant(value), _) => Entry::constant(value),
            (Operand::Temporary(number), _) => temporaries[number as usize].clone(),
            (Operand::Symbol(Symbol::Parameter(number)), _) => parameters[number as usize].clone(),
            (Operand::Symbol(_), Some((input, at))) => {
                let mut reads = compute.reads.iter();
                reads
                    .find(|(known, _)| *known == input)
                    .map_or(Entry::CONSTANT, |(_, view)| {
                        self.array(view.array)[view.at(0, at, self.pass)].clone()
                    })
            }
            (Operand::Symbol(_), None) => Entry::CONSTANT,
        }
    }

    fn kernel(&mut self, kernel: Kernel, arguments: &[View], results: &[View]) {
        let values_of_arguments: Vec<Vec<Entry>> =
            arguments.iter().map(|view| self.read(*view)).collect();
        let whole = |length: usize, of: &[usize]| {
            let of = of.iter().flat_map(|at| &values_of_arguments[*at]);
            vec![Entry::function(of); length]
        };
        let values_of_results = match kernel {
            Kernel::Solve(equations)
            | Kernel::SolveUnchecked(equations)
            | Kernel::TrySolve(equations) => solved(equations, arguments, &values_of_arguments),
            Kernel::Significant | Kernel::Changes => vec![values_of_arguments[0].clone()],
            Kernel::Moved => vec![whole(4, &[0, 1])],
            Kernel::Difference => vec![whole(3, &[0, 1])],
            Kernel::RotationMatrix => vec![whole(9, &[0])],
            Kernel::NullSpace(_) => results.iter().map(|view| whole(view.len(), &[0])).collect(),
            Kernel::IsClear
            | Kernel::Limits
            | Kernel::Remaining
            | Kernel::Agreement
            | Kernel::ContactMotion { .. }
            | Kernel::ContactImpact { .. } => Vec::new(),
        };
        for (at, view) in results.iter().enumerate() {
            let numbers = || vec![Entry::CONSTANT; view.len()];
            let values = values_of_results.get(at).cloned().unwrap_or_else(numbers);
            self.write(*view, &values);
        }
    }
}

fn operand_input(operand: Operand) -> Option<(Input, usize)> {
    match operand {
        Operand::Symbol(symbol) => Input::of(symbol),
        _ => None,
    }
}

/// A and lambda of each row of right-hand sides. Unknowns that no entry of the matrix couples do not depend on each other.
fn solved(equations: Equations, views: &[View], values: &[Vec<Entry>]) -> Vec<Vec<Entry>> {
    let (n, c) = (views[0].rows, views[1].rows);
    let count = views[equations.count()].rows;
    let right = &values[equations.count()..];
    // Each unknown has the least one that it is coupled with.
    let mut group: Vec<usize> = (0..n + c).collect();
    let mut couple = |i: usize, j: usize| {
        let (a, b) = (group[i].min(group[j]), group[i].max(group[j]));
        for least in &mut group {
            if *least == b {
                *least = a;
            }
        }
    };
    let blocks = [(0, 0), (n, 0), (0, n)];
    let entries = values[..equations.count()].iter().zip(views).zip(blocks);
    let mut coefficients = Vec::new();
    for ((entries, view), (row, column)) in entries {
        for (place, entry) in entries.iter().enumerate() {
            if !entry.is_none() {
                let (i, j) = (row + place / view.columns, column + place % view.columns);
                couple(i, j);
                coefficients.push((i, entry));
            }
        }
    }
    let groups: BTreeSet<usize> = group.iter().copied().collect();
    let [mut a, mut lambda] = [n, c].map(|length| vec![Entry::ZERO; count * length]);
    for row in 0..count {
        for first in &groups {
            let members = || (0..n + c).filter(|i| group[*i] == *first);
            let mut value = members()
                .map(|i| match i.checked_sub(n) {
                    None => &right[0][row * n + i],
                    Some(k) => &right[1][row * c + k],
                })
                .fold(Entry::ZERO, Entry::plus);
            if !value.is_zero {
                let of_group = coefficients.iter().filter(|(i, _)| group[*i] == *first);
                for (_, entry) in of_group {
                    value.by.insert(&entry.by);
                }
            }
            for i in members() {
                match i.checked_sub(n) {
                    None => a[row * n + i] = value.clone(),
                    Some(k) => lambda[row * c + k] = value.clone(),
                }
            }
        }
    }
    vec![a, lambda]
}
