//! Systems that several tests use.

use lagrange_engine::{Energy, Graph, Names, NodeId, Number, Symbol, System, Unary};

pub(crate) fn names(n: usize) -> Names {
    Names {
        coordinates: (0..n).map(|i| format!("q{i}")).collect(),
        ..Names::default()
    }
}

/// A system without forces and outputs.
pub(crate) fn system(mut graph: Graph, names: Names, energy: Energy) -> System {
    let zero = graph.integer(0);
    System {
        forces: vec![zero; names.coordinates.len()],
        graph,
        names,
        energy,
        multibody: lagrange_engine::Multibody::default(),
        dissipation: zero,
        constraints: Vec::new(),
        outputs: Vec::new(),
        regressors: Vec::new(),
        sensitivities: Vec::new(),
        state_rates: Vec::new(),
        multiplier_forces: Vec::new(),
        symmetries: Vec::new(),
        contacts: Vec::new(),
        dry_joints: Vec::new(),
    }
}

/// n point masses on massless rods, by the angles from the vertical: parameters are the masses, the
/// lengths, and gravity.
pub(crate) fn pendulum(n: usize) -> System {
    let count = n as u32;
    let mut graph = Graph::new();
    let zero = graph.integer(0);
    let gravity = graph.symbol(Symbol::Parameter(2 * count));
    let direction: Vec<(Symbol, NodeId)> = (0..count)
        .map(|i| (Symbol::Coordinate(i), graph.symbol(Symbol::Velocity(i))))
        .collect();
    let [mut x, mut y, mut kinetic, mut potential] = [zero; 4];
    for i in 0..count {
        let [q, m, l] = [
            Symbol::Coordinate(i),
            Symbol::Parameter(i),
            Symbol::Parameter(count + i),
        ]
        .map(|symbol| graph.symbol(symbol));
        x = step(&mut graph, x, (Number::ONE, l), (Unary::Sin, q));
        y = step(&mut graph, y, (Number::MINUS_ONE, l), (Unary::Cos, q));
        let velocity = graph.directional(&[x, y], &direction);
        let square = graph.dot(&velocity, &velocity);
        let twice = graph.mul(m, square);
        kinetic = graph.sum(
            Number::ZERO,
            vec![(Number::ONE, kinetic), (Number::HALF, twice)],
        );
        let height = graph.product(vec![(m, 1), (gravity, 1), (y, 1)]);
        potential = graph.add(potential, height);
    }
    system(graph, names(n), Energy::Natural { kinetic, potential })
}

/// origin + sign * length * f(angle)
fn step(
    graph: &mut Graph,
    origin: NodeId,
    (sign, length): (Number, NodeId),
    (function, angle): (Unary, NodeId),
) -> NodeId {
    let value = graph.unary(function, angle);
    let part = graph.mul(length, value);
    graph.sum(Number::ZERO, vec![(Number::ONE, origin), (sign, part)])
}
