//! What the statements say beside the mechanics: where each part of a system was written, and how much of
//! it could be read.
//!
//! The mechanics is [`lagrange_engine::System`], which knows no tokens. The rules of [`crate::check`] are
//! functions of it and of these tables; nothing here borrows from the evaluation that filled them.

use std::collections::HashMap;

use lagrange_engine::{FrameId, NodeId, Shape};
use proc_macro2::Span;
use syn::Attribute;

use crate::errors::SpanRange;
use crate::model::{
    BundleItem, ConstraintItem, ContactItem, ExportItem, OutputItem, RegressorItem, SymmetryItem,
    Unused, Warning,
};

/// Where a statement begins, and what stands before it.
#[derive(Clone)]
pub(crate) struct Written {
    pub(crate) span: Span,
    pub(crate) attributes: Vec<Attribute>,
}

/// A part of the system that may turn out to do nothing.
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

/// A body without mistakes.
pub(crate) struct BodyEntry {
    pub(crate) written: Written,
    pub(crate) has_mass: bool,
    pub(crate) has_inertia: bool,
    pub(crate) frame: FrameId,
    /// The name of its frame, where it is written by one.
    pub(crate) frame_name: Option<String>,
    /// The angular velocity of its frame, in some axes.
    pub(crate) spin: [NodeId; 3],
}

/// The statements of one declaration. Also after mistakes, and in order of declaration.
#[derive(Default)]
pub(crate) struct Tables {
    pub(crate) outputs: Vec<OutputEntry>,
    pub(crate) bundles: Vec<BundleItem>,
    pub(crate) exports: Vec<ExportItem>,
    pub(crate) regressors: Vec<RegressorEntry>,
    pub(crate) symmetries: Vec<SymmetryEntry>,
    /// What becomes a method of each name.
    pub(crate) named: HashMap<String, Named>,
    pub(crate) constraints: Vec<ConstraintEntry>,
    /// In a loop one for each iteration.
    pub(crate) contacts: Vec<ContactItem>,
    pub(crate) energies: EnergyEntries,
    pub(crate) forces: Vec<ForceEntry>,
    /// Statements of `V` and `D`, springs and dampers.
    pub(crate) parts: Vec<PartEntry>,
    pub(crate) bodies: Vec<BodyEntry>,
    pub(crate) gravity: Option<GravityEntry>,
    /// What single statements deserve to be warned of.
    pub(crate) warnings: Vec<Warning>,
    /// Of each velocity.
    pub(crate) velocities: Vec<VelocityEntry>,
    /// Of each coordinate of the head: whether an expression names it.
    pub(crate) is_read: Vec<bool>,
    /// Parameters, inputs and `let`s that nothing reads.
    pub(crate) unused: Vec<Unused>,
    /// The `let`s in order of declaration, and what they are; `None` where a mistake hides it.
    pub(crate) shapes: Vec<(String, Option<Shape>)>,
    /// Names that are used in another role than theirs.
    pub(crate) misused: Vec<String>,
    pub(crate) known: Known,
}

/// A `pub let` or `pub frame`.
pub(crate) struct OutputEntry {
    pub(crate) item: OutputItem,
    /// Of a value; `None` where a mistake hides it.
    pub(crate) shape: Option<Shape>,
}

/// A `regressor`.
pub(crate) struct RegressorEntry {
    pub(crate) item: RegressorItem,
    /// Whether there is no mistake in it, so that it is one of the system's.
    pub(crate) is_known: bool,
}

/// A `symmetry`.
pub(crate) struct SymmetryEntry {
    pub(crate) item: SymmetryItem,
    /// Whether there is no mistake in it, so that it is one of the system's.
    pub(crate) is_known: bool,
}

/// What has the name of a method beside the generated ones.
#[derive(Clone, Copy)]
pub(crate) struct Named {
    pub(crate) what: &'static str,
    /// How many such names came before.
    pub(crate) order: usize,
}

