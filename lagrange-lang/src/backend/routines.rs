//! The routines that printers read.

use lagrange_engine::{
    Array, BundlePart, Operand, Routine, Routines, Schedule, Shape, Step, Write,
};

use crate::methods::Argument;

/// The routine that computes these parts together.
pub(super) fn build_routine(
    routines: &Routines,
    name: &str,
    arguments: &[Argument],
    parts: &[BundlePart],
) -> Routine {
    // The engine puts time first.
    let names: Vec<&str> = arguments
        .iter()
        .filter(|argument| **argument != Argument::T)
        .map(|argument| argument.name())
        .collect();
    routines.bundle(name, &names, parts)
}

/// The straight-line code of a routine, with its results in order.
#[derive(Default)]
pub(super) struct Straight {
    pub(super) schedule: Schedule,
    results: Vec<(Shape, Vec<Operand>)>,
}

impl Straight {
    /// The first step of a routine, if it is straight-line code; otherwise nothing. Results of calls are left out.
    pub(super) fn of(routine: Routine) -> Self {
        let Routine { results, steps, .. } = routine;
        let mut steps = steps.into_iter();
        let Some(Step::Compute(compute)) = steps.next() else {
            return Self::default();
        };
        let called: Vec<Array> = steps
            .flat_map(|step| match step {
                Step::Call { results, .. } => results,
                _ => Vec::new(),
            })
            .map(|view| view.array)
            .collect();
        let written = results
            .iter()
            .enumerate()
            .filter(|(number, _)| !called.contains(&Array::Result(*number)))
            .map(|(number, result)| {
                let writes_result = |write: &&Write| write.to.array == Array::Result(number);
                // A result without entries is not written.
                let values = compute
                    .writes
                    .iter()
                    .find(writes_result)
                    .map(|write| write.values.clone());
                (result.shape, values.unwrap_or_default())
            });
        Self {
            results: written.collect(),
            schedule: compute.schedule,
        }
    }

    /// Shape and entries of a result.
    pub(super) fn result(&self, index: usize) -> (Shape, &[Operand]) {
        match self.results.get(index) {
            Some((shape, entries)) => (*shape, entries),
            None => (Shape::Vector(0), &[]),
        }
    }

    /// The entries of all results.
    pub(super) fn entries(&self) -> Vec<&[Operand]> {
        self.results
            .iter()
            .map(|(_, entries)| &entries[..])
            .collect()
    }
}
