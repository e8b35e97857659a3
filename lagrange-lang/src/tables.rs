//! Facts about the statements other than the mechanics: the place where each part of the system was written, and how
//! much of it could be read.
//!
//! The mechanics is in [`lagrange_engine::System`], which contains no tokens. The rules in [`crate::check`] are
//! functions of the system and of these tables. The tables borrow nothing from the evaluation that filled them.

use std::collections::HashMap;
use std::sync::Arc;

use lagrange_engine::{Curve, FrameId, NodeId, Shape};
use proc_macro2::Span;
use syn::Attribute;

use crate::errors::SpanRange;
use crate::model::{
    BundleItem, ConstraintItem, ContactItem, ExportItem, OutputItem, RegressorItem,
    SensitivityItem, SymmetryItem, Unused, Warning,
};

/// The start of a statement and the attributes before it.
#[derive(Clone)]
pub(crate) struct Written {
    pub(crate) span: Span,
    pub(crate) attributes: Vec<Attribute>,
}

/// A part of the system that may have no effect.
pub(crate) struct PartEntry {
    pub(crate) kind: PartKind,
    pub(crate) written: Written,
    pub(crate) value: NodeId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PartKind {
    Potential,
    Dissipation,
    Spring,
    Damper,
}

/// A spring or a damper without mistakes.
pub(crate) struct LinkEntry {
    pub(crate) kind: PartKind,
    /// One component on a line, two in the plane, three in space.
    pub(crate) ends: [Vec<NodeId>; 2],
}

/// A body without mistakes.
pub(crate) struct BodyEntry {
    pub(crate) written: Written,
    pub(crate) has_mass: bool,
    pub(crate) has_inertia: bool,
    pub(crate) frame: FrameId,
    /// The name of its frame, if the frame is given by a name.
    pub(crate) frame_name: Option<String>,
    /// The angular velocity of its frame, in an unspecified basis.
    pub(crate) spin: [NodeId; 3],
}

/// A call of a curve through points.
pub(crate) struct CurveEntry {
    pub(crate) curve: Arc<Curve>,
    pub(crate) x: NodeId,
    /// The name of the function.
    pub(crate) place: Span,
    /// The attributes of its statement.
    pub(crate) attributes: Vec<Attribute>,
}

/// The statements of one declaration in order, including those with mistakes.
#[derive(Default)]
pub(crate) struct Tables {
    pub(crate) outputs: Vec<OutputEntry>,
    pub(crate) bundles: Vec<BundleItem>,
    pub(crate) exports: Vec<ExportItem>,
    pub(crate) regressors: Vec<RegressorEntry>,
    pub(crate) sensitivities: Vec<SensitivityEntry>,
    pub(crate) symmetries: Vec<SymmetryEntry>,
    /// For each name, the item that becomes a method of this name.
    pub(crate) named: HashMap<String, Named>,
    pub(crate) constraints: Vec<ConstraintEntry>,
    /// The contacts. A contact in a loop has one item for each iteration.
    pub(crate) contacts: Vec<ContactItem>,
    /// The velocities of the joints with dry friction that sticks.
    pub(crate) dry_joints: Vec<usize>,
    pub(crate) energies: EnergyEntries,
    pub(crate) forces: Vec<ForceEntry>,
    /// The statements of `V` and `D`, the springs and the dampers.
    pub(crate) parts: Vec<PartEntry>,
    /// The springs and the dampers.
    pub(crate) links: Vec<LinkEntry>,
    pub(crate) bodies: Vec<BodyEntry>,
    pub(crate) curves: Vec<CurveEntry>,
    pub(crate) gravity: Option<GravityEntry>,
    /// Warnings about single statements.
    pub(crate) warnings: Vec<Warning>,
    /// One entry for each velocity.
    pub(crate) velocities: Vec<VelocityEntry>,
    /// For each coordinate of the head, true if an expression names it.
    pub(crate) is_read: Vec<bool>,
    /// Parameters, inputs and `let`s that nothing reads.
    pub(crate) unused: Vec<Unused>,
    /// The `let`s in order of declaration, each with its shape. `None` if a mistake hides it.
    pub(crate) shapes: Vec<(String, Option<Shape>)>,
    /// For each state, true if a statement gives its rate, even one with a mistake.
    pub(crate) has_rate: Vec<bool>,
    /// Names that are used in a role other than their own.
    pub(crate) misused: Vec<String>,
    pub(crate) known: Known,
}

/// A `pub let` or `pub frame`.
pub(crate) struct OutputEntry {
    pub(crate) item: OutputItem,
    /// The shape of a value. `None` if a mistake hides it.
    pub(crate) shape: Option<Shape>,
}

/// A `regressor`.
pub(crate) struct RegressorEntry {
    pub(crate) item: RegressorItem,
    /// True if it has no mistake. Then it is one of the system's regressors.
    pub(crate) is_known: bool,
}

/// A `sensitivity`.
pub(crate) struct SensitivityEntry {
    pub(crate) item: SensitivityItem,
    /// True if it has no mistake. Then it is one of the system's sensitivities.
    pub(crate) is_known: bool,
}

/// A `symmetry`.
pub(crate) struct SymmetryEntry {
    pub(crate) item: SymmetryItem,
    /// True if it has no mistake. Then it is one of the system's symmetries.
    pub(crate) is_known: bool,
}

/// A declaration whose name becomes the name of a method.
#[derive(Clone, Copy)]
pub(crate) struct Named {
    pub(crate) what: &'static str,
    /// The number of such names before this one.
    pub(crate) order: usize,
}

/// A constraint. In a loop it is the constraint of one iteration.
pub(crate) struct ConstraintEntry {
    pub(crate) item: ConstraintItem,
    /// The position of the statement: its number in each nested block, the same in every iteration.
    pub(crate) statement: Vec<usize>,
    /// The number of the system's constraints that the statement yields, 0 after a mistake.
    pub(crate) rows: usize,
    /// The known entries of both sides.
    pub(crate) sides: Vec<NodeId>,
    /// True if both sides are known.
    pub(crate) is_known: bool,
    /// True if it has no mistake.
    pub(crate) is_sound: bool,
}

/// The statements that give energies.
#[derive(Default)]
pub(crate) struct EnergyEntries {
    /// True if some statement gives inertia, even one with a mistake.
    pub(crate) is_given: bool,
    /// True if these statements have no mistakes of their own.
    pub(crate) is_known: bool,
    /// True if L is given instead of T and V.
    pub(crate) by_lagrangian: bool,
    pub(crate) hints: Vec<KineticHint>,
    /// Each statement of `T`.
    pub(crate) kinetic: Vec<(SpanRange, NodeId)>,
    /// The statements of `V`, each with its sum and its top-level terms.
    pub(crate) potential_statements: Vec<(Written, Vec<NodeId>)>,
    /// The statements of `D` in the same form.
    pub(crate) dissipation_statements: Vec<(Written, Vec<NodeId>)>,
    /// All parts of V: the statements, their top-level terms, and the terms from springs and gravity.
    pub(crate) potential: Vec<NodeId>,
}

pub(crate) struct GravityEntry {
    pub(crate) written: Written,
    /// The potential of the weight of each body.
    pub(crate) weights: Vec<NodeId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ForceKind {
    /// `Q.c = e;`
    Generalized,
    AtPoint,
    Torque,
}

/// Facts about a statement of `T` that may explain missing inertia.
pub(crate) enum KineticHint {
    /// A zero factor, and the expressions that it multiplies.
    ZeroFactor {
        place: SpanRange,
        others: Vec<NodeId>,
    },
    /// The parts of a statement that depend on velocities, including those that cancel.
    Mentioned {
        place: SpanRange,
        rates: Vec<NodeId>,
    },
    /// A coordinate in a statement without velocities.
    Coordinate { place: SpanRange, name: String },
    /// `der(x^2)` with this base.
    RateOfPower { place: SpanRange, of: String },
}

/// The contribution of one statement to Q.
pub(crate) struct ForceEntry {
    pub(crate) kind: ForceKind,
    pub(crate) keyword: Span,
    pub(crate) attributes: Vec<Attribute>,
    /// Indices of velocities, each with the force along that velocity.
    pub(crate) generalized: Vec<(usize, NodeId)>,
    /// True if the statement determines the force along all coordinates. The force along those not listed is 0.
    pub(crate) of_all: bool,
    /// True if the force is not zero and acts on something that moves, even if it does no work.
    pub(crate) acts: bool,
    /// The point of a force that is not fixed to a frame. Otherwise empty.
    pub(crate) point: Vec<NodeId>,
}

/// The forces along one velocity.
#[derive(Clone, Copy, Default)]
pub(crate) struct VelocityEntry {
    /// True if a `Q.` statement names it, even one with a mistake.
    pub(crate) is_named: bool,
    /// True if a force acts along it.
    pub(crate) has_force: bool,
}

/// The completeness of the reading.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known {
    /// True if every name is known. If not, no name counts as unused.
    pub(crate) names: bool,
    /// True if every statement is known. If not, no statement counts as missing.
    pub(crate) statements: bool,
    /// True if all terms of the equations of motion are known.
    pub(crate) terms: bool,
    /// True if all possible items of bundles are known. If not, an unknown item may be one that was lost.
    pub(crate) items: bool,
    /// True if the whole declaration was read. It is false if the declaration exceeded a limit.
    pub(crate) to_the_end: bool,
}
