//! The nodes of roots, and their numbers of uses.

use crate::common;
use lagrange_engine::{Dynamics, Energy, Graph, Output, Quantity, Shape, Symbol};

#[test]
fn a_cone_is_what_the_roots_contain() {
    let mut graph = Graph::new();
    // More than one word of bits.
    let symbols: Vec<_> = (0..200)
        .map(|i| graph.symbol(Symbol::Coordinate(i)))
        .collect();
    let sum = graph.add(symbols[3], symbols[130]);
    let square = graph.powi(sum, 2);
    let reached = graph.reachable(&[square, sum]);
    let contained = reached.iter().zip(0_usize..).filter(|(is_in, _)| **is_in);
    let contained: Vec<usize> = contained.map(|(_, at)| at).collect();
    let all = [symbols[3], symbols[130], sum, square];
    assert_eq!(contained, all.map(|id| id.index()));
    assert_eq!(graph.reachable(&[]), []);
    // Children before their parents: each has its name before it is read.
    let one = graph.integer(1);
    let rate = graph.directional(&[square], &[(Symbol::Coordinate(130), one)])[0];
    let value = |symbol| match symbol {
        Symbol::Coordinate(3) => 0.5,
        Symbol::Coordinate(130) => 1.0,
        _ => f64::NAN,
    };
    assert_eq!(graph.evaluate(&[square, rate], &value), [2.25, 3.0]);
}

/// A sum that stands in another and is asked for, too, is used twice, and stays.
#[test]
fn roots_are_uses() {
    let mut graph = Graph::new();
    let symbols: Vec<_> = (0..200)
        .map(|i| graph.symbol(Symbol::Coordinate(i)))
        .collect();
    let inner = graph.add(symbols[3], symbols[130]);
    let outer = graph.sub(inner, symbols[7]);
    let energy = Energy::Lagrangian(graph.integer(0));
    let mut system = common::system(graph, common::names(200), energy);
    system.outputs = vec![Output {
        name: "sums".into(),
        shape: Shape::Vector(2),
        entries: vec![outer, inner],
    }];
    let dynamics = Dynamics::new(system);
    let entries = dynamics.expressions(Quantity::Output(0));
    let reached = dynamics.graph().reachable(&entries[..1]);
    assert!(reached[entries[1].index()]);
}
