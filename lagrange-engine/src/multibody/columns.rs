//! The chain from the world to a frame, and the effect of each velocity on it: the columns of the geometric Jacobian
//! (B. Siciliano et al., *Robotics: Modelling, Planning and Control*, 2009, section 3.1).
//!
//! The chain is traversed from its end. The part that is not yet in world axes is kept in the axes of the current link.
//! It is brought to the world in the axes in which it has the fewest components, the next part is added to it, and a
//! turn about its own direction does not move it.

use super::frames::Frames;
use super::link_rotation::Turning;
use super::pose::PoseId;
use super::space::{self, Vector};
use super::tree::Tree;
use crate::{Graph, NodeId};

/// The results on the path from a frame back to the world.
pub(super) struct Chain {
    /// The derivatives of velocity and angular velocity of the frame by each of the velocities.
    columns: Vec<[Vector; 2]>,
    /// The origin of the frame.
    pub(super) origin: Vector,
}

struct Walk<'a> {
    frames: &'a Frames,
    tree: &'a Tree,
    /// The current link.
    at: PoseId,
    /// The end of the path, in the world's axes.
    way: Vector,
    /// The part before it, in the link's axes.
    rest: Vector,
    /// The links after it that do not turn relative to it, with the rotation of each to its parent.
    fixed: Vec<(PoseId, &'a Turning)>,
}

impl Chain {
    pub(super) fn new(graph: &mut Graph, frames: &Frames, tree: &Tree, end: PoseId) -> Self {
        let zero = space::zero(graph);
        let mut walk = Walk {
            frames,
            tree,
            at: end,
            way: zero,
            rest: zero,
            fixed: Vec::new(),
        };
        let mut columns = vec![[zero; 2]; tree.kinematics.velocity_count()];
        while walk.at != PoseId::WORLD {
            for freedom in &tree.links[walk.at.0].freedoms {
                let motion = &freedom.motion;
                let swept = walk.swept(graph, motion.spin);
                let velocity = walk.in_world(graph, motion.velocity);
                let spin = walk.in_world(graph, motion.spin);
                let column = &mut columns[freedom.velocity];
                for (part, vector) in [(0, velocity), (0, swept), (1, spin)] {
                    column[part] = space::add(graph, column[part], vector);
                }
            }
            walk.step(graph);
        }
        walk.bring(graph);
        Chain {
            columns,
            origin: walk.way,
        }
    }

    pub(super) fn columns(&self) -> Vec<[NodeId; 6]> {
        self.columns
            .iter()
            .map(|[[a, b, c], [d, e, f]]| [*a, *b, *c, *d, *e, *f])
            .collect()
    }
}

impl Walk<'_> {
    /// The velocity of the end due to the turn of the link.
    fn swept(&mut self, graph: &mut Graph, spin: Vector) -> Vector {
        let zero = space::zero(graph);
        if spin == zero {
            return zero;
        }
        let by_rest = space::cross(graph, spin, self.rest);
        if self.way == zero {
            return self.in_world(graph, by_rest);
        }
        if by_rest != zero {
            self.bring(graph);
        }
        let spin = self.in_world(graph, spin);
        space::cross(graph, spin, self.way)
    }

    /// Brings the rest of the path to the world.
    fn bring(&mut self, graph: &mut Graph) {
        let remainder = std::mem::replace(&mut self.rest, space::zero(graph));
        let remainder = self.in_world(graph, remainder);
        self.way = space::add(graph, self.way, remainder);
    }

    /// Moves to the parent.
    fn step(&mut self, graph: &mut Graph) {
        let link = &self.tree.links[self.at.0];
        let turned = link.rotation.apply(graph, self.rest);
        if link.rotation.is_constant(graph) {
            self.fixed.push((self.at, &link.rotation));
        } else {
            if components(graph, turned) > components(graph, self.rest) {
                self.bring(graph);
            }
            self.fixed.clear();
        }
        let remainder = link.rotation.apply(graph, self.rest);
        self.rest = space::add(graph, remainder, link.offset);
        self.at = PoseId(link.parent);
    }

    /// World components of a vector in the link's axes, from the base axes in which it has the fewest.
    fn in_world(&self, graph: &mut Graph, vector: Vector) -> Vector {
        let mut pose = self.at;
        let mut in_base = self.in_base(graph, pose, vector);
        let mut turned = vector;
        for (behind, rotation) in self.fixed.iter().rev() {
            turned = rotation.back(graph, turned);
            let other = self.in_base(graph, *behind, turned);
            if components(graph, other) < components(graph, in_base) {
                (pose, in_base) = (*behind, other);
            }
        }
        space::times(graph, &self.frames.base(pose).to_world, in_base)
    }

    /// Components in the base axes of a pose, of a vector in the axes that the recursion uses for it.
    fn in_base(&self, graph: &mut Graph, pose: PoseId, vector: Vector) -> Vector {
        if self.tree.links[pose.0].carried.is_some() {
            return vector;
        }
        self.frames.pose(pose).step.apply(graph, vector)
    }
}

fn components(graph: &Graph, vector: Vector) -> usize {
    vector
        .iter()
        .filter(|entry| !graph.is_zero(**entry))
        .count()
}
