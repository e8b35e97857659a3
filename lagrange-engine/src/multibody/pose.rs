//! A pose: its origin, its axes, and the motion of both.

use super::floating::Floating;
use super::space::{self, Matrix, Step, Vector};
use crate::{Graph, NodeId};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AxesId(pub(super) usize);

/// One of the poses; a declared frame may need several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PoseId(pub(super) usize);

impl PoseId {
    pub(super) const WORLD: Self = PoseId(0);
}

/// Base axes.
#[derive(Clone, Debug)]
pub(super) struct Axes {
    /// From the base axes before.
    pub(super) step: Step,
    pub(super) parent: AxesId,
    /// World components of a vector in these axes.
    pub(super) to_world: Matrix,
    /// Angular velocity, in these axes.
    pub(super) spin: Vector,
}

/// Rotations about one axis of the base axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) axis: usize,
    pub(super) angle: NodeId,
    pub(super) rate: NodeId,
    /// The number of its moving joints.
    pub(super) joints: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Pose {
    pub(super) axes: AxesId,
    pub(super) run: Option<Run>,
    /// From the base axes to the frame's own.
    pub(super) step: Step,
    /// In the world.
    pub(super) origin: Vector,
    /// Velocity of the origin and angular velocity, in the base axes and in the pose's own.
    pub(super) in_base: Motion,
    pub(super) in_own: Motion,
    /// The reference of the velocities above, and whether it begins with this pose.
    pub(super) floating: Option<Floating>,
    pub(super) floats: bool,
    /// True if it was turned only by exact rotations, as far as can be seen.
    pub(super) is_proven: bool,
    /// The pose before, and the path from its origin in its axes.
    pub(super) from: PoseId,
    pub(super) offset: Option<Vector>,
    /// The rate of the offset, and the angular velocity relative to the pose before, without that of the run; in the
    /// pose's own axes.
    pub(super) relative: Motion,
}

/// A velocity and an angular velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    pub(super) velocity: Vector,
    pub(super) spin: Vector,
}

impl Motion {
    pub(super) fn none(graph: &mut Graph) -> Self {
        Motion {
            velocity: space::zero(graph),
            spin: space::zero(graph),
        }
    }
}

impl Pose {
    /// Returns whether several joints turn about one axis, so that velocities are sums in the base axes.
    pub(super) fn is_planar(&self) -> bool {
        self.run.is_some_and(|run| run.joints > 1)
    }
}
