//! The test of a declared symmetry, and whether its quantity is conserved.
//!
//! A direction xi(q, t) moves q by `N xi` and with it the velocities by the prolongation
//! `d xi/dt + w x xi`, the second part for the velocities w of a rotation only. Along a motion
//!
//! `d/dt (p . xi) = (change of L) + (Q + J^T lambda) . xi`
//!
//! (E. Noether, 1918; with forces and constraints J. Papastavridis, *Analytical Mechanics*, 2002,
//! section 8.13). A symmetry changes neither L nor a constraint at any state that the constraints allow;
//! off the constraints both may change.

use super::jumps::jumps_along;
use crate::forms::Derivation;
use crate::probe::{Surface, vanishes_on};
use crate::{Answer, Dynamics, NodeId, Quantity, Symbol, is_identically_zero};

/// The reason why a direction is not a symmetry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymmetryDefect {
    /// The direction moves nothing.
    Idle,
    /// An energy changes along it.
    Energy {
        /// T or V, or L of a system that is given by it.
        energy: Quantity,
        /// Its rate of change; 0 if it only jumps.
        change: NodeId,
    },
    /// A constraint changes along it.
    Constraint {
        /// Its position among the system's.
        position: usize,
        /// The rate of change of its residual; 0 if it only jumps.
        change: NodeId,
    },
}

/// The defect of the symmetry of this number, by structure first and then by evaluation at random points; with
/// constraints at points that meet them.
pub fn symmetry_defect(dynamics: &Dynamics, number: usize) -> Option<SymmetryDefect> {
    let along = dynamics.symmetry(number)?;
    let is_still = is_identically_zero(&dynamics.graph(), &along);
    if is_still.iter().all(|answer| *answer == Answer::Yes) {
        return Some(SymmetryDefect::Idle);
    }
    let flow = dynamics.deriving(|derivation| prolong(derivation, &along));
    let energy = find_energy_defect(dynamics, &flow);
    energy.or_else(|| find_constraint_defect(dynamics, &flow))
}

/// Returns whether p . xi of a symmetry stays constant along every motion: neither a force nor a constraint does work
/// along it.
pub(crate) fn is_conserved(dynamics: &Dynamics, number: usize) -> bool {
    let Some(along) = dynamics.symmetry(number) else {
        return false;
    };
    let forces = dynamics.deriving(|derivation| derivation.forces_with_multipliers());
    let jacobian = dynamics.written_expressions(Quantity::ConstraintJacobian);
    let rows = jacobian.chunks(along.len().max(1));
    let rows = std::iter::once(&forces[..]).chain(rows);
    let work = dynamics.deriving(|derivation| {
        rows.map(|row| derivation.graph().dot(row, &along))
            .collect::<Vec<NodeId>>()
    });
    vanish(dynamics, &work).iter().all(|vanishes| *vanishes)
}

/// The motion of q and v: `N xi` and the prolongation.
fn prolong(derivation: &mut Derivation<'_>, along: &[NodeId]) -> Vec<(Symbol, NodeId)> {
    let kinematics = derivation.kinematics;
    let rates = derivation.rates_at_constant_velocity(along);
    let graph = derivation.graph();
    let turned = kinematics.gyroscopic(graph, along);
    let velocities: Vec<NodeId> = rates
        .iter()
        .zip(turned)
        .map(|(a, b)| graph.add(*a, b))
        .collect();
    let coordinates = kinematics.moved_by(graph, along);
    kinematics
        .coordinate_symbols()
        .into_iter()
        .chain(kinematics.velocity_symbols())
        .zip(coordinates.into_iter().chain(velocities))
        .collect()
}

/// T and V may change together, as long as their difference does not.
fn find_energy_defect(dynamics: &Dynamics, flow: &[(Symbol, NodeId)]) -> Option<SymmetryDefect> {
    let (names, parts) = dynamics.energies();
    let (changes, total, jumps) = dynamics.deriving(|derivation| {
        let graph = derivation.graph();
        let changes = graph.directional(&parts, flow);
        let total = match changes[..] {
            [kinetic, potential] => graph.sub(kinetic, potential),
            _ => changes[0],
        };
        let jumps: Vec<bool> = parts
            .iter()
            .map(|part| jumps_along(graph, &[*part], flow))
            .collect();
        (changes, total, jumps)
    });
    let is_changed: Vec<bool> = match vanish(dynamics, &[total])[..] {
        [true] => jumps,
        _ => vanish(dynamics, &changes).iter().map(|is| !is).collect(),
    };
    let number = is_changed.into_iter().position(|is_changed| is_changed)?;
    Some(SymmetryDefect::Energy {
        energy: names[number],
        change: dynamics.short(changes[number]),
    })
}

fn find_constraint_defect(
    dynamics: &Dynamics,
    flow: &[(Symbol, NodeId)],
) -> Option<SymmetryDefect> {
    let residuals = dynamics.constraint_residuals();
    let (changes, jumps) = dynamics.deriving(|derivation| {
        let graph = derivation.graph();
        let changes = graph.directional(&residuals, flow);
        let jumps = residuals
            .iter()
            .map(|residual| jumps_along(graph, &[*residual], flow));
        (changes, jumps.collect::<Vec<bool>>())
    });
    let are_constant = vanish(dynamics, &changes);
    let position = are_constant
        .iter()
        .zip(jumps)
        .position(|(are_constant, jumps)| !are_constant || jumps)?;
    Some(SymmetryDefect::Constraint {
        position,
        change: dynamics.short(changes[position]),
    })
}

/// For each of these whether it is zero, everywhere or wherever the constraints hold.
fn vanish(dynamics: &Dynamics, roots: &[NodeId]) -> Vec<bool> {
    let everywhere = is_identically_zero(&dynamics.graph(), roots);
    let mut is_zero: Vec<bool> = everywhere
        .iter()
        .map(|answer| *answer == Answer::Yes)
        .collect();
    if dynamics.sizes().constraints == 0 || is_zero.iter().all(|is_zero| *is_zero) {
        return is_zero;
    }
    let of = |quantity| dynamics.written_expressions(quantity);
    let (residuals, velocity) = (
        of(Quantity::ConstraintResidual),
        of(Quantity::ConstraintVelocity),
    );
    let (slopes, jacobian) = (
        of(Quantity::HolonomicJacobian),
        of(Quantity::ConstraintJacobian),
    );
    let surface = Surface {
        kinematics: dynamics.kinematics(),
        residuals: &residuals,
        slopes: &slopes,
        velocity: &velocity,
        jacobian: &jacobian,
        acceleration: &[],
    };
    let there = vanishes_on(&dynamics.graph(), &surface, roots);
    for (is_zero, answer) in is_zero.iter_mut().zip(there) {
        *is_zero |= answer == Answer::Yes;
    }
    is_zero
}
