//! The derivatives of a step, by the implicit function theorem.

use nalgebra::{RealField, SMatrix, SVector};

use super::{
    end::End,
    newton::Equations,
    problem::{Problem, Solved},
    start::{Start, combine, row_of},
};
use crate::{
    Error, MomentumDerivatives, Motion, StepDerivatives, System,
    linalg::{SaddleLu, all_finite, product},
};

/// Columns by the displacement of q, by p and by u.
type Columns<S, const R: usize, const N: usize, const K: usize> =
    (SMatrix<S, R, N>, SMatrix<S, R, N>, SMatrix<S, R, K>);

#[inline(never)]
pub(super) fn derivatives<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    problem: &Problem<'_, S, M, NQ, N, K, C>,
    solved: &Solved<S, NQ, N, C>,
) -> Result<StepDerivatives<S, N, K>, Error>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    let start = Start(problem);
    let singular = Error::NotConverged {
        residual: f64::INFINITY,
    };
    let factors = start.factor(&(solved.d, solved.alpha)).ok_or(singular)?;
    let point = start.point(&solved.d);
    let maps = &point.maps;

    // The equations at the start, at fixed d and α.
    let (mut by_q, mut by_u) = (SMatrix::zeros(), SMatrix::zeros());
    for i in 0..N {
        let gradient = start.gradient(&point, (&maps.start_momenta, &maps.start_forces), i);
        set_row(&mut by_q, i, &combine(&gradient.q, &maps.middle_by_start));
        set_row(&mut by_u, i, &gradient.u.data.0[0]);
    }
    let t = problem.end - problem.h;
    by_q -= reactions_by_position(problem, (t, &problem.q, &point.v), &solved.alpha);
    let mut of_rows = SMatrix::<S, C, N>::zeros();
    for (k, row) in start.rows(&point)[1].iter().enumerate() {
        set_row(&mut of_rows, k, row);
    }
    let by_p = -SMatrix::<S, N, N>::identity();
    let none = SMatrix::zeros();
    let d = (
        solutions(&factors, &by_q, &of_rows).0,
        solutions(&factors, &by_p, &none).0,
        solutions(&factors, &by_u, &SMatrix::zeros()).0,
    );

    // The displacement of the end, and the momenta there without β.
    let q: Columns<S, N, N, K> = (
        product(&maps.end_by_step, &d.0) + maps.end_by_start,
        product(&maps.end_by_step, &d.1),
        product(&maps.end_by_step, &d.2),
    );
    let mut by_step = SMatrix::zeros();
    for i in 0..N {
        let gradient = start.gradient(&point, (&maps.end_momenta, &maps.end_forces), i);
        let row = start.by_step(maps, &gradient, row_of(&maps.end_by_step_of_maps, i));
        set_row(&mut by_step, i, &row);
        set_row(&mut by_q, i, &combine(&gradient.q, &maps.middle_by_start));
        set_row(&mut by_u, i, &gradient.u.data.0[0]);
    }
    let momenta = (
        product(&by_step, &d.0) + by_q,
        product(&by_step, &d.1),
        product(&by_step, &d.2) + by_u,
    );
    let p = if C == 0 {
        momenta
    } else {
        at_end(problem, solved, &q, &momenta).ok_or(singular)?
    };
    let of_coordinates = [q.0.as_slice(), q.1.as_slice(), q.2.as_slice()];
    let of_momenta = [p.0.as_slice(), p.1.as_slice(), p.2.as_slice()];
    if !of_coordinates
        .iter()
        .chain(&of_momenta)
        .all(|entries| all_finite(entries))
    {
        return Err(Error::NOT_FINITE);
    }
    let [q, p] = [q, p].map(|(q, p, u)| MomentumDerivatives { q, p, u });
    Ok(StepDerivatives { q, p })
}

