//! A step of the variational midpoint rule, for any system.

mod derivatives;
mod end;
mod maps;
mod newton;
mod problem;
mod start;

use nalgebra::{RealField, SVector};

use crate::{
    Error, Step, StepDerivatives, System,
    linalg::{Redundant, all_finite, product},
};
use end::End;
use newton::converge;
use problem::{Problem, Solved, reactions};
use start::Start;

/// The state (q, p) after the time h, by one step of the variational midpoint rule, and the reactions of the
/// constraints.
///
/// The method has order 2. Without forces Q it is symplectic, keeps the momenta of symmetries that act by addition or by
/// rotation, and the energy has no drift, whatever the number of steps (J. E. Marsden and M. West, "Discrete mechanics
/// and variational integrators", *Acta Numerica* 10, 2001). It is reversible: a step by -h leads back. The inputs u are
/// constant during the step.
///
/// # Equations
///
/// The discrete Lagrangian is `h L(t + h/2, q̄, d/h)`, with the displacement d from q to q₁ and the middle
/// q̄ = `integrate(q, d/2)`. With P = dL/dv and F = dL/dq + Q there,
///
/// ```text
/// P - h/2 F = p + J(q)ᵀ α        p₁ = P + h/2 F + J(q₁)ᵀ β        q₁ = integrate(q, d)
/// ```
///
/// For the three directions of a rotation, whose axes turn, the same with the right Jacobian K of the exponential map:
///
/// ```text
/// K(d)⁻¹ (P - h/2 K(d/2) F) = p + J(q)ᵀ α        p₁ = K(d)⁻ᵀ (P + h/2 K(d/2)ᵀ F) + J(q₁)ᵀ β
/// ```
///
/// # Constraints
///
/// Holonomic rows hold for q₁, and p₁ is on them: J v₁ = -dr/dt at q₁ for the velocities v₁ of p₁. This is the method
/// RATTLE with the middle in the place of the ends. q must be on the constraints; the given p may be off.
///
/// Nonholonomic rows hold in the middle for the velocities d/h, their reactions act along the rows at both ends, and p₁
/// is on the rows at q₁. Such a system has no discrete Lagrangian. The step is still reversible and of order 2, but
/// nothing promises that the energy stays near its start: methods of this kind keep it only if the system is reversible
/// and integrable (K. Modin and O. Verdier, "What makes nonholonomic integrators work?", *Numer. Math.* 145, 2020).
///
/// The multipliers are forces: the reactions α + β of both ends over h.
///
/// # When it stops
///
/// Newton's method with exact derivatives solves for d and α, and then for v₁ and β. It stops when residuals fall no
/// more, and accepts them if each is at most four times the bound of its rounding errors, as
/// [`project()`](crate::project::project) does. For dual numbers one more step follows.
///
/// # Errors
///
/// - [`Error::NotFinite`] if an argument or the result is NaN or infinite, and if h is 0;
/// - [`Error::SingularMassMatrix`] and [`Error::DependentConstraints`] if the equations of the first iteration are
///   singular;
/// - [`Error::NotConverged`] with the largest remaining residual, if the step is too long for the motion.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Error, Step, System, midpoint_step, nalgebra::SVector};
///
/// /// The state after the time `steps * h`.
/// fn simulate<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
///     system: &M,
///     (mut q, v): (SVector<f64, NQ>, SVector<f64, N>),
///     u: &SVector<f64, K>,
///     (h, steps): (f64, u32),
/// ) -> Result<(SVector<f64, NQ>, SVector<f64, N>), Error>
/// where
///     M: System<f64, NQ, N, K, C>,
/// {
///     let mut p = system.momenta(0.0, &q, &v, u);
///     for step in 0..steps {
///         Step { q, p, .. } = midpoint_step(system, f64::from(step) * h, &q, &p, u, h)?;
///     }
///     Ok((q, p))
/// }
/// ```
pub fn midpoint_step<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    t: S,
    q: &SVector<S, NQ>,
    p: &SVector<S, N>,
    u: &SVector<S, K>,
    h: S,
) -> Result<Step<S, NQ, N, C>, Error>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    let solved = solve(&Problem::new(system, t, q, p, u, h)?);
    Ok(solved
        .map_err(|error| name_argument(system, t, q, u, error))?
        .step)
}

