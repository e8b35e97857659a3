//! The state that has a given acceleration: equilibria, hovering, steady turns.

mod change;
mod nearest;
mod rows;
mod search;
mod state;

use nalgebra::{RealField, SVector};

use crate::{Error, System, linalg::check_finite, project::not_converged};
use change::Change;
use search::Search;
pub use state::Free;
use state::State;

/// The state nearest to the start whose acceleration is the target and which meets the constraints.
///
/// Only [`Free`] entries change: q becomes `integrate(q, d)` with a displacement d, v and u become `v + dv` and
/// `u + du`, and all entries of (d, dv, du) that are not free are zero. The constraints hold for positions and for
/// velocities, at the time t. If this leaves a choice, (d, dv, du) is locally the shortest: a stationary point of its
/// length, each entry in its own unit. A start that already is such a state comes back, to rounding.
///
/// For an equilibrium v is zero and not free, and the target is zero. In a steady turn the target is the acceleration
/// of the turn: its nonzero entries must be consistent with the velocities, and with constraints it must satisfy
/// `J a = γ`.
///
/// # Method
///
/// The method is that of Gauss and Newton, with the exact derivatives of the acceleration and of the constraints. Each
/// step is the shortest that meets the linearized equations, or that comes nearest, from their singular value
/// decomposition. If the linearization turns out to be inaccurate for a step, damping shortens it (J. J. Moré, "The
/// Levenberg-Marquardt algorithm: implementation and theory", *Lecture Notes in Mathematics* 630, 1978), the first one
/// to the size of the state or 1. The search ends when no step comes nearer. Then the state moves along the solutions
/// as long as its distance from the start falls.
///
/// # Errors
///
/// - [`Error::NotConverged`] if no state is found: the target or the constraints cannot be met, or the way there is
///   blocked by a state from which no small change comes nearer. `residual` is the largest remaining difference, among
///   the accelerations and the constraints;
/// - [`Error::NotFinite`] if an argument is NaN or infinite, by its name, `start` by its parts `"q"`, `"v"` and `"u"`;
/// - those of [`System::acceleration_derivatives`] at the start, or at the end of the search.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Error, Free, System, nalgebra::SVector, trim};
///
/// /// The inputs that hold a system still where it is.
/// fn holding<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
///     system: &M,
///     q: SVector<f64, NQ>,
/// ) -> Result<SVector<f64, K>, Error>
/// where
///     M: System<f64, NQ, N, K, C>,
/// {
///     let free = Free { q: [false; N], v: [false; N], u: [true; K] };
///     let start = (q, SVector::zeros(), SVector::zeros());
///     let (_, _, u) = trim(system, 0.0, start, &free, SVector::zeros())?;
///     Ok(u)
/// }
/// ```
pub fn trim<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    t: S,
    start: State<S, NQ, N, K>,
    free: &Free<N, K>,
    target: SVector<S, N>,
) -> Result<State<S, NQ, N, K>, Error>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    let (q, v, u) = &start;
    check_finite(&[
        ("t", &[t]),
        ("q", q.as_slice()),
        ("v", v.as_slice()),
        ("u", u.as_slice()),
        ("target", target.as_slice()),
    ])?;
    let search = Search {
        system,
        t,
        start,
        free,
        target,
    };
    // The states on the way are computed.
    find_state(&search).map_err(Error::of_computed)
}

fn find_state<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    search: &Search<'_, M, S, NQ, N, K>,
) -> Result<State<S, NQ, N, K>, Error>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    let first = search.point(Change::zero())?;
    let solution = search.solve(first)?;
    let sizes = first.residual;
    if !search.is_met(&solution, &sizes)? {
        return Err(not_converged(solution.residual.iter()));
    }
    let nearest = search.nearest(solution, &sizes)?;
    Ok(search.state(&nearest.change))
}
