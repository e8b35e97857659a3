//! A step of the pair of Dormand and Prince on displacements, and its dense output.

use nalgebra::{RealField, SVector};

use crate::{
    Error, System,
    exponential::{Map, three},
    math::constant,
};

/// The start of a step.
pub(super) struct Start<S, const NQ: usize, const N: usize> {
    pub(super) t: S,
    pub(super) q: SVector<S, NQ>,
    pub(super) v: SVector<S, N>,
    /// The acceleration there.
    pub(super) a: SVector<S, N>,
}

/// A step, as polynomials of the part s of it that has passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dense<S, const NQ: usize, const N: usize> {
    t: S,
    pub(super) h: S,
    /// The time at the end: t + h, or the end of the run.
    pub(super) end_time: S,
    q: SVector<S, NQ>,
    displacement: Polynomial<S, N>,
    velocity: Polynomial<S, N>,
    /// The state at the end.
    pub(super) end: (SVector<S, NQ>, SVector<S, N>),
    /// The displacement from the start to the end.
    pub(super) moved: SVector<S, N>,
    /// The acceleration at the end.
    pub(super) a: SVector<S, N>,
    /// The estimated errors of the displacement and of the velocities.
    pub(super) errors: (SVector<S, N>, SVector<S, N>),
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

impl<S: RealField + Copy, const NQ: usize, const N: usize> Start<S, NQ, N> {
    /// The step of length h.
    ///
    /// # Errors
    ///
    /// Those of the accelerations at its stages.
    pub(super) fn step<M, const K: usize, const C: usize>(
        &self,
        system: &M,
        acceleration: impl Fn(S, &SVector<S, NQ>, &SVector<S, N>) -> Result<SVector<S, N>, Error>,
        h: S,
    ) -> Result<Dense<S, NQ, N>, Error>
    where
        M: System<S, NQ, N, K, C>,
    {
        let mut rates = [SVector::zeros(); 7];
        let mut accelerations = [SVector::zeros(); 7];
        rates[0] = self.v;
        accelerations[0] = self.a;
        let (mut moved, mut end) = (SVector::zeros(), (self.q, self.v));
        for stage in 1..7 {
            moved = sum(&rates, &STAGES[stage]) * h;
            let v = self.v + sum(&accelerations, &STAGES[stage]) * h;
            let q = system.integrate(&self.q, &moved);
            rates[stage] = rate_of_displacement(&moved, &v, &M::ANGULAR);
            accelerations[stage] = acceleration(self.t + h * constant(NODES[stage]), &q, &v)?;
            end = (q, v);
        }
        let last = accelerations[6];
        Ok(Dense {
            t: self.t,
            h,
            end_time: self.t + h,
            q: self.q,
            displacement: Polynomial::new(SVector::zeros(), moved, &rates, h),
            velocity: Polynomial::new(self.v, end.1, &accelerations, h),
            end,
            moved,
            a: last,
            errors: (sum(&rates, &ERROR) * h, sum(&accelerations, &ERROR) * h),
        })
    }
}

impl<S: RealField + Copy, const NQ: usize, const N: usize> Dense<S, NQ, N> {
    /// No step, at a state.
    pub(super) fn still(t: S, q: SVector<S, NQ>, v: SVector<S, N>) -> Self {
        let zero = SVector::zeros();
        Self {
            t,
            h: S::zero(),
            end_time: t,
            q,
            displacement: Polynomial([zero; 5]),
            velocity: Polynomial([v, zero, zero, zero, zero]),
            end: (q, v),
            moved: zero,
            a: zero,
            errors: (zero, zero),
        }
    }

    /// The state at a time, or at the nearest end of the step.
    pub(super) fn at<M, const K: usize, const C: usize>(
        &self,
        system: &M,
        t: S,
    ) -> (SVector<S, NQ>, SVector<S, N>)
    where
        M: System<S, NQ, N, K, C>,
    {
        let part = (t - self.t) / self.h;
        if t == self.end_time || part >= S::one() {
            return self.end;
        }
        self.at_part(system, part.max(S::zero())).1
    }

    /// The time and the state at a part of the step.
    pub(super) fn at_part<M, const K: usize, const C: usize>(
        &self,
        system: &M,
        part: S,
    ) -> (S, (SVector<S, NQ>, SVector<S, N>))
    where
        M: System<S, NQ, N, K, C>,
    {
        let t = self.t + self.h * part;
        if part >= S::one() {
            return (t, self.end);
        }
        let q = system.integrate(&self.q, &self.displacement.at(part));
        (t, (q, self.velocity.at(part)))
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
