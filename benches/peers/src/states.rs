//! States to evaluate at: the same for all candidates of a system, and in every run.

use lagrangian::System;
use lagrangian::nalgebra::SVector;

/// Enough states to be different, and few enough to stay in the cache.
pub const STATES: usize = 64;

/// Angles, rates and inputs lie between this and its opposite.
const BOUND: f64 = 1.2;

/// The distance of the other states that satisfy the constraints from a given one.
const NEAR: f64 = 0.1;

/// Numbers of a system.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub q: usize,
    pub v: usize,
    pub u: usize,
    pub rows: usize,
}

/// Eight numbers, so that arrays of them are aligned for every reader.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
struct Line([f64; 8]);

/// Arrays of numbers of one length.
#[derive(Clone)]
pub struct Arrays {
    lines: Vec<Line>,
    each: usize,
}

impl Arrays {
    pub fn new(count: usize, length: usize) -> Self {
        let each = length.div_ceil(8).max(1);
        Self {
            lines: vec![Line::default(); count * each],
            each,
        }
    }

    pub fn get(&self, i: usize) -> *const f64 {
        self.lines[i * self.each].0.as_ptr()
    }

    pub fn slice(&self, i: usize) -> &[f64] {
        let lines = &self.lines[i * self.each..(i + 1) * self.each];
        // Eight numbers each, without anything between.
        unsafe { std::slice::from_raw_parts(lines.as_ptr().cast(), lines.len() * 8) }
    }

    pub fn slice_mut(&mut self, i: usize) -> &mut [f64] {
        let lines = &mut self.lines[i * self.each..(i + 1) * self.each];
        // Eight numbers each, without anything between.
        unsafe { std::slice::from_raw_parts_mut(lines.as_mut_ptr().cast(), lines.len() * 8) }
    }
}

/// `STATES` states, or as many in groups of four, entry by entry.
pub struct States {
    pub sizes: Sizes,
    pub q: Arrays,
    pub v: Arrays,
    /// Inputs, or accelerations.
    pub u: Arrays,
}

impl States {
    /// States of a system, drawn at random.
    pub fn of<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        system: &M,
    ) -> Self
    where
        M: System<f64, NQ, N, K, C>,
    {
        let start = system.neutral();
        Self::drawn::<NQ, N, K>(C, |uniform| {
            let displacement = SVector::from_fn(|_, _| BOUND * uniform());
            let v = SVector::from_fn(|_, _| BOUND * uniform());
            Some((system.integrate(&start, &displacement), v))
        })
    }

    /// States that keep the constraints, not far from one that does.
    pub fn near<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        system: &M,
        start: &SVector<f64, NQ>,
    ) -> Self
    where
        M: System<f64, NQ, N, K, C>,
    {
        let u = SVector::zeros();
        Self::drawn::<NQ, N, K>(C, |uniform| {
            let displacement = SVector::from_fn(|_, _| NEAR * uniform());
            let v = SVector::from_fn(|_, _| BOUND * uniform());
            let q = system.integrate(start, &displacement);
            system.project(0.0, &q, &v, &u).ok()
        })
    }

    /// States from q and v, which are drawn until there are enough.
    fn drawn<const NQ: usize, const N: usize, const K: usize>(
        rows: usize,
        mut draw: impl FnMut(&mut dyn FnMut() -> f64) -> Option<(SVector<f64, NQ>, SVector<f64, N>)>,
    ) -> Self {
        let sizes = Sizes {
            q: NQ,
            v: N,
            u: K,
            rows,
        };
        let mut seed = 1_u64;
        let mut uniform = move || {
            // Knuth's MMIX generator.
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let width = N.max(K);
        let [mut q, mut v, mut u] = [NQ, N, width].map(|length| Arrays::new(STATES, length));
        for i in 0..STATES {
            let (place, rates) = (0..100)
                .find_map(|_| draw(&mut uniform))
                .expect("there are states that keep the constraints");
            q.slice_mut(i)[..NQ].copy_from_slice(place.as_slice());
            v.slice_mut(i)[..N].copy_from_slice(rates.as_slice());
            u.slice_mut(i)[..width].fill_with(|| BOUND * uniform());
        }
        Self { sizes, q, v, u }
    }

    /// The same states in groups of four.
    pub fn in_lanes(&self) -> Self {
        let [q, v, u] = [
            (&self.q, self.sizes.q),
            (&self.v, self.sizes.v),
            (&self.u, self.sizes.u),
        ]
        .map(|(arrays, length)| interleave(arrays, length));
        Self {
            sizes: self.sizes,
            q,
            v,
            u,
        }
    }
}

/// Lanes of one number.
pub const LANES: usize = 4;

fn interleave(arrays: &Arrays, length: usize) -> Arrays {
    let mut lanes = Arrays::new(STATES / LANES, length * LANES);
    for i in 0..STATES {
        for (entry, number) in arrays.slice(i)[..length].iter().enumerate() {
            lanes.slice_mut(i / LANES)[entry * LANES + i % LANES] = *number;
        }
    }
    lanes
}
