//! The passes over the expressions of one program, in order.
//!
//! 1. `flatten`: sums that are used once become part of the sum that uses them, so that terms of dp/dt and dL/dq can
//!    cancel;
//! 2. `factor`: common factors of terms of a sum are taken out, in several ways; a program chooses among them by its
//!    number of operations;
//! 3. `distribute`: in the shortest programs factors go back into a sum if that makes them shorter.
//!
//! Each pass is one loop over the arena. No pass makes an expression longer or copies a subexpression that has other
//! uses.

mod distribute;
mod factor;
mod flatten;
mod readable;

use crate::codegen::cost_model::{FLATTENING_ROUNDS, MOST_FACTORED_IN_WAYS, MOST_SIMPLIFIED_TWICE};
use crate::{Graph, NodeId};
pub(crate) use distribute::{distributable, distributed};
pub(crate) use factor::Factored;
pub(crate) use readable::readable;

/// The same expressions simplified in several ways: factored in each, and for few expressions also without flattening,
/// which may split shared parts.
pub(crate) fn simplify(
    graph: &mut Graph,
    known: &mut Factored,
    roots: &[NodeId],
) -> Vec<Vec<NodeId>> {
    let count = graph.cone(roots).len();
    let flat = flattened(graph, roots);
    let mut variants: Vec<Vec<NodeId>> = Vec::new();
    let mut factor = |roots: &[NodeId]| {
        for method in [factor::factor_greedily, factor::factor_content] {
            variants.push(method(graph, known, roots));
        }
        if count <= MOST_FACTORED_IN_WAYS {
            variants.push(factor::factor_outside(graph, known, roots));
        }
    };
    factor(&flat);
    if count <= MOST_SIMPLIFIED_TWICE && flat != roots {
        factor(roots);
    }
    if count <= MOST_FACTORED_IN_WAYS {
        variants.push(factor::factor_thoroughly(graph, known, &flat));
    }
    variants
}

/// The way that leaves shared products whole.
pub(crate) fn simplified(graph: &mut Graph, known: &mut Factored, roots: &[NodeId]) -> Vec<NodeId> {
    let flat = flattened(graph, roots);
    factor::factor_content(graph, known, &flat)
}

/// The way that takes out all common factors.
pub(crate) fn factored(graph: &mut Graph, known: &mut Factored, roots: &[NodeId]) -> Vec<NodeId> {
    let flat = flattened(graph, roots);
    factor::factor_greedily(graph, known, &flat)
}

/// The expressions with sums that are used once as parts of those that use them.
pub(crate) fn flattened(graph: &mut Graph, roots: &[NodeId]) -> Vec<NodeId> {
    let mut flat = roots.to_vec();
    for _ in 0..FLATTENING_ROUNDS {
        let new = flatten::flatten(graph, &flat);
        if new == flat {
            break;
        }
        flat = new;
    }
    flat
}
