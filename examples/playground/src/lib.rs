//! Four systems for the playground of the gallery, as WebAssembly: generated code, the runtime's stepper, and a few
//! functions that the page calls.
//!
//! The page writes parameters and pulls into the shared memory, calls [`advance`], and reads the data for drawing.
//! Nothing allocates. `unsafe` occurs only in the attributes that keep the exported names.
#![cfg_attr(target_arch = "wasm32", no_std)]
#![deny(missing_docs, unsafe_code)]

mod cart_pole;
mod double_pendulum;
mod four_bar;
mod memory;
mod play;
mod rolling_ball;
#[cfg(test)]
mod tests;

use core::sync::atomic::AtomicU64;

use cart_pole::CartPole;
use double_pendulum::DoublePendulum;
use four_bar::FourBar;
use lagrangian::{Error, System};
use memory::MEMORY;
use play::Stop;
use rolling_ball::RollingBall;

/// Nothing panics, but the compiler requires a handler: the page would see a trap.
#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn halt(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// Calls a function of `play` for the system of that number.
macro_rules! of_system {
    ($number:expr, $function:ident($($argument:expr),*)) => {
        match $number {
            0 => play::$function::<CartPole, 2, 2, 5, 0>($($argument),*),
            1 => play::$function::<DoublePendulum, 2, 2, 4, 0>($($argument),*),
            2 => play::$function::<FourBar, 3, 3, 7, 2>($($argument),*),
            _ => play::$function::<RollingBall, 6, 5, 3, 2>($($argument),*),
        }
    };
}

/// 0 for success, or the number of a message of the page.
fn code(result: Result<(), Stop>) -> u32 {
    match result {
        Ok(()) => 0,
        Err(Stop::Equations(Error::SingularMassMatrix)) => 1,
        Err(Stop::Equations(Error::DependentConstraints { .. })) => 2,
        Err(Stop::Equations(Error::NotConverged { .. })) => 3,
        Err(Stop::Equations(_)) => 4,
        Err(Stop::Left) => 5,
    }
}

/// The address of the numbers that page and systems share, by section.
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn section(section: u32) -> *const AtomicU64 {
    MEMORY.section(section)
}

/// Puts a system with the parameters in memory at its start.
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn start(system: u32) -> u32 {
    code(of_system!(system, start()))
}

/// Moves the state in memory to one that changed parameters allow. If there is none, nothing changes.
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn adapt(system: u32) -> u32 {
    code(of_system!(system, adapt()))
}

/// Continues for `time` seconds. If the equations have no solution, nothing changes.
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn advance(system: u32, time: f64) -> u32 {
    code(of_system!(system, advance(time)))
}

/// A text about a system: names of its parameters (0) and coordinates (1) one by one, its equations as MathML (2). The
/// result has the length in its upper half and the address in its lower half; 0 if there is no text.
#[allow(unsafe_code, reason = "the page finds it by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn text(system: u32, kind: u32, index: u32) -> u64 {
    let text = match system {
        0 => words::<CartPole, 2, 2, 5, 0>(CartPole::EQUATIONS_MATHML, kind, index),
        1 => words::<DoublePendulum, 2, 2, 4, 0>(DoublePendulum::EQUATIONS_MATHML, kind, index),
        2 => words::<FourBar, 3, 3, 7, 2>(FourBar::EQUATIONS_MATHML, kind, index),
        _ => words::<RollingBall, 6, 5, 3, 2>(RollingBall::EQUATIONS_MATHML, kind, index),
    };
    text.map_or(0, |text| {
        (text.len() as u64) << 32 | text.as_ptr() as usize as u64
    })
}

fn words<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    equations: &'static str,
    kind: u32,
    index: u32,
) -> Option<&'static str>
where
    M: System<f64, NQ, N, K, C>,
{
    let index = index as usize;
    match kind {
        0 => M::PARAMETERS.get(index).copied(),
        1 => M::COORDINATES.get(index).copied(),
        _ => Some(equations),
    }
}
