//! The forces of inertia and gravity by the composites of M.
//!
//! The motion of the bodies behind a joint has two parts: they move as if fixed to the link before the joint, and they
//! move relative to it by this joint and the joints behind it. For the first part the joint carries the force on one
//! rigid body with the composite's masses. For the second part each joint adds accelerations to all bodies behind it,
//! and the composite gives the force for these too. With the angular velocity w of the link before, the angular
//! velocity s of the joint relative to it, and u = 2 w + s, a mass at r has the additional acceleration
//! `ds/dt x r + u x (s x r)`. So no force on a single body is formed, and no motion of the last links. That h and M
//! follow from the same composites is in S. Echeandia and P. M. Wensing, "Numerical methods to compute the Coriolis
//! matrix and Christoffel symbols for rigid-body systems" (*Journal of Computational and Nonlinear Dynamics* 16, 2021);
//! here without the matrix C.
//!
//! At each joint all of this is in the axes of the link before it, to which the composite is carried for M too.

use super::composite::{Composite, DistributionKind, find_composites};
use super::newton_euler::{Acceleration, find_accelerations_by, rates_at};
use super::pose::Motion;
use super::space::{self, Matrix, Vector};
use super::tree::{Freedom, Link, Tree, carry};
use crate::{Graph, NodeId, Number};

/// A force, and a moment about the origin.
type Wrench = [Vector; 2];

/// The acceleration of each link's origin, with the rates of all relative velocities, from those of the links before
/// it.
pub(super) fn find_accelerations(
    graph: &mut Graph,
    tree: &Tree,
    gravity: Vector,
    rates: &[Motion],
) -> Vec<Acceleration> {
    let next = |before: Acceleration, graph: &mut Graph, link: &Link, rate: Motion| {
        let beside = before.beside(graph, link, rate);
        let [spin, turning, origin] = [beside.spin, beside.turning, beside.origin]
            .map(|vector| link.rotation.back(graph, vector));
        Acceleration {
            spin,
            turning,
            origin,
            ..beside
        }
    };
    find_accelerations_by(next, graph, tree, gravity, rates)
}

/// M a + h at the accelerations `a` of the velocities.
pub(super) fn forces(graph: &mut Graph, tree: &Tree, gravity: Vector, a: &[NodeId]) -> Vec<NodeId> {
    let rates = rates_at(graph, tree, a);
    let accelerations = find_accelerations(graph, tree, gravity, &rates);
    let composites = find_composites(graph, tree, DistributionKind::SecondMoments);
    let zero = space::zero(graph);
    let mut generalized = vec![Vec::new(); tree.kinematics.velocity_count()];
    // The contributions of the joints behind each link.
    let mut added = vec![[zero; 2]; tree.links.len()];
    for index in (1..tree.links.len()).rev() {
        let (link, before) = (&tree.links[index], &accelerations[tree.links[index].parent]);
        let Some(composite) = composites[index] else {
            continue;
        };
        let composite = composite.turned(graph, link);
        let later = added[index].map(|vector| link.rotation.apply(graph, vector));
        let relative = composite.relative_force(graph, link, before.spin, rates[index]);
        let relative = space::add_each(graph, relative, later);
        let freedoms: Vec<Freedom> = link
            .freedoms
            .iter()
            .map(|freedom| freedom.turned(graph, link))
            .collect();
        let felt = entries_that_work(graph, &freedoms);
        let rigid = composite.rigid_force(graph, link, before, felt);
        let whole = space::add_each(graph, rigid, relative);
        for freedom in freedoms {
            let power = freedom.power(graph, whole);
            generalized[freedom.velocity].push((Number::ONE, power));
        }
        let [force, moment] = relative;
        let lever = space::cross(graph, link.offset, force);
        let carried = [force, space::add(graph, moment, lever)];
        added[link.parent] = space::add_each(graph, added[link.parent], carried);
    }
    graph.sums(generalized)
}

