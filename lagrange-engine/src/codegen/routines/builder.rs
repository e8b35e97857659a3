//! A routine under construction.

use super::system::Routines;
use crate::codegen::routine::{
    Argument, Array, Compute, Condition, Input, Kernel, Routine, RoutineResult, Step, View, Write,
};
use crate::{Operand, Quantity, Schedule, Shape};

/// The arguments of functions of the whole state.
pub(super) const STATE: [&str; 4] = ["q", "v", "z", "u"];

pub(super) struct Builder<'a> {
    pub(super) routines: &'a Routines<'a>,
    routine: Routine,
    /// Arguments that local arrays replace.
    replaced: Vec<(&'static str, View)>,
}

impl<'a> Builder<'a> {
    /// A routine with the existing ones among these arguments, after time if the system declares it.
    pub(super) fn new(routines: &'a Routines<'a>, name: &str, arguments: &[&str]) -> Self {
        Self::timeless(routines, name, &routines.existing(arguments))
    }

    /// The same without time.
    pub(super) fn timeless(routines: &'a Routines<'a>, name: &str, arguments: &[&str]) -> Self {
        let sizes = routines.sizes();
        let argument = |name: &&str| {
            let length = match *name {
                "t" | "h" => 1,
                "q" | "q0" | "q1" => sizes.coordinates,
                "z" if sizes.states > 0 => sizes.states,
                "u" => sizes.inputs,
                "lambda" => sizes.constraints,
                "active" | "restitution" => sizes.contacts,
                "y" => sizes.coordinates + sizes.velocities + sizes.states,
                _ => sizes.velocities,
            };
            Argument {
                name: (*name).to_owned(),
                length,
                is_scalar: matches!(*name, "t" | "h"),
                is_flags: *name == "active",
            }
        };
        let arguments: Vec<Argument> = arguments.iter().map(argument).collect();
        Self::of(routines, name, &arguments)
    }

    /// A routine with these arguments.
    pub(super) fn of(routines: &'a Routines<'a>, name: &str, arguments: &[Argument]) -> Self {
        Self {
            routines,
            routine: Routine {
                name: name.to_owned(),
                arguments: arguments.to_vec(),
                results: Vec::new(),
                is_fallible: false,
                is_derivative: false,
                locals: Vec::new(),
                steps: Vec::new(),
            },
            replaced: Vec::new(),
        }
    }

    pub(super) fn fallible(mut self) -> Self {
        self.routine.is_fallible = true;
        self
    }

    /// Notes that the results are derivatives.
    pub(super) fn of_derivatives(mut self, is_derivative: bool) -> Self {
        self.routine.is_derivative = is_derivative;
        self
    }

    pub(super) fn finish(self) -> Routine {
        self.routine.without_unread()
    }

    /// A further result.
    pub(super) fn result(&mut self, name: &str, shape: Shape) -> View {
        let array = Array::Result(self.routine.results.len());
        self.routine.results.push(RoutineResult {
            name: name.to_owned(),
            shape,
            is_count: false,
        });
        match shape {
            Shape::Scalar => View::whole(array, 1),
            Shape::Vector(length) => View::whole(array, length),
            Shape::Matrix(rows, columns) => View::matrix(array, rows, columns),
        }
    }

    /// A further result: a number of things.
    pub(super) fn count(&mut self, name: &str) -> View {
        self.counts(name, Shape::Scalar)
    }

    /// A further result: integers.
    pub(super) fn counts(&mut self, name: &str, shape: Shape) -> View {
        let view = self.result(name, shape);
        if let Some(result) = self.routine.results.last_mut() {
            result.is_count = true;
        }
        view
    }

    pub(super) fn vector(&mut self, name: &str, length: usize) -> View {
        self.result(name, Shape::Vector(length))
    }

    pub(super) fn matrix(&mut self, name: &str, rows: usize, columns: usize) -> View {
        self.result(name, Shape::Matrix(rows, columns))
    }

    /// A local array of rows and columns.
    pub(super) fn local(&mut self, rows: usize, columns: usize) -> View {
        self.routine.locals.push(rows * columns);
        View::matrix(Array::Local(self.routine.locals.len() - 1), rows, columns)
    }

