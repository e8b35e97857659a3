//! The passes over the derived expressions, in order.
//!
//! 1. `flatten`: sums that are used once, by what is computed together, become part of the sum that
//!    uses them, so that terms of dp/dt and dL/dq meet and cancel;
//! 2. `factor`: factors that terms of a sum share are taken out, in two ways, between which each
//!    schedule chooses by its number of operations.
//!
//! Each pass is one loop over the arena, and neither makes an expression longer nor copies a
//! sub-expression that has other uses.

mod factor;
mod flatten;

use crate::{Dynamics, Graph, NodeId};

/// How often `flatten` may find new single uses that cancellation left behind.
const FLATTEN_ROUNDS: usize = 3;

/// Simplifies every derived expression.
pub(crate) fn simplify(dynamics: &mut Dynamics) {
    for _ in 0..FLATTEN_ROUNDS {
        let mut changed = false;
        dynamics.map_groups(|graph, roots| {
            let new = flatten::flatten(graph, roots);
            changed |= new != roots;
            new
        });
        if !changed {
            break;
        }
    }
    let mut factored = Vec::new();
    dynamics.map_roots(|graph, roots| {
        factored = factor::greedy(graph, roots);
        factor::content(graph, roots)
    });
    dynamics.set_alternatives(&factored);
}

/// How often each node is used by the roots and by what they contain, up to the last root.
fn use_counts(graph: &Graph, roots: &[NodeId]) -> Vec<u32> {
    let reached = graph.reachable(roots);
    let mut uses = vec![0_u32; reached.len()];
    for root in roots {
        uses[root.index()] += 1;
    }
    for (index, reached) in reached.iter().enumerate() {
        if *reached {
            let node = graph.node(NodeId(index as u32));
            node.for_each_child(|child| uses[child.index()] += 1);
        }
    }
    uses
}
