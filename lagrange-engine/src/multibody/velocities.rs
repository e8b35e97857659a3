//! The kinetic energy of bodies by their velocities, link by link.
//!
//! It has the value of the energies, but another structure: here every velocity is that of the link before, carried
//! along, also after an attitude. So at most six quantities are carried from link to link, along which equations of
//! motion are solved link by link.

use super::pose::Motion;
use super::space;
use super::tree::{Link, Tree, carry};
use crate::{Graph, NodeId, Number};

/// T of all bodies.
pub(super) fn kinetic_energy(graph: &mut Graph, tree: &Tree) -> NodeId {
    let mut motions: Vec<Motion> = Vec::with_capacity(tree.links.len());
    let mut terms = Vec::new();
    for (index, link) in tree.links.iter().enumerate() {
        let motion = match index {
            0 => Motion::none(graph),
            _ => motions[link.parent].behind(graph, link),
        };
        terms.push((Number::HALF, link.double_energy(graph, motion)));
        motions.push(motion);
    }
    graph.sum(Number::ZERO, terms)
}

impl Motion {
    /// The motion of a link after one with this motion, in its axes.
    fn behind(self, graph: &mut Graph, link: &Link) -> Self {
        let swept = space::cross(graph, self.spin, link.offset);
        let relative = carry(graph, link.carried.as_ref(), link.relative.velocity);
        let velocity = space::add(graph, self.velocity, swept);
        let velocity = space::add(graph, velocity, relative);
        let spin = link.rotation.back(graph, self.spin);
        Motion {
            velocity: link.rotation.back(graph, velocity),
            spin: space::add(graph, spin, link.relative.spin),
        }
    }
}

impl Link {
    /// m |v|^2 + w . I w; zero without a body.
    fn double_energy(&self, graph: &mut Graph, motion: Motion) -> NodeId {
        let Some((mass, inertia)) = &self.body else {
            return graph.integer(0);
        };
        let square = graph.dot(&motion.velocity, &motion.velocity);
        let straight = graph.mul(*mass, square);
        let about = space::times(graph, inertia, motion.spin);
        let turning = graph.dot(&motion.spin, &about);
        graph.add(straight, turning)
    }
}
