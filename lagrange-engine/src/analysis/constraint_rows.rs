//! The constraints of a system at velocity level, before its equations are derived.

use crate::{ConstraintKind, Graph, NodeId, System};

/// One scalar constraint and its first derivatives.
pub(super) struct Row {
    pub(super) kind: ConstraintKind,
    pub(super) residual: NodeId,
    /// Its row of J, along the directions of v: dr/dq of a holonomic constraint, dr/dv of a nonholonomic one.
    pub(super) jacobian: Vec<NodeId>,
    /// dr/dt along the motion of a holonomic constraint, the residual of a nonholonomic one.
    pub(super) velocity: NodeId,
}

/// The rows of all constraints, in order of declaration.
pub(super) fn rows(graph: &mut Graph, system: &System) -> Vec<Row> {
    let kinematics = system.names.kinematics();
    graph.assume_rotations(&kinematics);
    let velocities = kinematics.velocity_symbols();
    let along = kinematics.along_the_motion(graph);
    let row = |constraint: &crate::Constraint| {
        let residual = constraint.residual;
        let (jacobian, velocity) = match constraint.kind {
            ConstraintKind::Holonomic => (
                kinematics.gradient(graph, residual),
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
