//! Which constraints have a gradient that vanishes wherever they hold.

use crate::common;
use lagrange_engine::{
    Binary, Constraint, ConstraintKind, Energy, Graph, NodeId, Number, Symbol, Unary,
    flat_constraints,
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

/// A multiple of x^2 + c y^2 - r^2 for these numbers.
fn ellipse(graph: &mut Graph, [x, y]: [NodeId; 2], [unit, c, r]: [&str; 3]) -> NodeId {
    let [unit, c, r] = [unit, c, r].map(|text| Number::parse(text).unwrap());
    let squares = [x, y].map(|x| graph.powi(x, 2));
    let radius = graph.number(r);
    let radius = graph.powi(radius, 2);
    let terms = vec![
        (Number::ONE, squares[0]),
        (c, squares[1]),
        (Number::MINUS_ONE, radius),
    ];
    let sum = graph.sum(Number::ZERO, terms);
    graph.scale(unit, sum)
}

#[test]
fn no_size_is_too_small_for_a_gradient() {
    for numbers in [
        ["1", "1", "1e-6"],
        ["1", "1", "1e-30"],
        ["1e-30", "3", "1e-9"],
        ["1", "1e60", "1"],
        ["1", "1e-40", "1e12"],
        ["1e-30", "2", "1e30"],
    ] {
        assert!(
            !judged(|g, [x, y, _]| ellipse(g, [x, y], numbers)),
            "{numbers:?}"
        );
    }
    for numbers in [
        ["1", "1", "0"],
        ["1e-30", "1e60", "0"],
        ["1e30", "1e-20", "0"],
    ] {
        assert!(
            judged(|g, [x, y, _]| ellipse(g, [x, y], numbers)),
            "{numbers:?}"
        );
    }
}

#[test]
fn factors_that_cross_are_not_flat_and_powers_of_them_are() {
    // (x - y - l) (x + y + l), by its squares and as it is
    let factors = |g: &mut Graph, [x, y, l]: [NodeId; 3]| {
        let sum = g.add(y, l);
        [g.sub(x, sum), g.add(x, sum)]
    };
    assert!(!judged(|g, symbols| {
        let [a, b] = factors(g, symbols);
        g.mul(a, b)
    }));
    assert!(!judged(|g, [x, y, l]| {
        let sum = g.add(y, l);
        let squares = [g.powi(x, 2), g.powi(sum, 2)];
        g.sub(squares[0], squares[1])
    }));
    assert!(judged(|g, symbols| {
        let [a, b] = factors(g, symbols);
        g.product(vec![(a, 2), (b, 2)])
    }));
    // One of them is not.
    assert!(!judged(|g, symbols| {
        let [a, b] = factors(g, symbols);
        g.product(vec![(a, 2), (b, 1)])
    }));
    assert!(judged(|g, [x, y, _]| g.binary(Binary::Hypot, x, y)));
    // x + x^3, where it is small without any rounding, and its square
    let cubic = |g: &mut Graph, x: NodeId| {
        let cube = g.powi(x, 3);
        g.add(x, cube)
    };
    assert!(!judged(|g, [x, _, _]| cubic(g, x)));
    assert!(judged(|g, [x, _, _]| {
        let cubic = cubic(g, x);
        g.powi(cubic, 2)
    }));
}
