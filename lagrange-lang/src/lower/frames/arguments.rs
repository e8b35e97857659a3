//! The arguments of frames, with their checks: axes, angles, displacements and rotation matrices.

use lagrange_engine::{NodeId, Number, Shape};

use crate::errors::Code;
use crate::lower::dependence_errors::POSITIONAL;
use crate::lower::evaluator::Evaluator;
use crate::lower::value::{Value, in_words};
use crate::suggest;
use crate::syntax::ast::{Expr, ExprKind, text};

/// The entries of a vector of space.
type Vector = [NodeId; 3];

pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

impl Evaluator<'_> {
    /// `x`, `y`, `z`, also with a minus sign, or a vector.
    pub(crate) fn evaluate_axis(&mut self, expr: &Expr) -> Option<Vector> {
        if let Some(unit) = named_axis(expr) {
            return Some(unit.map(|entry| self.graph.number(entry)));
        }
        if let ExprKind::Name { name, dots: 0 } = &expr.kind {
            let written = text(name);
            if self.scope.find(name).is_none() && written != "pi" {
                let help = match suggest::nearest(&written, AXES) {
                    Some(axis) => format!("did you mean `{axis}`?"),
                    None => "expected `x`, `y`, `z` or a vector".to_owned(),
                };
                if self.is_excused(name) {
                    return None;
                }
                return self.refuse(
                    name,
                    Code::RotateArguments,
                    format!("unknown axis `{written}`\n\nhelp: {help}"),
                );
            }
        }
        let value = self.evaluate_pose_argument(expr)?;
        let vector = self.expect_vector(
            expr,
            &value,
            "the axis of a rotation is `x`, `y`, `z` or a vector of length 3",
        )?;
        self.note_one_unit(expr, &vector);
        let plain = self.replace_symbols_of_numbers(&vector);
        let vector = [plain[0], plain[1], plain[2]];
        if vector.iter().all(|entry| self.graph.is_zero(*entry)) {
            return self.refuse(
                expr,
                Code::RotateArguments,
                "the axis of a rotation is not zero",
            );
        }
        Some(vector)
    }

    pub(super) fn evaluate_angle(&mut self, expr: &Expr) -> Option<NodeId> {
        let value = self.evaluate_pose_argument(expr)?;
        let angle = self.expect_scalar(expr, &value, "the angle of a rotation is a scalar")?;
        self.warn_of_degrees(expr, angle);
        self.note_pure(expr, &value, "an angle in radians");
        Some(angle)
    }

    /// The displacement of a frame.
    pub(super) fn evaluate_way(&mut self, expr: &Expr) -> Option<Vector> {
        let value = self.evaluate_pose_argument(expr)?;
        self.note_position(expr, &value);
        self.expect_vector(
            expr,
            &value,
            "a frame is translated by a vector of length 3",
        )
    }

    pub(super) fn evaluate_rotation_matrix(&mut self, expr: &Expr) -> Option<[Vector; 3]> {
        let value = self.evaluate_pose_argument(expr)?;
        self.note_pure(expr, &value, "an entry of a rotation matrix");
        let entries = self.replace_symbols_of_numbers(&value.entries);
        match (value.shape, &entries[..]) {
            (Shape::Matrix(3, 3), [a, b, c, d, e, f, g, h, i]) => {
                Some([[*a, *b, *c], [*d, *e, *f], [*g, *h, *i]])
            }
            (shape, _) => {
                let actual = in_words(shape);
                let message =
                    format!("the orientation of a frame is a 3 x 3 matrix, found {actual}");
                self.refuse(expr, Code::WrongShape, message)
            }
        }
    }

    /// A value on which a pose may depend.
    fn evaluate_pose_argument(&mut self, expr: &Expr) -> Option<Value> {
        let mark = self.mark();
        let value = self.evaluate(expr)?;
        self.refuse_dependence(mark, &value.entries, &POSITIONAL, "the pose of a frame")?;
        Some(value)
    }

    /// The entries of a vector of space. Otherwise reports an error that begins with `rule`.
    pub(crate) fn expect_vector(
        &mut self,
        expr: &Expr,
        value: &Value,
        rule: &str,
    ) -> Option<Vector> {
        match (value.shape, &value.entries[..]) {
            (Shape::Vector(3), [x, y, z]) => Some([*x, *y, *z]),
            (shape, _) => self.refuse(
                expr,
                Code::WrongShape,
                format!("{rule}, found {}", in_words(shape)),
            ),
        }
    }
}

/// A bare `x`, `y` or `z` is the axis, even if something else has this name.
fn named_axis(expr: &Expr) -> Option<[Number; 3]> {
    match &expr.kind {
        ExprKind::Name { name, dots: 0 } => {
            let position = AXES.iter().position(|axis| *axis == text(name))?;
            let mut unit = [Number::ZERO; 3];
            unit[position] = Number::ONE;
            Some(unit)
        }
        ExprKind::Neg(inner) => Some(named_axis(inner)?.map(|entry| -entry)),
        _ => None,
    }
}
