//! The motion of the frames that are outputs: velocity, its derivative by v, and its rate.
//!
//! A velocity here is that of the origin and then the angular velocity, both in the world: six numbers.
//! Its derivative by v is formed in two ways. By columns of the geometric Jacobian (B. Siciliano et al.,
//! *Robotics: Modelling, Planning and Control*, 2009, section 3.1): velocity j turns what is behind a link
//! about the link's origin, and carries it along. Or by differentiating the velocity, which is cheaper
//! where each angle is measured from the world. The rate at a = 0 is the acceleration that Newton's and
//! Euler's equations begin with. What takes rotations at their word leaves those that may be none to
//! derivatives.

use super::frames::{FrameId, Frames};
use super::newton_euler::{Acceleration, accelerations};
use super::pose::PoseId;
use super::space::{self, Vector};
use super::tree::Tree;
use super::{Multibody, Recursion};
use crate::{Graph, Kinematics, NodeId, Symbol};

/// The frames of a multibody, with what of their motion several outputs share.
#[derive(Clone, Debug)]
pub(crate) struct FrameMotions {
    frames: Frames,
    tree: Tree,
    at_rest: Vec<Acceleration>,
}

impl FrameMotions {
    pub(crate) fn new(graph: &mut Graph, multibody: &Multibody, kinematics: &Kinematics) -> Self {
        let frames = multibody.frames.clone();
        let frames = frames.unwrap_or_else(|| Frames::new(graph));
        let tree = Tree::new(graph, &frames, &[], kinematics);
        let nothing = space::zero(graph);
        let at_rest = at_constant_velocity(graph, &tree, nothing);
        FrameMotions {
            frames,
            tree,
            at_rest,
        }
    }

    pub(crate) fn origin(&self, frame: FrameId) -> [NodeId; 3] {
        self.frames.origin(frame)
    }

    /// By rows.
    pub(crate) fn rotation(&self, graph: &mut Graph, frame: FrameId) -> [[NodeId; 3]; 3] {
        self.frames.rotation(graph, frame)
    }

    pub(crate) fn velocity(&self, graph: &mut Graph, frame: FrameId) -> Vec<NodeId> {
        let velocity = self.frames.velocity(graph, frame);
        let spin = self.frames.angular_velocity(graph, frame);
        [velocity, spin].concat()
    }

    /// The derivative of the velocity by v, by rows.
    pub(crate) fn jacobian(&self, graph: &mut Graph, frame: FrameId) -> Vec<NodeId> {
        let velocity = self.velocity(graph, frame);
        let one = graph.integer(1);
        let count = self.tree.kinematics.velocity_count() as u32;
        let columns = (0..count).map(|j| {
            let direction = [(Symbol::Velocity(j), one)];
            graph.directional(&velocity, &direction)
        });
        rows(&columns.collect::<Vec<_>>())
    }

    /// The same by links.
    pub(crate) fn geometric_jacobian(&self, graph: &mut Graph, frame: FrameId) -> Vec<NodeId> {
        if !self.is_proven(frame) {
            return self.jacobian(graph, frame);
        }
        rows(&self.columns(graph, frame))
    }

    /// The rates at a = 0 of the velocity.
    pub(crate) fn bias(&self, graph: &mut Graph, frame: FrameId) -> Vec<NodeId> {
        if self.is_proven(frame) {
            return self.of_acceleration(graph, frame, &self.at_rest);
        }
        let velocity = self.velocity(graph, frame);
        let along = self.tree.kinematics.along_the_motion(graph);
        graph.directional(&velocity, &along)
    }

    /// The same, from the accelerations that the forces of inertia and gravity of bodies take: these are
    /// relative to a world that accelerates against gravity.
    pub(crate) fn bias_by_recursion(
        &self,
        graph: &mut Graph,
        frame: FrameId,
        recursion: &Recursion,
    ) -> Vec<NodeId> {
        if !self.is_proven(frame) {
            return self.bias(graph, frame);
        }
        let gravity = recursion.gravity;
        let accelerations = at_constant_velocity(graph, &recursion.tree, gravity);
        let mut bias = self.of_acceleration(graph, frame, &accelerations);
        for (entry, pull) in bias.iter_mut().zip(gravity) {
            *entry = graph.add(*entry, pull);
        }
        bias
    }

    fn is_proven(&self, frame: FrameId) -> bool {
        self.frames.pose(self.frames.pose_of(frame)).is_proven
    }

    fn of_acceleration(
        &self,
        graph: &mut Graph,
        frame: FrameId,
        accelerations: &[Acceleration],
    ) -> Vec<NodeId> {
        let pose = self.frames.pose_of(frame);
        let acceleration = &accelerations[pose.0];
        let linear = acceleration.whole(graph);
        let both = [linear, acceleration.turning];
        both.map(|vector| self.in_world(graph, pose, vector))
            .concat()
    }

    /// From the frame to the world, with the way from each link's origin to that of the frame.
    fn columns(&self, graph: &mut Graph, frame: FrameId) -> Vec<[NodeId; 6]> {
        let zero = space::zero(graph);
        let mut columns = vec![[zero; 2]; self.tree.kinematics.velocity_count()];
        let mut way = zero;
        let mut at = self.frames.pose_of(frame);
        while at != PoseId::WORLD {
            let pose = self.frames.pose(at);
            for freedom in &self.tree.links[at.0].freedoms {
                let motion = &freedom.motion;
                let velocity = self.in_world(graph, at, motion.velocity);
                let spin = self.in_world(graph, at, motion.spin);
                let swept = space::cross(graph, spin, way);
                let column = &mut columns[freedom.velocity];
                for (part, vector) in [(0, velocity), (0, swept), (1, spin)] {
                    column[part] = space::add(graph, column[part], vector);
                }
            }
            if let Some(offset) = pose.offset {
                let in_base = pose.step.apply(graph, offset);
                let step = space::times(graph, &self.frames.base(at).to_world, in_base);
                way = space::add(graph, way, step);
            }
            at = pose.from;
        }
        let columns = columns.into_iter();
        columns
            .map(|[[a, b, c], [d, e, f]]| [a, b, c, d, e, f])
            .collect()
    }

    /// World components of a vector in the axes that the recursion uses for a pose.
    fn in_world(&self, graph: &mut Graph, pose: PoseId, vector: Vector) -> Vector {
        let is_in_base = self.tree.links[pose.0].carried.is_some();
        let in_base = if is_in_base {
            vector
        } else {
            self.frames.pose(pose).step.apply(graph, vector)
        };
        space::times(graph, &self.frames.base(pose).to_world, in_base)
    }
}

fn at_constant_velocity(graph: &mut Graph, tree: &Tree, gravity: Vector) -> Vec<Acceleration> {
    let zero = graph.integer(0);
    let nothing = vec![zero; tree.kinematics.velocity_count()];
    accelerations(graph, tree, gravity, &nothing)
}

/// Six rows of these columns.
fn rows(columns: &[impl AsRef<[NodeId]>]) -> Vec<NodeId> {
    let row = |i: usize| columns.iter().map(move |column| column.as_ref()[i]);
    (0..6).flat_map(row).collect()
}
