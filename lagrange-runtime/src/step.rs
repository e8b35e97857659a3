//! A step in time, for any system.

use core::convert::Infallible;

use nalgebra::{RealField, SVector, SimdRealField};

use crate::{
    Error, System, Unchecked,
    linalg::{all_finite, check_finite},
    math::constant,
};

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
        if all_finite(q.as_slice()) && all_finite(v.as_slice()) {
            Ok((q, v))
        } else {
            Err(Error::NOT_FINITE)
        }
    });
    end.map_err(|error| match error {
        Error::NotFinite { .. } => {
            let arguments = [
                ("t", &[t][..]),
                ("q", q.as_slice()),
                ("v", v.as_slice()),
                ("u", u.as_slice()),
                ("h", &[h]),
            ];
            check_finite(&arguments)
                .err()
                .unwrap_or_else(|| error.of_computed())
        }
        other => other,
    })
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

/// The step of both, by the acceleration at a time and a state, and by the move of q by a displacement.
#[inline]
fn step<S: SimdRealField + Copy, E, const NQ: usize, const N: usize>(
    acceleration: impl Fn(S, &SVector<S, NQ>, &SVector<S, N>) -> Result<SVector<S, N>, E>,
    integrate: impl Fn(&SVector<S, NQ>, &SVector<S, N>) -> SVector<S, NQ>,
    t: S,
    q: &SVector<S, NQ>,
    v: &SVector<S, N>,
    h: S,
) -> Result<(SVector<S, NQ>, SVector<S, N>), E> {
    let two = constant::<S>(2.0);
    let three = constant::<S>(3.0);
    let half = h / two;
    let twelfth = h / constant(12.0);

    let a1 = acceleration(t, q, v)?;
    let (q2, v2) = (integrate(q, &(v * half)), v + a1 * half);
    let a2 = acceleration(t + half, &q2, &v2)?;
    let (q3, v3) = (integrate(q, &(v2 * half)), v + a2 * half);
    let a3 = acceleration(t + half, &q3, &v3)?;
    let (q4, v4) = (integrate(&q2, &(v3 * h - v * half)), v + a3 * h);
    let a4 = acceleration(t + h, &q4, &v4)?;

    let middle = (v2 + v3) * two;
    let first = (v * three + middle - v4) * twelfth;
    let second = (v4 * three + middle - v) * twelfth;
    let q = integrate(&integrate(q, &first), &second);
    let v = v + (a1 + (a2 + a3) * two + a4) * (twelfth * two);
    Ok((q, v))
}
