//! The trajectories: four double pendulums at a time, one in each lane.

use std::f64::consts::PI;

use lagrangian::nalgebra::{SVector, SimdBool, SimdPartialOrd, SimdValue};
use lagrangian::{lagrangian, rk4_step_unchecked, vector};
use simba::simd::WideF64x4;

use crate::chunks::Sweep;

lagrangian! {
    /// Two bobs on light rods, one hung below the other.
    #[derive(Clone, Debug)]
    pub(crate) struct DoublePendulum {
        /// Angles of the rods from hanging [rad].
        a, b: coordinate,
        /// Masses of the bobs [kg].
        m1, m2: parameter = 1,
        /// Lengths of the rods [m].
        l1, l2: parameter = 1,
        g: parameter = 9.81,
    }

    let elbow = l1 * [sin(a), -cos(a)];
    let bob = elbow + l2 * [sin(b), -cos(b)];

    T = m1 * der(elbow)^2 / 2 + m2 * der(bob)^2 / 2;
    V = m1 * g * elbow.y + m2 * g * bob.y;
    export cuda { rk4_step }
}

const LANES: usize = WideF64x4::LANES;

/// The trajectory in a lane.
#[derive(Clone, Copy)]
struct Running {
    column: u32,
    /// The count of all steps at which it ends.
    end: u64,
}

/// The state of all lanes.
struct State {
    q: SVector<WideF64x4, 2>,
    v: SVector<WideF64x4, 2>,
}

impl State {
    /// Puts a start at rest into a lane.
    fn start(&mut self, lane: usize, q: &SVector<f64, 2>) {
        for i in 0..2 {
            self.q[i].replace(lane, q[i]);
            self.v[i].replace(lane, 0.0);
        }
    }

    /// Makes at most `steps` steps of length h, up to the first after which b is beyond pi in a lane; their number.
    fn advance(&mut self, h: f64, steps: u64) -> u64 {
        let system = DoublePendulum::<WideF64x4>::new();
        let [zero, pi, h] = [0.0, PI, h].map(WideF64x4::splat);
        for step in 1..=steps {
            (self.q, self.v) = rk4_step_unchecked(&system, zero, &self.q, &self.v, &vector![], h);
            if (self.q[1].simd_gt(pi) | self.q[1].simd_lt(-pi)).any() {
                return step;
            }
        }
        steps
    }
}

impl Sweep {
    /// The angles from which the trajectory of this index starts, at rest. A random start would seed its generator with
    /// the index: then, too, it does not matter who computes it.
    pub(crate) fn start(&self, index: u64) -> SVector<f64, 2> {
        let size = u64::from(self.size);
        let middle = |cell: u64| PI * ((2 * cell + 1) as f64 / size as f64 - 1.0);
        vector![middle(index % size), middle(size - 1 - index / size)]
    }

    /// For each trajectory of a row the step after which b is first beyond pi, negative for -pi, or 0 if there is none.
    ///
    /// A lane whose trajectory ends takes the next column, so that all lanes are busy until the row ends.
    pub(crate) fn row(&self, row: u32) -> Vec<i32> {
        let first = u64::from(row) * u64::from(self.size);
        let mut flips = vec![0; self.size as usize];
        let mut columns = 0..self.size;
        let mut running: [Option<Running>; LANES] = [None; LANES];
        let zero = WideF64x4::splat(0.0);
        let (q, v) = (vector![zero, zero], vector![zero, zero]);
        let mut state = State { q, v };
        let mut step = 0;
        loop {
            for (lane, running) in running.iter_mut().enumerate() {
                if running.is_some() {
                    continue;
                }
                let next = columns.next();
                // A lane without a trajectory hangs at rest.
                let start = next.map(|column| self.start(first + u64::from(column)));
                state.start(lane, &start.unwrap_or_else(SVector::zeros));
                let end = step + u64::from(self.steps);
                *running = next.map(|column| Running { column, end });
            }
            let Some(end) = running.iter().flatten().map(|one| one.end).min() else {
                return flips;
            };
            step += state.advance(self.time_step, end - step);
            for (lane, running) in running.iter_mut().enumerate() {
                let Some(Running { column, end }) = *running else {
                    continue;
                };
                let b = state.q[1].extract(lane);
                if b.abs() > PI {
                    let taken = u64::from(self.steps) - (end - step);
                    flips[column as usize] = b.signum() as i32 * taken as i32;
                    *running = None;
                } else if step == end {
                    *running = None;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lagrangian::rk4_step;

    const SWEEP: Sweep = Sweep {
        size: 22,
        steps: 600,
        time_step: 0.005,
    };

    /// One trajectory at a time, by the step with checks.
    fn alone(index: u64) -> i32 {
        let system = DoublePendulum::<f64>::new();
        let (mut q, mut v) = (SWEEP.start(index), vector![0.0, 0.0]);
        for step in 1..=SWEEP.steps {
            (q, v) = rk4_step(&system, 0.0, &q, &v, &vector![], SWEEP.time_step).unwrap();
            if q[1].abs() > PI {
                return q[1].signum() as i32 * step as i32;
            }
        }
        0
    }

    /// The number of columns is not one of whole lanes.
    #[test]
    fn lanes_follow_the_trajectories_one_by_one() {
        let flips = (0..SWEEP.size)
            .map(|row| SWEEP.row(row))
            .collect::<Vec<_>>()
            .concat();
        assert_eq!(flips, (0..22 * 22).map(alone).collect::<Vec<_>>());
        assert!(flips.contains(&0) && flips.iter().any(|flip| *flip > 0));
        // The mirror image of a motion is a motion.
        assert!(flips.iter().zip(flips.iter().rev()).all(|(a, b)| *a == -b));
    }

    /// The lower arm is upright with the least energy if the upper one hangs and both are at rest.
    #[test]
    fn starts_with_too_little_energy_do_not_flip() {
        let system = DoublePendulum::<f64>::new();
        let least = system.potential_energy(&vector![0.0, PI]);
        let flips = (0..SWEEP.size).flat_map(|row| SWEEP.row(row));
        let flips: Vec<i32> = flips
            .enumerate()
            .map(|(index, flip)| (SWEEP.start(index as u64), flip))
            .filter(|(q, _)| system.potential_energy(q) < least)
            .map(|(_, flip)| flip)
            .collect();
        assert!(flips.len() > 50 && flips.iter().all(|flip| *flip == 0));
    }
}
