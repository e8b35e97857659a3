//! The results of the statements so far, and the system that they form.

use std::collections::HashMap;

use lagrange_engine::{
    Body, Constraint, Contact, Dependence, DryJoint, FrameId, Graph, NodeId, Output, Symbol, System,
};
use proc_macro2::Ident;
use syn::Attribute;

use super::energies::{Energies, Term};
use super::evaluator::{Declarations, Evaluator};
use super::listed::{LoweredSymmetry, list_parameters};
use super::multipliers::{FIRST_CONTACT, differentiate_by};
use super::state_rates::substitute;
use super::value::Value;
use crate::errors::{Errors, SpanRange};
use crate::model::{
    BundleItem, ContactItem, Declared, ExportItem, Head, OutputItem, Unused, Warning,
};
use crate::syntax::ast::{SystemDef, text};
use crate::tables::{
    BodyEntry, ConstraintEntry, CurveEntry, ForceEntry, GravityEntry, Known, LinkEntry, Named,
    OutputEntry, PartEntry, RegressorEntry, SensitivityEntry, Tables, VelocityEntry,
};

/// The statements so far.
pub(super) struct Lowering<'e> {
    pub(super) evaluator: Evaluator<'e>,
    /// The coordinates that statements declare. They follow those of the head.
    pub(super) coordinates: Vec<Declared>,
    pub(super) energies: Energies,
    pub(super) forces: Forces,
    pub(super) bodies: Bodies,
    pub(super) constraints: Constraints,
    pub(super) contacts: Contacts,
    /// The joints with dry friction that sticks.
    pub(super) dry_joints: Vec<DryJoint>,
    /// The first field of friction that only a solution for all contacts reads.
    pub(super) first_friction: Option<Ident>,
    pub(super) outputs: Vec<LoweredOutput>,
    /// The kind of method that each name becomes.
    pub(super) output_names: HashMap<String, Named>,
    /// True if there were too many outputs.
    pub(super) has_surplus_outputs: bool,
    pub(super) bundles: Vec<BundleItem>,
    pub(super) exports: Vec<ExportItem>,
    pub(super) regressors: Vec<RegressorEntry>,
    pub(super) sensitivities: Vec<SensitivityEntry>,
    pub(super) symmetries: Vec<LoweredSymmetry>,
    /// The dependence of each output, by the names in its text.
    pub(super) reads: HashMap<String, Dependence>,
    /// True if every statement was parsed. If not, nothing is reported as missing.
    pub(super) all_known: bool,
    /// The attributes of the current statement.
    pub(super) attributes: Vec<Attribute>,
    pub(super) parts: Vec<PartEntry>,
    pub(super) links: Vec<LinkEntry>,
    pub(super) body_entries: Vec<BodyEntry>,
    pub(super) gravity_entry: Option<GravityEntry>,
    pub(super) warnings: Vec<Warning>,
    /// The curves through points in statements.
    pub(super) curves: Vec<CurveEntry>,
    /// True if no term of the equations has a mistake.
    pub(super) terms_known: bool,
}

pub(super) struct LoweredOutput {
    pub(super) item: OutputItem,
    pub(super) value: LoweredValue,
}

/// The value or frame of an output.
pub(super) enum LoweredValue {
    Value {
        /// `None` after a mistake.
        value: Option<Value>,
        /// The place that requires its second derivatives.
        hessian: Option<SpanRange>,
    },
    /// `None` after a mistake.
    Frame(Option<FrameId>),
}

/// The forces so far, with one term for each velocity.
pub(super) struct Forces {
    pub(super) by_velocity: Vec<Term>,
    pub(super) entries: Vec<ForceEntry>,
}

