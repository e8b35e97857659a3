//! Terms that are given in two ways and therefore act twice or cancel: weights by `gravity` and in V, dampings by a
//! `damper` and in D.

use lagrange_engine::{Answer, Graph, NodeId, Number, Symbol, System, is_identically_zero};

use super::warnings::{Verdicts, warning};
use crate::errors::Code;
use crate::model::{Head, Warning};
use crate::tables::{PartKind, Tables, Written};

/// Warns of a part of `V` that equals the weight of a body, or its opposite. `gravity` adds that weight already.
/// Parameters have their defaults, so that `gravity [0, 0, -9.81]` is compared with a `g` of that default.
pub(super) fn warn_of_weights(system: &System, tables: &Tables, head: &Head) -> Vec<Warning> {
    let Some(gravity) = &tables.gravity else {
        return Vec::new();
    };
    let statements = &tables.energies.potential_statements;
    if statements.is_empty() {
        return Vec::new();
    }
    let kinematics = system.names.kinematics();
    let mut graph = system.graph.clone();
    let defaults = defaults(&mut graph, head);
    let gradient = |graph: &mut Graph, part: NodeId| {
        let gradient = kinematics.gradient(graph, part);
        graph.substitute(&gradient, &defaults)
    };
    let weights = with_total(&mut graph, &gravity.weights, &gradient);
    let negative = |graph: &mut Graph, weight: &Vec<NodeId>| -> Vec<NodeId> {
        weight.iter().map(|entry| graph.neg(*entry)).collect()
    };
    let opposite: Vec<Vec<NodeId>> = weights
        .iter()
        .map(|weight| negative(&mut graph, weight))
        .collect();
    let twice = find_said(&mut graph, statements, &weights, &gradient);
    let against = find_said(&mut graph, statements, &opposite, &gradient);
    let twice = twice.into_iter().map(|written| {
        let message = "this part of `V` is the weight of a body, which `gravity` gives already: it acts twice";
        warning(written, (Code::WeightTwice, "weight_given_twice"), message)
    });
    let against = against.into_iter().map(|written| {
        let message = "this part of `V` is the weight of a body with the wrong sign: beside `gravity`, which gives \
                       it already, the body has no weight";
        warning(written, (Code::WeightSign, "weight_of_wrong_sign"), message)
    });
    twice.chain(against).collect()
}

/// Warns of a part of `D` that a `damper` or an `actuator` adds already.
pub(super) fn warn_of_dampings(system: &System, tables: &Tables) -> Vec<Warning> {
    let statements = &tables.energies.dissipation_statements;
    let dampers: Vec<NodeId> = tables
        .parts
        .iter()
        .filter(|part| part.kind == PartKind::Damper)
        .map(|part| part.value)
        .collect();
    if statements.is_empty() || dampers.is_empty() {
        return Vec::new();
    }
    let velocities = system.names.velocity_symbols();
    let mut graph = system.graph.clone();
    let gradient = |graph: &mut Graph, part: NodeId| graph.gradient(part, &velocities);
    let forces = with_total(&mut graph, &dampers, &gradient);
    let twice = find_said(&mut graph, statements, &forces, &gradient);
    let message = "a `damper` or `actuator` already gives this part of `D`: it acts twice";
    let kind = (Code::DampingTwice, "damping_given_twice");
    twice
        .into_iter()
        .map(|written| warning(written, kind, message))
        .collect()
}

/// The parameters with a default, and their values.
fn defaults(graph: &mut Graph, head: &Head) -> Vec<(Symbol, NodeId)> {
    let mut defaults = Vec::new();
    let mut first = 0;
    for parameter in &head.parameters {
        for (i, value) in parameter.default.iter().flatten().enumerate() {
            let symbol = Symbol::Parameter((first + i) as u32);
            defaults.push((symbol, graph.number(Number::float(*value))));
        }
        first += parameter.shape.len();
    }
    defaults
}

/// The gradient of each part, and the gradient of their sum.
fn with_total(
    graph: &mut Graph,
    parts: &[NodeId],
    gradient: &dyn Fn(&mut Graph, NodeId) -> Vec<NodeId>,
) -> Vec<Vec<NodeId>> {
    let mut gradients: Vec<Vec<NodeId>> = parts.iter().map(|part| gradient(graph, *part)).collect();
    let count = gradients.first().map_or(0, Vec::len);
    let total = (0..count)
        .map(|i| graph.total(gradients.iter().map(|gradient| gradient[i])))
        .collect();
    gradients.push(total);
    gradients
}

/// The statements with a part that has one of these gradients.
fn find_said<'t>(
    graph: &mut Graph,
    statements: &'t [(Written, Vec<NodeId>)],
    gradients: &[Vec<NodeId>],
    gradient: &dyn Fn(&mut Graph, NodeId) -> Vec<NodeId>,
) -> Vec<&'t Written> {
    let mut verdicts = Verdicts::new();
    for (written, parts) in statements {
        let is_one = parts.iter().any(|part| {
            let own_gradient = gradient(graph, *part);
            gradients
                .iter()
                .any(|other| are_same(graph, &own_gradient, other))
        });
        verdicts.add(written, is_one);
    }
    verdicts.unanimous().collect()
}

/// True if two gradients are equal at every point and are not zero.
fn are_same(graph: &mut Graph, left: &[NodeId], right: &[NodeId]) -> bool {
    let pairs = || left.iter().zip(right);
    // The structural zeros exclude most pairs without any evaluation.
    let have_same_zeros = pairs().all(|(l, r)| graph.is_zero(*l) == graph.is_zero(*r));
    if !have_same_zeros || left.iter().all(|entry| graph.is_zero(*entry)) {
        return false;
    }
    let differences: Vec<NodeId> = pairs().map(|(l, r)| graph.sub(*l, *r)).collect();
    is_identically_zero(graph, &differences)
        .iter()
        .all(|answer| *answer == Answer::Yes)
}
