//! Generalized forces of inertia and gravity, by Newton's and Euler's equations.
//!
//! After an attitude the acceleration of its origin is carried separately from the relative acceleration: all masses
//! behind take the same share of it, so it passes back through the attitude without being turned there and back.

use super::pose::Motion;
use super::space::{self, Matrix, Vector};
use super::tree::{Link, Tree, carry};
use crate::{Graph, NodeId, Number, Symbol};

/// Relative to a world that accelerates against gravity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Acceleration {
    /// Angular velocity, and its rate.
    pub(super) spin: Vector,
    pub(super) turning: Vector,
    /// The acceleration of the origin, without the carried acceleration.
    pub(super) origin: Vector,
    /// The acceleration of the origin about which the last attitude turned.
    pub(super) carried: Option<Vector>,
}

/// M a + h at the accelerations `a` of the velocities.
pub(super) fn forces(graph: &mut Graph, tree: &Tree, gravity: Vector, a: &[NodeId]) -> Vec<NodeId> {
    let rates = rates_at(graph, tree, a);
    let accelerations = find_accelerations(graph, tree, gravity, &rates);
    let mut generalized = vec![Vec::new(); tree.kinematics.velocity_count()];
    visit_transmitted(graph, tree, &accelerations, |graph, index, wrench| {
        for freedom in &tree.links[index].freedoms {
            let power = freedom.power(graph, wrench);
            generalized[freedom.velocity].push((Number::ONE, power));
        }
    });
    graph.sums(generalized)
}

/// The force and the moment about its origin that each link takes from its parent, from the last link to the
/// first.
pub(super) fn visit_transmitted(
    graph: &mut Graph,
    tree: &Tree,
    accelerations: &[Acceleration],
    mut visit: impl FnMut(&mut Graph, usize, [Vector; 2]),
) {
    let masses = masses_behind(graph, tree);
    let zero = space::zero(graph);
    let mut forces: Vec<[Vector; 2]> = tree
        .links
        .iter()
        .zip(accelerations)
        .map(|(link, acceleration)| match &link.body {
            Some((mass, inertia)) => acceleration.force(graph, *mass, inertia),
            None => [zero; 2],
        })
        .collect();
    for index in (1..tree.links.len()).rev() {
        let link = &tree.links[index];
        let [relative, moment] = forces[index];
        let whole = add_carried(graph, relative, masses[index], accelerations[index].carried);
        visit(graph, index, [whole, moment]);
        let before = &accelerations[link.parent];
        let mut force = link.rotation.apply(graph, relative);
        if link.floats {
            force = add_carried(graph, force, masses[index], Some(before.origin));
        }
        let moment = link.rotation.apply(graph, moment);
        let whole = add_carried(graph, force, masses[index], before.carried);
        let lever = space::cross(graph, link.offset, whole);
        let carried = [force, space::add(graph, moment, lever)];
        let parent = forces[link.parent];
        forces[link.parent] = space::add_each(graph, parent, carried);
    }
}

/// A force, plus that of a mass with the carried acceleration.
fn add_carried(
    graph: &mut Graph,
    force: Vector,
    mass: NodeId,
    acceleration: Option<Vector>,
) -> Vector {
    match acceleration {
        Some(acceleration) => {
            let share = acceleration.map(|entry| graph.mul(mass, entry));
            space::add(graph, force, share)
        }
        None => force,
    }
}

/// The mass of all bodies from each link on.
fn masses_behind(graph: &mut Graph, tree: &Tree) -> Vec<NodeId> {
    let zero = graph.integer(0);
    let mut masses: Vec<NodeId> = tree
        .links
        .iter()
        .map(|link| link.body.as_ref().map_or(zero, |(mass, _)| *mass))
        .collect();
    for index in (1..tree.links.len()).rev() {
        let parent = tree.links[index].parent;
        masses[parent] = graph.add(masses[parent], masses[index]);
    }
    masses
}

/// The acceleration of each link's origin, with the rates of all relative velocities.
pub(super) fn find_accelerations(
    graph: &mut Graph,
    tree: &Tree,
    gravity: Vector,
    rates: &[Motion],
) -> Vec<Acceleration> {
    find_accelerations_by(Acceleration::behind, graph, tree, gravity, rates)
}

/// The same; `next` gives the acceleration of a link from that of the link before it.
pub(super) fn find_accelerations_by(
    next: fn(Acceleration, &mut Graph, &Link, Motion) -> Acceleration,
    graph: &mut Graph,
    tree: &Tree,
    gravity: Vector,
    rates: &[Motion],
) -> Vec<Acceleration> {
    let mut accelerations = vec![Acceleration::of_world(graph, gravity)];
    for (link, rate) in tree.links.iter().zip(rates).skip(1) {
        accelerations.push(next(accelerations[link.parent], graph, link, *rate));
    }
    accelerations
}

/// The rates of all relative velocities, at the accelerations `a` of the velocities.
pub(super) fn rates_at(graph: &mut Graph, tree: &Tree, a: &[NodeId]) -> Vec<Motion> {
    let direction = along(graph, tree, a);
    tree.derivatives(graph, &direction)
}

