//! Whether a Lagrangian is quadratic in the velocities.

use super::velocity_degree;
use crate::{Answer, Graph, NodeId, Number, Symbol, is_identically_zero};

/// Whether the expression is a polynomial of degree two at most in these velocities: by its structure, or
/// because it equals its Taylor polynomial about rest at random points.
///
/// ```
/// use lagrange_engine::{Graph, Symbol, Unary, is_quadratic};
/// let mut graph = Graph::new();
/// let velocity = Symbol::Velocity(0);
/// let v = graph.symbol(velocity);
/// // exp(2 ln(1 + v)) = (1 + v)^2
/// let one = graph.integer(1);
/// let sum = graph.add(one, v);
/// let logarithm = graph.unary(Unary::Ln, sum);
/// let twice = graph.add(logarithm, logarithm);
/// let square = graph.unary(Unary::Exp, twice);
/// let size = graph.unary(Unary::Abs, v);
/// assert!(is_quadratic(&mut graph, square, &[velocity]));
/// assert!(!is_quadratic(&mut graph, logarithm, &[velocity]));
/// assert!(!is_quadratic(&mut graph, size, &[velocity]));
/// ```
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
    let rest: Vec<_> = velocities.iter().map(|symbol| (*symbol, zero)).collect();
    let first = graph.gradient(root, velocities);
    let v: Vec<NodeId> = velocities.iter().map(|s| graph.symbol(*s)).collect();
    let mut terms = vec![(Number::ONE, graph.substitute(&[root], &rest)[0])];
    for (j, velocity) in velocities.iter().enumerate() {
        let second = graph.directional(&first[j..], &[(*velocity, one)]);
        let linear = graph.substitute(&[first[j]], &rest)[0];
        terms.push((Number::ONE, graph.mul(linear, v[j])));
        for (i, entry) in (j..).zip(graph.substitute(&second, &rest)) {
            let factor = if i == j { Number::HALF } else { Number::ONE };
            let product = graph.mul(v[i], v[j]);
            terms.push((factor, graph.mul(entry, product)));
        }
    }
    graph.sum(Number::ZERO, terms)
}
