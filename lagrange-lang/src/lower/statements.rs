//! Evaluates statements in order: names and their values, and dispatch by kind.

use proc_macro2::{Ident, Span};
use syn::{Attribute, Visibility};

use super::evaluator::Evaluator;
use super::lowering::{LoweredValue, Lowering};
use super::names;
use super::scope::{Binding, BindingKind};
use super::value::Value;
use crate::errors::{Code, SpanRange};
use crate::suggest::derivatives::{self, Derivative};
use crate::suggest::foreign::{self, Place};
use crate::syntax::ast::{AssignOp, Expr, Statement, StatementKind, text};

/// The name of a `let` or `frame` and the words before it.
pub(super) struct NameHead<'x> {
    pub(super) attributes: &'x [Attribute],
    pub(super) public: Option<&'x Visibility>,
    pub(super) mutable: bool,
    pub(super) name: &'x Ident,
}

impl Lowering<'_> {
    pub(super) fn lower_statements(&mut self, statements: &[Statement]) {
        self.evaluator.blocks.enter(statements);
        for (position, statement) in statements.iter().enumerate() {
            self.evaluator.blocks.reach(position);
            self.lower_statement(statement);
        }
        self.evaluator.blocks.leave();
    }

    pub(super) fn lower_statement(&mut self, statement: &Statement) {
        let outer = self.evaluator.enter(subject(statement));
        self.attributes.clone_from(&statement.attributes);
        let mistakes = self.evaluator.errors.count();
        self.evaluate_statement(statement);
        let has_mistake = self.evaluator.errors.count() > mistakes;
        if has_mistake && may_move_others(statement) {
            self.evaluator.complete = false;
            self.all_known = false;
        }
        self.terms_known &= is_no_term(statement) || self.evaluator.errors.count() == mistakes;
        self.evaluator.afford_derivatives(statement);
        self.take_warnings(statement);
        self.evaluator.leave(outer);
        self.all_known &= !self.evaluator.is_exhausted();
    }

    pub(super) fn evaluate_statement(&mut self, statement: &Statement) {
        let attributes = &statement.attributes;
        match &statement.kind {
            StatementKind::Let {
                public,
                hessian,
                mutable,
                name,
                value,
            } => {
                let head = NameHead {
                    attributes,
                    public: public.as_ref(),
                    mutable: *mutable,
                    name,
                };
                self.lower_let(&head, *hessian, value);
            }
            StatementKind::Function(function) => {
                self.evaluator.declare_function(function, attributes);
            }
            StatementKind::Assign {
                target,
                op,
                op_span,
                value,
            } => {
                // An unknown target may mean any other kind of statement.
                self.all_known &= self.evaluator.scope.find(target).is_some();
                self.evaluator.assign(target, (*op, *op_span), value);
            }
            StatementKind::Energy {
                term,
                keyword,
                op,
                op_span,
                value,
            } => self.lower_energy(*term, keyword, (*op, *op_span), value),
            StatementKind::GeneralizedForce {
                keyword,
                coordinate,
                part,
                op,
                op_span,
                value,
            } => {
                let target = (coordinate, part.as_ref());
                self.lower_generalized_force((keyword, attributes), target, (*op, *op_span), value);
            }
            StatementKind::Rate {
                state,
                part,
                op,
                op_span,
                value,
                ..
            } => self.lower_rate((state, part.as_ref()), (*op, *op_span), value),
            StatementKind::Force {
                keyword,
                force,
                point,
                frame,
            } => self.lower_force((keyword, attributes), (force, point), frame.as_ref()),
            StatementKind::Frame {
                public,
                mutable,
                name,
                value,
            } => {
                let head = NameHead {
                    attributes,
                    public: public.as_ref(),
                    mutable: *mutable,
                    name,
                };
                self.lower_frame(&head, value);
            }
            StatementKind::Constraint {
                kind,
                name,
                named,
                left,
                right,
            } => self.lower_constraint(attributes, (*kind, name, *named), (left, right)),
            StatementKind::Contact {
                name,
                named,
                above,
                below,
                fields,
                is_whole,
            } => {
                let sides = (above, below);
                self.lower_contact(attributes, (name, *named), sides, (fields, *is_whole));
            }
            StatementKind::Torque {
                keyword,
                torque,
                frame,
            } => self.lower_torque((keyword, attributes), torque, frame),
            StatementKind::Place { robot, frame, .. } => self.lower_place(robot, frame),
            StatementKind::Gravity { keyword, value } => self.lower_gravity(keyword, value),
            StatementKind::Block {
                keyword,
                kind,
                name,
                fields,
                is_whole,
            } => self.lower_block(keyword, *kind, name.as_ref(), (fields, *is_whole)),
            StatementKind::Listing {
                kind,
                name,
                items,
                is_complete,
                ..
            } => self.lower_listing(*kind, (name.as_ref(), attributes), (items, *is_complete)),
            StatementKind::Symmetry {
                name,
                moves,
                is_complete,
                ..
            } => self.lower_symmetry((name.as_ref(), attributes), (moves, *is_complete)),
            StatementKind::For { head, body } => self.lower_loop(head, body),
        }
    }

    fn lower_let(&mut self, head: &NameHead<'_>, hessian: Option<SpanRange>, expr: &Expr) {
        let mut value = self.evaluator.evaluate(expr);
        if head.public.is_some() {
            value = value.filter(|value| {
                let sound = self
                    .evaluator
                    .refuse_multipliers(0, &value.entries, "an output");
                sound.is_some()
            });
        }
        let value = value.map(|value| self.evaluator.symbolize_all(value));
        let is_free = self.evaluator.declare_let(head, value.clone());
        self.lower_output(head, is_free, LoweredValue::Value { value, hessian });
    }
}

