//! The results of `__terms`, and the refinement step of the solution.

use lagrange_engine::{Correction, Factorization, Operand, Program, Schedule, lower_of};

use super::body::Body;
use super::parts::{Part, Returned};
use super::symbols::Parameters;
use crate::methods::Layout;

/// M, f, J, gamma, unless they are written in place. With an unrolled solution also the pivots, their scales, the
/// residuals and their terms, a and lambda. M is its lower triangle, or full rows if the runtime always receives it.
pub(super) fn parts(
    program: &Program,
    factors: Option<&Factorization>,
    layout: &Layout,
    in_place: bool,
) -> Vec<Returned> {
    let (n, c) = (layout.velocities, layout.constraints);
    let [mass, forcing, jacobian, gamma] = [0, 1, 2, 3].map(|at| program.results(at));
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
pub(super) fn body(
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
    let solved = CORRECTED.map(|corrected| {
        let part = parts.iter().find(|part| part.part == corrected);
        part.map_or(&[][..], |part| &part.entries)
    });
    body.push("let mut __solved = ");
    arrays(&mut body, &solved);
    body.push(";\nif __CORRECTED && !__rt::linalg::met(&__solved.0, &__solved.1) {\n");
    body.follow(schedule, instructions);
    let [judged, sizes] = [Part::Residual, Part::Terms].map(Part::name);
    body.push(&format!("let ({judged}, {sizes}) = "));
    arrays(&mut body, &[residual, terms]);
    body.push(&format!(
        ";\nif __rt::linalg::met(&{judged}, &{sizes}) {{\n__solved = "
    ));
    // Only the equations that were judged before.
    let [residual, terms] = [residual, terms].map(|all| last(all, solved[0].len()));
    arrays(&mut body, &[residual, terms, solution, multipliers]);
    body.push(";\n}\n}\n");
    tuple(&mut body, parts, |part| {
        CORRECTED.iter().position(|corrected| *corrected == part)
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

/// All parts. `place` gives the position in `__solved` of the refined ones.
fn tuple(body: &mut Body<'_>, parts: &[Returned], place: impl Fn(Part) -> Option<usize>) {
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
pub(super) fn returned(parts: &[Returned]) -> String {
    let types = parts.iter().map(Returned::ty);
    format!("({})", types.collect::<Vec<String>>().join(", "))
}
