//! The test for a Lagrangian that is quadratic in the velocities.

use crate::{Answer, Dependence, Graph, Node, NodeId, Number, Symbol, is_identically_zero};

/// Returns whether the expression is a polynomial of degree at most two in these velocities: by its structure, or
/// because it equals its Taylor polynomial about rest at random points.
pub fn is_quadratic(graph: &mut Graph, root: NodeId, velocities: &[Symbol]) -> bool {
    if velocity_degree(graph, root).is_some_and(|degree| degree <= 2) {
        return true;
    }
    let polynomial = taylor_polynomial(graph, root, velocities);
    let remainder = graph.sub(root, polynomial);
    is_identically_zero(graph, &[remainder]) == [Answer::Yes]
}

/// `L + (dL/dv) v + v^T (d^2 L/dv^2) v / 2`, with derivatives at v = 0.
fn taylor_polynomial(graph: &mut Graph, root: NodeId, velocities: &[Symbol]) -> NodeId {
    let (zero, one) = (graph.integer(0), graph.integer(1));
    let at_rest: Vec<_> = velocities.iter().map(|symbol| (*symbol, zero)).collect();
    let first = graph.gradient(root, velocities);
    let v: Vec<NodeId> = velocities.iter().map(|s| graph.symbol(*s)).collect();
    let mut terms = vec![(Number::ONE, graph.substitute(&[root], &at_rest)[0])];
    for (j, velocity) in velocities.iter().enumerate() {
        let second = graph.directional(&first[j..], &[(*velocity, one)]);
        let linear = graph.substitute(&[first[j]], &at_rest)[0];
        terms.push((Number::ONE, graph.mul(linear, v[j])));
        for (i, entry) in (j..).zip(graph.substitute(&second, &at_rest)) {
            let factor = if i == j { Number::HALF } else { Number::ONE };
            let product = graph.mul(v[i], v[j]);
            terms.push((factor, graph.mul(entry, product)));
        }
    }
    graph.sum(Number::ZERO, terms)
}

/// The degree of the expression as a polynomial in the velocities, or `None` if its structure does
/// not show it to be one.
pub fn velocity_degree(graph: &Graph, root: NodeId) -> Option<u32> {
    let mut degrees: Vec<Option<u32>> = Vec::with_capacity(root.index() + 1);
    for index in 0..=root.index() {
        let id = NodeId(index as u32);
        let degree = if graph.dependence(id).intersects(Dependence::VELOCITY) {
            degree_of(graph.node(id), &degrees)
        } else {
            Some(0)
        };
        degrees.push(degree);
    }
    degrees[root.index()]
}

pub(super) fn degree_of(node: &Node, degrees: &[Option<u32>]) -> Option<u32> {
    let degree = |id: NodeId| degrees[id.index()];
    match node {
        Node::Number(_) | Node::Pi => Some(0),
        Node::Symbol(symbol) => Some(u32::from(matches!(symbol, Symbol::Velocity(_)))),
        Node::Sum { terms, .. } => terms
            .iter()
            .try_fold(0, |most, (_, term)| Some(degree(*term)?.max(most))),
        Node::Product(factors) => {
            factors.iter().try_fold(0_u32, |total, (base, exponent)| {
                match (degree(*base)?, u32::try_from(*exponent)) {
                    (0, _) => Some(total),
                    (degree, Ok(exponent)) => total.checked_add(degree.checked_mul(exponent)?),
                    (_, Err(_)) => None,
                }
            })
        }
        Node::Unary(..) | Node::Binary(..) | Node::Curve { .. } => None,
        Node::Select {
            sides,
            then,
            otherwise,
            ..
        } => match (degree(sides[0])?, degree(sides[1])?) {
            (0, 0) => Some(degree(*then)?.max(degree(*otherwise)?)),
            _ => None,
        },
    }
}
