//! The terms of the equations of motion, one function each.

use super::{Dynamics, NaturalTerms, OutputTerms, lower_triangle};
use crate::{Energy, Graph, Names, NodeId, Number, Output, Shape, Split, Symbol, System};

/// The graph under derivation and the symbols to derive by.
pub(super) struct Derivation {
    pub(super) graph: Graph,
    coordinates: Vec<Symbol>,
    velocities: Vec<Symbol>,
    /// The nodes of v and a.
    v: Vec<NodeId>,
    a: Vec<NodeId>,
}

/// What determines the accelerations, without forces and constraints.
pub(super) struct Motion {
    pub(super) mass_matrix: Vec<NodeId>,
    pub(super) bias: Vec<NodeId>,
    pub(super) inverse_dynamics: Vec<NodeId>,
}

/// The equations of motion of bodies by recursion.
pub(super) struct Recursive {
    mass_matrix: Vec<NodeId>,
    bias: Vec<NodeId>,
    inverse_dynamics: Vec<NodeId>,
    /// The energies of all that is not in the vectors above.
    rest: Energy,
}

impl Recursive {
    /// `None` if recursion takes none of the bodies.
    pub(super) fn of(system: &mut System) -> Option<Self> {
        let kinematics = system.names.kinematics();
        let graph = &mut system.graph;
        let Split { recursion, rest } = system.multibody.split(graph, &kinematics);
        let recursion = recursion?;
        Some(Recursive {
            mass_matrix: recursion.mass_matrix(graph),
            bias: recursion.bias(graph),
            inverse_dynamics: recursion.inverse_dynamics(graph),
            rest: rest.with_energy(graph, &kinematics, system.energy),
        })
    }
}

impl Derivation {
    pub(super) fn new(mut graph: Graph, names: &Names) -> Self {
        let velocities = names.velocity_symbols();
        let v = velocities.iter().map(|s| graph.symbol(*s)).collect();
        let a = (0..velocities.len() as u32)
            .map(|i| graph.symbol(Symbol::Acceleration(i)))
            .collect();
        Self {
            graph,
            coordinates: names.coordinate_symbols(),
            velocities,
            v,
            a,
        }
    }

    pub(super) fn momenta(&mut self, lagrangian: NodeId) -> Vec<NodeId> {
        self.graph.gradient(lagrangian, &self.velocities)
    }

    pub(super) fn gradient_in_q(&mut self, root: NodeId) -> Vec<NodeId> {
        self.graph.gradient(root, &self.coordinates)
    }

    /// dL/dq. T and V apart, so that the terms of dT/dq stay those that dp/dt has too.
    pub(super) fn gradient_of(&mut self, energy: Energy) -> Vec<NodeId> {
        match energy {
            Energy::Natural { kinetic, potential } => {
                let of_kinetic = self.gradient_in_q(kinetic);
                let of_potential = self.gradient_in_q(potential);
                self.difference(&of_kinetic, &of_potential)
            }
            Energy::Lagrangian(lagrangian) => self.gradient_in_q(lagrangian),
        }
    }

    /// The lower triangle of dp/dv: column j needs the rows from j on.
    pub(super) fn mass_matrix(&mut self, momenta: &[NodeId]) -> Vec<NodeId> {
        let n = momenta.len();
        let one = self.graph.integer(1);
        let mut lower = vec![one; n * (n + 1) / 2];
        for j in 0..n {
            let direction = [(self.velocities[j], one)];
            let column = self.graph.directional(&momenta[j..], &direction);
            for (i, entry) in (j..n).zip(column) {
                lower[lower_triangle(i, j)] = entry;
            }
        }
        lower
    }

    /// q -> v and, if it moves explicitly, t -> 1.
    fn along_the_motion(&mut self) -> Vec<(Symbol, NodeId)> {
        let one = self.graph.integer(1);
        let rates = self.coordinates.iter().copied().zip(self.v.iter().copied());
        rates.chain([(Symbol::Time, one)]).collect()
    }

    pub(super) fn bias(&mut self, momenta: &[NodeId], gradient: &[NodeId]) -> Vec<NodeId> {
        let rate = self.rates_at_constant_velocity(momenta);
        self.difference(&rate, gradient)
    }

    /// The time derivatives at a = 0: (q, t) -> (v, 1).
    pub(super) fn rates_at_constant_velocity(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        let direction = self.along_the_motion();
        self.graph.directional(roots, &direction)
    }

    /// The total time derivatives: (q, v, t) -> (v, a, 1).
    pub(super) fn rates(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        let mut direction = self.along_the_motion();
        direction.extend(self.velocities.iter().copied().zip(self.a.iter().copied()));
        self.graph.directional(roots, &direction)
    }

    /// dp/dt - dL/dq, which is the bias where a = 0.
    pub(super) fn inverse_dynamics(
        &mut self,
        momenta: &[NodeId],
        gradient: &[NodeId],
    ) -> Vec<NodeId> {
        let rate = self.rates(momenta);
        self.difference(&rate, gradient)
    }

    /// Q . v, and dL/dt at fixed q and v.
    pub(super) fn power_and_explicit_rate(
        &mut self,
        forces: &[NodeId],
        lagrangian: NodeId,
    ) -> (NodeId, NodeId) {
        let one = self.graph.integer(1);
        let power = self.graph.dot(forces, &self.v);
        let rate = self
            .graph
            .directional(&[lagrangian], &[(Symbol::Time, one)]);
        (power, rate[0])
    }

    pub(super) fn forces(&mut self, given: &[NodeId], dissipation: NodeId) -> Vec<NodeId> {
        let drag = self.graph.gradient(dissipation, &self.velocities);
        self.difference(given, &drag)
    }

