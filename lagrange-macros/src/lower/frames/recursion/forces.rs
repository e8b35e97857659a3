//! Generalized forces of inertia and gravity, by Newton's and Euler's equations.

use lagrange_engine::{Graph, NodeId, Number, Symbol};

use super::super::kinematics::Motion;
use super::super::space::{self, Matrix, Vector};
use super::{Link, Tree};

/// Relative to a world that accelerates against gravity.
#[derive(Clone, Copy)]
struct Acceleration {
    /// Angular velocity, and its rate.
    spin: Vector,
    turning: Vector,
    /// Of the origin.
    origin: Vector,
}

/// M a + h at the accelerations `a` of the coordinates.
pub(super) fn forces(graph: &mut Graph, tree: &Tree, gravity: Vector, a: &[NodeId]) -> Vec<NodeId> {
    let accelerations = accelerations(graph, tree, gravity, a);
    let zero = space::zero(graph);
    let links = tree.links.iter().zip(&accelerations);
    let mut forces: Vec<[Vector; 2]> = links
        .map(|(link, acceleration)| match &link.body {
            Some((mass, inertia)) => acceleration.force(graph, *mass, inertia),
            None => [zero; 2],
        })
        .collect();
    let mut generalized = vec![Vec::new(); tree.coordinates];
    for index in (1..tree.links.len()).rev() {
        let link = &tree.links[index];
        let force = forces[index];
        for freedom in &link.freedoms {
            let power = freedom.power(graph, force);
            generalized[freedom.coordinate].push((Number::ONE, power));
        }
        let carried = link.carried_force(graph, force);
        let parent = forces[link.parent];
        forces[link.parent] = [0, 1].map(|i| space::add(graph, parent[i], carried[i]));
    }
    let sums = generalized.into_iter();
    sums.map(|terms| graph.sum(Number::ZERO, terms)).collect()
}

/// Of each link's origin.
fn accelerations(
    graph: &mut Graph,
    tree: &Tree,
    gravity: Vector,
    a: &[NodeId],
) -> Vec<Acceleration> {
    let mut direction = vec![(Symbol::Time, graph.integer(1))];
    for (i, acceleration) in a.iter().enumerate() {
        let i = i as u32;
        direction.push((Symbol::Coordinate(i), graph.symbol(Symbol::Velocity(i))));
        direction.push((Symbol::Velocity(i), *acceleration));
    }
    let rates = tree.derivatives(graph, &direction);
    let zero = space::zero(graph);
    let mut found = vec![Acceleration {
        spin: zero,
        turning: zero,
        origin: gravity.map(|entry| graph.neg(entry)),
    }];
    for (link, rate) in tree.links.iter().zip(rates).skip(1) {
        let before = found[link.parent];
        found.push(before.behind(graph, link, rate));
    }
    found
}

impl Acceleration {
    /// Of a link whose relative velocity changes at `rate`.
    fn behind(self, graph: &mut Graph, link: &Link, rate: Motion) -> Self {
        let velocity = super::carry(graph, link.carried.as_ref(), link.relative.velocity);
        let swept = space::cross(graph, self.spin, velocity);
        let two = Number::integer(2);
        let gradient = self.gradient(graph);
        let parts = [
            space::times(graph, &gradient, link.offset),
            swept.map(|entry| graph.scale(two, entry)),
            rate.velocity,
        ];
        let origin = parts
            .into_iter()
            .fold(self.origin, |sum, part| space::add(graph, sum, part));
        let [spin, turning, origin] =
            [self.spin, self.turning, origin].map(|vector| link.rotation.back(graph, vector));
        let relative = link.relative.spin;
        let gyration = space::cross(graph, spin, relative);
        let gained = space::add(graph, gyration, rate.spin);
        Acceleration {
            spin: space::add(graph, spin, relative),
            turning: space::add(graph, turning, gained),
            origin,
        }
    }

    /// K with K r = dw/dt x r + w x (w x r), which offsets and inertia of one frame share.
    fn gradient(&self, graph: &mut Graph) -> Matrix {
        let (w, turning) = (self.spin, self.turning);
        let squares = w.map(|entry| graph.powi(entry, 2));
        let mut gradient = [w; 3];
        for i in 0..3 {
            let (j, k) = space::others(i);
            let both = graph.add(squares[j], squares[k]);
            gradient[i][i] = graph.neg(both);
            let product = graph.mul(w[j], w[k]);
            gradient[k][j] = graph.add(product, turning[i]);
            gradient[j][k] = graph.sub(product, turning[i]);
        }
        gradient
    }

    /// m a and I dw/dt + w x I w of a body whose centre of mass is the origin.
    fn force(&self, graph: &mut Graph, mass: NodeId, inertia: &Matrix) -> [Vector; 2] {
        let force = self.origin.map(|entry| graph.mul(mass, entry));
        let gradient = self.gradient(graph);
        let moment = std::array::from_fn(|i| {
            let (j, k) = space::others(i);
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
