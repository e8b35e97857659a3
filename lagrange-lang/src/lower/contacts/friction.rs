//! The block of a `contact`: its sliding velocity, friction and restitution.

use lagrange_engine::{Dependence, NodeId, Shape};

use crate::errors::Code;
use crate::lower::bodies::Fields;
use crate::lower::dependence_errors::Forbidden;
use crate::lower::evaluator::Evaluator;
use crate::lower::lowering::Lowering;
use crate::lower::value::in_words;
use crate::syntax::ast::{BlockField, Expr};
use crate::units::{Factor, Side};

const FIELDS: [&str; 3] = ["slip", "friction", "restitution"];

/// The symbols that the sliding velocity and the coefficients may not depend on. States are refused with the contact.
const CONTROLS: [Forbidden; 1] = [Forbidden::Input];

const NOT_AFFINE: &str = "not affine in the velocities: a sliding velocity is `A v + b`, where A and b depend on \
                          positions and time only\n\n\
                          help: write the velocity of one surface along the other, as `der(x) - speed`";

/// The friction and the restitution of a contact.
#[derive(Default)]
pub(super) struct Friction {
    pub(super) slips: Vec<NodeId>,
    pub(super) friction: Option<NodeId>,
    pub(super) restitution: Option<NodeId>,
}

impl Lowering<'_> {
    /// Forces by multipliers are those of contacts that hold as equations.
    pub(in crate::lower) fn refuse_friction_beside_multipliers(&mut self) {
        let graph = &self.evaluator.graph;
        let reacts = |force: &NodeId| graph.dependence(*force).intersects(Dependence::MULTIPLIER);
        let has_reaction = self
            .forces
            .by_velocity
            .iter()
            .flat_map(|term| &term.values)
            .any(reacts);
        if let (Some(field), true) = (&self.first_friction, has_reaction) {
            let message = format!(
                "`{field}` beside a force with `multiplier(..)`: one law of friction for all contacts\n\n\
                 help: remove one of them: `slip` and `friction` of each contact, or forces with multipliers, which \
                 act while the caller holds contacts closed"
            );
            self.evaluator.errors.error(field, Code::Friction, message);
        }
    }
}

impl Evaluator<'_> {
    /// `{ slip: s, friction: mu, restitution: e }`, each if it is given and sound.
    pub(super) fn evaluate_friction(
        &mut self,
        fields: (&[BlockField], bool),
        gap: Option<NodeId>,
    ) -> Friction {
        let fields = self.read_block_fields(fields, &FIELDS);
        let slips = fields.get("slip").map(|expr| self.evaluate_slip(expr, gap));
        let friction = self.evaluate_coefficient(&fields, "friction");
        let restitution = self.evaluate_coefficient(&fields, "restitution");
        if let (Some((field, _)), None, true) = (
            fields.field("friction"),
            fields.field("slip"),
            fields.are_sound,
        ) {
            let message = format!(
                "this contact has `{field}`, but no `slip`\n\n\
                 help: add `slip: ..`, the sliding velocity, as `der(x)`, or `[der(p).x, der(p).y]` in space"
            );
            self.errors.error(field, Code::Friction, message);
        }
        Friction {
            slips: slips.flatten().unwrap_or_default(),
            friction,
            restitution,
        }
    }

    /// One or two sliding velocities.
    fn evaluate_slip(&mut self, expr: &Expr, gap: Option<NodeId>) -> Option<Vec<NodeId>> {
        let mark = self.mark();
        let value = self.evaluate(expr)?;
        if !matches!(value.shape, Shape::Scalar | Shape::Vector(1 | 2)) {
            let message = format!(
                "the sliding velocity of a contact is a scalar, or a vector of 2, and this is {}\n\n\
                 help: write its parts along the surface",
                in_words(value.shape)
            );
            return self.refuse(expr, Code::WrongShape, message);
        }
        self.refuse_dependence(mark, &value.entries, &CONTROLS, "`slip` of a contact")?;
        self.refuse_curved(&value.entries, (expr, NOT_AFFINE))?;
        let graph = &self.graph;
        let moving = Dependence::VELOCITY.union(Dependence::STATE);
        let is_still = |entry: &NodeId| !graph.dependence(*entry).intersects(moving);
        if value.entries.iter().any(is_still) {
            let message = "a sliding velocity without a velocity\n\n\
                           help: write the velocity of one surface along the other, as `der(x)`";
            return self.refuse(expr, Code::Friction, message);
        }
        if let Some(gap) = gap {
            let factors = vec![(Factor::Node(gap), 1), (Factor::Second, -1)];
            self.note_unit(
                expr,
                &value.entries,
                &Side::new(factors, "a sliding velocity"),
            );
        }
        Some(value.entries)
    }

    /// The coefficient of friction or of restitution.
    fn evaluate_coefficient(&mut self, fields: &Fields<'_>, name: &str) -> Option<NodeId> {
        let expr = fields.get(name)?;
        let mark = self.mark();
        let value = self.evaluate(expr)?;
        let what = format!("`{name}` of a contact");
        self.refuse_dependence(mark, &value.entries, &CONTROLS, &what)?;
        let node = self.expect_scalar(expr, &value, &format!("{what} is a scalar"))?;
        self.note_pure(expr, &value, &format!("a coefficient of {name}"));
        let number = self
            .find_constant_number(node)
            .map(|number| number.to_f64());
        let refusal = match (name, number) {
            ("friction", Some(mu)) if mu < 0.0 => {
                "a coefficient of friction is not negative\n\n\
                 help: write its amount: friction is always against the slip"
            }
            ("restitution", Some(e)) if !(0.0..=1.0).contains(&e) => {
                "a coefficient of restitution is from 0 to 1\n\n\
                 help: write the speed after an impact divided by the speed before it"
            }
            _ => return Some(node),
        };
        self.refuse(expr, Code::Friction, refusal)
    }
}
