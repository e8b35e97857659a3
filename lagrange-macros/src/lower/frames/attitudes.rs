//! Frames turned by a rotation, and what may stand in its place by mistake.

use lagrange_engine::{Joint, Shape};
use proc_macro2::{Ident, Span};

use super::arguments::AXES;
use crate::errors::Code;
use crate::lower::evaluator::Evaluator;
use crate::lower::scope::BindingKind;
use crate::suggest;
use crate::syntax::ast::{Expr, ExprKind, text};

impl Evaluator<'_> {
    /// The first argument that names a rotation.
    pub(super) fn named_rotation(&self, arguments: &[Expr]) -> Option<Ident> {
        arguments.iter().find_map(|argument| match &argument.kind {
            ExprKind::Name { name, dots: 0 } => {
                let kind = self.scope.find(name)?.kind;
                matches!(kind, BindingKind::Rotation(_)).then(|| name.clone())
            }
            _ => None,
        })
    }

    /// `rotate(z, att)`: a rotation where an axis or an angle belongs.
    pub(super) fn beside_others<T>(&mut self, rotation: &Ident) -> Option<T> {
        if let Some(binding) = self.scope.find_mut(rotation) {
            binding.read = true;
        }
        let written = text(rotation);
        let message = format!(
            "`{written}` is a rotation, neither an axis nor an angle\n\n\
             help: a rotation is the only argument: `rotate({written})`"
        );
        self.refuse(rotation, Code::RotateArguments, message)
    }

    /// `rotate(att)`
    pub(super) fn attitude(&mut self, expr: &Expr, close: Span) -> Option<Joint> {
        if let Some(rotation) = self.rotation_of_robot(expr) {
            return Some(Joint::Attitude(rotation));
        }
        let ExprKind::Name { name, dots: 0 } = &expr.kind else {
            self.complete = false;
            if matches!(expr.kind, ExprKind::Error | ExprKind::Cut(_)) {
                return None;
            }
            return self.angle_alone(close);
        };
        let Some(binding) = self.scope.find_mut(name) else {
            return self.unknown_rotation(name, close);
        };
        binding.read = true;
        let kind = binding.kind;
        let is_scalar = binding.value.as_ref().map(|value| value.shape) == Some(Shape::Scalar);
        let (is, written) = (kind.in_words(), text(name));
        let help = match kind {
            BindingKind::Rotation(rotation) => return Some(Joint::Attitude(rotation)),
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

    /// `rotate(2 * q)`
    fn angle_alone<T>(&mut self, close: Span) -> Option<T> {
        let message = "`rotate` takes an axis and an angle, or the name of a rotation\n\n\
             help: write `rotate(z, angle)`, or `rotate(att)` with a field `att: rotation`";
        self.refuse(close, Code::RotateArguments, message)
    }

    fn unknown_rotation(&mut self, name: &Ident, close: Span) -> Option<Joint> {
        let written = text(name);
        if AXES.contains(&written.as_str()) {
            return self.angle_alone(close);
        }
        let rotations = self
            .scope
            .names(|kind| matches!(kind, BindingKind::Rotation(_)));
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
