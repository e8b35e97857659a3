//! Components, elements and parts (`.x`, `.xy`, `v[i]`, `m[i, j]`, `v[a..b]`), and constant integers in general.

use std::ops::Range;

use lagrange_engine::Shape;
use proc_macro2::{Ident, Span};

use super::evaluator::Evaluator;
use super::value::{Value, in_words};
use crate::errors::Code;
use crate::suggest::foreign::{self, Place};
use crate::suggest::{self};
use crate::syntax::ast::{Expr, ExprKind, text};

const COMPONENTS: [&str; 3] = ["x", "y", "z"];

/// The entries that letters or indices select from a value, and their shape.
pub(super) struct Part {
    pub(super) shape: Shape,
    /// The position of each selected entry in the value, row by row.
    pub(super) positions: Vec<usize>,
}

/// A coordinate, or a part of it, to which a statement assigns something.
pub(super) struct Target {
    /// Indices of its velocities.
    pub(super) velocities: Vec<usize>,
    pub(super) shape: Shape,
}

impl Target {
    /// All entries of a value whose first velocity has this index.
    pub(super) fn whole(first: usize, shape: Shape) -> Self {
        Self {
            velocities: (first..first + shape.len()).collect(),
            shape,
        }
    }
}

/// The index or range of one dimension between the brackets.
enum Taken {
    One(usize),
    Some(Range<usize>),
}

impl Taken {
    fn range(&self) -> Range<usize> {
        match self {
            Self::One(index) => *index..*index + 1,
            Self::Some(range) => range.clone(),
        }
    }

    /// The length, if the part keeps this dimension.
    fn length(&self) -> Option<usize> {
        match self {
            Self::One(_) => None,
            Self::Some(range) => Some(range.len()),
        }
    }
}

impl Evaluator<'_> {
    pub(super) fn evaluate_component(&mut self, base: &Expr, name: &Ident) -> Option<Value> {
        if let Some(motor) = self.find_motor_of(base, name) {
            return self.read_angle_of_motor(motor?, name);
        }
        if self.is_frame_field(base, name) {
            return self.evaluate_frame_field(base, name);
        }
        if let Some(module) = self.find_module(base) {
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
        let part = self.select_components(value.shape, name)?;
        picked(&value, &part)
    }

    /// The part of a value of this shape that `.x`, or several of these letters in one word, selects.
    pub(super) fn select_components(&mut self, shape: Shape, name: &Ident) -> Option<Part> {
        let written = text(name);
        let Some(positions) = positions_of_letters(&written) else {
            let message = match foreign::advice(Place::Component, &written) {
                Some(advice) => format!("unknown component `{written}`\n\nhelp: {advice}"),
                None if is_of_letters(&written) => {
                    let entries: Vec<String> = written
                        .chars()
                        .map(|letter| format!("v.{letter}"))
                        .collect();
                    format!(
                        "the letters of a part differ: `{written}` has one twice\n\n\
                         help: write the entries of another vector as a list, `[{}]`",
                        entries.join(", ")
                    )
                }
                None => {
                    let help = suggest::help(&written, COMPONENTS);
                    format!("unknown component `{written}`{help}")
                }
            };
            return self.refuse(name, Code::UnknownMember, message);
        };
        let is = in_words(shape);
        match shape {
            Shape::Vector(length) if length > COMPONENTS.len() => {
                let indices: Vec<String> = positions.iter().map(ToString::to_string).collect();
                let help = match &indices[..] {
                    [first, .., _] if is_run(&positions) => {
                        format!("write `[{first}..{}]`", positions[0] + positions.len())
                    }
                    [_, .., _] => "write a list of its entries, `[v[0], v[2]]`".to_owned(),
                    only => format!("write `[{}]`", only.concat()),
                };
                let message = format!(
                    "only vectors of up to three entries have components, this is {is}\n\n\
                     help: {help}"
                );
                self.refuse(name, Code::UnknownMember, message)
            }
            Shape::Vector(length) if positions.iter().all(|position| *position < length) => {
                let shape = match positions.len() {
                    1 => Shape::Scalar,
                    length => Shape::Vector(length),
                };
                Some(Part { shape, positions })
            }
            _ => self.refuse(
                name,
                Code::UnknownMember,
                format!("{is} has no component `{written}`"),
            ),
        }
    }

    /// If the base is a name, reads only the selected entries, whatever the size of the value.
    pub(super) fn evaluate_element(
        &mut self,
        base: &Expr,
        indices: &[Expr],
        span: Span,
    ) -> Option<Value> {
        if let ExprKind::Name { name, dots: 0 } = &base.kind
            && let Some(shape) = self.find_shape_of(name)
        {
            if shape == Shape::Scalar
                && let Some(role) = self.find_sized_role(name)
            {
                indices.iter().for_each(|index| self.pass_over(index));
                let message = format!(
                    "a scalar has no index\n\n\
                     help: `{name}` is one number: remove the index, or write its size as a number, `{name}: {role}[3]`"
                );
                return self.refuse(span, Code::IndexCount, message);
            }
            let part = self.select_part(Some(shape), indices, span)?;
            return self.evaluate_entries_of(name, &part);
        }
        let value = self.evaluate(base);
        if value.is_none() {
            indices.iter().for_each(|index| self.pass_over(index));
            return None;
        }
        let part = self.select_part(value.as_ref().map(|value| value.shape), indices, span)?;
        picked(&value?, &part)
    }

    /// The part of a value of this shape that constant indices and ranges select, within its bounds. One index of a
    /// matrix selects rows.
    pub(super) fn select_part(
        &mut self,
        shape: Option<Shape>,
        indices: &[Expr],
        span: Span,
    ) -> Option<Part> {
        let values: Vec<Option<Range<i64>>> = indices
            .iter()
            .map(|index| self.evaluate_constant_range(index))
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
        let in_bounds: Vec<Option<Taken>> = indices
            .iter()
            .zip(values)
            .zip(bounds)
            .map(|((expr, value), bound)| self.check_bounds(expr, value?, bound))
            .collect();
        let in_bounds: Vec<Taken> = in_bounds.into_iter().collect::<Option<_>>()?;
        Some(taken(shape?, &in_bounds))
    }

    /// The values of `a..b`, or the single value of an index.
    fn evaluate_constant_range(&mut self, expr: &Expr) -> Option<Range<i64>> {
        let ExprKind::Range { from, to } = &expr.kind else {
            let index = self.evaluate_constant_integer(expr, "an index")?;
            return Some(index..index.saturating_add(1));
        };
        let bounds =
            [from, to].map(|bound| self.evaluate_constant_integer(bound, "the bound of a range"));
        let (from, to) = (bounds[0]?, bounds[1]?);
        if from < to {
            return Some(from..to);
        }
        let iteration = self.blocks.iteration(expr);
        let message = format!(
            "no entry lies in this range: it runs from {from} to {to}, exclusive{iteration}\n\n\
             help: a range `a..b` has b > a"
        );
        self.refuse(expr, Code::EmptyRange, message)
    }

    fn check_bounds(&mut self, expr: &Expr, range: Range<i64>, bound: usize) -> Option<Taken> {
        let (from, to) = (usize::try_from(range.start), usize::try_from(range.end));
        let is_range = matches!(expr.kind, ExprKind::Range { .. });
        match (from, to) {
            (Ok(from), Ok(to)) if to <= bound => Some(match is_range {
                true => Taken::Some(from..to),
                false => Taken::One(from),
            }),
            _ => {
                let iteration = self.blocks.iteration(expr);
                let last = bound.saturating_sub(1);
                let (index, help) = match is_range {
                    true => (
                        format!("{}..{}", range.start, range.end),
                        format!(
                            "the first entry is 0, and a range ends at {bound} at most, after the last"
                        ),
                    ),
                    false => (
                        range.start.to_string(),
                        format!("the first entry is 0, the last one {last}"),
                    ),
                };
                let message =
                    format!("index out of bounds: {index} of {bound}{iteration}\n\nhelp: {help}");
                self.refuse(expr, Code::IndexOutOfBounds, message)
            }
        }
    }

    /// An integer known at compile time; `role` names its use in messages.
    pub(crate) fn evaluate_constant_integer(&mut self, expr: &Expr, role: &str) -> Option<i64> {
        let outer = std::mem::replace(&mut self.needs_integer, true);
        let value = self.evaluate(expr);
        self.needs_integer = outer;
        let integer = value?
            .as_scalar()
            .and_then(|node| self.find_constant_number(node))
            .and_then(lagrange_engine::Number::to_integer);
        match integer {
            Some(integer) => Some(integer),
            None => self.refuse(
                expr,
                Code::ConstantInteger,
                format!("{role} is a constant integer"),
            ),
        }
    }
}

