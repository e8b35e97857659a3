//! The trait that generated systems with states of first order implement.

use nalgebra::{RealField, SMatrix, SVector};

use crate::{
    Derivatives, Equations, Error, Gradient, Motion,
    linalg::check_finite,
    system::{Both, of_solution},
};

/// A mechanical system with `Z` states z of first order beside its coordinates: currents, bristles, temperatures,
/// integrals of a controller.
///
/// The other sizes, the methods and the equations of motion are those of [`System`](crate::System), and all methods
/// take the same arguments: the time t, the coordinates q, the velocities v, the states z and the inputs u.
/// [`state_rates`](Stateful::state_rates) gives dz/dt. The macro implements this trait in the place of `System` for
/// every system that declares a `state`.
///
/// # Errors
///
/// Those of [`System`](crate::System).
///
/// # Examples
///
/// One step of the explicit Euler method, for any system:
///
/// ```
/// use lagrange_runtime::{Error, Stateful, nalgebra::SVector};
///
/// type State<const NQ: usize, const N: usize, const Z: usize> =
///     (SVector<f64, NQ>, SVector<f64, N>, SVector<f64, Z>);
///
/// fn step<M, const NQ: usize, const N: usize, const Z: usize, const K: usize, const C: usize>(
///     system: &M,
///     t: f64,
///     (q, v, z): State<NQ, N, Z>,
///     u: &SVector<f64, K>,
///     dt: f64,
/// ) -> Result<State<NQ, N, Z>, Error>
/// where
///     M: Stateful<f64, NQ, N, Z, K, C>,
/// {
///     let a = system.acceleration(t, &q, &v, &z, u)?;
///     let rates = system.state_rates(t, &q, &v, &z, u);
///     Ok((system.integrate(&q, &(v * dt)), v + a * dt, z + rates * dt))
/// }
/// ```
pub trait Stateful<
    S: RealField + Copy,
    const NQ: usize,
    const N: usize,
    const Z: usize,
    const K: usize,
    const C: usize,
