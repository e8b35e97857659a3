//! Physical checks of the whole system: the form of its energies, forces given twice, inertia.

use std::collections::HashSet;

use lagrange_engine::{
    Answer, Degeneracy, Dependence, Dynamics, Energy, Graph, NodeId, Shape, Symbol, System,
    degeneracy, is_identically_zero, velocity_degree,
};

use super::words::{Elements, MASSLESS_LINK};
use super::{hints, usage};
use crate::errors::{Code, Errors};
use crate::model::{Declared, Head, Velocity, Warning};
use crate::spans::SpanKey;
use crate::tables::{ForceEntry, PartEntry, PartKind, Tables};

/// Reports statements of `T` that are not polynomials of degree two or less in the velocities. Returns true if there
/// are none.
pub(crate) fn check_kinetic_energy(system: &System, tables: &Tables, errors: &mut Errors) -> bool {
    let graph = &system.graph;
    let is_quadratic = |value| velocity_degree(graph, value).is_some_and(|degree| degree <= 2);
    // A check of the sum suffices if a loop makes many statements.
    if matches!(system.energy, Energy::Natural { kinetic, .. } if is_quadratic(kinetic)) {
        return true;
    }
    let mut mistaken = tables
        .energies
        .kinetic
        .iter()
        .filter(|(_, value)| !is_quadratic(*value))
        .peekable();
    let are_quadratic = mistaken.peek().is_none();
    for (place, _) in mistaken {
        let message = "`T` is not a polynomial of degree 2 or less in the velocities\n\n\
                       help: give the whole Lagrangian as `L = ..`, which may be any function";
        errors.error(*place, Code::NotQuadratic, message);
    }
    are_quadratic
}

/// Warns of a conservative force that a term of `V` already gives.
pub(crate) fn warn_of_forces_given_twice(system: &System, tables: &Tables) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let suspects: Vec<&ForceEntry> = tables
        .forces
        .iter()
        .filter(|statement| is_positional(&system.graph, statement))
        .collect();
    if suspects.is_empty() {
        return warnings;
    }
    let kinematics = system.names.kinematics();
    let mut graph = system.graph.clone();
    let gradients: Vec<Vec<NodeId>> = tables
        .energies
        .potential
        .iter()
        .map(|part| kinematics.gradient(&mut graph, *part))
        .collect();
    // A statement in a loop gives several forces, but is a single mistake.
    let mut warned = HashSet::new();
    for statement in suspects {
        if gradients
            .iter()
            .any(|gradient| is_same(&mut graph, statement, gradient))
            && warned.insert(SpanKey::of(statement.keyword))
        {
            warnings.push(Warning {
                span: statement.keyword,
                code: Code::ForceTwice,
                name: "force_given_twice",
                message: "this force is in `V` already: it equals -dV/dq of one of its terms, and \
                          acts twice"
                    .to_owned(),
                attributes: statement.attributes.clone(),
            });
        }
    }
    warnings
}

/// True if a potential could give the force and the force is not zero.
fn is_positional(graph: &Graph, statement: &ForceEntry) -> bool {
    let positions = |node: &NodeId| {
        let dependence = graph.dependence(*node);
        !dependence.intersects(Dependence::VELOCITY.union(Dependence::INPUT))
    };
    let mut forces = statement.generalized.iter().map(|(_, force)| force);
    forces.clone().all(positions) && forces.any(|force| !graph.is_zero(*force))
}

/// True if the force equals minus this gradient at every point.
fn is_same(graph: &mut Graph, statement: &ForceEntry, gradient: &[NodeId]) -> bool {
    let mut remaining = gradient.to_vec();
    let mut sums = Vec::new();
    let zero = graph.integer(0);
    for (coordinate, force) in &statement.generalized {
        let Some(slope) = remaining.get_mut(*coordinate) else {
            return false;
        };
        // The structural zeros exclude most pairs without any evaluation.
        if graph.is_zero(*slope) != graph.is_zero(*force) {
            return false;
        }
        sums.push(graph.add(*force, *slope));
        *slope = zero;
    }
    if statement.of_all && remaining.iter().any(|slope| !graph.is_zero(*slope)) {
        return false;
    }
    is_identically_zero(graph, &sums)
        .iter()
        .all(|answer| *answer == Answer::Yes)
}

