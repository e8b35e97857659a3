//! The rows of a vector or matrix equation as separate scalar equations.

use lagrange_engine::{NodeId, Shape};
use proc_macro2::{Ident, Span};

use super::Side;
use crate::lower::evaluator::Evaluator;
use crate::syntax::ast::{Expr, ExprKind};
use crate::tables::RowTexts;

/// Names for a side that has none; the first free one is used.
const NAMES: [&str; 6] = ["p", "r", "w", "e", "lhs", "rhs"];

impl Evaluator<'_> {
    /// The two sides of each of these entries; `None` for a scalar equation.
    pub(super) fn row_texts(&self, sides: &[Side<'_>; 2], entries: &[usize]) -> Option<RowTexts> {
        let mut texts = RowTexts {
            rows: vec![[String::new(), String::new()]; entries.len()],
            lets: Vec::new(),
        };
        for (number, side) in sides.iter().enumerate() {
            let value = side.value.as_ref()?;
            if value.shape == Shape::Scalar {
                return None;
            }
            let elements = elements(side.expr, value.shape);
            let number_of = |entry: usize| self.number_text(value.entries[entry]);
            let is_plain = |entry: &usize| {
                let element = elements.as_ref().and_then(|list| list[*entry].clone());
                element.or_else(|| number_of(*entry))
            };
            let plain: Option<Vec<String>> = entries.iter().map(is_plain).collect();
            let plain = plain.unwrap_or_else(|| {
                let base = self.name_of_side(side.expr, &mut texts.lets);
                let entries = entries.iter();
                entries
                    .map(|entry| format!("{base}{}", subscript(value.shape, *entry)))
                    .collect()
            });
            for (row, text) in texts.rows.iter_mut().zip(plain) {
                row[number] = text;
            }
        }
        Some(texts)
    }

    fn number_text(&self, entry: NodeId) -> Option<String> {
        self.graph.as_number(entry)?;
        Some(self.graph.text(entry, &|_| String::new()))
    }

    /// The text before `.x`: the name of the side, or a new name with its `let`.
    fn name_of_side(&self, expr: &Expr, lets: &mut Vec<String>) -> String {
        let is_name = matches!(expr.kind, ExprKind::Name { .. } | ExprKind::Field { .. });
        if let Some(text) = expr.written().filter(|_| is_name) {
            return text;
        }
        let is_free = |name: &&str| {
            let ident = Ident::new(name, Span::call_site());
            let begins = format!("let {name} ");
            self.scope.find(&ident).is_none()
                && !lets.iter().any(|other| other.starts_with(&begins))
        };
        let name = NAMES.into_iter().find(is_free).unwrap_or("side");
        let value = expr.written().unwrap_or_else(|| "..".to_owned());
        lets.push(format!("let {name} = {value};"));
        name.to_owned()
    }
}

/// The entries of a list of scalars, or of a list of such lists.
fn elements(expr: &Expr, shape: Shape) -> Option<Vec<Option<String>>> {
    let ExprKind::List(list) = &expr.kind else {
        return None;
    };
    let texts: Vec<Option<String>> = match shape {
        Shape::Matrix(_, columns) => {
            let row = |row: &Expr| elements(row, Shape::Vector(columns));
            let rows: Option<Vec<_>> = list.iter().map(row).collect();
            rows?.concat()
        }
        _ => list.iter().map(Expr::written).collect(),
    };
    (texts.len() == shape.len()).then_some(texts)
}

fn subscript(shape: Shape, entry: usize) -> String {
    match shape {
        Shape::Scalar => String::new(),
        Shape::Vector(length) if length <= 3 => format!(".{}", ["x", "y", "z"][entry]),
        Shape::Vector(_) => format!("[{entry}]"),
        Shape::Matrix(_, columns) => format!("[{}, {}]", entry / columns, entry % columns),
    }
}
