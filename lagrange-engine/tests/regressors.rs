//! The coefficients of parameters: against differences, linear where they have to be, and refused with
//! the term that is not.

use crate::cases::cases;
use crate::common::{names, pendulum, system};
use crate::states::{choice, stateful};
use crate::trees::{Attitudes, build, plans, state};
use lagrange_engine::{
    Dynamics, Energy, Graph, NodeId, Number, ParameterList, Quantity, RegressorDefect, Symbol,
    System, Unary, plain_names, regressor_defects,
};
use proptest::prelude::*;

fn with_regressor(mut system: System, parameters: &[u32]) -> Dynamics {
    system.regressors = vec![ParameterList {
        name: "identify".into(),
        parameters: parameters.to_vec(),
    }];
    Dynamics::new(system)
}

/// M a + h - Q.
fn torques(dynamics: &Dynamics, at: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
    let [inertia, forces] =
        [Quantity::InverseDynamics, Quantity::GeneralizedForces].map(|quantity| {
            let entries = dynamics.expressions(quantity);
            dynamics.graph().evaluate(&entries, at)
        });
    inertia.iter().zip(forces).map(|(a, b)| a - b).collect()
}

fn with(at: &dyn Fn(Symbol) -> f64, parameter: u32, step: f64) -> impl Fn(Symbol) -> f64 {
    move |symbol| {
        let own = if symbol == Symbol::Parameter(parameter) {
            step
        } else {
            0.0
        };
        at(symbol) + own
    }
}

