//! Terms, motions and steps with friction as the results of exported functions: arrays of numbers one after the other.

use std::fmt;

use lagrangian::nalgebra::{SMatrix, SVector};
use lagrangian::{ContactStep, FrictionTerms, Resolved};

/// The entries of each result, of a matrix row by row.
pub struct Flat(Vec<Vec<f64>>);

/// The arrays side by side: brackets around them would make them one matrix.
impl fmt::Debug for Flat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|array| write!(f, "{array:?} "))
    }
}

fn entries<const N: usize>(vector: &SVector<f64, N>) -> Vec<f64> {
    vector.as_slice().to_vec()
}

fn rows<const R: usize, const C: usize>(matrix: &SMatrix<f64, R, C>) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

pub fn flat_terms<const N: usize, const P: usize, const M: usize>(
    terms: FrictionTerms<f64, N, P, M>,
) -> Flat {
    let [gaps, rates] = [&terms.gap_bounds, &terms.gap_rate_bounds].map(entries);
    let [slips, bounds, gammas] = [&terms.slips, &terms.slip_bounds, &terms.slip_gammas]
        .map(|pair| pair.each_ref().map(entries));
    let jacobians = terms.slip_jacobians.each_ref().map(rows);
    let laws = [&terms.friction, &terms.restitution].map(entries);
    let results = [
        &[gaps, rates][..],
        &slips,
        &bounds,
        &jacobians,
        &gammas,
        &laws,
        &[entries(&terms.joint_limits)],
    ];
    Flat(results.concat())
}

pub fn flat_motion<const N: usize, const C: usize, const P: usize, const M: usize>(
    motion: Resolved<f64, N, C, P, M>,
) -> Flat {
    Flat(vec![
        entries(&motion.acceleration),
        entries(&motion.multipliers),
        entries(&motion.contact_forces),
        motion.friction_forces.as_flattened().to_vec(),
        motion.modes.map(|mode| f64::from(mode as u8)).to_vec(),
        motion.joint_forces.to_vec(),
        motion
            .held
            .map(|is_held| f64::from(u8::from(is_held)))
            .to_vec(),
    ])
}

pub fn flat_step<const NQ: usize, const N: usize, const P: usize>(
    step: ContactStep<f64, NQ, N, P>,
) -> Flat {
    Flat(vec![
        entries(&step.q),
        entries(&step.v),
        entries(&step.impulses),
        step.friction_impulses.as_flattened().to_vec(),
        vec![step.residual],
    ])
}
