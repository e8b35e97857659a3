//! Frames: poses with an origin and axes, and the expressions that create and read them.
//!
//! A frame is not a value. A frame expression is `world`, the name of a frame, or one of these with `.rotate(..)`,
//! `.translate(..)` or `.orient(..)`. Reading a frame gives vectors and matrices.

mod arguments;
mod attitudes;
mod queries;

use lagrange_engine::{FrameId, Joint};
use proc_macro2::{Ident, Span};

use super::evaluator::Evaluator;
use super::lookup::{write_ended_message, write_too_early_message};
use super::lowering::{LoweredValue, Lowering};
use super::scope::BindingKind;
use super::statements::{NameHead, refusal};
use super::value::in_words;
use crate::errors::{Code, SpanRange};
use crate::suggest::foreign::{self, Place};
use crate::suggest::{self};
use crate::syntax::ast::{AssignOp, Expr, ExprKind, text};

/// Approximate number of operations for a frame: its rotation in the world and its motion.
const COST: usize = 100;

/// The methods of a frame that create another frame, and those that return a value.
const MAKERS: [&str; 3] = ["rotate", "translate", "orient"];
const QUERIES: [&str; 4] = ["point", "vector", "velocity", "angular_velocity"];

/// The members of a frame that are read without arguments.
const FIELDS: [&str; 2] = ["origin", "rotation"];

impl Lowering<'_> {
    /// `frame n = F;`, `pub frame n = F;`
    pub(super) fn lower_frame(&mut self, head: &NameHead<'_>, expr: &Expr) {
        let evaluator = &mut self.evaluator;
        let pose = evaluator.evaluate_frame(expr);
        let mutable = head.mutable;
        let kind = BindingKind::Frame { mutable, pose };
        let is_free = evaluator.declare(head.name, kind, head.attributes, None);
        if let Some(binding) = evaluator.scope.find_mut(head.name) {
            // A public frame is read by the callers of its methods.
            binding.read |= head.public.is_some();
        }
        self.lower_output(head, is_free, LoweredValue::Frame(pose));
    }
}

