//! Earlier lengths of a graph, and copies of parts of it.

use super::intern::Table;
use super::{Graph, Node, Renaming};
use crate::NodeId;

/// An earlier length of a graph.
#[derive(Clone, Debug)]
pub(crate) struct GraphMark {
    len: usize,
    table: Table,
    curves: usize,
}

impl Graph {
    /// The present length.
    pub(crate) fn mark(&self) -> GraphMark {
        GraphMark {
            len: self.len(),
            table: self.table.clone(),
            curves: self.curves.len(),
        }
    }

    /// Removes the nodes that were added since this graph had an earlier length.
    pub(crate) fn restore(&mut self, mark: &GraphMark) {
        self.nodes.truncate(mark.len);
        self.dependence.truncate(mark.len);
        self.table.clone_from(&mark.table);
        self.curves.truncate(mark.curves);
        self.squares.retain(|root, _| root.index() < mark.len);
    }

    /// A graph of the first nodes alone.
    pub(crate) fn first(&self, len: usize) -> Self {
        let mut first = Self {
            rotations: self.rotations.clone(),
            curves: self.curves.clone(),
            ..Self::default()
        };
        for id in self.since(0).take(len) {
            first.intern(self.node(id).clone());
        }
        let is_among = |(id, _): &(&NodeId, &NodeId)| id.index() < len;
        let squares = self.squares.iter().filter(is_among);
        first.squares = squares.map(|(id, square)| (*id, *square)).collect();
        first
    }

    /// A graph of these roots alone, with its roots. The order of the nodes stays.
    pub(crate) fn part(&self, roots: &[NodeId]) -> (Self, Vec<NodeId>) {
        let cone = self.cone(roots);
        let mut part = Self {
            rotations: self.rotations.clone(),
            curves: self.curves.clone(),
            ..Self::default()
        };
        let mut new = Renaming::of(&cone);
        for id in &cone {
            let mut node = self.node(*id).clone();
            node.rename(&new);
            let copy = part.intern(node);
            new.set(*id, copy);
        }
        let square = |id: &NodeId| Some((new.get(*id), new.known(*self.squares.get(id)?)?));
        part.squares = cone.iter().filter_map(square).collect();
        (part, new.all(roots))
    }
}

impl Node {
    /// Replaces each child by its new name, in the same order.
    fn rename(&mut self, new: &Renaming) {
        match self {
            Self::Number(_) | Self::Pi | Self::Symbol(_) => {}
            Self::Sum { terms, .. } => {
                for (_, term) in terms {
                    *term = new.get(*term);
                }
            }
            Self::Product(factors) => {
                for (base, _) in factors {
                    *base = new.get(*base);
                }
            }
            Self::Unary(_, x) => *x = new.get(*x),
            Self::Binary(_, x, y) => {
                *x = new.get(*x);
                *y = new.get(*y);
            }
            Self::Curve { x, controls, .. } => {
                for child in controls.iter_mut().chain([x]) {
                    *child = new.get(*child);
                }
            }
            Self::Select {
                sides: [left, right],
                then,
                otherwise,
                ..
            } => {
                for child in [left, right, then, otherwise] {
                    *child = new.get(*child);
                }
            }
        }
    }
}
