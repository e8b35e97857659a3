//! L D Lᵀ with complete pivoting, stored above the diagonal, for symmetric matrices of any sign.

use nalgebra::RealField;

use crate::math::{constant, neg_mul_add};

/// (1 + sqrt(17)) / 8, which minimises the growth (Bunch & Parlett).
const PIVOT_RATIO: f64 = 0.640_388_203_202_208;

/// The factors P A Pᵀ = L D Lᵀ of a symmetric A that fills the rows and columns from `FROM` on, with 1 x 1
/// and 2 x 2 blocks in D (J. R. Bunch and B. N. Parlett, "Direct methods for solving symmetric indefinite
/// systems of linear equations", *SIAM J. Numer. Anal.* 8, 1971).
///
/// The largest remaining entry decides on each pivot. This takes as many comparisons as multiplications, and shows the
/// rank like complete pivoting. Half the matrix is enough: D is stored separately, and Lᵀ replaces A strictly above the
/// diagonal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Free<S, const N: usize> {
    from: usize,
    diagonal: [S; N],
    /// The off-diagonal entry of a 2 x 2 block, at its first row.
    beside: [Option<S>; N],
    /// The row that step k exchanged with row k.
    swaps: [usize; N],
}

/// The largest remaining entries.
struct Largest<S> {
    on: (usize, S),
    off: (usize, usize, S),
}

impl<S: RealField + Copy, const N: usize> Free<S, N> {
    /// Factors; `None` if a pivot is not above `tolerance` times the largest entry or 1.
    pub(super) fn factor(
        rows: &mut [[S; N]; N],
        diagonal: &[S; N],
        from: usize,
        tolerance: S,
    ) -> Option<Self> {
        let mut this = Self {
            from,
            diagonal: *diagonal,
            beside: [None; N],
            swaps: [0; N],
        };
        for k in 0..N {
            this.swaps[k] = k;
        }
        let mut threshold = tolerance;
        let mut k = from;
        while k < N {
            let largest = this.largest(rows, k);
            let size = largest.on.1.max(largest.off.2);
            if k == from && size > S::one() {
                threshold = tolerance * size;
            }
            // In this form NaN fails too.
            if !matches!(
                size.partial_cmp(&threshold),
                Some(core::cmp::Ordering::Greater)
            ) {
                return None;
            }
            if largest.on.1 >= constant::<S>(PIVOT_RATIO) * largest.off.2 {
                this.swap(rows, k, largest.on.0);
                this.eliminate_one(rows, k);
                k += 1;
            } else {
                let (first, second, _) = largest.off;
                this.swap(rows, k, first);
                this.swap(rows, k + 1, second);
                this.eliminate_two(rows, k);
                k += 2;
            }
        }
        Some(this)
    }

    /// Replaces the entries of x from `FROM` on by the solution of `A y = x`.
    pub(super) fn solve(&self, rows: &[[S; N]; N], x: &mut [S; N]) {
        for k in self.from..N {
            super::complete_lu::exchange(x, k, self.swaps[k]);
        }
        for k in self.from..N {
            let value = x[k];
            for i in k + 1..N {
                x[i] = neg_mul_add(rows[k][i], value, x[i]);
            }
        }
        self.divide(x);
        for k in (self.from..N).rev() {
            let mut entry = x[k];
            for i in k + 1..N {
                entry = neg_mul_add(rows[k][i], x[i], entry);
            }
            x[k] = entry;
        }
        for k in (self.from..N).rev() {
            super::complete_lu::exchange(x, k, self.swaps[k]);
        }
    }

    /// Replaces x by D⁻¹ x.
    fn divide(&self, x: &mut [S; N]) {
        let mut second = None;
        for k in self.from..N {
            if let Some(value) = second.take() {
                x[k] = value;
                continue;
            }
            match (self.beside[k], self.diagonal.get(k + 1), x.get(k + 1)) {
                (Some(b), Some(&c), Some(&below)) => {
                    let (one, two) = solve_two(self.diagonal[k], b, c, (x[k], below));
                    x[k] = one;
                    second = Some(two);
                }
                _ => x[k] /= self.diagonal[k],
            }
        }
    }

