//! Constraints that pull a motion back if it drifts off them.

mod states;

use nalgebra::{RealField, SMatrix, SVector};

use crate::{
    Derivatives, Equations, Error, Gradient, MidpointTerms, Motion, System,
    linalg::{blame, check_finite, kkt_in_place, reacting, reactions, redundant_in_place},
    math::constant,
};

/// A system whose constraints are stabilised by Baumgarte's method.
///
/// The equations of motion enforce the second derivative of the constraints, J a = γ, so rounding and integration
/// errors accumulate: the residual g drifts as t². Baumgarte ("Stabilization of constraints and integrals of motion in
/// dynamical systems", *Comput. Methods Appl. Mech. Eng.* 1, 1972) replaces `g'' = 0` by
/// `g'' + 2 (α/h) g' + (β/h)² g = 0`, which is
///
/// **J a = γ - 2 (α/h) (J v + dg/dt) - (β/h)² g**.
///
/// The gains α and β are dimensionless; h is the step of the integration. α = β is critical damping: then a violation
/// falls as exp(-α t/h), by the factor exp(-α) in a step. The gains trade drift against the errors of the step: the
/// larger the gain, the stiffer the equations. 0.01 to 0.1 is useful with an explicit method. Much above 1 the
/// stabilisation itself becomes too stiff for the step. The table shows the largest violations on a pendulum of 2 m in
/// Cartesian coordinates that starts at 1.2 rad with 0.5 rad/s, over 10 s with the classical Runge-Kutta method and h =
/// 0.01 s, with equal gains:
///
/// | gain | g | J v + dg/dt |
/// | ---: | ---: | ---: |
/// | 0 | 1.7e-5, growing as t² | 3.5e-6 |
/// | 0.02 | 6e-8 | 1.3e-7 |
/// | 0.1 | 8e-7 | 1.2e-5 |
/// | 0.3 | 7e-6 | 3.7e-4 |
///
/// Nonholonomic constraints have no g, and only the term with α acts on them.
///
/// Stabilisation is optional. While the constraints hold, J v + dg/dt = 0 and g = 0, it does not change the motion. Off
/// the constraints it adds forces without a physical origin, and the multipliers contain them. [`System::project`]
/// after each step leaves no drift at all, at the cost of at least one more solve.
///
/// The stabilised system is a [`System`], or [`Stateful`](crate::Stateful) if the system has states, so any stepper accepts
/// it. Its `constraint_gamma` is the right-hand side above, and `acceleration`, `solve` and `constraint_forces` follow from it; everything else is that of the system.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Baumgarte, Error, System, nalgebra::SVector};
///
/// /// The accelerations for a Runge-Kutta method with the step `h`.
/// fn acceleration<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
///     system: &M,
///     t: f64,
///     (q, v): (&SVector<f64, NQ>, &SVector<f64, N>),
///     u: &SVector<f64, K>,
///     h: f64,
/// ) -> Result<SVector<f64, N>, Error>
/// where
///     M: System<f64, NQ, N, K, C>,
/// {
///     Baumgarte { system, alpha: 0.05, beta: 0.05, step: h }.acceleration(t, q, v, u)
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Baumgarte<'a, S, M> {
    /// The system.
    pub system: &'a M,
    /// The gain α on the velocities of the constraints, per step.
    pub alpha: S,
    /// The gain β on the residuals, per step. α for critical damping.
    pub beta: S,
    /// The step h of the integration, in units of time.
    pub step: S,
}

/// Methods that forward to the system.
macro_rules! forward {
    ($($name:ident -> $value:ty;)*) => {$(
        fn $name(
            &self,
            t: S,
            q: &SVector<S, NQ>,
            v: &SVector<S, N>,
            u: &SVector<S, K>,
        ) -> $value {
            self.system.$name(t, q, v, u)
        }
    )*};
}

