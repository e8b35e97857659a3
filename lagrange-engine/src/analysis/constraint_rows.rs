//! The constraints of a system at velocity level, before its equations are derived.

use crate::{ConstraintKind, Graph, NodeId, Symbol, System};

/// One scalar constraint and its first derivatives.
pub(super) struct Row {
    pub(super) kind: ConstraintKind,
    pub(super) residual: NodeId,
    /// Its row of J: dr/dq of a holonomic constraint, dr/dv of another.
    pub(super) jacobian: Vec<NodeId>,
    /// dr/dt along the motion of a holonomic constraint, the residual of another.
    pub(super) velocity: NodeId,
}

/// The rows of all constraints, in order of declaration.
pub(super) fn rows(graph: &mut Graph, system: &System) -> Vec<Row> {
    let coordinates = system.names.coordinate_symbols();
    let velocities = system.names.velocity_symbols();
    let one = graph.integer(1);
    let rates = coordinates.iter().zip(&velocities);
    let mut along: Vec<(Symbol, NodeId)> = rates.map(|(q, v)| (*q, graph.symbol(*v))).collect();
    along.push((Symbol::Time, one));
    let row = |constraint: &crate::Constraint| {
        let residual = constraint.residual;
        let (jacobian, velocity) = match constraint.kind {
            ConstraintKind::Holonomic => (
                graph.gradient(residual, &coordinates),
                graph.directional(&[residual], &along)[0],
            ),
            ConstraintKind::Nonholonomic => (graph.gradient(residual, &velocities), residual),
        };
        Row {
            kind: constraint.kind,
            residual,
            jacobian,
            velocity,
        }
    };
    system.constraints.iter().map(row).collect()
}
