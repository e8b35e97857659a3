//! `holonomic` and `nonholonomic`: turns equations into rows of scalar residuals.

mod affine;

use lagrange_engine::{Answer, Constraint, Dependence, NodeId, Shape, is_identically_zero};
use proc_macro2::Ident;
use syn::Attribute;

use super::dependence_errors::{CONSERVATIVE, write_velocity_message};
use super::evaluator::Evaluator;
use super::lowering::Lowering;
use super::value::{Value, in_words};
use crate::errors::{Code, SpanRange};
use crate::model::ConstraintItem;
use crate::syntax::ast::{ConstraintKind, Expr, text};
use crate::tables::ConstraintEntry;

/// One side of an equation.
struct Side<'x> {
    expr: &'x Expr,
    value: Option<Value>,
}

impl Lowering<'_> {
    /// `holonomic name: left = right;`. Counted for the stub also if the name is missing.
    pub(super) fn lower_constraint(
        &mut self,
        attributes: &[Attribute],
        (kind, name, named): (ConstraintKind, &Ident, bool),
        (left, right): (&Expr, &Expr),
    ) {
        let is_new = named && self.check_constraint_name(name);
        let evaluator = &mut self.evaluator;
        let sides = [left, right].map(|expr| Side {
            value: evaluator.evaluate(expr),
            expr,
        });
        let residual = evaluator.residual(kind, &sides);
        if let [
            Side {
                expr: left,
                value: Some(a),
            },
            Side {
                expr: right,
                value: Some(b),
            },
        ] = &sides
        {
            evaluator.note_equal_units((left, a), (right, b));
        }
        let known = sides.iter().filter_map(|side| side.value.as_ref());
        let shape = known.clone().next().map_or(Shape::Scalar, |v| v.shape);
        let full_name = text(name) + &evaluator.blocks.subscript();
        let rows = match &residual {
            Some(residual) if self.constraints.rows.len() < evaluator.count_rows_at_most() => {
                let entries = evaluator.find_independent_entries(residual);
                make_rows(kind, &full_name, residual, &entries)
            }
            _ => Vec::new(),
        };
        let statement = evaluator.blocks.statement();
        self.constraints.entries.push(ConstraintEntry {
            item: ConstraintItem {
                name: name.clone(),
                attributes: attributes.to_vec(),
                kind,
                rows: residual.as_ref().map_or(shape.len(), |_| rows.len()),
                integrable: Vec::new(),
            },
            rows: rows.len(),
            statement,
            is_known: sides.iter().all(|side| side.value.is_some()),
            sides: known.flat_map(|value| value.entries.clone()).collect(),
            is_sound: is_new && residual.is_some(),
        });
        if rows.is_empty() {
            self.evaluator.broken_rows.insert(text(name));
        }
        for row in rows {
            let number = self.constraints.rows.len() as u32;
            self.evaluator.know_multiplier(&row.name, number);
            let is_power = kind == ConstraintKind::Nonholonomic;
            let residual = (row.residual, is_power);
            self.evaluator.note_multiplier(name, number, residual);
            self.constraints.rows.push(row);
        }
    }

    /// Constraints and contacts have their own names apart from values, so only another constraint or contact can
    /// clash. In a loop the same name has a different index in each iteration.
    pub(super) fn check_constraint_name(&mut self, name: &Ident) -> bool {
        let written = text(name);
        let statement = self.evaluator.blocks.statement();
        let first = self.constraints.names.entry(written.clone());
        let is_new = *first.or_insert_with(|| statement.clone()) == statement;
        if !is_new {
            let is_contact = self
                .contacts
                .items
                .iter()
                .any(|item| text(&item.name) == written);
            let what = if is_contact { "contact" } else { "constraint" };
            let message = format!(
                "duplicate name: `{written}` is already a {what}\n\nhelp: choose another name"
            );
            self.evaluator
                .errors
                .error(name, Code::DuplicateName, message);
        }
        is_new
    }
}

