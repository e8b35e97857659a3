//! The problem of contacts and joints with the equations of motion.

use nalgebra::{RealField, SMatrix, SVector};

use super::problem::{Joint, Law, Modes, Problem};
use super::rows::{Fixed, PerRow, Rows, Sizes};
use crate::Error;
use crate::contacts::factors::{Factors, rows as array_of};
use crate::linalg::{Bordered, Reacting, all_finite, are_finite, dot, mirror, reactions, vector};
use crate::math::constant;

/// The most refinements of forces, each of which brings some digits.
const MOST_REFINEMENTS: u8 = 4;

/// The equations `M x = f + Jᵀ λ + J_rᵀ F`, `J x = γ`, and the laws between the forces F and the rates `J_r x + c` of the
/// rows of contacts and joints. F and x are forces and accelerations, or impulses and changes of velocities.
pub(in crate::contacts) struct Setting<
    S: Clone,
    const N: usize,
    const C: usize,
    const P: usize,
    const M: usize,
> {
    pub(in crate::contacts) mass: SMatrix<S, N, N>,
    pub(in crate::contacts) jacobian: SMatrix<S, C, N>,
    /// B, if forces depend on multipliers of constraints.
    pub(in crate::contacts) multiplier_forces: Option<SMatrix<S, N, C>>,
    /// True if constraints may depend on each other.
    pub(in crate::contacts) are_redundant: bool,
    /// True if contacts and joints may depend on each other and on constraints.
    pub(in crate::contacts) serves_dependent: bool,
    pub(in crate::contacts) forcing: SVector<S, N>,
    pub(in crate::contacts) gamma: SVector<S, C>,
    /// `J_r`; the rows of absent contacts are not read.
    pub(in crate::contacts) rows: PerRow<SVector<S, N>, Fixed<P, M>>,
    /// c.
    pub(in crate::contacts) offsets: PerRow<S, Fixed<P, M>>,
    /// The bounds of the rounding errors of c.
    pub(in crate::contacts) noise: PerRow<S, Fixed<P, M>>,
    pub(in crate::contacts) contacts: [Law<S>; P],
    /// The largest forces of the joints; none for a joint that moves.
    pub(in crate::contacts) joints: [Option<S>; M],
}

/// The solution of a [`Setting`].
pub(in crate::contacts) struct LawSolution<
    S: Clone,
    const N: usize,
    const C: usize,
    const P: usize,
    const M: usize,
> {
    pub(in crate::contacts) x: SVector<S, N>,
    pub(in crate::contacts) multipliers: SVector<S, C>,
    /// F.
    pub(in crate::contacts) forces: PerRow<S, Fixed<P, M>>,
    /// The bounds of the rounding errors of F.
    pub(in crate::contacts) noise: PerRow<S, Fixed<P, M>>,
    pub(in crate::contacts) modes: Modes<S, Fixed<P, M>>,
    /// The largest rate of a row that is held.
    pub(in crate::contacts) residual: S,
    /// True if held rows depend on each other: the least forces are one of many ways to share a load.
    pub(in crate::contacts) is_shared: bool,
}

impl<S: RealField + Copy, const N: usize, const C: usize, const P: usize, const M: usize>
    LawSolution<S, N, C, P, M>
{
    /// True if friction holds a joint.
    pub(in crate::contacts) fn holds(
        &self,
        setting: &Setting<S, N, C, P, M>,
        joint: usize,
    ) -> bool {
        setting.joints.get(joint).is_some_and(Option::is_some)
            && self.modes.joints.get(joint) == Some(&Joint::Held)
    }
}

/// Solves the equations with the laws.
///
/// # Errors
///
/// The errors of [`Frictional::resolve`](crate::Frictional::resolve).
pub(in crate::contacts) fn solve_laws<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const P: usize,
    const M: usize,
>(
    setting: &Setting<S, N, C, P, M>,
) -> Result<LawSolution<S, N, C, P, M>, Error> {
    solve(setting, None)
}

/// The solution in which contacts and joints have these modes, whether the laws hold or not.
///
/// # Errors
///
/// The errors of the solution with the constraints alone.
pub(in crate::contacts) fn solve_modes<
    S: RealField + Copy,
    const N: usize,
    const C: usize,
    const P: usize,
    const M: usize,
