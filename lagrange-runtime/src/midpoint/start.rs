//! The equations for the displacement and the reactions at the start: those of the momenta at the start, of holonomic
//! rows at the end and of nonholonomic rows in the middle.

use nalgebra::{RealField, SMatrix, SVector};

use super::{
    maps::Maps,
    newton::{Equations, Residuals, Unknowns},
    problem::{Problem, reactions, rows_of},
};
use crate::{
    Error, Gradient, MidpointTerms, System,
    linalg::{Kkt, SaddleLu, product},
    math::constant,
};

/// Roundings of the products and sums here, for each term.
const ROUNDINGS: f64 = 4.0;

/// The equations of a step.
pub(super) struct Start<'a, S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    pub(super) &'a Problem<'a, S, M, NQ, N, K, C>,
);

/// The states of a displacement.
pub(super) struct Point<S, const NQ: usize, const N: usize> {
    pub(super) v: SVector<S, N>,
    pub(super) middle: SVector<S, NQ>,
    pub(super) end: SVector<S, NQ>,
    pub(super) terms: MidpointTerms<S, N>,
    pub(super) maps: Maps<S, N>,
}

impl<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>
    Start<'_, S, M, NQ, N, K, C>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    pub(super) fn point(&self, d: &SVector<S, N>) -> Point<S, NQ, N> {
        let Problem {
            system,
            q,
            h,
            middle: t,
            ..
        } = self.0;
        let v = d.map(|d| d / *h);
        let middle = system.integrate(q, &d.map(|d| d * constant(0.5)));
        let terms = self.0.terms(*t, &middle, &v);
        Point {
            v,
            middle,
            end: system.integrate(q, d),
            maps: self.0.maps(d, &terms),
            terms,
        }
    }

    /// The derivatives of a momentum `w . P + z . F` in the middle.
    pub(super) fn gradient(
        &self,
        point: &Point<S, NQ, N>,
        (of_momenta, of_forces): (&SMatrix<S, N, N>, &SMatrix<S, N, N>),
        row: usize,
    ) -> Gradient<S, N, K> {
        let [w, z] = [of_momenta, of_forces].map(|matrix| row_of(matrix, row).into());
        let Problem {
            system, middle, u, ..
        } = self.0;
        system.midpoint_vjp(*middle, &point.middle, &point.v, u, &w, &z)
    }

    /// The derivative of such a momentum by d, with that of the maps.
    pub(super) fn by_step(
        &self,
        maps: &Maps<S, N>,
        gradient: &Gradient<S, N, K>,
        of_maps: [S; N],
    ) -> [S; N] {
        let by_middle = combine(&gradient.q, &maps.middle_by_step);
        let (by_rates, mut sum) = (gradient.v.data.0[0], of_maps);
        for i in 0..N {
            sum[i] += by_middle[i] + by_rates[i] / self.0.h;
        }
        sum
    }

    /// The derivatives of the rows of the constraints by d, and by the displacement of the start.
    pub(super) fn rows(&self, point: &Point<S, NQ, N>) -> [[[S; N]; C]; 2] {
        let Problem {
            system,
            u,
            h,
            middle,
            end,
            ..
        } = self.0;
        let maps = &point.maps;
        let rows = rows_of(*system, *end, &point.end, u);
        let velocity = system.constraint_velocity_derivatives(*middle, &point.middle, &point.v, u);
        let mut rows_by_step_and_start = [[[S::zero(); N]; C]; 2];
        let [by_step, by_start] = &mut rows_by_step_and_start;
        for k in 0..C {
            if k < M::HOLONOMIC_CONSTRAINTS {
                let row = rows[k].into();
                by_step[k] = combine(&row, &maps.end_by_step);
                by_start[k] = combine(&row, &maps.end_by_start);
            } else {
                let row = row_of(&velocity.q, k).into();
                by_step[k] = combine(&row, &maps.middle_by_step);
                by_start[k] = combine(&row, &maps.middle_by_start);
                let by_rates = row_of(&velocity.v, k);
                for i in 0..N {
                    by_step[k][i] += by_rates[i] / *h;
                }
            }
        }
        rows_by_step_and_start
    }
}

