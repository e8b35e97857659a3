//! The traits that all generated systems implement.

use nalgebra::{RealField, SMatrix, SVector, SimdRealField};

use crate::{
    Derivatives, Equations, Error, Gradient, MidpointTerms, Motion,
    linalg::{
        check_finite, differentiate, differentiate_reacting, differentiate_redundant, reactions,
    },
};

/// A mechanical system with `NQ` coordinates q, `N` velocities v, `K` inputs u and `C` constraints.
///
/// `NQ` is `N` unless coordinates are rotations, unit quaternions, each of which has four coordinates and
/// three velocities.
///
/// The macro implements it for every system, so that integrators, controllers and tests can be
/// written once for all of them.
///
/// The equations of motion are `M a = f + Jᵀ λ` with `J a = γ`. `a = dv/dt`, and `dq/dt = N(q) v`, which is v except
/// for rotations. `L` is the Lagrangian, `p = dL/dv` are the momenta, `M = dp/dv` is the mass matrix, and
/// `f = dL/dq - (dp/dq) v - dp/dt + Q` is the forcing, with all generalized forces in Q.
///
/// # Arguments
///
/// All methods take the same arguments, also if they do not depend on all of them: the time t, the coordinates q, the
/// velocities v and the inputs u. The inherent methods of the generated type have the same names and take only the
/// arguments that they need: `mass_matrix(&q)` for the trait's `mass_matrix(t, &q, &v, &u)`. In a call that fits both,
/// Rust takes the inherent method; write `System::mass_matrix(&system, ..)` for the trait's.
///
/// # Errors
///
/// Methods that return a `Result` fail with [`Error::NotFinite`] if an argument is NaN or infinite, and name the
/// argument; the other variants are described there. The plain methods pass on every NaN or infinity that they read.
/// Comparisons with NaN are false, so an `if` takes its `else`, which may be finite.
///
/// # Examples
///
/// One step of the semi-implicit Euler method, for any system:
///
/// ```
/// use lagrange_runtime::{Error, System, nalgebra::SVector};
///
/// fn step<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
///     system: &M,
///     t: f64,
///     (q, v): (SVector<f64, NQ>, SVector<f64, N>),
///     u: &SVector<f64, K>,
///     dt: f64,
/// ) -> Result<(SVector<f64, NQ>, SVector<f64, N>), Error>
/// where
///     M: System<f64, NQ, N, K, C>,
/// {
///     let v = v + system.acceleration(t, &q, &v, u)? * dt;
///     Ok((system.integrate(&q, &(v * dt)), v))
/// }
/// ```
///
/// The residual of the equations of motion at one state, for any system: rounding.
///
/// ```
/// use lagrange_runtime::{Error, Motion, System, nalgebra::SVector};
///
/// fn leftover<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
///     system: &M,
///     t: f64,
///     (q, v): (&SVector<f64, NQ>, &SVector<f64, N>),
///     u: &SVector<f64, K>,
/// ) -> Result<f64, Error>
/// where
///     M: System<f64, NQ, N, K, C>,
/// {
///     let Motion { acceleration, multipliers } = system.solve(t, q, v, u)?;
///     let jacobian = system.constraint_jacobian(t, q, v, u);
///     let forces = system.forcing(t, q, v, u) + jacobian.transpose() * multipliers;
///     let of_forces = system.mass_matrix(t, q, v, u) * acceleration - forces;
///     let of_constraints = jacobian * acceleration - system.constraint_gamma(t, q, v, u);
///     Ok(of_forces.norm() + of_constraints.norm())
/// }
/// ```
pub trait System<
    S: RealField + Copy,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
