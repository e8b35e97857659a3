//! Uses `lagrangian` as firmware would: without the standard library and without an allocator.
//!
//! That it builds is the check, on any target: were `std` among the dependencies, its panic handler
//! would collide with the one here.

#![no_std]
#![forbid(unsafe_code)]

use lagrangian::{
    Error, System,
    nalgebra::{RealField, SVector},
};

#[panic_handler]
fn halt(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// One step of the semi-implicit Euler method, for any system without inputs.
///
/// # Errors
///
/// Those of [`System::acceleration`].
pub fn step<S, M, const N: usize, const C: usize>(
    system: &M,
    t: S,
    (q, v): (SVector<S, N>, SVector<S, N>),
    dt: S,
) -> Result<(SVector<S, N>, SVector<S, N>), Error>
where
    S: RealField + Copy,
    M: System<S, N, 0, C>,
{
    let a = system.acceleration(t, &q, &v, &SVector::zeros())?;
    let v = v + a * dt;
    Ok((q + v * dt, v))
}