impl Forces {
    pub(super) fn new(coordinates: usize) -> Self {
        Forces {
            by_velocity: (0..coordinates).map(|_| Term::default()).collect(),
            entries: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, statement: ForceEntry) {
        for (coordinate, force) in &statement.generalized {
            if let Some(term) = self.by_velocity.get_mut(*coordinate) {
                term.values.push(*force);
            }
        }
        self.entries.push(statement);
    }

    pub(super) fn velocities(&self) -> Vec<VelocityEntry> {
        self.by_velocity
            .iter()
            .map(|term| VelocityEntry {
                is_named: term.is_given(),
                has_force: !term.values.is_empty(),
            })
            .collect()
    }
}

/// The positions of masses and the gravity on them.
#[derive(Default)]
pub(super) struct Bodies {
    pub(super) masses: Vec<Mass>,
    /// The statements of each named body. A name in a loop has several bodies.
    pub(super) names: HashMap<String, Vec<usize>>,
    /// The statements of each named actuator.
    pub(super) actuators: HashMap<String, Vec<usize>>,
    pub(super) gravity: Option<Gravity>,
    pub(super) gravity_is_given: bool,
}

pub(super) struct Mass {
    pub(super) body: Body,
    /// True if its position is a point of the plane, with z = 0.
    pub(super) is_planar: bool,
    /// True if its position is given.
    pub(super) is_placed: bool,
    /// Whether it is a link of a robot file, so that gravity beside it has three components.
    pub(super) is_link: bool,
    /// The span of its position, or else its keyword.
    pub(super) place: SpanRange,
}

pub(super) struct Gravity {
    pub(super) acceleration: Value,
    pub(super) place: SpanRange,
    /// The number of masses before it.
    pub(super) before: usize,
}

/// The constraints so far.
#[derive(Default)]
pub(super) struct Constraints {
    /// The rows of all statements without mistakes.
    pub(super) rows: Vec<Constraint>,
    pub(super) entries: Vec<ConstraintEntry>,
    /// The statement that has each name: see [`ConstraintEntry::statement`].
    pub(super) names: HashMap<String, Vec<usize>>,
}

/// The contacts so far.
#[derive(Default)]
pub(super) struct Contacts {
    /// The contacts without mistakes.
    pub(super) rows: Vec<Contact>,
    pub(super) items: Vec<ContactItem>,
}

impl<'e> Lowering<'e> {
    pub(super) fn new(
        head: &Head,
        mut declarations: Declarations,
        reads: HashMap<String, Dependence>,
        errors: &'e mut Errors,
    ) -> Self {
        Lowering {
            all_known: declarations.complete,
            terms_known: errors.is_empty(),
            forces: Forces::new(head.velocity_count()),
            warnings: std::mem::take(&mut declarations.warnings),
            curves: Vec::new(),
            evaluator: Evaluator::new(declarations, errors),
            coordinates: Vec::new(),
            energies: Energies::default(),
            bodies: Bodies::default(),
            constraints: Constraints::default(),
            contacts: Contacts::default(),
            dry_joints: Vec::new(),
            first_friction: None,
            outputs: Vec::new(),
            output_names: HashMap::new(),
            has_surplus_outputs: false,
            bundles: Vec::new(),
            exports: Vec::new(),
            regressors: Vec::new(),
            sensitivities: Vec::new(),
            symmetries: Vec::new(),
            reads,
            attributes: Vec::new(),
            parts: Vec::new(),
            links: Vec::new(),
            body_entries: Vec::new(),
            gravity_entry: None,
        }
    }

    /// Evaluates all statements.
    pub(super) fn evaluate_system(&mut self, definition: &'e SystemDef) -> System {
        self.evaluator.statements = &definition.statements;
        self.announce_robots();
        self.lower_statements(&definition.statements);
        self.lower_robots();
        self.refuse_early_rates();
        self.refuse_friction_beside_multipliers();
        self.add_gravity_on_bodies();
        self.build_system()
    }

    /// The input of the engine, without the parts that have mistakes.
    pub(super) fn build_system(&mut self) -> System {
        let multibody = self.build_multibody();
        let mut graph = std::mem::take(&mut self.evaluator.graph);
        let energy = self.energies.total(&mut graph);
        let dissipation = self.energies.dissipation.total(&mut graph);
        let forces: Vec<NodeId> = self
            .forces
            .by_velocity
            .iter()
            .map(|force| force.total(&mut graph))
            .collect();
        let rows = [self.constraints.rows.len(), self.contacts.rows.len()];
        let state_rates = self.evaluator.rates.resolve(&mut graph);
        let forces = substitute(&mut graph, &forces, &state_rates);
        let (forces, multiplier_forces) = split_multiplier_forces(&mut graph, forces, rows);
        let outputs: Vec<Output> = self
            .outputs
            .iter()
            .filter_map(LoweredOutput::known)
            .map(|output| Output {
                entries: substitute(&mut graph, &output.entries, &state_rates),
                ..output
            })
            .collect();
        let regressors = self
            .regressors
            .iter()
            .filter(|entry| entry.is_known)
            .map(|entry| list_parameters(&entry.item.name, &entry.item.parameters))
            .collect();
        let sensitivities = self
            .sensitivities
            .iter()
            .filter(|entry| entry.is_known)
            .map(|entry| list_parameters(&entry.item.name, &entry.item.parameters))
            .collect();
        let velocities = self.forces.by_velocity.len();
        let zero = graph.integer(0);
        let symmetries = self
            .symmetries
            .iter()
            .filter_map(|symmetry| symmetry.known(velocities, zero))
            .collect();
        System {
            constraints: std::mem::take(&mut self.constraints.rows),
            contacts: std::mem::take(&mut self.contacts.rows),
            dry_joints: self.dry_joints.clone(),
            outputs,
            regressors,
            sensitivities,
            symmetries,
            graph,
            names: self.evaluator.names.clone(),
            energy,
            multibody,
            dissipation,
            forces,
            state_rates,
            multiplier_forces,
        }
    }

