//! The parts of an unrolled solution that private methods return, and the locals that callers bind them to.

use lagrange_engine::{Correction, Factorization, Operand, Program, Schedule, lower_of};

use super::assembly::{self, list};
use super::body::Body;
use super::symbols::Parameters;
use crate::methods::Layout;

/// One part of the equations, of their solution or of its derivatives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// M.
    Mass,
    /// f.
    Forcing,
    /// J by rows.
    Jacobian,
    /// gamma.
    Gamma,
    /// D of L D L^T.
    Pivots,
    /// The diagonal before the elimination, which pivots are compared with.
    Diagonal,
    /// The residuals of the equations that are tested.
    Residual,
    /// The sizes of the terms of these equations.
    Terms,
    /// a.
    Accelerations,
    /// lambda.
    Multipliers,
}

impl Part {
    /// The local in generated code that holds this part.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Mass => "__m",
            Self::Forcing => "__f",
            Self::Jacobian => "__j",
            Self::Gamma => "__g",
            Self::Pivots => "__d",
            Self::Diagonal => "__s",
            Self::Residual => "__r",
            Self::Terms => "__w",
            Self::Accelerations => "__a",
            Self::Multipliers => "__l",
        }
    }

    /// `__d[from], .., __d[to - 1],`
    pub(super) fn elements(self, range: std::ops::Range<usize>) -> String {
        assembly::elements(self.name(), range)
    }
}

/// A part as a method returns it.
pub(super) struct Returned {
    pub(super) part: Part,
    pub(super) entries: Vec<Operand>,
    /// The length of its rows, if it is a matrix.
    columns: Option<usize>,
}

impl Returned {
    pub(super) fn array(part: Part, entries: &[Operand]) -> Self {
        Self {
            part,
            entries: entries.to_vec(),
            columns: None,
        }
    }

    pub(super) fn matrix(part: Part, entries: &[Operand], columns: usize) -> Self {
        Self {
            columns: Some(columns),
            ..Self::array(part, entries)
        }
    }

    /// `[a, b]`, or `[[a, b], [c, d]]`
    pub(super) fn write(&self, body: &mut Body<'_>) {
        match self.columns {
            None => body.write_array(&self.entries),
            Some(columns) => body.write_rows(&self.entries, columns),
        }
    }

    /// `[S; 2]`, or `[[S; 2]; 2]`
    pub(super) fn write_type(&self) -> String {
        let count = self.entries.len();
        match self.columns {
            None => format!("[S; {count}]"),
            Some(columns) => format!("[[S; {columns}]; {}]", count / columns.max(1)),
        }
    }
}

/// M, f, J, gamma, unless they are written in place. With an unrolled solution also the pivots, their scales, the
/// residuals and their terms, a and lambda. M is the lower triangle, or full rows if the runtime always receives M.
pub(super) fn list_parts(
    program: &Program,
    factors: Option<&Factorization>,
    layout: &Layout,
    in_place: bool,
) -> Vec<Returned> {
    let (n, c) = (layout.velocities, layout.constraints);
    let [mass, forcing, jacobian, gamma] = [0, 1, 2, 3].map(|index| program.results(index));
    let mut parts = Vec::new();
    if !in_place {
        parts.push(match factors {
            Some(_) => Returned::array(Part::Mass, &lower_of(mass, n)),
            None => Returned::matrix(Part::Mass, mass, n),
        });
        parts.push(Returned::array(Part::Forcing, forcing));
    }
    if !in_place && c > 0 {
        parts.push(Returned::matrix(Part::Jacobian, jacobian, n));
        parts.push(Returned::array(Part::Gamma, gamma));
    }
    let Some(factors) = factors else { return parts };
    parts.push(Returned::array(Part::Pivots, &factors.pivots));
    parts.push(Returned::array(Part::Diagonal, &factors.diagonal));
    if c > 0 {
        parts.push(Returned::array(Part::Residual, &factors.residual));
        parts.push(Returned::array(Part::Terms, &factors.terms));
    }
    parts.push(Returned::array(Part::Accelerations, &factors.solution));
    if c > 0 {
        parts.push(Returned::array(Part::Multipliers, &factors.multipliers));
    }
    parts
}