impl<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize> Equations<S, N, C>
    for Start<'_, S, M, NQ, N, K, C>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    fn residuals(&self, (d, alpha): &Unknowns<S, N, C>) -> Residuals<S, N, C> {
        let Problem {
            system,
            p,
            u,
            middle,
            end,
            rows,
            ..
        } = self.0;
        let point = self.point(d);
        let (maps, terms) = (&point.maps, &point.terms);
        let momenta = product(&maps.start_momenta, &terms.momenta)
            + product(&maps.start_forces, &terms.forces);
        let values = momenta - *p - reactions(rows, alpha);
        let roundings = constant::<S>(ROUNDINGS);
        let sizes = |values: &SVector<S, N>, bounds: &SVector<S, N>| {
            bounds + values.map(|x| x.abs() * roundings)
        };
        let bounds = product(
            &absolute(&maps.start_momenta),
            &sizes(&terms.momenta, &terms.momenta_bounds),
        ) + product(
            &absolute(&maps.start_forces),
            &sizes(&terms.forces, &terms.forces_bounds),
        ) + p.map(|x| x.abs())
            + sizes_of_reactions(rows, alpha);
        let mut residuals = Residuals {
            values: (values.data.0[0], [S::zero(); C]),
            bounds: (bounds.data.0[0], [S::zero(); C]),
        };
        if C == 0 {
            return residuals;
        }
        let at_end = (
            system.constraint_residual(*end, &point.end, &point.v, u),
            system.constraint_bounds(*end, &point.end, &point.v, u).0,
        );
        let in_middle = (
            system.constraint_velocity(*middle, &point.middle, &point.v, u),
            system
                .constraint_bounds(*middle, &point.middle, &point.v, u)
                .1,
        );
        for k in 0..C {
            let (values, bounds) = if k < M::HOLONOMIC_CONSTRAINTS {
                &at_end
            } else {
                &in_middle
            };
            residuals.values.1[k] = values.data.0[0][k];
            residuals.bounds.1[k] = bounds.data.0[0][k];
        }
        residuals
    }

    fn factor(&self, (d, _): &Unknowns<S, N, C>) -> Option<SaddleLu<S, N, C>> {
        let point = self.point(d);
        let maps = &point.maps;
        let mut matrix = [[S::zero(); N]; N];
        for (i, row) in matrix.iter_mut().enumerate() {
            let gradient = self.gradient(&point, (&maps.start_momenta, &maps.start_forces), i);
            *row = self.by_step(maps, &gradient, row_of(&maps.start_by_step, i));
        }
        let [rows, _] = self.rows(&point);
        SaddleLu::factor(&matrix, &self.0.rows, &rows, &self.0.left_out)
    }

    /// The error of the equations of motion, if they are singular too.
    fn singular(&self) -> Error {
        let Problem {
            system,
            q,
            u,
            h,
            end,
            rows,
            ..
        } = self.0;
        let t = *end - *h;
        let mut mass = system.mass_matrix(t, q, &SVector::zeros(), u).data.0;
        let mut work = [[S::zero(); N]; C];
        match Kkt::factor(&mut mass, rows, &mut work) {
            Err(error) => error,
            Ok(_) if C == 0 => Error::SingularMassMatrix,
            Ok(_) => Error::NotConverged {
                residual: f64::INFINITY,
            },
        }
    }
}

/// |Jᵀ| |λ| for as many roundings as there are terms.
pub(super) fn sizes_of_reactions<S: RealField + Copy, const N: usize, const C: usize>(
    rows: &[[S; N]; C],
    multipliers: &[S; C],
) -> SVector<S, N> {
    let mut sizes = [S::zero(); N];
    for (row, multiplier) in rows.iter().zip(multipliers) {
        for i in 0..N {
            sizes[i] += (row[i] * *multiplier).abs();
        }
    }
    SVector::from(sizes).map(|size| size * constant(C as f64 + ROUNDINGS))
}

/// The row of a matrix.
pub(super) fn row_of<S: RealField + Copy, const R: usize, const N: usize>(
    matrix: &SMatrix<S, R, N>,
    row: usize,
) -> [S; N] {
    let mut entries = [S::zero(); N];
    for (entry, column) in entries.iter_mut().zip(&matrix.data.0) {
        if let Some(value) = column.get(row) {
            *entry = *value;
        }
    }
    entries
}

/// The row vector xᵀ A.
pub(super) fn combine<S: RealField + Copy, const R: usize, const N: usize>(
    x: &SVector<S, R>,
    a: &SMatrix<S, R, N>,
) -> [S; N] {
    let x = &x.data.0[0];
    let mut sums = [S::zero(); N];
    for (sum, column) in sums.iter_mut().zip(&a.data.0) {
        for i in 0..R {
            *sum += x[i] * column[i];
        }
    }
    sums
}

fn absolute<S: RealField + Copy, const R: usize, const N: usize>(
    matrix: &SMatrix<S, R, N>,
) -> SMatrix<S, R, N> {
    matrix.map(|x| x.abs())
}
