//! The value of an expression: a scalar, vector or matrix of nodes.

use lagrange_engine::{Dependence, Graph, NodeId, Shape};

/// The entries of an expression, row by row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Value {
    pub(crate) shape: Shape,
    pub(crate) entries: Vec<NodeId>,
}

impl Value {
    pub(crate) fn scalar(node: NodeId) -> Self {
        Value {
            shape: Shape::Scalar,
            entries: vec![node],
        }
    }

    pub(crate) fn vector(entries: Vec<NodeId>) -> Self {
        Value {
            shape: Shape::Vector(entries.len()),
            entries,
        }
    }

    pub(crate) fn matrix(rows: usize, columns: usize, entries: Vec<NodeId>) -> Self {
        Value {
            shape: Shape::Matrix(rows, columns),
            entries,
        }
    }

    /// The node of a scalar.
    pub(crate) fn as_scalar(&self) -> Option<NodeId> {
        match (self.shape, &self.entries[..]) {
            (Shape::Scalar, [node]) => Some(*node),
            _ => None,
        }
    }

    /// The union of the dependences of all entries.
    pub(crate) fn dependence(&self, graph: &Graph) -> Dependence {
        self.entries
            .iter()
            .map(|entry| graph.dependence(*entry))
            .fold(Dependence::NONE, Dependence::union)
    }

    /// The same shape with each entry replaced.
    pub(crate) fn map(&self, entry: impl FnMut(NodeId) -> NodeId) -> Self {
        Value {
            shape: self.shape,
            entries: self.entries.iter().copied().map(entry).collect(),
        }
    }
}

/// A shape in words, as messages name it.
pub(crate) fn in_words(shape: Shape) -> String {
    match shape {
        Shape::Scalar => "a scalar".to_owned(),
        Shape::Vector(length) => format!("a vector of length {length}"),
        Shape::Matrix(rows, columns) => format!("a {rows} x {columns} matrix"),
    }
}
