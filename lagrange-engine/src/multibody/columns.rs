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
    link: PoseId,
    /// The end of the path, in the world's axes.
    path: Vector,
    /// The part before it, in the link's axes.
    path_here: Vector,
    /// The links after it that do not turn relative to it, with the rotation of each to its parent.
    fixed: Vec<(PoseId, &'a Turning)>,
}

impl Chain {
    pub(super) fn new(graph: &mut Graph, frames: &Frames, tree: &Tree, end: PoseId) -> Self {
        let zero = space::zero(graph);
        let mut walk = Walk {
            frames,
            tree,
            link: end,
            path: zero,
            path_here: zero,
            fixed: Vec::new(),
        };
        let mut columns = vec![[zero; 2]; tree.kinematics.velocity_count()];
        while walk.link != PoseId::WORLD {
            for freedom in &tree.links[walk.link.0].freedoms {
                let motion = &freedom.motion;
                let swept = walk.sweep(graph, motion.spin);
                let velocity = walk.in_world(graph, motion.velocity);
                let spin = walk.in_world(graph, motion.spin);
                let column = &mut columns[freedom.velocity];
                for (part, vector) in [(0, velocity), (0, swept), (1, spin)] {
                    column[part] = space::add(graph, column[part], vector);
                }
            }
            walk.step_to_parent(graph);
        }
        walk.bring_to_world(graph);
        Chain {
            columns,
            origin: walk.path,
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
    fn sweep(&mut self, graph: &mut Graph, spin: Vector) -> Vector {
        let zero = space::zero(graph);
        if spin == zero {
            return zero;
        }
        let by_rest = space::cross(graph, spin, self.path_here);
        if self.path == zero {
            return self.in_world(graph, by_rest);
        }
        if by_rest != zero {
            self.bring_to_world(graph);
        }
        let spin = self.in_world(graph, spin);
        space::cross(graph, spin, self.path)
    }

    /// Brings the rest of the path to the world.
    fn bring_to_world(&mut self, graph: &mut Graph) {
        let remainder = std::mem::replace(&mut self.path_here, space::zero(graph));
        let remainder = self.in_world(graph, remainder);
        self.path = space::add(graph, self.path, remainder);
    }

    /// Moves to the parent.
    fn step_to_parent(&mut self, graph: &mut Graph) {
        let link = &self.tree.links[self.link.0];
        let turned = link.rotation.apply(graph, self.path_here);
        if link.rotation.is_constant(graph) {
            self.fixed.push((self.link, &link.rotation));
        } else {
            if count_components(graph, turned) > count_components(graph, self.path_here) {
                self.bring_to_world(graph);
            }
            self.fixed.clear();
        }
        let remainder = link.rotation.apply(graph, self.path_here);
        self.path_here = space::add(graph, remainder, link.offset);
        self.link = PoseId(link.parent);
    }

    /// World components of a vector in the link's axes, from the base axes in which it has the fewest.
    fn in_world(&self, graph: &mut Graph, vector: Vector) -> Vector {
        let mut pose = self.link;
        let mut in_base = self.in_base(graph, pose, vector);
        let mut turned = vector;
        for (behind, rotation) in self.fixed.iter().rev() {
            turned = rotation.back(graph, turned);
            let other = self.in_base(graph, *behind, turned);
            if count_components(graph, other) < count_components(graph, in_base) {
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

fn count_components(graph: &Graph, vector: Vector) -> usize {
    vector
        .iter()
        .filter(|entry| !graph.is_zero(**entry))
        .count()
}