>(
    setting: &Setting<S, N, C, P, M>,
    modes: &Modes<S, Fixed<P, M>>,
) -> Result<LawSolution<S, N, C, P, M>, Error> {
    solve(setting, Some(modes))
}

fn solve<S: RealField + Copy, const N: usize, const C: usize, const P: usize, const M: usize>(
    setting: &Setting<S, N, C, P, M>,
    modes: Option<&Modes<S, Fixed<P, M>>>,
) -> Result<LawSolution<S, N, C, P, M>, Error> {
    if !setting.has_finite_laws() {
        return Err(Error::NOT_FINITE);
    }
    let zero = S::zero();
    let mut mass = array_of(&setting.mass);
    let jacobian = array_of(&setting.jacobian);
    let mut work = [[zero; N]; C];
    let mut bordered = Bordered::zeros();
    let by_multipliers;
    let mut factors = match &setting.multiplier_forces {
        Some(forces) if !setting.are_redundant => {
            mirror(&mut mass);
            by_multipliers = reactions(&jacobian, forces);
            let factors = Reacting::factor(&mass, &by_multipliers, &jacobian, &mut bordered)?;
            Factors::Reacting(factors)
        }
        _ => Factors::new(setting.are_redundant, &mut mass, &jacobian, &mut work)?,
    };
    let (forcing, gamma) = (&setting.forcing.data.0[0], &setting.gamma.data.0[0]);
    let (free, _) = factors.motion(forcing, gamma)?;
    let problem = setting.problem(&mut factors, &free)?;
    let candidate = match modes {
        Some(modes) => Ok(problem.solve(modes, &[false; P])),
        None => problem.search(setting.serves_dependent),
    };
    let candidate = candidate.map_err(|error| match error {
        Error::DependentConstraints { row } => Error::DependentConstraints {
            row: row_of_error::<C, P>(row),
        },
        other => other,
    })?;
    let held_rows = problem.held(&candidate.modes);
    let mut scaled = candidate.forces;
    let mut last = largest(&scaled) * constant(0.25);
    let mut refinements = 0_u8;
    let (forces, mut x, multipliers, corrections) = loop {
        let mut forces = scaled;
        for (force, scale) in forces.iter_mut().zip(problem.scales.iter()) {
            *force *= *scale;
        }
        if modes.is_none() {
            for k in 0..P {
                // A force that pulls is a rounding error.
                forces.contacts[k][0] = forces.contacts[k][0].max(zero);
            }
        }
        let total = setting.forcing + setting.along(&forces);
        let (x, multipliers) = factors.motion(&total.data.0[0], gamma)?;
        let mut rates = setting.rates(&held_rows, &x);
        for (rate, scale) in rates.iter_mut().zip(problem.scales.iter()) {
            *rate *= *scale;
        }
        let mut corrections = problem.corrections(&candidate.modes, &held_rows, &rates).x;
        let change = largest(&corrections);
        let rounding = largest(&scaled) * S::default_epsilon() * constant(16.0);
        if refinements == MOST_REFINEMENTS || !(change > rounding && change < last) {
            for (correction, scale) in corrections.iter_mut().zip(problem.scales.iter()) {
                *correction *= *scale;
            }
            break (forces, x, multipliers, corrections);
        }
        // Forces of rows that nearly depend on each other have errors larger than rounding.
        for (force, correction) in scaled.iter_mut().zip(corrections.iter()) {
            *force += *correction;
        }
        last = change * constant(0.5);
        refinements = refinements.wrapping_add(1);
    };
    // Large forces that cancel leave rounding errors in the rates.
    let change = factors.solve(&setting.along(&corrections).data.0[0], &[zero; C])?;
    for (value, change) in x.iter_mut().zip(change) {
        *value += change;
    }
    let rates = setting.rates(&held_rows, &x);
    let residual = rates.iter().fold(zero, |most, rate| most.max(rate.abs()));
    let mut noise = candidate.bounds;
    for (noise, scale) in noise.iter_mut().zip(problem.scales.iter()) {
        *noise *= *scale;
    }
    let all_forces = [
        forces.contacts.as_flattened(),
        forces.joints.as_flattened(),
        &x,
        &multipliers,
    ];
    if !are_finite(&all_forces) {
        return Err(Error::NOT_FINITE);
    }
    Ok(LawSolution {
        x: vector(x),
        multipliers: vector(multipliers),
        forces,
        noise,
        modes: candidate.modes,
        residual,
        is_shared: candidate.dependent.is_some(),
    })
}