/// The step of [`midpoint_step`] with its exact derivatives by the displacement of q, by p and by u, from the implicit
/// function theorem.
///
/// Without constraints and forces, `A = [d.q.q, d.q.p; d.p.q, d.p.p]` is symplectic where no direction is that of a
/// rotation: `Aᵀ Ω A = Ω` with `Ω = [0 I; -I 0]`. The momenta of a rotation are in axes that turn, which gives Ω the
/// block of p x. With constraints p is first moved onto them, so that A is singular along J.
///
/// # Errors
///
/// Those of [`midpoint_step`], and [`Error::NotConverged`] if the equations are singular at the result.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::{Error, System, midpoint_step_derivatives, nalgebra::{SMatrix, SVector}};
///
/// /// The derivative of the momenta at the end by those at the start.
/// fn sensitivity<M, const NQ: usize, const N: usize>(
///     system: &M,
///     (q, p): (&SVector<f64, NQ>, &SVector<f64, N>),
///     h: f64,
/// ) -> Result<SMatrix<f64, N, N>, Error>
/// where
///     M: System<f64, NQ, N, 0, 0>,
/// {
///     let (_, d) = midpoint_step_derivatives(system, 0.0, q, p, &SVector::zeros(), h)?;
///     Ok(d.p.p)
/// }
/// ```
pub fn midpoint_step_derivatives<
    S,
    M,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
>(
    system: &M,
    t: S,
    q: &SVector<S, NQ>,
    p: &SVector<S, N>,
    u: &SVector<S, K>,
    h: S,
) -> Result<(Step<S, NQ, N, C>, StepDerivatives<S, N, K>), Error>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    let problem = Problem::new(system, t, q, p, u, h)?;
    solve(&problem)
        .and_then(|solved| Ok((solved.step, derivatives::derivatives(&problem, &solved)?)))
        .map_err(|error| name_argument(system, t, q, u, error))
}

fn solve<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    problem: &Problem<'_, S, M, NQ, N, K, C>,
) -> Result<Solved<S, NQ, N, C>, Error>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    let (d, alpha) = converge(&Start(problem), (SVector::zeros(), [S::zero(); C]))?;
    let point = Start(problem).point(&d);
    let momenta = product(&point.maps.end_momenta, &point.terms.momenta)
        + product(&point.maps.end_forces, &point.terms.forces);
    let (q, v) = (point.end, point.v);
    let (mut p, mut v, mut beta) = (momenta, v, [S::zero(); C]);
    let mut multipliers = [S::zero(); C];
    if C > 0 {
        let end = End::new(problem, &q, &momenta);
        (v, beta) = converge(&end, (v, beta))?;
        p = momenta + reactions(&end.rows, &beta);
        let [start, end] = [(&problem.rows, &alpha), (&end.rows, &beta)]
            .map(|(rows, multipliers)| least(problem, &q, &v, rows, multipliers));
        let (start, end) = (start?, end?);
        for k in 0..C {
            multipliers[k] = (start[k] + end[k]) / problem.h;
        }
    }
    let step = Step {
        q,
        p,
        multipliers: multipliers.into(),
    };
    let is_finite =
        all_finite(q.as_slice()) && all_finite(p.as_slice()) && all_finite(&multipliers);
    if !is_finite {
        return Err(Error::NOT_FINITE);
    }
    Ok(Solved {
        step,
        d,
        alpha,
        v,
        beta,
    })
}

/// The multipliers of least Euclidean norm with the same reactions, if rows of J depend on each other.
fn least<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    problem: &Problem<'_, S, M, NQ, N, K, C>,
    q: &SVector<S, NQ>,
    v: &SVector<S, N>,
    rows: &[[S; N]; C],
    multipliers: &[S; C],
) -> Result<[S; C], Error>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    if !M::REDUNDANT {
        return Ok(*multipliers);
    }
    let mass = problem.system.mass_matrix(problem.end, q, v, problem.u);
    let mut work = [[S::zero(); N]; C];
    let mut mass = mass.data.0;
    let factors = Redundant::factor(&mut mass, rows, &mut work)?;
    let forces = -reactions(rows, multipliers);
    Ok(factors.solve(&forces.data.0[0], &[S::zero(); C])?.1)
}

/// The error with the name of a parameter that is not finite, which only the system's own methods know.
#[cold]
fn name_argument<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    t: S,
    q: &SVector<S, NQ>,
    u: &SVector<S, K>,
    error: Error,
) -> Error
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    match (error, system.solve(t, q, &SVector::zeros(), u)) {
        (Error::NotFinite { .. }, Err(named @ Error::NotFinite { .. })) => named.of_computed(),
        (error, _) => error,
    }
}
