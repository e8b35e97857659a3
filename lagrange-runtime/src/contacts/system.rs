//! The trait of systems with contacts.

use nalgebra::{RealField, SMatrix, SVector};

use crate::{ActiveMotion, Error, Impact, System};

/// A system with `P` contacts, for generic code: gaps `g(q, t)` that are not negative.
///
/// The macro implements it for every declaration with a `contact`. As in [`System`], all methods take the time t, the
/// coordinates q, the velocities v and the inputs u first.
///
/// # Examples
///
/// One step that opens no contact and closes none, for any system:
///
/// ```
/// use lagrange_runtime::{Contacts, Error, nalgebra::SVector};
///
/// fn step<M, const NQ: usize, const N: usize, const K: usize, const C: usize, const P: usize>(
///     system: &M,
///     t: f64,
///     (q, v): (SVector<f64, NQ>, SVector<f64, N>),
///     u: &SVector<f64, K>,
///     (active, dt): (&[bool; P], f64),
/// ) -> Result<(SVector<f64, NQ>, SVector<f64, N>), Error>
/// where
///     M: Contacts<f64, NQ, N, K, C, P>,
/// {
///     let v = v + system.solve_active(t, &q, &v, u, active)?.acceleration * dt;
///     Ok((system.integrate(&q, &(v * dt)), v))
/// }
/// ```
pub trait Contacts<
    S: RealField + Copy,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
    const P: usize,
>: System<S, NQ, N, K, C>
{
    /// The names of the contacts, in order of declaration.
    const CONTACTS: [&'static str; P];

    /// The gaps g.
    fn gaps(&self, t: S, q: &SVector<S, NQ>, v: &SVector<S, N>, u: &SVector<S, K>)
    -> SVector<S, P>;

    /// The rates of the gaps, `J_c v + ∂g/∂t`.
    fn gap_rates(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> SVector<S, P>;

    /// `J_c`, the derivative of the rates by v.
    fn contact_jacobian(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> SMatrix<S, P, N>;

    /// `γ_c`: the second derivatives of the gaps are `J_c a - γ_c`.
    fn contact_gamma(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> SVector<S, P>;

    /// The motion while the active contacts stay closed.
    ///
    /// # Errors
    ///
    /// The errors of [`System::solve`]. The row of [`Error::DependentConstraints`] counts the constraints first, then
    /// all contacts.
    fn solve_active(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
        active: &[bool; P],
    ) -> Result<ActiveMotion<S, N, C, P>, Error>;

    /// The velocity after an impact at the active contacts, with a coefficient of restitution for each contact.
    ///
    /// # Errors
    ///
    /// The errors of [`Contacts::solve_active`].
    fn impact(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
        active: &[bool; P],
        restitution: &[S; P],
    ) -> Result<Impact<S, N, C, P>, Error>;

    /// Delassus' matrix `J_c M⁻¹ J_cᵀ`, with the constraints held.
    ///
    /// # Errors
    ///
    /// The errors of [`System::solve`].
    fn delassus(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
    ) -> Result<SMatrix<S, P, P>, Error>;

    /// The derivatives of the velocity after an impact, by the displacement of q and by v.
    ///
    /// # Errors
    ///
    /// The errors of [`Contacts::solve_active`].
    fn impact_derivatives(
        &self,
        t: S,
        q: &SVector<S, NQ>,
        v: &SVector<S, N>,
        u: &SVector<S, K>,
        active: &[bool; P],
        restitution: &[S; P],
    ) -> Result<(SMatrix<S, N, N>, SMatrix<S, N, N>), Error>;
}
