//! Which bodies recursion takes, and what it makes of them.

use super::composite::By;
use super::frames::{FrameId, Frames, moves};
use super::tree::Tree;
use super::{
    Body, Multibody, composite, composite_bias, newton_euler, sensitivities, space, velocities,
};
use crate::{Dependence, Graph, Kinematics, NodeId, Symbol};

/// Bodies that recursion takes, and those left to their energies.
///
/// ```
/// use lagrange_engine::{Split, System};
/// // A particle of the world, beside a slider in its frame.
/// let text = "coordinates x y\nnode %0 = coordinate 0\nnode %1 = coordinate 1\nnode %2 = number 0\n\
///             node %3 = number 1\nframe 0 translate %0 %2 %2\n\
///             body 1 %3 %2 %2 %2\nbody 0 %3 %1 %2 %2\n";
/// let mut system: System = text.parse()?;
/// let kinematics = system.names.kinematics();
/// let Split { recursion, rest } = system.multibody.split(&mut system.graph, &kinematics);
/// assert!(recursion.is_some());
/// assert_eq!(rest.bodies(), &system.multibody.bodies()[1..]);
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Split {
    /// `None` if it takes none.
    pub recursion: Option<Recursion>,
    /// The other bodies, under the same gravity.
    pub rest: Multibody,
}

/// The equations of motion of bodies by recursion along the tree of their frames: with unit
/// quaternions they say what the energies of these bodies say.
///
/// ```
/// use lagrange_engine::{Symbol, System, plain_names};
/// // A point mass on a rod, turning about z by q0; gravity along -y.
/// let text = "coordinates q\nparameters m l g\nnode %0 = coordinate 0\nnode %1 = parameter 0\n\
///             node %2 = parameter 1\nnode %3 = parameter 2\nnode %4 = sum 0 -1*%3\n\
///             node %5 = number 0\nnode %6 = number 1\nframe 0 turn %5 %5 %6 %0\n\
///             body 1 %1 %2 %5 %5\ngravity %5 %4 %5\n";
/// let mut system: System = text.parse()?;
/// let (graph, kinematics) = (&mut system.graph, system.names.kinematics());
/// let recursion = system.multibody.split(graph, &kinematics).recursion.unwrap();
/// let kinetic = recursion.kinetic_energy(graph);
/// assert_eq!(graph.text(kinetic, &plain_names), "p0*p1^2*v0^2/2");
/// let mass = recursion.mass_matrix(graph);
/// assert_eq!(graph.text(mass[0], &plain_names), "p0*p1^2");
/// let bias = recursion.bias(graph);
/// assert_eq!(graph.text(bias[0], &plain_names), "p0*p1*p2*cos(q0)");
/// // M a + h, and its derivatives by q and by v.
/// let torque = recursion.inverse_dynamics(graph);
/// let [by_q, by_v] = recursion.inverse_dynamics_derivatives(graph);
/// let value = |symbol| match symbol {
///     Symbol::Coordinate(_) => std::f64::consts::FRAC_PI_2,
///     _ => 2.0,
/// };
/// let values = graph.evaluate(&[torque[0], by_q[0], by_v[0]], &value);
/// assert!((values[0] - 16.0).abs() < 1e-14);
/// assert_eq!(values[1..], [-8.0, 0.0]);
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recursion {
    pub(super) tree: Tree,
    pub(super) gravity: [NodeId; 3],
}

impl Multibody {
    /// Tells the bodies that recursion takes from those that are left to their energies: bodies of
    /// the world, those whose mass or inertia moves, which has a momentum of its own, those in
    /// frames that may be turned by no rotation, and all of them where gravity differs from place to
    /// place.
    ///
    /// ```
    /// use lagrange_engine::System;
    /// // A slider along x.
    /// let text = "coordinates x\nparameters m g\nnode %0 = coordinate 0\nnode %1 = number 0\n\
    ///             node %2 = parameter 0\nnode %3 = parameter 1\nframe 0 translate %0 %1 %1\n\
    ///             body 1 %2 %1 %1 %1\ngravity %3 %1 %1\n";
    /// let mut system: System = text.parse()?;
    /// let kinematics = system.names.kinematics();
    /// let split = system.multibody.split(&mut system.graph, &kinematics);
    /// assert!(split.recursion.is_some() && split.rest.bodies().is_empty());
    /// // Gravity that grows with x is left to the energies.
    /// let (graph, multibody) = (&mut system.graph, &mut system.multibody);
    /// let (x, zero) = (graph.symbol(lagrange_engine::Symbol::Coordinate(0)), graph.integer(0));
    /// multibody.set_gravity(graph, [x, zero, zero]).unwrap();
    /// let split = multibody.split(graph, &kinematics);
    /// assert!(split.recursion.is_none() && split.rest.bodies().len() == 1);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
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
    let inertia = body.inertia.iter().flatten();
    let mut constants = inertia.chain([&body.mass]);
    body.frame != FrameId::WORLD
        && frames.pose(frames.pose_of(body.frame)).is_proven
        && constants.all(|node| !moves(graph, *node))
}

impl Recursion {
    /// T, by velocities that follow from one link to the next.
    pub fn kinetic_energy(&self, graph: &mut Graph) -> NodeId {
        velocities::kinetic_energy(graph, &self.tree)
    }

    /// The lower triangle of M, row by row, by composite inertias.
    pub fn mass_matrix(&self, graph: &mut Graph) -> Vec<NodeId> {
        composite::mass_matrix(graph, &self.tree, By::Inertia)
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

    /// The lower triangle of M, by the moments of mass that forces take, too.
    pub(crate) fn mass_matrix_by_moments(&self, graph: &mut Graph) -> Vec<NodeId> {
        composite::mass_matrix(graph, &self.tree, By::Moments)
    }

    /// The bias by the moments of mass behind each joint, not by forces on each body: often more operations than
    /// by Newton's and Euler's equations, and far less beside M.
    pub(crate) fn bias_by_moments(&self, graph: &mut Graph) -> Vec<NodeId> {
        let zero = graph.integer(0);
        let at_rest = vec![zero; self.tree.kinematics.velocity_count()];
        composite_bias::forces(graph, &self.tree, self.gravity, &at_rest)
    }

    fn accelerations(&self, graph: &mut Graph) -> Vec<NodeId> {
        let count = self.tree.kinematics.velocity_count() as u32;
        let symbols = (0..count).map(Symbol::Acceleration);
        symbols.map(|symbol| graph.symbol(symbol)).collect()
    }
}