    /// From here on the argument of this name is a local array.
    pub(super) fn replace(&mut self, name: &'static str, by: View) {
        self.replaced.retain(|(known, _)| *known != name);
        self.replaced.push((name, by));
    }

    /// An argument by its name; `None` if the routine does not have it.
    pub(super) fn given(&self, name: &str) -> Option<View> {
        let mut replaced = self.replaced.iter();
        if let Some((_, view)) = replaced.find(|(known, _)| *known == name) {
            return Some(*view);
        }
        let position = |argument: &Argument| argument.name == name;
        let at = self.routine.arguments.iter().position(position)?;
        Some(View::whole(
            Array::Argument(at),
            self.routine.arguments[at].length,
        ))
    }

    /// An argument that the routine has.
    pub(super) fn argument(&self, name: &str) -> View {
        self.given(name)
            .unwrap_or_else(|| View::whole(Array::Local(0), 0))
    }

    /// The existing ones among these arguments, after time.
    pub(super) fn arguments(&self, names: &[&str]) -> Vec<View> {
        ["t"]
            .iter()
            .chain(names)
            .filter_map(|name| self.given(name))
            .collect()
    }

    pub(super) fn step(&mut self, step: Step) {
        self.routine.steps.push(step);
    }

    /// Puts the steps from here to the end of `within` under a condition.
    pub(super) fn when(&mut self, condition: Condition, within: impl FnOnce(&mut Self)) {
        let then = self.nested(within);
        self.step(Step::If { condition, then });
    }

    /// Puts the steps of `within` into a frame of their own in Rust. Later steps read these local arrays.
    pub(super) fn apart(&mut self, results: &[View], within: impl FnOnce(&mut Self)) {
        let (steps, results) = (self.nested(within), results.to_vec());
        self.step(Step::Apart { results, steps });
    }

    /// Replaces the steps of `within` by a function of the runtime in Rust.
    pub(super) fn library(
        &mut self,
        function: &'static str,
        arguments: &[View],
        results: &[View],
        within: impl FnOnce(&mut Self),
    ) {
        let steps = self.nested(within);
        self.step(Step::Library {
            function,
            arguments: arguments.to_vec(),
            results: results.to_vec(),
            steps,
        });
    }

    /// Puts the steps of `within` into a method of its own in Rust, which other routines have, too. Its results are these
    /// places and all local arrays that the steps write, except those that Rust does not read, which `within` returns.
    pub(super) fn method<T>(
        &mut self,
        function: &'static str,
        (arguments, places): (&[&str], &[View]),
        within: impl FnOnce(&mut Self) -> (T, Vec<View>),
    ) -> T {
        let before = std::mem::take(&mut self.routine.steps);
        let (value, unread) = within(self);
        let steps = std::mem::replace(&mut self.routine.steps, before);
        let locals = steps.iter().flat_map(Step::writes).filter(|view| {
            matches!(view.array, Array::Local(_)) && !view.is_empty() && !unread.contains(view)
        });
        self.step(Step::Library {
            function,
            arguments: self.arguments(arguments),
            results: places.iter().copied().chain(locals).collect(),
            steps,
        });
        value
    }

    pub(super) fn nested(&mut self, within: impl FnOnce(&mut Self)) -> Vec<Step> {
        let before = std::mem::take(&mut self.routine.steps);
        within(self);
        std::mem::replace(&mut self.routine.steps, before)
    }

    pub(super) fn call(&mut self, routine: &str, arguments: Vec<View>, results: &[View]) {
        self.step(Step::Call {
            routine: routine.to_owned(),
            arguments,
            results: results.to_vec(),
            is_tried: false,
        });
    }

    /// A call whose error leaves the results as they were.
    pub(super) fn try_call(&mut self, routine: &str, arguments: Vec<View>, results: &[View]) {
        self.step(Step::Call {
            routine: routine.to_owned(),
            arguments,
            results: results.to_vec(),
            is_tried: true,
        });
    }

    /// A call with the arguments of this routine that have these names.
    pub(super) fn call_with(&mut self, routine: &str, names: &[&str], results: &[View]) {
        let arguments = self.arguments(names);
        self.call(routine, arguments, results);
    }

