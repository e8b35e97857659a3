//! Rows of J that depend on each other: unique a and Jᵀ λ, λ of least norm, and contradictions.

use lagrange_runtime::Error;
use lagrange_runtime::linalg::redundant_in_place;
use nalgebra::{SMatrix, SVector};

/// The splitmix64 generator.
struct Random(u64);

impl Random {
    /// A number between -1 and 1.
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn matrix<const R: usize, const C: usize>(&mut self) -> SMatrix<f64, R, C> {
        SMatrix::from_fn(|_, _| self.number())
    }
}

const N: usize = 5;
const C: usize = 7;

/// M, J, f and gamma of a system whose J has this rank, and whose rows agree.
struct Example {
    mass: SMatrix<f64, N, N>,
    jacobian: SMatrix<f64, C, N>,
    forcing: SVector<f64, N>,
    gamma: SVector<f64, C>,
}

impl Example {
    fn new(random: &mut Random, rank: usize) -> Self {
        let root = random.matrix::<N, N>() + SMatrix::identity() * 2.0;
        let mut factors = random.matrix::<C, N>();
        for column in rank..N {
            factors.set_column(column, &SVector::zeros());
        }
        Self {
            mass: root * root.transpose(),
            jacobian: factors * (random.matrix::<N, N>() + SMatrix::identity() * 2.0),
            forcing: random.matrix(),
            gamma: factors * random.matrix::<N, 1>(),
        }
    }

    fn solve(&self) -> Result<([f64; N], [f64; C], usize), Error> {
        let (mut mass, rows) = (self.mass.data.0, self.jacobian.transpose().data.0);
        let right = (&self.forcing.data.0[0], &self.gamma.data.0[0]);
        redundant_in_place(&mut mass, &rows, right.0, right.1)
    }
}

/// An orthonormal basis of the columns of J, by the largest remaining column and twice by Gram and Schmidt.
fn basis(jacobian: &SMatrix<f64, C, N>, rank: usize) -> Vec<SVector<f64, C>> {
    let mut rest = *jacobian;
    let mut basis = Vec::new();
    for _ in 0..rank {
        let longest =
            (0..N).max_by(|i, j| rest.column(*i).norm().total_cmp(&rest.column(*j).norm()));
        let mut unit = rest.column(longest.unwrap()).normalize();
        for other in &basis {
            unit -= other * unit.dot(other);
        }
        unit = unit.normalize();
        for mut column in rest.column_iter_mut() {
            let along = column.dot(&unit);
            column -= unit * along;
        }
        basis.push(unit);
    }
    basis
}

#[test]
fn dependent_rows_have_the_solution_of_least_multipliers() {
    let mut random = Random(1);
    for round in 0..2_000 {
        let rank = round % 6;
        let example = Example::new(&mut random, rank);
        let (a, lambda, found) = example.solve().unwrap();
        assert_eq!(found, rank, "{round}");
        let (a, lambda) = (SVector::from(a), SVector::from(lambda));
        let force = example.jacobian.transpose() * lambda;
        let left = example.mass * a - example.forcing - force;
        let size = 1.0 + a.norm() + lambda.norm();
        assert!(left.norm() < 1e-12 * size, "{round}: {left}");
        let left = example.jacobian * a - example.gamma;
        assert!(left.norm() < 1e-12 * size, "{round}: {left}");
        // The least multipliers are a combination of the columns of J.
        let mut left = lambda;
        for unit in basis(&example.jacobian, rank) {
            left -= unit * unit.dot(&left);
        }
        assert!(left.norm() < 1e-10 * size, "{round}: {left}");
    }
}

#[test]
fn units_change_neither_the_rank_nor_the_accelerations() {
    let mut random = Random(2);
    for round in 0..2_000 {
        let example = Example::new(&mut random, 1 + round % 4);
        let (a, _, rank) = example.solve().unwrap();
        let mut scaled = example;
        let units: [f64; N] =
            core::array::from_fn(|_| 2.0_f64.powi((40.0 * random.number()) as i32));
        let rows: [f64; C] =
            core::array::from_fn(|_| 2.0_f64.powi((12.0 * random.number()) as i32));
        for i in 0..N {
            for j in 0..N {
                scaled.mass[(i, j)] *= units[i] * units[j];
            }
            scaled.forcing[i] *= units[i];
            for k in 0..C {
                scaled.jacobian[(k, i)] *= units[i] * rows[k];
            }
        }
        for k in 0..C {
            scaled.gamma[k] *= rows[k];
        }
        let (b, _, found) = scaled.solve().unwrap();
        assert_eq!(found, rank, "{round}");
        let size = a.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for i in 0..N {
            assert!((b[i] * units[i] - a[i]).abs() < 1e-9 * size, "{round}");
        }
    }
}

#[test]
fn contradictory_rows_are_an_error() {
    let mut random = Random(3);
    for round in 0..500 {
        let mut example = Example::new(&mut random, 3);
        let row = round % C;
        example.gamma[row] += 1e-3;
        let found = example.solve();
        assert!(
            matches!(found, Err(Error::DependentConstraints { .. })),
            "{round}: {found:?}"
        );
    }
}

#[test]
fn rows_of_zeros_have_no_multiplier() {
    let mut random = Random(4);
    let mut example = Example::new(&mut random, 2);
    for (row, size) in [(1, 0.0), (4, 1e-17)] {
        example
            .jacobian
            .set_row(row, &(random.matrix::<1, N>() * size));
        example.gamma[row] = random.number() * size;
    }
    let (_, lambda, rank) = example.solve().unwrap();
    assert_eq!(rank, 2);
    assert!(lambda[1] == 0.0 && lambda[4].abs() < 1e-15, "{lambda:?}");
}

#[test]
fn states_slightly_off_the_constraints_keep_their_rank() {
    let mut random = Random(5);
    for round in 0..500 {
        let mut example = Example::new(&mut random, 3);
        let (a, _, _) = example.solve().unwrap();
        example.jacobian += random.matrix() * 1e-10;
        example.gamma += random.matrix() * 1e-10;
        let (b, _, rank) = example.solve().unwrap();
        assert_eq!(rank, 3, "{round}");
        assert!(
            (SVector::from(a) - SVector::from(b)).norm() < 1e-5,
            "{round}"
        );
    }
}

#[test]
fn the_mass_matrix_may_be_singular_where_constraints_hold() {
    // The second coordinate has no inertia, and two rows tie it to the first one.
    let (mut mass, rows) = ([[2.0, 0.0], [0.0, 0.0]], [[1.0, -1.0], [-2.0, 2.0]]);
    let (a, lambda, rank) = redundant_in_place(&mut mass, &rows, &[3.0, 1.0], &[0.0; 2]).unwrap();
    assert_eq!(rank, 1);
    assert!((a[0] - 2.0_f64).abs() < 1e-15 && (a[1] - 2.0).abs() < 1e-15);
    // J^T lambda = (1, -1), by (1, -2) / 5.
    assert!((lambda[0] - 0.2).abs() < 1e-15 && (lambda[1] + 0.4).abs() < 1e-15);
    let mut free = [[2.0, 0.0], [0.0, 0.0]];
    let unbound = redundant_in_place(&mut free, &[[1.0, 0.0]], &[0.0; 2], &[0.0]);
    assert_eq!(unbound.err(), Some(Error::SingularMassMatrix));
}
