//! Systems whose equations determine no accelerations, at any state.

use crate::{
    Answer, Dynamics, Graph, NodeId, is_identically_zero, is_singular, lower_triangle, rank,
};

/// Why a system has no accelerations, at any state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Degeneracy {
    /// Nothing determines these coordinates: their rows of M and their columns of J are zero.
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
pub fn degeneracy(dynamics: &Dynamics) -> Option<Degeneracy> {
    let massless = massless(dynamics);
    if !massless.is_empty() {
        return Some(Degeneracy::Massless(massless));
    }
    let graph = &dynamics.graph;
    let mass = mass_matrix(dynamics);
    if dynamics.constraints.is_empty() {
        let singular = is_singular(graph, &mass) == Answer::Yes;
        return singular.then_some(Degeneracy::SingularMassMatrix);
    }
    let saddle = with_constraints(dynamics, mass);
    let found = rank(graph, &saddle);
    let singular = found.rank < saddle.len() && found.certain;
    singular.then_some(Degeneracy::SingularSystem)
}

fn massless(dynamics: &Dynamics) -> Vec<usize> {
    let n = dynamics.coordinate_count();
    let columns = dynamics.constraints.columns(n);
    let rows = mass_matrix(dynamics).into_iter().zip(columns);
    let entries: Vec<Vec<NodeId>> = rows.map(|(row, column)| [row, column].concat()).collect();
    (0..n)
        .filter(|i| vanish(&dynamics.graph, &entries[*i]))
        .collect()
}

fn vanish(graph: &Graph, entries: &[NodeId]) -> bool {
    let answers = is_identically_zero(graph, entries);
    answers.iter().all(|answer| *answer == Answer::Yes)
}

/// M, row by row.
fn mass_matrix(dynamics: &Dynamics) -> Vec<Vec<NodeId>> {
    let n = dynamics.coordinate_count();
    let entry = |i: usize, j: usize| dynamics.mass_matrix[lower_triangle(i.max(j), i.min(j))];
    (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect()
}

/// `[M J^T; J]`, row by row, without the zeros at the end: the sign of J^T changes no rank.
fn with_constraints(dynamics: &Dynamics, mass: Vec<Vec<NodeId>>) -> Vec<Vec<NodeId>> {
    let constraints = &dynamics.constraints;
    let columns = constraints.columns(mass.len());
    let upper = mass.into_iter().zip(columns);
    let upper = upper.map(|(row, column)| [row, column].concat());
    let lower = (0..constraints.len()).map(|i| constraints.row(i).to_vec());
    upper.chain(lower).collect()
}