/// Every program's columns against central differences of the equations.
fn check_columns(dynamics: &Dynamics, parameters: &[u32], at: &dyn Fn(Symbol) -> f64) {
    let n = dynamics.sizes().velocities;
    let step = 1e-4;
    let columns: Vec<Vec<f64>> = parameters
        .iter()
        .map(|parameter| {
            let [ahead, behind] =
                [step, -step].map(|step| torques(dynamics, &with(at, *parameter, step)));
            let pairs = ahead.iter().zip(behind);
            pairs.map(|(a, b)| (a - b) / (2.0 * step)).collect()
        })
        .collect();
    for program in dynamics.programs(&[Quantity::Regressor(0)]) {
        let values = program.schedule.evaluate(at);
        assert_eq!(values.len(), n * parameters.len());
        for (k, column) in columns.iter().enumerate() {
            let scale = column.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
            for (i, expected) in column.iter().enumerate() {
                let found = values[i * parameters.len() + k];
                assert!(
                    (found - expected).abs() < 1e-6 * scale,
                    "{i} {k}: {found} {expected}"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn columns_are_derivatives_of_the_equations(plan in plans(), seed in 0..8_u32) {
        for attitudes in [Attitudes::Some, Attitudes::None] {
            let (states, inputs) = choice(seed);
            let system = stateful(build(&plan, attitudes), states, inputs);
            let dynamics = with_regressor(system, &[0, 2, 1]);
            check_columns(&dynamics, &[0, 2, 1], &state(seed));
        }
    }
}

fn at(symbol: Symbol) -> f64 {
    match symbol {
        Symbol::Coordinate(i) => (0.3 + 1.7 * f64::from(i)).sin(),
        Symbol::Velocity(i) => (1.1 + 1.7 * f64::from(i)).sin(),
        Symbol::Acceleration(i) => (2.3 + 1.7 * f64::from(i)).sin(),
        Symbol::Parameter(i) => 0.8 + 0.1 * f64::from(i),
        Symbol::Input(i) => 0.3 + f64::from(i),
        Symbol::Time => 0.4,
        Symbol::State(_)
        | Symbol::StateRate(_)
        | Symbol::Multiplier(_)
        | Symbol::Momentum(_)
        | Symbol::Weight(_) => f64::NAN,
    }
}

/// Y theta + rest = M a + h, for other values of theta too.
#[test]
fn masses_of_a_pendulum_are_linear() {
    let masses = [0, 1, 2];
    let dynamics = with_regressor(pendulum(3), &masses);
    assert_eq!(regressor_defects(&dynamics, 0), []);
    check_columns(&dynamics, &masses, &at);
    let y = dynamics
        .program(&[Quantity::Regressor(0)])
        .schedule
        .evaluate(&at);
    for theta in [[0.0; 3], [0.7, 1.9, 0.2], [-3.0, 5.0, 0.1]] {
        let there = |symbol| match symbol {
            Symbol::Parameter(i @ 0..3) => theta[i as usize],
            other => at(other),
        };
        let torques = torques(&dynamics, &there);
        for (row, torque) in y.chunks(3).zip(torques) {
            let sum: f64 = row.iter().zip(theta).map(|(y, theta)| y * theta).sum();
            assert!((sum - torque).abs() < 1e-13 * (1.0 + torque.abs()));
        }
    }
}

/// Inputs are zero in the equations that are told apart, and a parameter of friction has a column too.
#[test]
fn forces_without_inputs() {
    let mut graph = Graph::new();
    let [v, m, c, u] = [
        Symbol::Velocity(0),
        Symbol::Parameter(0),
        Symbol::Parameter(1),
        Symbol::Input(0),
    ]
    .map(|symbol| graph.symbol(symbol));
    let kinetic = graph.product(vec![(m, 1), (v, 2)]);
    let potential = graph.integer(0);
    let dissipation = graph.product(vec![(c, 1), (v, 2)]);
    let force = graph.product(vec![(u, 1), (c, 1), (m, 1)]);
    let mut system = system(graph, names(1), Energy::Natural { kinetic, potential });
    system.names.inputs = vec!["u".into()];
    system.names.parameters = vec!["m".into(), "c".into(), "idle".into()];
    system.dissipation = dissipation;
    system.forces = vec![force];
    let dynamics = with_regressor(system, &[1, 0, 2]);
    assert_eq!(regressor_defects(&dynamics, 0), []);
    let program = dynamics.program(&[Quantity::Regressor(0)]);
    let text = |node: &NodeId| program.graph.text(*node, &plain_names);
    let entries: Vec<String> = program.expressions_of(0).iter().map(text).collect();
    assert_eq!(entries, ["2*v0", "2*a0", "0"]);
}

/// The defects of a system of one coordinate, T = v^2 / 2 and a potential of x and four parameters, as
/// text: `position with: factor of coefficient`.
fn defects(
    potential: impl Fn(&mut Graph, NodeId, [NodeId; 4]) -> NodeId,
    listed: &[u32],
) -> Vec<String> {
    let mut graph = Graph::new();
    let v = graph.symbol(Symbol::Velocity(0));
    let x = graph.symbol(Symbol::Coordinate(0));
    let parameters = [0, 1, 2, 3].map(|i| graph.symbol(Symbol::Parameter(i)));
    let square = graph.powi(v, 2);
    let kinetic = graph.scale(Number::HALF, square);
    let potential = potential(&mut graph, x, parameters);
    let dynamics = with_regressor(
        system(graph, names(1), Energy::Natural { kinetic, potential }),
        listed,
    );
    let defects = regressor_defects(&dynamics, 0);
    let text = |node| dynamics.graph().text(node, &plain_names);
    let described = defects.iter().map(
        |RegressorDefect {
             position,
             with,
             entry,
         }| {
            let with = with.map_or(String::new(), |with| format!(" with {with}"));
            let entry = entry.map_or(String::new(), |entry| {
                let of = entry
                    .coefficient
                    .map(|whole| format!(" of {}", text(whole)));
                format!(": {}{}", text(entry.factor), of.unwrap_or_default())
            });
            format!("{position}{with}{entry}")
        },
    );
    described.collect()
}

#[test]
fn what_is_not_linear_is_shown() {
    // m l^2 x, also where it is written as a square of a sum
    let square = |graph: &mut Graph, x: NodeId, [m, l, ..]: [NodeId; 4]| {
        graph.product(vec![(m, 1), (l, 2), (x, 1)])
    };
    assert_eq!(defects(square, &[1]), ["0: p1^2 of p0*p1^2"]);
    assert_eq!(defects(square, &[0]), [""; 0]);
    assert_eq!(defects(square, &[0, 1]), ["1: p1^2 of p0*p1^2"]);
    // k m x
    let product = |graph: &mut Graph, x: NodeId, [m, k, ..]: [NodeId; 4]| {
        graph.product(vec![(m, 1), (k, 1), (x, 1)])
    };
    assert_eq!(defects(product, &[1, 0]), ["1 with 0: p0*p1 of p0*p1"]);
    // m sin(l) x
    let sine = |graph: &mut Graph, x: NodeId, [m, l, ..]: [NodeId; 4]| {
        let sine = graph.unary(Unary::Sin, l);
        graph.product(vec![(m, 1), (sine, 1), (x, 1)])
    };
    assert_eq!(defects(sine, &[1]), ["0: sin(p1) of p0*sin(p1)"]);
    // m sin(l x)
    let within = |graph: &mut Graph, x: NodeId, [m, l, ..]: [NodeId; 4]| {
        let angle = graph.mul(l, x);
        let sine = graph.unary(Unary::Sin, angle);
        graph.mul(m, sine)
    };
    assert_eq!(defects(within, &[1]), ["0: sin(q0*p1)"]);
    // abs(k) x is linear on either side only
    let size = |graph: &mut Graph, x: NodeId, [k, ..]: [NodeId; 4]| {
        let size = graph.unary(Unary::Abs, k);
        graph.mul(size, x)
    };
    assert_eq!(defects(size, &[0]), ["0: abs(p0) of abs(p0)"]);
}

#[test]
fn what_cancels_is_linear() {
    // ((m + k)^2 - m^2 - 2 m k + k) x has k^2, and without k^2 is linear
    let binomial = |graph: &mut Graph, x: NodeId, [m, k, l, s]: [NodeId; 4]| {
        let sum = graph.add(m, k);
        let terms = vec![
            (Number::ONE, graph.powi(sum, 2)),
            (Number::MINUS_ONE, graph.powi(m, 2)),
            (Number::MINUS_ONE, graph.powi(k, 2)),
            (Number::integer(-2), graph.mul(m, k)),
            (Number::ONE, l),
            (Number::ONE, s),
        ];
        let factor = graph.sum(Number::ZERO, terms);
        graph.mul(factor, x)
    };
    assert_eq!(defects(binomial, &[0, 1, 2, 3]), [""; 0]);
    // m (c / m)^2 is c^2 / m; m (c / m) is c.
    let moment = |graph: &mut Graph, x: NodeId, [m, c, ..]: [NodeId; 4]| {
        let place = graph.div(c, m);
        graph.product(vec![(m, 1), (place, 1), (x, 1)])
    };
    assert_eq!(defects(moment, &[0, 1]), [""; 0]);
    // A constant potential is no force.
    let constant = |graph: &mut Graph, _: NodeId, [m, ..]: [NodeId; 4]| graph.powi(m, 2);
    assert_eq!(defects(constant, &[0]), [""; 0]);
    // sin^2 + cos^2
    let pythagoras = |graph: &mut Graph, x: NodeId, [m, k, ..]: [NodeId; 4]| {
        let double = graph.add(k, k);
        let (sine, cosine) = (graph.unary(Unary::Sin, k), graph.unary(Unary::Cos, double));
        let square = graph.powi(sine, 2);
        let one = graph.sum(
            Number::ZERO,
            vec![(Number::integer(2), square), (Number::ONE, cosine)],
        );
        graph.product(vec![(one, 1), (m, 1), (x, 1)])
    };
    assert_eq!(defects(pythagoras, &[0, 1]), [""; 0]);
}