impl Evaluator<'_> {
    /// Returns whether an expression denotes a frame, judged by its text.
    pub(super) fn is_frame(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name { name, dots: 0 } => match self.scope.find(name) {
                Some(binding) => matches!(binding.kind, BindingKind::Frame { .. }),
                None => text(name) == "world",
            },
            ExprKind::Field { .. } | ExprKind::Index { .. } => self.is_frame_of_robot(expr),
            ExprKind::Method {
                receiver, function, ..
            } => MAKERS.contains(&text(function).as_str()) || self.is_misnamed(receiver, function),
            _ => false,
        }
    }

    /// Returns whether this is a call of an unknown method on a frame.
    fn is_misnamed(&self, receiver: &Expr, function: &Ident) -> bool {
        !QUERIES.contains(&text(function).as_str()) && self.is_frame(receiver)
    }

    /// Returns whether this is a call of a frame method, judged by its name or by its receiver.
    pub(super) fn is_frame_method(&self, receiver: &Expr, name: &Ident) -> bool {
        let written = text(name);
        MAKERS.contains(&written.as_str())
            || ["point", "vector"].contains(&written.as_str())
            || self.is_frame(receiver)
    }

    pub(super) fn is_frame_field(&self, base: &Expr, name: &Ident) -> bool {
        FIELDS.contains(&text(name).as_str()) || self.is_frame(base)
    }

    /// The frame that an expression denotes.
    pub(super) fn evaluate_frame(&mut self, expr: &Expr) -> Option<FrameId> {
        self.afford(expr, 1)?;
        match &expr.kind {
            ExprKind::Name { name, dots: 0 } => self.find_frame(name),
            ExprKind::Method {
                receiver,
                function,
                arguments,
                close,
            } if self.is_frame(expr) => self.make_frame(receiver, function, arguments, *close),
            ExprKind::Field { .. } | ExprKind::Index { .. } if self.is_frame_of_robot(expr) => {
                self.find_frame_of_robot(expr)
            }
            ExprKind::Call {
                function,
                arguments,
                ..
            } if MAKERS.contains(&text(function).as_str()) => {
                let arguments: Vec<&Expr> = arguments.iter().collect();
                for argument in &arguments {
                    self.pass_over(argument);
                }
                self.refuse_unknown_frame_function(function, &arguments)?;
                None
            }
            ExprKind::Cut(inner) => {
                self.complete = false;
                self.evaluate_frame(inner)?;
                None
            }
            ExprKind::Error => {
                self.complete = false;
                None
            }
            _ => {
                let actual = in_words(self.evaluate(expr)?.shape);
                self.refuse(
                    expr,
                    Code::NotAFrame,
                    format!("expected a frame, found {actual}"),
                )
            }
        }
    }

    fn find_frame(&mut self, name: &Ident) -> Option<FrameId> {
        let written = text(name);
        if let Some(binding) = self.scope.find_mut(name) {
            binding.read = true;
            return match binding.kind {
                BindingKind::Frame { pose, .. } => pose,
                BindingKind::Mistaken { .. } => None,
                // A `let` with a mistake may be meant as a frame. Its mistake was reported.
                BindingKind::Let { .. } if binding.value.is_none() => None,
                // An argument without a value, while the body of a function is checked.
                BindingKind::Argument if binding.value.is_none() => None,
                kind => {
                    let is = kind.in_words();
                    let help = match kind {
                        BindingKind::Rotation(_, count) => {
                            let index = count.map_or("", |_| "[0]");
                            format!(
                                "\n\nhelp: turn one by it: `frame B = world.rotate({written}{index});`"
                            )
                        }
                        BindingKind::Robot(_) => {
                            format!("\n\nhelp: write the name of a link after it: `{written}.hand`")
                        }
                        _ => String::new(),
                    };
                    let message = format!("expected a frame, but `{written}` is {is}{help}");
                    self.refuse(name, Code::NotAFrame, message)
                }
            };
        }
        if written == "world" {
            return Some(FrameId::WORLD);
        }
        if self.is_excused(name) {
            return None;
        }
        if self.errors.is_full() {
            return self.refuse_unknown_without_help(name, &written);
        }
        if let Some(keyword) = self.blocks.declared_later(&written) {
            return self.refuse(
                name,
                Code::OutOfSight,
                write_too_early_message(&written, keyword),
            );
        }
        if let Some(kind) = self.scope.ended(&written) {
            self.scope.declare_unknown(name);
            return self.refuse(name, Code::OutOfSight, write_ended_message(&written, kind));
        }
        let advice = self.find_body_for_frame(&written);
        if let Some(advice) = advice.or_else(|| foreign::advice(Place::Frame, &written)) {
            self.scope.declare_mistaken(name);
            return self.refuse(
                name,
                Code::UnknownFrame,
                format!("unknown frame `{written}`\n\nhelp: {advice}"),
            );
        }
        let is_frame = |kind| matches!(kind, BindingKind::Frame { .. });
        let mut candidates = self.scope.names(is_frame);
        candidates.push("world".to_owned());
        let candidates = candidates.iter().map(String::as_str);
        let help = suggest::help(&written, candidates.clone());
        let nearest = suggest::nearest(&written, candidates);
        if nearest.is_none() && self.is_missing_name(name) {
            return None;
        }
        if !nearest.is_some_and(|nearest| self.is_mentioned(nearest)) {
            self.scope.declare_unknown(name);
        }
        self.refuse(
            name,
            Code::UnknownFrame,
            format!("unknown frame `{written}`{help}"),
        )
    }

    /// `F.rotate(axis, angle)`, `F.translate(v)`, `F.orient(R)`
    fn make_frame(
        &mut self,
        receiver: &Expr,
        name: &Ident,
        arguments: &[Expr],
        close: Span,
    ) -> Option<FrameId> {
        self.afford(name, COST)?;
        let from = self.evaluate_frame(receiver);
        if self.are_broken(arguments) {
            arguments
                .iter()
                .for_each(|argument| self.pass_over(argument));
            return None;
        }
        let joint = match (text(name).as_str(), arguments) {
            ("rotate", [axis, angle]) => match self.find_named_rotation(arguments) {
                Some(rotation) => self.refuse_beside_others(rotation),
                None if self.is_bare_axis(angle) && !self.is_bare_axis(axis) => {
                    self.pass_over(axis);
                    self.complete = false;
                    let form = Expr::listed([angle, axis]).unwrap_or_else(|| "z, angle".to_owned());
                    let message = format!(
                        "`rotate` takes the axis before the angle\n\nhelp: write `rotate({form})`"
                    );
                    self.refuse(angle, Code::RotateArguments, message)
                }
                None => self.evaluate_turn(axis, angle),
            },
            ("rotate", [attitude]) => self.evaluate_attitude(attitude, close),
            ("translate", [way]) => self.evaluate_way(way).map(Joint::Translation),
            ("orient", [matrix]) => self
                .evaluate_rotation_matrix(matrix)
                .map(Joint::Orientation),
            ("rotate", _) => self.refuse_wrong_count(name, arguments, 2, close),
            ("translate" | "orient", _) => self.refuse_wrong_count(name, arguments, 1, close),
            (written, _) => {
                self.complete = false;
                arguments
                    .iter()
                    .for_each(|argument| self.pass_over(argument));
                let help = match foreign::advice(Place::OfFrame, written) {
                    Some(advice) => format!("\n\nhelp: {advice}"),
                    None => suggest::help_or_list(written, MAKERS.into_iter().chain(QUERIES)),
                };
                self.refuse(
                    name,
                    Code::UnknownMember,
                    format!("a frame has no method `{written}`{help}"),
                )
            }
        };
        let (from, joint) = (from?, joint?);
        let kinematics = self.names.kinematics();
        let frame = self.frames.add(&mut self.graph, &kinematics, from, joint);
        match frame {
            Ok(frame) => Some(frame),
            // Mistakes in the arguments were reported with the arguments.
            Err(error) => self.refuse(name, Code::WrongShape, error),
        }
    }

    /// `rotate(axis, angle)`
    fn evaluate_turn(&mut self, axis: &Expr, angle: &Expr) -> Option<Joint> {
        let (axis, angle) = (self.evaluate_axis(axis), self.evaluate_angle(angle));
        Some(Joint::Turn {
            axis: axis?,
            angle: angle?,
        })
    }

    pub(super) fn refuse_wrong_count<T>(
        &mut self,
        name: &Ident,
        arguments: &[Expr],
        expected: usize,
        close: Span,
    ) -> Option<T> {
        self.complete = false;
        arguments
            .iter()
            .for_each(|argument| self.pass_over(argument));
        let place = match arguments.get(expected) {
            Some(surplus) => SpanRange::from(surplus),
            None => close.into(),
        };
        let expected = match expected {
            0 => "no argument".to_owned(),
            1 => "1 argument".to_owned(),
            count => format!("{count} arguments"),
        };
        let count = arguments.len();
        let listed: Vec<&Expr> = arguments.iter().collect();
        let way = self
            .write_way_in_full(&listed)
            .filter(|_| name == "translate");
        let help = way.map_or(String::new(), |way| {
            format!("\n\nhelp: write `{name}({way})`")
        });
        self.refuse(
            place,
            Code::ArgumentCount,
            format!("`{name}` takes {expected}, found {count}{help}"),
        )
    }

    /// Returns whether an assignment has a frame as its target.
    pub(super) fn is_frame_target(&self, target: &Ident) -> bool {
        let binding = self.scope.find(target);
        binding.is_some_and(|binding| matches!(binding.kind, BindingKind::Frame { .. }))
    }

    /// `F = G;` for a `frame mut`.
    pub(super) fn assign_frame(&mut self, target: &Ident, op: (AssignOp, Span), expr: &Expr) {
        let frame = self.evaluate_frame(expr);
        let (op, op_span) = op;
        let Some(binding) = self.scope.find_mut(target) else {
            return;
        };
        let refusal = refusal(binding.kind, &text(target));
        if let BindingKind::Frame { pose, .. } = &mut binding.kind {
            let is_sound = refusal.is_none() && op == AssignOp::Set;
            *pose = frame.filter(|_| is_sound);
        }
        if let Some(message) = refusal {
            self.errors.error(target, Code::NotAssignable, message);
        } else if op != AssignOp::Set {
            let message = format!("a frame takes `=`\n\nhelp: write `{target} = ..;`");
            self.errors.error(op_span, Code::NotAssignable, message);
        }
    }
}
