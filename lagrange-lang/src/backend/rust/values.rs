//! The values of methods as Rust: their types, and their parts, one for each result of the routine.

use std::borrow::Cow;

use lagrange_engine::{Equations, Kernel, Shape, Step};

use super::assembly::{Text, list};
use super::cost_model::MOST_RETURNED;
use crate::methods::{Layout, Size, Value};

/// A struct of the runtime with its sizes, or a tuple without a name: the name of each field and its value.
type Composed = (&'static str, Vec<Size>, Vec<(&'static str, Value)>);

impl Value {
    /// `None` for a scalar, a vector, a matrix or nothing.
    fn decompose(self, layout: &Layout) -> Option<Composed> {
        use Value::{Matrix, Vector};
        let (n, c, k, p) = (Size::N, Size::Constraints, Size::Inputs, Size::Contacts);
        let z = Size::States;
        // The number of states is 0 unless the type names a number.
        let with_states = |sizes: &[Size]| match layout.states {
            0 => sizes.to_vec(),
            _ => [sizes, &[z]].concat(),
        };
        let (a, lambda) = (("acceleration", Vector(n)), ("multipliers", Vector(c)));
        let of = |name, sizes: &[Size], fields: &[_]| Some((name, sizes.to_vec(), fields.to_vec()));
        match self {
            Self::Nothing | Self::Scalar | Vector(_) | Matrix(..) => None,
            Self::Pair(first, second) => {
                of("", &[], &[("0", Vector(first)), ("1", Vector(second))])
            }
            Self::TouchingRows => of("", &[], &[("0", Matrix(c, n)), ("1", Matrix(p, n))]),
            Self::Matrices(size) => of(
                "",
                &[],
                &["0", "1"].map(|index| (index, Matrix(size, size))),
            ),
            Self::DerivativePair(first, second) => {
                let pair = [("0", first), ("1", second)];
                of(
                    "",
                    &[],
                    &pair.map(|(index, rows)| (index, Self::Derivatives(rows))),
                )
            }
            Self::Motion => of("Motion", &[n, c], &[a, lambda]),
            Self::RedundantMotion => of(
                "RedundantMotion",
                &[n, c],
                &[a, lambda, ("rank", Self::Scalar)],
            ),
            Self::ActiveMotion => of(
                "ActiveMotion",
                &[n, c, p],
                &[a, lambda, ("contact_forces", Vector(p))],
            ),
            Self::Impact => {
                let fields = [("velocity", Vector(n)), lambda, ("impulses", Vector(p))];
                of("Impact", &[n, c, p], &fields)
            }
            Self::Vectors(size) => of("[]", &[], &["0", "1"].map(|index| (index, Vector(size)))),
            Self::TwoMatrices(rows, columns) => of(
                "[]",
                &[],
                &["0", "1"].map(|index| (index, Matrix(rows, columns))),
            ),
            // In Rust no routine computes this value.
            Self::Resolved => of("Resolved", &[n, c, p, Size::DryJoints], &[]),
            Self::FrictionTerms => {
                let (of_contacts, m) = (Vector(p), Size::DryJoints);
                let fields = [
                    ("gap_bounds", of_contacts),
                    ("gap_rate_bounds", of_contacts),
                    ("slips", Self::Vectors(p)),
                    ("slip_bounds", Self::Vectors(p)),
                    ("slip_jacobians", Self::TwoMatrices(p, n)),
                    ("slip_gammas", Self::Vectors(p)),
                    ("friction", of_contacts),
                    ("restitution", of_contacts),
                    ("joint_limits", Vector(m)),
                ];
                of("FrictionTerms", &[n, p, m], &fields)
            }
            Self::Derivatives(rows) => {
                let fields = [("q", n), ("v", n), ("z", z), ("u", k)]
                    .map(|(name, columns)| (name, Matrix(rows, columns)));
                of("Derivatives", &with_states(&[rows, n, k]), &fields)
            }
            Self::Linearization => {
                let state = Size::Known(2 * layout.velocities + layout.states);
                let fields = [("a", Matrix(state, state)), ("b", Matrix(state, k))];
                of("Linearization", &[state, k], &fields)
            }
            Self::ReducedLinearization => {
                let degrees = layout.degrees();
                let [half, state] = [degrees, 2 * degrees + layout.states].map(Size::Known);
                let fields = [("a", state, state), ("b", state, k), ("basis", n, half)]
                    .map(|(name, rows, columns)| (name, Matrix(rows, columns)));
                of("ReducedLinearization", &[n, half, state, k], &fields)
            }
            Self::Gradient => {
                let fields = [("q", n), ("v", n), ("z", z), ("u", k)];
                of(
                    "Gradient",
                    &with_states(&[n, k]),
                    &fields.map(|(name, size)| (name, Vector(size))),
                )
            }
            Self::MidpointTerms => {
                let fields = ["momenta", "forces", "momenta_bounds", "forces_bounds"];
                of("MidpointTerms", &[n], &fields.map(|name| (name, Vector(n))))
            }
            Self::Pose => {
                let size = Size::Known(3);
                of(
                    "Pose",
                    &[],
                    &[("origin", Vector(size)), ("rotation", Matrix(size, size))],
                )
            }
        }
    }

    /// Returns whether the value has an entry for each state, and the system has no states. No routine computes such a
    /// value.
    fn is_of_no_states(self, layout: &Layout) -> bool {
        let is_by_state = matches!(
            self,
            Self::Vector(Size::States) | Self::Matrix(_, Size::States)
        );
        is_by_state && layout.states == 0
    }