    /// The recursive forms, and what the rest of the energies adds.
    pub(super) fn motion_with(&mut self, recursive: Recursive) -> Motion {
        let rest = match recursive.rest {
            Energy::Natural { kinetic, potential } => self.graph.sub(kinetic, potential),
            Energy::Lagrangian(lagrangian) => lagrangian,
        };
        let momenta = self.momenta(rest);
        let gradient = self.gradient_of(recursive.rest);
        let mass_matrix = self.mass_matrix(&momenta);
        let bias = self.bias(&momenta, &gradient);
        let inverse_dynamics = self.inverse_dynamics(&momenta, &gradient);
        Motion {
            mass_matrix: self.sums(&recursive.mass_matrix, &mass_matrix),
            bias: self.sums(&recursive.bias, &bias),
            inverse_dynamics: self.sums(&recursive.inverse_dynamics, &inverse_dynamics),
        }
    }

    fn sums(&mut self, left: &[NodeId], right: &[NodeId]) -> Vec<NodeId> {
        let pairs = left.iter().zip(right);
        pairs.map(|(a, b)| self.graph.add(*a, *b)).collect()
    }

    pub(super) fn difference(&mut self, left: &[NodeId], right: &[NodeId]) -> Vec<NodeId> {
        let pairs = left.iter().zip(right);
        pairs.map(|(a, b)| self.graph.sub(*a, *b)).collect()
    }

    /// p . v - L.
    pub(super) fn jacobi_integral(&mut self, lagrangian: NodeId, momenta: &[NodeId]) -> NodeId {
        let power = self.graph.dot(momenta, &self.v);
        self.graph.sub(power, lagrangian)
    }

    pub(super) fn at_rest(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        let zero = self.graph.integer(0);
        let rest: Vec<_> = self.velocities.iter().map(|s| (*s, zero)).collect();
        self.graph.substitute(roots, &rest)
    }

    /// Whether T has neither terms linear in v nor terms without v: p = 0 and L = -V at rest.
    pub(super) fn is_homogeneous(
        &mut self,
        lagrangian: NodeId,
        momenta: &[NodeId],
        energy: NodeId,
    ) -> bool {
        let sum = self.graph.add(lagrangian, energy);
        let at_rest = self.at_rest(&[momenta, &[sum]].concat());
        at_rest.iter().all(|node| self.graph.is_zero(*node))
    }

    pub(super) fn natural_terms(
        &mut self,
        kinetic: NodeId,
        potential: NodeId,
        momenta: &[NodeId],
        mass_matrix: &[NodeId],
    ) -> NaturalTerms {
        NaturalTerms {
            kinetic,
            potential,
            potential_gradient: self.gradient_in_q(potential),
            coriolis_matrix: self.coriolis_matrix(momenta, mass_matrix),
        }
    }

    /// C = (dM/dq v + N - N^T) / 2 with N = d(M v)/dq at fixed v, which is the Christoffel formula
    /// with its sums over k done by directional derivatives.
    fn coriolis_matrix(&mut self, momenta: &[NodeId], mass_matrix: &[NodeId]) -> Vec<NodeId> {
        let n = momenta.len();
        let one = self.graph.integer(1);
        let rates: Vec<_> = self
            .coordinates
            .iter()
            .copied()
            .zip(self.v.iter().copied())
            .collect();
        let rate = self.graph.directional(mass_matrix, &rates);
        let at_rest = self.at_rest(momenta);
        let quadratic = self.difference(momenta, &at_rest);
        let columns: Vec<Vec<NodeId>> = (0..n)
            .map(|j| {
                let direction = [(self.coordinates[j], one)];
                self.graph.directional(&quadratic, &direction)
            })
            .collect();
        let mut matrix = Vec::with_capacity(n * n);
        for i in 0..n {
            for j in 0..n {
                let terms = vec![
                    (Number::HALF, rate[lower_triangle(i.max(j), i.min(j))]),
                    (Number::HALF, columns[j][i]),
                    (-Number::HALF, columns[i][j]),
                ];
                matrix.push(self.graph.sum(Number::ZERO, terms));
            }
        }
        matrix
    }

    pub(super) fn outputs(&mut self, outputs: Vec<Output>) -> Vec<OutputTerms> {
        outputs
            .into_iter()
            .map(|output| OutputTerms {
                jacobian: self.jacobian(&output),
                name: output.name,
                shape: output.shape,
                entries: output.entries,
            })
            .collect()
    }

    fn jacobian(&mut self, output: &Output) -> Option<Vec<NodeId>> {
        use crate::Dependence as D;
        let of_q_alone = output.entries.iter().all(|entry| {
            let dependence = self.graph.dependence(*entry);
            !dependence.intersects(D::VELOCITY.union(D::INPUT))
        });
        if matches!(output.shape, Shape::Matrix(..)) || !of_q_alone {
            return None;
        }
        let rows = output.entries.iter();
        Some(
            rows.flat_map(|entry| self.graph.gradient(*entry, &self.coordinates))
                .collect(),
        )
    }
}

/// sum_j M_ij a_j + h_i.
pub(super) fn left_hand_sides(dynamics: &mut Dynamics) -> Vec<NodeId> {
    let n = dynamics.coordinate_count();
    let graph = &mut dynamics.graph;
    let a: Vec<NodeId> = (0..n as u32)
        .map(|i| graph.symbol(Symbol::Acceleration(i)))
        .collect();
    (0..n)
        .map(|i| {
            let entry = |j: usize| dynamics.mass_matrix[lower_triangle(i.max(j), i.min(j))];
            let row: Vec<NodeId> = (0..n).map(entry).collect();
            let mut terms = vec![(Number::ONE, graph.dot(&row, &a))];
            terms.push((Number::ONE, dynamics.bias[i]));
            graph.sum(Number::ZERO, terms)
        })
        .collect()
}