>
{
    /// The names of the coordinates, in the order of q; elements of vectors and matrices one by one,
    /// as in `r[0]`.
    const COORDINATES: [&'static str; NQ];
    /// The names of the velocities, in the order of v: `der(x)`, `der(r)[0]`, `der(att).x`.
    const VELOCITIES: [&'static str; N];
    /// The names of the parameters, in the order of their declaration.
    const PARAMETERS: &'static [&'static str];
    /// The names of the inputs, in the order of u.
    const INPUTS: [&'static str; K];
    /// The name and the unit of each coordinate, velocity, parameter, input, constraint, multiplier and output; `?` where
    /// nothing tells the unit.
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
    /// For each momentum whether it is conserved: the coordinate is cyclic, and neither a generalized force nor a
    /// constraint acts on it.
    const CONSERVED_MOMENTA: [bool; N];
    /// True if the energy is conserved, as far as the structure of the system shows.
    const CONSERVES_ENERGY: bool;
    /// True if the mass matrix depends on neither the state nor the time.
    const CONSTANT_MASS_MATRIX: bool;
    /// The equations of motion, written out.
    const EQUATIONS: Equations;

    /// The rates dq/dt = N(q) v of the coordinates: v, except for rotations.
    fn coordinate_rates(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> SVector<S, NQ>;

    /// The coordinates q moved by the displacement d: q + d, and R exp(d) for a rotation, with d in the
    /// turned axes and the result of unit length.
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
        u: &SVector<S, K>,
    ) -> SMatrix<S, N, N>;

    /// The forcing f = Q - h, so that M a = f without constraints.
    fn forcing(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> SVector<S, N>;

    /// The momenta p = dL/dv.
    fn momenta(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> SVector<S, N>;

    /// The bias h = (dp/dq) v + dp/dt - dL/dq, so that `M a + h = Q + Jᵀ λ`.
    fn bias(&self, t: S, q: &SVector<S, NQ>, v: &SVector<S, N>, u: &SVector<S, K>)
    -> SVector<S, N>;

    /// All generalized forces Q: explicit ones, those of forces at points and of torques, and
    /// dissipation.
    fn generalized_forces(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> SVector<S, N>;

    /// The Lagrangian L.
    fn lagrangian(&self, t: S, q: &SVector<S, NQ>, v: &SVector<S, N>, u: &SVector<S, K>) -> S;

    /// The energy T + V; for a system given by its Lagrangian, the Jacobi integral.
    fn energy(&self, t: S, q: &SVector<S, NQ>, v: &SVector<S, N>, u: &SVector<S, K>) -> S;

    /// The Jacobi integral p·v - L.
    fn jacobi_integral(&self, t: S, q: &SVector<S, NQ>, v: &SVector<S, N>, u: &SVector<S, K>) -> S;

    /// The forces M a + h that the acceleration `a` requires. They do not depend on the inputs.
    fn inverse_dynamics(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
        a: &SVector<S, N>,
    ) -> SVector<S, N>;

    /// The acceleration a; with constraints that of the constrained motion.
    fn acceleration(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> Result<SVector<S, N>, Error>;

    /// The acceleration a and the multipliers λ.
    fn solve(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> Result<Motion<S, N, C>, Error>;

    /// The residuals `lhs - rhs` of the holonomic constraints, in their rows. The rows of nonholonomic constraints are
    /// 0, because only velocities can violate them.
    ///
    /// This and the other methods for constraints have default bodies for systems without constraints. A call of such a
    /// body with C > 0 is an error at compile time.
    fn constraint_residual(
        &self,
        _t: S,
        _q: &SVector<S, NQ>,
        _v: &SVector<S, N>,
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
        u: &SVector<S, K>,
    ) -> Result<SVector<S, N>, Error> {
        let multipliers = self.solve(t, q, v, u)?.multipliers;
        Ok(self.constraint_jacobian(t, q, v, u).tr_mul(&multipliers))
    }

    /// The state (q, v) moved onto the constraints by the smallest change; see [`project`](crate::project::project).
    fn project(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> Result<(SVector<S, NQ>, SVector<S, N>), Error> {
        const { assert!(C == 0, "a system with constraints implements this method") };
        check_finite(&[
            ("t", &[t]),
            ("q", q.as_slice()),
            ("v", v.as_slice()),
            ("u", u.as_slice()),
        ])?;
        Ok((self.integrate(q, &SVector::zeros()), *v))
    }

    /// The derivatives (dq/dt, a) of the state (q, v) by time.
    fn state_derivative(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> Result<(SVector<S, NQ>, SVector<S, N>), Error> {
        let a = self.acceleration(t, q, v, u)?;
        Ok((self.coordinate_rates(t, q, v, u), a))
    }

    /// The derivatives of M a + h by the displacement of q and by v, at fixed a; those by a are M.
    fn inverse_dynamics_derivatives(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
        a: &SVector<S, N>,
    ) -> (SMatrix<S, N, N>, SMatrix<S, N, N>);

    /// The derivatives of the residuals of the equations of motion, f - M a + Jᵀ λ and γ - J a, at fixed a and λ.
    ///
    /// They are the Jacobian of the equations for methods that have a and λ among their unknowns, and the right-hand
    /// sides for the derivatives of a and λ: `[M -Jᵀ; J 0] d(a, λ) = d(f - M a + Jᵀ λ, γ - J a)`.
    fn equation_derivatives(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
        motion: &Motion<S, N, C>,
    ) -> (Derivatives<S, N, N, K>, Derivatives<S, C, N, K>);

    /// The derivatives of the acceleration, with constraints that of the constrained motion, by the displacement of q,
    /// by v and by u. The change of the state need not keep the constraints.
    fn acceleration_derivatives(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> Result<Derivatives<S, N, N, K>, Error> {
        Ok(solution_derivatives(self, t, q, v, u)?.0)
    }

    /// The derivatives `wᵀ da` of one weighted sum of the accelerations by the displacement of q, by v and by
    /// u. Generated systems take one adjoint solution and one reverse sweep for them.
    fn vjp(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
        w: &SVector<S, N>,
    ) -> Result<Gradient<S, N, K>, Error> {
        check_finite(&[
            ("t", &[t]),
            ("q", q.as_slice()),
            ("v", v.as_slice()),
            ("u", u.as_slice()),
            ("w", w.as_slice()),
        ])?;
        let derivatives = self.acceleration_derivatives(t, q, v, u)?;
        Ok(Gradient {
            q: derivatives.q.tr_mul(w),
            v: derivatives.v.tr_mul(w),
            z: SVector::zeros(),
            u: derivatives.u.tr_mul(w),
        })
    }

    /// The derivatives of the multipliers λ by the displacement of q, by v and by u.
    fn multiplier_derivatives(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> Result<Derivatives<S, C, N, K>, Error> {
        Ok(solution_derivatives(self, t, q, v, u)?.1)
    }

    /// The derivatives of J v + d(residual)/dt, for a nonholonomic constraint of its residual, by the displacement of q
    /// and by v, which are J; those by u are 0.
    fn constraint_velocity_derivatives(
        &self,
        _t: S,
        _q: &SVector<S, NQ>,
        _v: &SVector<S, N>,
        _u: &SVector<S, K>,
    ) -> Derivatives<S, C, N, K> {
        const { assert!(C == 0, "a system with constraints implements this method") };
        Derivatives {
            q: SMatrix::zeros(),
            v: SMatrix::zeros(),
            z: SMatrix::zeros(),
            u: SMatrix::zeros(),
        }
    }

    /// The terms p = dL/dv and F = dL/dq + Q of the variational midpoint rule, for
    /// [`midpoint_step`](crate::midpoint_step), with bounds of their rounding errors.
    ///
    /// This method and the next two have default bodies for systems that do not have them: those that are written by
    /// hand, and large ones without `#[lagrangian(midpoint_step)]`. A call of such a body is an error at compile time.
    fn midpoint_terms(
        &self,
        _t: S,
        _q: &SVector<S, NQ>,
        _v: &SVector<S, N>,
        _u: &SVector<S, K>,
    ) -> MidpointTerms<S, N> {
        const {
            assert!(
                N == usize::MAX,
                "a large system is stepped by `midpoint_step` if `#[lagrangian(midpoint_step)]` is on its struct"
            )
        };
        let zeros = SVector::zeros();
        MidpointTerms {
            momenta: zeros,
            forces: zeros,
            momenta_bounds: zeros,
            forces_bounds: zeros,
        }
    }

    /// The derivatives of `w . p + z . F`, the weighted sum of these terms, by the displacement of q, by v and by u.
    fn midpoint_vjp(
        &self,
        _t: S,
        _q: &SVector<S, NQ>,
        _v: &SVector<S, N>,
        _u: &SVector<S, K>,
        _w: &SVector<S, N>,
        _z: &SVector<S, N>,
    ) -> Gradient<S, N, K> {
        const {
            assert!(
                N == usize::MAX,
                "a large system is stepped by `midpoint_step` if `#[lagrangian(midpoint_step)]` is on its struct"
            )
        };
        Gradient {
            q: SVector::zeros(),
            v: SVector::zeros(),
            z: SVector::zeros(),
            u: SVector::zeros(),
        }
    }

    /// Bounds of the rounding errors of `constraint_residual` and of `constraint_velocity`, in units of half of the
    /// machine epsilon.
    fn constraint_bounds(
        &self,
        _t: S,
        _q: &SVector<S, NQ>,
        _v: &SVector<S, N>,
        _u: &SVector<S, K>,
    ) -> (SVector<S, C>, SVector<S, C>) {
        const {
            assert!(
                C == 0,
                "a large system is stepped by `midpoint_step` if `#[lagrangian(midpoint_step)]` is on its struct"
            )
        };
        (SVector::zeros(), SVector::zeros())
    }
}

/// The methods of a mechanical system that [`rk4_step_unchecked`](crate::rk4_step_unchecked) needs, for any scalar.
/// Each SIMD lane has its own system and state.
///
/// `NQ`, `N` and `K` are the numbers of coordinates, velocities and inputs, as in [`System`]. The macro
/// implements it for every system.
///
/// # Examples
///
/// One step of the semi-implicit Euler method, for lanes too:
///
/// ```
/// use lagrange_runtime::{Unchecked, nalgebra::{SVector, SimdRealField}};
///
/// fn step<S, M, const NQ: usize, const N: usize, const K: usize>(
///     system: &M,
///     t: S,
///     (q, v): (SVector<S, NQ>, SVector<S, N>),
///     u: &SVector<S, K>,
///     dt: S,
/// ) -> (SVector<S, NQ>, SVector<S, N>)
/// where
///     S: SimdRealField + Copy,
///     M: Unchecked<S, NQ, N, K>,
/// {
///     let v = v + system.acceleration_unchecked(t, &q, &v, u) * dt;
///     (system.integrate_unchecked(&q, &(v * dt)), v)
/// }
/// ```
pub trait Unchecked<S: SimdRealField + Copy, const NQ: usize, const N: usize, const K: usize> {
    /// The acceleration a, with constraints that of the constrained motion: not finite if it is not determined,
    /// inaccurate near such states.
    fn acceleration_unchecked(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> SVector<S, N>;

    /// The coordinates q moved by the displacement d, as [`System::integrate`] moves them.
    fn integrate_unchecked(&self, q: &SVector<S, NQ>, d: &SVector<S, N>) -> SVector<S, NQ>;
}

/// The derivatives of a and λ, by the implicit function theorem.
fn solution_derivatives<
    S: RealField + Copy,
    M: System<S, NQ, N, K, C> + ?Sized,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
>(
    system: &M,
    t: S,
    q: &SVector<S, NQ>,
    v: &SVector<S, N>,
    u: &SVector<S, K>,
) -> Result<(Derivatives<S, N, N, K>, Derivatives<S, C, N, K>), Error> {
    let motion = system.solve(t, q, v, u)?;
    let equations = system.equation_derivatives(t, q, v, u, &motion);
    let mass = system.mass_matrix(t, q, v, u);
    let jacobian = system.constraint_jacobian(t, q, v, u);
    let reacting = M::REACTING.then(|| system.multiplier_forces(t, q, v, u));
    of_solution(equations, (mass, jacobian), reacting, M::REDUNDANT)
}

/// The derivatives of two vectors of `N` and `C` entries.
pub(crate) type Both<S, const N: usize, const C: usize, const K: usize, const Z: usize> =
    (Derivatives<S, N, N, K, Z>, Derivatives<S, C, N, K, Z>);

/// The derivatives of a and λ from those of the equations, by M, J, and the derivatives of the forces by λ if they depend
/// on it.
pub(crate) fn of_solution<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const K: usize,
    const Z: usize,
>(
    (mut forces, mut rates): Both<S, N, C, K, Z>,
    (mass, jacobian): (SMatrix<S, N, N>, SMatrix<S, C, N>),
    reacting: Option<SMatrix<S, N, C>>,
    is_redundant: bool,
) -> Result<Both<S, N, C, K, Z>, Error> {
    let (mut mass, jacobian) = (mass.data.0, jacobian.transpose().data.0);
    if let Some(multiplier_forces) = reacting {
        let by_multipliers = reactions(&jacobian, &multiplier_forces);
        differentiate_reacting(&mass, &by_multipliers, &jacobian, &mut forces, &mut rates)?;
    } else if is_redundant {
        differentiate_redundant(&mut mass, &jacobian, &mut forces, &mut rates)?;
    } else {
        differentiate(&mut mass, &jacobian, &mut forces, &mut rates)?;
    }
    Ok((forces, rates))
}
