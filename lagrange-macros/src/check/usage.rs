//! What is missing, and what nothing reads.

use lagrange_engine::{Energy, NodeId, Symbol, System};

use super::constraints::enumeration;
use crate::lower::Lowering;
use crate::lower::scope::{BindingKind, Scope, text};
use crate::model::{Declared, Head, Unused, Velocity};

/// A system has a kinetic energy or a Lagrangian. Whether it has.
pub(crate) fn missing_terms(lowering: &mut Lowering<'_>, head: &Head) -> bool {
    let energies = &lowering.energies;
    let is_given =
        energies.kinetic.is_given() || energies.lagrangian.is_given() || energies.has_bodies;
    if lowering.all_known && !is_given {
        let message = "the kinetic energy is missing\n\nhelp: write `T = ..;`, or `L = ..;` alone";
        lowering.evaluator.errors.error(&head.name, message);
    }
    is_given
}

/// Parameters, inputs and `let`s that nothing reads, in order of declaration.
pub(crate) fn unused(scope: &Scope) -> Vec<Unused> {
    let may_be_unused = |kind| {
        matches!(
            kind,
            BindingKind::Parameter | BindingKind::Input | BindingKind::Let { public: false, .. }
        )
    };
    scope
        .bindings()
        .filter(|binding| !binding.read && may_be_unused(binding.kind))
        .map(|binding| Unused {
            name: binding.name.clone(),
            attributes: binding.attributes.clone(),
        })
        .collect()
}

/// Each coordinate occurs in an energy, a force or a constraint. Amid other mistakes only one whose
/// name occurs nowhere is sure not to. Whether all of them do, as far as is known.
pub(crate) fn idle_coordinates(
    lowering: &mut Lowering<'_>,
    head: &Head,
    system: &mut System,
) -> bool {
    let mut all_occur = true;
    if !lowering.evaluator.complete {
        return all_occur;
    }
    let is_sound = lowering.evaluator.errors.is_empty();
    let occurring = reachable(system);
    for coordinate in &head.coordinates {
        let read = lowering.evaluator.scope.find(&coordinate.name);
        let is_read = read.is_none_or(|binding| binding.read);
        let mut is_used = |velocity: usize| {
            let force = &lowering.forces.by_coordinate[velocity];
            if is_sound {
                !force.values.is_empty() || occurs(system, &occurring, velocity)
            } else {
                force.is_given() || is_read
            }
        };
        let velocities = coordinate.velocities();
        let mut idle: Vec<usize> = velocities.filter(|at| !is_used(*at)).collect();
        // A rotation is used as a whole.
        if matches!(coordinate.velocity, Velocity::Rotation(_)) && idle.len() < 3 {
            idle.clear();
        }
        if idle.is_empty() {
            continue;
        }
        all_occur = false;
        let Elements { subject, are_many } = Elements::of(coordinate, &idle);
        let them = if are_many { "them" } else { "it" };
        let help = match coordinate.velocity {
            Velocity::Rotation(_) => "turn the frame of a body by it".to_owned(),
            _ => format!("give {them} a kinetic energy"),
        };
        let message = format!("nothing depends on {subject}\n\nhelp: remove {them}, or {help}");
        lowering.evaluator.errors.error(&coordinate.name, message);
    }
    all_occur
}

/// Some elements of a coordinate, as messages name them.
pub(super) struct Elements {
    /// ``the coordinate `r` `` if it is about all of it, else ``the coordinates `r[0]` and `r[2]` ``.
    pub(super) subject: String,
    pub(super) are_many: bool,
}

impl Elements {
    /// Those of these velocities.
    pub(super) fn of(coordinate: &Declared, velocities: &[usize]) -> Self {
        let own = coordinate.velocities();
        let is_rotation = matches!(coordinate.velocity, Velocity::Rotation(_));
        let what = if is_rotation {
            "rotation"
        } else {
            "coordinate"
        };
        // Of a rotation its rates are named where some are meant.
        if velocities.len() == own.len() {
            return Elements {
                subject: format!("the {what} `{}`", text(&coordinate.name)),
                are_many: false,
            };
        }
        let (what, names) = if is_rotation {
            ("rate", coordinate.velocity_names())
        } else {
            (what, coordinate.element_names())
        };
        let own = velocities.iter().filter_map(|i| i.checked_sub(own.start));
        let quoted = own.filter_map(|i| Some(format!("`{}`", names.get(i)?)));
        let quoted: Vec<String> = quoted.collect();
        let are_many = quoted.len() > 1;
        let plural = if are_many { "s" } else { "" };
        Elements {
            subject: format!("the {what}{plural} {}", enumeration(&quoted)),
            are_many,
        }
    }
}

/// The nodes that the equations of motion are made of.
fn reachable(system: &mut System) -> Vec<bool> {
    let mut roots: Vec<NodeId> = system.forces.clone();
    roots.push(system.dissipation);
    roots.extend(system.constraints.iter().map(|row| row.residual));
    match system.whole_energy() {
        Energy::Natural { kinetic, potential } => roots.extend([kinetic, potential]),
        Energy::Lagrangian(lagrangian) => roots.push(lagrangian),
    }
    system.graph.reachable(&roots)
}

/// Whether a velocity, or a coordinate that it moves, is among these nodes.
pub(super) fn occurs(system: &mut System, nodes: &[bool], velocity: usize) -> bool {
    let kinematics = system.names.kinematics();
    let moved = match kinematics.rotation_of_velocity(velocity) {
        Some(rotation) => rotation.coordinate..rotation.coordinate + 4,
        None => {
            let own = kinematics.coordinate_of_velocity(velocity);
            let own = own.unwrap_or(velocity);
            own..own + 1
        }
    };
    let coordinates = moved.map(|i| Symbol::Coordinate(i as u32));
    let symbols = coordinates.chain([Symbol::Velocity(velocity as u32)]);
    let ids: Vec<NodeId> = symbols.map(|symbol| system.graph.symbol(symbol)).collect();
    ids.into_iter()
        .any(|id| nodes.get(id.index()) == Some(&true))
}
