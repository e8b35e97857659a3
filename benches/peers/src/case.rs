//! Candidates for one computation, and their times.

use std::hint::black_box;

use crate::call::Call;
use crate::clock::{median, now};
use crate::states::{Arrays, LANES, STATES, States};

/// The largest error of a candidate, relative to the largest entry of a result.
const TOLERANCE: f64 = 1e-9;

/// Seconds of calls of a candidate in one round.
const SLICE: f64 = 1.5e-3;

/// One way to compute something.
pub struct Candidate {
    /// The column of the table.
    pub label: &'static str,
    pub call: Call,
    /// Its parameters.
    pub parameters: *const f64,
    /// The number of its results.
    pub values: usize,
    /// True if it takes four states at a time.
    pub lanes: bool,
}

/// A computation: its states and its candidates.
pub struct Case {
    pub name: String,
    pub states: States,
    pub candidates: Vec<Candidate>,
    /// True if all candidates compute the same, and must agree.
    pub alike: bool,
}

/// Nanoseconds per state, by round.
pub struct Times {
    pub label: &'static str,
    /// Calls that do not wait for each other.
    pub throughput: Vec<f64>,
    /// Calls that each use the result of the one before.
    pub latency: Vec<f64>,
}

impl Case {
    /// The times of all candidates, in turn in `rounds` rounds, after a test of their agreement.
    pub fn measure(&self, rounds: usize) -> Vec<Times> {
        if self.alike {
            self.assert_agreement();
        }
        let lanes = self.states.in_lanes();
        let mut runs: Vec<Run<'_>> = self
            .candidates
            .iter()
            .map(|candidate| {
                Run::new(
                    candidate,
                    if candidate.lanes {
                        &lanes
                    } else {
                        &self.states
                    },
                )
            })
            .collect();
        for round in 0..rounds {
            // Each round starts with another one, so that the order varies.
            for i in 0..runs.len() {
                let place = (i + round) % self.candidates.len();
                runs[place].measure();
            }
        }
        runs.into_iter().map(|run| run.times).collect()
    }

    /// Panics if a candidate does not agree with the first one.
    fn assert_agreement(&self) {
        let Some((first, others)) = self.candidates.split_first() else {
            return;
        };
        let lanes = self.states.in_lanes();
        for other in others {
            let length = first.values.min(other.values);
            for i in 0..STATES {
                let expected = evaluate(first, &self.states, i, first.values);
                let values = if other.lanes {
                    let group = evaluate(other, &lanes, i / LANES, other.values * LANES);
                    group.into_iter().skip(i % LANES).step_by(LANES).collect()
                } else {
                    evaluate(other, &self.states, i, other.values)
                };
                let pairs = expected.iter().zip(&values).take(length);
                let largest = expected
                    .iter()
                    .take(length)
                    .fold(0.0_f64, |a, b| a.max(b.abs()));
                let worst = pairs.fold(0.0, |a, (x, y)| {
                    let off = (x - y).abs();
                    if off <= a { a } else { off }
                });
                assert!(
                    worst <= TOLERANCE * largest,
                    "{}: {} and {} differ by {worst:e} of {largest:e} at state {i}",
                    self.name,
                    first.label,
                    other.label,
                );
            }
        }
    }
}

/// The numbers that a candidate writes for state `i`.
fn evaluate(candidate: &Candidate, states: &States, i: usize, length: usize) -> Vec<f64> {
    let mut out = Arrays::new(1, length);
    let into = out.slice_mut(0).as_mut_ptr();
    let (q, v, u) = (states.q.get(i), states.v.get(i), states.u.get(i));
    unsafe { (candidate.call)(q, v, u, candidate.parameters, into) };
    out.slice(0)[..length].to_vec()
}

/// A candidate during the measurement.
struct Run<'a> {
    candidate: &'a Candidate,
    states: &'a States,
    out: Arrays,
    calls: usize,
    times: Times,
}

impl<'a> Run<'a> {
    fn new(candidate: &'a Candidate, states: &'a States) -> Self {
        let width = if candidate.lanes { LANES } else { 1 };
        let times = Times {
            label: candidate.label,
            throughput: Vec::new(),
            latency: Vec::new(),
        };
        let out = Arrays::new(1, candidate.values * width);
        let mut run = Self {
            candidate,
            states,
            out,
            calls: STATES,
            times,
        };
        loop {
            let time = run.independent();
            if time > SLICE {
                return run;
            }
            let factor = (1.2 * SLICE / time.max(1e-9)).clamp(1.2, 100.0);
            run.calls = (run.calls as f64 * factor) as usize / STATES * STATES + STATES;
        }
    }

    fn measure(&mut self) {
        let width = if self.candidate.lanes { LANES } else { 1 };
        let scale = 1e9 / (self.calls * width) as f64;
        let throughput = self.independent() * scale;
        self.times.throughput.push(throughput);
        if !self.candidate.lanes {
            let latency = self.dependent() * scale;
            self.times.latency.push(latency);
        }
    }

    /// Calls for one state after another, and the time that takes.
    fn independent(&mut self) -> f64 {
        let Candidate {
            call,
            parameters,
            lanes,
            ..
        } = *self.candidate;
        let call = black_box(call);
        let count = if lanes { STATES / LANES } else { STATES };
        let states = self.states;
        let out = self.out.slice_mut(0).as_mut_ptr();
        let start = now();
        for k in 0..self.calls {
            let i = k % count;
            unsafe {
                call(
                    states.q.get(i),
                    states.v.get(i),
                    states.u.get(i),
                    parameters,
                    out,
                )
            };
        }
        now() - start
    }

    /// The same with a trace of the last result in each state.
    fn dependent(&mut self) -> f64 {
        let Candidate {
            call,
            parameters,
            values,
            ..
        } = *self.candidate;
        let call = black_box(call);
        let states = self.states;
        let (length_q, length_v) = (states.sizes.q, states.sizes.v);
        let (mut q, mut v) = (Arrays::new(1, length_q), Arrays::new(1, length_v));
        let (q, v) = (q.slice_mut(0), v.slice_mut(0));
        let out = self.out.slice_mut(0);
        let start = now();
        for k in 0..self.calls {
            let i = k % STATES;
            // Too small to change anything, but the processor cannot know that.
            let trace = 1e-200 * (out[0] + out[values - 1]);
            for (to, from) in q.iter_mut().zip(&states.q.slice(i)[..length_q]) {
                *to = from + trace;
            }
            for (to, from) in v.iter_mut().zip(&states.v.slice(i)[..length_v]) {
                *to = from + trace;
            }
            let u = states.u.get(i);
            unsafe { call(q.as_ptr(), v.as_ptr(), u, parameters, out.as_mut_ptr()) };
        }
        now() - start
    }
}

/// The median time.
pub fn typical(times: &[f64]) -> f64 {
    median(times.to_vec())
}

/// The median of the ratios within a round.
pub fn ratio(times: &[f64], references: &[f64]) -> f64 {
    median(times.iter().zip(references).map(|(a, b)| a / b).collect())
}
