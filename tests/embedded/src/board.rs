//! The microcontroller: entry, stack of a call, and text to the computer that emulates it.

use core::arch::asm;
use core::fmt::Write;
use core::hint::black_box;
use core::panic::PanicInfo;

use cortex_m_rt::entry;
use cortex_m_semihosting::{debug, hio};
use lagrangian::nalgebra::{RealField, SVector};
use lagrangian::vector;

use crate::report;
use crate::systems::{cart_pole, four_bar, nearly_closed, of};

#[entry]
fn main() -> ! {
    let mut status = debug::EXIT_FAILURE;
    if let Ok(mut out) = hio::hstdout()
        && report(&mut out).is_ok()
        && stacks::<f32>(&mut out, "f32").is_ok()
        && stacks::<f64>(&mut out, "f64").is_ok()
    {
        status = debug::EXIT_SUCCESS;
    }
    debug::exit(status);
    loop {}
}

#[panic_handler]
fn panicked(info: &PanicInfo<'_>) -> ! {
    if let Ok(mut out) = hio::hstdout() {
        let _ = writeln!(out, "{info}");
    }
    debug::exit(debug::EXIT_FAILURE);
    loop {}
}

/// The pattern below the end of the stack before a call.
const PATTERN: u32 = 0xa5a5_5a5a;

/// How far below the stack is looked at, in words.
const DEPTH: usize = 4096;

/// How many bytes below the caller's own the call wrote to.
#[inline(never)]
fn stack_of(call: fn()) -> usize {
    let top: *mut u32;
    // SAFETY: it reads the stack pointer alone.
    unsafe { asm!("mov {}, sp", out(reg) top) };
    // Below this function's own frame, and some words for the frame of `fill`.
    let low = top.wrapping_sub(DEPTH);
    // SAFETY: the board has 4 MiB of memory, whose upper end is the stack alone: the words below the pointer
    // belong to nobody. Interrupts, which would use them, are off.
    unsafe { fill(low, DEPTH - 32) };
    call();
    // SAFETY: as above.
    let untouched = unsafe { count(low, DEPTH - 32) };
    4 * (DEPTH - untouched)
}

/// # Safety
///
/// The words are memory that nobody else uses.
#[inline(never)]
unsafe fn fill(low: *mut u32, words: usize) {
    for i in 0..words {
        // SAFETY: within the words that the caller vouches for.
        unsafe { low.add(i).write_volatile(PATTERN) };
    }
}

/// How many of the words, from the lowest, still have the pattern.
///
/// # Safety
///
/// The words are memory that can be read.
#[inline(never)]
unsafe fn count(low: *const u32, words: usize) -> usize {
    // SAFETY: within the words that the caller vouches for.
    let is_whole = |i: &usize| unsafe { low.add(*i).read_volatile() } == PATTERN;
    (0..words).take_while(is_whole).count()
}

/// Functions that call one method each: rustc inlines the method's code into them.
macro_rules! calls {
    ($($name:ident, $method:literal: $system:expr, $call:ident($($argument:expr),*);)*) => {
        $(
            #[inline(never)]
            fn $name<S: RealField + Copy>() {
                let _ = black_box(black_box($system).$call($(&black_box($argument)),*));
            }
        )*

        /// The stack of the methods, arguments and results included.
        fn stacks<S: RealField + Copy>(out: &mut hio::HostStream, scalar: &str) -> core::fmt::Result {
            $(writeln!(out, "stack {scalar} {} {} {}", $method, stringify!($name), stack_of($name::<S>))?;)*
            Ok(())
        }
    };
}

calls! {
    call_cart_mass_matrix, "CartPole::mass_matrix": cart_pole::<S>(), mass_matrix(pair());
    call_cart_acceleration, "CartPole::acceleration": cart_pole::<S>(), acceleration(pair(), pair(), one());
    call_cart_unchecked, "CartPole::acceleration_unchecked":
        cart_pole::<S>(), acceleration_unchecked(pair(), pair(), one());
    call_cart_linearize, "CartPole::linearize": cart_pole::<S>(), linearize(pair(), pair(), one());
    call_bars_mass_matrix, "FourBar::mass_matrix": four_bar::<S>(), mass_matrix(nearly_closed());
    call_bars_solve, "FourBar::solve": four_bar::<S>(), solve(nearly_closed(), SVector::zeros(), one());
    call_bars_project, "FourBar::project": four_bar::<S>(), project(nearly_closed(), SVector::zeros());
    call_bars_linearize, "FourBar::linearize":
        four_bar::<S>(), linearize(nearly_closed(), SVector::zeros(), one());
}

fn pair<S: RealField + Copy>() -> SVector<S, 2> {
    vector![of(0.1), of(0.2)]
}

fn one<S: RealField + Copy>() -> SVector<S, 1> {
    vector![of(1.0)]
}