>
{
    /// The names of the coordinates, in the order of q.
    const COORDINATES: [&'static str; NQ];
    /// The names of the velocities, in the order of v.
    const VELOCITIES: [&'static str; N];
    /// The names of the states, in the order of z.
    const STATES: [&'static str; Z];
    /// The names of the parameters, in the order of their declaration.
    const PARAMETERS: &'static [&'static str];
    /// The names of the inputs, in the order of u.
    const INPUTS: [&'static str; K];
    /// The name and the unit of each coordinate, velocity, state, parameter, input, constraint, multiplier and output;
    /// `?` where nothing tells the unit.
    const UNITS: &'static [(&'static str, &'static str)] = &[];
    /// The names of the constraints, in the order of their rows: holonomic ones first.
    const CONSTRAINTS: [&'static str; C];
    /// The number of holonomic constraints; their rows come first.
    const HOLONOMIC_CONSTRAINTS: usize;
    /// The number of degrees of freedom: `N - C`, and more by each row of J that depends on others at every state.
    const DEGREES_OF_FREEDOM: usize;
    /// True if rows of J may depend on each other, `#[lagrangian(redundant)]`.
    const REDUNDANT: bool = false;
    /// True if forces depend on multipliers of constraints: `[M -(Jᵀ + B); J 0]` determines the motion.
    const REACTING: bool = false;
    /// For each velocity whether it is an angular velocity of a rotation; each rotation has three in a row.
    const ANGULAR: [bool; N];
    /// For each direction of v whether L does not change along it: the cyclic coordinates.
    const CYCLIC: [bool; N];
    /// For each momentum whether it is conserved.
    const CONSERVED_MOMENTA: [bool; N];
    /// True if the energy is conserved, as far as the structure of the system shows; false if a state acts on the motion.
    const CONSERVES_ENERGY: bool;
    /// True if the mass matrix depends on neither the state nor the time.
    const CONSTANT_MASS_MATRIX: bool;
    /// The equations of motion, written out.
    const EQUATIONS: Equations;

    /// The rates dz/dt of the states.
    fn state_rates(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> SVector<S, Z>;

    /// The rates dq/dt = N(q) v of the coordinates: v, except for rotations.
    fn coordinate_rates(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> SVector<S, NQ>;

    /// The coordinates q moved by the displacement d; see [`System::integrate`](crate::System::integrate).
    fn integrate(&self, q: &SVector<S, NQ>, d: &SVector<S, N>) -> SVector<S, NQ>;

    /// The displacement d with `integrate(q0, d)` equal to q1; for a rotation at most π long.
    fn difference(&self, q0: &SVector<S, NQ>, q1: &SVector<S, NQ>) -> SVector<S, N>;

    /// The neutral configuration: zeros, and the identity for rotations.
    fn neutral(&self) -> SVector<S, NQ>;

    /// The mass matrix M = dp/dv, symmetric.
    fn mass_matrix(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> SMatrix<S, N, N>;

    /// The forcing f = Q - h, so that M a = f without constraints.
    fn forcing(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> SVector<S, N>;

    /// The momenta p = dL/dv.
    fn momenta(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> SVector<S, N>;

    /// The bias h = (dp/dq) v + dp/dt - dL/dq, so that `M a + h = Q + Jᵀ λ`.
    fn bias(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> SVector<S, N>;

    /// All generalized forces Q.
    fn generalized_forces(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> SVector<S, N>;

    /// The Lagrangian L.
    fn lagrangian(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> S;

    /// The energy T + V; for a system given by its Lagrangian, the Jacobi integral.
    fn energy(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> S;

    /// The Jacobi integral p·v - L.
    fn jacobi_integral(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> S;

    /// The forces M a + h that the acceleration `a` requires.
    fn inverse_dynamics(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
        a: &SVector<S, N>,
    ) -> SVector<S, N>;

    /// The acceleration a; with constraints that of the constrained motion.
    fn acceleration(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> Result<SVector<S, N>, Error>;

    /// The acceleration a and the multipliers λ.
    fn solve(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> Result<Motion<S, N, C>, Error>;

    /// The residuals `lhs - rhs` of the holonomic constraints, in their rows; 0 in those of nonholonomic ones.
    ///
    /// This and the other methods for constraints have default bodies for systems without constraints. A call of such a
    /// body with C > 0 is an error at compile time.
    fn constraint_residual(
        &self,
        _t: S,
        _q: &SVector<S, NQ>,
        _v: &SVector<S, N>,
        _z: &SVector<S, Z>,
        _u: &SVector<S, K>,
    ) -> SVector<S, C> {
        const { assert!(C == 0, "a system with constraints implements this method") };
        SVector::zeros()
    }

    /// J v + d(residual)/dt, which the constraints keep at 0; for a nonholonomic one the residual.
    fn constraint_velocity(
        &self,
        _t: S,
        _q: &SVector<S, NQ>,
        _v: &SVector<S, N>,
        _z: &SVector<S, Z>,
        _u: &SVector<S, K>,
    ) -> SVector<S, C> {
        const { assert!(C == 0, "a system with constraints implements this method") };
        SVector::zeros()
    }

    /// The constraint Jacobian J: d(residual)/dq, for nonholonomic constraints d(residual)/dv.
    fn constraint_jacobian(
        &self,
        _t: S,
        _q: &SVector<S, NQ>,
        _v: &SVector<S, N>,
        _z: &SVector<S, Z>,
        _u: &SVector<S, K>,
    ) -> SMatrix<S, C, N> {
        const { assert!(C == 0, "a system with constraints implements this method") };
        SMatrix::zeros()
    }

    /// The derivative B of the generalized forces by the multipliers of the constraints; zero unless forces name them.
    fn multiplier_forces(
        &self,
        _t: S,
        _q: &SVector<S, NQ>,
        _v: &SVector<S, N>,
        _z: &SVector<S, Z>,
        _u: &SVector<S, K>,
    ) -> SMatrix<S, N, C> {
        SMatrix::zeros()
    }

    /// The right-hand side γ of the constraints on the accelerations, J a = γ.
    fn constraint_gamma(
        &self,
        _t: S,
        _q: &SVector<S, NQ>,
        _v: &SVector<S, N>,
        _z: &SVector<S, Z>,
        _u: &SVector<S, K>,
    ) -> SVector<S, C> {
        const { assert!(C == 0, "a system with constraints implements this method") };
        SVector::zeros()
    }

    /// The forces Jᵀ λ that the constraints exert on the coordinates.
    fn constraint_forces(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> Result<SVector<S, N>, Error> {
        let multipliers = self.solve(t, q, v, z, u)?.multipliers;
        Ok(self.constraint_jacobian(t, q, v, z, u).tr_mul(&multipliers))
    }

    /// (q, v) moved onto the constraints by the smallest change; see [`project`](crate::project::project). No constraint
    /// depends on z.
    fn project(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> Result<(SVector<S, NQ>, SVector<S, N>), Error> {
        const { assert!(C == 0, "a system with constraints implements this method") };
        check_finite(&[
            ("t", &[t]),
            ("q", q.as_slice()),
            ("v", v.as_slice()),
            ("z", z.as_slice()),
            ("u", u.as_slice()),
        ])?;
        Ok((self.integrate(q, &SVector::zeros()), *v))
    }

    /// The derivatives (dq/dt, a, dz/dt) of (q, v, z) by time.
    #[allow(clippy::type_complexity)] // The state (q, v, z).
    fn state_derivative(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> Result<(SVector<S, NQ>, SVector<S, N>, SVector<S, Z>), Error> {
        let a = self.acceleration(t, q, v, z, u)?;
        let rates = self.state_rates(t, q, v, z, u);
        Ok((self.coordinate_rates(t, q, v, z, u), a, rates))
    }

    /// The derivatives of M a + h by the displacement of q and by v, at fixed a and z; those by a are M.
    fn inverse_dynamics_derivatives(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
        a: &SVector<S, N>,
    ) -> (SMatrix<S, N, N>, SMatrix<S, N, N>);

    /// The derivatives of the residuals of the equations of motion, f - M a + Jᵀ λ and γ - J a, at fixed a and λ; see
    /// [`System::equation_derivatives`](crate::System::equation_derivatives).
    fn equation_derivatives(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
        motion: &Motion<S, N, C>,
    ) -> (Derivatives<S, N, N, K, Z>, Derivatives<S, C, N, K, Z>);

    /// The derivatives of the acceleration, with constraints that of the constrained motion, by the displacement of q,
    /// by v, by z and by u. The change of the state need not keep the constraints.
    fn acceleration_derivatives(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> Result<Derivatives<S, N, N, K, Z>, Error> {
        Ok(solution_derivatives(self, t, (q, v, z), u)?.0)
    }

    /// The derivatives of the multipliers λ by the displacement of q, by v, by z and by u.
    fn multiplier_derivatives(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
    ) -> Result<Derivatives<S, C, N, K, Z>, Error> {
        Ok(solution_derivatives(self, t, (q, v, z), u)?.1)
    }

    /// The derivatives `wᵀ da` of one weighted sum of the accelerations by the displacement of q, by v, by z and by u.
    fn vjp(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        z: &SVector<S, Z>,
        u: &SVector<S, K>,
        w: &SVector<S, N>,
    ) -> Result<Gradient<S, N, K, Z>, Error> {
        check_finite(&[
            ("t", &[t]),
            ("q", q.as_slice()),
            ("v", v.as_slice()),
            ("z", z.as_slice()),
            ("u", u.as_slice()),
            ("w", w.as_slice()),
        ])?;
        let derivatives = self.acceleration_derivatives(t, q, v, z, u)?;
        Ok(Gradient {
            q: derivatives.q.tr_mul(w),
            v: derivatives.v.tr_mul(w),
            z: derivatives.z.tr_mul(w),
            u: derivatives.u.tr_mul(w),
        })
    }

    /// The derivatives of J v + d(residual)/dt, for a nonholonomic constraint of its residual, by the displacement of q
    /// and by v, which are J; those by z and u are 0.
    fn constraint_velocity_derivatives(
        &self,
        _t: S,
        _q: &SVector<S, NQ>,
        _v: &SVector<S, N>,
        _z: &SVector<S, Z>,
        _u: &SVector<S, K>,
    ) -> Derivatives<S, C, N, K, Z> {
        const { assert!(C == 0, "a system with constraints implements this method") };
        Derivatives {
            q: SMatrix::zeros(),
            v: SMatrix::zeros(),
            z: SMatrix::zeros(),
            u: SMatrix::zeros(),
        }
    }
}

/// The derivatives of a and λ, by the implicit function theorem.
fn solution_derivatives<
    S: RealField + Copy,
    M: Stateful<S, NQ, N, Z, K, C> + ?Sized,
    const NQ: usize,
    const N: usize,
    const Z: usize,
    const K: usize,
    const C: usize,
>(
    system: &M,
    t: S,
    (q, v, z): (&SVector<S, NQ>, &SVector<S, N>, &SVector<S, Z>),
    u: &SVector<S, K>,
) -> Result<Both<S, N, C, K, Z>, Error> {
    let motion = system.solve(t, q, v, z, u)?;
    let equations = system.equation_derivatives(t, q, v, z, u, &motion);
    let mass = system.mass_matrix(t, q, v, z, u);
    let jacobian = system.constraint_jacobian(t, q, v, z, u);
    let reacting = M::REACTING.then(|| system.multiplier_forces(t, q, v, z, u));
    of_solution(equations, (mass, jacobian), reacting, M::REDUNDANT)
}
