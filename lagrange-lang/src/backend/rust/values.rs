//! The values of methods, part by part: one part for each result of the routine.

use std::borrow::Cow;

use lagrange_engine::{Equations, Kernel, Shape, Step};

use super::assembly::list;
use crate::methods::{Layout, METHODS, Row, Size, Value};

impl Value {
    /// The path to each part, and its shape.
    pub(super) fn parts(self, layout: &Layout) -> Vec<(&'static str, Shape)> {
        let vector = |size| Shape::Vector(layout.size(size));
        let matrix = |rows, columns| Shape::Matrix(layout.size(rows), layout.size(columns));
        let (n, c) = (Size::N, Size::Constraints);
        match self {
            Self::Scalar => vec![("", Shape::Scalar)],
            Self::Vector(size) => vec![("", vector(size))],
            Self::Matrix(rows, columns) => vec![("", matrix(rows, columns))],
            Self::Pair(first, second) => vec![(".0", vector(first)), (".1", vector(second))],
            Self::Motion | Self::RedundantMotion => {
                vec![(".acceleration", vector(n)), (".multipliers", vector(c))]
            }
            _ => Vec::new(),
        }
    }

    /// The value of these parts.
    pub(super) fn constructed(self, parts: &[String]) -> String {
        match (self, parts) {
            (Self::Motion, [a, lambda]) => {
                format!("__rt::Motion {{ acceleration: {a}, multipliers: {lambda} }}")
            }
            (_, [part]) => part.clone(),
            (_, parts) => format!("({})", list(parts.iter().cloned())),
        }
    }
}

/// The method that a step calls by the name of a routine.
pub(super) fn called_method(routine: &str) -> Option<&'static Row> {
    METHODS.iter().find(|row| row.name() == routine)
}

/// The work of steps in addition to their operations.
pub(super) fn in_words(steps: &[Step]) -> Cow<'static, str> {
    let mut words: Vec<String> = Vec::new();
    for step in steps {
        let word = match step {
            Step::Call { routine, .. } => format!("`{routine}`"),
            Step::Kernel {
                kernel: Kernel::Solve(Equations::Regular),
                ..
            } => "a factorization of M".to_owned(),
            Step::Multiply { left, right, .. } => {
                let words = match (left.rows, right.columns) {
                    (1, 1) => "vectors",
                    (1, _) | (_, 1) => "matrix and vector",
                    _ => "matrices",
                };
                format!("a product of {words}")
            }
            _ => continue,
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let last = words.pop();
    match (last, &words[..]) {
        (None, _) => Cow::Borrowed(""),
        (Some(last), []) => format!(" beyond those of {last}").into(),
        (Some(last), others) => format!(" beyond those of {} and {last}", others.join(", ")).into(),
    }
}