/// The number, or 0 for a negative one. NaN stays NaN.
pub(in crate::contacts) fn positive_part<S: RealField + Copy>(number: S) -> S {
    if number < S::zero() {
        S::zero()
    } else {
        number
    }
}

/// The largest absolute value.
fn largest<S: RealField + Copy, L: Sizes>(values: &PerRow<S, L>) -> S {
    values
        .iter()
        .map(|value| value.abs())
        .fold(S::zero(), |most, size| most.max(size))
}

/// The row in the error: the constraints first, then the contacts, each with its sliding velocities, then the joints.
fn row_of_error<const C: usize, const P: usize>(row: usize) -> usize {
    let joints = P.wrapping_mul(3);
    let row = match row.checked_sub(joints) {
        Some(joint) => P.wrapping_add(joint),
        None => row.checked_div(3).unwrap_or(0),
    };
    C.wrapping_add(row)
}

impl<S: RealField + Copy, const N: usize, const C: usize, const P: usize, const M: usize>
    Setting<S, N, C, P, M>
{
    /// The rows that have a law.
    fn present(&self) -> PerRow<bool, Fixed<P, M>> {
        let mut present = Rows::filled(Fixed, false);
        for k in 0..P {
            present.contacts[k] = match &self.contacts[k] {
                Law::Absent => [false; 3],
                Law::Rests { slips, .. } => [true, *slips > 0, *slips > 1],
                Law::Slides {
                    friction,
                    direction,
                } => {
                    let drags = direction.map(|part| !(part * *friction).is_zero());
                    [true, drags[0], drags[1]]
                }
            };
        }
        for j in 0..M {
            present.joints[j] = [self.joints[j].is_some()];
        }
        present
    }

    /// Returns whether all numbers of the laws and of the right-hand sides are finite: a comparison with NaN would choose a mode,
    /// and what is not finite is told before rows that depend on each other.
    fn has_finite_laws(&self) -> bool {
        let frictions = self.contacts.each_ref().map(Law::friction);
        let limits = self.joints.map(|limit| limit.unwrap_or_else(S::zero));
        let offsets = [
            self.offsets.contacts.as_flattened(),
            self.offsets.joints.as_flattened(),
        ];
        let right_sides = [self.forcing.as_slice(), self.gamma.as_slice()];
        are_finite(&[&frictions, &limits]) && are_finite(&offsets) && are_finite(&right_sides)
    }

    /// The sum of these forces along the rows.
    fn along(&self, forces: &PerRow<S, Fixed<P, M>>) -> SVector<S, N> {
        let mut total = SVector::<S, N>::zeros();
        for (row, force) in self.rows.iter().zip(forces.iter()) {
            if !force.is_zero() {
                total += row * *force;
            }
        }
        total
    }

    /// The rates of the held rows; 0 in others.
    fn rates(&self, held_rows: &PerRow<bool, Fixed<P, M>>, x: &[S; N]) -> PerRow<S, Fixed<P, M>> {
        let mut rates = Rows::filled(Fixed, S::zero());
        let rows = self
            .rows
            .iter()
            .zip(self.offsets.iter())
            .zip(held_rows.iter());
        for (rate, ((row, offset), is_held)) in rates.iter_mut().zip(rows) {
            if *is_held {
                *rate = dot(&row.data.0[0], x) + *offset;
            }
        }
        rates
    }

    /// The scaled problem, with the constraints held.
    fn problem(
        &self,
        factors: &mut Factors<'_, S, N, C>,
        free: &[S; N],
    ) -> Result<Problem<S, Fixed<P, M>>, Error> {
        let zero = S::zero();
        let present = self.present();
        let mut problem = Problem {
            matrix: Rows::filled(Fixed, Rows::filled(Fixed, zero)),
            free: Rows::filled(Fixed, zero),
            noise: Rows::filled(Fixed, zero),
            scales: Rows::filled(Fixed, zero),
            contacts: self.contacts,
            joints: self.joints,
        };
        for s in 0..problem.free.count() {
            let (Some(row), Some(true)) = (self.rows.get(s), present.get(s)) else {
                continue;
            };
            let response = factors.solve(&row.data.0[0], &[zero; C])?;
            let targets = self.rows.iter().zip(present.iter());
            for ((target, is_present), entries) in targets.zip(problem.matrix.iter_mut()) {
                if *is_present {
                    entries.set(s, dot(&target.data.0[0], &response));
                }
            }
            let (mut rate, mut size) = (zero, zero);
            for (entry, value) in row.iter().zip(free) {
                rate += *entry * *value;
                size += (*entry * *value).abs();
            }
            let offset = self.offsets.get(s).copied().unwrap_or(zero);
            let noise = self.noise.get(s).copied().unwrap_or(zero);
            let rounding = S::default_epsilon() * constant(32.0);
            problem.free.set(s, rate + offset);
            problem
                .noise
                .set(s, noise + (size + offset.abs()) * rounding);
            let mobility = problem
                .matrix
                .get(s)
                .and_then(|row| row.get(s))
                .copied()
                .unwrap_or(zero);
            let rounding = S::default_epsilon() * constant(64.0) * constant(N as f64);
            let free_mobility = self.free_mobility(row);
            // A mobility that is rounding beside that without constraints is none.
            if mobility > free_mobility * rounding {
                problem.scales.set(s, S::one() / mobility.sqrt());
            } else if let Some(noise) = problem.noise.get_mut(s) {
                // What rounding leaves of forces that the constraints balance.
                let of_forces = self.free_mobility(&self.forcing);
                *noise += (free_mobility * of_forces).sqrt() * rounding;
            }
        }
        for k in 0..P {
            let [_, first, second] = &mut problem.scales.contacts[k];
            // The larger mobility has the smaller scale; a scale of 0 is one that nothing moves.
            let common = if first.is_zero() || (*second < *first && !second.is_zero()) {
                *second
            } else {
                *first
            };
            for (scale, is_present) in [first, second]
                .into_iter()
                .zip([1, 2].map(|i| present.contacts[k].get(i)))
            {
                if is_present == Some(&true) && !scale.is_zero() {
                    *scale = common;
                }
            }
        }
        for (entries, scale) in problem.matrix.iter_mut().zip(problem.scales.iter()) {
            for (entry, other) in entries.iter_mut().zip(problem.scales.iter()) {
                *entry *= *scale * *other;
            }
        }
        for k in 0..P {
            let [normal, first, second] = problem.scales.contacts[k];
            let along = first.max(second);
            let friction = match &mut problem.contacts[k] {
                Law::Absent => continue,
                Law::Rests { friction, .. } | Law::Slides { friction, .. } => friction,
            };
            // Friction along a velocity that nothing changes does not matter.
            *friction = if along > zero {
                *friction * normal / along
            } else {
                zero
            };
            let is_blocked = normal.is_zero();
            let [rate, ..] = problem.free.contacts[k];
            if is_blocked && rate < -problem.noise.contacts[k][0] {
                return Err(Error::NoContactSolution);
            }
        }
        for j in 0..M {
            let scale = problem.scales.joints[j][0];
            if let (true, Some(limit)) = (scale > zero, &mut problem.joints[j]) {
                *limit /= scale;
            }
        }
        let rates = problem.free.iter_mut().zip(problem.noise.iter_mut());
        for ((rate, noise), scale) in rates.zip(problem.scales.iter()) {
            *rate *= *scale;
            *noise *= *scale;
        }
        let is_finite = |values: &PerRow<S, Fixed<P, M>>| {
            all_finite(values.contacts.as_flattened()) && all_finite(values.joints.as_flattened())
        };
        if is_finite(&problem.free) && problem.matrix.iter().all(is_finite) {
            Ok(problem)
        } else {
            Err(Error::NOT_FINITE)
        }
    }

    /// The square of the length of a row in the metric of the diagonal of M⁻¹: about its mobility without constraints.
    fn free_mobility(&self, row: &SVector<S, N>) -> S {
        let mut free = S::zero();
        for (i, entry) in row.iter().enumerate() {
            let inertia = self.mass.data.0.get(i).and_then(|column| column.get(i));
            let part = *entry * *entry / inertia.copied().unwrap_or_else(S::zero).abs();
            if all_finite(&[part]) {
                free += part;
            }
        }
        free
    }
}
