//! Operation counts of the n-link pendulum, exactly: a change here is a change of speed.

use crate::common::pendulum;
use lagrange_engine::{Dynamics, Graph, NodeId, Quantity, Symbol, System, Unary, schedule};

fn mass_and_forcing(dynamics: &Dynamics) -> u32 {
    let program = dynamics.program(&[Quantity::MassMatrix, Quantity::Forcing]);
    program.operations().total()
}

#[test]
fn mass_matrix_and_forcing_grow_with_the_square_of_the_links() {
    let counts: Vec<u32> = [2, 5, 10, 20, 40]
        .map(|n| mass_and_forcing(&Dynamics::new(pendulum(n))))
        .to_vec();
    assert_eq!(counts, [30, 130, 348, 1008, 3228]);
    // From 20 links to 40 the count may grow by a factor of 2^2.
    assert!(counts[4] < 4 * counts[3]);
}

#[test]
fn what_recursion_makes_linear_is_linear() {
    let [ten, twenty, forty] = [10, 20, 40].map(|n| {
        let dynamics = Dynamics::new(pendulum(n));
        [Quantity::Momenta, Quantity::Bias, Quantity::InverseDynamics]
            .map(|quantity| dynamics.program(&[quantity]).operations().total())
    });
    for i in 0..3 {
        assert_eq!(forty[i] - twenty[i], 2 * (twenty[i] - ten[i]));
    }
}

/// The operations to compute these together, which are right at one point.
fn operations(graph: &Graph, roots: &[NodeId]) -> String {
    let code = schedule(graph, roots);
    let value = |symbol: Symbol| match symbol {
        Symbol::Coordinate(i) => 1.0 + 0.25 * f64::from(i),
        _ => f64::NAN,
    };
    let results = code.evaluate(&value);
    for (root, result) in roots.iter().zip(results) {
        assert!((graph.evaluate(&[*root], &value)[0] - result).abs() < 1e-14);
    }
    code.operations().to_string()
}

#[test]
fn a_difference_takes_the_minus_sign_of_its_product() {
    let mut graph = Graph::new();
    let [x, a, b] = [0, 1, 2].map(|i| graph.symbol(Symbol::Coordinate(i)));
    let difference = graph.sub(a, b);
    let product = graph.mul(x, difference);
    let negative = graph.neg(product);
    assert_eq!(operations(&graph, &[negative]), "1 add, 1 mul");
    // Sums subtract it then.
    let sum = graph.add(difference, x);
    assert_eq!(operations(&graph, &[negative, sum]), "2 add, 1 mul");
    // If the product itself is requested too, the sign or the difference is a separate operation.
    assert_eq!(operations(&graph, &[negative, product]), "2 add, 1 mul");
    assert_eq!(operations(&graph, &[negative, difference]), "2 add, 1 mul");
    let sine = graph.unary(Unary::Sin, difference);
    assert_eq!(
        operations(&graph, &[negative, sine]),
        "2 add, 1 mul, 1 function"
    );
}

#[test]
fn factors_are_taken_out_of_what_others_left_behind() {
    // a x - b x - a z + b z = (a - b) (x - z), and a x - a (x - z) + sin(x - z) = a z + sin(x - z).
    let four = "node %4 = product %0^1 %2^1\nnode %5 = product %1^1 %2^1\n\
        node %6 = product %0^1 %3^1\nnode %7 = product %1^1 %3^1\nnode %8 = sum 0 1*%4 -1*%5 -1*%6 1*%7\n";
    let nested = "node %4 = sum 0 1*%2 -1*%3\nnode %5 = product %0^1 %4^1\n\
        node %6 = product %0^1 %2^1\nnode %7 = sin %4\nnode %8 = sum 0 1*%6 -1*%5 1*%7\n";
    for (nodes, operations) in [(four, "2 add, 1 mul"), (nested, "2 add, 1 mul, 1 function")] {
        let text = format!(
            "coordinates x z\nparameters a b\n\
             node %0 = parameter 0\nnode %1 = parameter 1\nnode %2 = coordinate 0\nnode %3 = coordinate 1\n\
             {nodes}node %9 = velocity 0\nnode %10 = product %9^2\nnode %11 = velocity 1\n\
             node %12 = product %11^2\nnode %13 = sum 0 1*%10 1*%12\nkinetic %13\npotential %8\n"
        );
        let dynamics = Dynamics::new(text.parse::<System>().unwrap());
        let program = dynamics.program(&[Quantity::PotentialEnergy]);
        assert_eq!(program.operations().to_string(), operations);
    }
}

#[test]
fn factors_are_taken_out_behind_a_sign() {
    // a b x - a b z, where the cofactor a z came before a x: b (-(a z - a x)) on the way.
    let text = "coordinates x z\nparameters a b\n\
        node %0 = parameter 0\nnode %1 = parameter 1\nnode %2 = coordinate 0\nnode %3 = coordinate 1\n\
        node %4 = product %0^1 %3^1\nnode %5 = product %0^1 %1^1 %2^1\nnode %6 = product %0^1 %1^1 %3^1\n\
        node %7 = velocity 0\nnode %8 = product %7^2\nnode %9 = velocity 1\nnode %10 = product %9^2\n\
        node %11 = sum 0 1*%8 1*%10\nnode %12 = sum 0 1*%5 -1*%6\n\
        kinetic %11\npotential %12\n";
    let dynamics = Dynamics::new(text.parse::<System>().unwrap());
    let program = dynamics.program(&[Quantity::PotentialEnergy]);
    assert_eq!(program.operations().to_string(), "1 add, 2 mul");
}
