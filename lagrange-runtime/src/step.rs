//! A step in time, for any system.

mod derivatives;

use core::convert::Infallible;

use nalgebra::{RealField, SVector, SimdRealField};

use crate::{
    Error, Stateful, StepSensitivities, System, Unchecked,
    linalg::{are_finite, check_finite},
    math::constant,
};
use derivatives::Stages;

/// The state (q, v) after the time h, by one step of the classical Runge-Kutta method.
///
/// The inputs u are constant during the step; h may be negative. The error of a step is of order h⁵, and that of a
/// trajectory of order h⁴. There is no error control: for that, and for stiff equations, see the integrators of other
/// crates.
///
/// Coordinates move by [`System::integrate`], so a rotation stays a rotation. For rotations the method is the
/// commutator-free one of order four with the coefficients of the classical method (E. Celledoni, A. Marthinsen and B.
/// Owren, "Commutator-free Lie group methods", *Future Generation Computer Systems* 19, 2003): with the velocities v₁
/// to v₄ of the stages,
///
/// ```text
/// q₂ = q  + h v₁/2            q' = q  + h (3 v₁ + 2 v₂ + 2 v₃ - v₄)/12
/// q₃ = q  + h v₂/2            q" = q' + h (-v₁ + 2 v₂ + 2 v₃ + 3 v₄)/12
/// q₄ = q₂ + h (v₃ - v₁/2)
/// ```
///
/// where + is `integrate`, and q" the result. For coordinates that are numbers, these are the sums of the classical
/// method.
///
/// # Constraints
///
/// The step enforces their second derivative, so they drift. Project after the step, as below, for a state that meets
/// them, or step a [`Baumgarte`](crate::Baumgarte) for less drift.
///
/// # Errors
///
/// The errors of [`System::acceleration`] at one of the four stages, and [`Error::NotFinite`] if h or the result is not
/// finite.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Error, System, nalgebra::SVector, rk4_step};
///
/// /// The state after the time `steps * h`, on the constraints.
/// fn simulate<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
///     system: &M,
///     (mut q, mut v): (SVector<f64, NQ>, SVector<f64, N>),
///     u: &SVector<f64, K>,
///     (h, steps): (f64, u32),
/// ) -> Result<(SVector<f64, NQ>, SVector<f64, N>), Error>
/// where
///     M: System<f64, NQ, N, K, C>,
/// {
///     for step in 0..steps {
///         let t = f64::from(step) * h;
///         (q, v) = rk4_step(system, t, &q, &v, u, h)?;
///         if C > 0 {
///             (q, v) = system.project(t + h, &q, &v, u)?;
///         }
///     }
///     Ok((q, v))
/// }
/// ```
pub fn rk4_step<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    t: S,
    q: &SVector<S, NQ>,
    v: &SVector<S, N>,
    u: &SVector<S, K>,
    h: S,
) -> Result<(SVector<S, NQ>, SVector<S, N>), Error>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    let acceleration = |t, q: &_, v: &_| system.acceleration(t, q, v, u);
    let integrate = |q: &_, d: &_| system.integrate(q, d);
    let end = without_states(acceleration, integrate, t, (q, v), h).and_then(|(q, v)| {
        if are_finite(&[q.as_slice(), v.as_slice()]) {
            Ok((q, v))
        } else {
            Err(Error::NOT_FINITE)
        }
    });
    end.map_err(|error| {
        let arguments = [
            ("t", &[t][..]),
            ("q", q.as_slice()),
            ("v", v.as_slice()),
            ("u", u.as_slice()),
            ("h", &[h]),
        ];
        blame(error, &arguments)
    })
}

