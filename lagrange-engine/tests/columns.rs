//! Derivatives of the solution with constraints, beside the solution.

use crate::cases::cases;
use lagrange_engine::{
    Beyond, Equation, Graph, NodeId, Operand, Schedule, SolvedColumns, Symbol, schedule_sensitivity,
};
use proptest::prelude::*;

/// Numbers of velocities, constraints and inputs.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    n: usize,
    c: usize,
    k: usize,
}

impl Sizes {
    /// The sizes of the derivatives of the equations by q, v and u, and of the constraints by q and v.
    fn of_derivatives(self) -> [usize; 5] {
        let Sizes { n, c, k } = self;
        [n * n, n * n, n * k, c * n, c * n]
    }
}

/// The value of each entry of M, row by row below the diagonal, of J, and of the derivatives; `None` where it is zero by
/// structure.
#[derive(Clone, Debug)]
struct Plan {
    sizes: Sizes,
    mass: Vec<Option<f64>>,
    jacobian: Vec<Option<f64>>,
    derivatives: Vec<Option<f64>>,
}

impl Plan {
    fn entries(&self) -> impl Iterator<Item = &Option<f64>> {
        let parts = [&self.mass, &self.jacobian, &self.derivatives];
        parts.into_iter().flatten()
    }

    /// The code, in which each entry but 1 is a parameter.
    fn code(&self) -> Option<(Schedule, SolvedColumns)> {
        let Sizes { n, c, k } = self.sizes;
        let mut graph = Graph::new();
        let nodes: Vec<NodeId> = (0..)
            .zip(self.entries())
            .map(|(at, entry)| match entry {
                // A number, so that its constraint may give the velocity.
                Some(1.0) => graph.integer(1),
                Some(_) => graph.symbol(Symbol::Parameter(at)),
                None => graph.integer(0),
            })
            .collect();
        let forcing: Vec<NodeId> = (0..n as u32)
            .map(|i| graph.symbol(Symbol::Velocity(i)))
            .collect();
        let gamma: Vec<NodeId> = (0..c as u32)
            .map(|i| graph.symbol(Symbol::Coordinate(i)))
            .collect();
        let (mass, rest) = nodes.split_at(self.mass.len());
        let (jacobian, others) = rest.split_at(self.jacobian.len());
        let equation = Equation {
            mass_matrix: mass,
            forcing: &forcing,
            jacobian,
            gamma: &gamma,
            singular: false,
            others,
        };
        let code = schedule_sensitivity(&graph, equation, Beyond::Columns { inputs: k })?;
        Some((code.schedule, code.factorization?.columns?))
    }

    /// The values of the code for these entries.
    fn evaluate(&self, code: &mut Schedule, roots: &[&[Operand]]) -> Vec<f64> {
        let values: Vec<Option<f64>> = self.entries().copied().collect();
        code.roots = roots.concat();
        code.evaluate(&|symbol| match symbol {
            Symbol::Parameter(at) => values[at as usize].unwrap(),
            _ => 1.0,
        })
    }

    fn mass(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.max(j), i.min(j));
        self.mass[i * (i + 1) / 2 + j].unwrap_or(0.0)
    }

    fn jacobian(&self, k: usize, i: usize) -> f64 {
        self.jacobian[k * self.sizes.n + i].unwrap_or(0.0)
    }
}

fn entries(count: usize, share: f64) -> impl Strategy<Value = Vec<Option<f64>>> {
    let entry = prop::option::weighted(share, prop_oneof![-2.0..-0.3, 0.3..2.0]);
    prop::collection::vec(entry, count)
}