/// The part of a value of this shape that is selected in each dimension. If only rows are given, all columns are
/// selected.
fn taken(shape: Shape, dimensions: &[Taken]) -> Part {
    let width = match shape {
        Shape::Matrix(_, columns) => columns,
        Shape::Vector(_) | Shape::Scalar => 1,
    };
    let all_columns = Taken::Some(0..width);
    let (rows, columns) = match (shape, dimensions) {
        (_, [rows, columns]) => (rows, columns),
        (Shape::Matrix(..), [rows]) => (rows, &all_columns),
        (_, [rows]) => (rows, &Taken::One(0)),
        _ => (&Taken::One(0), &Taken::One(0)),
    };
    let shape = match (rows.length(), columns.length()) {
        (None, None) => Shape::Scalar,
        (Some(length), None) | (None, Some(length)) => Shape::Vector(length),
        (Some(rows), Some(columns)) => Shape::Matrix(rows, columns),
    };
    let positions = rows
        .range()
        .flat_map(|row| columns.range().map(move |column| row * width + column))
        .collect();
    Part { shape, positions }
}

/// The entries of a part.
pub(super) fn picked(value: &Value, part: &Part) -> Option<Value> {
    let entries = part
        .positions
        .iter()
        .map(|position| value.entries.get(*position).copied())
        .collect::<Option<_>>()?;
    Some(Value {
        shape: part.shape,
        entries,
    })
}

/// The positions of `x`, `y` and `z` in a word of one to three of these letters, each once.
fn positions_of_letters(word: &str) -> Option<Vec<usize>> {
    let position = |letter: char| "xyz".find(letter);
    let positions: Vec<usize> = word.chars().map(position).collect::<Option<_>>()?;
    let is_single = |(index, position)| !positions[..index].contains(position);
    let are_single = positions.iter().enumerate().all(is_single);
    (are_single && !positions.is_empty()).then_some(positions)
}

fn is_of_letters(word: &str) -> bool {
    word.chars().all(|letter| "xyz".contains(letter))
}

/// Returns whether the positions are consecutive.
fn is_run(positions: &[usize]) -> bool {
    positions.windows(2).all(|pair| pair[1] == pair[0] + 1)
}
