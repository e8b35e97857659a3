//! Systems whose equations do not determine the accelerations, at any state.

use crate::probe::all_vanish;
use crate::{Answer, Dynamics, NodeId, Quantity, is_singular, rank};

/// The reason why a system has no accelerations, at any state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Degeneracy {
    /// Nothing determines these velocities: their rows of M and their columns of J are zero.
    Massless(Vec<usize>),
    /// M is singular everywhere, by a combination of coordinates; nothing is constrained.
    SingularMassMatrix,
    /// `[M -J^T; J 0]` is singular everywhere, by a combination of coordinates or of constraints.
    SingularSystem,
    /// `[M -(J^T + B); J 0]` is singular everywhere, and without the forces by multipliers it is not.
    SingularReactions,
}

/// The reason why `[M -J^T; J 0]`, or M without constraints, is singular at every state and for all parameters.
///
/// A matrix may be singular at some states only, or for some parameters. M may be singular if the constraints determine
/// its massless combinations.
///
/// If rows of J `are_redundant`, those that depend on others are not a reason. If forces depend on multipliers, the matrix
/// is judged with them, too.
pub fn degeneracy(dynamics: &Dynamics, are_redundant: bool) -> Option<Degeneracy> {
    let massless = find_massless(dynamics);
    if !massless.is_empty() {
        return Some(Degeneracy::Massless(massless));
    }
    let mass = rows_of(dynamics, Quantity::MassMatrix);
    let saddle = append_constraints(dynamics, &mass);
    let graph = dynamics.graph();
    if saddle.len() == mass.len() {
        let singular = is_singular(&graph, &mass) == Answer::Yes;
        return singular.then_some(Degeneracy::SingularMassMatrix);
    }
    let saddle_rank = rank(&graph, &saddle);
    // Rows that depend on each other leave a unique if the others determine it.
    let constraints = match are_redundant {
        true => rank(&graph, &saddle[mass.len()..]).rank,
        false => saddle.len() - mass.len(),
    };
    let needed = mass.len() + constraints;
    if saddle_rank.rank < needed && saddle_rank.certain {
        return Some(Degeneracy::SingularSystem);
    }
    drop(graph);
    let reacting = add_multiplier_forces(dynamics, saddle)?;
    let saddle_rank = rank(&dynamics.graph(), &reacting);
    let singular = saddle_rank.rank < needed && saddle_rank.certain;
    singular.then_some(Degeneracy::SingularReactions)
}

/// `[M J^T + B; J]` from the same without B; `None` if no force depends on a multiplier.
fn add_multiplier_forces(
    dynamics: &Dynamics,
    mut saddle: Vec<Vec<NodeId>>,
) -> Option<Vec<Vec<NodeId>>> {
    let sizes = dynamics.sizes();
    let forces = dynamics.written_expressions(Quantity::MultiplierForces);
    if forces.is_empty() {
        return None;
    }
    let columns = sizes.constraints + sizes.contacts;
    dynamics.deriving(|derivation| {
        let graph = derivation.graph();
        for (row, forces) in saddle.iter_mut().zip(forces.chunks(columns)) {
            for (entry, force) in row[sizes.velocities..].iter_mut().zip(forces) {
                *entry = graph.add(*entry, *force);
            }
        }
    });
    Some(saddle)
}

/// The velocities that nothing determines.
fn find_massless(dynamics: &Dynamics) -> Vec<usize> {
    let columns = dynamics.jacobian_columns();
    let entries: Vec<Vec<NodeId>> = rows_of(dynamics, Quantity::MassMatrix)
        .into_iter()
        .zip(columns)
        .map(|(row, column)| [row, column].concat())
        .collect();
    let graph = dynamics.graph();
    (0..entries.len())
        .filter(|i| all_vanish(&graph, &entries[*i]))
        .collect()
}

/// A matrix of n columns, by its rows.
fn rows_of(dynamics: &Dynamics, matrix: Quantity) -> Vec<Vec<NodeId>> {
    let entries = dynamics.written_expressions(matrix);
    let columns = dynamics.sizes().velocities.max(1);
    entries.chunks(columns).map(<[NodeId]>::to_vec).collect()
}

/// `[M J^T; J]`, row by row, without the zeros at the end: the sign of J^T changes no rank.
fn append_constraints(dynamics: &Dynamics, mass: &[Vec<NodeId>]) -> Vec<Vec<NodeId>> {
    mass.iter()
        .zip(dynamics.jacobian_columns())
        .map(|(row, column)| [&row[..], &column].concat())
        .chain(rows_of(dynamics, Quantity::ConstraintJacobian))
        .collect()
}
