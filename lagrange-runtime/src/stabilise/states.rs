//! The same for systems with states of first order. No constraint depends on these.

use nalgebra::{RealField, SMatrix, SVector};

use super::{Baumgarte, Kind, solution};
use crate::{Derivatives, Equations, Error, Motion, Stateful, linalg::check_finite};

/// Methods that forward to the system.
macro_rules! forward {
    ($($name:ident -> $value:ty;)*) => {$(
        fn $name(
            &self,
            t: S,
            q: &SVector<S, NQ>,
            v: &SVector<S, N>,
            z: &SVector<S, Z>,
            u: &SVector<S, K>,
        ) -> $value {
            self.system.$name(t, q, v, z, u)
        }
    )*};
}

impl<S, M, const NQ: usize, const N: usize, const Z: usize, const K: usize, const C: usize>
    Stateful<S, NQ, N, Z, K, C> for Baumgarte<'_, S, M>
where
    S: RealField + Copy,
    M: Stateful<S, NQ, N, Z, K, C>,
{
    const COORDINATES: [&'static str; NQ] = M::COORDINATES;
    const VELOCITIES: [&'static str; N] = M::VELOCITIES;
    const STATES: [&'static str; Z] = M::STATES;
    const PARAMETERS: &'static [&'static str] = M::PARAMETERS;
    const INPUTS: [&'static str; K] = M::INPUTS;
    const CONSTRAINTS: [&'static str; C] = M::CONSTRAINTS;
    const HOLONOMIC_CONSTRAINTS: usize = M::HOLONOMIC_CONSTRAINTS;
    const DEGREES_OF_FREEDOM: usize = M::DEGREES_OF_FREEDOM;
    const REDUNDANT: bool = M::REDUNDANT;
    const REACTING: bool = M::REACTING;
    const ANGULAR: [bool; N] = M::ANGULAR;
    const CYCLIC: [bool; N] = M::CYCLIC;
    const CONSERVED_MOMENTA: [bool; N] = M::CONSERVED_MOMENTA;
    const CONSERVES_ENERGY: bool = M::CONSERVES_ENERGY;
    const CONSTANT_MASS_MATRIX: bool = M::CONSTANT_MASS_MATRIX;
    const EQUATIONS: Equations = M::EQUATIONS;

    forward! {
        mass_matrix -> SMatrix<S, N, N>;
        forcing -> SVector<S, N>;
        momenta -> SVector<S, N>;
        bias -> SVector<S, N>;
        generalized_forces -> SVector<S, N>;
        lagrangian -> S;
        energy -> S;
        jacobi_integral -> S;
        constraint_residual -> SVector<S, C>;
        constraint_velocity -> SVector<S, C>;
        constraint_jacobian -> SMatrix<S, C, N>;
        multiplier_forces -> SMatrix<S, N, C>;
        project -> Result<(SVector<S, NQ>, SVector<S, N>), Error>;
        coordinate_rates -> SVector<S, NQ>;
        constraint_velocity_derivatives -> Derivatives<S, C, N, K, Z>;
        state_rates -> SVector<S, Z>;
    }

    fn integrate(&self, q: &SVector<S, NQ>, d: &SVector<S, N>) -> SVector<S, NQ> {
        self.system.integrate(q, d)
    }

    fn difference(&self, q0: &SVector<S, NQ>, q1: &SVector<S, NQ>) -> SVector<S, N> {
        self.system.difference(q0, q1)
    }

    fn neutral(&self) -> SVector<S, NQ> {
        self.system.neutral()
    }

    fn inverse_dynamics(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
        a: &SVector<S, N>,
    ) -> SVector<S, N> {
        self.system.inverse_dynamics(t, q, v, z, u, a)
    }

    fn inverse_dynamics_derivatives(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
        a: &SVector<S, N>,
    ) -> (SMatrix<S, N, N>, SMatrix<S, N, N>) {
        self.system.inverse_dynamics_derivatives(t, q, v, z, u, a)
    }

    fn constraint_gamma(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> SVector<S, C> {
        let (damping, stiffness) = self.gains();
        self.system.constraint_gamma(t, q, v, z, u)
            - self.constraint_velocity(t, q, v, z, u) * damping
            - self.constraint_residual(t, q, v, z, u) * stiffness
    }

    fn acceleration(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> Result<SVector<S, N>, Error> {
        Ok(self.solve(t, q, v, z, u)?.acceleration)
    }

    fn solve(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> Result<Motion<S, N, C>, Error> {
        check_finite(&[
            ("t", &[t]),
            ("q", q.as_slice()),
            ("v", v.as_slice()),
            ("z", z.as_slice()),
            ("u", u.as_slice()),
        ])?;
        let mut mass = self.mass_matrix(t, q, v, z, u);
        let forcing = self.forcing(t, q, v, z, u);
        let jacobian = self.constraint_jacobian(t, q, v, z, u);
        let gamma = self.constraint_gamma(t, q, v, z, u);
        let kind = match (M::REACTING, M::REDUNDANT) {
            (true, _) => Kind::Reacting(self.system.multiplier_forces(t, q, v, z, u)),
            (false, true) => Kind::Redundant,
            (false, false) => Kind::Regular,
        };
        let solution = solution(&mut mass, &jacobian, (forcing, gamma), &kind);
        solution.map_err(|error| self.blame(error, || self.system.solve(t, q, v, z, u).err()))
    }

    fn equation_derivatives(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
        motion: &Motion<S, N, C>,
    ) -> (Derivatives<S, N, N, K, Z>, Derivatives<S, C, N, K, Z>) {
        let (forces, mut rates) = self.system.equation_derivatives(t, q, v, z, u, motion);
        let velocity = self.constraint_velocity_derivatives(t, q, v, z, u);
        self.stabilise(&mut rates, &velocity, M::HOLONOMIC_CONSTRAINTS);
        (forces, rates)
    }
}
