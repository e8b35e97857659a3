//! Values of expressions: the oracle for derivations and generated code.

mod probing;

pub use probing::Probe;

use crate::graph::Members;
use crate::{Graph, Node, NodeId, Number, Symbol};

impl Graph {
    /// The values of `roots` in double precision; `value` gives the number of each symbol.
    ///
    /// One loop over the nodes of the roots, at any depth. Both branches of an `if` are evaluated and one is selected,
    /// so an infinite value in the other branch does no harm.
    pub fn evaluate(&self, roots: &[NodeId], value: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
        let members = Members::of(self, roots);
        let mut values = Vec::with_capacity(members.nodes.len());
        for id in &members.nodes {
            let value_of = |child: &NodeId| values[members.at(*child)];
            let node_value = evaluate_node(self.node(*id), value_of, value);
            values.push(node_value);
        }
        roots.iter().map(|root| values[members.at(*root)]).collect()
    }
}

fn evaluate_node(
    node: &Node,
    value_of: impl Fn(&NodeId) -> f64,
    value: &dyn Fn(Symbol) -> f64,
) -> f64 {
    match node {
        Node::Number(number) => number.to_f64(),
        Node::Pi => std::f64::consts::PI,
        Node::Symbol(symbol) => value(*symbol),
        Node::Sum { constant, terms } => sum(*constant, terms, value_of),
        Node::Product(factors) => factors
            .iter()
            .map(|(base, e)| value_of(base).powi(*e))
            .product(),
        Node::Unary(function, x) => function.value(value_of(x)),
        Node::Binary(function, x, y) => function.value(value_of(x), value_of(y)),
        Node::Curve { of, x, controls } => {
            let values: Vec<f64> = controls.iter().map(&value_of).collect();
            of.value(value_of(x), &values)
        }
        Node::Select {
            comparison,
            sides: [left, right],
            then,
            otherwise,
        } => {
            let holds = comparison.holds(value_of(left), value_of(right));
            value_of(if holds { then } else { otherwise })
        }
    }
}

fn sum(constant: Number, terms: &[(Number, NodeId)], value_of: impl Fn(&NodeId) -> f64) -> f64 {
    let of_terms: f64 = terms
        .iter()
        .map(|(c, term)| c.to_f64() * value_of(term))
        .sum();
    constant.to_f64() + of_terms
}