impl<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize> System<S, NQ, N, K, C>
    for Baumgarte<'_, S, M>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    const COORDINATES: [&'static str; NQ] = M::COORDINATES;
    const VELOCITIES: [&'static str; N] = M::VELOCITIES;
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
        constraint_velocity_derivatives -> Derivatives<S, C, N, K>;
        midpoint_terms -> MidpointTerms<S, N>;
        constraint_bounds -> (SVector<S, C>, SVector<S, C>);
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
        u: &SVector<S, K>,
        a: &SVector<S, N>,
    ) -> SVector<S, N> {
        self.system.inverse_dynamics(t, q, v, u, a)
    }

    fn inverse_dynamics_derivatives(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
        a: &SVector<S, N>,
    ) -> (SMatrix<S, N, N>, SMatrix<S, N, N>) {
        self.system.inverse_dynamics_derivatives(t, q, v, u, a)
    }

    fn midpoint_vjp(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
        w: &SVector<S, N>,
        z: &SVector<S, N>,
    ) -> Gradient<S, N, K> {
        self.system.midpoint_vjp(t, q, v, u, w, z)
    }

    fn constraint_gamma(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> SVector<S, C> {
        let (damping, stiffness) = self.gains();
        self.system.constraint_gamma(t, q, v, u)
            - self.constraint_velocity(t, q, v, u) * damping
            - self.constraint_residual(t, q, v, u) * stiffness
    }

    fn acceleration(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> Result<SVector<S, N>, Error> {
        Ok(self.solve(t, q, v, u)?.acceleration)
    }

    fn solve(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> Result<Motion<S, N, C>, Error> {
        check_finite(&[
            ("t", &[t]),
            ("q", q.as_slice()),
            ("v", v.as_slice()),
            ("u", u.as_slice()),
        ])?;
        let mut mass = self.mass_matrix(t, q, v, u);
        let forcing = self.forcing(t, q, v, u);
        let jacobian = self.constraint_jacobian(t, q, v, u);
        let gamma = self.constraint_gamma(t, q, v, u);
        let kind = match (M::REACTING, M::REDUNDANT) {
            (true, _) => Kind::Reacting(self.system.multiplier_forces(t, q, v, u)),
            (false, true) => Kind::Redundant,
            (false, false) => Kind::Regular,
        };
        let solution = solution(&mut mass, &jacobian, (forcing, gamma), &kind);
        solution.map_err(|error| self.blame(error, || self.system.solve(t, q, v, u).err()))
    }

    fn equation_derivatives(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
        motion: &Motion<S, N, C>,
    ) -> (Derivatives<S, N, N, K>, Derivatives<S, C, N, K>) {
        let (forces, mut rates) = self.system.equation_derivatives(t, q, v, u, motion);
        let velocity = self.constraint_velocity_derivatives(t, q, v, u);
        self.stabilise(&mut rates, &velocity, M::HOLONOMIC_CONSTRAINTS);
        (forces, rates)
    }
}

impl<S: RealField + Copy, M> Baumgarte<'_, S, M> {
    /// Only the system's own methods know its parameters: if one of them fails, its error names the value that is not
    /// finite.
    #[cold]
    fn blame(&self, error: Error, of_system: impl FnOnce() -> Option<Error>) -> Error {
        match (error, of_system()) {
            (Error::NotFinite { .. }, Some(named @ Error::NotFinite { .. })) => named,
            _ => blame(
                error,
                &[(
                    &[self.alpha, self.beta, self.step],
                    &["self.alpha", "self.beta", "self.step"],
                )],
            ),
        }
    }

    /// Adds the derivatives of the stabilisation to those of γ: the derivatives of the velocity level, and J for the
    /// residuals of this many rows.
    fn stabilise<const C: usize, const N: usize, const K: usize, const Z: usize>(
        &self,
        rates: &mut Derivatives<S, C, N, K, Z>,
        velocity: &Derivatives<S, C, N, K, Z>,
        holonomic: usize,
    ) {
        let (damping, stiffness) = self.gains();
        rates.q -= velocity.q * damping;
        rates.v -= velocity.v * damping;
        // The derivatives of the residuals are J.
        for (column, of_velocity) in rates.q.data.0.iter_mut().zip(&velocity.v.data.0) {
            for (entry, by_velocity) in column.iter_mut().zip(of_velocity).take(holonomic) {
                *entry -= *by_velocity * stiffness;
            }
        }
    }

    /// 2 α/h and (β/h)².
    fn gains(&self) -> (S, S) {
        let frequency = self.beta / self.step;
        (
            constant::<S>(2.0) * self.alpha / self.step,
            frequency * frequency,
        )
    }
}

/// The equations that determine a motion.
enum Kind<S, const N: usize, const C: usize> {
    Regular,
    /// Rows of J may depend on each other.
    Redundant,
    /// Forces depend on multipliers by this matrix.
    Reacting(SMatrix<S, N, C>),
}

/// The motion by M, J, f and γ.
#[inline]
fn solution<S: RealField + Copy, const N: usize, const C: usize>(
    // Symmetric, so that its columns are its rows.
    mass: &mut SMatrix<S, N, N>,
    jacobian: &SMatrix<S, C, N>,
    (forcing, gamma): (SVector<S, N>, SVector<S, C>),
    kind: &Kind<S, N, C>,
) -> Result<Motion<S, N, C>, Error> {
    let jacobian = rows(jacobian);
    let (mass, forcing, gamma) = (&mut mass.data.0, forcing.into(), gamma.into());
    let (a, lambda) = match kind {
        Kind::Reacting(forces) => {
            let forces = reactions(&jacobian, forces);
            reacting(mass, &forces, &jacobian, &forcing, &gamma)?
        }
        Kind::Redundant => {
            let (a, lambda, _) = redundant_in_place(mass, &jacobian, &forcing, &gamma)?;
            (a, lambda)
        }
        Kind::Regular => kkt_in_place(mass, &jacobian, &forcing, &gamma)?,
    };
    Ok(Motion {
        acceleration: a.into(),
        multipliers: lambda.into(),
    })
}

/// A matrix as an array of its rows.
fn rows<S: RealField + Copy, const R: usize, const N: usize>(m: &SMatrix<S, R, N>) -> [[S; N]; R] {
    m.transpose().data.0
}
