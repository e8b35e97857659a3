//! The passes over expressions that one program computes together, in order.
//!
//! 1. `flatten`: sums that are used once become part of the sum that uses them, so that terms of dp/dt
//!    and dL/dq meet and cancel;
//! 2. `factor`: factors that terms of a sum share are taken out, in several ways, between which a program
//!    chooses by its number of operations;
//! 3. `distribute`: in the shortest programs factors go back into a sum where that makes them shorter.
//!
//! Each pass is one loop over the arena, and neither makes an expression longer nor copies a
//! sub-expression that has other uses.

mod distribute;
mod factor;
mod flatten;
mod readable;

use crate::cost_model::{FLATTENING_ROUNDS, MOST_FACTORED_IN_WAYS, MOST_SIMPLIFIED_TWICE};
use crate::{Graph, NodeId};
pub(crate) use distribute::{distributable, distributed};
pub(crate) use factor::Factored;
pub(crate) use readable::readable;

/// The same expressions simplified in several ways: factored in each, and where they are not many also
/// without flattening, which may take apart what is better left whole.
pub(crate) fn simplify(
    graph: &mut Graph,
    known: &mut Factored,
    roots: &[NodeId],
) -> Vec<Vec<NodeId>> {
    let count = graph.cone(roots).len();
    let flat = flattened(graph, roots);
    let mut ways: Vec<Vec<NodeId>> = Vec::new();
    let mut factor = |roots: &[NodeId]| {
        for way in [factor::greedy, factor::content] {
            ways.push(way(graph, known, roots));
        }
        if count <= MOST_FACTORED_IN_WAYS {
            ways.push(factor::outer(graph, known, roots));
        }
    };
    factor(&flat);
    if count <= MOST_SIMPLIFIED_TWICE && flat != roots {
        factor(roots);
    }
    if count <= MOST_FACTORED_IN_WAYS {
        ways.push(factor::thorough(graph, known, &flat));
    }
    ways
}

/// The way that leaves shared products whole.
pub(crate) fn simplified(graph: &mut Graph, known: &mut Factored, roots: &[NodeId]) -> Vec<NodeId> {
    let flat = flattened(graph, roots);
    factor::content(graph, known, &flat)
}

/// The way that takes out what it can.
pub(crate) fn factored(graph: &mut Graph, known: &mut Factored, roots: &[NodeId]) -> Vec<NodeId> {
    let flat = flattened(graph, roots);
    factor::greedy(graph, known, &flat)
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