/// Returns whether the equations of motion are the same without the statement.
fn is_no_term(statement: &Statement) -> bool {
    matches!(
        statement.kind,
        StatementKind::Listing { .. }
            | StatementKind::Symmetry { .. }
            | StatementKind::Contact { .. }
    )
}

/// Returns whether a mistake in this statement may leave coordinates without a source of motion.
fn may_move_others(statement: &Statement) -> bool {
    matches!(
        statement.kind,
        StatementKind::Frame { .. }
            | StatementKind::Block { .. }
            | StatementKind::Place { .. }
            | StatementKind::Assign { .. }
    )
}

/// The name of a statement in messages about its size.
fn subject(statement: &Statement) -> String {
    match &statement.kind {
        StatementKind::Let { name, .. }
        | StatementKind::Frame { name, .. }
        | StatementKind::Constraint { name, .. }
        | StatementKind::Contact { name, .. }
        | StatementKind::Block {
            name: Some(name), ..
        }
        | StatementKind::Listing {
            name: Some(name), ..
        }
        | StatementKind::Symmetry {
            name: Some(name), ..
        } => format!("`{name}`"),
        StatementKind::Assign { target, .. } => format!("`{}`", text(target)),
        StatementKind::Function(function) => format!("`{}`", function.name),
        StatementKind::GeneralizedForce { coordinate, .. } => format!("`Q.{coordinate}`"),
        StatementKind::Rate { state, .. } => format!("`der({state})`"),
        StatementKind::Energy { keyword, .. }
        | StatementKind::Force { keyword, .. }
        | StatementKind::Torque { keyword, .. }
        | StatementKind::Gravity { keyword, .. }
        | StatementKind::Place { keyword, .. }
        | StatementKind::Block {
            keyword,
            name: None,
            ..
        }
        | StatementKind::Listing { keyword, .. }
        | StatementKind::Symmetry { keyword, .. } => format!("`{keyword}`"),
        StatementKind::For { head, .. } => format!("`for {}`", head.variable),
    }
}

