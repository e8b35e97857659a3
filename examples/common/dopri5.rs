//! The integrator of the examples: the method of Dormand and Prince of order 5, with step size control.

use std::error::Error;

use lagrangian::nalgebra::SVector;

/// The times of the stages, as parts of a step.
const TIMES: [f64; 7] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];

/// The weights of the stages before each stage. The last row gives the state at the end of the step.
const WEIGHTS: [&[f64]; 7] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
    ],
    &[
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
    ],
    &[
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];

/// The weights of the stages in the difference of the methods of order 5 and 4.
const ERROR: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// Moves the state `y` through the time `duration`. In each step the error is at most `tolerance`, relative to each
/// component or to one.
pub(crate) fn advance<const N: usize>(
    rate: impl Fn(f64, &SVector<f64, N>) -> Result<SVector<f64, N>, lagrangian::Error>,
    start: f64,
    duration: f64,
    mut y: SVector<f64, N>,
    tolerance: f64,
) -> Result<SVector<f64, N>, Box<dyn Error>> {
    let (mut left, mut step) = (duration, duration);
    while left > 0.0 {
        let t = start + duration - left;
        let mut stages = [SVector::zeros(); 7];
        let mut next = y;
        for (i, weights) in WEIGHTS.iter().enumerate() {
            let sum: SVector<f64, N> = stages.iter().zip(*weights).map(|(k, w)| k * *w).sum();
            next = y + sum * step;
            stages[i] = rate(t + TIMES[i] * step, &next)?;
        }
        let difference: SVector<f64, N> = stages.iter().zip(ERROR).map(|(k, w)| k * w).sum();
        let scale = y.zip_map(&next, |a, b| tolerance * a.abs().max(b.abs()).max(1.0));
        let error = (difference * step).component_div(&scale).norm();
        let mut factor: f64 = 0.2;
        if error <= 1.0 {
            left -= step;
            y = next;
            factor = 5.0;
        } else if step < f64::EPSILON * duration {
            return Err(format!("no step is small enough at the time {t}").into());
        }
        if error > 0.0 && error.is_finite() {
            factor = (0.9 * error.powf(-0.2)).clamp(0.2, 5.0);
        }
        step = (step * factor).min(left);
    }
    Ok(y)
}