pub(super) fn summarize_results(unrolled: bool, layout: &Layout, in_place: bool) -> String {
    let matrices = match (in_place, unrolled, layout.constraints > 0) {
        (true, _, _) => "",
        (_, false, false) => "M by rows and f.",
        (_, true, false) => "The lower triangle of M and f. ",
        (_, false, true) => "M by rows, f, J by rows and gamma.",
        (_, true, true) => "The lower triangle of M, f, J by rows, gamma. ",
    };
    let solution = match (unrolled, layout.constraints > 0) {
        (false, _) => "",
        (true, false) => "The pivots of M, its diagonal, and a.",
        (true, true) => {
            "The pivots of M and of J M^-1 J^T, their diagonals, the residuals of J a = gamma and the \
             sizes of their terms, a and lambda."
        }
    };
    [matrices, solution].concat()
}

/// The parts that a refinement step replaces.
const CORRECTED: [Part; 4] = [
    Part::Residual,
    Part::Terms,
    Part::Accelerations,
    Part::Multipliers,
];

/// The results, some of which are refined; `is_within` tells whether the caller may check the range of angles.
///
/// ```text
/// let mut __solved = ([..], [..], [..], [..]);
/// if __CORRECTED && !met(&__solved.0, &__solved.1) {
///     ..
///     if met(&[..], &[..]) { __solved = ([..], [..], [..], [..]); }
/// }
/// ([..], __solved.0, ..)
/// ```
pub(super) fn write_terms_body(
    schedule: &Schedule,
    parts: &[Returned],
    correction: Option<&Correction>,
    is_within: bool,
    parameters: &Parameters,
) -> String {
    let mut results: Vec<&[Operand]> = parts.iter().map(|part| &part.entries[..]).collect();
    let Some(correction) = correction else {
        let mut body = if is_within {
            Body::within(schedule, &results, parameters)
        } else {
            Body::new(schedule, &results, parameters)
        };
        write_tuple(&mut body, parts, |_| None);
        return body.finish();
    };
    let Correction {
        instructions,
        solution,
        multipliers,
        residual,
        terms,
    } = correction;
    results.extend([&solution[..], multipliers, residual, terms]);
    let mut body = Body::followed(schedule, instructions, &results, parameters);
    let solved = CORRECTED.map(|corrected| {
        let part = parts.iter().find(|part| part.part == corrected);
        part.map_or(&[][..], |part| &part.entries)
    });
    body.push("let mut __solved = ");
    write_arrays(&mut body, &solved);
    body.push(";\nif __CORRECTED && !__rt::linalg::met(&__solved.0, &__solved.1) {\n");
    body.follow(schedule, instructions);
    let names = [Part::Residual, Part::Terms].map(Part::name);
    body.push(&format!("let ({}, {}) = ", names[0], names[1]));
    write_arrays(&mut body, &[residual, terms]);
    body.push(&format!(
        ";\nif __rt::linalg::met(&{}, &{}) {{\n__solved = ",
        names[0], names[1]
    ));
    // Only the equations that were tested before.
    let [residual, terms] = [residual, terms].map(|entries| last_entries(entries, solved[0].len()));
    write_arrays(&mut body, &[residual, terms, solution, multipliers]);
    body.push(";\n}\n}\n");
    write_tuple(&mut body, parts, |part| {
        CORRECTED.iter().position(|corrected| *corrected == part)
    });
    body.finish()
}

pub(super) fn last_entries<T>(entries: &[T], count: usize) -> &[T] {
    &entries[entries.len().saturating_sub(count)..]
}

/// `([a, b], [c, d])`
fn write_arrays(body: &mut Body<'_>, arrays: &[&[Operand]]) {
    body.push("(");
    for entries in arrays {
        body.write_array(entries);
        body.push(", ");
    }
    body.push(")");
}

/// All parts. `place` gives the position of each refined part in `__solved`.
fn write_tuple(body: &mut Body<'_>, parts: &[Returned], place: impl Fn(Part) -> Option<usize>) {
    body.push("(");
    for part in parts {
        match place(part.part) {
            Some(place) => body.push(&format!("__solved.{place}")),
            None => part.write(body),
        }
        body.push(", ");
    }
    body.push(")");
}

/// `([S; 3], [S; 2], ..)`
pub(super) fn write_return_type(parts: &[Returned]) -> String {
    format!("({})", list(parts.iter().map(Returned::write_type)))
}
