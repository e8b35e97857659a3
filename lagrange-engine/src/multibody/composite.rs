//! M by composite inertias.

use super::space::{self, Matrix, Vector};
use super::tree::{Link, Tree};
use crate::{Graph, NodeId, Number, lower_triangle};

/// The masses of all bodies from a link on, about its origin.
#[derive(Clone, Copy)]
pub(super) struct Composite {
    pub(super) mass: NodeId,
    /// sum m r
    pub(super) first: Vector,
    pub(super) second: MassDistribution,
}

/// The distribution of masses about an origin: each variant determines the other.
#[derive(Clone, Copy)]
pub(super) enum MassDistribution {
    /// I = tr S - S; motions in a plane need only one entry.
    Inertia(Matrix),
    /// S = sum m r r^T, which forces at arbitrary accelerations need.
    SecondMoments(Matrix),
}

/// The choice between the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DistributionKind {
    Inertia,
    SecondMoments,
}

impl MassDistribution {
    /// The distribution of a body with this inertia.
    fn of(graph: &mut Graph, inertia: Matrix, by: DistributionKind) -> Self {
        let second = MassDistribution::Inertia(inertia);
        match by {
            DistributionKind::Inertia => second,
            DistributionKind::SecondMoments => {
                MassDistribution::SecondMoments(second.moments(graph))
            }
        }
    }

    /// S = tr I / 2 - I
    pub(super) fn moments(&self, graph: &mut Graph) -> Matrix {
        let inertia = match self {
            Self::Inertia(inertia) => inertia,
            Self::SecondMoments(moments) => return *moments,
        };
        let mut moments = inertia.map(|row| row.map(|entry| graph.neg(entry)));
        for (i, row) in moments.iter_mut().enumerate() {
            let (j, k) = space::axes_after(i);
            let signs = [(i, -Number::HALF), (j, Number::HALF), (k, Number::HALF)];
            let terms = signs.map(|(axis, sign)| (sign, inertia[axis][axis]));
            row[i] = graph.sum(Number::ZERO, terms.to_vec());
        }
        moments
    }

    fn matrix(&self) -> &Matrix {
        let (Self::Inertia(matrix) | Self::SecondMoments(matrix)) = self;
        matrix
    }

    fn with(self, matrix: Matrix) -> Self {
        match self {
            Self::Inertia(_) => Self::Inertia(matrix),
            Self::SecondMoments(_) => Self::SecondMoments(matrix),
        }
    }

    /// I w
    fn angular_momentum(&self, graph: &mut Graph, spin: Vector) -> Vector {
        let second = match self {
            Self::Inertia(inertia) => return space::times(graph, inertia, spin),
            Self::SecondMoments(moments) => moments,
        };
        std::array::from_fn(|i| {
            let (j, k) = space::axes_after(i);
            let about = graph.add(second[j][j], second[k][k]);
            let terms = vec![
                (Number::ONE, graph.mul(about, spin[i])),
                (Number::MINUS_ONE, graph.mul(second[i][j], spin[j])),
                (Number::MINUS_ONE, graph.mul(second[i][k], spin[k])),
            ];
            graph.sum(Number::ZERO, terms)
        })
    }

    /// The distribution about another origin at `offset`, with the first moments about both.
    fn move_origin(&self, graph: &mut Graph, offset: Vector, first: Vector, moved: Vector) -> Self {
        let second = self.matrix();
        // With h' = h + m r: S' = S + r h^T + h' r^T, I' = I + (r . h' + r . h) 1 - r h^T - h' r^T.
        let (sign, trace) = match self {
            Self::SecondMoments(_) => (Number::ONE, None),
            Self::Inertia(_) => {
                let trace = [graph.dot(&offset, &moved), graph.dot(&offset, &first)];
                (Number::MINUS_ONE, Some(trace))
            }
        };
        let mut result = *second;
        for i in 0..3 {
            for j in 0..=i {
                let products = [
                    graph.mul(offset[i], moved[j]),
                    graph.mul(first[i], offset[j]),
                ];
                let mut terms = vec![(Number::ONE, second[i][j])];
                terms.extend(products.map(|product| (sign, product)));
                if let Some(trace) = trace.filter(|_| i == j) {
                    terms.extend(trace.map(|product| (Number::ONE, product)));
                }
                result[i][j] = graph.sum(Number::ZERO, terms);
                result[j][i] = result[i][j];
            }
        }
        self.with(result)
    }
}

impl Composite {
    /// The composite of a body whose centre of mass is the origin.
    fn of_body(graph: &mut Graph, (mass, inertia): (NodeId, Matrix), by: DistributionKind) -> Self {
        Composite {
            mass,
            first: space::zero(graph),
            second: MassDistribution::of(graph, inertia, by),
        }
    }

