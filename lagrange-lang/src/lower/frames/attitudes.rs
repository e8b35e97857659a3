//! Frames that are rotated by a rotation coordinate, and mistaken arguments in its place.

use lagrange_engine::{Joint, Rotation, Shape};
use proc_macro2::{Ident, Span};

use super::arguments::AXES;
use crate::errors::Code;
use crate::lower::access::{Part, picked};
use crate::lower::evaluator::Evaluator;
use crate::lower::scope::BindingKind;
use crate::lower::value::Value;
use crate::suggest;
use crate::syntax::ast::{Expr, ExprKind, text};

/// A rotation, or several elements of an array of rotations.
pub(crate) struct Rotations {
    first: Rotation,
    /// The elements of the array: a scalar is one rotation, a vector several.
    part: Part,
    /// The rates of the whole array, or of the single rotation.
    rates: Value,
}

impl Rotations {
    /// The rotation, if this is a single one.
    fn one(&self) -> Option<Rotation> {
        match (self.part.shape, &self.part.positions[..]) {
            (Shape::Scalar, [position]) => Some(Rotation {
                coordinate: self.first.coordinate + 4 * position,
                velocity: self.first.velocity + 3 * position,
            }),
            _ => None,
        }
    }

    /// The rates of the single rotation, or one row for each.
    pub(crate) fn rates(&self) -> Option<Value> {
        let positions = self.part.positions.iter();
        let part = Part {
            shape: match self.part.shape {
                Shape::Vector(count) => Shape::Matrix(count, 3),
                Shape::Scalar | Shape::Matrix(..) => Shape::Vector(3),
            },
            positions: positions
                .flat_map(|rotation| 3 * rotation..3 * rotation + 3)
                .collect(),
        };
        picked(&self.rates, &part)
    }
}

impl Evaluator<'_> {
    /// The rotations that `att`, `att[i]` or `att[a..b]` denotes. The outer `None` means that the expression is not
    /// a rotation. The inner `None` means that it is an invalid part of an array.
    pub(crate) fn find_rotations(&mut self, expr: &Expr) -> Option<Option<Rotations>> {
        let (name, indices) = expr.indexed()?;
        let binding = self.scope.find_mut(name)?;
        let BindingKind::Rotation(first, count) = binding.kind else {
            return None;
        };
        binding.read = true;
        let rates = binding.value.clone()?;
        let part = match (count, indices) {
            (None, None) => Some(Part {
                shape: Shape::Scalar,
                positions: vec![0],
            }),
            (Some(count), None) => Some(Part {
                shape: Shape::Vector(count),
                positions: (0..count).collect(),
            }),
            (Some(count), Some((indices, span))) => {
                self.select_part(Some(Shape::Vector(count)), indices, span)
            }
            (None, Some((_, span))) => {
                let message = format!(
                    "`{name}` is one rotation, which has no index\n\n\
                     help: write `{name}`; one of its rates is `der({name})[0]`"
                );
                self.refuse(span, Code::IndexCount, message)
            }
        };
        Some(part.map(|part| Rotations { first, part, rates }))
    }

    /// The first argument that names a rotation.
    pub(super) fn find_named_rotation<'x>(
        &self,
        arguments: &'x [Expr],
    ) -> Option<(&'x Ident, &'x Expr)> {
        arguments.iter().find_map(|argument| {
            let (name, _) = argument.indexed()?;
            let kind = self.scope.find(name)?.kind;
            matches!(kind, BindingKind::Rotation(..)).then_some((name, argument))
        })
    }

    /// `rotate(z, att)`: a rotation in the place of an axis or an angle.
    pub(super) fn refuse_beside_others<T>(
        &mut self,
        (name, rotation): (&Ident, &Expr),
    ) -> Option<T> {
        if let Some(binding) = self.scope.find_mut(name) {
            binding.read = true;
        }
        let written = rotation.written().unwrap_or_else(|| text(name));
        let message = format!(
            "`{written}` is a rotation, neither an axis nor an angle\n\n\
             help: a rotation is the only argument: `rotate({written})`"
        );
        self.refuse(rotation, Code::RotateArguments, message)
    }

    /// `rotate(att)`
    pub(super) fn evaluate_attitude(&mut self, expr: &Expr, close: Span) -> Option<Joint> {
        if let Some(rotation) = self.find_rotation_of_robot(expr) {
            return Some(Joint::Attitude(rotation));
        }
        if let Some(rotations) = self.find_rotations(expr) {
            return match rotations?.one() {
                Some(rotation) => Some(Joint::Attitude(rotation)),
                None => self.refuse_several_rotations(expr),
            };
        }
        let Some((name, indices)) = expr.indexed() else {
            self.complete = false;
            if matches!(expr.kind, ExprKind::Error | ExprKind::Cut(_)) {
                return None;
            }
            return self.refuse_angle_alone(close);
        };
        let Some(binding) = self.scope.find_mut(name) else {
            return self.refuse_unknown_rotation(name, close);
        };
        binding.read = true;
        if indices.is_some() && !binding.is_mistaken() {
            self.complete = false;
            return self.refuse_angle_alone(close);
        }
        let kind = binding.kind;
        let is_scalar = binding.value.as_ref().map(|value| value.shape) == Some(Shape::Scalar);
        let (is, written) = (kind.in_words(), text(name));
        let help = match kind {
            BindingKind::Mistaken { .. } => return None,
            BindingKind::Let { .. } if binding.value.is_none() => return None,
            BindingKind::Frame { .. } => {
                "a frame turned as another one is made by `orient(F.rotation)`".to_owned()
            }
            BindingKind::Coordinate(_) if is_scalar => format!(
                "write `rotate(z, {written})` for an angle about an axis, or declare \
                 `{written}: rotation`"
            ),
            _ if is_scalar => format!("write `rotate(z, {written})` for an angle about an axis"),
            _ => format!(
                "declare a `rotation` among the fields, or write `orient({written})` for a \
                 rotation matrix"
            ),
        };
        let message = format!(
            "`rotate` by one argument takes a rotation, but `{written}` is {is}\n\nhelp: {help}"
        );
        self.refuse(name, Code::RotateArguments, message)
    }

    /// `rotate(att)` of an array
    fn refuse_several_rotations<T>(&mut self, expr: &Expr) -> Option<T> {
        let name = expr
            .indexed()
            .map_or_else(String::new, |(name, _)| text(name));
        let message = format!(
            "`rotate` takes one rotation, and this is an array of them\n\nhelp: write `rotate({name}[0])`"
        );
        self.refuse(expr, Code::RotateArguments, message)
    }

    /// `rotate(2 * q)`
    fn refuse_angle_alone<T>(&mut self, close: Span) -> Option<T> {
        let message = "`rotate` takes an axis and an angle, or the name of a rotation\n\n\
             help: write `rotate(z, angle)`, or `rotate(att)` with a field `att: rotation`";
        self.refuse(close, Code::RotateArguments, message)
    }

    fn refuse_unknown_rotation(&mut self, name: &Ident, close: Span) -> Option<Joint> {
        let written = text(name);
        if AXES.contains(&written.as_str()) {
            return self.refuse_angle_alone(close);
        }
        let rotations = self
            .scope
            .names(|kind| matches!(kind, BindingKind::Rotation(..)));
        let help = suggest::help(&written, rotations.iter().map(String::as_str));
        if self.is_excused(name) {
            return None;
        }
        self.scope.declare_unknown(name);
        self.refuse(
            name,
            Code::UnknownFrame,
            format!("unknown rotation `{written}`{help}"),
        )
    }
}
