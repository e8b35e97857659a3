//! The equations as people read them: known from textbooks, and the same as those that are derived.

use lagrange_engine::{
    Dynamics, Energy, Graph, Multibody, Names, NodeId, Number, Quantity, Symbol, System, Unary,
};

/// A particle at `place`, of the mass p0, in V.
fn particle(
    n: usize,
    place: impl Fn(&mut Graph, &[NodeId]) -> Vec<NodeId>,
    potential: impl Fn(&mut Graph, &[NodeId]) -> NodeId,
) -> Dynamics {
    let mut graph = Graph::new();
    let names = Names {
        coordinates: (0..n).map(|i| format!("q{i}")).collect(),
        parameters: ["m", "l", "g"].map(String::from).to_vec(),
        ..Names::default()
    };
    let q: Vec<NodeId> = (0..n as u32)
        .map(|i| graph.symbol(Symbol::Coordinate(i)))
        .collect();
    let place = place(&mut graph, &q);
    let direction = names.kinematics().along_the_motion(&mut graph);
    let velocity = graph.directional(&place, &direction);
    let square = graph.dot(&velocity, &velocity);
    let mass = graph.symbol(Symbol::Parameter(0));
    let twice = graph.mul(mass, square);
    let kinetic = graph.scale(Number::HALF, twice);
    let potential = potential(&mut graph, &q);
    let zero = graph.integer(0);
    Dynamics::new(System {
        graph,
        names,
        energy: Energy::Natural { kinetic, potential },
        multibody: Multibody::default(),
        dissipation: zero,
        forces: vec![zero; n],
        constraints: vec![],
        outputs: vec![],
        regressors: Vec::new(),
        symmetries: Vec::new(),
    })
}

fn names(symbol: Symbol) -> String {
    match symbol {
        Symbol::Coordinate(i) => ["a", "b"][i as usize].into(),
        Symbol::Velocity(i) => ["a'", "b'"][i as usize].into(),
        Symbol::Acceleration(i) => ["a''", "b''"][i as usize].into(),
        Symbol::Parameter(i) => ["m", "l", "g"][i as usize].into(),
        other => lagrange_engine::plain_names(other),
    }
}

/// The left sides as text; they have the values of M a + h.
fn left(dynamics: &Dynamics) -> Vec<String> {
    let rows = dynamics.textbook(1000).expect("short").left;
    let derived = dynamics.expressions(Quantity::InverseDynamics);
    let value = |symbol: Symbol| {
        let (kind, index) = match symbol {
            Symbol::Coordinate(i) => (1, i),
            Symbol::Velocity(i) => (2, i),
            Symbol::Acceleration(i) => (3, i),
            Symbol::Parameter(i) => (4, i),
            _ => (5, 0),
        };
        0.4 + 0.37 * f64::from(kind) - 0.23 * f64::from(index)
    };
    let graph = dynamics.graph();
    let (read, derived) = (
        graph.evaluate(&rows, &value),
        graph.evaluate(&derived, &value),
    );
    for (read, derived) in read.iter().zip(derived) {
        assert!((read - derived).abs() < 1e-13 * (1.0 + derived.abs()));
    }
    rows.iter().map(|row| graph.text(*row, &names)).collect()
}

fn polar(graph: &mut Graph, length: NodeId, angle: NodeId) -> [NodeId; 2] {
    [Unary::Sin, Unary::Cos].map(|function| {
        let wave = graph.unary(function, angle);
        graph.mul(length, wave)
    })
}

#[test]
fn a_particle_in_polar_coordinates() {
    let dynamics = particle(
        2,
        |graph, q| polar(graph, q[0], q[1]).to_vec(),
        |graph, _| graph.integer(0),
    );
    assert_eq!(
        left(&dynamics),
        ["m*a'' - a*b'^2*m", "2*a*a'*b'*m + a^2*m*b''"]
    );
}

#[test]
fn a_spherical_pendulum_by_points() {
    let place = |graph: &mut Graph, q: &[NodeId]| {
        let l = graph.symbol(Symbol::Parameter(1));
        let [across, down] = polar(graph, l, q[0]);
        let [x, y] = polar(graph, across, q[1]);
        vec![x, y, down]
    };
    let potential = |graph: &mut Graph, q: &[NodeId]| {
        let [m, l, g] = [0, 1, 2].map(|i| graph.symbol(Symbol::Parameter(i)));
        let cosine = graph.unary(Unary::Cos, q[0]);
        let product = graph.product(vec![(m, 1), (l, 1), (g, 1), (cosine, 1)]);
        graph.neg(product)
    };
    let dynamics = particle(2, place, potential);
    assert_eq!(
        left(&dynamics),
        [
            "l*sin(a)*m*g + l^2*m*a'' - l^2*sin(a)*cos(a)*b'^2*m",
            "2*l^2*sin(a)*cos(a)*a'*b'*m + l^2*sin(a)^2*m*b''",
        ]
    );
    // Fewer operations than with the velocities of points: see the cheapest program.
    let program = dynamics.program(&[Quantity::MassMatrix, Quantity::Forcing]);
    assert!(program.operations().total() <= 20);
}

/// Two rods of one length, by points: angles meet in differences.
#[test]
fn a_double_pendulum_by_points() {
    let place = |graph: &mut Graph, q: &[NodeId]| {
        let l = graph.symbol(Symbol::Parameter(1));
        let (first, second) = (polar(graph, l, q[0]), polar(graph, l, q[1]));
        vec![
            graph.add(first[0], second[0]),
            graph.add(first[1], second[1]),
        ]
    };
    let dynamics = particle(2, place, |graph, _| graph.integer(0));
    assert_eq!(
        left(&dynamics),
        [
            "l^2*m*a'' + l^2*m*b''*cos(a - b) + l^2*b'^2*m*sin(a - b)",
            "l^2*m*a''*cos(a - b) + l^2*m*b'' - l^2*a'^2*m*sin(a - b)",
        ]
    );
}
