//! The terms of Euler and Lagrange from the energies.
//!
//! p and dL/dq are one reverse sweep, M is the lower triangle of dp/dv by forward sweeps, and h is one
//! directional derivative of p along (q, t) -> (N v, 1): nothing is expanded or inverted.

use super::{Derivation, Form};
use crate::{Energy, NodeId, Quantity, Symbol, lower_triangle, symmetric};

impl Derivation<'_> {
    pub(super) fn lagrangian(&mut self, form: Form) -> NodeId {
        match self.source(form) {
            Energy::Natural { kinetic, potential } => self.graph().sub(kinetic, potential),
            Energy::Lagrangian(lagrangian) => lagrangian,
        }
    }

    pub(super) fn momenta(&mut self, form: Form) -> Vec<NodeId> {
        let lagrangian = self.lagrangian(form);
        self.by_velocities(lagrangian)
    }

    pub(super) fn mass_matrix(&mut self, form: Form) -> Vec<NodeId> {
        if form.is_recursive() {
            return self.recursive_mass_matrix(form);
        }
        let momenta = self.quantity(form, Quantity::Momenta);
        self.mass_matrix_of(&momenta)
    }

    /// dp/dv from its lower triangle: column j needs the rows from j on.
    pub(crate) fn mass_matrix_of(&mut self, momenta: &[NodeId]) -> Vec<NodeId> {
        let n = momenta.len();
        let one = self.graph().integer(1);
        let mut lower = vec![one; n * (n + 1) / 2];
        for j in 0..n {
            let direction = [(Symbol::Velocity(j as u32), one)];
            let column = self.graph().directional(&momenta[j..], &direction);
            for (i, entry) in (j..n).zip(column) {
                lower[lower_triangle(i, j)] = entry;
            }
        }
        symmetric(&lower, n)
    }

    pub(super) fn bias(&mut self, form: Form) -> Vec<NodeId> {
        if form.is_recursive() {
            return self.recursive_bias(form);
        }
        let momenta = self.quantity(form, Quantity::Momenta);
        let energy = self.source(form);
        self.bias_of(energy, &momenta)
    }

    /// h = (dp/dq) N v + dp/dt + w x p - dL/dq.
    pub(crate) fn bias_of(&mut self, energy: Energy, momenta: &[NodeId]) -> Vec<NodeId> {
        let rate = self.rates_at_constant_velocity(momenta);
        self.subtract_gradient(energy, momenta, &rate)
    }

    pub(super) fn inverse_dynamics(&mut self, form: Form) -> Vec<NodeId> {
        if form.is_recursive() {
            return self.recursive_inverse_dynamics();
        }
        let momenta = self.quantity(form, Quantity::Momenta);
        let energy = self.source(form);
        self.inverse_dynamics_of(energy, &momenta)
    }

    /// dp/dt + w x p - dL/dq along any motion; for a = 0 this is the bias.
    pub(super) fn inverse_dynamics_of(
        &mut self,
        energy: Energy,
        momenta: &[NodeId],
    ) -> Vec<NodeId> {
        let rate = self.rates(momenta);
        self.subtract_gradient(energy, momenta, &rate)
    }

    fn subtract_gradient(
        &mut self,
        energy: Energy,
        momenta: &[NodeId],
        rate: &[NodeId],
    ) -> Vec<NodeId> {
        let gradient = self.gradient_of(energy);
        let difference = self.subtract_entries(rate, &gradient);
        if self.kinematics.is_trivial() {
            return difference;
        }
        let turned = self.kinematics.gyroscopic(&mut self.derived.graph, momenta);
        self.add_entries(&difference, &turned)
    }

    /// dL/dq, along the directions of v. T and V are separate, so that the terms of dT/dq are the same as in dp/dt.
    pub(crate) fn gradient_of(&mut self, energy: Energy) -> Vec<NodeId> {
        match energy {
            Energy::Natural { kinetic, potential } => {
                let of_kinetic = self.gradient(kinetic);
                let of_potential = self.gradient(potential);
                self.subtract_entries(&of_kinetic, &of_potential)
            }
            Energy::Lagrangian(lagrangian) => self.gradient(lagrangian),
        }
    }

    /// The total time derivatives: (q, v, t) -> (N v, a, 1).
    pub(crate) fn rates(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        let mut direction = self.kinematics.along_the_motion(&mut self.derived.graph);
        for (j, velocity) in self.kinematics.velocity_symbols().into_iter().enumerate() {
            let acceleration = self.graph().symbol(Symbol::Acceleration(j as u32));
            direction.push((velocity, acceleration));
        }
        self.graph().directional(roots, &direction)
    }

    pub(super) fn generalized_forces(&mut self) -> Vec<NodeId> {
        let drag = self.by_velocities(self.system.dissipation);
        let rates: Vec<(Symbol, NodeId)> = self
            .system
            .state_rates
            .iter()
            .enumerate()
            .map(|(i, rate)| (Symbol::StateRate(i as u32), *rate))
            .collect();
        let drag = match rates[..] {
            [] => drag,
            _ => self.graph().substitute(&drag, &rates),
        };
        self.subtract_entries(&self.system.forces, &drag)
    }

    /// T + V; for a system given by L the Jacobi integral.
    pub(super) fn energy(&mut self, form: Form) -> NodeId {
        match self.natural(form) {
            Some((kinetic, potential)) => self.graph().add(kinetic, potential),
            None => self.power_less_lagrangian(form),
        }
    }

    /// p . v - L, which is T + V if T is homogeneous of degree two.
    pub(super) fn jacobi_integral(&mut self, form: Form) -> NodeId {
        if self.is_homogeneous() {
            self.energy(form)
        } else {
            self.power_less_lagrangian(form)
        }
    }

    fn power_less_lagrangian(&mut self, form: Form) -> NodeId {
        let momenta = self.quantity(form, Quantity::Momenta);
        let lagrangian = self.lagrangian(form);
        let velocities = self.velocities();
        let power = self.graph().dot(&momenta, &velocities);
        self.graph().sub(power, lagrangian)
    }

    /// Returns whether T has neither terms linear in v nor terms without v: p = 0 and T = 0 at rest.
    pub(crate) fn is_homogeneous(&mut self) -> bool {
        let Some((kinetic, _)) = self.natural(Form::AsWritten) else {
            return false;
        };
        let momenta = self.quantity(Form::AsWritten, Quantity::Momenta);
        let at_rest = self.at_rest(&[&momenta[..], &[kinetic]].concat());
        at_rest.iter().all(|node| self.derived.graph.is_zero(*node))
    }
}