    fn largest(&self, rows: &[[S; N]; N], k: usize) -> Largest<S> {
        let mut largest = Largest {
            on: (k, S::zero()),
            off: (k, k, S::zero()),
        };
        for i in k..N {
            let size = self.diagonal[i].abs();
            if size > largest.on.1 {
                largest.on = (i, size);
            }
            for j in i + 1..N {
                let size = rows[i][j].abs();
                if size > largest.off.2 {
                    largest.off = (i, j, size);
                }
            }
        }
        largest
    }

    /// Exchanges row and column k with a later row and column.
    fn swap(&mut self, rows: &mut [[S; N]; N], k: usize, other: usize) {
        if let Some(entry) = self.swaps.get_mut(k) {
            *entry = other;
        }
        swap_symmetric(rows, &mut self.diagonal, self.from, (k, other));
    }

    fn eliminate_one(&mut self, rows: &mut [[S; N]; N], k: usize) {
        let (Some(&row), Some(&pivot)) = (rows.get(k), self.diagonal.get(k)) else {
            return;
        };
        for i in k + 1..N {
            let factor = row[i] / pivot;
            self.diagonal[i] = neg_mul_add(factor, row[i], self.diagonal[i]);
            for j in i + 1..N {
                rows[i][j] = neg_mul_add(factor, row[j], rows[i][j]);
            }
            put(rows, k, i, factor);
        }
    }

    fn eliminate_two(&mut self, rows: &mut [[S; N]; N], k: usize) {
        let (Some(&first), Some(&second)) = (rows.get(k), rows.get(k + 1)) else {
            return;
        };
        let (Some(&a), Some(&c)) = (self.diagonal.get(k), self.diagonal.get(k + 1)) else {
            return;
        };
        let b = first.get(k + 1).copied().unwrap_or(S::zero());
        if let Some(entry) = self.beside.get_mut(k) {
            *entry = Some(b);
        }
        put(rows, k, k + 1, S::zero());
        for i in k + 2..N {
            let (one, two) = solve_two(a, b, c, (first[i], second[i]));
            let entry = neg_mul_add(one, first[i], self.diagonal[i]);
            self.diagonal[i] = neg_mul_add(two, second[i], entry);
            for j in i + 1..N {
                let entry = neg_mul_add(one, first[j], rows[i][j]);
                rows[i][j] = neg_mul_add(two, second[j], entry);
            }
            put(rows, k, i, one);
            put(rows, k + 1, i, two);
        }
    }
}

/// The solution of `[a b; b c] x = y`, where b is larger than a and c.
fn solve_two<S: RealField + Copy>(a: S, b: S, c: S, y: (S, S)) -> (S, S) {
    let (a, c) = (a / b, c / b);
    let determinant = a * c - S::one();
    let y = (y.0 / b, y.1 / b);
    (
        neg_mul_add(S::one(), y.1, c * y.0) / determinant,
        neg_mul_add(S::one(), y.0, a * y.1) / determinant,
    )
}

/// Sets an entry. The indices are always in range; the test tells the compiler so.
fn put<S, const N: usize>(rows: &mut [[S; N]; N], i: usize, j: usize, value: S) {
    if i < N && j < N {
        rows[i][j] = value;
    }
}

/// Exchanges two rows, and the same two columns, of a symmetric matrix, given by its diagonal and the entries above it.
/// Columns above row `from` stay.
pub(super) fn swap_symmetric<S: RealField + Copy, const N: usize>(
    rows: &mut [[S; N]; N],
    diagonal: &mut [S; N],
    from: usize,
    (a, b): (usize, usize),
) {
    if !(a < b && b < N) {
        return;
    }
    super::complete_lu::exchange(diagonal, a, b);
    for i in from..a {
        super::complete_lu::exchange(&mut rows[i], a, b);
    }
    // Up to b the row meets the column, after it the other row.
    for i in a + 1..b {
        (rows[a][i], rows[i][b]) = (rows[i][b], rows[a][i]);
    }
    for i in b + 1..N {
        (rows[a][i], rows[b][i]) = (rows[b][i], rows[a][i]);
    }
}
