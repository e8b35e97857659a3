//! The equations for the velocities and the reactions at the end: the momenta there, and the constraints on velocities.

use nalgebra::{RealField, SMatrix, SVector};

use super::{
    newton::{Equations, Residuals, Unknowns},
    problem::{Problem, reactions, rows_of},
    start::sizes_of_reactions,
};
use crate::{
    Error, System,
    linalg::{Kkt, SaddleLu},
};

/// The equations for v₁ and β.
pub(super) struct End<'a, S, M, const NQ: usize, const N: usize, const K: usize, const C: usize> {
    problem: &'a Problem<'a, S, M, NQ, N, K, C>,
    q: &'a SVector<S, NQ>,
    /// The momenta without the reactions β.
    momenta: &'a SVector<S, N>,
    pub(super) rows: [[S; N]; C],
}

impl<'a, S, M, const NQ: usize, const N: usize, const K: usize, const C: usize>
    End<'a, S, M, NQ, N, K, C>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    pub(super) fn new(
        problem: &'a Problem<'a, S, M, NQ, N, K, C>,
        q: &'a SVector<S, NQ>,
        momenta: &'a SVector<S, N>,
    ) -> Self {
        Self {
            problem,
            q,
            momenta,
            rows: rows_of(problem.system, problem.end, q, problem.u),
        }
    }

    fn mass(&self, v: &SVector<S, N>) -> SMatrix<S, N, N> {
        let Problem { system, u, end, .. } = self.problem;
        system.mass_matrix(*end, self.q, v, u)
    }
}

impl<S, M, const NQ: usize, const N: usize, const K: usize, const C: usize> Equations<S, N, C>
    for End<'_, S, M, NQ, N, K, C>
where
    S: RealField + Copy,
    M: System<S, NQ, N, K, C>,
{
    fn residuals(&self, (v, beta): &Unknowns<S, N, C>) -> Residuals<S, N, C> {
        let Problem { system, u, end, .. } = self.problem;
        let terms = self.problem.terms(*end, self.q, v);
        let values = terms.momenta - self.momenta - reactions(&self.rows, beta);
        let bounds = terms.momenta_bounds
            + (terms.momenta + self.momenta).map(|x| x.abs())
            + self.momenta.map(|x| x.abs())
            + sizes_of_reactions(&self.rows, beta);
        let rates = system.constraint_velocity(*end, self.q, v, u);
        let of_rates = system.constraint_bounds(*end, self.q, v, u).1;
        Residuals {
            values: (values.data.0[0], rates.data.0[0]),
            bounds: (bounds.data.0[0], of_rates.data.0[0]),
        }
    }

    fn factor(&self, (v, _): &Unknowns<S, N, C>) -> Option<SaddleLu<S, N, C>> {
        // Symmetric, so that its columns are its rows.
        let mass = self.mass(v).data.0;
        SaddleLu::factor(&mass, &self.rows, &self.rows, &self.problem.left_out)
    }

    fn singular(&self) -> Error {
        let mut mass = self.mass(&SVector::zeros()).data.0;
        let mut work = [[S::zero(); N]; C];
        match Kkt::factor(&mut mass, &self.rows, &mut work) {
            Err(error) => error,
            Ok(_) => Error::SingularMassMatrix,
        }
    }
}
