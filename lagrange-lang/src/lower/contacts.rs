//! `contact`: turns inequalities into gaps, with friction and restitution.

mod friction;

use lagrange_engine::{Contact, Dependence, NodeId, Shape};
use proc_macro2::Ident;
use syn::Attribute;

use super::dependence_errors::Forbidden;
use super::evaluator::Evaluator;
use super::lowering::Lowering;
use super::multipliers::FIRST_CONTACT;
use super::value::{Value, in_words};
use crate::errors::{Code, SpanRange};
use crate::model::ContactItem;
use crate::syntax::ast::{BlockField, Expr, text};

/// The symbols that a gap may not depend on. States are refused with the contact.
const NOT_OF_GAPS: [Forbidden; 2] = [Forbidden::Velocity, Forbidden::Input];

impl Lowering<'_> {
    /// `contact name: above >= below { .. };`. Counted for the stub also after a mistake.
    pub(super) fn lower_contact(
        &mut self,
        attributes: &[Attribute],
        (name, named): (&Ident, bool),
        (above, below): (&Expr, &Expr),
        fields: (&[BlockField], bool),
    ) {
        let is_new = named && self.check_constraint_name(name);
        let state = self.evaluator.names.states.first();
        if let Some(state) = state.filter(|_| self.contacts.items.is_empty()) {
            let message = format!(
                "a contact in a system with the state `{state}`\n\n\
                 help: remove it, or the states: contacts are for systems without states"
            );
            let errors = &mut self.evaluator.errors;
            errors.error(name, Code::MisplacedState, message);
        }
        let evaluator = &mut self.evaluator;
        let sides = [above, below].map(|expr| (expr, evaluator.evaluate(expr)));
        let gap = evaluator.gap(&sides);
        if let [(left, Some(a)), (right, Some(b))] = &sides {
            evaluator.note_equal_units((left, a), (right, b));
        }
        let friction = evaluator.evaluate_friction(fields, gap);
        if let (None, Some(field)) = (&self.first_friction, fields.0.first()) {
            self.first_friction = Some(field.name.clone());
        }
        let full_name = text(name) + &evaluator.blocks.subscript();
        self.contacts.items.push(ContactItem {
            name: name.clone(),
            attributes: attributes.to_vec(),
            slips: friction.slips.len(),
        });
        let moves = |gap| {
            self.evaluator
                .graph
                .dependence(gap)
                .intersects(Dependence::COORDINATE.union(Dependence::STATE))
        };
        if gap.is_some_and(|gap| !moves(gap)) {
            let message = format!(
                "the contact `{full_name}` restricts nothing: it does not depend on a coordinate\n\n\
                 help: write an inequality between coordinates, or remove it"
            );
            let errors = &mut self.evaluator.errors;
            errors.error(name, Code::RestrictsNothing, message);
        }
        if gap.is_none() {
            self.evaluator.broken_rows.insert(text(name));
        }
        if let (true, Some(gap)) = (is_new, gap) {
            let number = FIRST_CONTACT + self.contacts.rows.len() as u32;
            self.evaluator.know_multiplier(&full_name, number);
            self.evaluator.note_multiplier(name, number, (gap, false));
            self.contacts.rows.push(Contact {
                slips: friction.slips,
                friction: friction.friction,
                restitution: friction.restitution,
                ..Contact::new(full_name, gap)
            });
        }
    }
}

impl Evaluator<'_> {
    /// The difference of two scalars of q and t.
    fn gap(&mut self, sides: &[(&Expr, Option<Value>); 2]) -> Option<NodeId> {
        let mut is_sound = Some(());
        for (expr, value) in sides {
            let shape = value.as_ref().map_or(Shape::Scalar, |value| value.shape);
            if shape != Shape::Scalar && is_sound.is_some() {
                let message = format!(
                    "a contact compares scalars, and this is {}\n\n\
                     help: write a contact for each component",
                    in_words(shape)
                );
                is_sound = self.refuse(SpanRange::from(*expr), Code::WrongShape, message);
            }
        }
        let entries: Vec<NodeId> = sides
            .iter()
            .filter_map(|(_, value)| value.as_ref())
            .flat_map(|value| value.entries.clone())
            .collect();
        let of_places = self.refuse_dependence(0, &entries, &NOT_OF_GAPS, "a contact");
        is_sound.and(of_places)?;
        let [(above, over), (below, under)] = sides;
        let place = SpanRange {
            first: above.first,
            last: below.last,
        };
        let (over, under) = (over.as_ref()?, under.as_ref()?);
        let entries = over
            .entries
            .iter()
            .zip(&under.entries)
            .map(|(o, u)| self.graph.sub(*o, *u))
            .collect();
        let shape = Shape::Scalar;
        let gap = self.require_finite(place, Value { shape, entries })?;
        gap.entries.first().copied()
    }
}
