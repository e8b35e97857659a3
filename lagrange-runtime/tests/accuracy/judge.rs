//! How accurate a solution is, against numbers of 1,500 bits.

use std::ops::Range;

use super::big::{self, Big};

/// `M a = f + Jᵀ λ`, `J a = γ`. Only the lower triangle of M counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Equations<'a, const N: usize, const C: usize> {
    pub(crate) m: &'a [[f64; N]; N],
    pub(crate) j: &'a [[f64; N]; C],
    pub(crate) f: &'a [f64; N],
    pub(crate) gamma: &'a [f64; C],
}

impl<const N: usize, const C: usize> Equations<'_, N, C> {
    fn row(&self, row: usize) -> Vec<Big> {
        let entry = |column: usize| match (row < N, column < N) {
            (true, true) => self.m[row.max(column)][row.min(column)],
            (true, false) => -self.j[column - N][row],
            (false, true) => self.j[row - N][column],
            (false, false) => 0.0,
        };
        (0..N + C).map(|column| Big::from(entry(column))).collect()
    }
}

/// Smaller values are lost by underflow, which the promise excludes: some entries are exactly zero.
const UNDERFLOW: f64 = 1e-291;

/// The errors of a and of λ, each by the largest entry of its block, in units of eps times the block's Skeel
/// condition. `None` where the equations are singular.
pub(crate) fn errors<const N: usize, const C: usize>(
    equations: &Equations<'_, N, C>,
    (a, lambda): &([f64; N], [f64; C]),
) -> Option<[f64; 2]> {
    let k: Vec<Vec<Big>> = (0..N + C).map(|row| equations.row(row)).collect();
    let right = [&equations.f[..], equations.gamma].concat();
    errors_of(&k, &right, [a, lambda])
}

/// The same of a matrix of any size.
pub(crate) fn errors_of(
    k: &[Vec<Big>],
    right: &[f64],
    [a, lambda]: [&[f64]; 2],
) -> Option<[f64; 2]> {
    let (n, all) = (a.len(), k.len());
    let mut columns = vec![right.iter().copied().map(Big::from).collect()];
    columns.extend((0..all).map(|unit| column(unit, all)));
    let mut solutions = big::solve(k, &columns)?.into_iter();
    let exact = solutions.next()?;
    let inverse: Vec<Vec<Big>> = solutions.collect();
    let size = |row: &Vec<Big>| sum(row.iter().zip(&exact).map(|(entry, x)| entry.mul(x).abs()));
    let sizes: Vec<Big> = k.iter().map(size).collect();
    let kept = |x: &f64| Big::from(if x.abs() < UNDERFLOW { 0.0 } else { *x });
    let found: Vec<Big> = a.iter().chain(lambda).map(kept).collect();
    let possible = |i: usize| sum((0..all).map(|l| inverse[l][i].abs().mul(&sizes[l])));
    let block = |range: Range<usize>| {
        let error = largest(range.clone().map(|i| found[i].sub(&exact[i]).abs()));
        if error.ratio(&Big::from(UNDERFLOW)) <= 1.0 {
            return 0.0;
        }
        error.ratio(&largest(range.map(possible))) / f64::EPSILON
    };
    Some([block(0..n), block(n..all)])
}

fn column(unit: usize, length: usize) -> Vec<Big> {
    let entry = |i| Big::from(if i == unit { 1.0 } else { 0.0 });
    (0..length).map(entry).collect()
}

fn sum(terms: impl Iterator<Item = Big>) -> Big {
    terms.fold(Big::zero(), |sum, term| sum.add(&term))
}

fn largest(entries: impl Iterator<Item = Big>) -> Big {
    entries.fold(Big::zero(), Big::max)
}
