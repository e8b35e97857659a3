//! A step in time, for any system.

mod derivatives;

use core::convert::Infallible;
use core::ops::{Add, Mul, Sub};

use nalgebra::{RealField, SVector, SimdRealField};

use crate::{
    Error, StepSensitivities, System, Unchecked,
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
    let end = step(acceleration, integrate, t, q, v, h).and_then(|(q, v)| {
        if are_finite(&[q.as_slice(), v.as_slice()]) {
            Ok((q, v))
        } else {
            Err(Error::NOT_FINITE)
        }
    });
    end.map_err(|error| named(error, t, (q.as_slice(), v.as_slice(), u.as_slice()), h))
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
    end.map_err(|error| named(error, t, (q.as_slice(), v.as_slice(), u.as_slice()), h))
}

/// The error with the name of the first argument that is not finite.
#[cold]
fn named<S: RealField + Copy>(error: Error, t: S, (q, v, u): (&[S], &[S], &[S]), h: S) -> Error {
    let Error::NotFinite { .. } = error else {
        return error;
    };
    let arguments = [("t", &[t][..]), ("q", q), ("v", v), ("u", u), ("h", &[h])];
    check_finite(&arguments)
        .err()
        .unwrap_or_else(|| error.of_computed())
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
    let Ok(state) = step(acceleration, integrate, t, q, v, h);
    state
}

/// The step of all of them, by the acceleration at a time and a state, and by the move of q by a displacement.
#[inline]
fn step<S: SimdRealField + Copy, Q: Copy, V, E>(
    mut acceleration: impl FnMut(S, &Q, &V) -> Result<V, E>,
    mut integrate: impl FnMut(&Q, &V) -> Q,
    t: S,
    q: &Q,
    v: &V,
    h: S,
) -> Result<(Q, V), E>
where
    V: Copy + Add<Output = V> + Sub<Output = V> + Mul<S, Output = V>,
{
    let two = constant::<S>(2.0);
    let three = constant::<S>(3.0);
    let half = h / two;
    let twelfth = h / constant(12.0);
    let v = *v;

    let a1 = acceleration(t, q, &v)?;
    let (q2, v2) = (integrate(q, &(v * half)), v + a1 * half);
    let a2 = acceleration(t + half, &q2, &v2)?;
    let (q3, v3) = (integrate(q, &(v2 * half)), v + a2 * half);
    let a3 = acceleration(t + half, &q3, &v3)?;
    let (q4, v4) = (integrate(&q2, &(v3 * h - v * half)), v + a3 * h);
    let a4 = acceleration(t + h, &q4, &v4)?;

    let middle = (v2 + v3) * two;
    let first = (v * three + middle - v4) * twelfth;
    let second = (v4 * three + middle - v) * twelfth;
    let q = integrate(q, &first);
    let q = integrate(&q, &second);
    let v = v + (a1 + (a2 + a3) * two + a4) * (twelfth * two);
    Ok((q, v))
}
