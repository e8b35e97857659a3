//! Guesses from the text the shapes of outputs that could not be evaluated.
//!
//! Used only for the stub after errors, where a wrong guess causes at most a second message. The arguments of such
//! an output are not guessed: see `lower/reads.rs`.

use std::collections::HashMap;

use lagrange_engine::Shape;
use proc_macro2::Ident;

use crate::model::{Declared, Head, Velocity};
use crate::syntax::ast::{Expr, ExprKind, StatementKind, SystemDef, text};
use crate::syntax::name_scopes::called;

/// The presumed shape of each `let` of the declaration, by its name.
pub(crate) fn shapes(definition: &SystemDef, head: &Head) -> HashMap<String, Shape> {
    let mut shapes = HashMap::new();
    let lists = [
        &head.coordinates,
        &head.parameters,
        &head.states,
        &head.inputs,
    ];
    for declared in lists {
        let shape = |item: &Declared| match (item.velocity, item.shape) {
            // Rotations can only be read by their rates.
            (Velocity::Rotation(_), Shape::Matrix(count, _)) => Shape::Matrix(count, 3),
            (Velocity::Rotation(_), _) => Shape::Vector(3),
            (_, shape) => shape,
        };
        shapes.extend(declared.iter().map(|item| (text(&item.name), shape(item))));
    }
    for statement in &definition.statements {
        match &statement.kind {
            StatementKind::Let { name, value, .. } => {
                let shape = guess(value, &shapes);
                shapes.insert(text(name), shape);
            }
            // Assumes scalar arguments.
            StatementKind::Function(function) => {
                let shape = guess(&function.body, &shapes);
                shapes.insert(called(&function.name), shape);
            }
            _ => {}
        }
    }
    shapes
}

fn guess(expr: &Expr, shapes: &HashMap<String, Shape>) -> Shape {
    let of = |expr: &Expr| guess(expr, shapes);
    match &expr.kind {
        ExprKind::Number(_)
        | ExprKind::Text(_)
        | ExprKind::Tuple(_)
        | ExprKind::Error
        | ExprKind::Power { .. }
        | ExprKind::Bars(_) => Shape::Scalar,
        ExprKind::Name { name, .. } => shapes.get(&text(name)).copied().unwrap_or(Shape::Scalar),
        ExprKind::Labelled(inner, _) | ExprKind::Neg(inner) | ExprKind::Cut(inner) => of(inner),
        ExprKind::Sum {
            first,
            further_terms,
        } => further_terms
            .iter()
            .fold(of(first), |sum, (_, _, term)| widen(sum, of(term))),
        ExprKind::Product {
            first,
            further_factors,
        } => further_factors
            .iter()
            .fold(of(first), |product, (_, _, factor)| {
                multiply(product, of(factor))
            }),
        ExprKind::Field { name, .. } => match text(name).as_str() {
            "origin" => Shape::Vector(3),
            "rotation" => Shape::Matrix(3, 3),
            letters if letters.len() > 1 && letters.chars().all(|c| "xyz".contains(c)) => {
                Shape::Vector(letters.len())
            }
            _ => Shape::Scalar,
        },
        ExprKind::Index { base, indices, .. } => guess_element(of(base), indices),
        ExprKind::Range { .. } => Shape::Scalar,
        ExprKind::Call {
            function,
            arguments,
            ..
        } => match shapes.get(&called(function)) {
            Some(shape) => *shape,
            None => guess_call(function, arguments.iter().map(of)),
        },
        ExprKind::Method {
            receiver,
            function,
            arguments,
            ..
        } => guess_call(
            function,
            std::iter::once(of(receiver)).chain(arguments.iter().map(of)),
        ),
        ExprKind::List(elements) => guess_list(elements.iter().map(of), elements.len()),
        ExprKind::If { arms, otherwise } => arms
            .iter()
            .map(|(_, value)| of(value))
            .fold(of(otherwise), widen),
        ExprKind::SumOver { body, .. } => of(body),
    }
}

/// A scalar, or the part of a vector or matrix that ranges and a single index select.
fn guess_element(shape: Shape, indices: &[Expr]) -> Shape {
    let lengths: Vec<Option<usize>> = indices.iter().map(count_indexed).collect();
    match (shape, &lengths[..]) {
        (Shape::Vector(most), [Some(length)]) => Shape::Vector(*length.min(&most)),
        (Shape::Matrix(most, columns), [Some(rows)]) => Shape::Matrix(*rows.min(&most), columns),
        (Shape::Matrix(_, columns), [None]) => Shape::Vector(columns),
        (Shape::Matrix(most, _), [Some(rows), None]) => Shape::Vector(*rows.min(&most)),
        (Shape::Matrix(_, most), [None, Some(columns)]) => Shape::Vector(*columns.min(&most)),
        (Shape::Matrix(height, width), [Some(rows), Some(columns)]) => {
            Shape::Matrix(*rows.min(&height), *columns.min(&width))
        }
        _ => Shape::Scalar,
    }
}

/// The length of a range between two numbers; `None` for an index.
fn count_indexed(index: &Expr) -> Option<usize> {
    let number = |expr: &Expr| match &expr.kind {
        ExprKind::Number(text) => text.parse::<usize>().ok(),
        _ => None,
    };
    match &index.kind {
        ExprKind::Range { from, to } => {
            let length = number(to).zip(number(from));
            Some(length.map_or(1, |(to, from)| to.saturating_sub(from).max(1)))
        }
        _ => None,
    }
}

/// The shape that is not a scalar.
fn widen(a: Shape, b: Shape) -> Shape {
    if a == Shape::Scalar { b } else { a }
}

fn multiply(a: Shape, b: Shape) -> Shape {
    match (a, b) {
        (Shape::Matrix(rows, _), Shape::Vector(_)) => Shape::Vector(rows),
        (Shape::Matrix(rows, _), Shape::Matrix(_, columns)) => Shape::Matrix(rows, columns),
        _ => widen(a, b),
    }
}

fn guess_list(elements: impl Iterator<Item = Shape>, length: usize) -> Shape {
    match elements.fold(Shape::Scalar, widen) {
        Shape::Vector(columns) => Shape::Matrix(length, columns),
        Shape::Scalar | Shape::Matrix(..) => Shape::Vector(length),
    }
}

fn guess_call(function: &Ident, arguments: impl Iterator<Item = Shape>) -> Shape {
    let widest = arguments.fold(Shape::Scalar, widen);
    match (text(function).as_str(), widest) {
        ("der", shape) => shape,
        ("point" | "vector" | "velocity" | "angular_velocity", _) => Shape::Vector(3),
        ("cross", Shape::Vector(3)) => Shape::Vector(3),
        ("outer", Shape::Vector(length)) => Shape::Matrix(length, length),
        ("transpose", Shape::Matrix(rows, columns)) => Shape::Matrix(columns, rows),
        _ => Shape::Scalar,
    }
}