/// The same check as [`check_inertia`] for a system with mistakes in other places.
///
/// The check skips coordinates in constraints with mistakes, because the corrected constraints may determine these
/// coordinates.
pub(crate) fn check_inertia_among_mistakes(
    system: &System,
    tables: &Tables,
    is_sound: &[bool],
    head: &Head,
    errors: &mut Errors,
) {
    let mut system = system.clone().without_bodies();
    let zero = system.graph.integer(0);
    if let Energy::Natural { potential, .. } = &mut system.energy {
        *potential = zero;
    }
    system.dissipation = zero;
    system.forces.fill(zero);
    system.multiplier_forces.clear();
    system.outputs.clear();
    let constraints = tables.constraints.iter().zip(is_sound);
    let sides = constraints
        .clone()
        .filter(|(_, is_sound)| !**is_sound)
        .flat_map(|(constraint, _)| constraint.sides.iter().copied())
        .collect::<Vec<NodeId>>();
    let mentioned = system.graph.reachable(&sides);
    let kinematics = system.names.kinematics();
    let is_open = |element: usize| usage::occurs(&system.graph, &kinematics, &mentioned, element);
    let open: Vec<bool> = (0..head.velocity_count()).map(is_open).collect();
    let mut sound = constraints.flat_map(|(constraint, is_sound)| {
        let rows = 0..constraint.rows;
        rows.map(|_| *is_sound)
    });
    system.constraints.retain(|_| sound.next() == Some(true));
    let all_sound = is_sound.iter().all(|is_sound| *is_sound);

    let are_redundant = head.options.redundant.is_some();
    match degeneracy(&Dynamics::new(system.clone()), are_redundant) {
        Some(Degeneracy::Massless(elements)) => {
            let untouched: Vec<usize> = elements
                .into_iter()
                .filter(|element| !open[*element])
                .collect();
            let is_constrained = !system.constraints.is_empty();
            if !untouched.is_empty()
                && !hints::explain(&system.graph, tables, head, &untouched, errors)
            {
                report_without_inertia(
                    (&system.graph, head, tables),
                    &untouched,
                    is_constrained,
                    errors,
                );
            }
        }
        Some(degeneracy) if all_sound => {
            report_singular((&system.graph, head, tables), &degeneracy, errors);
        }
        _ => {}
    }
}

/// Checks that the mass matrix and the constraints determine every acceleration. It needs the derived equations, which
/// contain the matrices.
pub(crate) fn check_inertia(
    dynamics: &Dynamics,
    tables: &Tables,
    head: &Head,
    errors: &mut Errors,
) {
    let degeneracy = degeneracy(dynamics, head.options.redundant.is_some());
    let graph = &dynamics.graph();
    match degeneracy {
        Some(Degeneracy::Massless(elements)) => {
            let is_constrained = dynamics.sizes().constraints > 0;
            if !hints::explain(graph, tables, head, &elements, errors) {
                report_without_inertia((graph, head, tables), &elements, is_constrained, errors);
            }
        }
        Some(degeneracy @ Degeneracy::SingularReactions) => {
            report_singular((graph, head, tables), &degeneracy, errors);
        }
        Some(degeneracy) => {
            let velocities: Vec<usize> = (0..head.velocity_count()).collect();
            if !hints::explain(graph, tables, head, &velocities, errors) {
                report_singular((graph, head, tables), &degeneracy, errors);
            }
        }
        None => {}
    }
}