/// The momenta with the reactions β, from the derivatives of the displacement of the end and of the momenta without β.
fn at_end<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    problem: &Problem<'_, S, M, NQ, N, K, C>,
    solved: &Solved<S, NQ, N, C>,
    q: &Columns<S, N, N, K>,
    momenta: &Columns<S, N, N, K>,
) -> Option<Columns<S, N, N, K>>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    let Problem { system, u, end, .. } = problem;
    let (position, v) = (&solved.step.q, &solved.v);
    let equations = End::new(problem, position, &solved.step.p);
    let factors = equations.factor(&(*v, solved.beta))?;
    let mut by_position = SMatrix::<S, N, N>::zeros();
    for i in 0..N {
        let mut unit = SVector::<S, N>::zeros();
        unit.data.0[0][i] = S::one();
        let gradient = system.midpoint_vjp(*end, position, v, u, &unit, &SVector::zeros());
        set_row(&mut by_position, i, &gradient.q.data.0[0]);
    }
    let reactions = reactions_by_position(problem, (*end, position, v), &solved.beta);
    let rates = system
        .constraint_velocity_derivatives(*end, position, v, u)
        .q;
    let mut jacobian = SMatrix::<S, N, C>::zeros();
    jacobian.data.0 = equations.rows;
    by_position -= reactions;
    Some((
        of_end(
            &factors,
            (&by_position, &reactions, &rates, &jacobian),
            &q.0,
            &momenta.0,
        ),
        of_end(
            &factors,
            (&by_position, &reactions, &rates, &jacobian),
            &q.1,
            &momenta.1,
        ),
        of_end(
            &factors,
            (&by_position, &reactions, &rates, &jacobian),
            &q.2,
            &momenta.2,
        ),
    ))
}

/// Columns of the derivatives of p₁.
fn of_end<S: RealField + Copy, const N: usize, const C: usize, const W: usize>(
    factors: &SaddleLu<S, N, C>,
    (by_position, reactions, rates, jacobian): (
        &SMatrix<S, N, N>,
        &SMatrix<S, N, N>,
        &SMatrix<S, C, N>,
        &SMatrix<S, N, C>,
    ),
    q: &SMatrix<S, N, W>,
    momenta: &SMatrix<S, N, W>,
) -> SMatrix<S, N, W> {
    let equations = product(by_position, q) - momenta;
    let (_, beta) = solutions(factors, &equations, &product(rates, q));
    momenta + product(reactions, q) + product(jacobian, &beta)
}

/// The derivatives of J(q)ᵀ λ by the displacement of q. The part of the equations without λ, at a = 0, is subtracted.
fn reactions_by_position<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    problem: &Problem<'_, S, M, NQ, N, K, C>,
    (t, q, v): (S, &SVector<S, NQ>, &SVector<S, N>),
    impulses: &[S; C],
) -> SMatrix<S, N, N>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    if C == 0 {
        return SMatrix::zeros();
    }
    let Problem { system, u, h, .. } = problem;
    let with = |multipliers: SVector<S, C>| {
        let acceleration = SVector::zeros();
        let motion = Motion {
            acceleration,
            multipliers,
        };
        system.equation_derivatives(t, q, v, u, &motion).0.q
    };
    // Forces, so that both parts are of one size.
    let forces = SVector::from(*impulses).map(|x| x / *h);
    (with(forces) - with(SVector::zeros())).map(|x| x * *h)
}

/// Minus the solutions for the columns of both right-hand sides.
fn solutions<S: RealField + Copy, const N: usize, const C: usize, const W: usize>(
    factors: &SaddleLu<S, N, C>,
    first: &SMatrix<S, N, W>,
    last: &SMatrix<S, C, W>,
) -> (SMatrix<S, N, W>, SMatrix<S, C, W>) {
    let mut solutions = (-first, -last);
    for (first, last) in solutions.0.data.0.iter_mut().zip(&mut solutions.1.data.0) {
        (*first, *last) = factors.solve(&(*first, *last));
    }
    solutions
}

fn set_row<S: RealField + Copy, const R: usize, const N: usize>(
    matrix: &mut SMatrix<S, R, N>,
    row: usize,
    entries: &[S; N],
) {
    for (column, entry) in matrix.data.0.iter_mut().zip(entries) {
        if let Some(place) = column.get_mut(row) {
            *place = *entry;
        }
    }
}
