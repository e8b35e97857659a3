//! The equations as people read them: known from textbooks, and the same as those that are derived.

use crate::common;
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
        sensitivities: Vec::new(),
        state_rates: Vec::new(),
        multiplier_forces: Vec::new(),
        symmetries: Vec::new(),
        contacts: Vec::new(),
        dry_joints: Vec::new(),
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

/// Forces on q0 to q2 as they are read; they have the values of those that were given.
fn read(build: impl Fn(&mut Graph, [NodeId; 3]) -> Vec<NodeId>) -> Vec<String> {
    let mut graph = Graph::new();
    let q = [0, 1, 2].map(|i| graph.symbol(Symbol::Coordinate(i)));
    let v = [0, 1, 2].map(|i| graph.symbol(Symbol::Velocity(i)));
    let kinetic = graph.dot(&v, &v);
    let mut forces = build(&mut graph, q);
    let potential = graph.integer(0);
    forces.resize(3, potential);
    let energy = Energy::Natural { kinetic, potential };
    let mut system = common::system(graph, common::names(3), energy);
    system.forces = forces.clone();
    let dynamics = Dynamics::new(system);
    let short = dynamics.textbook(1000).expect("short").forces;
    let value = |symbol| match symbol {
        Symbol::Coordinate(i) => 0.3 + 0.4 * f64::from(i),
        _ => 0.0,
    };
    let graph = dynamics.graph();
    let values = [&forces, &short].map(|roots| graph.evaluate(roots, &value));
    for (given, read) in values[0].iter().zip(&values[1]) {
        assert!((given - read).abs() < 1e-14);
    }
    let text = |force: &NodeId| graph.text(*force, &lagrange_engine::plain_names);
    short.iter().map(text).collect()
}

fn waves(graph: &mut Graph, angles: [NodeId; 2]) -> [NodeId; 4] {
    let [a, b] = angles;
    let of = |graph: &mut Graph, f, g| {
        let (x, y) = (graph.unary(f, a), graph.unary(g, b));
        graph.mul(x, y)
    };
    use Unary::{Cos, Sin};
    [
        of(graph, Cos, Cos),
        of(graph, Sin, Sin),
        of(graph, Sin, Cos),
        of(graph, Cos, Sin),
    ]
}

#[test]
fn products_of_waves_become_waves_of_sums() {
    let text = |signs: [i64; 4]| {
        let forces = read(|graph, [a, b, c]| {
            let waves = waves(graph, [a, b]);
            let terms = waves.into_iter().zip(signs).map(|(wave, sign)| {
                let scaled = graph.mul(wave, c);
                (Number::integer(sign), scaled)
            });
            let terms = terms.collect();
            vec![graph.sum(Number::ZERO, terms)]
        });
        forces[0].clone()
    };
    assert_eq!(text([1, 1, 0, 0]), "q2*cos(q0 - q1)");
    assert_eq!(text([1, -1, 0, 0]), "q2*cos(q0 + q1)");
    assert_eq!(text([0, 0, 1, 1]), "q2*sin(q0 + q1)");
    assert_eq!(text([0, 0, 3, -3]), "3*q2*sin(q0 - q1)");
    let other = text([1, 2, 0, 0]);
    assert!(
        other.contains("cos(q0)*cos(q1)") && other.contains("2*"),
        "{other}"
    );
}

#[test]
fn products_are_multiplied_out_where_terms_meet() {
    // Alone, and where others have the difference, too, which is then left whole before it is read.
    for uses in [1, 2] {
        let text = read(|graph, [a, b, c]| {
            let difference = graph.sub(c, a);
            let (first, second) = (graph.mul(a, b), graph.mul(b, difference));
            let mut forces = vec![difference; uses];
            forces[0] = graph.add(first, second);
            forces
        });
        assert_eq!(text[0], "q1*q2");
    }
    let text = read(|graph, [a, b, c]| {
        let difference = graph.sub(c, a);
        let second = graph.mul(b, difference);
        vec![graph.add(second, a)]
    });
    assert!(text[0].contains('('), "{text:?}");
}

#[test]
fn like_terms_of_nested_sums_meet() {
    let text = read(|graph, [a, b, c]| {
        let inner = graph.add(a, b);
        let outer = graph.sub(inner, c);
        let twice = graph.mul(inner, inner);
        let sum = graph.add(outer, a);
        vec![graph.add(sum, twice)]
    });
    assert_eq!(text[0].matches("q0").count(), 2, "{text:?}");
}
