//! How a rotation moves: its matrix, directions, and where velocities stand.

use lagrange_engine::{Graph, Kinematics, NodeId, Symbol};

/// A quaternion of unit length, angular velocity, and their values by symbol.
fn value(symbol: Symbol) -> f64 {
    match symbol {
        Symbol::Coordinate(i) => [5.0, 0.1, -0.5, 0.5, 0.7][i as usize],
        Symbol::Velocity(i) => [2.0, 0.3, -0.7, 1.1][i as usize],
        _ => 0.0,
    }
}

fn with_rotation() -> Kinematics {
    let mut kinematics = Kinematics::scalars(1);
    kinematics.add_rotation();
    kinematics
}

/// d/dt R = R [w] with w in the turned axes, to rounding.
#[test]
fn the_rotation_matrix_turns_at_the_angular_velocity() {
    let kinematics = with_rotation();
    let mut graph = Graph::new();
    let rotation = kinematics.rotations().next().unwrap();
    let matrix = Kinematics::rotation_matrix(&mut graph, rotation).concat();
    let direction = kinematics.along_the_motion(&mut graph);
    let rates = graph.directional(&matrix, &direction);
    let rates = graph.evaluate(&rates, &value);
    let r = graph.evaluate(&matrix, &value);
    let w = [0.3, -0.7, 1.1];
    for i in 0..3 {
        let row = [r[3 * i], r[3 * i + 1], r[3 * i + 2]];
        // The row of R [w] is row x w.
        for j in 0..3 {
            let (a, b) = ((j + 1) % 3, (j + 2) % 3);
            let expected = row[a] * w[b] - row[b] * w[a];
            assert!((rates[3 * i + j] - expected).abs() < 1e-14, "{i} {j}");
        }
    }
}

#[test]
fn directions_and_rates_agree() {
    let kinematics = with_rotation();
    let mut graph = Graph::new();
    let x = graph.symbol(Symbol::Coordinate(0));
    let quaternion: Vec<NodeId> = (1..5)
        .map(|i| graph.symbol(Symbol::Coordinate(i)))
        .collect();
    let product = graph.product(vec![
        (x, 2),
        (quaternion[0], 1),
        (quaternion[2], 3),
        (quaternion[3], 1),
    ]);
    let along = kinematics.along_the_motion(&mut graph);
    let rate = graph.directional(&[product], &along)[0];
    let gradient = kinematics.gradient(&mut graph, product);
    let values = graph.evaluate(&[&gradient[..], &[rate]].concat(), &value);
    let sum: f64 = (0..4)
        .map(|j| values[j] * value(Symbol::Velocity(j as u32)))
        .sum();
    assert!((sum - values[4]).abs() < 1e-14 * values[4].abs());
}

#[test]
fn positions_of_velocities() {
    let kinematics = with_rotation();
    assert_eq!(kinematics.coordinate_of_velocity(0), Some(0));
    assert_eq!(kinematics.coordinate_of_velocity(2), None);
    assert_eq!(kinematics.velocity_of_coordinate(4), None);
    let mut more = kinematics.clone();
    more.add_scalars(1);
    assert_eq!(more.coordinate_of_velocity(4), Some(5));
    assert_eq!(more.velocity_of_coordinate(5), Some(4));
}
