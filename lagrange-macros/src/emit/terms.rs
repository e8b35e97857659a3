//! The private method behind every acceleration: what the equations of motion are made of and, where
//! that is unrolled, their solution.
//!
//! ```text
//! fn __terms(&self, q, v, u) -> ([S; 3], [S; 2], [S; 2], [S; 2])  // M, f, pivots, a
//! ```

use lagrange_engine::{
    Answer, Dynamics, Factorization, NodeId, Operand, Operations, Schedule, is_singular,
    lower_triangle,
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::Context;
use super::body::Body;
use super::calls::{arguments, call};
use super::functions::Function;
use super::signature::Layout;
use crate::generated::TERMS;

/// The method and how the others read what it returns.
pub(super) struct Terms {
    pub(super) function: Function,
    pub(super) operations: Operations,
    /// Whether the results include the solution.
    pub(super) unrolled: bool,
    /// The locals that the results are bound to, in their order.
    locals: Vec<&'static str>,
}

impl Terms {
    pub(super) fn new(context: &Context) -> Self {
        let layout = &context.skeleton.layout;
        let (schedule, factors) = code(context.dynamics);
        let parts = parts(&schedule, factors.as_ref(), layout);
        Terms {
            operations: schedule.operations(),
            unrolled: factors.is_some(),
            locals: parts.iter().map(|part| part.local).collect(),
            function: Function {
                attributes: quote!(#[inline]),
                visibility: TokenStream::new(),
                docs: words(factors.is_some(), layout).to_owned(),
                name: Ident::new(TERMS, Span::call_site()),
                arguments: arguments(layout),
                returned: returned(&parts),
                real: false,
                body: body(&schedule, &parts, &context.parameters),
            },
        }
    }

    /// `let (__m, __f, __d, __a) = self.__terms(q, v, u);`, with `_` for what is not wanted.
    pub(super) fn binding(&self, layout: &Layout, is_wanted: impl Fn(&str) -> bool) -> String {
        let locals = self.locals.iter();
        let locals = locals.map(|local| if is_wanted(local) { *local } else { "_" });
        let locals: Vec<&str> = locals.collect();
        format!("let ({}) = {};\n", locals.join(", "), call(TERMS, layout))
    }
}

/// The terms and, if it is short and of use, their solution.
fn code(dynamics: &Dynamics) -> (Schedule, Option<Factorization>) {
    let solution = dynamics.schedule_solve();
    match solution.factorization {
        Some(factors) if !begins_in_vain(dynamics) => (solution.schedule, Some(factors)),
        _ => {
            let constraints = &dynamics.constraints;
            let roots = [
                &dynamics.mass_matrix[..],
                &dynamics.forcing,
                &constraints.jacobian,
                &constraints.gamma,
            ];
            (dynamics.schedule(&roots.concat()), None)
        }
    }
}

/// Whether M is singular everywhere, as with a quaternion for the attitude: then no factorization that
/// begins with M gets through, and the runtime's takes every call.
///
/// Either is right where the equations have a solution; this decides only which one is quick.
fn begins_in_vain(dynamics: &Dynamics) -> bool {
    let n = dynamics.coordinate_count();
    let entry = |i: usize, j: usize| dynamics.mass_matrix[lower_triangle(i.max(j), i.min(j))];
    let row = |i| (0..n).map(|j| entry(i, j)).collect();
    let mass_matrix: Vec<Vec<NodeId>> = (0..n).map(row).collect();
    !dynamics.constraints.is_empty() && is_singular(&dynamics.graph, &mass_matrix) == Answer::Yes
}

/// One of the method's results.
struct Part {
    local: &'static str,
    entries: Vec<Operand>,
    /// The length of its rows, if it is a matrix.
    columns: Option<usize>,
}

/// M, f, J, gamma, and of an unrolled solution the pivots, what those of the constraints are measured
/// by, a and lambda. M is its lower triangle, or rows where the runtime is always handed it.
fn parts(schedule: &Schedule, factors: Option<&Factorization>, layout: &Layout) -> Vec<Part> {
    let (n, c) = (layout.coordinates, layout.constraints);
    let (mass, rest) = schedule.roots.split_at(n * (n + 1) / 2);
    let (forcing, rest) = rest.split_at(n);
    let (jacobian, gamma) = rest.split_at(c * n);
    let array = |local, entries: &[Operand]| Part {
        local,
        entries: entries.to_vec(),
        columns: None,
    };
    let mass = match factors {
        Some(_) => array("__m", mass),
        None => Part {
            local: "__m",
            entries: full(mass, n),
            columns: Some(n),
        },
    };
    let mut parts = vec![mass, array("__f", forcing)];
    if c > 0 {
        parts.push(Part {
            columns: Some(n),
            ..array("__j", jacobian)
        });
        parts.push(array("__g", gamma));
    }
    let Some(factors) = factors else { return parts };
    parts.push(array("__d", &factors.pivots));
    if c > 0 {
        parts.push(array("__s", &factors.diagonal[n..]));
    }
    parts.push(array("__a", &factors.solution));
    if c > 0 {
        parts.push(array("__l", &factors.multipliers));
    }
    parts
}

/// A symmetric matrix, row by row, from its lower triangle.
fn full(lower: &[Operand], n: usize) -> Vec<Operand> {
    let indices = (0..n).flat_map(|i| (0..n).map(move |j| lower_triangle(i.max(j), i.min(j))));
    indices.map(|index| lower[index]).collect()
}

fn words(unrolled: bool, layout: &Layout) -> &'static str {
    match (unrolled, layout.constraints > 0) {
        (false, false) => "M by rows and f.",
        (true, false) => "The lower triangle of M, f, the pivots of its factorization and a.",
        (false, true) => "M by rows, f, J by rows and gamma.",
        (true, true) => {
            "The lower triangle of M, f, J by rows, gamma; the pivots of M and of J M^-1 J^T, the \
             diagonal of the latter, a and lambda."
        }
    }
}

fn body(schedule: &Schedule, parts: &[Part], parameters: &[String]) -> String {
    let results: Vec<&[Operand]> = parts.iter().map(|part| &part.entries[..]).collect();
    let mut body = Body::new(schedule, &results, parameters);
    body.push("(");
    for part in parts {
        match part.columns {
            None => body.array(&part.entries),
            Some(columns) => body.rows(&part.entries, columns),
        }
        body.push(", ");
    }
    body.push(")");
    body.finish()
}

/// `([S; 3], [S; 2], ..)`
fn returned(parts: &[Part]) -> TokenStream {
    let types = parts.iter().map(|part| match part.columns {
        None => {
            let length = Literal::usize_unsuffixed(part.entries.len());
            quote!([S; #length])
        }
        Some(columns) => {
            let rows = Literal::usize_unsuffixed(part.entries.len() / columns.max(1));
            let columns = Literal::usize_unsuffixed(columns);
            quote!([[S; #columns]; #rows])
        }
    });
    quote!((#(#types),*))
}