impl Evaluator<'_> {
    /// Declares the name of a `let`. Returns whether it was free.
    fn declare_let(&mut self, head: &NameHead<'_>, value: Option<Value>) -> bool {
        let kind = BindingKind::Let {
            public: head.public.is_some(),
            mutable: head.mutable,
        };
        self.declare(head.name, kind, head.attributes, value)
    }

    /// Declares a name of a statement, and returns whether it was free. If not, its uses report nothing.
    pub(super) fn declare(
        &mut self,
        name: &Ident,
        kind: BindingKind,
        attributes: &[Attribute],
        value: Option<Value>,
    ) -> bool {
        if !names::check(name, kind, &self.scope, self.errors) {
            // The intended name is then missing.
            self.surplus_names += 1;
            self.complete = false;
            self.scope.declare_mistaken(name);
            return false;
        }
        self.scope.declare(Binding {
            name: name.clone(),
            kind,
            value,
            read: false,
            attributes: attributes.to_vec(),
        });
        true
    }

    /// `n = e;`, `n += e;` .. for a `let mut`.
    fn assign(&mut self, target: &Ident, op: (AssignOp, Span), expr: &Expr) {
        let written = text(target);
        if self.is_frame_target(target) {
            return self.assign_frame(target, op, expr);
        }
        if self.scope.find(target).is_none() {
            let keyword = if self.is_frame(expr) {
                self.evaluate_frame(expr);
                "frame"
            } else {
                self.evaluate(expr);
                "let"
            };
            let _reported: Option<()> = self.refuse_unknown_target(target, &written, keyword);
            return;
        }
        let value = self.evaluate(expr);
        let Some(binding) = self.scope.find(target) else {
            return;
        };
        let kind = binding.kind;
        let old = binding.value.clone();
        if let Some(message) = refusal(kind, &written) {
            self.errors.error(target, Code::NotAssignable, message);
            return;
        }
        let new = match (old, value) {
            (Some(old), Some(value)) => {
                let value = self.symbolize_all(value);
                self.combine_assigned(op, old, expr, value)
            }
            _ => None,
        };
        if let Some(binding) = self.scope.find_mut(target) {
            binding.value = new;
        }
    }

    fn refuse_unknown_target<T>(
        &mut self,
        target: &Ident,
        written: &str,
        keyword: &str,
    ) -> Option<T> {
        if let Some(message) = names::reserved(written) {
            return self.refuse(target, Code::ReservedName, message);
        }
        if self.is_excused(target) {
            return None;
        }
        if self.errors.is_full() {
            self.complete = false;
            return self.refuse_unknown_without_help(target, written);
        }
        let mutable = |kind| {
            matches!(
                kind,
                BindingKind::Let { mutable: true, .. } | BindingKind::Frame { mutable: true, .. }
            )
        };
        let names = self.scope.names(mutable);
        let nearest = crate::suggest::nearest(written, names.iter().map(String::as_str));
        let help = match nearest {
            _ if self.explain_foreign_target(written).is_some() => {
                self.explain_foreign_target(written).unwrap_or_default()
            }
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("declare it with `{keyword} {written} = ..;`"),
        };
        self.complete = false;
        self.scope.declare_unknown(target);
        self.refuse(
            target,
            Code::UnknownName,
            format!("unknown name `{written}`\n\nhelp: {help}"),
        )
    }
}

impl Evaluator<'_> {
    /// The replacement for an assignment to a word of other systems, or to `Q_x`.
    fn explain_foreign_target(&self, written: &str) -> Option<String> {
        let coordinates = self
            .scope
            .names(|kind| matches!(kind, BindingKind::Coordinate(_) | BindingKind::Rotation(..)));
        let forces = ["Q_", "Q", "tau_", "F_", "f_", "u_", "T_", "M_"];
        let acted_on = coordinates.iter().find(|name| {
            forces
                .iter()
                .any(|force| written.strip_prefix(force) == Some(name.as_str()))
        });
        if let Some(name) = acted_on {
            return Some(format!(
                "the force on the coordinate `{name}` is `Q.{name} = ..;`"
            ));
        }
        let velocity = derivatives::derivative(written, coordinates.iter().map(String::as_str));
        if let Some(Derivative { of, order }) = velocity {
            return Some(match order {
                1 => format!(
                    "the velocity of `{of}` is `der({of})`, and an equation for it `nonholonomic name: der({of}) = ..;`"
                ),
                _ => "the macro derives the accelerations: remove it, and give `T` and `V`"
                    .to_owned(),
            });
        }
        let states = self
            .scope
            .names(|kind| matches!(kind, BindingKind::State(_)));
        let rate = derivatives::derivative(written, states.iter().map(String::as_str));
        if let Some(Derivative { of, order: 1 }) = rate {
            return Some(format!("the rate of `{of}` is given by `der({of}) = ..;`"));
        }
        foreign::advice(Place::Statement, written)
    }
}

/// The reason why a name of this kind cannot be assigned to.
pub(super) fn refusal(kind: BindingKind, name: &str) -> Option<String> {
    match kind {
        BindingKind::Let { mutable: true, .. }
        | BindingKind::Frame { mutable: true, .. }
        | BindingKind::Mistaken { .. } => None,
        BindingKind::Let { .. } => Some(format!(
            "`{name}` is not mutable\n\nhelp: declare it with `let mut {name} = ..;`"
        )),
        BindingKind::Frame { .. } => Some(format!(
            "`{name}` is not mutable\n\nhelp: declare it with `frame mut {name} = ..;`"
        )),
        BindingKind::Index => Some(format!(
            "`{name}` is a loop variable: each iteration has the next value of it"
        )),
        BindingKind::State(_) => Some(format!(
            "`{name}` is a state and has no value to assign\n\nhelp: give its rate: `der({name}) = ..;`"
        )),
        _ => Some(format!(
            "`{name}` is {} and has no value to assign",
            kind.in_words()
        )),
    }
}
