//! Queries of frames: places and motions in the world, and along a vector.

use super::axis;
use super::frames::{FrameId, Frames};
use super::pose::{Pose, PoseId};
use super::space::{self, Matrix, Vector};
use crate::{Graph, NodeId};

impl Frames {
    /// The origin of a frame, in the world.
    pub fn origin(&self, frame: FrameId) -> [NodeId; 3] {
        self.pose(self.pose_of(frame)).origin
    }

    /// World components of a vector in the frame's axes.
    pub fn vector(&self, graph: &mut Graph, frame: FrameId, vector: [NodeId; 3]) -> [NodeId; 3] {
        let pose = self.pose_of(frame);
        let in_base = self.pose(pose).step.apply(graph, vector);
        space::times(graph, &self.base(pose).to_world, in_base)
    }

    /// The place in the world of a point given in the frame's axes.
    pub fn point(&self, graph: &mut Graph, frame: FrameId, point: [NodeId; 3]) -> [NodeId; 3] {
        let way = self.vector(graph, frame, point);
        space::add(graph, way, self.origin(frame))
    }

    /// The world's components of the frame's axes, as columns.
    pub fn rotation(&self, graph: &mut Graph, frame: FrameId) -> [[NodeId; 3]; 3] {
        self.rotation_of(graph, self.pose_of(frame))
    }

    fn rotation_of(&self, graph: &mut Graph, pose: PoseId) -> Matrix {
        let base = self.base(pose).to_world;
        self.pose(pose).step.after(graph, &base)
    }

    /// A vector divided by its length, like the axes of joints; `None` for numbers that are all zero.
    pub fn unit(graph: &mut Graph, vector: [NodeId; 3]) -> Option<[NodeId; 3]> {
        axis::normalise(graph, vector)
    }

    /// The velocity of the frame's origin, in the world.
    pub fn velocity(&self, graph: &mut Graph, frame: FrameId) -> [NodeId; 3] {
        self.velocity_in_world(graph, self.pose_of(frame))
    }

    pub(super) fn velocity_in_world(&self, graph: &mut Graph, pose: PoseId) -> Vector {
        let to_world = self.base(pose).to_world;
        let pose = self.pose(pose);
        let velocity = space::times(graph, &to_world, pose.in_base.velocity);
        match pose.floating {
            Some(floating) => space::add(graph, floating.in_world, velocity),
            None => velocity,
        }
    }

    /// The angular velocity of the frame, in the world.
    pub fn angular_velocity(&self, graph: &mut Graph, frame: FrameId) -> [NodeId; 3] {
        let pose = self.pose_of(frame);
        let to_world = self.base(pose).to_world;
        space::times(graph, &to_world, self.pose(pose).in_base.spin)
    }

    /// The angular velocity of the frame in the axes with the fewest operations: it shows the dependence, without a new
    /// expression.
    pub fn spin(&self, frame: FrameId) -> [NodeId; 3] {
        self.pose(self.pose_of(frame)).in_base.spin
    }

    /// The angular velocity of the frame in its own axes, without a new expression.
    pub fn spin_in_own_axes(&self, frame: FrameId) -> [NodeId; 3] {
        self.pose(self.pose_of(frame)).in_own.spin
    }

    /// The angular velocity and a vector of the world, both in the axes with the fewest operations: their product is
    /// that in the world.
    pub fn angular_velocity_beside(
        &self,
        graph: &mut Graph,
        frame: FrameId,
        vector: [NodeId; 3],
    ) -> [[NodeId; 3]; 2] {
        let pose = self.pose_of(frame);
        let from_world = space::transpose(&self.base(pose).to_world);
        let in_base = space::times(graph, &from_world, vector);
        [self.pose(pose).in_base.spin, in_base]
    }

    /// The components of a vector of the world along the path to each pose.
    pub(super) fn project(&self, graph: &mut Graph, vector: Vector) -> Projection<'_> {
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
pub(super) struct Projection<'f> {
    frames: &'f Frames,
    /// The vector in each of the base axes.
    in_axes: Vec<Vector>,
    /// For each pose's origin.
    origins: Vec<NodeId>,
}

impl Projection<'_> {
    /// vector . (position of a point given in the pose's axes).
    pub(super) fn of_point(&self, graph: &mut Graph, pose: PoseId, point: Vector) -> NodeId {
        let along = self.of_offset(graph, self.frames.pose(pose), point);
        graph.add(self.origins[pose.0], along)
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
