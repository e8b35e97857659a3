//! Components and elements: `.x`, `v[i]`, `m[i, j]`, and constant integers in general.

use lagrange_engine::Shape;
use proc_macro2::{Ident, Span};

use super::evaluator::Evaluator;
use super::value::{Value, in_words};
use crate::errors::Code;
use crate::suggest::foreign::{self, Place};
use crate::suggest::{self};
use crate::syntax::ast::{Expr, ExprKind, text};

const COMPONENTS: [&str; 3] = ["x", "y", "z"];

impl Evaluator<'_> {
    pub(super) fn component(&mut self, base: &Expr, name: &Ident) -> Option<Value> {
        if self.is_frame_field(base, name) {
            return self.frame_field(base, name);
        }
        if let Some(module) = self.module(base) {
            let help = match text(name).as_str() {
                "pi" | "PI" | "Pi" => "the constant is `pi`",
                _ => "names are written alone",
            };
            return self.refuse(
                &module,
                Code::UnknownName,
                format!("unknown name `{module}`\n\nhelp: {help}"),
            );
        }
        let value = self.evaluate(base)?;
        let position = self.component_position(value.shape, name)?;
        value.entries.get(position).copied().map(Value::scalar)
    }

    /// The position that `.x`, `.y` or `.z` names in a value of this shape.
    pub(super) fn component_position(&mut self, shape: Shape, name: &Ident) -> Option<usize> {
        let written = text(name);
        let Some(position) = COMPONENTS.iter().position(|c| *c == written) else {
            let help = match foreign::advice(Place::Component, &written) {
                Some(advice) => format!("\n\nhelp: {advice}"),
                None => suggest::help(&written, COMPONENTS),
            };
            return self.refuse(
                name,
                Code::UnknownMember,
                format!("unknown component `{written}`{help}"),
            );
        };
        let is = in_words(shape);
        match shape {
            Shape::Vector(length) if length > COMPONENTS.len() => {
                let message = format!(
                    "only vectors of up to three entries have components, this is {is}\n\n\
                     help: write `[{position}]`"
                );
                self.refuse(name, Code::UnknownMember, message)
            }
            Shape::Vector(length) if position < length => Some(position),
            _ => self.refuse(
                name,
                Code::UnknownMember,
                format!("{is} has no component `{written}`"),
            ),
        }
    }

    /// Of a name the entries alone are read, however many others there are.
    pub(super) fn element(&mut self, base: &Expr, indices: &[Expr], span: Span) -> Option<Value> {
        if let ExprKind::Name { name, dots: 0 } = &base.kind
            && let Some(shape) = self.shape_of(name)
        {
            let indices = self.indices(Some(shape), indices, span)?;
            return self.entries_of(name, &indices);
        }
        let value = self.evaluate(base);
        if value.is_none() {
            indices.iter().for_each(|index| self.pass_over(index));
            return None;
        }
        let indices = self.indices(value.as_ref().map(|value| value.shape), indices, span)?;
        picked(&value?, &indices)
    }

    /// Constant indices into a value of this shape, within its bounds; one of a matrix is a row.
    pub(super) fn indices(
        &mut self,
        shape: Option<Shape>,
        indices: &[Expr],
        span: Span,
    ) -> Option<Vec<usize>> {
        let values: Vec<Option<i64>> = indices
            .iter()
            .map(|index| self.constant_integer(index, "an index"))
            .collect();
        let bounds = match (shape?, indices.len()) {
            (Shape::Vector(length), 1) => vec![length],
            (Shape::Matrix(rows, _), 1) => vec![rows],
            (Shape::Matrix(rows, columns), 2) => vec![rows, columns],
            (shape, count) => {
                let is = in_words(shape);
                let message = match shape {
                    Shape::Scalar => format!("{is} has no index"),
                    Shape::Vector(_) => format!("{is} has one index, found {count}"),
                    Shape::Matrix(..) => format!("{is} has one or two indices, found {count}"),
                };
                return self.refuse(span, Code::IndexCount, message);
            }
        };
        let in_bounds: Vec<Option<usize>> = indices
            .iter()
            .zip(values)
            .zip(bounds)
            .map(|((expr, value), bound)| self.in_bounds(expr, value?, bound))
            .collect();
        in_bounds.into_iter().collect()
    }

    fn in_bounds(&mut self, expr: &Expr, index: i64, bound: usize) -> Option<usize> {
        match usize::try_from(index) {
            Ok(position) if position < bound => Some(position),
            _ => {
                let at = self.blocks.iteration(expr);
                let message = format!(
                    "index out of bounds: {index} of {bound}{at}\n\n\
                     help: the first entry is 0, the last one {}",
                    bound.saturating_sub(1)
                );
                self.refuse(expr, Code::IndexOutOfBounds, message)
            }
        }
    }

    /// An integer known at compile time; `role` says what it is for.
    pub(crate) fn constant_integer(&mut self, expr: &Expr, role: &str) -> Option<i64> {
        let outer = std::mem::replace(&mut self.needs_integer, true);
        let value = self.evaluate(expr);
        self.needs_integer = outer;
        let value = value?;
        let number = value
            .as_scalar()
            .and_then(|node| self.graph.as_number(node));
        match number.and_then(lagrange_engine::Number::to_integer) {
            Some(integer) => Some(integer),
            None => self.refuse(
                expr,
                Code::ConstantInteger,
                format!("{role} is a constant integer"),
            ),
        }
    }
}

/// An entry, or a row of a matrix.
pub(super) fn picked(value: &Value, indices: &[usize]) -> Option<Value> {
    let entry = |position: usize| value.entries.get(position).copied().map(Value::scalar);
    match (value.shape, indices) {
        (Shape::Vector(_), [i]) => entry(*i),
        (Shape::Matrix(_, columns), [i]) => {
            let row = value.entries.get(i * columns..(i + 1) * columns)?;
            Some(Value::vector(row.to_vec()))
        }
        (Shape::Matrix(_, columns), [i, j]) => entry(i * columns + j),
        _ => None,
    }
}
