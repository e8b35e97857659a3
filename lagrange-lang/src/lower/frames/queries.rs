//! Values read from frames: points and vectors in the world, origins, rotations, velocities.

use proc_macro2::{Ident, Span};

use super::arguments::AXES;
use super::{FIELDS, MAKERS, QUERIES};
use crate::errors::Code;
use crate::lower::evaluator::{Evaluator, Source};
use crate::lower::functions::FRAME_FUNCTIONS;
use crate::lower::value::Value;
use crate::suggest::foreign::{self, Place};
use crate::suggest::{self};
use crate::syntax::ast::{Expr, ExprKind, text};

impl Evaluator<'_> {
    /// `F.point(v)`, `F.vector(v)` and all other calls on a frame.
    pub(crate) fn evaluate_frame_method(
        &mut self,
        whole: &Expr,
        receiver: &Expr,
        name: &Ident,
        (arguments, close): (&[Expr], Span),
    ) -> Option<Value> {
        let written = text(name);
        if self.is_frame(whole) {
            self.evaluate_frame(whole)?;
            let message = "a frame is not a value\n\n\
                           help: name it with `frame F = ..;`, and read `F.origin` or the like";
            return self.refuse(whole, Code::NotAValue, message);
        }
        match (written.as_str(), arguments) {
            ("point" | "vector", [argument]) => {
                let frame = self.evaluate_frame(receiver);
                let value = self.evaluate(argument)?;
                let rule = "the coordinates in a frame are a vector of length 3";
                let vector = self.expect_vector(argument, &value, rule);
                if written == "point" {
                    self.note_position(argument, &value);
                }
                let (frame, vector) = (frame?, vector?);
                let graph = &mut self.graph;
                let world = if written == "point" {
                    self.frames.point(graph, frame, vector)
                } else {
                    self.frames.vector(graph, frame, vector)
                };
                Some(Value::vector(world.to_vec()))
            }
            ("point" | "vector", _) => self.refuse_wrong_count(name, arguments, 1, close),
            (_, []) => self.evaluate_frame_velocity(name, receiver),
            _ => self.refuse_wrong_count(name, arguments, 0, close),
        }
    }

    /// `F.origin`, `F.rotation`
    pub(crate) fn evaluate_frame_field(&mut self, base: &Expr, name: &Ident) -> Option<Value> {
        let frame = self.evaluate_frame(base);
        if frame.is_none() && matches!(base.kind, ExprKind::Method { .. }) {
            // The called method may be meant to return a vector.
            return None;
        }
        let written = text(name);
        match written.as_str() {
            "origin" => Some(Value::vector(self.frames.origin(frame?).to_vec())),
            "rotation" => {
                let rotation = self.frames.rotation(&mut self.graph, frame?);
                Some(Value::matrix(3, 3, rotation.concat()))
            }
            _ => {
                if MAKERS.into_iter().chain(QUERIES).any(|m| m == written) {
                    let message =
                        format!("`{written}` is a method\n\nhelp: write `.{written}(..)`");
                    return self.refuse(name, Code::UnknownMember, message);
                }
                let help = match foreign::advice(Place::OfFrame, &written) {
                    Some(advice) => format!("\n\nhelp: {advice}"),
                    None => suggest::help(&written, FIELDS),
                };
                self.refuse(
                    name,
                    Code::UnknownMember,
                    format!("a frame has no `{written}`{help}"),
                )
            }
        }
    }

    /// A call of another function with a frame as an argument.
    pub(crate) fn refuse_unknown_frame_function(
        &mut self,
        name: &Ident,
        arguments: &[&Expr],
    ) -> Option<Value> {
        let written = text(name);
        self.complete = false;
        if FRAME_FUNCTIONS.contains(&written.as_str()) {
            let count = arguments.len();
            return self.refuse(
                name,
                Code::ArgumentCount,
                format!("`{written}` takes 1 argument, found {count}"),
            );
        }
        let help = match self.write_frame_form(&written, arguments) {
            Some(form) => format!("\n\nhelp: write `{form}`"),
            None => suggest::help(&written, FRAME_FUNCTIONS),
        };
        self.refuse(
            name,
            Code::UnknownFunction,
            format!("unknown function `{written}`{help}"),
        )
    }

    /// The method form of a function call with a frame: `rotate(A, z, q)` is `A.rotate(z, q)`. Without a frame, the
    /// receiver is the world.
    pub(super) fn write_frame_form(&self, function: &str, arguments: &[&Expr]) -> Option<String> {
        let (frame, other_arguments) = match arguments {
            [frame, rest @ ..] if self.is_frame(frame) => (frame.written()?, rest),
            _ if MAKERS.contains(&function) => ("world".to_owned(), arguments),
            _ => return None,
        };
        let inside = match (function, other_arguments) {
            ("rotate", [angle, axis]) if self.is_bare_axis(axis) && !self.is_bare_axis(angle) => {
                Expr::listed([*axis, *angle])?
            }
            ("translate", [_, _, ..]) => self.write_way_in_full(other_arguments)?,
            ("rotate", [_, _]) | ("rotate" | "translate" | "orient" | "point" | "vector", [_]) => {
                Expr::listed(other_arguments.iter().copied())?
            }
            ("origin" | "rotation", []) => return Some(format!("{frame}.{function}")),
            _ => return None,
        };
        Some(format!("{frame}.{function}({inside})"))
    }

    /// An axis and a displacement, or components, as a vector.
    pub(super) fn write_way_in_full(&self, arguments: &[&Expr]) -> Option<String> {
        match arguments {
            [axis, way] if self.is_bare_axis(axis) => {
                let (axis, way) = (axis.written()?, way.written()?);
                let entries = AXES
                    .map(|of| if of == axis { way.as_str() } else { "0" })
                    .join(", ");
                Some(format!("[{}]", entries))
            }
            [a, b] => Some(format!("[{}, 0]", Expr::listed([*a, *b])?)),
            [_, _, _] => Some(format!("[{}]", Expr::listed(arguments.iter().copied())?)),
            _ => None,
        }
    }

    /// `x`, `y` or `z` without a declaration of this name.
    pub(super) fn is_bare_axis(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name { name, dots: 0 } => {
                AXES.contains(&text(name).as_str()) && self.scope.find(name).is_none()
            }
            _ => false,
        }
    }

    /// `velocity(F)`, `angular_velocity(F)`, in the world.
    pub(crate) fn evaluate_frame_velocity(&mut self, name: &Ident, of: &Expr) -> Option<Value> {
        let frame = self.evaluate_frame(of)?;
        let graph = &mut self.graph;
        let vector = if text(name) == "velocity" {
            self.frames.velocity(graph, frame)
        } else {
            self.frames.angular_velocity(graph, frame)
        };
        let value = Value::vector(vector.to_vec());
        self.mention(name.span(), Source::Derivative, &value);
        Some(value)
    }
}
