//! The nodes of roots, as lists: the cost of a pass over them depends on their number, and hardly on the size of the
//! graph.

use super::{Graph, Node};
use crate::NodeId;

impl Graph {
    /// The nodes that the roots contain, children before their parents.
    pub(crate) fn cone(&self, roots: &[NodeId]) -> Vec<NodeId> {
        self.cone_beyond(roots, &Renaming::default())
    }

    /// The same without nodes that have a new name, and without nodes that only these contain.
    pub(crate) fn cone_beyond(&self, roots: &[NodeId], known: &Renaming) -> Vec<NodeId> {
        let mut count = 0;
        let words = self.visit(roots, known, |_| count += 1);
        list_members(&words, count)
    }

    /// Calls `visit` once for each node that the roots contain.
    pub(crate) fn for_each_in_cone(&self, roots: &[NodeId], visit: impl FnMut(&Node)) {
        self.visit(roots, &Renaming::default(), visit);
    }

    /// Calls `visit` for each node of a cone, whose set is returned.
    ///
    /// From the last root downwards, over the words of a bit set: children have smaller ids.
    fn visit(&self, roots: &[NodeId], known: &Renaming, mut visit: impl FnMut(&Node)) -> Vec<u64> {
        let last = roots.iter().map(|root| root.index()).max();
        let mut set = vec![0; last.map_or(0, |last| last / 64 + 1)];
        let words = &mut set[..];
        let names = &known.0[..];
        for root in roots {
            mark(words, *root, names);
        }
        let nodes = &self.nodes.all;
        let mut word = words.len();
        while word > 0 {
            word -= 1;
            let mut below = u64::MAX;
            loop {
                let open = words[word] & below;
                if open == 0 {
                    break;
                }
                let bit = 63 - open.leading_zeros();
                below = (1_u64 << bit) - 1;
                let node = &nodes[word * 64 + bit as usize];
                visit(node);
                // Written out for nodes with many children: without optimisation each child would be a call.
                match node {
                    Node::Sum { terms, .. } => {
                        let mut term = 0;
                        while term < terms.len() {
                            mark(words, terms[term].1, names);
                            term += 1;
                        }
                    }
                    Node::Product(factors) => {
                        let mut factor = 0;
                        while factor < factors.len() {
                            mark(words, factors[factor].0, names);
                            factor += 1;
                        }
                    }
                    other => other.for_each_child(|child| mark(words, child, names)),
                }
            }
        }
        set
    }

    /// The number of uses of each node in the roots and their nodes, given the cone of these roots.
    pub(crate) fn uses_within(&self, roots: &[NodeId], cone: &[NodeId]) -> Vec<u32> {
        let mut uses: Vec<u32> = vec![0; room(cone)];
        let uses_of = &mut uses[..];
        for root in roots {
            uses_of[root.0 as usize] += 1;
        }
        let nodes = &self.nodes.all;
        for id in cone {
            nodes[id.0 as usize].for_each_child(|child| uses_of[child.0 as usize] += 1);
        }
        uses
    }
}

/// The members of a bit set in ascending order, given their number.
fn list_members(words: &[u64], count: usize) -> Vec<NodeId> {
    let mut list = vec![NodeId(0); count];
    let members = &mut list[..];
    let (mut word, mut next) = (0, 0);
    while word < words.len() {
        let mut remaining_bits = words[word];
        while remaining_bits != 0 {
            members[next] = NodeId(word as u32 * 64 + remaining_bits.trailing_zeros());
            next += 1;
            remaining_bits &= remaining_bits - 1;
        }
        word += 1;
    }
    list
}

/// A cone with the position of each of its nodes: side tables are as long as the cone, not as the graph.
pub(crate) struct Members {
    /// Children before their parents.
    pub(crate) nodes: Vec<NodeId>,
    places: Vec<u32>,
}

impl Members {
    pub(crate) fn of(graph: &Graph, roots: &[NodeId]) -> Self {
        let nodes = graph.cone(roots);
        let mut places: Vec<u32> = vec![0; room(&nodes)];
        let places_of = &mut places[..];
        for (place, id) in nodes.iter().enumerate() {
            places_of[id.0 as usize] = place as u32;
        }
        Members { nodes, places }
    }

    /// The position of a node.
    pub(crate) fn at(&self, id: NodeId) -> usize {
        self.places[id.0 as usize] as usize
    }
}

/// The length of a table indexed by the ids of a cone.
pub(crate) fn room(cone: &[NodeId]) -> usize {
    cone.last().map_or(0, |last| last.index() + 1)
}

/// `names` has the new names of nodes.
fn mark(words: &mut [u64], id: NodeId, names: &[u32]) {
    let index = id.0 as usize;
    if index >= names.len() || names[index] == 0 {
        words[index >> 6] |= 1 << (index & 63);
    }
}

/// The replacements of nodes; a node that is not listed is unchanged.
#[derive(Clone, Default, Debug)]
pub(crate) struct Renaming(
    /// The new ids plus 1; 0 for none.
    Vec<u32>,
);

impl Renaming {
    /// An empty renaming with space for a cone.
    pub(crate) fn of(cone: &[NodeId]) -> Self {
        Self(vec![0; room(cone)])
    }

    /// Makes space for the nodes of a cone.
    pub(crate) fn make_room(&mut self, cone: &[NodeId]) {
        let len = room(cone);
        if len > self.0.len() {
            // Blocks of zeros and one copy; `resize` would write them one by one.
            let mut wider = vec![0; len.max(self.0.len() * 2)];
            wider[..self.0.len()].copy_from_slice(&self.0);
            self.0 = wider;
        }
    }

    pub(crate) fn set(&mut self, id: NodeId, new: NodeId) {
        self.0[id.0 as usize] = new.0 + 1;
    }

    pub(crate) fn forget(&mut self, id: NodeId) {
        self.0[id.0 as usize] = 0;
    }

    pub(crate) fn has(&self, id: NodeId) -> bool {
        let names = &self.0[..];
        let index = id.0 as usize;
        index < names.len() && names[index] != 0
    }

    /// The new name, if there is one.
    pub(crate) fn known(&self, id: NodeId) -> Option<NodeId> {
        self.has(id).then(|| self.get(id))
    }

    pub(crate) fn get(&self, id: NodeId) -> NodeId {
        let names = &self.0[..];
        let index = id.0 as usize;
        if index < names.len() && names[index] != 0 {
            NodeId(names[index] - 1)
        } else {
            id
        }
    }

    pub(crate) fn all(&self, ids: &[NodeId]) -> Vec<NodeId> {
        ids.iter().map(|id| self.get(*id)).collect()
    }
}