fn plans() -> impl Strategy<Value = Plan> {
    let sizes = (2_usize..=6, 1_usize..=5, 0_usize..=2);
    let sizes = sizes.prop_filter_map("too many constraints", |(n, c, k)| {
        (c < n).then_some(Sizes { n, c, k })
    });
    let plans = sizes.prop_flat_map(|sizes| {
        let Sizes { n, c, .. } = sizes;
        let derivatives = sizes.of_derivatives().iter().sum();
        (
            Just(sizes),
            entries(n * (n + 1) / 2, 0.4),
            entries(c * n, 0.5),
            entries(derivatives, 0.3),
        )
    });
    plans.prop_map(|(sizes, mut mass, mut jacobian, derivatives)| {
        // Positive definite, and rows that do not depend on each other.
        for i in 0..sizes.n {
            mass[i * (i + 1) / 2 + i] = Some(9.0 + i as f64);
        }
        for (k, row) in jacobian.chunks_mut(sizes.n).enumerate() {
            row[..k].fill(None);
            row[k] = Some(if k % 2 == 0 { 1.0 } else { 3.0 });
        }
        Plan {
            sizes,
            mass,
            jacobian,
            derivatives,
        }
    })
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn columns_solve_the_equations(plan in plans()) {
        let Sizes { n, c, k } = plan.sizes;
        let Some((mut code, solved)) = plan.code() else {
            return Ok(());
        };
        let mut evaluate = |roots: &[&[Operand]]| plan.evaluate(&mut code, roots);
        let found = [0, 1, 2].map(|of| {
            [&solved.accelerations[of], &solved.multipliers[of]]
                .map(|entries| evaluate(&[entries]))
        });
        let mut rest = &plan.derivatives[..];
        let wanted = plan.sizes.of_derivatives().map(|count| {
            let (own, others) = rest.split_at(count);
            rest = others;
            own.iter().map(|entry| entry.unwrap_or(0.0)).collect::<Vec<f64>>()
        });
        for (of, columns) in [n, n, k].into_iter().enumerate() {
            // The derivatives of M a - f - J^T lambda and of J a - gamma, but of f by the inputs.
            let sign = if of < 2 { -1.0 } else { 1.0 };
            for at in 0..columns {
                let entry = |values: &[f64], row: usize| values[row * columns + at];
                let [a, lambda] = &found[of];
                for i in 0..n {
                    let inertial: f64 = (0..n).map(|j| plan.mass(i, j) * entry(a, j)).sum();
                    let of_constraints: f64 =
                        (0..c).map(|row| plan.jacobian(row, i) * entry(lambda, row)).sum();
                    let left = inertial - of_constraints - sign * entry(&wanted[of], i);
                    prop_assert!(left.abs() < 1e-11, "force {i}, column {at} of {of}: {left}");
                }
                for row in 0..c {
                    let rate: f64 = (0..n).map(|j| plan.jacobian(row, j) * entry(a, j)).sum();
                    let given = wanted.get(3 + of).map_or(0.0, |rates| entry(rates, row));
                    let left = rate + given;
                    prop_assert!(left.abs() < 1e-11, "rate {row}, column {at} of {of}: {left}");
                }
            }
        }
        let judged = evaluate(&[&solved.residual, &solved.terms]);
        let (residual, terms) = judged.split_at(solved.residual.len());
        for (left, terms) in residual.iter().zip(terms) {
            // A row of one entry leaves only a rounding error.
            prop_assert!(left.abs() <= 1e-12 * (terms + 0.01), "{left} of {terms}");
        }
        prop_assert!(evaluate(&[&solved.sums]).iter().all(|sum| sum.is_finite()));
    }

    /// A value that is not finite appears in a sum, in a residual, or in the terms.
    #[test]
    fn overflow_shows(mut plan in plans(), at in any::<prop::sample::Index>()) {
        let given: Vec<usize> =
            (0..plan.derivatives.len()).filter(|&at| plan.derivatives[at].is_some()).collect();
        if given.is_empty() {
            return Ok(());
        }
        plan.derivatives[given[at.index(given.len())]] = Some(f64::INFINITY);
        let Some((mut code, solved)) = plan.code() else {
            return Ok(());
        };
        let mut evaluate = |roots: &[&[Operand]]| plan.evaluate(&mut code, roots);
        let results = [solved.accelerations, solved.multipliers].map(|parts| parts.concat());
        let results = evaluate(&[&results[0], &results[1]]);
        prop_assume!(results.iter().any(|entry| !entry.is_finite()));
        let judged = evaluate(&[&solved.residual, &solved.terms, &solved.sums]);
        prop_assert!(judged.iter().any(|entry| !entry.is_finite()));
    }
}

/// Structural zeros need no code: two unknowns of six have derivatives, by one coordinate.
#[test]
fn columns_of_zeros_cost_nothing() {
    let sizes = Sizes { n: 6, c: 1, k: 0 };
    let mut derivatives = vec![None; sizes.of_derivatives().iter().sum()];
    let plan = |derivatives: &[Option<f64>]| {
        let diagonal = (0..6).flat_map(|i| (0..=i).map(move |j| (i == j).then_some(2.0)));
        let plan = Plan {
            sizes,
            mass: diagonal.collect(),
            jacobian: [1.0, -1.0].map(Some).into_iter().chain([None; 4]).collect(),
            derivatives: derivatives.to_vec(),
        };
        plan.code().unwrap()
    };
    let (none, _) = plan(&derivatives);
    derivatives[0] = Some(1.0);
    let (one, solved) = plan(&derivatives);
    let more = one.operations().total() - none.operations().total();
    assert!(more <= 12, "{more}");
    let zeros = |entries: &[Operand]| {
        let zeros = entries
            .iter()
            .filter(|entry| **entry == Operand::Constant(0.0));
        zeros.count()
    };
    assert_eq!(zeros(&solved.accelerations[0]), 34);
    assert_eq!(zeros(&solved.multipliers[0]), 5);
}
