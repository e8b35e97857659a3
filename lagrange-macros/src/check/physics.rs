//! What can be said of a whole system: the form of its energies, forces given twice, inertia.

use lagrange_engine::{
    Answer, Dependence, Dynamics, Energy, Graph, NodeId, System, derive, is_identically_zero,
    is_singular, lower_triangle, velocity_degree,
};

use crate::errors::Errors;
use crate::lower::Lowering;
use crate::lower::forces::ForceStatement;
use crate::model::{Declared, Head, Warning};

/// Each statement of `T` is a polynomial of degree two at most in the velocities. Whether it is.
pub(crate) fn kinetic_energy(lowering: &mut Lowering<'_>, graph: &Graph) -> bool {
    let mut is_quadratic = true;
    for (place, value) in &lowering.energies.kinetic_statements {
        if velocity_degree(graph, *value).is_none_or(|degree| degree > 2) {
            let message = "`T` is not a polynomial of degree 2 or less in the velocities\n\n\
                           help: give the whole Lagrangian as `L = ..`, which may be any function";
            lowering.evaluator.errors.error(*place, message);
            is_quadratic = false;
        }
    }
    is_quadratic
}

/// Warns of a conservative force that a term of `V` gives already.
pub(crate) fn forces_given_twice(
    lowering: &Lowering<'_>,
    system: &mut System,
    warnings: &mut Vec<Warning>,
) {
    let suspects = lowering.forces.statements.iter();
    let suspects: Vec<&ForceStatement> = suspects
        .filter(|statement| is_positional(&system.graph, statement))
        .collect();
    if suspects.is_empty() {
        return;
    }
    let coordinates = system.names.coordinate_symbols();
    let gradients: Vec<Vec<NodeId>> = lowering
        .energies
        .potential_parts
        .iter()
        .map(|part| system.graph.gradient(*part, &coordinates))
        .collect();
    for statement in suspects {
        if gradients
            .iter()
            .any(|gradient| is_same(system, statement, gradient))
        {
            warnings.push(Warning {
                span: statement.keyword,
                message: "this force is in `V` already: it equals -dV/dq of one of its terms, and \
                          acts twice"
                    .to_owned(),
            });
        }
    }
}

/// Whether a force is one that a potential could give, and not zero.
fn is_positional(graph: &Graph, statement: &ForceStatement) -> bool {
    let positions = |node: &NodeId| {
        let dependence = graph.dependence(*node);
        !dependence.intersects(Dependence::VELOCITY.union(Dependence::INPUT))
    };
    let mut forces = statement.generalized.iter().map(|(_, force)| force);
    forces.clone().all(positions) && forces.any(|force| !graph.is_zero(*force))
}

/// Whether the force equals minus this gradient, at every point.
fn is_same(system: &mut System, statement: &ForceStatement, gradient: &[NodeId]) -> bool {
    let graph = &mut system.graph;
    let mut rest = gradient.to_vec();
    let mut sums = Vec::new();
    let zero = graph.integer(0);
    for (coordinate, force) in &statement.generalized {
        let Some(slope) = rest.get_mut(*coordinate) else {
            return false;
        };
        // Structure rules out most pairs before any evaluation.
        if graph.is_zero(*slope) != graph.is_zero(*force) {
            return false;
        }
        sums.push(graph.add(*force, *slope));
        *slope = zero;
    }
    if statement.of_all && rest.iter().any(|slope| !graph.is_zero(*slope)) {
        return false;
    }
    is_identically_zero(graph, &sums)
        .iter()
        .all(|answer| *answer == Answer::Yes)
}

/// The same question as [`inertia`] puts, of a system whose mistakes are elsewhere.
pub(crate) fn inertia_among_mistakes(system: &System, head: &Head, errors: &mut Errors) {
    let mut system = system.clone();
    let zero = system.graph.integer(0);
    if let Energy::Natural { potential, .. } = &mut system.energy {
        *potential = zero;
    }
    system.dissipation = zero;
    system.forces.fill(zero);
    system.outputs.clear();
    inertia(&derive(system), head, errors);
}

/// The mass matrix determines every acceleration. To be called on the derived equations, where the
/// matrix exists already.
pub(crate) fn inertia(dynamics: &Dynamics, head: &Head, errors: &mut Errors) {
    let n = dynamics.coordinate_count();
    let entry = |i: usize, j: usize| dynamics.mass_matrix[lower_triangle(i.max(j), i.min(j))];
    let is_without = |row: usize| {
        let row: Vec<NodeId> = (0..n).map(|column| entry(row, column)).collect();
        let answers = is_identically_zero(&dynamics.graph, &row);
        answers.iter().all(|answer| *answer == Answer::Yes)
    };
    let mut all_have = true;
    for coordinate in &head.coordinates {
        let elements = coordinate.first..coordinate.first + coordinate.shape.len();
        if elements.clone().any(is_without) {
            all_have = false;
            errors.error(&coordinate.name, without_inertia(coordinate));
        }
    }
    let rows: Vec<Vec<NodeId>> = (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect();
    if all_have && is_singular(&dynamics.graph, &rows) == Answer::Yes {
        let message = "the mass matrix is singular at every state: some combination of the \
                       coordinates has no inertia\n\n\
                       help: give it a kinetic energy, or use fewer coordinates";
        errors.error(&head.name, message);
    }
}

fn without_inertia(coordinate: &Declared) -> String {
    let name = &coordinate.name;
    format!(
        "the coordinate `{name}` has no inertia: its row of the mass matrix is zero\n\n\
         help: give it a mass, or remove it"
    )
}
