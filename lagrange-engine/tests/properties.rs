//! Random programs: the graph computes their values, and its derivatives are theirs.

use crate::cases::cases;
use std::collections::HashSet;

use crate::random::dual::Dual;
use crate::random::{SYMBOLS, Step, at, build, interpret, moderate, points, programs, tolerances};
use lagrange_engine::{
    Dynamics, Energy, Graph, Instruction, Node, NodeId, Number, Operand, Quantity, Schedule, Unary,
    plain_names, schedule,
};
use proptest::prelude::*;

/// Unit directions along the symbols.
fn unit(position: usize) -> [f64; 3] {
    let mut direction = [0.0; 3];
    direction[position] = 1.0;
    direction
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn simplification_preserves_values(program in programs(), point in points()) {
        let mut graph = Graph::new();
        let nodes = build(&mut graph, &program);
        let exact = interpret(&program, point, [0.0; 3], None);
        let tolerance = tolerances(&program, point, [0.0; 3], &exact);
        let good = moderate(&program, &exact);
        let values = graph.evaluate(&nodes, &at(point));
        for i in (0..nodes.len()).filter(|i| good[*i]) {
            let off = (values[i] - exact[i].value).abs();
            prop_assert!(
                off <= tolerance[i].value,
                "{} is {} instead of {}",
                graph.text(nodes[i], &plain_names), values[i], exact[i].value
            );
        }
    }

    #[test]
    fn gradients_and_directional_derivatives_are_those_of_dual_numbers(
        program in programs(),
        point in points(),
    ) {
        let mut graph = Graph::new();
        let nodes = build(&mut graph, &program);
        let gradients: Vec<Vec<NodeId>> =
            nodes.iter().map(|node| graph.gradient(*node, &SYMBOLS)).collect();
        let one = graph.integer(1);
        for (position, symbol) in SYMBOLS.iter().enumerate() {
            let exact = interpret(&program, point, unit(position), None);
            let tolerance = tolerances(&program, point, unit(position), &exact);
            let good = moderate(&program, &exact);
            let forward = graph.directional(&nodes, &[(*symbol, one)]);
            let backward: Vec<NodeId> = gradients.iter().map(|row| row[position]).collect();
            let forward = graph.evaluate(&forward, &at(point));
            let backward = graph.evaluate(&backward, &at(point));
            for i in (0..nodes.len()).filter(|i| good[*i]) {
                for (sweep, slope) in [("forward", forward[i]), ("reverse", backward[i])] {
                    prop_assert!(
                        (slope - exact[i].slope).abs() <= tolerance[i].slope,
                        "{sweep}: d/d{symbol:?} of {} is {slope} instead of {}",
                        graph.text(nodes[i], &plain_names), exact[i].slope
                    );
                }
            }
        }
    }

    #[test]
    fn derivatives_are_limits_of_differences(program in programs(), point in points()) {
        let mut graph = Graph::new();
        let nodes = build(&mut graph, &program);
        let one = graph.integer(1);
        for (position, symbol) in SYMBOLS.iter().enumerate() {
            let exact = interpret(&program, point, unit(position), None);
            let good = moderate(&program, &exact);
            let derivative = graph.directional(&nodes, &[(*symbol, one)]);
            let derivative = graph.evaluate(&derivative, &at(point));
            let [coarse, fine] = [2e-4, 1e-4].map(|h| differences(&program, point, position, h));
            for i in (0..nodes.len()).filter(|i| good[*i]) {
                // If the quotients differ there is a kink or much curvature, and the point is skipped.
                let settled = (coarse[i] - fine[i]).abs() <= 1e-5 * (1.0 + fine[i].abs());
                let large = exact[i].value.abs() > 1e2 || fine[i].abs() > 1e2;
                if settled && !large {
                    prop_assert!(
                        (derivative[i] - fine[i]).abs() <= 1e-3 * (1.0 + fine[i].abs()),
                        "d/d{symbol:?} of {} is {} instead of {}",
                        graph.text(nodes[i], &plain_names), derivative[i], fine[i]
                    );
                }
            }
        }
    }

    #[test]
    fn substitution_is_evaluation_elsewhere(program in programs(), point in points()) {
        let mut graph = Graph::new();
        let nodes = build(&mut graph, &program);
        let [x, v, p] = [0, 1, 2].map(|i| nodes[i]);
        let sine = graph.unary(Unary::Sin, v);
        let inside = graph.mul(sine, p);
        let replaced = graph.substitute(&nodes, &[(SYMBOLS[0], inside), (SYMBOLS[1], x)]);
        let moved = [point[1].sin() * point[2], point[0], point[2]];
        let exact = interpret(&program, moved, [0.0; 3], None);
        let tolerance = tolerances(&program, moved, [0.0; 3], &exact);
        let good = moderate(&program, &exact);
        let values = graph.evaluate(&replaced, &at(point));
        for i in (0..nodes.len()).filter(|i| good[*i]) {
            prop_assert!((values[i] - exact[i].value).abs() <= tolerance[i].value);
        }
    }

    /// Simplified expressions, by the passes over all that is derived, and their schedules.
    #[test]
    fn derived_expressions_have_the_values_of_the_program(
        program in programs(),
        point in points(),
    ) {
        let mut graph = Graph::new();
        let nodes = build(&mut graph, &program);
        let last = nodes.len() - 1;
        let exact = interpret(&program, point, unit(0), None);
        prop_assume!(moderate(&program, &exact)[last]);
        let tolerance = tolerances(&program, point, unit(0), &exact)[last];
        // Sums within sums and products, so that every pass has something to do.
        let shifted = graph.sum(Number::integer(3), vec![(Number::integer(2), nodes[last])]);
        let scaled = graph.mul(nodes[2], shifted);
        let inner = graph.sum(Number::ONE, vec![(Number::HALF, scaled), (Number::ONE, nodes[0])]);
        let potential = graph.sum(Number::integer(5), vec![(Number::integer(3), inner)]);
        let potential = graph.sum(Number::integer(-2), vec![(Number::ONE, potential), (Number::ONE, nodes[2])]);
        let square = graph.powi(nodes[1], 2);
        let kinetic = graph.scale(Number::HALF, square);
        let mut names = crate::common::names(1);
        names.parameters = vec!["p".into()];
        let system = crate::common::system(graph, names, Energy::Natural { kinetic, potential });
        let dynamics = Dynamics::new(system);
        let quantities = [Quantity::PotentialEnergy, Quantity::PotentialGradient];
        let roots = quantities.map(|quantity| dynamics.expressions(quantity)[0]);
        let p = point[2];
        let expected = [
            3.0 * (1.0 + 0.5 * p * (3.0 + 2.0 * exact[last].value) + point[0]) + 5.0 - 2.0 + p,
            3.0 * (p * exact[last].slope + 1.0),
        ];
        let most = [3.0 * p * tolerance.value, 3.0 * p * tolerance.slope];
        let of_graph = dynamics.graph().evaluate(&roots, &at(point));
        let program = dynamics.program(&quantities);
        prop_assert!(products_stand_once(&program.schedule), "{:?}", program.schedule);
        let of_code = [0, 1].map(|position| {
            let mut code = program.schedule.clone();
            code.roots = vec![program.results(position)[0]];
            code.evaluate(&at(point))[0]
        });
        for i in 0..2 {
            for found in [of_graph[i], of_code[i]] {
                let off = (found - expected[i]).abs();
                prop_assert!(off <= most[i] + 1e-11 * (1.0 + expected[i].abs()), "{found} instead of {}", expected[i]);
            }
        }
    }

    #[test]
    fn what_shows_is_not_finite_alone(program in programs(), point in points()) {
        let mut graph = Graph::new();
        let nodes = build(&mut graph, &program);
        let code = schedule(&graph, &nodes[nodes.len() - 1..]);
        for shown in code.shown_by(&code.roots) {
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let others = at(point);
                let result = code.evaluate(&|symbol| if symbol == shown { value } else { others(symbol) })[0];
                prop_assert!(!result.is_finite(), "{result} of {shown:?} = {value}: {code:?}");
            }
        }
    }

    #[test]
    fn construction_is_deterministic(program in programs()) {
        let texts = [(); 2].map(|()| {
            let mut graph = Graph::new();
            let nodes = build(&mut graph, &program);
            let gradient = graph.gradient(nodes[nodes.len() - 1], &SYMBOLS);
            let roots: Vec<(String, NodeId)> = nodes.iter().chain(&gradient)
                .enumerate()
                .map(|(i, node)| (format!("r{i}"), *node))
                .collect();
            (format!("{nodes:?}"), graph.text_of_all(&roots, &plain_names, 500))
        });
        prop_assert_eq!(&texts[0], &texts[1]);
    }

    #[test]
    fn operands_commute(program in programs()) {
        let mut graph = Graph::new();
        let nodes = build(&mut graph, &program);
        for pair in nodes.windows(2) {
            prop_assert_eq!(graph.add(pair[0], pair[1]), graph.add(pair[1], pair[0]));
            prop_assert_eq!(graph.mul(pair[0], pair[1]), graph.mul(pair[1], pair[0]));
        }
    }

    /// The short path for two operands gives the same as the general one, for all nodes.
    #[test]
    fn two_operands_are_lists_of_two(program in programs()) {
        let mut graph = Graph::new();
        build(&mut graph, &program);
        // Infinite values take part in no rule.
        let is_infinite = |id: NodeId| match graph.node(id) {
            Node::Product(factors) => factors.iter().any(|(base, _)| graph.is_zero(*base)),
            _ => false,
        };
        prop_assume!(!graph.since(0).any(is_infinite));
        let one = Number::ONE;
        for a in graph.since(0).collect::<Vec<_>>() {
            let scaled = graph.sum(Number::ZERO, vec![(Number::HALF, a)]);
            prop_assert_eq!(graph.scale(Number::HALF, a), scaled);
            for b in graph.since(0).take(40).collect::<Vec<_>>() {
                let product = graph.product(vec![(a, 1), (b, 1)]);
                prop_assert_eq!(graph.mul(a, b), product);
                let sum = graph.sum(Number::ZERO, vec![(one, a), (one, b)]);
                prop_assert_eq!(graph.add(a, b), sum);
                let difference = graph.sum(Number::ZERO, vec![(one, a), (-one, b)]);
                prop_assert_eq!(graph.sub(a, b), difference);
            }
        }
    }
}

