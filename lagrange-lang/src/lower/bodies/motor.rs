//! The motors of actuators, as later statements read them.

use lagrange_engine::NodeId;

/// The motor of a named actuator.
pub(crate) struct Motor {
    /// The values of the loop variables at the declaration.
    pub(super) indices: Vec<i64>,
    pub(super) is_elastic: bool,
    /// The coordinate of a motor behind an elastic gear; `None` for a rigid gear, and after a mistake.
    pub(super) coordinate: Option<Turned>,
}

/// A coordinate that a motor turns.
#[derive(Clone, Copy)]
pub(crate) struct Turned {
    pub(super) angle: NodeId,
    pub(super) rate: NodeId,
    /// Index of its velocity.
    pub(crate) velocity: usize,
}
