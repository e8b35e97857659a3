//! What is read of poses: places and motions in the world, of points, and along a vector.

use lagrange_engine::{Graph, NodeId};

use super::FrameId;
use super::kinematics::{Frames, Motion, Pose};
use super::space::{self, Matrix, Vector};

/// A point fixed to or moving in a frame, where its motion costs least.
pub(crate) struct PointMotion {
    /// Velocity of the frame's origin, and of the point relative to it, in the same axes.
    pub(crate) origin: Vector,
    pub(crate) relative: Vector,
}

impl Frames {
    pub(crate) fn origin(&self, frame: FrameId) -> Vector {
        self.pose(frame).origin
    }

    /// World components of a vector in the frame's axes.
    pub(crate) fn to_world(&self, graph: &mut Graph, frame: FrameId, vector: Vector) -> Vector {
        let in_base = self.pose(frame).step.apply(graph, vector);
        space::times(graph, &self.base(frame).to_world, in_base)
    }

    /// The world's components of the frame's axes, as columns.
    pub(crate) fn rotation(&self, graph: &mut Graph, frame: FrameId) -> Matrix {
        let base = self.base(frame).to_world;
        self.pose(frame).step.after(graph, &base)
    }

    /// Velocity of the origin and angular velocity, in the world.
    pub(crate) fn world_motion(&self, graph: &mut Graph, frame: FrameId) -> Motion {
        let to_world = self.base(frame).to_world;
        let motion = self.pose(frame).in_base;
        Motion {
            velocity: space::times(graph, &to_world, motion.velocity),
            spin: space::times(graph, &to_world, motion.spin),
        }
    }

    /// The angular velocity in the base axes, and a vector of the world in the same axes.
    pub(crate) fn spin_beside(
        &self,
        graph: &mut Graph,
        frame: FrameId,
        vector: Vector,
    ) -> (Vector, Vector) {
        let from_world = space::transposed(&self.base(frame).to_world);
        let in_base = space::times(graph, &from_world, vector);
        (self.pose(frame).in_base.spin, in_base)
    }

    /// The angular velocity in the frame's own axes.
    pub(crate) fn spin(&self, frame: FrameId) -> Vector {
        self.pose(frame).in_own.spin
    }

    /// The motion of a point given in the frame's axes.
    pub(crate) fn point_motion(
        &self,
        graph: &mut Graph,
        frame: FrameId,
        point: Vector,
        rate: Vector,
    ) -> PointMotion {
        let pose = self.pose(frame);
        let (motion, [point, rate]) = if self.is_cheaper_in_base(graph, pose) {
            let turned = [point, rate].map(|vector| pose.step.apply(graph, vector));
            (pose.in_base, turned)
        } else {
            (pose.in_own, [point, rate])
        };
        let turning = space::cross(graph, motion.spin, point);
        PointMotion {
            origin: motion.velocity,
            relative: space::add(graph, turning, rate),
        }
    }

    /// Whether the motion of points is to be formed in the base axes: where these do not turn, or
    /// several joints do about one of them, velocities are sums there. About an origin at rest there
    /// are no angles at all in the frame's own axes.
    fn is_cheaper_in_base(&self, graph: &Graph, pose: &Pose) -> bool {
        let is_zero = |vector: &Vector| vector.iter().all(|entry| graph.is_zero(*entry));
        let base_is_at_rest = is_zero(&self.axes[pose.axes.0].spin);
        !is_zero(&pose.in_base.velocity) && (base_is_at_rest || pose.is_planar())
    }

    /// The components of a vector of the world along the way to each frame.
    pub(crate) fn projected(&self, graph: &mut Graph, vector: Vector) -> Projection<'_> {
        let mut in_axes = vec![vector];
        for axes in &self.axes[1..] {
            let before = in_axes[axes.parent.0];
            in_axes.push(axes.step.back(graph, before));
        }
        let mut projection = Projection {
            frames: self,
            in_axes,
            origins: vec![graph.integer(0)],
        };
        for pose in &self.poses[1..] {
            let before = projection.origins[pose.from.0];
            let along = match pose.offset {
                Some(offset) => projection.of_offset(graph, pose, offset),
                None => graph.integer(0),
            };
            projection.origins.push(graph.add(before, along));
        }
        projection
    }
}

/// The components of one vector along the positions of points.
pub(crate) struct Projection<'f> {
    frames: &'f Frames,
    /// The vector in each of the base axes.
    in_axes: Vec<Vector>,
    /// For each frame's origin.
    origins: Vec<NodeId>,
}

impl Projection<'_> {
    /// vector . (position of a point given in the frame's axes).
    pub(crate) fn of_point(&self, graph: &mut Graph, frame: FrameId, point: Vector) -> NodeId {
        let along = self.of_offset(graph, self.frames.pose(frame), point);
        graph.add(self.origins[frame.0], along)
    }

    fn of_offset(&self, graph: &mut Graph, pose: &Pose, offset: Vector) -> NodeId {
        let vector = self.in_axes[pose.axes.0];
        if pose.is_planar() {
            let turned = pose.step.apply(graph, offset);
            graph.dot(&vector, &turned)
        } else {
            let turned = pose.step.back(graph, vector);
            graph.dot(&turned, &offset)
        }
    }
}
