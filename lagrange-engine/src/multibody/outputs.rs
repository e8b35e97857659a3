//! The motion of output frames: velocity, its derivative by v, and its rate.
//!
//! A velocity here is that of the origin followed by the angular velocity, both in the world: six numbers. Its
//! derivative by v has two forms. One uses columns of the geometric Jacobian (B. Siciliano et al., *Robotics:
//! Modelling, Planning and Control*, 2009, section 3.1): velocity j turns everything behind a link about the link's
//! origin, and carries it along. The other differentiates the velocity, which takes fewer operations if each angle is
//! measured from the world. The rate at a = 0 is the acceleration at the start of Newton's and Euler's equations. Forms
//! that assume exact rotations leave possibly inexact ones to derivatives.

use super::columns::Chain;
use super::frames::{FrameId, Frames};
use super::newton_euler::{Acceleration, find_accelerations, rates_at};
use super::pose::{Motion, PoseId};
use super::space::{self, Vector};
use super::tree::Tree;
use super::{Multibody, Recursion, composite_bias};
use crate::{Graph, Kinematics, NodeId, Symbol};

/// The frames of a multibody, with the parts of their motion that several outputs share.
#[derive(Clone, Debug)]
pub(crate) struct FrameMotions {
    frames: Frames,
    tree: Tree,
    rates: Vec<Motion>,
    at_rest: Vec<Acceleration>,
}

