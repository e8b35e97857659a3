//! Derivatives of elementary functions.

use crate::{Binary, Comparison, Graph, NodeId, Number, Unary};

impl Unary {
    /// df/dx for f(x) = `node`. At a kink: 0 for `abs` at 0 and for `sign`.
    pub(crate) fn derivative(self, graph: &mut Graph, x: NodeId, node: NodeId) -> NodeId {
        match self {
            Self::Sin => graph.unary(Self::Cos, x),
            Self::Cos => {
                let sine = graph.unary(Self::Sin, x);
                graph.neg(sine)
            }
            Self::Tan => one_plus(graph, Number::ONE, node),
            Self::Asin => {
                let inside = one_plus(graph, Number::MINUS_ONE, x);
                let root = graph.unary(Self::Sqrt, inside);
                graph.powi(root, -1)
            }
            Self::Acos => {
                let asin = Self::Asin.derivative(graph, x, node);
                graph.neg(asin)
            }
            Self::Atan => {
                let inside = one_plus(graph, Number::ONE, x);
                graph.powi(inside, -1)
            }
            Self::Sinh => graph.unary(Self::Cosh, x),
            Self::Cosh => graph.unary(Self::Sinh, x),
            Self::Tanh => one_plus(graph, Number::MINUS_ONE, node),
            Self::Exp => node,
            Self::Ln => graph.powi(x, -1),
            Self::Sqrt => {
                let reciprocal = graph.powi(node, -1);
                graph.scale(Number::HALF, reciprocal)
            }
            Self::Abs => graph.unary(Self::Sign, x),
            Self::Sign => graph.integer(0),
        }
    }
}

/// 1 + factor x^2
fn one_plus(graph: &mut Graph, factor: Number, x: NodeId) -> NodeId {
    let square = graph.powi(x, 2);
    graph.sum(Number::ONE, vec![(factor, square)])
}

impl Binary {
    /// (df/dx, df/dy) for f(x, y) = `node`. `min` and `max` of equal arguments follow the first.
    pub(crate) fn derivatives(
        self,
        graph: &mut Graph,
        [x, y]: [NodeId; 2],
        node: NodeId,
    ) -> [NodeId; 2] {
        match self {
            Self::Atan2 => {
                let squares = [graph.powi(x, 2), graph.powi(y, 2)];
                let norm = graph.add(squares[0], squares[1]);
                let over_norm = graph.div(y, norm);
                let minus_x = graph.neg(x);
                [over_norm, graph.div(minus_x, norm)]
            }
            Self::Min => pick(graph, x, y),
            Self::Max => pick(graph, y, x),
            Self::Hypot => [graph.div(x, node), graph.div(y, node)],
            Self::Pow => {
                let less_one = graph.sum(Number::MINUS_ONE, vec![(Number::ONE, y)]);
                let lower = graph.binary(Self::Pow, x, less_one);
                let logarithm = graph.unary(Unary::Ln, x);
                [graph.mul(y, lower), graph.mul(node, logarithm)]
            }
        }
    }
}

/// (1, 0) if `a <= b`, else (0, 1).
fn pick(graph: &mut Graph, a: NodeId, b: NodeId) -> [NodeId; 2] {
    let (one, zero) = (graph.integer(1), graph.integer(0));
    [
        graph.select(Comparison::LessEqual, a, b, one, zero),
        graph.select(Comparison::LessEqual, a, b, zero, one),
    ]
}
