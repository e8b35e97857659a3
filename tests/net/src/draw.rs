//! Arguments: functions of the number of the state and the name of the argument, so that a new method changes no other's.

use std::array;
use std::cell::Cell;

use lagrangian::Motion;
use lagrangian::nalgebra::{SMatrix, SVector, Scalar};

/// The numbers of the states: 64, but two for a system of so many velocities that one takes seconds without optimisation.
pub fn states(velocities: usize) -> impl Iterator<Item = usize> {
    if velocities > 48 {
        (26..64).step_by(35)
    } else {
        (0..64).step_by(1)
    }
}

/// The states from here on have neither zeros only nor numbers that are not finite.
const SPECIAL: usize = 8;

/// Returns whether a rotation in q is normalised, by a displacement of zero.
pub fn is_normalised(state: usize) -> bool {
    state >= SPECIAL && !state.is_multiple_of(4)
}

/// Returns whether the system's own `project` is applied to q and v.
pub fn is_projected(state: usize) -> bool {
    state >= SPECIAL && state.is_multiple_of(2)
}

thread_local! {
    static NUDGE: Cell<f64> = const { Cell::new(0.0) };
}

/// From now on each number is larger by this share of it.
pub fn nudge_by(share: f64) {
    NUDGE.set(share);
}

/// The argument of a name.
pub fn draw<T: Draw>(state: usize, name: &str) -> T {
    let is_spoiled = match state {
        1 => name == "q",
        2 => name == "v",
        3 => !["q", "v"].contains(&name),
        _ => false,
    };
    let range = match state {
        0..4 => [0.0, 1.0],
        4 | 5 => [0.0, 0.0],
        6 => [-1e-160, 1e-160],
        7 => [-1e160, 1e160],
        8..24 => [-0.01, 0.01],
        24..56 => [0.5, 1.5],
        _ => [-3.0, 3.0],
    };
    T::draw(&mut Numbers::new(state, name, range, is_spoiled))
}

/// The parameter of a name: positive, and at one state not a number.
pub fn parameter<T: Draw>(state: usize, name: &str) -> T {
    let name = format!("parameter {name}");
    T::draw(&mut Numbers::new(state, &name, [0.5, 1.5], state == 5))
}

/// `[q; v]`, and behind them the entries of z, those of the argument of this name.
pub fn joined<S, T: Joined<S>>(state: usize, q: &[S], v: &[S]) -> T {
    T::joined(state, q, v)
}

/// Types of states.
pub trait Joined<S> {
    fn joined(state: usize, q: &[S], v: &[S]) -> Self;
}

impl<S: Scalar + Copy + Draw, const N: usize> Joined<S> for [S; N] {
    fn joined(state: usize, q: &[S], v: &[S]) -> Self {
        let z: [S; N] = draw(state, "z");
        let entries: Vec<S> = [q, v, &z].concat();
        array::from_fn(|i| entries[i])
    }
}

impl<S: Scalar + Copy + Draw, const N: usize> Joined<S> for SVector<S, N> {
    fn joined(state: usize, q: &[S], v: &[S]) -> Self {
        SVector::from(<[S; N]>::joined(state, q, v))
    }
}

/// A sequence of numbers.
pub struct Numbers {
    seed: u64,
    range: [f64; 2],
    /// True if the next number is NaN.
    is_spoiled: bool,
}

impl Numbers {
    fn new(state: usize, name: &str, range: [f64; 2], is_spoiled: bool) -> Self {
        let seed = crate::results::hash(&format!("{state} {name}"));
        Self {
            seed,
            range,
            is_spoiled,
        }
    }

    fn next(&mut self) -> f64 {
        if std::mem::take(&mut self.is_spoiled) {
            return f64::NAN;
        }
        // Knuth's MMIX generator. The lowest bits are left out: they repeat soon.
        self.seed = self
            .seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let unit = (self.seed >> 11) as f64 / (1_u64 << 53) as f64;
        let [low, high] = self.range;
        (low + (high - low) * unit) * (1.0 + NUDGE.get())
    }
}

/// Types of arguments.
pub trait Draw {
    fn draw(numbers: &mut Numbers) -> Self;
}

impl Draw for f64 {
    fn draw(numbers: &mut Numbers) -> Self {
        numbers.next()
    }
}

impl Draw for f32 {
    fn draw(numbers: &mut Numbers) -> Self {
        numbers.next() as f32
    }
}

/// Flags of contacts: true for half of the numbers.
impl Draw for bool {
    fn draw(numbers: &mut Numbers) -> Self {
        let [low, high] = numbers.range;
        numbers.next() >= (low + high) / 2.0
    }
}

impl<T: Draw, const N: usize> Draw for [T; N] {
    fn draw(numbers: &mut Numbers) -> Self {
        array::from_fn(|_| T::draw(numbers))
    }
}

impl<T: Draw + Scalar, const R: usize, const C: usize> Draw for SMatrix<T, R, C> {
    fn draw(numbers: &mut Numbers) -> Self {
        Self::from_fn(|_, _| T::draw(numbers))
    }
}

impl<T: Draw + Scalar, const N: usize, const C: usize> Draw for Motion<T, N, C> {
    fn draw(numbers: &mut Numbers) -> Self {
        Self {
            acceleration: Draw::draw(numbers),
            multipliers: Draw::draw(numbers),
        }
    }
}
