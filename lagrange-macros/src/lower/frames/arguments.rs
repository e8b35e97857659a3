//! What frames are made with: axes, angles, ways and rotation matrices, checked.

use lagrange_engine::{Dependence, NodeId, Number, Shape, Unary};

use super::space::{Matrix, Vector};
use crate::lower::blame::Forbidden;
use crate::lower::evaluator::Evaluator;
use crate::lower::scope::text;
use crate::lower::value::{Value, in_words};
use crate::suggest;
use crate::syntax::ast::{Expr, ExprKind};

const AXES: [&str; 3] = ["x", "y", "z"];

/// What a rotation is about.
pub(super) enum Axis {
    /// A unit vector of numbers.
    Literal([Number; 3]),
    /// A unit vector.
    Symbolic(Vector),
}

impl Evaluator<'_> {
    /// `x`, `y`, `z`, also with a minus sign, or a vector.
    pub(super) fn axis(&mut self, expr: &Expr) -> Option<Axis> {
        if let Some(unit) = named_axis(expr) {
            return Some(Axis::Literal(unit));
        }
        if let ExprKind::Name { name, dots: 0 } = &expr.kind {
            let written = text(name);
            if self.scope.find(name).is_none() && written != "pi" {
                let help = match suggest::nearest(&written, AXES) {
                    Some(axis) => format!("did you mean `{axis}`?"),
                    None => "expected `x`, `y`, `z` or a vector".to_owned(),
                };
                self.complete = false;
                return self.refuse(name, format!("unknown axis `{written}`\n\nhelp: {help}"));
            }
        }
        let value = self.pose_argument(expr)?;
        let vector = self.expect_vector(
            expr,
            &value,
            "the axis of a rotation is `x`, `y`, `z` or a vector of length 3",
        )?;
        let numbers = vector.map(|entry| self.graph.as_number(entry));
        let [Some(x), Some(y), Some(z)] = numbers else {
            return Some(Axis::Symbolic(self.divided_by_norm(vector)));
        };
        match unit([x, y, z]) {
            Some(unit) => Some(Axis::Literal(unit)),
            None => self.refuse(expr, "the axis of a rotation is not zero"),
        }
    }

    fn divided_by_norm(&mut self, vector: Vector) -> Vector {
        let graph = &mut self.graph;
        let square = graph.dot(&vector, &vector);
        let norm = graph.unary(Unary::Sqrt, square);
        vector.map(|entry| graph.div(entry, norm))
    }

    pub(super) fn angle(&mut self, expr: &Expr) -> Option<NodeId> {
        let value = self.pose_argument(expr)?;
        self.expect_scalar(expr, &value, "the angle of a rotation is a scalar")
    }

    /// A vector that a frame is moved by.
    pub(super) fn way(&mut self, expr: &Expr) -> Option<Vector> {
        let value = self.pose_argument(expr)?;
        self.expect_vector(
            expr,
            &value,
            "a frame is translated by a vector of length 3",
        )
    }

    pub(super) fn rotation_matrix(&mut self, expr: &Expr) -> Option<Matrix> {
        let value = self.pose_argument(expr)?;
        match (value.shape, &value.entries[..]) {
            (Shape::Matrix(3, 3), [a, b, c, d, e, f, g, h, i]) => {
                Some([[*a, *b, *c], [*d, *e, *f], [*g, *h, *i]])
            }
            (shape, _) => {
                let found = in_words(shape);
                let message =
                    format!("the orientation of a frame is a 3 x 3 matrix, found {found}");
                self.refuse(expr, message)
            }
        }
    }

    /// A value that a pose may depend on.
    fn pose_argument(&mut self, expr: &Expr) -> Option<Value> {
        let mark = self.mark();
        let value = self.evaluate(expr)?;
        let forbidden = [Forbidden::Velocity, Forbidden::Input];
        self.refuse_dependence_since(mark, &value.entries, &forbidden, "the pose of a frame")?;
        Some(value)
    }

    /// The entries of a vector of space; otherwise an error that begins with `rule`.
    pub(crate) fn expect_vector(
        &mut self,
        expr: &Expr,
        value: &Value,
        rule: &str,
    ) -> Option<Vector> {
        match (value.shape, &value.entries[..]) {
            (Shape::Vector(3), [x, y, z]) => Some([*x, *y, *z]),
            (shape, _) => self.refuse(expr, format!("{rule}, found {}", in_words(shape))),
        }
    }

    /// Whether a node changes with time.
    pub(super) fn moves(&self, node: NodeId) -> bool {
        let moving = Dependence::COORDINATE.union(Dependence::TIME);
        self.graph.dependence(node).intersects(moving)
    }
}

/// A bare `x`, `y` or `z` is the axis, whatever else has the name.
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

/// The vector divided by its length, unless that is zero.
pub(super) fn unit(vector: [Number; 3]) -> Option<[Number; 3]> {
    if vector.iter().all(|entry| entry.is_zero()) {
        return None;
    }
    exact_unit(vector).or_else(|| nearest_unit(vector))
}

fn exact_unit(vector: [Number; 3]) -> Option<[Number; 3]> {
    let mut squares = vector.iter().map(|entry| entry.checked_mul(*entry));
    let square = squares.try_fold(Number::ZERO, |sum, square| sum.checked_add(square?))?;
    let inverse = square.exact_sqrt()?.recip()?;
    let [x, y, z] = vector.map(|entry| entry.checked_mul(inverse));
    Some([x?, y?, z?])
}

fn nearest_unit(vector: [Number; 3]) -> Option<[Number; 3]> {
    let values = vector.map(Number::to_f64);
    let largest = values
        .iter()
        .fold(0.0_f64, |max, value| max.max(value.abs()));
    let scaled = values.map(|value| value / largest);
    let norm = scaled.iter().map(|value| value * value).sum::<f64>().sqrt();
    let unit = scaled.map(|value| value / norm);
    let is_finite = unit.iter().all(|value| value.is_finite());
    is_finite.then(|| unit.map(Number::float))
}