    /// The path to each part that is a scalar, a vector or a matrix, and its shape.
    pub(crate) fn parts(self, layout: &Layout) -> Vec<(String, Shape)> {
        let shape = match self {
            Self::Vector(size) => Shape::Vector(layout.size(size)),
            Self::Matrix(rows, columns) => Shape::Matrix(layout.size(rows), layout.size(columns)),
            Self::Nothing => Shape::Vector(layout.size(Size::State)),
            _ => Shape::Scalar,
        };
        let Some((name, _, fields)) = self.decompose(layout) else {
            return vec![(String::new(), shape)];
        };
        fields
            .into_iter()
            .filter(|(_, value)| !value.is_of_no_states(layout))
            .flat_map(|(field, value)| {
                value
                    .parts(layout)
                    .into_iter()
                    .map(move |(path, shape)| match name {
                        "[]" => (format!("[{field}]{path}"), shape),
                        _ => (format!(".{field}{path}"), shape),
                    })
            })
            .collect()
    }

    /// Returns whether the value has so many entries that each copy of it counts.
    pub(super) fn is_large(self, layout: &Layout) -> bool {
        let parts = self.parts(layout);
        let entries: usize = parts.iter().map(|(_, shape)| shape.len()).sum();
        entries > MOST_RETURNED
    }

    /// The value of these parts.
    pub(super) fn construct(
        self,
        parts: &mut impl Iterator<Item = String>,
        layout: &Layout,
    ) -> String {
        let Some((name, _, fields)) = self.decompose(layout) else {
            return match self {
                Self::Nothing => "()".to_owned(),
                _ => parts.next().unwrap_or_default(),
            };
        };
        let values = fields.into_iter().map(|(field, value)| {
            let value = match value.is_of_no_states(layout) {
                true => "__rt::SMatrix::zeros()".to_owned(),
                false => value.construct(&mut *parts, layout),
            };
            match name {
                "" | "[]" => value,
                _ => format!("{field}: {value}"),
            }
        });
        let values = list(values.collect::<Vec<String>>());
        match name {
            "" => format!("({values})"),
            "[]" => format!("[{values}]"),
            _ => format!("__rt::{name} {{ {values} }}"),
        }
    }

    /// Writes the type.
    pub(super) fn write(self, layout: &Layout, text: &mut Text) {
        let (name, sizes) = match (self, self.decompose(layout)) {
            (Self::Nothing, _) => return text.push_str("()"),
            (Self::Vector(size), _) => ("SVector", vec![size]),
            (Self::Matrix(rows, columns), _) => ("SMatrix", vec![rows, columns]),
            (_, None) => return text.push_str("S"),
            (_, Some(("", _, fields))) => {
                text.push_str("(");
                for (index, (_, value)) in fields.into_iter().enumerate() {
                    text.push_str(if index > 0 { ", " } else { "" });
                    value.write(layout, text);
                }
                return text.push_str(")");
            }
            (_, Some(("[]", _, fields))) => {
                text.push_str("[");
                if let Some((_, value)) = fields.first() {
                    value.write(layout, text);
                }
                return text.push_str("; 2]");
            }
            (_, Some((name, sizes, _))) => (name, sizes),
        };
        text.push_str("__rt::");
        text.push_str(name);
        text.push_str("<S");
        for size in sizes {
            text.push_number(b", ", layout.size(size));
        }
        text.push_str(">");
    }

    /// `__rt::SVector<S, 2>`, or a `Result` with it.
    pub(super) fn write_return_type(self, fallible: bool, layout: &Layout) -> String {
        let mut text = Text::default();
        if fallible {
            text.push_str("__rt::core::result::Result<");
        }
        self.write(layout, &mut text);
        if fallible {
            text.push_str(", __rt::Error>");
        }
        text.finish()
    }
}

/// The work of steps in addition to their operations.
pub(super) fn in_words(steps: &[Step]) -> Cow<'static, str> {
    let mut words = Vec::new();
    add_words(steps, &mut words);
    let is_by_row = |step: &Step| matches!(step, Step::ForEachRow { .. });
    let factored = match steps.iter().any(|step| find_solution(step).is_some()) {
        true => ", factorization included",
        false => "",
    };
    let substituted = match steps
        .iter()
        .filter_map(find_solution)
        .any(|then| !then.is_empty())
    {
        true => ", and a substitution for each column",
        false => "",
    };
    let each_row = match steps.iter().any(is_by_row) {
        true => " for each row",
        false => "",
    };
    let beyond = match &words[..] {
        [] => String::new(),
        [last] => format!(" beyond those of {last}"),
        [methods @ .., last] => format!(" beyond those of {} and {last}", methods.join(", ")),
    };
    [factored, substituted, each_row, &beyond].concat().into()
}

/// The steps for other columns where the solution of unrolled code is accepted.
fn find_solution(step: &Step) -> Option<&[Step]> {
    match step {
        Step::If { condition, then } if condition.tests_solution() => {
            let is_other = |step: &&Step| matches!(step, Step::Library { .. });
            Some(if then.iter().any(|step| is_other(&step)) {
                then
            } else {
                &[]
            })
        }
        _ => None,
    }
}

/// Names called methods, products and factorizations, each once.
fn add_words(steps: &[Step], words: &mut Vec<String>) {
    for step in steps {
        let word = match step {
            Step::Call { routine, .. } if routine == "private touching_rows" => {
                "the Jacobians".to_owned()
            }
            Step::Call { routine, .. } => format!("`{}`", routine.trim_start_matches("private ")),
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
            Step::Kernel {
                kernel: Kernel::NullSpace(_),
                ..
            } => "a QR factorization of J".to_owned(),
            Step::Kernel {
                kernel: Kernel::Moved | Kernel::Difference,
                ..
            } => "an exponential map or its inverse for each rotation".to_owned(),
            Step::Apart { steps, .. } | Step::Library { steps, .. } => {
                add_words(steps, words);
                continue;
            }
            _ => continue,
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
}
