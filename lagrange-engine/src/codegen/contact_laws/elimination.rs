//! Equations of the rows that are held.

/// Equations `a x = b` of the active rows, for the unknowns of the same numbers.
pub(super) struct Equations {
    pub(super) active: Vec<bool>,
    pub(super) a: Vec<Vec<f64>>,
    pub(super) b: Vec<f64>,
}

impl Equations {
    /// The solution, and the first row that depends on others. With such rows x has the least sum of squares of the
    /// unknowns times their weights. Of a row that depends on others at most about 1e-6 is orthogonal to them, and entries
    /// are products of two rows.
    pub(super) fn solve(mut self, weights: &[f64]) -> (Vec<f64>, Option<usize>) {
        let size = self.b.len();
        let row_of = self.eliminate(64.0 * size as f64 * f64::EPSILON);
        let mut x = self.read(&row_of);
        let dependent = (0..size).find(|k| self.active[*k] && !row_of.contains(&Some(*k)));
        if dependent.is_some() && row_of.iter().any(Option::is_some) {
            self.shorten(&mut x, &row_of, weights);
        }
        (x, dependent)
    }

    /// Gauss and Jordan's elimination with complete pivoting, where each pivot is larger than a share of the first one: the
    /// row of each unknown.
    fn eliminate(&mut self, share: f64) -> Vec<Option<usize>> {
        let size = self.b.len();
        let mut left = self.active.clone();
        let mut row_of = vec![None; size];
        let mut least = None;
        for _ in 0..size {
            let mut pivot: Option<(usize, usize, f64)> = None;
            for i in (0..size).filter(|i| left[*i]) {
                for j in (0..size).filter(|j| self.active[*j] && row_of[*j].is_none()) {
                    let entry = self.a[i][j].abs();
                    if pivot.is_none_or(|(_, _, most)| entry > most) {
                        pivot = Some((i, j, entry));
                    }
                }
            }
            let Some((row, column, most)) = pivot else {
                break;
            };
            // NaN is no pivot.
            let is_pivot = most > *least.get_or_insert(share * most);
            if !is_pivot {
                break;
            }
            let (source, right) = (self.a[row].clone(), self.b[row]);
            for i in (0..size).filter(|i| *i != row && self.active[*i]) {
                let factor = self.a[i][column] / source[column];
                if factor == 0.0 {
                    continue;
                }
                for (entry, source) in self.a[i].iter_mut().zip(&source) {
                    *entry -= factor * source;
                }
                self.a[i][column] = 0.0;
                self.b[i] -= factor * right;
            }
            left[row] = false;
            row_of[column] = Some(row);
        }
        row_of
    }

    /// The unknowns by the equations that elimination leaves: 0 for those without a row.
    fn read(&self, row_of: &[Option<usize>]) -> Vec<f64> {
        let unknowns = row_of.iter().enumerate();
        unknowns
            .map(|(k, row)| row.map_or(0.0, |row| self.b[row] / self.a[row][k]))
            .collect()
    }

    /// Makes the solution the one of least norm.
    fn shorten(&self, x: &mut [f64], row_of: &[Option<usize>], weights: &[f64]) {
        let size = x.len();
        // The change of all unknowns by one without a row, times the weights.
        let change = |free: usize| -> Vec<f64> {
            let of = |k: usize| match row_of[k] {
                _ if k == free => weights[k],
                None => 0.0,
                Some(row) => -self.a[row][free] / self.a[row][k] * weights[k],
            };
            (0..size).map(of).collect()
        };
        let is_free = |k: usize| self.active[k] && row_of[k].is_none();
        let active: Vec<bool> = (0..size).map(is_free).collect();
        let changes: Vec<Vec<f64>> = (0..size)
            .map(|k| {
                if active[k] {
                    change(k)
                } else {
                    vec![0.0; size]
                }
            })
            .collect();
        let weighted: Vec<f64> = x
            .iter()
            .zip(weights)
            .map(|(x, weight)| x * weight)
            .collect();
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut normal = Self {
            a: changes
                .iter()
                .map(|own| changes.iter().map(|other| product(own, other)).collect())
                .collect(),
            b: changes.iter().map(|own| -product(own, &weighted)).collect(),
            active,
        };
        let row_of = normal.eliminate(0.0);
        let amounts = normal.read(&row_of);
        for (change, amount) in changes.iter().zip(&amounts) {
            for ((x, change), weight) in x.iter_mut().zip(change).zip(weights) {
                if *weight != 0.0 {
                    *x += amount * change / weight;
                }
            }
        }
    }
}
