//! What `__terms` returns, and the correction of the solution among it.

use lagrange_engine::{Correction, Factorization, Operand, Program, Schedule, lower_of};

use super::body::Body;
use super::symbols::Parameters;
use crate::methods::Layout;

/// One of the method's results.
pub(super) struct Part {
    pub(super) local: &'static str,
    entries: Vec<Operand>,
    /// The length of its rows, if it is a matrix.
    columns: Option<usize>,
}

/// M, f, J, gamma, unless they are written in place; and of an unrolled solution the pivots, what they are
/// measured by, the residuals and their terms, the entries of L D, the weights W, a and lambda. M is its lower
/// triangle, or rows where the runtime is always handed it.
pub(super) fn parts(
    program: &Program,
    factors: Option<&Factorization>,
    layout: &Layout,
    in_place: bool,
) -> Vec<Part> {
    let (n, c) = (layout.velocities, layout.constraints);
    let [mass, forcing, jacobian, gamma] = [0, 1, 2, 3].map(|at| program.results(at));
    let array = |local, entries: &[Operand]| Part {
        local,
        entries: entries.to_vec(),
        columns: None,
    };
    let mut parts = Vec::new();
    if !in_place {
        parts.push(match factors {
            Some(_) => array("__m", &lower_of(mass, n)),
            None => Part {
                columns: Some(n),
                ..array("__m", mass)
            },
        });
        parts.push(array("__f", forcing));
    }
    if !in_place && c > 0 {
        parts.push(Part {
            columns: Some(n),
            ..array("__j", jacobian)
        });
        parts.push(array("__g", gamma));
    }
    let Some(factors) = factors else { return parts };
    parts.push(array("__d", &factors.pivots));
    parts.push(array("__s", &factors.diagonal));
    if c > 0 {
        parts.push(array("__r", &factors.residual));
        parts.push(array("__w", &factors.terms));
        let lower: Vec<Operand> = factors.lower.iter().map(|entry| entry.value).collect();
        parts.push(array("__n", &lower));
        parts.push(array("__e", &factors.weights));
    }
    parts.push(array("__a", &factors.solution));
    if c > 0 {
        parts.push(array("__l", &factors.multipliers));
    }
    parts
}

pub(super) fn words(unrolled: bool, layout: &Layout, in_place: bool) -> String {
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
            "The pivots of M and of J M^-1 J^T, their diagonals, what a leaves of J a = gamma and the \
             size of the terms, the entries of L D, the weights W, a and lambda."
        }
    };
    [matrices, solution].concat()
}

/// What a correction replaces.
const CORRECTED: [&str; 4] = ["__r", "__w", "__a", "__l"];

/// The results, of which some are corrected; `is_within` tells whether angles may be looked at elsewhere.
///
/// ```text
/// let mut __solved = ([..], [..], [..], [..]);
/// if __CORRECTED && !met(&__solved.0, &__solved.1) {
///     ..
///     if met(&[..], &[..]) { __solved = ([..], [..], [..], [..]); }
/// }
/// ([..], __solved.0, ..)
/// ```
pub(super) fn body(
    schedule: &Schedule,
    parts: &[Part],
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
        tuple(&mut body, parts, |_| None);
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
    let solved = CORRECTED.map(|local| {
        let part = parts.iter().find(|part| part.local == local);
        part.map_or(&[][..], |part| &part.entries)
    });
    body.push("let mut __solved = ");
    arrays(&mut body, &solved);
    body.push(";\nif __CORRECTED && !__rt::linalg::met(&__solved.0, &__solved.1) {\n");
    body.follow(schedule, instructions);
    body.push("let (__r, __w) = ");
    arrays(&mut body, &[residual, terms]);
    body.push(";\nif __rt::linalg::met(&__r, &__w) {\n__solved = ");
    // Of the equations that were judged before.
    let [residual, terms] = [residual, terms].map(|all| last(all, solved[0].len()));
    arrays(&mut body, &[residual, terms, solution, multipliers]);
    body.push(";\n}\n}\n");
    tuple(&mut body, parts, |local| {
        CORRECTED.iter().position(|name| *name == local)
    });
    body.finish()
}

fn last<T>(entries: &[T], count: usize) -> &[T] {
    &entries[entries.len().saturating_sub(count)..]
}

/// `([a, b], [c, d])`
fn arrays(body: &mut Body<'_>, all: &[&[Operand]]) {
    body.push("(");
    for entries in all {
        body.array(entries);
        body.push(", ");
    }
    body.push(")");
}

/// All parts; of some their place in `__solved` is known.
fn tuple(body: &mut Body<'_>, parts: &[Part], place: impl Fn(&str) -> Option<usize>) {
    body.push("(");
    for part in parts {
        match (place(part.local), part.columns) {
            (Some(place), _) => body.push(&format!("__solved.{place}")),
            (None, None) => body.array(&part.entries),
            (None, Some(columns)) => body.rows(&part.entries, columns),
        }
        body.push(", ");
    }
    body.push(")");
}

/// `([S; 3], [S; 2], ..)`
pub(super) fn returned(parts: &[Part]) -> String {
    let types = parts.iter().map(|part| match part.columns {
        None => format!("[S; {}]", part.entries.len()),
        Some(columns) => format!("[[S; {columns}]; {}]", part.entries.len() / columns.max(1)),
    });
    format!("({})", types.collect::<Vec<String>>().join(", "))
}
