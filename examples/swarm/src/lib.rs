//! Double pendulums in large numbers, for a page of the gallery: their shader, and functions that step a smaller number
//! as WebAssembly.
//!
//! The page writes states into the memory, calls [`advance`], and reads them. Nothing allocates. `unsafe` occurs only in
//! the attributes that keep the exported names.
#![cfg_attr(target_arch = "wasm32", no_std)]
#![deny(missing_docs, unsafe_code)]

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lagrangian::nalgebra::Vector2;
use lagrangian::{lagrangian, rk4_step, vector};

lagrangian! {
    /// Two bobs on light rods, one hung below the other.
    #[derive(Clone, Debug)]
    pub struct DoublePendulum {
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

    export wgsl { rk4_step }
}

/// The largest number of pendulums.
const MOST: usize = 10_000;

/// Entry k of the state of pendulum i at `k * MOST + i`, as the bits of an `f64`: both angles, then their rates.
///
/// The page writes them between two calls, when nothing else runs. They are atomic so that no `unsafe` is needed to change
/// them; on WebAssembly without threads that is free.
static STATES: [AtomicU64; 4 * MOST] = [const { AtomicU64::new(0) }; 4 * MOST];

/// Nothing panics, but the compiler requires a handler: the page would see a trap.
#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn halt(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

fn load(i: usize) -> (Vector2<f64>, Vector2<f64>) {
    let entry = |k: usize| f64::from_bits(STATES.get(k * MOST + i).map_or(0, |x| x.load(Relaxed)));
    (vector![entry(0), entry(1)], vector![entry(2), entry(3)])
}

fn store(i: usize, q: Vector2<f64>, v: Vector2<f64>) {
    for (k, value) in q.iter().chain(&v).enumerate() {
        if let Some(entry) = STATES.get(k * MOST + i) {
            entry.store(value.to_bits(), Relaxed);
        }
    }
}

/// The address of the states.
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn states() -> *const AtomicU64 {
    STATES.as_ptr()
}

/// Makes steps of length `h` [s] with the first pendulums. One whose equations have no solution stays as it is.
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn advance(count: u32, h: f64, steps: u32) {
    let system = DoublePendulum::default();
    for i in 0..(count as usize).min(MOST) {
        let (mut q, mut v) = load(i);
        for _ in 0..steps {
            if let Ok(next) = rk4_step(&system, 0.0, &q, &v, &vector![], h) {
                (q, v) = next;
            }
        }
        store(i, q, v);
    }
}

/// The energy of a pendulum [J].
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn energy(i: u32) -> f64 {
    let (q, v) = load(i as usize);
    DoublePendulum::default().energy(&q, &v)
}

/// The shader (0), or the equations as MathML (1). The result has the length in its upper half and the address in its
/// lower half.
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn text(kind: u32) -> u64 {
    let text = if kind == 0 {
        DoublePendulum::WGSL
    } else {
        DoublePendulum::EQUATIONS_MATHML
    };
    (text.len() as u64) << 32 | text.as_ptr() as usize as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pendulums_keep_their_energy() {
        for i in 0..3 {
            store(i, vector![2.0, 2.0 + 0.1 * i as f64], vector![0.0, 0.0]);
        }
        let energies = || [0, 1, 2].map(|i| energy(i));
        let start = energies();
        advance(2, 1.0 / 480.0, 480);
        let now = energies();
        assert!(
            (0..3).all(|i| (start[i] - now[i]).abs() < 1e-6),
            "{start:?} {now:?}"
        );
        assert_ne!(load(1).0[1], 2.1);
        assert_eq!(load(2), (vector![2.0, 2.2], vector![0.0, 0.0]));
        // A pendulum without a number is none. All tests share the states, so this is no test of its own.
        advance(u32::MAX, 1e-3, 0);
        store(4 * MOST, vector![1.0, 1.0], vector![0.0, 0.0]);
        assert_eq!(load(4 * MOST), (vector![0.0, 0.0], vector![0.0, 0.0]));
    }
}