    pub(super) fn kernel(&mut self, kernel: Kernel, arguments: &[View], results: &[View]) {
        self.step(Step::Kernel {
            kernel,
            arguments: arguments.to_vec(),
            results: results.to_vec(),
        });
    }

    pub(super) fn copy(&mut self, from: View, to: View) {
        self.step(Step::Copy {
            from,
            to,
            is_transposed: false,
            is_negated: false,
        });
    }

    pub(super) fn transpose(&mut self, from: View, to: View) {
        self.step(Step::Copy {
            from,
            to,
            is_transposed: true,
            is_negated: false,
        });
    }

    pub(super) fn negate(&mut self, from: View, to: View) {
        self.step(Step::Copy {
            from,
            to,
            is_transposed: false,
            is_negated: true,
        });
    }

    pub(super) fn fill(&mut self, to: View, value: f64) {
        if !to.is_empty() {
            self.step(Step::Fill { to, value });
        }
    }

    /// to += factor * from
    pub(super) fn add(&mut self, factor: f64, from: View, to: View) {
        let by = None;
        self.step(Step::Add {
            from,
            to,
            factor,
            by,
        });
    }

    /// to += factor * by * from
    pub(super) fn add_scaled(&mut self, factor: f64, by: View, from: View, to: View) {
        let by = Some(by);
        self.step(Step::Add {
            from,
            to,
            factor,
            by,
        });
    }

    /// Copies a view if a flag is 1.
    pub(super) fn copy_if(&mut self, flag: View, from: View, to: View) {
        self.when(Condition::Is(flag, 1.0), |builder| builder.copy(from, to));
    }

    /// Straight-line code that reads the arguments of this routine by their names, and other arrays.
    pub(super) fn compute(
        &mut self,
        schedule: Schedule,
        others: &[(Input, View)],
        writes: Vec<Write>,
    ) {
        let named = [
            ("t", Input::Time),
            ("q", Input::Coordinates),
            ("v", Input::Velocities),
            ("a", Input::Accelerations),
            ("z", Input::States),
            ("u", Input::Inputs),
            ("lambda", Input::Multipliers),
            ("p", Input::Momenta),
        ];
        let mut reads = others.to_vec();
        for (name, input) in named {
            if let Some(view) = self.given(name)
                && !reads.iter().any(|(known, _)| *known == input)
            {
                reads.push((input, view));
            }
        }
        self.step(Step::Compute(Compute::new(schedule, reads, writes)));
    }

    /// The program of quantities, each written to a view.
    pub(super) fn quantities(&mut self, all: &[(Quantity, View)], others: &[(Input, View)]) {
        let none = View::whole(Array::Local(0), 0);
        self.quantities_of_contacts(all, (none, &[]), others);
    }

    /// The same, and quantities with a block for each contact: those of the active contacts are added to a view.
    pub(super) fn quantities_of_contacts(
        &mut self,
        all: &[(Quantity, View)],
        (active, sums): (View, &[(Quantity, View)]),
        others: &[(Input, View)],
    ) {
        let quantities: Vec<Quantity> = all
            .iter()
            .chain(sums)
            .map(|(quantity, _)| *quantity)
            .collect();
        let program = self.routines.dynamics.program(&quantities);
        let mut writes = Vec::new();
        for (at, (_, to)) in all.iter().enumerate() {
            writes.push(set(*to, program.results(at)));
        }
        for (at, (_, to)) in sums.iter().enumerate() {
            let blocks = program.results(all.len() + at).chunks(to.len().max(1));
            writes.extend(blocks.enumerate().map(|(contact, values)| Write {
                flag: Some(active.part(contact, 1)),
                ..increase(*to, values)
            }));
        }
        self.compute(without_roots(&program.schedule), others, writes);
    }
}

/// The code of a program; its results are written by [`Write`]s.
pub(super) fn without_roots(code: &Schedule) -> Schedule {
    Schedule {
        instructions: code.instructions.clone(),
        roots: Vec::new(),
    }
}

pub(super) fn set(to: View, values: &[Operand]) -> Write {
    Write {
        to,
        values: values.to_vec(),
        adds: false,
        flag: None,
    }
}

pub(super) fn increase(to: View, values: &[Operand]) -> Write {
    Write {
        adds: true,
        ..set(to, values)
    }
}