/// The square of a double whose decimals a rational holds, found by exploration.
#[test]
fn a_double_is_squared_in_one_way() {
    let mut graph = Graph::new();
    let number = Number::rational(729, 4096).unwrap().powi(4).unwrap();
    let x = graph.number(number);
    let product = graph.product(vec![(x, 1), (x, 1)]);
    assert_eq!(graph.mul(x, x), product);
}

/// Returns whether no product stands both by itself and in a multiply-add, whatever its sign.
fn products_stand_once(code: &Schedule) -> bool {
    let factors = |a: Operand, b: Operand| {
        let text = |operand| match operand {
            Operand::Constant(value) => format!("{:?}", value.abs()),
            other => format!("{other:?}"),
        };
        let mut factors = [a, b].map(text);
        factors.sort();
        factors
    };
    let single = code.instructions.iter().filter_map(|one| match *one {
        Instruction::Mul(a, b) => Some(factors(a, b)),
        _ => None,
    });
    let single: HashSet<[String; 2]> = single.collect();
    code.instructions.iter().all(|one| match *one {
        Instruction::MulAdd(a, b, _) | Instruction::NegMulAdd(a, b, _) => {
            !single.contains(&factors(a, b))
        }
        _ => true,
    })
}

fn differences(program: &[Step], point: [f64; 3], position: usize, h: f64) -> Vec<f64> {
    let run = |step: f64| {
        let mut moved = point;
        moved[position] += step;
        interpret(program, moved, [0.0; 3], None)
    };
    let (above, below) = (run(h), run(-h));
    let quotient = |(above, below): (&Dual, &Dual)| (above.value - below.value) / (2.0 * h);
    above.iter().zip(&below).map(quotient).collect()
}

/// V = 3 + (x - (x - 1)) (p + 5): the product becomes a sum when its other factor turns out to be 1.
#[test]
fn a_product_that_becomes_a_sum_keeps_its_constant() {
    let mut graph = Graph::new();
    let [x, v, p] = SYMBOLS.map(|symbol| graph.symbol(symbol));
    let less_one = graph.sum(Number::MINUS_ONE, vec![(Number::ONE, x)]);
    let one = graph.sub(x, less_one);
    let shifted = graph.sum(Number::integer(5), vec![(Number::ONE, p)]);
    let product = graph.mul(one, shifted);
    let potential = graph.sum(Number::integer(3), vec![(Number::ONE, product)]);
    let kinetic = graph.powi(v, 2);
    let energy = Energy::Natural { kinetic, potential };
    let mut names = crate::common::names(1);
    names.parameters = vec!["p".into()];
    let dynamics = Dynamics::new(crate::common::system(graph, names, energy));
    let potential = dynamics.expressions(Quantity::PotentialEnergy)[0];
    assert_eq!(dynamics.graph().text(potential, &plain_names), "p0 + 8");
}
