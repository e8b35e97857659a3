//! The nodes to compute, children before their parents, and the position of each in this order: side tables are as long
//! as the code, not as the graph.

use crate::{Graph, NodeId};

/// All nodes that some roots contain.
pub(super) struct Order {
    pub(super) nodes: Vec<NodeId>,
    /// For each node up to the last of them its position plus 1; 0 if it is not among them.
    places: Box<[u32]>,
}

impl Order {
    /// Depth first, in the order of the roots and of the children.
    pub(super) fn new(graph: &Graph, roots: &[NodeId]) -> Self {
        let mut nodes = Vec::new();
        let last = roots.iter().map(|root| root.index() + 1).max();
        let mut places: Box<[u32]> = vec![0; last.unwrap_or(0)].into_boxed_slice();
        // A node is pushed once to be opened, and once more to be closed after its children.
        let mut stack: Vec<(NodeId, bool)> =
            roots.iter().rev().map(|root| (*root, false)).collect();
        while let Some((id, opened)) = stack.pop() {
            if opened {
                nodes.push(id);
                places[id.0 as usize] = nodes.len() as u32;
            } else if places[id.0 as usize] == 0 {
                places[id.0 as usize] = u32::MAX;
                stack.push((id, true));
                let mut first = stack.len();
                graph.node(id).for_each_child(|child| {
                    if places[child.0 as usize] == 0 {
                        stack.push((child, false));
                    }
                });
                // By positions: without optimisation `reverse` takes many steps for few elements.
                let open = &mut stack[..];
                let mut last = open.len();
                while first + 1 < last {
                    last -= 1;
                    (open[first], open[last]) = (open[last], open[first]);
                    first += 1;
                }
            }
        }
        Self { nodes, places }
    }

    /// The position of a node that is among them.
    pub(super) fn at(&self, id: NodeId) -> usize {
        self.places[id.0 as usize] as usize - 1
    }

    /// A value for each.
    pub(super) fn table<T: Copy>(&self, value: T) -> Box<[T]> {
        vec![value; self.nodes.len()].into_boxed_slice()
    }
}
