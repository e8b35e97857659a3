//! A step of the pair of Dormand and Prince on displacements, and its dense output.

use nalgebra::{RealField, SVector};

use super::drive::Drive;
use super::state::{Rates, State};
use crate::{
    Error,
    exponential::{Map, three},
    math::constant,
};

/// The start of a step.
pub(super) struct Start<S, const NQ: usize, const N: usize, const Z: usize> {
    pub(super) t: S,
    pub(super) state: State<S, NQ, N, Z>,
    /// The acceleration there, and the rates of z.
    pub(super) rates: Rates<S, N, Z>,
}

/// A step, as polynomials of the part s of it that has passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dense<S, const NQ: usize, const N: usize, const Z: usize> {
    t: S,
    pub(super) h: S,
    /// The time at the end: t + h, or the end of the run.
    pub(super) end_time: S,
    q: SVector<S, NQ>,
    displacement: Polynomial<S, N>,
    velocity: Polynomial<S, N>,
    states: Polynomial<S, Z>,
    /// The state at the end.
    pub(super) end: State<S, NQ, N, Z>,
    /// The displacement from the start to the end.
    pub(super) moved: SVector<S, N>,
    /// The acceleration at the end, and the rates of z.
    pub(super) rates: Rates<S, N, Z>,
    /// The estimated errors of the displacement, of the velocities and of z.
    pub(super) errors: (SVector<S, N>, SVector<S, N>, SVector<S, Z>),
}

/// The nodes, in parts of the step.
const NODES: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];

/// The weights of the rates before each stage. Those of the last are the weights of the result.
const STAGES: [[f64; 6]; 7] = [
    [0.0; 6],
    [0.2, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
        0.0,
        0.0,
    ],
    [
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
        0.0,
    ],
    [
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];

/// The result less that of order 4.
const ERROR: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339_200.0,
    22.0 / 525.0,
    -0.025,
];

/// The last coefficient of the dense output (`contd5` of Hairer, Nørsett and Wanner's DOPRI5).
const DENSE: [f64; 7] = [
    -12_715_105_075.0 / 11_282_082_432.0,
    0.0,
    87_487_479_700.0 / 32_700_410_799.0,
    -10_690_763_975.0 / 1_880_347_072.0,
    701_980_252_875.0 / 199_316_789_632.0,
    -1_453_857_185.0 / 822_651_844.0,
    69_997_945.0 / 29_380_423.0,
];

impl<S: RealField + Copy, const NQ: usize, const N: usize, const Z: usize> Start<S, NQ, N, Z> {
    /// The step of length h.
    ///
    /// # Errors
    ///
    /// The errors of the rates at its stages.
    pub(super) fn step<D, const K: usize>(
        &self,
        drive: &D,
        rates_at: impl Fn(S, &State<S, NQ, N, Z>) -> Result<Rates<S, N, Z>, Error>,
        h: S,
    ) -> Result<Dense<S, NQ, N, Z>, Error>
    where
        D: Drive<S, NQ, N, Z, K>,
    {
        let (q0, v0, z0) = &self.state;
        let mut rates = [SVector::zeros(); 7];
        let mut accelerations = [SVector::zeros(); 7];
        let mut of_states = [SVector::zeros(); 7];
        rates[0] = *v0;
        (accelerations[0], of_states[0]) = self.rates;
        let (mut moved, mut end) = (SVector::zeros(), self.state);
        for stage in 1..7 {
            moved = sum(&rates, &STAGES[stage]) * h;
            let v = v0 + sum(&accelerations, &STAGES[stage]) * h;
            let z = z0 + sum(&of_states, &STAGES[stage]) * h;
            end = (drive.integrate(q0, &moved), v, z);
            rates[stage] = rate_of_displacement(&moved, &v, &D::ANGULAR);
            let t = self.t + h * constant(NODES[stage]);
            (accelerations[stage], of_states[stage]) = rates_at(t, &end)?;
        }
        Ok(Dense {
            t: self.t,
            h,
            end_time: self.t + h,
            q: *q0,
            displacement: Polynomial::new(SVector::zeros(), moved, &rates, h),
            velocity: Polynomial::new(*v0, end.1, &accelerations, h),
            states: Polynomial::new(*z0, end.2, &of_states, h),
            end,
            moved,
            rates: (accelerations[6], of_states[6]),
            errors: (
                sum(&rates, &ERROR) * h,
                sum(&accelerations, &ERROR) * h,
                sum(&of_states, &ERROR) * h,
            ),
        })
    }
}

