//! The counts of one pass over the nodes of an order, each at its position.

use super::order::Order;
use super::sign_placement::negated;
use crate::{Graph, Node, NodeId, Unary};

pub(super) struct Census {
    /// The number of uses of each node.
    pub(super) uses: Box<[u32]>,
    /// The number of uses outside sums.
    pub(super) uses_beyond_sums: Box<[u32]>,
    /// The number of products in which each base is a divisor.
    pub(super) divisors: Box<[u32]>,
    /// Angles whose sine and cosine are both needed.
    pub(super) with_sine_and_cosine: Box<[bool]>,
    /// Places of nodes that are the negatives of others, and these others, in order.
    pub(super) negatives: Vec<(usize, NodeId)>,
}

impl Census {
    pub(super) fn of(graph: &Graph, roots: &[NodeId], order: &Order) -> Self {
        let mut uses = order.table(0_u32);
        let mut uses_beyond_sums = order.table(0_u32);
        let mut divisors = order.table(0_u32);
        let [mut sines, mut with_sine_and_cosine] = [false; 2].map(|none| order.table(none));
        let mut cosines = Vec::new();
        let mut negatives = Vec::new();
        for root in roots {
            let used = order.at(*root);
            uses[used] += 1;
            uses_beyond_sums[used] += 1;
        }
        for (place, id) in order.nodes.iter().enumerate() {
            // By position: this is done for every node of every candidate.
            match graph.node(*id) {
                Node::Sum { terms, .. } => {
                    let mut term = 0;
                    while term < terms.len() {
                        uses[order.at(terms[term].1)] += 1;
                        term += 1;
                    }
                    if terms.len() == 1
                        && let Some(inner) = negated(graph, *id)
                    {
                        negatives.push((place, inner));
                    }
                }
                Node::Product(factors) => {
                    let mut factor = 0;
                    while factor < factors.len() {
                        let used = order.at(factors[factor].0);
                        uses[used] += 1;
                        uses_beyond_sums[used] += 1;
                        if factors[factor].1 < 0 {
                            divisors[used] += 1;
                        }
                        factor += 1;
                    }
                }
                other => {
                    match other {
                        Node::Unary(Unary::Sin, angle) => sines[order.at(*angle)] = true,
                        Node::Unary(Unary::Cos, angle) => cosines.push(order.at(*angle)),
                        _ => {}
                    }
                    other.for_each_child(|child| {
                        let used = order.at(child);
                        uses[used] += 1;
                        uses_beyond_sums[used] += 1;
                    });
                }
            }
        }
        for angle in cosines {
            with_sine_and_cosine[angle] = sines[angle];
        }
        Census {
            uses,
            uses_beyond_sums,
            divisors,
            with_sine_and_cosine,
            negatives,
        }
    }
}