impl Evaluator<'_> {
    /// The number of rows from which some must depend on others. A loop that adds more is refused for that, so it
    /// can stop early.
    fn count_rows_at_most(&self) -> usize {
        2 * self.names.coordinates.len() + 16
    }

    /// Left side minus right side, if neither side has a mistake.
    fn residual(&mut self, kind: ConstraintKind, sides: &[Side<'_>; 2]) -> Option<Value> {
        let difference = self.difference(sides);
        // Terms may cancel in the difference. Without a difference, both sides are judged separately.
        let entries = match &difference {
            Some(difference) => difference.entries.clone(),
            None => sides
                .iter()
                .filter_map(|side| side.value.as_ref())
                .flat_map(|value| value.entries.clone())
                .collect(),
        };
        let of_inputs = self.refuse_dependence(0, &entries, &CONSERVATIVE, "a constraint");
        let of_velocities = match kind {
            ConstraintKind::Holonomic => self.refuse_velocity(&entries),
            ConstraintKind::Nonholonomic => self.refuse_non_affine(&entries, sides),
        };
        of_inputs.and(of_velocities).and(difference)
    }

    fn difference(&mut self, [left, right]: &[Side<'_>; 2]) -> Option<Value> {
        let place = SpanRange {
            first: left.expr.first,
            last: right.expr.last,
        };
        let (left, right) = (left.value.as_ref()?, right.value.as_ref()?);
        if left.shape != right.shape {
            let message = format!(
                "mismatched shapes: the left side is {}, the right side {}",
                in_words(left.shape),
                in_words(right.shape)
            );
            return self.refuse(place, Code::UnequalShapes, message);
        }
        self.afford(place, left.entries.len())?;
        let entries = left
            .entries
            .iter()
            .zip(&right.entries)
            .map(|(l, r)| self.graph.sub(*l, *r))
            .collect();
        let shape = left.shape;
        self.require_finite(place, Value { shape, entries })
    }

    /// Reports the first token that brings a velocity into a `holonomic`. The later ones have the same cause.
    fn refuse_velocity(&mut self, entries: &[NodeId]) -> Option<()> {
        let value = Value::vector(entries.to_vec());
        let culprits = self.find_culprits(&value, Dependence::VELOCITY, 0);
        match culprits.first() {
            None => Some(()),
            Some(culprit) => {
                let message = write_velocity_message(culprit, "", "a `holonomic` constraint");
                self.refuse(culprit.place, Code::VelocityInHolonomic, message)
            }
        }
    }

    /// All entries, or the upper triangle of a symmetric matrix.
    fn find_independent_entries(&self, residual: &Value) -> Vec<usize> {
        let entries = 0..residual.entries.len();
        match residual.shape {
            Shape::Matrix(_, columns) if self.is_symmetric(residual) => entries
                .filter(|entry| entry % columns >= entry / columns)
                .collect(),
            _ => entries.collect(),
        }
    }

    /// Decides by structure, otherwise by evaluation at random points.
    fn is_symmetric(&self, value: &Value) -> bool {
        let size = match value.shape {
            Shape::Matrix(rows, columns) if rows == columns => rows,
            _ => return false,
        };
        let different: Vec<(NodeId, NodeId)> = (0..size)
            .flat_map(|i| (0..i).map(move |j| (i * size + j, j * size + i)))
            .map(|(below, above)| (value.entries[below], value.entries[above]))
            .filter(|(a, b)| a != b)
            .collect();
        if different.is_empty() {
            return true;
        }
        // Works on a copy, so that the evaluation leaves no nodes in the graph.
        let mut graph = self.graph.clone();
        let differences: Vec<NodeId> = different.iter().map(|(a, b)| graph.sub(*a, *b)).collect();
        let answers = is_identically_zero(&graph, &differences);
        answers.iter().all(|answer| *answer == Answer::Yes)
    }
}

/// One row for each of these entries: left side minus right side.
fn make_rows(
    kind: ConstraintKind,
    name: &str,
    residual: &Value,
    entries: &[usize],
) -> Vec<Constraint> {
    let kind = match kind {
        ConstraintKind::Holonomic => lagrange_engine::ConstraintKind::Holonomic,
        ConstraintKind::Nonholonomic => lagrange_engine::ConstraintKind::Nonholonomic,
    };
    let row = |entry: &usize| Constraint {
        name: match residual.shape {
            Shape::Scalar => name.to_owned(),
            Shape::Vector(_) => format!("{name}[{entry}]"),
            Shape::Matrix(_, columns) => {
                format!("{name}[{}, {}]", entry / columns, entry % columns)
            }
        },
        kind,
        residual: residual.entries[*entry],
    };
    entries.iter().map(row).collect()
}
