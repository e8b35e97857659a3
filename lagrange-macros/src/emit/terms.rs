//! The private method behind every acceleration: what the equations of motion are made of and, where
//! that is unrolled, their solution.
//!
//! ```text
//! fn __terms(&self, q, v, u) -> ([S; 3], [S; 2], [S; 2], [S; 2])  // M, f, pivots, a
//! ```

use lagrange_engine::{
    Answer, Dynamics, Factorization, NodeId, Operand, Operations, Program, Quantity, Schedule,
    SolveProgram, is_singular, lower_of,
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
        let (program, factors) = code(context.dynamics);
        let parts = parts(&program, factors.as_ref(), layout);
        Terms {
            operations: program.operations(),
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
                body: body(&program.schedule, &parts, &context.parameters).into(),
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
fn code(dynamics: &Dynamics) -> (Program, Option<Factorization>) {
    if begins_in_vain(dynamics) {
        return (dynamics.program(&SolveProgram::TERMS), None);
    }
    let solution = dynamics.solve_program();
    match solution.factorization {
        Some(factors) => (solution.terms, Some(factors)),
        None => (dynamics.program(&SolveProgram::TERMS), None),
    }
}

/// Whether M is singular everywhere, as with a quaternion for the attitude: then no factorization that
/// begins with M gets through, and the runtime's takes every call.
///
/// Either is right where the equations have a solution; this decides only which one is quick.
fn begins_in_vain(dynamics: &Dynamics) -> bool {
    let sizes = dynamics.sizes();
    if sizes.constraints == 0 {
        return false;
    }
    let mass_matrix = dynamics.expressions(Quantity::MassMatrix);
    let rows = mass_matrix.chunks(sizes.velocities.max(1));
    let rows: Vec<Vec<NodeId>> = rows.map(<[NodeId]>::to_vec).collect();
    is_singular(&dynamics.graph(), &rows) == Answer::Yes
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
fn parts(program: &Program, factors: Option<&Factorization>, layout: &Layout) -> Vec<Part> {
    let (n, c) = (layout.velocities, layout.constraints);
    let [mass, forcing, jacobian, gamma] = [0, 1, 2, 3].map(|at| program.results(at));
    let array = |local, entries: &[Operand]| Part {
        local,
        entries: entries.to_vec(),
        columns: None,
    };
    let mass = match factors {
        Some(_) => array("__m", &lower_of(mass, n)),
        None => Part {
            local: "__m",
            entries: mass.to_vec(),
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