    fn add(self, graph: &mut Graph, other: Self) -> Self {
        let (second, other_second) = (self.second.matrix(), other.second.matrix());
        let second = std::array::from_fn(|i| space::add(graph, second[i], other_second[i]));
        Composite {
            mass: graph.add(self.mass, other.mass),
            first: space::add(graph, self.first, other.first),
            second: self.second.with(second),
        }
    }

    /// The composite about the same origin, in the axes of the parent.
    pub(super) fn turned(self, graph: &mut Graph, link: &Link) -> Self {
        let first = link.rotation.apply(graph, self.first);
        let second = link.rotation.of_matrix(graph, self.second.matrix());
        Composite {
            mass: self.mass,
            first,
            second: self.second.with(second),
        }
    }

    /// The composite about the parent's origin, in its axes.
    fn carried(self, graph: &mut Graph, link: &Link) -> Self {
        let turned = self.turned(graph, link);
        let (offset, first) = (link.offset, turned.first);
        let moved = offset.map(|entry| graph.mul(self.mass, entry));
        let moved = space::add(graph, first, moved);
        Composite {
            mass: self.mass,
            first: moved,
            second: turned.second.move_origin(graph, offset, first, moved),
        }
    }

    /// Momentum and angular momentum about the origin at a velocity and an angular velocity.
    pub(super) fn momentum(
        &self,
        graph: &mut Graph,
        velocity: Vector,
        spin: Vector,
    ) -> [Vector; 2] {
        let turning = space::cross(graph, spin, self.first);
        let straight = velocity.map(|entry| graph.mul(self.mass, entry));
        let about = space::cross(graph, self.first, velocity);
        let about_centre = self.second.angular_momentum(graph, spin);
        [
            space::add(graph, straight, turning),
            space::add(graph, about_centre, about),
        ]
    }
}

impl Link {
    /// A force and a moment about the origin, carried to the parent's origin and axes.
    pub(super) fn carry_force(
        &self,
        graph: &mut Graph,
        [force, moment]: [Vector; 2],
    ) -> [Vector; 2] {
        let force = self.rotation.apply(graph, force);
        let moment = self.rotation.apply(graph, moment);
        let lever = space::cross(graph, self.offset, force);
        [force, space::add(graph, moment, lever)]
    }
}

/// The lower triangle of M. The momentum that a velocity gives to the bodies behind a link does work along each freedom
/// of the link. Contributions of several joints of the same velocity are added on the way, so the cost of a velocity is
/// proportional to its links.
pub(super) fn mass_matrix(graph: &mut Graph, tree: &Tree, by: DistributionKind) -> Vec<NodeId> {
    let n = tree.kinematics.velocity_count();
    let composites = find_composites(graph, tree, by);
    let mut terms = vec![Vec::new(); n * (n + 1) / 2];
    for j in 0..n {
        let mut behind: Vec<Option<[Vector; 2]>> = vec![None; tree.links.len()];
        for index in (1..tree.links.len()).rev() {
            let link = &tree.links[index];
            let momentum = link.momentum_by(graph, composites[index].as_ref(), j);
            for freedom in &link.freedoms {
                let i = freedom.velocity;
                if let Some(momentum) = momentum.filter(|_| i <= j) {
                    let entry = freedom.power(graph, momentum);
                    terms[lower_triangle(j, i)].push((Number::ONE, entry));
                }
                if let Some(behind) = behind[index] {
                    let entry = freedom.power(graph, behind);
                    let factor = Number::integer(if i == j { 2 } else { 1 });
                    terms[lower_triangle(i.max(j), i.min(j))].push((factor, entry));
                }
            }
            if let Some(whole) = space::add_present(graph, momentum, behind[index]) {
                let carried = link.carry_force(graph, whole);
                behind[link.parent] = space::add_present(graph, behind[link.parent], Some(carried));
            }
        }
    }
    graph.sums(terms)
}

impl Link {
    /// The momentum that the velocity gives to the bodies from the link on, by a freedom of the link itself.
    fn momentum_by(
        &self,
        graph: &mut Graph,
        composite: Option<&Composite>,
        velocity: usize,
    ) -> Option<[Vector; 2]> {
        let freedom = self
            .freedoms
            .iter()
            .find(|freedom| freedom.velocity == velocity)?;
        let motion = freedom.motion;
        Some(composite?.momentum(graph, motion.velocity, motion.spin))
    }
}

/// The composite of each link; `None` if there is no body from it on.
pub(super) fn find_composites(
    graph: &mut Graph,
    tree: &Tree,
    by: DistributionKind,
) -> Vec<Option<Composite>> {
    let mut composites: Vec<Option<Composite>> = tree
        .links
        .iter()
        .map(|link| link.body.map(|body| Composite::of_body(graph, body, by)))
        .collect();
    for index in (1..tree.links.len()).rev() {
        let link = &tree.links[index];
        if let Some(composite) = composites[index] {
            let carried = composite.carried(graph, link);
            let parent = &mut composites[link.parent];
            *parent = Some(match *parent {
                Some(other) => other.add(graph, carried),
                None => carried,
            });
        }
    }
    composites
}
