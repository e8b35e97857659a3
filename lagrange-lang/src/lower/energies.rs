//! The energies, as sums over statements.

use lagrange_engine::{Energy, Graph, NodeId, Number};
use proc_macro2::{Ident, Span};

use crate::errors::SpanRange;
use crate::syntax::ast::{AssignOp, EnergyTerm};
use crate::tables::{EnergyEntries, KineticHint, Written};

/// The energies so far, and the contributions of the statements, for checks of the whole system.
#[derive(Default)]
pub(super) struct Energies {
    pub(super) kinetic: Term,
    pub(super) potential: Term,
    pub(super) lagrangian: Term,
    pub(super) dissipation: Term,
    /// The keyword of the first body, spring or gravity. These contribute to T and V.
    parts: Option<String>,
    /// True if there is a body, with or without a mistake.
    pub(super) has_bodies: bool,
    /// True if both L and one of T and V are given. This is reported once.
    is_mixed: bool,
    pub(super) hints: Vec<KineticHint>,
    /// Each statement of `T`.
    pub(super) kinetic_statements: Vec<(SpanRange, NodeId)>,
    /// Each statement of `V`, with its sum and its top-level terms.
    pub(super) potential_statements: Vec<(Written, Vec<NodeId>)>,
    /// Each statement of `D`, in the same form.
    pub(super) dissipation_statements: Vec<(Written, Vec<NodeId>)>,
    /// Each statement of `V`, and each of its top-level terms.
    pub(super) potential_parts: Vec<NodeId>,
}

/// One quantity as a sum over statements.
#[derive(Default)]
pub(super) struct Term {
    /// Some statement gives it, with or without a mistake.
    is_given: bool,
    /// Some statement of it has a mistake, so that `values` is incomplete.
    pub(super) broken: bool,
    pub(super) values: Vec<NodeId>,
}

impl Term {
    pub(super) fn is_given(&self) -> bool {
        self.is_given
    }

    /// The sum of the values without mistakes.
    pub(super) fn total(&self, graph: &mut Graph) -> NodeId {
        let terms = self
            .values
            .iter()
            .map(|term| (Number::ONE, *term))
            .collect();
        graph.sum(Number::ZERO, terms)
    }

    /// Checks the operator: `=` is allowed first for a quantity, `+=` always.
    pub(super) fn give(&mut self, op: AssignOp) -> Result<(), Misplaced> {
        let again = std::mem::replace(&mut self.is_given, true);
        match op {
            AssignOp::Add => Ok(()),
            AssignOp::Set if !again => Ok(()),
            AssignOp::Set => Err(Misplaced::Again),
            AssignOp::Sub | AssignOp::Mul | AssignOp::Div => Err(Misplaced::Operator {
                is_subtraction: matches!(op, AssignOp::Sub),
            }),
        }
    }
}

/// The reason why an operator is not allowed.
pub(super) enum Misplaced {
    Again,
    Operator {
        /// `-=`, not `*=` or `/=`.
        is_subtraction: bool,
    },
}

impl Misplaced {
    /// The place to change and the message.
    pub(super) fn report(
        self,
        name: &str,
        keyword: SpanRange,
        op_span: Span,
    ) -> (SpanRange, String) {
        match self {
            Self::Again => {
                let message = format!("`{name}` is given twice\n\nhelp: add to it with `+=`");
                (keyword, message)
            }
            Self::Operator { is_subtraction } => {
                let help = match is_subtraction {
                    true => "add the opposite: `+= -(..)`",
                    false => {
                        "name its terms with `let`, multiply or divide them, and add them with `+=`"
                    }
                };
                let message = format!("`{name}` takes `=` or `+=`\n\nhelp: {help}");
                (op_span.into(), message)
            }
        }
    }
}

impl Energies {
    /// Returns whether the term that determines the inertia has no mistake of its own.
    fn inertia_is_known(&self) -> bool {
        let term = if self.lagrangian.is_given {
            &self.lagrangian
        } else {
            &self.kinetic
        };
        let is_given = term.is_given || self.has_bodies;
        is_given && !term.broken && !self.is_mixed
    }

    /// The form that the checks use.
    pub(super) fn into_entries(self) -> EnergyEntries {
        EnergyEntries {
            is_given: self.kinetic.is_given || self.lagrangian.is_given || self.has_bodies,
            is_known: self.inertia_is_known(),
            by_lagrangian: self.lagrangian.is_given && !self.is_mixed,
            hints: self.hints,
            kinetic: self.kinetic_statements,
            potential_statements: self.potential_statements,
            dissipation_statements: self.dissipation_statements,
            potential: self.potential_parts,
        }
    }

    /// The energy of the system, without the parts that have mistakes.
    pub(super) fn total(&self, graph: &mut Graph) -> Energy {
        if self.lagrangian.is_given {
            return Energy::Lagrangian(self.lagrangian.total(graph));
        }
        Energy::Natural {
            kinetic: self.kinetic.total(graph),
            potential: self.potential.total(graph),
        }
    }

    pub(super) fn term(&mut self, term: EnergyTerm) -> &mut Term {
        match term {
            EnergyTerm::Kinetic => &mut self.kinetic,
            EnergyTerm::Potential => &mut self.potential,
            EnergyTerm::Lagrangian => &mut self.lagrangian,
            EnergyTerm::Dissipation => &mut self.dissipation,
        }
    }

    /// The other way to give the energies, if it was used before.
    pub(super) fn conflict(&mut self, term: EnergyTerm) -> Option<String> {
        let conflict = match term {
            EnergyTerm::Kinetic | EnergyTerm::Potential if self.lagrangian.is_given => {
                "L".to_owned()
            }
            EnergyTerm::Lagrangian if self.kinetic.is_given => "T".to_owned(),
            EnergyTerm::Lagrangian if self.potential.is_given => "V".to_owned(),
            EnergyTerm::Lagrangian => self.parts.clone()?,
            _ => return None,
        };
        let said = std::mem::replace(&mut self.is_mixed, true);
        (!said).then_some(conflict)
    }

    /// `L`, if it was given before this body, spring or gravity.
    pub(super) fn conflict_with_parts(&mut self, keyword: &Ident) -> Option<&'static str> {
        self.parts.get_or_insert_with(|| keyword.to_string());
        let is_mixed = self.lagrangian.is_given && !std::mem::replace(&mut self.is_mixed, true);
        is_mixed.then_some("L")
    }

    /// Adds a part of V that does not come from a statement of `V`.
    pub(super) fn add_potential(&mut self, value: NodeId) {
        self.potential.values.push(value);
        self.potential_parts.push(value);
    }

    /// Notes that a statement with this keyword contributes to T and V.
    pub(super) fn note_parts(&mut self, word: &str) {
        self.parts.get_or_insert_with(|| word.to_owned());
    }

    /// Notes that some body has a mistake.
    pub(super) fn break_kinetic(&mut self) {
        self.kinetic.broken = true;
    }
}
