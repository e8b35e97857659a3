//! Systems whose equations determine no accelerations, at any state.

use crate::probe::all_vanish;
use crate::{Answer, Dynamics, NodeId, Quantity, is_singular, rank};

/// Why a system has no accelerations, at any state.
///
/// ```
/// use lagrange_engine::{Degeneracy, Dynamics, System, degeneracy};
/// // T = (dx/dt + dy/dt)^2 moves both, and nothing tells them apart.
/// let text = "coordinates x y\nnode %0 = velocity 0\nnode %1 = velocity 1\nnode %2 = sum 0 1*%0 1*%1\n\
///             node %3 = product %2^2\nkinetic %3\n";
/// let dynamics = Dynamics::new(text.parse::<System>()?);
/// assert_eq!(degeneracy(&dynamics), Some(Degeneracy::SingularMassMatrix));
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Degeneracy {
    /// Nothing determines these velocities: their rows of M and their columns of J are zero.
    Massless(Vec<usize>),
    /// M is singular everywhere, by a combination of coordinates; nothing is constrained.
    SingularMassMatrix,
    /// `[M -J^T; J 0]` is singular everywhere, by a combination of coordinates or of constraints.
    SingularSystem,
}

/// Whether `[M -J^T; J 0]`, or M where there is no constraint, is singular at every state and for all
/// parameters.
///
/// A matrix that is singular at some states only, or for some parameters, is fine; so is a singular
/// M whose massless combinations the constraints determine.
///
/// ```
/// use lagrange_engine::{Degeneracy, Dynamics, System, degeneracy};
/// // Nothing has to do with y, unless a constraint ties it to x.
/// let text = "coordinates x y\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
/// let dynamics = Dynamics::new(text.parse::<System>()?);
/// assert_eq!(degeneracy(&dynamics), Some(Degeneracy::Massless(vec![1])));
/// let tied = format!("{text}node %2 = coordinate 0\nnode %3 = coordinate 1\n\
///                     node %4 = sum 0 1*%2 -1*%3\nholonomic tie %4\n");
/// assert_eq!(degeneracy(&Dynamics::new(tied.parse::<System>()?)), None);
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
pub fn degeneracy(dynamics: &Dynamics) -> Option<Degeneracy> {
    let massless = massless(dynamics);
    if !massless.is_empty() {
        return Some(Degeneracy::Massless(massless));
    }
    let mass = rows(dynamics, Quantity::MassMatrix);
    let saddle = with_constraints(dynamics, &mass);
    let graph = dynamics.graph();
    if saddle.len() == mass.len() {
        let singular = is_singular(&graph, &mass) == Answer::Yes;
        return singular.then_some(Degeneracy::SingularMassMatrix);
    }
    let found = rank(&graph, &saddle);
    let singular = found.rank < saddle.len() && found.certain;
    singular.then_some(Degeneracy::SingularSystem)
}

/// The velocities that nothing determines.
fn massless(dynamics: &Dynamics) -> Vec<usize> {
    let columns = dynamics.jacobian_columns();
    let rows = rows(dynamics, Quantity::MassMatrix)
        .into_iter()
        .zip(columns);
    let entries: Vec<Vec<NodeId>> = rows.map(|(row, column)| [row, column].concat()).collect();
    let graph = dynamics.graph();
    (0..entries.len())
        .filter(|i| all_vanish(&graph, &entries[*i]))
        .collect()
}

/// A matrix of n columns, by its rows.
fn rows(dynamics: &Dynamics, matrix: Quantity) -> Vec<Vec<NodeId>> {
    let entries = dynamics.written_expressions(matrix);
    let columns = dynamics.sizes().velocities.max(1);
    entries.chunks(columns).map(<[NodeId]>::to_vec).collect()
}

/// `[M J^T; J]`, row by row, without the zeros at the end: the sign of J^T changes no rank.
fn with_constraints(dynamics: &Dynamics, mass: &[Vec<NodeId>]) -> Vec<Vec<NodeId>> {
    let upper = mass.iter().zip(dynamics.jacobian_columns());
    let upper = upper.map(|(row, column)| [&row[..], &column].concat());
    upper
        .chain(rows(dynamics, Quantity::ConstraintJacobian))
        .collect()
}
