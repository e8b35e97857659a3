//! The values of methods, part by part: one part for each result of the routine.

use std::borrow::Cow;

use lagrange_engine::{Equations, Kernel, Shape, Step};

use crate::methods::{Layout, METHODS, Row, Size, Value};

impl Value {
    /// The text of the value, with `@` for each part, and the path to each part with its shape.
    fn fields(self, layout: &Layout) -> (&'static str, Vec<(&'static str, Shape)>) {
        let vector = |size| Shape::Vector(layout.size(size));
        let matrix = |rows, columns| Shape::Matrix(layout.size(rows), layout.size(columns));
        let (n, c, k, p) = (Size::N, Size::Constraints, Size::Inputs, Size::Contacts);
        match self {
            Self::Nothing => ("()", vec![("", vector(Size::State))]),
            Self::Scalar => ("@", vec![("", Shape::Scalar)]),
            Self::Vector(size) => ("@", vec![("", vector(size))]),
            Self::Matrix(rows, columns) => ("@", vec![("", matrix(rows, columns))]),
            Self::Pair(first, second) => (
                "(@, @)",
                vec![(".0", vector(first)), (".1", vector(second))],
            ),
            Self::Matrices(size) => (
                "(@, @)",
                vec![(".0", matrix(size, size)), (".1", matrix(size, size))],
            ),
            Self::Motion | Self::RedundantMotion => (
                "__rt::Motion { acceleration: @, multipliers: @ }",
                vec![(".acceleration", vector(n)), (".multipliers", vector(c))],
            ),
            Self::ActiveMotion => (
                "__rt::ActiveMotion { acceleration: @, multipliers: @, contact_forces: @ }",
                vec![
                    (".acceleration", vector(n)),
                    (".multipliers", vector(c)),
                    (".contact_forces", vector(p)),
                ],
            ),
            Self::Impact => (
                "__rt::Impact { velocity: @, multipliers: @, impulses: @ }",
                vec![
                    (".velocity", vector(n)),
                    (".multipliers", vector(c)),
                    (".impulses", vector(p)),
                ],
            ),
            Self::Derivatives(rows) => (
                "__rt::Derivatives { q: @, v: @, u: @ }",
                vec![
                    (".q", matrix(rows, n)),
                    (".v", matrix(rows, n)),
                    (".u", matrix(rows, k)),
                ],
            ),
            Self::DerivativePair(first, second) => (
                "(__rt::Derivatives { q: @, v: @, u: @ }, __rt::Derivatives { q: @, v: @, u: @ })",
                vec![
                    (".0.q", matrix(first, n)),
                    (".0.v", matrix(first, n)),
                    (".0.u", matrix(first, k)),
                    (".1.q", matrix(second, n)),
                    (".1.v", matrix(second, n)),
                    (".1.u", matrix(second, k)),
                ],
            ),
            Self::Linearization => {
                let state = Size::Known(2 * layout.velocities);
                let parts = vec![(".a", matrix(state, state)), (".b", matrix(state, k))];
                ("__rt::Linearization { a: @, b: @ }", parts)
            }
            Self::ReducedLinearization => {
                let degrees = layout.degrees();
                let [half, state] = [degrees, 2 * degrees].map(Size::Known);
                let matrices = [(".a", state, state), (".b", state, k), (".basis", n, half)];
                let parts = matrices.map(|(path, rows, columns)| (path, matrix(rows, columns)));
                (
                    "__rt::ReducedLinearization { a: @, b: @, basis: @ }",
                    parts.to_vec(),
                )
            }
            Self::Gradient => (
                "__rt::Gradient { q: @, v: @, u: @ }",
                vec![(".q", vector(n)), (".v", vector(n)), (".u", vector(k))],
            ),
            Self::MidpointTerms => (
                "__rt::MidpointTerms { momenta: @, forces: @, momenta_bounds: @, forces_bounds: @ }",
                [".momenta", ".forces", ".momenta_bounds", ".forces_bounds"]
                    .map(|path| (path, vector(n)))
                    .to_vec(),
            ),
            // Only outputs are poses.
            Self::Pose => ("@", Vec::new()),
        }
    }

    /// The path to each part, and its shape.
    pub(super) fn parts(self, layout: &Layout) -> Vec<(&'static str, Shape)> {
        self.fields(layout).1
    }

    /// The value of these parts.
    pub(super) fn constructed(self, parts: &[String], layout: &Layout) -> String {
        let mut pieces = self.fields(layout).0.split('@');
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for (piece, part) in pieces.zip(parts) {
            text += part;
            text += piece;
        }
        text
    }
}

/// The method that a step calls by the name of a routine.
pub(super) fn called_method(routine: &str) -> Option<&'static Row> {
    let name = routine.trim_start_matches("private ");
    METHODS.iter().find(|row| row.name() == name)
}

/// The work of steps in addition to their operations.
pub(super) fn in_words(steps: &[Step]) -> Cow<'static, str> {
    let (mut words, mut each_row) = (Vec::<String>::new(), "");
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
            Step::ForEachRow { .. } => {
                each_row = " for each row";
                continue;
            }
            _ => continue,
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let last = words.pop();
    let beyond = match (last, &words[..]) {
        (None, _) => String::new(),
        (Some(last), []) => format!(" beyond those of {last}"),
        (Some(last), others) => format!(" beyond those of {} and {last}", others.join(", ")),
    };
    (each_row.to_owned() + &beyond).into()
}
