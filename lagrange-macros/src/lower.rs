//! Syntax to mechanics: every statement evaluated in order, into one expression graph.
//!
//! ```text
//! let definition = syntax::parse(tokens, &mut errors)?;
//! let (head, declarations) = check::head(&definition, &mut errors);
//! let lowered = lower::lower(&definition, &head, declarations, &mut errors);
//! // lowered.system is Some exactly when errors.is_empty(), the parser's mistakes included
//! let model = lowered.into_model(head)?;
//! let dynamics = lagrange_engine::derive(model.system.clone());
//! check::physics::inertia(&dynamics, &model.head, &mut errors);
//! ```
//!
//! A mistake is reported where it is found and its value is `None` from there on, so that nothing
//! made of it is reported again; evaluation goes on with the next part. After mistakes the outputs
//! are still listed, with what is known of their shapes, for a stub.

mod access;
mod algebra;
mod blame;
mod blocks;
mod bodies;
mod budget;
mod calls;
pub(crate) mod constraints;
mod derivative;
mod energies;
pub(crate) mod evaluator;
mod expression;
pub(crate) mod forces;
mod frames;
pub(crate) mod functions;
mod lookup;
mod loops;
pub(crate) mod scope;
mod statements;
mod torque;
pub(crate) mod value;
mod vectors;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use lagrange_engine::{
    Constraint, ConstraintKind, Dependence, Energy, NodeId, Number, Output, Shape, System,
};

use syn::Attribute;

use crate::check;
use crate::errors::Errors;
use crate::model::{ConstraintItem, Head, Model, OutputItem, Unused, Warning};
use crate::syntax::ast::{self, SystemDef};
use bodies::Bodies;
use constraints::LoweredConstraint;
use energies::Energies;
use evaluator::{Declarations, Evaluator};
use forces::Forces;

/// What the statements say.
pub(crate) struct Lowered {
    /// `None` after any mistake.
    pub(crate) system: Option<System>,
    /// Also after mistakes; in order of declaration.
    pub(crate) outputs: Vec<OutputItem>,
    /// Of each output; `None` where a mistake hides it.
    pub(crate) shapes: Vec<Option<Shape>>,
    /// Also after mistakes; in order of declaration.
    pub(crate) constraints: Vec<ConstraintItem>,
    pub(crate) unused: Vec<Unused>,
    pub(crate) warnings: Vec<Warning>,
}

impl Lowered {
    /// The checked declaration, if there was no mistake.
    pub(crate) fn into_model(self, head: Head) -> Option<Model> {
        Some(Model {
            head,
            system: self.system?,
            outputs: self.outputs,
            constraints: self.constraints,
            unused: self.unused,
            warnings: self.warnings,
        })
    }
}

/// The statements so far.
pub(crate) struct Lowering<'e> {
    /// Those of the statement that is being evaluated.
    attributes: Vec<Attribute>,
    pub(crate) evaluator: Evaluator<'e>,
    pub(crate) energies: Energies,
    pub(crate) forces: Forces,
    pub(crate) bodies: Bodies,
    pub(crate) constraints: Vec<LoweredConstraint>,
    /// The statement that has each name of a constraint: see [`LoweredConstraint::statement`].
    constraint_names: HashMap<String, Vec<usize>>,
    /// The number of rows of all constraints.
    constraint_rows: usize,
    pub(crate) outputs: Vec<LoweredOutput>,
    /// The number of the output that has each name.
    pub(crate) output_names: HashMap<String, usize>,
    /// Whether there were more outputs than there may be.
    pub(crate) has_surplus_outputs: bool,
    /// What the text of each output names.
    reads: HashMap<String, Dependence>,
    /// Whether every statement was read; if not, none counts as missing.
    pub(crate) all_known: bool,
}

pub(crate) struct LoweredOutput {
    pub(crate) item: OutputItem,
    /// `None` after a mistake.
    pub(crate) value: Option<value::Value>,
}