    pub(super) fn into_tables(self, head: &Head) -> Tables {
        let Evaluator {
            scope, complete, ..
        } = &self.evaluator;
        // A statement reads its own coordinate, and the links of a robot read the coordinates of their joints.
        let is_used = |c: &Declared| {
            let is_read = || scope.find(&c.name).is_none_or(|binding| binding.read);
            c.path.is_some() || is_read()
        };
        let unused = scope.unused().map(|binding| Unused {
            name: binding.name.clone(),
            attributes: binding.attributes.clone(),
        });
        Tables {
            is_read: head.coordinates.iter().map(is_used).collect(),
            unused: unused.collect(),
            shapes: scope.shapes(),
            misused: self.evaluator.misused.clone(),
            has_rate: self.evaluator.rates.given(),
            known: Known {
                names: *complete,
                statements: self.all_known,
                terms: self.terms_known && !self.evaluator.is_exhausted(),
                items: true,
                to_the_end: !self.evaluator.is_exhausted(),
            },
            energies: self.energies.into_entries(),
            velocities: self.forces.velocities(),
            forces: self.forces.entries,
            parts: self.parts,
            links: self.links,
            curves: self.curves,
            bodies: self.body_entries,
            gravity: self.gravity_entry,
            warnings: self.warnings,
            constraints: self.constraints.entries,
            contacts: self.contacts.items,
            dry_joints: self.dry_joints.iter().map(|joint| joint.velocity).collect(),
            outputs: self.outputs.into_iter().map(LoweredOutput::entry).collect(),
            bundles: self.bundles,
            exports: self.exports,
            regressors: self.regressors,
            sensitivities: self.sensitivities,
            symmetries: self
                .symmetries
                .into_iter()
                .map(LoweredSymmetry::entry)
                .collect(),
            named: self.output_names,
        }
    }
}

impl LoweredOutput {
    /// The output, unless it has a mistake.
    fn known(&self) -> Option<Output> {
        let LoweredValue::Value { value, .. } = &self.value else {
            return None;
        };
        let value = value.as_ref()?;
        Some(Output {
            name: text(&self.item.name),
            shape: value.shape,
            entries: value.entries.clone(),
        })
    }

    /// The frame, unless it has a mistake.
    pub(super) fn known_frame(&self) -> Option<FrameId> {
        match self.value {
            LoweredValue::Frame(frame) => frame,
            LoweredValue::Value { .. } => None,
        }
    }

    fn entry(self) -> OutputEntry {
        let value = match self.value {
            LoweredValue::Value { value, .. } => value,
            LoweredValue::Frame(_) => None,
        };
        OutputEntry {
            shape: value.map(|value| value.shape),
            item: self.item,
        }
    }
}

/// Forces without multipliers, and their derivatives by the multipliers of so many constraints and contacts, if there
/// are any.
fn split_multiplier_forces(
    graph: &mut Graph,
    forces: Vec<NodeId>,
    [constraints, contacts]: [usize; 2],
) -> (Vec<NodeId>, Vec<Vec<NodeId>>) {
    let is_pure = |force: &NodeId| !graph.dependence(*force).intersects(Dependence::MULTIPLIER);
    if forces.iter().all(is_pure) {
        return (forces, Vec::new());
    }
    let symbols: Vec<Symbol> = (0..constraints as u32)
        .chain((0..contacts as u32).map(|k| FIRST_CONTACT + k))
        .map(Symbol::Multiplier)
        .collect();
    let by_row = symbols
        .iter()
        .map(|symbol| differentiate_by(graph, &forces, *symbol))
        .collect();
    let zero = graph.integer(0);
    let nothing: Vec<(Symbol, NodeId)> = symbols.iter().map(|symbol| (*symbol, zero)).collect();
    (graph.substitute(&forces, &nothing), by_row)
}