/// The total time derivative, (q, v, t) -> (N v, a, 1).
pub(super) fn along(graph: &mut Graph, tree: &Tree, a: &[NodeId]) -> Vec<(Symbol, NodeId)> {
    let mut direction = tree.kinematics.along_the_motion(graph);
    let numbered = a.iter().enumerate();
    direction.extend(numbered.map(|(j, a)| (Symbol::Velocity(j as u32), *a)));
    direction
}

impl Acceleration {
    /// The acceleration of a world at rest, under gravity.
    pub(super) fn of_world(graph: &mut Graph, gravity: Vector) -> Self {
        let zero = space::zero(graph);
        Acceleration {
            spin: zero,
            turning: zero,
            origin: gravity.map(|entry| graph.neg(entry)),
            carried: None,
        }
    }

    /// The acceleration of the origin, including the carried acceleration.
    pub(super) fn whole(&self, graph: &mut Graph) -> Vector {
        match self.carried {
            Some(carried) => space::add(graph, carried, self.origin),
            None => self.origin,
        }
    }

    /// The acceleration of a link whose relative velocity changes at `rate`, in the axes of its parent and including the
    /// carried acceleration.
    pub(super) fn beside(self, graph: &mut Graph, link: &Link, rate: Motion) -> Self {
        let [spin, change] =
            [link.relative.spin, rate.spin].map(|vector| link.rotation.apply(graph, vector));
        let gyration = space::cross(graph, self.spin, spin);
        let gained = space::add(graph, gyration, change);
        let before = Acceleration {
            origin: self.whole(graph),
            ..self
        };
        Acceleration {
            spin: space::add(graph, self.spin, spin),
            turning: space::add(graph, self.turning, gained),
            origin: before.origin_behind(graph, link, rate),
            carried: None,
        }
    }

    /// The acceleration of a place that moves with the link.
    pub(super) fn of_place(&self, graph: &mut Graph, place: Vector) -> Vector {
        let gradient = self.gradient(graph);
        let relative = space::times(graph, &gradient, place);
        space::add(graph, self.origin, relative)
    }

    /// The acceleration of a link whose relative velocity changes at `rate`.
    fn behind(self, graph: &mut Graph, link: &Link, rate: Motion) -> Self {
        let origin = self.origin_behind(graph, link, rate);
        let [spin, turning, origin] =
            [self.spin, self.turning, origin].map(|vector| link.rotation.back(graph, vector));
        let relative = link.relative.spin;
        let gyration = space::cross(graph, spin, relative);
        let gained = space::add(graph, gyration, rate.spin);
        let carried = self.carried.map(|vector| link.rotation.back(graph, vector));
        let (origin, carried) = match carried {
            _ if !link.floats => (origin, carried),
            Some(carried) => {
                let sum = space::add(graph, carried, origin);
                (space::zero(graph), Some(sum))
            }
            None => (space::zero(graph), Some(origin)),
        };
        Acceleration {
            spin: space::add(graph, spin, relative),
            turning: space::add(graph, turning, gained),
            origin,
            carried,
        }
    }

    /// In the axes of the parent.
    fn origin_behind(&self, graph: &mut Graph, link: &Link, rate: Motion) -> Vector {
        let velocity = carry(graph, link.carried.as_ref(), link.relative.velocity);
        let swept = space::cross(graph, self.spin, velocity);
        let gradient = self.gradient(graph);
        let parts = [
            space::times(graph, &gradient, link.offset),
            space::double(graph, swept),
            rate.velocity,
        ];
        space::add_all(graph, self.origin, parts)
    }

    /// K with K r = dw/dt x r + w x (w x r), shared by offsets and inertia of one frame.
    pub(super) fn gradient(&self, graph: &mut Graph) -> Matrix {
        let (w, turning) = (self.spin, self.turning);
        let squares = w.map(|entry| graph.powi(entry, 2));
        let mut gradient = [w; 3];
        for i in 0..3 {
            let (j, k) = space::axes_after(i);
            let sum = graph.add(squares[j], squares[k]);
            gradient[i][i] = graph.neg(sum);
            let product = graph.mul(w[j], w[k]);
            gradient[k][j] = graph.add(product, turning[i]);
            gradient[j][k] = graph.sub(product, turning[i]);
        }
        gradient
    }

    /// m a without the carried part, and I dw/dt + w x I w of a body whose centre of mass is the origin.
    fn force(&self, graph: &mut Graph, mass: NodeId, inertia: &Matrix) -> [Vector; 2] {
        let force = self.origin.map(|entry| graph.mul(mass, entry));
        let gradient = self.gradient(graph);
        let moment = std::array::from_fn(|i| {
            let (j, k) = space::axes_after(i);
            let principal = graph.sub(inertia[k][k], inertia[j][j]);
            let product = graph.mul(self.spin[j], self.spin[k]);
            let difference = graph.sub(gradient[j][j], gradient[k][k]);
            let factors = [
                (Number::ONE, inertia[i][i], self.turning[i]),
                (Number::ONE, principal, product),
                (Number::ONE, inertia[j][k], difference),
                (Number::MINUS_ONE, inertia[i][j], gradient[k][i]),
                (Number::ONE, inertia[i][k], gradient[j][i]),
            ];
            let terms = factors.map(|(sign, a, b)| (sign, graph.mul(a, b)));
            graph.sum(Number::ZERO, terms.to_vec())
        });
        [force, moment]
    }
}
