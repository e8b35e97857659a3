//! What is missing, and what nothing reads.

use lagrange_engine::{Energy, NodeId, Symbol, System};

use crate::lower::Lowering;
use crate::lower::scope::{BindingKind, Scope};
use crate::model::{Declared, Head, Unused};

/// A system has a kinetic energy or a Lagrangian. Whether it has.
pub(crate) fn missing_terms(lowering: &mut Lowering<'_>, head: &Head) -> bool {
    let energies = &lowering.energies;
    let is_given = energies.kinetic.is_given() || energies.lagrangian.is_given();
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
        let elements = coordinate.first..coordinate.first + coordinate.shape.len();
        let mut forces = lowering.forces.by_coordinate[elements].iter();
        let read = lowering.evaluator.scope.find(&coordinate.name);
        let is_read = read.is_none_or(|binding| binding.read);
        let is_used = if is_sound {
            forces.any(|force| !force.values.is_empty()) || occurs(system, &occurring, coordinate)
        } else {
            forces.any(|force| force.is_given()) || is_read
        };
        if !is_used {
            all_occur = false;
            let name = &coordinate.name;
            let message = format!(
                "nothing depends on the coordinate `{name}`\n\n\
                 help: remove it, or give it a kinetic energy"
            );
            lowering.evaluator.errors.error(name, message);
        }
    }
    all_occur
}

/// The nodes that the equations of motion are made of.
fn reachable(system: &System) -> Vec<bool> {
    let mut roots: Vec<NodeId> = system.forces.clone();
    roots.push(system.dissipation);
    roots.extend(system.constraints.iter().map(|row| row.residual));
    match system.energy {
        Energy::Natural { kinetic, potential } => roots.extend([kinetic, potential]),
        Energy::Lagrangian(lagrangian) => roots.push(lagrangian),
    }
    system.graph.reachable(&roots)
}

/// Whether any element of the coordinate, or its velocity, is among these nodes.
pub(super) fn occurs(system: &mut System, nodes: &[bool], coordinate: &Declared) -> bool {
    let elements = coordinate.first..coordinate.first + coordinate.shape.len();
    let symbols = elements.flat_map(|i| [Symbol::Coordinate(i as u32), Symbol::Velocity(i as u32)]);
    let mut ids = symbols.map(|symbol| system.graph.symbol(symbol));
    ids.any(|id| nodes.get(id.index()) == Some(&true))
}