/// Reports the coordinates that have these massless elements.
fn report_without_inertia(
    (graph, head, tables): (&Graph, &Head, &Tables),
    elements: &[usize],
    is_constrained: bool,
    errors: &mut Errors,
) {
    for coordinate in &head.coordinates {
        let velocities = coordinate.velocities();
        let massless: Vec<usize> = elements
            .iter()
            .copied()
            .filter(|element| velocities.contains(element))
            .collect();
        if massless.is_empty() {
            continue;
        }
        let Elements { subject, are_many } = Elements::of(coordinate, &massless);
        let [has, them, rows, columns] = if are_many {
            ["have", "them", "their rows", "their columns"]
        } else {
            ["has", "it", "its row", "its column"]
        };
        let are = if are_many { "are" } else { "is" };
        let message = if is_constrained {
            let help = match coordinate.file {
                Some(_) => MASSLESS_LINK.to_owned(),
                None => format!("give {them} a mass or a constraint, or remove {them}"),
            };
            format!(
                "{subject} {has} no inertia, and no constraint determines {them}: {rows} of the mass \
                 matrix and {columns} of the constraint Jacobian are zero\n\nhelp: {help}"
            )
        } else {
            format!(
                "{subject} {has} no inertia: {rows} of the mass matrix {are} zero\n\n\
                 help: {}",
                match coordinate.velocity {
                    _ if coordinate.file.is_some() => MASSLESS_LINK.to_owned(),
                    Velocity::Rotation(_) =>
                        "give a body in the turned frame an inertia about all axes".to_owned(),
                    // The coordinate is the angle of a motor with an elastic gear.
                    _ if coordinate.path.is_some() => "give the actuator a `rotor`".to_owned(),
                    _ if !only_damps(graph, tables, coordinate, &massless) => {
                        format!("give {them} a mass, or remove {them}")
                    }
                    _ => {
                        let name = coordinate.text();
                        format!(
                            "give {them} a mass; or declare `{name}: state` and give its rate, `der({name}) = ..;`, \
                             which follows from `D` and `V`"
                        )
                    }
                }
            )
        };
        errors.error(&coordinate.name, Code::NoInertia, message);
    }
}

/// Returns whether these are all velocities of a coordinate, and only dissipation and potentials act on them.
fn only_damps(graph: &Graph, tables: &Tables, coordinate: &Declared, velocities: &[usize]) -> bool {
    let is_free = |velocity: &usize| {
        let entry = tables.velocities.get(*velocity);
        entry.is_some_and(|entry| !entry.has_force)
    };
    let damps = |part: &&PartEntry| matches!(part.kind, PartKind::Dissipation | PartKind::Damper);
    let damping = tables
        .parts
        .iter()
        .filter(damps)
        .map(|part| part.value)
        .collect::<Vec<NodeId>>();
    let damping = graph.reachable(&damping);
    let is_damped = |velocity: &usize| {
        let leaf = graph.leaf(Symbol::Velocity(*velocity as u32));
        leaf.is_some_and(|leaf| damping.get(leaf.index()) == Some(&true))
    };
    let is_whole = velocities.len() == coordinate.shape.len();
    let is_vector = !matches!(coordinate.shape, Shape::Matrix(..));
    is_whole && is_vector && velocities.iter().all(|v| is_free(v) && is_damped(v))
}

fn report_singular(
    (graph, head, tables): (&Graph, &Head, &Tables),
    degeneracy: &Degeneracy,
    errors: &mut Errors,
) {
    let message = match degeneracy {
        Degeneracy::SingularSystem => {
            "the equations of motion are singular at every state: some combination of the \
             coordinates has no inertia, and no constraint determines it\n\n\
             help: give it a kinetic energy or a constraint, or use fewer coordinates"
        }
        Degeneracy::SingularReactions => {
            "the equations of motion are singular at every state: the forces by multipliers cancel forces of \
             constraints\n\n\
             help: check their signs: in `M a = f + J^T lambda` a pushing force of `holonomic floor: y = 0` is positive"
        }
        Degeneracy::SingularMassMatrix | Degeneracy::Massless(_) => {
            "the mass matrix is singular at every state: some combination of the coordinates has \
             no inertia\n\n\
             help: give it a kinetic energy, or use fewer coordinates"
        }
    };
    let damped = head.coordinates.iter().find(|coordinate| {
        let velocities: Vec<usize> = coordinate.velocities().collect();
        only_damps(graph, tables, coordinate, &velocities)
    });
    let is_of_forces = matches!(degeneracy, Degeneracy::SingularReactions);
    let message = match damped.filter(|_| !is_of_forces) {
        None => message.to_owned(),
        Some(coordinate) => format!(
            "{message}; or declare `{0}: state` and give its rate, `der({0}) = ..;`, if that combination moves without \
             inertia",
            coordinate.text()
        ),
    };
    errors.error(&head.name, Code::SingularEquations, message);
}
