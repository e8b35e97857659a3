//! Several right-hand sides side by side, solved at once.

use nalgebra::SimdRealField;

use crate::{Derivatives, Error, math::neg_mul_add};

/// The group size for few right-hand sides.
pub(super) const FEW: usize = 4;
/// The group size for more.
const SOME: usize = 8;
/// The group size for many: sums in several registers that do not wait for each other.
const MANY: usize = 16;

/// The size of the next group of right-hand sides. It may include zeros if they are cheaper than another pass.
fn columns_at_once(left: usize) -> usize {
    match left {
        0..=4 => FEW,
        5..=11 => SOME,
        _ => MANY,
    }
}

/// Right-hand sides by columns.
pub(super) type Columns<'a, S, const N: usize, const C: usize> =
    (&'a mut [[S; N]], &'a mut [[S; C]]);

/// The columns of derivatives by q, v, z and u.
pub(super) fn columns_of<'a, S, const N: usize, const C: usize, const K: usize, const Z: usize>(
    forces: &'a mut Derivatives<S, N, N, K, Z>,
    rates: &'a mut Derivatives<S, C, N, K, Z>,
) -> [Columns<'a, S, N, C>; 4] {
    [
        (&mut forces.q.data.0, &mut rates.q.data.0),
        (&mut forces.v.data.0, &mut rates.v.data.0),
        (&mut forces.z.data.0, &mut rates.z.data.0),
        (&mut forces.u.data.0, &mut rates.u.data.0),
    ]
}

/// Replaces right-hand sides by the solutions, one by one.
pub(super) fn solve_each<S, const N: usize, const C: usize>(
    (forces, rates): Columns<'_, S, N, C>,
    solve: impl Fn(&[S; N], &[S; C]) -> Result<([S; N], [S; C]), Error>,
) -> Result<(), Error> {
    for (force, rate) in forces.iter_mut().zip(rates) {
        (*force, *rate) = solve(force, rate)?;
    }
    Ok(())
}

/// Solutions of several right-hand sides side by side.
pub(super) trait SolveGroups<S, const R: usize, const C: usize> {
    type Error;

    /// The largest size of a group.
    const MOST: usize = MANY;

    /// Replaces at most `W` right-hand sides by the solutions.
    fn solve_group<const W: usize>(
        &mut self,
        forces: &mut [[S; R]],
        rates: &mut [[S; C]],
    ) -> Result<(), Self::Error>;

    /// Replaces right-hand sides by the solutions, group by group until one fails.
    fn solve_groups(
        &mut self,
        mut forces: &mut [[S; R]],
        mut rates: &mut [[S; C]],
    ) -> Result<(), Self::Error> {
        while !forces.is_empty() {
            let width = columns_at_once(forces.len()).min(Self::MOST);
            let (group, remaining) = forces.split_at_mut(width.min(forces.len()));
            let (rates_of_group, remaining_rates) = rates.split_at_mut(width.min(rates.len()));
            match width {
                MANY => self.solve_group::<MANY>(group, rates_of_group),
                SOME => self.solve_group::<SOME>(group, rates_of_group),
                _ => self.solve_group::<FEW>(group, rates_of_group),
            }?;
            (forces, rates) = (remaining, remaining_rates);
        }
        Ok(())
    }
}

/// Several right-hand sides or solutions side by side: rows of the first, second, .. entry of each.
pub(super) type Abreast<S, const R: usize, const W: usize> = [[S; W]; R];

/// The same, aligned so that no load of four numbers straddles two cache lines.
#[repr(align(32))]
#[derive(Clone, Copy)]
pub(super) struct Group<S, const R: usize, const W: usize>(pub(super) Abreast<S, R, W>);

impl<S: SimdRealField + Copy, const R: usize, const W: usize> Group<S, R, W> {
    pub(super) fn zeros() -> Self {
        Self([[S::zero(); W]; R])
    }

    /// The last `R` entries of at most `W` columns, filled up with zeros.
    #[inline(always)]
    fn of<const M: usize>(columns: &[[S; M]]) -> Self {
        let mut group = Self::zeros();
        for (index, column) in (0..W).zip(columns) {
            let entries = &column[M.saturating_sub(R)..];
            for (row, entry) in group.0.iter_mut().zip(entries) {
                if let Some(place) = row.get_mut(index) {
                    *place = *entry;
                }
            }
        }
        group
    }

    /// Writes the columns back to their places.
    #[inline(always)]
    fn write<const M: usize>(&self, columns: &mut [[S; M]]) {
        for (index, column) in (0..W).zip(columns) {
            let entries = &mut column[M.saturating_sub(R)..];
            for (row, entry) in self.0.iter().zip(entries) {
                if let Some(value) = row.get(index) {
                    *entry = *value;
                }
            }
        }
    }
}

/// Replaces the last `R` entries of at most `W` columns, and the rates of these columns, by those that `solve` makes of
/// them, if it returns true; returns whether it does.
#[inline(always)]
pub(super) fn solve_abreast<S, const R: usize, const C: usize, const M: usize, const W: usize>(
    columns: &mut [[S; M]],
    rates: &mut [[S; C]],
    solve: impl FnOnce(&mut Abreast<S, R, W>, &mut Abreast<S, C, W>) -> bool,
) -> bool
where
    S: SimdRealField + Copy,
{
    let (mut a, mut multipliers) = (Group::of(columns), Group::of(rates));
    let is_solved = solve(&mut a.0, &mut multipliers.0);
    if is_solved {
        a.write(columns);
        multipliers.write(rates);
    }
    is_solved
}

/// Subtracts `factor * x` from y, in vector registers.
#[inline(always)]
pub(super) fn subtract<S: SimdRealField + Copy, const W: usize>(
    factor: S,
    x: &[S; W],
    y: &mut [S; W],
) {
    for (entry, value) in y.iter_mut().zip(x) {
        *entry = neg_mul_add(factor, *value, *entry);
    }
}

/// Adds x to y.
#[inline]
pub(super) fn add_rows<S: SimdRealField + Copy, const W: usize>(y: &mut [[S; W]], x: &[[S; W]]) {
    for (row, values) in y.iter_mut().zip(x) {
        for (entry, value) in row.iter_mut().zip(values) {
            *entry += *value;
        }
    }
}
