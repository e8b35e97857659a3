//! Signatures of outputs that could not be evaluated, guessed from what is written.
//!
//! Only for the stub after errors: a wrong guess costs no more than a second message.

use std::collections::HashMap;

use lagrange_engine::{Dependence, Shape};
use proc_macro2::Ident;
use syn::ext::IdentExt;

use crate::lower::Signature;
use crate::model::Head;
use crate::syntax::ast::{Expr, ExprKind, StatementKind, SystemDef};

const CONSTANT: Signature = Signature {
    shape: Shape::Scalar,
    dependence: Dependence::NONE,
};

/// A vector that a frame gives.
const IN_WORLD: Signature = Signature {
    shape: Shape::Vector(3),
    dependence: Dependence::COORDINATE,
};

/// What each output of the declaration seems to be, by its name.
pub(crate) fn signatures(definition: &SystemDef, head: &Head) -> HashMap<String, Signature> {
    let mut names = HashMap::new();
    let roles = [
        (&head.coordinates, Dependence::COORDINATE),
        (&head.parameters, Dependence::PARAMETER),
        (&head.inputs, Dependence::INPUT),
    ];
    for (declared, dependence) in roles {
        for item in declared {
            let shape = item.shape;
            names.insert(text(&item.name), Signature { shape, dependence });
        }
    }
    for statement in &definition.statements {
        if let StatementKind::Let { name, value, .. } = &statement.kind {
            let signature = guess(value, &names);
            names.insert(text(name), signature);
        }
    }
    names
}

fn text(name: &Ident) -> String {
    name.unraw().to_string()
}

fn guess(expr: &Expr, names: &HashMap<String, Signature>) -> Signature {
    let of = |expr: &Expr| guess(expr, names);
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Error => CONSTANT,
        ExprKind::Name { name, dots } => {
            let signature = names.get(&text(name)).copied().unwrap_or(CONSTANT);
            if *dots > 0 {
                moving(signature)
            } else {
                signature
            }
        }
        ExprKind::Neg(inner) => of(inner),
        ExprKind::Sum { first, rest } => rest
            .iter()
            .fold(of(first), |sum, (_, _, term)| wider(sum, of(term))),
        ExprKind::Product { first, rest } => {
            rest.iter().fold(of(first), |product, (_, _, factor)| {
                times(product, of(factor))
            })
        }
        ExprKind::Power { base, exponent, .. } => scalar(wider(of(base), of(exponent))),
        ExprKind::Field { base, name } => match text(name).as_str() {
            "origin" => IN_WORLD,
            "rotation" => Signature {
                shape: Shape::Matrix(3, 3),
                ..IN_WORLD
            },
            _ => scalar(of(base)),
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
            let arms = arms.iter().map(|(condition, value)| {
                let sides = wider(of(&condition.left), of(&condition.right));
                wider(of(value), scalar(sides))
            });
            arms.fold(of(otherwise), wider)
        }
        ExprKind::SumOver { body, .. } => of(body),
    }
}

/// What `der` makes of it.
fn moving(signature: Signature) -> Signature {
    let dependence = if signature.dependence.intersects(Dependence::COORDINATE) {
        signature.dependence.union(Dependence::VELOCITY)
    } else {
        signature.dependence
    };
    Signature {
        dependence,
        ..signature
    }
}

fn scalar(signature: Signature) -> Signature {
    Signature {
        shape: Shape::Scalar,
        ..signature
    }
}

/// A scalar; with one index into a matrix a row.
fn element(signature: Signature, indices: usize) -> Signature {
    match (signature.shape, indices) {
        (Shape::Matrix(_, columns), 1) => Signature {
            shape: Shape::Vector(columns),
            ..signature
        },
        _ => scalar(signature),
    }
}

/// Depends on both and has the shape of the one that is no scalar.
fn wider(a: Signature, b: Signature) -> Signature {
    Signature {
        shape: if a.shape == Shape::Scalar {
            b.shape
        } else {
            a.shape
        },
        dependence: a.dependence.union(b.dependence),
    }
}

fn times(a: Signature, b: Signature) -> Signature {
    let shape = match (a.shape, b.shape) {
        (Shape::Matrix(rows, _), Shape::Vector(_)) => Shape::Vector(rows),
        (Shape::Matrix(rows, _), Shape::Matrix(_, columns)) => Shape::Matrix(rows, columns),
        _ => return wider(a, b),
    };
    Signature {
        shape,
        ..wider(a, b)
    }
}

fn list(elements: impl Iterator<Item = Signature>, length: usize) -> Signature {
    let element = elements.fold(CONSTANT, wider);
    let shape = match element.shape {
        Shape::Vector(columns) => Shape::Matrix(length, columns),
        Shape::Scalar | Shape::Matrix(..) => Shape::Vector(length),
    };
    Signature { shape, ..element }
}

fn call(function: &Ident, arguments: impl Iterator<Item = Signature>) -> Signature {
    let all = arguments.fold(CONSTANT, wider);
    let shape = match (text(function).as_str(), all.shape) {
        ("der", _) => return moving(all),
        ("point" | "vector", _) => return wider(IN_WORLD, scalar(all)),
        ("velocity" | "angular_velocity", _) => return moving(IN_WORLD),
        ("cross", Shape::Vector(3)) => Shape::Vector(3),
        ("outer", Shape::Vector(length)) => Shape::Matrix(length, length),
        ("transpose", Shape::Matrix(rows, columns)) => Shape::Matrix(columns, rows),
        _ => Shape::Scalar,
    };
    Signature { shape, ..all }
}