impl FrameMotions {
    pub(crate) fn new(graph: &mut Graph, multibody: &Multibody, kinematics: &Kinematics) -> Self {
        let frames = multibody
            .frames
            .clone()
            .unwrap_or_else(|| Frames::new(graph));
        let tree = Tree::new(graph, &frames, &[], kinematics);
        let nothing = space::zero(graph);
        let rates = at_constant_velocity(graph, &tree);
        let at_rest = find_accelerations(graph, &tree, nothing, &rates);
        FrameMotions {
            frames,
            tree,
            rates,
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
        join_rows(&columns.collect::<Vec<_>>())
    }

    /// The derivative of the velocity by v, by rows, from the links.
    pub(crate) fn geometric_jacobian(&self, graph: &mut Graph, frame: FrameId) -> Vec<NodeId> {
        if !self.is_proven(frame) {
            return self.jacobian(graph, frame);
        }
        join_rows(&self.chain(graph, frame).columns())
    }

    /// The rates at a = 0 of the velocity.
    pub(crate) fn bias(&self, graph: &mut Graph, frame: FrameId) -> Vec<NodeId> {
        if self.is_proven(frame) {
            let tree = (&self.tree, &self.rates[..]);
            return self
                .acceleration_in_world(graph, frame, tree, &self.at_rest)
                .concat();
        }
        let velocity = self.velocity(graph, frame);
        let along = self.tree.kinematics.along_the_motion(graph);
        graph.directional(&velocity, &along)
    }

    /// The same, from the accelerations for the forces of inertia and gravity: these are relative to a world that
    /// accelerates against gravity.
    pub(crate) fn bias_by_recursion(
        &self,
        graph: &mut Graph,
        frame: FrameId,
        recursion: &Recursion,
    ) -> Vec<NodeId> {
        self.bias_by(graph, frame, recursion, |graph, tree, gravity, rates| {
            let accelerations_of_links = find_accelerations(graph, tree, gravity, rates);
            let pose = self.frames.pose_of(frame);
            let acceleration = &accelerations_of_links[pose.0];
            [acceleration.whole(graph), acceleration.turning]
                .map(|vector| self.in_world(graph, pose, vector))
        })
    }

    /// The same, from the accelerations for forces by moments of mass.
    pub(crate) fn bias_by_moments(
        &self,
        graph: &mut Graph,
        frame: FrameId,
        recursion: &Recursion,
    ) -> Vec<NodeId> {
        self.bias_by(graph, frame, recursion, |graph, tree, gravity, rates| {
            let accelerations_of_links =
                composite_bias::find_accelerations(graph, tree, gravity, rates);
            self.acceleration_in_world(graph, frame, (tree, rates), &accelerations_of_links)
        })
    }

    /// The bias from the linear and the angular acceleration of the frame, relative to this world.
    fn bias_by(
        &self,
        graph: &mut Graph,
        frame: FrameId,
        recursion: &Recursion,
        of_frame: impl Fn(&mut Graph, &Tree, Vector, &[Motion]) -> [Vector; 2],
    ) -> Vec<NodeId> {
        if !self.is_proven(frame) {
            return self.bias(graph, frame);
        }
        let (tree, gravity) = (&recursion.tree, recursion.gravity);
        let rates = at_constant_velocity(graph, tree);
        let [linear, turning] = of_frame(graph, tree, gravity, &rates);
        [space::add(graph, linear, gravity), turning].concat()
    }

    fn is_proven(&self, frame: FrameId) -> bool {
        self.frames.pose(self.frames.pose_of(frame)).is_proven
    }

    /// Linear and angular acceleration of the frame, in the world. The motion due to the last turn is expressed in the
    /// axes before this turn.
    fn acceleration_in_world(
        &self,
        graph: &mut Graph,
        frame: FrameId,
        (tree, rates): (&Tree, &[Motion]),
        accelerations: &[Acceleration],
    ) -> [Vector; 2] {
        let pose = self.frames.pose_of(frame);
        let (axes, linear, turning) = match self.last_turn(graph, tree, pose) {
            Some((index, place)) => {
                let link = &tree.links[index];
                let acceleration = accelerations[link.parent].beside(graph, link, rates[index]);
                let place = link.rotation.apply(graph, place);
                let linear = acceleration.of_place(graph, place);
                (PoseId(link.parent), linear, acceleration.turning)
            }
            None => {
                let acceleration = &accelerations[pose.0];
                (pose, acceleration.whole(graph), acceleration.turning)
            }
        };
        [linear, turning].map(|vector| self.in_world(graph, axes, vector))
    }

    /// The last link that turns before a frame, and the place of the frame in its axes; `None` if a later part moves in
    /// another way.
    fn last_turn(&self, graph: &mut Graph, tree: &Tree, frame: PoseId) -> Option<(usize, Vector)> {
        let zero = space::zero(graph);
        let mut place = zero;
        let mut index = frame.0;
        while index != PoseId::WORLD.0 {
            let link = &tree.links[index];
            if !link.rotation.is_constant(graph) {
                return (link.offset == zero && !link.floats).then_some((index, place));
            }
            let moves = [link.relative.velocity, link.relative.spin] != [zero; 2];
            if moves || link.floats {
                return None;
            }
            let turned = link.rotation.apply(graph, place);
            place = space::add(graph, turned, link.offset);
            index = link.parent;
        }
        None
    }

    fn chain(&self, graph: &mut Graph, frame: FrameId) -> Chain {
        Chain::new(graph, &self.frames, &self.tree, self.frames.pose_of(frame))
    }

    /// The origin by the path of the columns of the geometric Jacobian.
    pub(crate) fn origin_by_links(&self, graph: &mut Graph, frame: FrameId) -> Vec<NodeId> {
        if !self.is_proven(frame) {
            return self.origin(frame).to_vec();
        }
        self.chain(graph, frame).origin.to_vec()
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

fn at_constant_velocity(graph: &mut Graph, tree: &Tree) -> Vec<Motion> {
    let zero = graph.integer(0);
    let nothing = vec![zero; tree.kinematics.velocity_count()];
    rates_at(graph, tree, &nothing)
}

/// Six rows of these columns.
fn join_rows(columns: &[impl AsRef<[NodeId]>]) -> Vec<NodeId> {
    let row = |i: usize| columns.iter().map(move |column| column.as_ref()[i]);
    (0..6).flat_map(row).collect()
}