impl<S: RealField + Copy, const NQ: usize, const N: usize, const Z: usize> Dense<S, NQ, N, Z> {
    /// No step, at a state.
    pub(super) fn still(t: S, state: State<S, NQ, N, Z>) -> Self {
        let (q, v, z) = state;
        let (zero, none) = (SVector::zeros(), SVector::zeros());
        Self {
            t,
            h: S::zero(),
            end_time: t,
            q,
            displacement: Polynomial([zero; 5]),
            velocity: Polynomial([v, zero, zero, zero, zero]),
            states: Polynomial([z, none, none, none, none]),
            end: state,
            moved: zero,
            rates: (zero, none),
            errors: (zero, zero, none),
        }
    }

    /// The state at a time, or at the nearest end of the step.
    pub(super) fn at<D, const K: usize>(&self, drive: &D, t: S) -> State<S, NQ, N, Z>
    where
        D: Drive<S, NQ, N, Z, K>,
    {
        let part = (t - self.t) / self.h;
        if t == self.end_time || part >= S::one() {
            return self.end;
        }
        self.at_part(drive, part.max(S::zero())).1
    }

    /// The time and the state at a part of the step.
    pub(super) fn at_part<D, const K: usize>(&self, drive: &D, part: S) -> (S, State<S, NQ, N, Z>)
    where
        D: Drive<S, NQ, N, Z, K>,
    {
        let t = self.t + self.h * part;
        if part >= S::one() {
            return (t, self.end);
        }
        let q = drive.integrate(&self.q, &self.displacement.at(part));
        (t, (q, self.velocity.at(part), self.states.at(part)))
    }
}

/// A vector at a part s of a step: `c₀ + s (c₁ + (1 - s) (c₂ + s (c₃ + (1 - s) c₄)))`.
#[derive(Clone, Copy, Debug)]
struct Polynomial<S, const N: usize>([SVector<S, N>; 5]);

impl<S: RealField + Copy, const N: usize> Polynomial<S, N> {
    fn new(start: SVector<S, N>, end: SVector<S, N>, rates: &[SVector<S, N>; 7], h: S) -> Self {
        let change = end - start;
        let bend = rates[0] * h - change;
        let other = change - rates[6] * h - bend;
        Self([start, change, bend, other, sum(rates, &DENSE) * h])
    }

    fn at(&self, part: S) -> SVector<S, N> {
        let [c0, c1, c2, c3, c4] = self.0;
        let left = S::one() - part;
        c0 + (c1 + (c2 + (c3 + c4 * left) * part) * left) * part
    }
}

/// The sum of vectors with weights.
fn sum<S: RealField + Copy, const N: usize>(
    vectors: &[SVector<S, N>; 7],
    weights: &[f64],
) -> SVector<S, N> {
    let mut sum = SVector::zeros();
    for (vector, weight) in vectors.iter().zip(weights) {
        if *weight != 0.0 {
            sum += vector * constant::<S>(*weight);
        }
    }
    sum
}

/// The rate of the displacement d at the velocities v: v, but for rotations.
fn rate_of_displacement<S: RealField + Copy, const N: usize>(
    d: &SVector<S, N>,
    v: &SVector<S, N>,
    angular: &[bool; N],
) -> SVector<S, N> {
    let mut rate = *v;
    let mut first = 0;
    while let (Some(d), Some(w), Some(is_angular)) = (
        three(d.as_slice(), first),
        three(v.as_slice(), first),
        angular.get(first),
    ) {
        if !is_angular {
            first = first.wrapping_add(1);
            continue;
        }
        let places = rate.as_mut_slice().iter_mut().skip(first);
        for (place, value) in places.zip(Map::inverse(&d).apply(&w)) {
            *place = value;
        }
        first = first.wrapping_add(3);
    }
    rate
}
