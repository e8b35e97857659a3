//! Which constraints have a gradient that vanishes wherever they hold.

use crate::common;
use lagrange_engine::{
    Constraint, ConstraintKind, Energy, Graph, NodeId, Symbol, Unary, flat_constraints,
};

fn judged(residual: impl Fn(&mut Graph, [NodeId; 3]) -> NodeId) -> bool {
    let mut graph = Graph::new();
    let [x, y] = [0, 1].map(|i| graph.symbol(Symbol::Coordinate(i)));
    let length = graph.symbol(Symbol::Parameter(0));
    let residual = residual(&mut graph, [x, y, length]);
    let energy = Energy::Lagrangian(graph.integer(0));
    let mut names = common::names(2);
    names.parameters = vec!["l".into()];
    let mut system = common::system(graph, names, energy);
    system.constraints = vec![Constraint {
        name: "constraint".into(),
        kind: ConstraintKind::Holonomic,
        residual,
    }];
    flat_constraints(&system)[0]
}

#[test]
fn powers_and_sums_of_squares_are_flat() {
    assert!(judged(|g, [x, y, _]| {
        let d = g.sub(x, y);
        g.powi(d, 2)
    }));
    assert!(judged(|g, [x, y, _]| {
        let d = g.sub(x, y);
        g.powi(d, 4)
    }));
    assert!(judged(|g, [x, y, _]| g.dot(&[x, y], &[x, y])));
    // 1 - cos(x - y)
    assert!(judged(|g, [x, y, _]| {
        let d = g.sub(x, y);
        let cosine = g.unary(Unary::Cos, d);
        let one = g.integer(1);
        g.sub(one, cosine)
    }));
}

#[test]
fn what_holds_along_a_curve_or_nowhere_is_not() {
    assert!(!judged(|g, [x, y, _]| g.sub(x, y)));
    assert!(!judged(|g, [x, y, l]| {
        let square = g.dot(&[x, y], &[x, y]);
        let length = g.powi(l, 2);
        g.sub(square, length)
    }));
    assert!(!judged(|g, [x, y, l]| {
        let square = g.dot(&[x, y], &[x, y]);
        let length = g.powi(l, 2);
        g.add(square, length)
    }));
    // x y: the gradient vanishes at one of its points only
    assert!(!judged(|g, [x, y, _]| g.mul(x, y)));
    assert!(!judged(|g, [x, y, l]| {
        let angle = g.sub(x, y);
        let sine = g.unary(Unary::Sin, angle);
        g.mul(l, sine)
    }));
}
