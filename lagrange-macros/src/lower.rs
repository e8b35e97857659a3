//! Syntax to mechanics: the head declared, then every statement evaluated in order, into one expression
//! graph.
//!
//! ```text
//! let definition = syntax::parse(tokens, &mut errors)?;
//! let (head, declarations) = lower::head(&definition, &mut errors);
//! let (mut system, tables) = lower::lower(&definition, &head, declarations, &mut errors);
//! let findings = check::check(&mut system, &tables, &head, &mut errors);
//! ```
//!
//! A mistake is reported where it is found and its value is `None` from there on, so that nothing
//! made of it is reported again; evaluation goes on with the next part. What has mistakes is missing
//! from the system; the tables list it all the same, with what is known of it, for the checks and for a
//! stub. What follows from the statements together is for [`crate::check`] to say.

mod access;
mod algebra;
mod blame;
mod blocks;
mod bodies;
mod budget;
mod calls;
mod constraints;
mod derivative;
mod energies;
mod evaluator;
mod expression;
mod forces;
mod frames;
mod functions;
mod head;
mod lookup;
mod loops;
mod names;
mod outputs;
mod reads;
mod scope;
mod statements;
mod torque;
mod value;
mod vectors;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use lagrange_engine::{Dependence, Output, System};
use syn::Attribute;

use crate::errors::Errors;
use crate::model::{Head, OutputItem, Unused};
use crate::syntax::ast::{SystemDef, text};
use crate::tables::{Known, OutputEntry, Tables};
use bodies::Bodies;
use constraints::Constraints;
use energies::Energies;
use evaluator::{Declarations, Evaluator};
use forces::Forces;
pub(crate) use head::head;
use value::Value;

/// The statements so far.
struct Lowering<'e> {
    /// Those of the statement that is being evaluated.
    attributes: Vec<Attribute>,
    evaluator: Evaluator<'e>,
    energies: Energies,
    forces: Forces,
    bodies: Bodies,
    constraints: Constraints,
    outputs: Vec<LoweredOutput>,
    /// The number of the output that has each name.
    output_names: HashMap<String, usize>,
    /// Whether there were more outputs than there may be.
    has_surplus_outputs: bool,
    /// What the text of each output names.
    reads: HashMap<String, Dependence>,
    /// Whether every statement was read; if not, none counts as missing.
    all_known: bool,
}

struct LoweredOutput {
    item: OutputItem,
    /// `None` after a mistake.
    value: Option<Value>,
}

/// Evaluates the statements of `definition`.
pub(crate) fn lower(
    definition: &SystemDef,
    head: &Head,
    declarations: Declarations,
    errors: &mut Errors,
) -> (System, Tables) {
    let mut lowering = Lowering {
        all_known: declarations.complete,
        forces: Forces::new(head.velocity_count()),
        evaluator: Evaluator::new(declarations, errors),
        energies: Energies::default(),
        bodies: Bodies::default(),
        constraints: Constraints::default(),
        attributes: Vec::new(),
        outputs: Vec::new(),
        output_names: HashMap::new(),
        has_surplus_outputs: false,
        reads: reads::of_outputs(definition, head),
    };
    lowering.statements(&definition.statements);
    lowering.gravity_on_bodies();
    let system = lowering.system();
    (system, lowering.into_tables(head))
}

impl Lowering<'_> {
    /// The engine's input; what has mistakes is missing from it.
    fn system(&mut self) -> System {
        let multibody = self.multibody();
        let mut graph = std::mem::take(&mut self.evaluator.graph);
        let energy = self.energies.total(&mut graph);
        let dissipation = self.energies.dissipation.total(&mut graph);
        let forces = self.forces.by_velocity.iter();
        let forces = forces.map(|force| force.total(&mut graph)).collect();
        let outputs = self.outputs.iter().filter_map(LoweredOutput::known);
        System {
            constraints: std::mem::take(&mut self.constraints.rows),
            outputs: outputs.collect(),
            graph,
            names: self.evaluator.names.clone(),
            energy,
            multibody,
            dissipation,
            forces,
        }
    }

    fn into_tables(self, head: &Head) -> Tables {
        let Evaluator {
            scope, complete, ..
        } = &self.evaluator;
        let is_read = |name| scope.find(name).is_none_or(|binding| binding.read);
        let unused = scope.unused().map(|binding| Unused {
            name: binding.name.clone(),
            attributes: binding.attributes.clone(),
        });
        Tables {
            is_read: head.coordinates.iter().map(|c| is_read(&c.name)).collect(),
            unused: unused.collect(),
            known: Known {
                names: *complete,
                statements: self.all_known,
                to_the_end: !self.evaluator.is_exhausted(),
            },
            energies: self.energies.into_entries(),
            velocities: self.forces.velocities(),
            forces: self.forces.entries,
            constraints: self.constraints.entries,
            outputs: self.outputs.into_iter().map(LoweredOutput::entry).collect(),
        }
    }
}

impl LoweredOutput {
    /// Unless there was a mistake in it.
    fn known(&self) -> Option<Output> {
        let value = self.value.as_ref()?;
        Some(Output {
            name: text(&self.item.name),
            shape: value.shape,
            entries: value.entries.clone(),
        })
    }

    fn entry(self) -> OutputEntry {
        OutputEntry {
            shape: self.value.map(|value| value.shape),
            item: self.item,
        }
    }
}
