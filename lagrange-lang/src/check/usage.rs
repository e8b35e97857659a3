//! Checks for missing terms, and for declarations without any effect.

use lagrange_engine::{Energy, Graph, Kinematics, NodeId, Symbol, System};

use super::hints;
use super::words::{Elements, MASSLESS_LINK};
use crate::errors::{Code, Errors};
use crate::model::{Head, Velocity};
use crate::tables::Tables;

/// Checks that a system has a kinetic energy or a Lagrangian.
pub(crate) fn report_missing_terms(tables: &Tables, head: &Head, errors: &mut Errors) {
    if tables.known.statements && !tables.energies.is_given {
        let message = match head.robots.first() {
            Some(robot) => format!(
                "the kinetic energy is missing: no link of `{}` has a mass\n\n\
                 help: give links an `<inertial>` in the file, or put a `body` on their frames",
                robot.path
            ),
            None => "the kinetic energy is missing\n\nhelp: write `T = ..;`, or `L = ..;` alone"
                .to_owned(),
        };
        errors.error(&head.name, Code::NoKineticEnergy, message);
    }
}

/// Checks that a statement gives the rate of each state.
pub(crate) fn report_states_without_rates(tables: &Tables, head: &Head, errors: &mut Errors) {
    if !tables.known.statements {
        return;
    }
    let mut has_rate = tables.has_rate.iter();
    for state in &head.states {
        let name = state.text();
        let elements = state.element_names();
        let is_given: Vec<bool> = has_rate.by_ref().take(elements.len()).copied().collect();
        let missing = elements
            .iter()
            .zip(&is_given)
            .find(|(_, is_given)| !**is_given);
        let Some((first, _)) = missing else {
            continue;
        };
        if tables.misused.contains(&name) {
            continue;
        }
        let without = match is_given.contains(&true) {
            true => first,
            false => &name,
        };
        let message =
            format!("the state `{without}` has no rate\n\nhelp: give it by `der({without}) = ..;`");
        errors.error(&state.name, Code::NoRate, message);
    }
}

/// Checks that each coordinate occurs in an energy, a force or a constraint. Beside other mistakes it reports only
/// coordinates whose name occurs nowhere. Returns true if all coordinates are known to occur.
pub(crate) fn report_idle_coordinates(
    system: &System,
    tables: &Tables,
    head: &Head,
    errors: &mut Errors,
) -> bool {
    let mut all_occur = true;
    if !tables.known.names {
        return all_occur;
    }
    let is_sound = errors.is_empty();
    let whole = system.clone().without_bodies();
    let kinematics = whole.names.kinematics();
    let occurring = find_reachable(&whole);
    for (coordinate, is_read) in head.coordinates.iter().zip(&tables.is_read) {
        let is_used = |velocity: usize| {
            let along = tables.velocities[velocity];
            if is_sound {
                along.has_force || occurs(&whole.graph, &kinematics, &occurring, velocity)
            } else {
                along.is_named || *is_read
            }
        };
        let velocities = coordinate.velocities();
        let mut idle: Vec<usize> = velocities.filter(|velocity| !is_used(*velocity)).collect();
        // A rotation counts as used if any of its rates is.
        if let Velocity::Rotation(first) = coordinate.velocity {
            let all_idle = idle.clone();
            idle.retain(|velocity| {
                let first_rate = velocity - (velocity - first) % 3;
                (first_rate..first_rate + 3).all(|rate| all_idle.contains(&rate))
            });
        }
        if idle.is_empty() {
            continue;
        }
        all_occur = false;
        if is_sound && hints::explain(&system.graph, tables, head, &idle, errors) {
            return false;
        }
        let Elements { subject, are_many } = Elements::of(coordinate, &idle);
        let them = if are_many { "them" } else { "it" };
        let help = match coordinate.velocity {
            _ if coordinate.file.is_some() => MASSLESS_LINK.to_owned(),
            Velocity::Rotation(_) => {
                format!("remove {them}, or turn the frame of a body by {them}")
            }
            _ => format!("remove {them}, or give {them} a kinetic energy"),
        };
        let message = format!("nothing depends on {subject}\n\nhelp: {help}");
        errors.error(&coordinate.name, Code::IdleCoordinate, message);
    }
    all_occur
}

/// The nodes that contribute to the equations of motion of a system without bodies.
fn find_reachable(system: &System) -> Vec<bool> {
    let mut roots: Vec<NodeId> = system.forces.clone();
    roots.push(system.dissipation);
    roots.extend(&system.state_rates);
    roots.extend(system.constraints.iter().map(|row| row.residual));
    match system.energy {
        Energy::Natural { kinetic, potential } => roots.extend([kinetic, potential]),
        Energy::Lagrangian(lagrangian) => roots.push(lagrangian),
    }
    system.graph.reachable(&roots)
}

/// True if a velocity, or a coordinate with that velocity, is among these nodes.
pub(super) fn occurs(
    graph: &Graph,
    kinematics: &Kinematics,
    nodes: &[bool],
    velocity: usize,
) -> bool {
    let moved = match kinematics.rotation_of_velocity(velocity) {
        Some(rotation) => rotation.coordinate..rotation.coordinate + 4,
        None => {
            let coordinate = kinematics
                .coordinate_of_velocity(velocity)
                .unwrap_or(velocity);
            coordinate..coordinate + 1
        }
    };
    let mut symbols = moved
        .map(|i| Symbol::Coordinate(i as u32))
        .chain([Symbol::Velocity(velocity as u32)]);
    let is_among = |id: NodeId| nodes.get(id.index()) == Some(&true);
    symbols.any(|symbol| graph.leaf(symbol).is_some_and(is_among))
}
