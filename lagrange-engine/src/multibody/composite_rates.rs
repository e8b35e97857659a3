//! The motion of the masses behind a link: the terms of their forces of inertia beside those at rest.

use super::composite::Composite;
use super::newton_euler::Acceleration;
use super::space::{self, Matrix, Vector};
use super::tree::{Link, Tree};
use crate::{Graph, Number};

/// For all bodies from a link on, with the places r of their masses relative to the link's origin and u twice the
/// velocities.
#[derive(Clone, Copy)]
pub(super) struct Flow {
    /// P = sum m u
    pub(super) momentum: Vector,
    /// G = sum m u r^T
    pub(super) spread: Matrix,
}

impl Flow {
    /// The flow of a body that turns about its centre of mass: with J = tr(I) / 2 - I, `[w] 2 J`.
    fn of_body(graph: &mut Graph, spin: Vector, inertia: &Matrix) -> Self {
        let mut second = *inertia;
        for i in 0..3 {
            let (j, k) = space::axes_after(i);
            let terms = [
                (Number::ONE, inertia[j][j]),
                (Number::ONE, inertia[k][k]),
                (Number::MINUS_ONE, inertia[i][i]),
            ];
            second[i][i] = graph.sum(Number::ZERO, terms.to_vec());
            second[j][k] = graph.scale(Number::integer(-2), inertia[j][k]);
            second[k][j] = graph.scale(Number::integer(-2), inertia[k][j]);
        }
        // Symmetric: its rows are its columns.
        let columns = second.map(|column| space::cross(graph, spin, column));
        Flow {
            momentum: space::zero(graph),
            spread: space::transpose(&columns),
        }
    }

    fn add(self, graph: &mut Graph, other: Self) -> Self {
        Flow {
            momentum: space::add(graph, self.momentum, other.momentum),
            spread: std::array::from_fn(|i| space::add(graph, self.spread[i], other.spread[i])),
        }
    }

    /// The flow relative to the parent's origin, in its axes; `velocity` is twice that of the link's origin.
    fn carried(
        self,
        graph: &mut Graph,
        link: &Link,
        composite: &Composite,
        velocity: Vector,
    ) -> Self {
        let momentum = link.rotation.apply(graph, self.momentum);
        let turned = link.rotation.of_any_matrix(graph, &self.spread);
        let first = link.rotation.apply(graph, composite.first);
        let share = velocity.map(|entry| graph.mul(composite.mass, entry));
        let momentum = space::add(graph, momentum, share);
        // (u + w) (r + o)^T = u r^T + (u + w) o^T + w r^T
        let spread = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let products = [
                    graph.mul(momentum[i], link.offset[j]),
                    graph.mul(velocity[i], first[j]),
                ];
                let mut terms = vec![(Number::ONE, turned[i][j])];
                terms.extend(products.map(|product| (Number::ONE, product)));
                graph.sum(Number::ZERO, terms)
            })
        });
        Flow { momentum, spread }
    }

    /// `sum m r x (t x u) = tr G t - G t`: the moment that a change t of the angular velocity adds.
    pub(super) fn moment(&self, graph: &mut Graph, turn: Vector) -> Vector {
        let spread = self.spread;
        apply(graph, &spread, turn)
    }

    /// The transpose of the same.
    pub(super) fn moment_back(&self, graph: &mut Graph, turn: Vector) -> Vector {
        let spread = space::transpose(&self.spread);
        apply(graph, &spread, turn)
    }

    /// `t x P`, the force that a change t of the angular velocity adds.
    pub(super) fn force(&self, graph: &mut Graph, turn: Vector) -> Vector {
        space::cross(graph, turn, self.momentum)
    }
}

/// `tr G t - G t`
fn apply(graph: &mut Graph, spread: &Matrix, turn: Vector) -> Vector {
    std::array::from_fn(|i| {
        let (j, k) = space::axes_after(i);
        let trace = graph.add(spread[j][j], spread[k][k]);
        let products = [
            (Number::ONE, graph.mul(trace, turn[i])),
            (Number::MINUS_ONE, graph.mul(spread[i][j], turn[j])),
            (Number::MINUS_ONE, graph.mul(spread[i][k], turn[k])),
        ];
        graph.sum(Number::ZERO, products.to_vec())
    })
}

/// Twice the velocity of a link's origin relative to its parent's.
pub(super) fn double_velocity(graph: &mut Graph, link: &Link, before: &Acceleration) -> Vector {
    let velocity = link.carry_motion(graph, link.relative).velocity;
    let [offset, velocity] = [link.offset, velocity].map(|vector| space::double(graph, vector));
    let swept = space::cross(graph, before.spin, offset);
    space::add(graph, swept, velocity)
}

/// The flow of each link; `None` if there is no body from it on.
pub(super) fn find_flows(
    graph: &mut Graph,
    tree: &Tree,
    composites: &[Option<Composite>],
    accelerations: &[Acceleration],
) -> Vec<Option<Flow>> {
    let mut flows: Vec<Option<Flow>> = tree
        .links
        .iter()
        .zip(accelerations)
        .map(|(link, acceleration)| {
            let (_, inertia) = link.body.as_ref()?;
            Some(Flow::of_body(graph, acceleration.spin, inertia))
        })
        .collect();
    for index in (1..tree.links.len()).rev() {
        let link = &tree.links[index];
        if let (Some(flow), Some(composite)) = (flows[index], &composites[index]) {
            let velocity = double_velocity(graph, link, &accelerations[link.parent]);
            let carried = flow.carried(graph, link, composite, velocity);
            let parent = &mut flows[link.parent];
            *parent = Some(match *parent {
                Some(other) => other.add(graph, carried),
                None => carried,
            });
        }
    }
    flows
}