/// The step of [`rk4_step`] with its exact derivatives by the displacement of q, by v and by u.
///
/// `d.q` are the derivatives of the displacement of q at the end, `d.v` those of v at the end: to first order, the
/// step from `integrate(q, x)`, v + y and u + z ends `d.q.q x + d.q.v y + d.q.u z` away from q and at
/// v + `d.v.q x + d.v.v y + d.v.u z`. Displacements of a rotation are in the turned axes, at the end in those of the end.
/// `A = [d.q.q, d.q.v; d.v.q, d.v.v]` and `B = [d.q.u; d.v.u]` are the matrices for `dlqr` and predictive control.
///
/// The step follows the chain rule, so these are the derivatives of what [`rk4_step`] computes, not those of the exact
/// motion: [`System::acceleration_derivatives`] at the four stages, with the derivatives of `integrate`. The change of
/// the state need not keep the constraints, except where rows depend on each other ([`System::REDUNDANT`]): derivatives
/// of such systems hold along the constraints, here up to the distance of the stages from them.
///
/// # Errors
///
/// Those of [`rk4_step`], and the errors of [`System::acceleration_derivatives`] at one of the stages.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Error, System, nalgebra::{SMatrix, SVector}, rk4_step_derivatives};
///
/// /// The derivative of the velocities at the end by the inputs.
/// fn sensitivity<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
///     system: &M,
///     (q, v): (&SVector<f64, NQ>, &SVector<f64, N>),
///     u: &SVector<f64, K>,
///     h: f64,
/// ) -> Result<SMatrix<f64, N, K>, Error>
/// where
///     M: System<f64, NQ, N, K, C>,
/// {
///     let (_, d) = rk4_step_derivatives(system, 0.0, q, v, u, h)?;
///     Ok(d.v.u)
/// }
/// ```
#[allow(clippy::type_complexity)] // The value of `rk4_step`, and the derivatives.
pub fn rk4_step_derivatives<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    t: S,
    q: &SVector<S, NQ>,
    v: &SVector<S, N>,
    u: &SVector<S, K>,
    h: S,
) -> Result<((SVector<S, NQ>, SVector<S, N>), StepSensitivities<S, N, K>), Error>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    let end = Stages::follow(system, t, (q, v, u), h).and_then(|(end, stages)| {
        let d = stages.derivatives(h);
        let states = [end.0.as_slice(), end.1.as_slice()];
        let by_start = [&d.q, &d.v].map(|d| [d.q.as_slice(), d.v.as_slice(), d.u.as_slice()]);
        if are_finite(&states) && by_start.iter().all(|d| are_finite(d)) {
            Ok((end, d))
        } else {
            Err(Error::NOT_FINITE)
        }
    });
    end.map_err(|error| {
        let arguments = [
            ("t", &[t][..]),
            ("q", q.as_slice()),
            ("v", v.as_slice()),
            ("u", u.as_slice()),
            ("h", &[h]),
        ];
        blame(error, &arguments)
    })
}

/// The state (q, v, z) after the time h of a system with states of first order, by the step of [`rk4_step`].
///
/// # Errors
///
/// Those of [`rk4_step`].
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Error, Stateful, nalgebra::SVector, rk4_step_with_states};
///
/// type State<const NQ: usize, const N: usize, const Z: usize> =
///     (SVector<f64, NQ>, SVector<f64, N>, SVector<f64, Z>);
///
/// /// The state after the time `steps * h`.
/// fn simulate<M, const NQ: usize, const N: usize, const Z: usize, const K: usize, const C: usize>(
///     system: &M,
///     (mut q, mut v, mut z): State<NQ, N, Z>,
///     u: &SVector<f64, K>,
///     (h, steps): (f64, u32),
/// ) -> Result<State<NQ, N, Z>, Error>
/// where
///     M: Stateful<f64, NQ, N, Z, K, C>,
/// {
///     for step in 0..steps {
///         let t = f64::from(step) * h;
///         (q, v, z) = rk4_step_with_states(system, t, &q, &v, &z, u, h)?;
///     }
///     Ok((q, v, z))
/// }
/// ```
#[allow(clippy::type_complexity)] // The state (q, v, z).
pub fn rk4_step_with_states<
    S,
    M,
    const NQ: usize,
    const N: usize,
    const Z: usize,
    const K: usize,
    const C: usize,
>(
    system: &M,
    t: S,
    q: &SVector<S, NQ>,
    v: &SVector<S, N>,
    z: &SVector<S, Z>,
    u: &SVector<S, K>,
    h: S,
) -> Result<(SVector<S, NQ>, SVector<S, N>, SVector<S, Z>), Error>
where
    S: RealField + Copy,
    M: Stateful<S, NQ, N, Z, K, C>,
{
    let rates = |t, q: &_, v: &_, z: &_| {
        let a = system.acceleration(t, q, v, z, u)?;
        Ok((a, system.state_rates(t, q, v, z, u)))
    };
    let integrate = |q: &_, d: &_| system.integrate(q, d);
    let end = step(rates, integrate, t, (q, v, z), h).and_then(|end| {
        let (q, v, z) = &end;
        if are_finite(&[q.as_slice(), v.as_slice(), z.as_slice()]) {
            Ok(end)
        } else {
            Err(Error::NOT_FINITE)
        }
    });
    end.map_err(|error| {
        let arguments = [
            ("t", &[t][..]),
            ("q", q.as_slice()),
            ("v", v.as_slice()),
            ("z", z.as_slice()),
            ("u", u.as_slice()),
            ("h", &[h]),
        ];
        blame(error, &arguments)
    })
}