/// For each entry of a force and a moment whether it does work along the freedoms.
fn entries_that_work(graph: &Graph, freedoms: &[Freedom]) -> [[bool; 3]; 2] {
    let any = |part: fn(&Motion) -> Vector| {
        [0, 1, 2].map(|axis| {
            freedoms
                .iter()
                .map(|freedom| part(&freedom.motion)[axis])
                .any(|entry| !graph.is_zero(entry))
        })
    };
    [any(|motion| motion.velocity), any(|motion| motion.spin)]
}

impl Composite {
    /// The force for the motion as if fixed to the link before, about the link's origin; only the entries that do work.
    fn rigid_force(
        &self,
        graph: &mut Graph,
        link: &Link,
        before: &Acceleration,
        felt: [[bool; 3]; 2],
    ) -> Wrench {
        if felt == [[false; 3]; 2] {
            return [space::zero(graph); 2];
        }
        let gradient = before.gradient(graph);
        let origin = before.of_place(graph, link.offset);
        let squares = before.spin.map(|entry| graph.powi(entry, 2));
        self.force(graph, origin, &gradient, felt, |graph, j, k| {
            graph.sub(squares[k], squares[j])
        })
    }

    /// The additional force for its motion relative to the link before.
    fn relative_force(&self, graph: &mut Graph, link: &Link, spin: Vector, rate: Motion) -> Wrench {
        let velocity = carry(graph, link.carried.as_ref(), link.relative.velocity);
        let swept = space::cross(graph, spin, velocity);
        let swept = space::double(graph, swept);
        let origin = space::add(graph, swept, rate.velocity);
        let gradient = added_gradient(graph, link, spin, rate);
        self.force(graph, origin, &gradient, [[true; 3]; 2], |graph, j, k| {
            graph.sub(gradient[k][k], gradient[j][j])
        })
    }

    /// The force for the acceleration `origin + K r` of each place r, and its moment: `h x origin` and the skew part of
    /// `K S`. Only the requested entries; the others are zero. `difference` gives `K_kk - K_jj`.
    fn force(
        &self,
        graph: &mut Graph,
        origin: Vector,
        gradient: &Matrix,
        asked: [[bool; 3]; 2],
        difference: impl Fn(&mut Graph, usize, usize) -> NodeId,
    ) -> Wrench {
        let mut wrench = [space::zero(graph); 2];
        let second = self.second.moments(graph);
        for i in 0..3 {
            let (j, k) = space::axes_after(i);
            if asked[0][i] {
                let straight = graph.mul(self.mass, origin[i]);
                let relative = graph.dot(&gradient[i], &self.first);
                wrench[0][i] = graph.add(straight, relative);
            }
            if asked[1][i] {
                let factors = [
                    (Number::ONE, gradient[k][j], second[j][j]),
                    (Number::MINUS_ONE, gradient[j][k], second[k][k]),
                    (Number::ONE, difference(graph, j, k), second[j][k]),
                    (Number::ONE, gradient[k][i], second[i][j]),
                    (Number::MINUS_ONE, gradient[j][i], second[i][k]),
                    (Number::ONE, self.first[j], origin[k]),
                    (Number::MINUS_ONE, self.first[k], origin[j]),
                ];
                let terms = factors.map(|(sign, a, b)| (sign, graph.mul(a, b)));
                wrench[1][i] = graph.sum(Number::ZERO, terms.to_vec());
            }
        }
        wrench
    }
}

/// K with `K r = ds/dt x r + u x (s x r)`, where `u x (s x r) = s (u . r) - (s . u) r`.
fn added_gradient(graph: &mut Graph, link: &Link, before: Vector, rate: Motion) -> Matrix {
    let [spin, change] =
        [link.relative.spin, rate.spin].map(|vector| link.rotation.apply(graph, vector));
    let after = space::add(graph, before, spin);
    let around = space::add(graph, before, after);
    let mut gradient = spin.map(|component| around.map(|entry| graph.mul(component, entry)));
    let diagonal = [0, 1, 2].map(|i| gradient[i][i]);
    for i in 0..3 {
        let (j, k) = space::axes_after(i);
        let sum = graph.add(diagonal[j], diagonal[k]);
        gradient[i][i] = graph.neg(sum);
        gradient[k][j] = graph.add(gradient[k][j], change[i]);
        gradient[j][k] = graph.sub(gradient[j][k], change[i]);
    }
    gradient
}
