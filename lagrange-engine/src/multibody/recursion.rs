//! The bodies in the recursion, and its results.

use super::composite::DistributionKind;
use super::frames::{FrameId, Frames, moves};
use super::tree::Tree;
use super::{
    Body, Multibody, composite, composite_bias, newton_euler, sensitivities, space, velocities,
};
use crate::{Dependence, Graph, Kinematics, NodeId, Symbol};

/// Bodies in the recursion, and those left to their energies.
#[derive(Clone, Debug)]
pub struct Split {
    /// `None` if it has no bodies.
    pub recursion: Option<Recursion>,
    /// The other bodies, under the same gravity.
    pub rest: Multibody,
}

/// The equations of motion of bodies by recursion along the tree of their frames. With unit quaternions they are
/// equivalent to those from the energies of these bodies.
#[derive(Clone, Debug)]
pub struct Recursion {
    pub(super) tree: Tree,
    pub(super) gravity: [NodeId; 3],
}

impl Multibody {
    /// Separates the bodies in the recursion from those that are left to their energies: bodies of the world, bodies
    /// with a variable mass or inertia, which have a momentum of its own, bodies in frames that may be turned by
    /// inexact rotations, and all bodies if gravity varies in space.
    pub fn split(&self, graph: &mut Graph, kinematics: &Kinematics) -> Split {
        let gravity = self.gravity.unwrap_or_else(|| space::zero(graph));
        let is_uniform =
            |entry: &NodeId| !graph.dependence(*entry).intersects(Dependence::COORDINATE);
        let is_uniform = gravity.iter().all(is_uniform);
        let mut rest = self.clone();
        let Some(frames) = &self.frames else {
            let recursion = None;
            return Split { recursion, rest };
        };
        let bodies = std::mem::take(&mut rest.bodies).into_iter();
        let (taken, left): (Vec<Body>, _) =
            bodies.partition(|body| is_uniform && is_rigid(graph, frames, body));
        rest.bodies = left;
        let recursion = (!taken.is_empty()).then(|| Recursion {
            tree: Tree::new(graph, frames, &taken, kinematics),
            gravity,
        });
        Split { recursion, rest }
    }
}

fn is_rigid(graph: &Graph, frames: &Frames, body: &Body) -> bool {
    let mut constants = body.inertia.iter().flatten().chain([&body.mass]);
    body.frame != FrameId::WORLD
        && frames.pose(frames.pose_of(body.frame)).is_proven
        && constants.all(|node| !moves(graph, *node))
}

impl Recursion {
    /// T, by velocities from one link to the next.
    pub fn kinetic_energy(&self, graph: &mut Graph) -> NodeId {
        velocities::kinetic_energy(graph, &self.tree)
    }

    /// The lower triangle of M, row by row, by composite inertias.
    pub fn mass_matrix(&self, graph: &mut Graph) -> Vec<NodeId> {
        composite::mass_matrix(graph, &self.tree, DistributionKind::Inertia)
    }

    /// The bias h, gravity included, by Newton's and Euler's equations.
    pub fn bias(&self, graph: &mut Graph) -> Vec<NodeId> {
        let zero = graph.integer(0);
        let at_rest = vec![zero; self.tree.kinematics.velocity_count()];
        newton_euler::forces(graph, &self.tree, self.gravity, &at_rest)
    }

    /// M a + h, likewise.
    pub fn inverse_dynamics(&self, graph: &mut Graph) -> Vec<NodeId> {
        let a = self.accelerations(graph);
        newton_euler::forces(graph, &self.tree, self.gravity, &a)
    }

    /// The derivatives of M a + h along the directions of v, and by v: two n x n matrices, row by row.
    pub fn inverse_dynamics_derivatives(&self, graph: &mut Graph) -> [Vec<NodeId>; 2] {
        let a = self.accelerations(graph);
        sensitivities::sensitivities(graph, &self.tree, self.gravity, &a)
    }

    /// The lower triangle of M, by the moments of mass that forces also use.
    pub(crate) fn mass_matrix_by_moments(&self, graph: &mut Graph) -> Vec<NodeId> {
        composite::mass_matrix(graph, &self.tree, DistributionKind::SecondMoments)
    }

    /// The bias by the moments of mass behind each joint, not by forces on each body: often more operations than by
    /// Newton's and Euler's equations, and far fewer beside M.
    pub(crate) fn bias_by_moments(&self, graph: &mut Graph) -> Vec<NodeId> {
        let zero = graph.integer(0);
        let at_rest = vec![zero; self.tree.kinematics.velocity_count()];
        composite_bias::forces(graph, &self.tree, self.gravity, &at_rest)
    }

    fn accelerations(&self, graph: &mut Graph) -> Vec<NodeId> {
        graph.numbered(self.tree.kinematics.velocity_count(), Symbol::Acceleration)
    }
}