/// The error, with the first of these arguments that is not finite.
#[inline]
fn blame<S: RealField + Copy>(error: Error, arguments: &[(&'static str, &[S])]) -> Error {
    match error {
        Error::NotFinite { .. } => check_finite(arguments)
            .err()
            .unwrap_or_else(|| error.of_computed()),
        other => other,
    }
}

/// The state (q, v) after the time h, by the step of [`rk4_step`] without any check, for SIMD lanes: each lane has its
/// own system, state and time step.
///
/// A lane is not finite if one of its accelerations is not determined, and inaccurate near such states; the other lanes
/// are not affected.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Unchecked, nalgebra::{SVector, SimdRealField}, rk4_step_unchecked};
///
/// /// The state after the time `steps * h`: of four systems at once where S has four lanes.
/// fn simulate<S, M, const NQ: usize, const N: usize, const K: usize>(
///     system: &M,
///     (mut q, mut v): (SVector<S, NQ>, SVector<S, N>),
///     u: &SVector<S, K>,
///     (h, steps): (S, u32),
/// ) -> (SVector<S, NQ>, SVector<S, N>)
/// where
///     S: SimdRealField + Copy,
///     M: Unchecked<S, NQ, N, K>,
/// {
///     let mut t = S::zero();
///     for _ in 0..steps {
///         (q, v) = rk4_step_unchecked(system, t, &q, &v, u, h);
///         t += h;
///     }
///     (q, v)
/// }
/// ```
pub fn rk4_step_unchecked<S, M, const NQ: usize, const N: usize, const K: usize>(
    system: &M,
    t: S,
    q: &SVector<S, NQ>,
    v: &SVector<S, N>,
    u: &SVector<S, K>,
    h: S,
) -> (SVector<S, NQ>, SVector<S, N>)
where
    S: SimdRealField + Copy,
    M: Unchecked<S, NQ, N, K>,
{
    let acceleration =
        |t, q: &_, v: &_| Ok::<_, Infallible>(system.acceleration_unchecked(t, q, v, u));
    let integrate = |q: &_, d: &_| system.integrate_unchecked(q, d);
    let Ok(end) = without_states(acceleration, integrate, t, (q, v), h);
    end
}

/// The step of q and v alone, or of their changes, by the acceleration at a time and a state, and by the move of q by a
/// displacement.
#[inline]
fn without_states<S: SimdRealField + Copy, E, Q, const N: usize>(
    mut acceleration: impl FnMut(S, &Q, &SVector<S, N>) -> Result<SVector<S, N>, E>,
    integrate: impl FnMut(&Q, &SVector<S, N>) -> Q,
    t: S,
    (q, v): (&Q, &SVector<S, N>),
    h: S,
) -> Result<(Q, SVector<S, N>), E> {
    let none = SVector::<S, 0>::zeros();
    let rates = |t, q: &_, v: &_, _: &_| Ok((acceleration(t, q, v)?, none));
    let (q, v, _) = step(rates, integrate, t, (q, v, &none), h)?;
    Ok((q, v))
}

/// The step of all, by the rates of v and z at a time and a state, and by the move of q by a displacement.
#[inline]
fn step<S: SimdRealField + Copy, E, Q, const N: usize, const Z: usize>(
    mut rates: impl FnMut(
        S,
        &Q,
        &SVector<S, N>,
        &SVector<S, Z>,
    ) -> Result<(SVector<S, N>, SVector<S, Z>), E>,
    mut integrate: impl FnMut(&Q, &SVector<S, N>) -> Q,
    t: S,
    (q, v, z): (&Q, &SVector<S, N>, &SVector<S, Z>),
    h: S,
) -> Result<(Q, SVector<S, N>, SVector<S, Z>), E> {
    let two = constant::<S>(2.0);
    let three = constant::<S>(3.0);
    let half = h / two;
    let twelfth = h / constant(12.0);

    let (a1, r1) = rates(t, q, v, z)?;
    let (q2, v2, z2) = (integrate(q, &(v * half)), v + a1 * half, z + r1 * half);
    let (a2, r2) = rates(t + half, &q2, &v2, &z2)?;
    let (q3, v3, z3) = (integrate(q, &(v2 * half)), v + a2 * half, z + r2 * half);
    let (a3, r3) = rates(t + half, &q3, &v3, &z3)?;
    let (q4, v4, z4) = (integrate(&q2, &(v3 * h - v * half)), v + a3 * h, z + r3 * h);
    let (a4, r4) = rates(t + h, &q4, &v4, &z4)?;

    let middle = (v2 + v3) * two;
    let first = (v * three + middle - v4) * twelfth;
    let second = (v4 * three + middle - v) * twelfth;
    let q = integrate(q, &first);
    let q = integrate(&q, &second);
    let sixth = twelfth * two;
    let v = v + (a1 + (a2 + a3) * two + a4) * sixth;
    let z = z + (r1 + (r2 + r3) * two + r4) * sixth;
    Ok((q, v, z))
}