/// Evaluates the statements of `definition` and checks what they add up to.
pub(crate) fn lower(
    definition: &SystemDef,
    head: &Head,
    declarations: Declarations,
    errors: &mut Errors,
) -> Lowered {
    let mut lowering = Lowering {
        all_known: declarations.complete,
        forces: Forces::new(head.velocity_count()),
        evaluator: Evaluator::new(declarations, errors),
        energies: Energies::default(),
        bodies: Bodies::default(),
        constraints: Vec::new(),
        constraint_names: HashMap::new(),
        constraint_rows: 0,
        attributes: Vec::new(),
        outputs: Vec::new(),
        output_names: HashMap::new(),
        has_surplus_outputs: false,
        reads: check::reads::of_outputs(definition, head),
    };
    lowering.statements(&definition.statements);
    lowering.gravity_on_bodies();
    check::outputs::jacobian_names(&mut lowering);
    let has_inertia = check::usage::missing_terms(&mut lowering, head);
    let mut system = lowering.system();
    let unused = check::usage::unused(&lowering.evaluator.scope);
    if !lowering.evaluator.is_exhausted() {
        check::constraints::defects(&mut lowering, &system);
    }
    let mut warnings = Vec::new();
    if has_inertia {
        lowering.check_physics(head, &mut system, &mut warnings);
    }
    let is_sound = lowering.evaluator.errors.is_empty();
    let outputs = lowering.outputs.iter();
    let shapes = outputs.map(|output| Some(output.value.as_ref()?.shape));
    Lowered {
        shapes: shapes.collect(),
        outputs: lowering.outputs.into_iter().map(|o| o.item).collect(),
        constraints: lowering.constraints.into_iter().map(|c| c.item).collect(),
        system: is_sound.then_some(system),
        unused,
        warnings,
    }
}

impl Lowering<'_> {
    /// What the statements add up to. Each rule is judged on what it needs alone, so that it is also
    /// seen to be broken amid other mistakes.
    fn check_physics(&mut self, head: &Head, system: &mut System, warnings: &mut Vec<Warning>) {
        let all_occur = check::usage::idle_coordinates(self, head, system);
        let is_quadratic = check::physics::kinetic_energy(self, system);
        if self.evaluator.errors.is_empty() {
            check::physics::forces_given_twice(self, system, warnings);
            check::constraints::integrability(&mut self.constraints, system, warnings);
            return;
        }
        let are_known = self
            .constraints
            .iter()
            .all(|constraint| constraint.is_known);
        let is_known = self.all_known && are_known && self.energies.inertia_is_known();
        if is_known && all_occur && is_quadratic {
            check::physics::inertia_among_mistakes(self, system, head);
        }
    }

    /// The engine's input; what has mistakes is missing from it.
    fn system(&mut self) -> System {
        let multibody = self.multibody();
        let mut graph = std::mem::take(&mut self.evaluator.graph);
        let mut total = |terms: &[NodeId]| {
            let terms = terms.iter().map(|term| (Number::ONE, *term));
            graph.sum(Number::ZERO, terms.collect())
        };
        let energies = &self.energies;
        let energy = if energies.lagrangian.is_given() {
            Energy::Lagrangian(total(&energies.lagrangian.values))
        } else {
            Energy::Natural {
                kinetic: total(&energies.kinetic.values),
                potential: total(&energies.potential.values),
            }
        };
        let dissipation = total(&energies.dissipation.values);
        let forces = self.forces.by_coordinate.iter().map(|f| total(&f.values));
        let forces = forces.collect();
        let known = self.outputs.iter().filter_map(|output| {
            let value = output.value.as_ref()?;
            Some(Output {
                name: scope::text(&output.item.name),
                shape: value.shape,
                entries: value.entries.clone(),
            })
        });
        let constraints = self.constraints.iter().flat_map(|constraint| {
            let kind = match constraint.item.kind {
                ast::ConstraintKind::Holonomic => ConstraintKind::Holonomic,
                ast::ConstraintKind::Nonholonomic => ConstraintKind::Nonholonomic,
            };
            constraint.rows.iter().map(move |row| Constraint {
                name: row.name.clone(),
                kind,
                residual: row.value,
            })
        });
        System {
            constraints: constraints.collect(),
            outputs: known.collect(),
            graph,
            names: self.evaluator.names.clone(),
            energy,
            multibody,
            dissipation,
            forces,
        }
    }
}
