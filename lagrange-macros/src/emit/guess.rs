//! Shapes of outputs that could not be evaluated, guessed from what is written.
//!
//! Only for the stub after errors: a wrong guess costs no more than a second message. What such an output
//! takes is no guess: see `lower/reads.rs`.

use std::collections::HashMap;

use lagrange_engine::Shape;
use proc_macro2::Ident;

use crate::model::Head;
use crate::syntax::ast::{Expr, ExprKind, StatementKind, SystemDef, text};

/// What each `let` of the declaration seems to be, by its name.
pub(crate) fn shapes(definition: &SystemDef, head: &Head) -> HashMap<String, Shape> {
    let mut shapes = HashMap::new();
    for declared in [&head.coordinates, &head.parameters, &head.inputs] {
        shapes.extend(declared.iter().map(|item| (text(&item.name), item.shape)));
    }
    for statement in &definition.statements {
        if let StatementKind::Let { name, value, .. } = &statement.kind {
            let shape = guess(value, &shapes);
            shapes.insert(text(name), shape);
        }
    }
    shapes
}

fn guess(expr: &Expr, shapes: &HashMap<String, Shape>) -> Shape {
    let of = |expr: &Expr| guess(expr, shapes);
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Error | ExprKind::Power { .. } | ExprKind::Bars(_) => {
            Shape::Scalar
        }
        ExprKind::Name { name, .. } => shapes.get(&text(name)).copied().unwrap_or(Shape::Scalar),
        ExprKind::Neg(inner) | ExprKind::Cut(inner) => of(inner),
        ExprKind::Sum { first, rest } => rest
            .iter()
            .fold(of(first), |sum, (_, _, term)| wider(sum, of(term))),
        ExprKind::Product { first, rest } => {
            rest.iter().fold(of(first), |product, (_, _, factor)| {
                times(product, of(factor))
            })
        }
        ExprKind::Field { name, .. } => match text(name).as_str() {
            "origin" => Shape::Vector(3),
            "rotation" => Shape::Matrix(3, 3),
            _ => Shape::Scalar,
        },
        ExprKind::Index { base, indices, .. } => element(of(base), indices.len()),
        ExprKind::Call {
            function,
            arguments,
            ..
        } => call(function, arguments.iter().map(of)),
        ExprKind::Method {
            receiver,
            function,
            arguments,
            ..
        } => call(
            function,
            std::iter::once(of(receiver)).chain(arguments.iter().map(of)),
        ),
        ExprKind::List(elements) => list(elements.iter().map(of), elements.len()),
        ExprKind::If { arms, otherwise } => {
            let arms = arms.iter().map(|(_, value)| of(value));
            arms.fold(of(otherwise), wider)
        }
        ExprKind::SumOver { body, .. } => of(body),
    }
}

/// A scalar; with one index into a matrix a row.
fn element(shape: Shape, indices: usize) -> Shape {
    match (shape, indices) {
        (Shape::Matrix(_, columns), 1) => Shape::Vector(columns),
        _ => Shape::Scalar,
    }
}

/// The one that is no scalar.
fn wider(a: Shape, b: Shape) -> Shape {
    if a == Shape::Scalar { b } else { a }
}

fn times(a: Shape, b: Shape) -> Shape {
    match (a, b) {
        (Shape::Matrix(rows, _), Shape::Vector(_)) => Shape::Vector(rows),
        (Shape::Matrix(rows, _), Shape::Matrix(_, columns)) => Shape::Matrix(rows, columns),
        _ => wider(a, b),
    }
}

fn list(elements: impl Iterator<Item = Shape>, length: usize) -> Shape {
    match elements.fold(Shape::Scalar, wider) {
        Shape::Vector(columns) => Shape::Matrix(length, columns),
        Shape::Scalar | Shape::Matrix(..) => Shape::Vector(length),
    }
}

fn call(function: &Ident, arguments: impl Iterator<Item = Shape>) -> Shape {
    let all = arguments.fold(Shape::Scalar, wider);
    match (text(function).as_str(), all) {
        ("der", shape) => shape,
        ("point" | "vector" | "velocity" | "angular_velocity", _) => Shape::Vector(3),
        ("cross", Shape::Vector(3)) => Shape::Vector(3),
        ("outer", Shape::Vector(length)) => Shape::Matrix(length, length),
        ("transpose", Shape::Matrix(rows, columns)) => Shape::Matrix(columns, rows),
        _ => Shape::Scalar,
    }
}
