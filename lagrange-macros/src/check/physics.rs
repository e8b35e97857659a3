//! What can be said of a whole system: the form of its energies, forces given twice, inertia.

use lagrange_engine::{
    Answer, Degeneracy, Dependence, Dynamics, Energy, Graph, NodeId, System, degeneracy, derive,
    is_identically_zero, velocity_degree,
};

use super::usage;
use crate::errors::Errors;
use crate::lower::Lowering;
use crate::lower::constraints::LoweredConstraint;
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
///
/// What a constraint with a mistake mentions may be determined by it once it is right.
pub(crate) fn inertia_among_mistakes(lowering: &mut Lowering<'_>, system: &System, head: &Head) {
    let mut system = system.clone();
    let zero = system.graph.integer(0);
    if let Energy::Natural { potential, .. } = &mut system.energy {
        *potential = zero;
    }
    system.dissipation = zero;
    system.forces.fill(zero);
    system.outputs.clear();
    let constraints = &lowering.constraints;
    let mistaken: Vec<&LoweredConstraint> = constraints.iter().filter(|c| !c.is_sound).collect();
    let sides = mistaken.iter().flat_map(|constraint| &constraint.sides);
    let mentioned = system
        .graph
        .reachable(&sides.copied().collect::<Vec<NodeId>>());
    let is_open = |coordinate: &Declared| usage::occurs(&mut system, &mentioned, coordinate);
    let open: Vec<bool> = head.coordinates.iter().map(is_open).collect();
    let sound = constraints
        .iter()
        .flat_map(|constraint| constraint.rows.iter().map(|_| constraint.is_sound));
    let mut sound = sound.into_iter();
    system.constraints.retain(|_| sound.next() == Some(true));
    let all_sound = mistaken.is_empty();

    let errors = &mut *lowering.evaluator.errors;
    match degeneracy(&derive(system.clone())) {
        Some(Degeneracy::Massless(elements)) => {
            let judged = head.coordinates.iter().zip(open);
            let judged = judged.filter_map(|(coordinate, open)| (!open).then_some(coordinate));
            without_inertia(judged, &elements, !system.constraints.is_empty(), errors);
        }
        Some(degeneracy) if all_sound => singular(&degeneracy, head, errors),
        _ => {}
    }
}

/// Mass matrix and constraints determine every acceleration. To be called on the derived equations,
/// where the matrices exist already.
pub(crate) fn inertia(dynamics: &Dynamics, head: &Head, errors: &mut Errors) {
    match degeneracy(dynamics) {
        Some(Degeneracy::Massless(elements)) => {
            let is_constrained = !dynamics.constraints.is_empty();
            without_inertia(head.coordinates.iter(), &elements, is_constrained, errors);
        }
        Some(degeneracy) => singular(&degeneracy, head, errors),
        None => {}
    }
}

/// Reports those of the coordinates that have an element among these massless ones.
fn without_inertia<'a>(
    coordinates: impl Iterator<Item = &'a Declared>,
    elements: &[usize],
    is_constrained: bool,
    errors: &mut Errors,
) {
    for coordinate in coordinates {
        let own = coordinate.first..coordinate.first + coordinate.shape.len();
        if !elements.iter().any(|element| own.contains(element)) {
            continue;
        }
        let name = &coordinate.name;
        let message = if is_constrained {
            format!(
                "the coordinate `{name}` has no inertia, and no constraint determines it: its row of \
                 the mass matrix and its column of the constraint Jacobian are zero\n\n\
                 help: give it a mass or a constraint, or remove it"
            )
        } else {
            format!(
                "the coordinate `{name}` has no inertia: its row of the mass matrix is zero\n\n\
                 help: give it a mass, or remove it"
            )
        };
        errors.error(name, message);
    }
}

fn singular(degeneracy: &Degeneracy, head: &Head, errors: &mut Errors) {
    let message = match degeneracy {
        Degeneracy::SingularSystem => {
            "the equations of motion are singular at every state: some combination of the \
             coordinates has no inertia, and no constraint determines it\n\n\
             help: give it a kinetic energy or a constraint, or use fewer coordinates"
        }
        Degeneracy::SingularMassMatrix | Degeneracy::Massless(_) => {
            "the mass matrix is singular at every state: some combination of the coordinates has \
             no inertia\n\n\
             help: give it a kinetic energy, or use fewer coordinates"
        }
    };
    errors.error(&head.name, message);
}