/// What a constraint says, in a loop what it says in one iteration.
pub(crate) struct ConstraintEntry {
    pub(crate) item: ConstraintItem,
    /// Where the statement stands: its number in each block. The same in every iteration.
    pub(crate) statement: Vec<usize>,
    /// How many of the system's constraints it is; none where a mistake hides them.
    pub(crate) rows: usize,
    /// The entries of both sides, as far as they are known.
    pub(crate) sides: Vec<NodeId>,
    /// How its rows are written one by one; `None` of a scalar equation.
    pub(crate) texts: Option<RowTexts>,
    /// Whether both sides are known.
    pub(crate) is_known: bool,
    /// Whether there is no mistake in it.
    pub(crate) is_sound: bool,
}

/// The rows of a vector or matrix equation, written one by one.
pub(crate) struct RowTexts {
    /// Both sides of each.
    pub(crate) rows: Vec<[String; 2]>,
    /// The `let`s that they need.
    pub(crate) lets: Vec<String>,
}

/// The statements that give energies.
#[derive(Default)]
pub(crate) struct EnergyEntries {
    /// Whether something gives coordinates their inertia, perhaps with a mistake.
    pub(crate) is_given: bool,
    /// Whether what gives it has no mistake of its own.
    pub(crate) is_known: bool,
    /// Whether it is L alone that is given.
    pub(crate) by_lagrangian: bool,
    pub(crate) hints: Vec<KineticHint>,
    /// Each statement of `T`.
    pub(crate) kinetic: Vec<(SpanRange, NodeId)>,
    /// Each statement of `V`: its sum and its top-level terms.
    pub(crate) potential_statements: Vec<(Written, Vec<NodeId>)>,
    /// The same of `D`.
    pub(crate) dissipation_statements: Vec<(Written, Vec<NodeId>)>,
    /// Each part of V: statements, their top-level terms, and what springs and gravity add.
    pub(crate) potential: Vec<NodeId>,
}

pub(crate) struct GravityEntry {
    pub(crate) written: Written,
    /// The potential of each body's weight.
    pub(crate) weights: Vec<NodeId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ForceKind {
    /// `Q.c = e;`
    Generalized,
    AtPoint,
    Torque,
}

/// What in a statement of `T` may explain that coordinates have no inertia.
pub(crate) enum KineticHint {
    /// A factor that is zero, and what it multiplies.
    ZeroFactor {
        place: SpanRange,
        others: Vec<NodeId>,
    },
    /// The parts of a statement that depend on velocities, whether they stay or cancel.
    Mentioned {
        place: SpanRange,
        rates: Vec<NodeId>,
    },
    /// A coordinate, in a statement without velocities.
    Coordinate { place: SpanRange, name: String },
    /// `der(x^2)`, of this base.
    RateOfPower { place: SpanRange, of: String },
}

/// What one statement adds to Q.
pub(crate) struct ForceEntry {
    pub(crate) kind: ForceKind,
    pub(crate) keyword: Span,
    pub(crate) attributes: Vec<Attribute>,
    /// Numbers of velocities, and the force along each.
    pub(crate) generalized: Vec<(usize, NodeId)>,
    /// Whether it speaks of all coordinates: the force on others is 0.
    pub(crate) of_all: bool,
    /// Whether it is not zero and acts on something that moves, if only across the way.
    pub(crate) acts: bool,
    /// Where it acts, if at a point that is on no frame.
    pub(crate) point: Vec<NodeId>,
}

/// The forces along one velocity.
#[derive(Clone, Copy, Default)]
pub(crate) struct VelocityEntry {
    /// Whether a `Q.` names it, perhaps with a mistake.
    pub(crate) is_named: bool,
    /// Whether a force acts along it.
    pub(crate) has_force: bool,
}

/// How much could be read.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known {
    /// Every name; if not, none counts as idle.
    pub(crate) names: bool,
    /// Every statement; if not, none counts as missing.
    pub(crate) statements: bool,
    /// All that the equations of motion are made of.
    pub(crate) terms: bool,
    /// Everything that a bundle may hold; if not, an unknown item may be what was lost.
    pub(crate) items: bool,
    /// Whether the declaration was read to its end, and not found too large before.
    pub(crate) to_the_end: bool,
}
