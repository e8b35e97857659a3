//! Uses `lagrangian` as firmware would: without the standard library and without an allocator.
//!
//! That it builds is the check, on any target: were `std` among the dependencies, its panic handler
//! would collide with the one here.

#![no_std]
#![forbid(unsafe_code)]

use lagrangian::{
    Error, System, lagrangian,
    nalgebra::{RealField, SVector},
    rk4_step_with_states,
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
/// The errors of [`System::acceleration`].
pub fn step<S, M, const N: usize, const C: usize>(
    system: &M,
    t: S,
    (q, v): (SVector<S, N>, SVector<S, N>),
    dt: S,
) -> Result<(SVector<S, N>, SVector<S, N>), Error>
where
    S: RealField + Copy,
    M: System<S, N, N, 0, C>,
{
    let a = system.acceleration(t, &q, &v, &SVector::zeros())?;
    let v = v + a * dt;
    Ok((q + v * dt, v))
}

lagrangian! {
    /// A bead on a hoop that turns: constraints, time and elementary functions.
    pub struct Bead {
        t: time,
        x, y, z: coordinate,
        m, r, w: parameter = 1,
    }

    T = m * der([x, y, z])^2 / 2;
    V = 9.81 * m * z + exp(-x^2) / 100;
    D = hypot(x, y) * der(z)^2 / 10;
    holonomic hoop: [x^2 + y^2 + z^2, x * sin(w * t)] = [r^2, y * cos(w * t)];
}

/// One step of a generated system in single precision, and back onto its constraints.
///
/// # Errors
///
/// The errors of [`System::acceleration`] and [`System::project`].
pub fn advance(
    bead: &Bead<f32>,
    t: f32,
    state: (SVector<f32, 3>, SVector<f32, 3>),
) -> Result<(SVector<f32, 3>, SVector<f32, 3>), Error> {
    let dt = 0.001;
    let (q, v) = step(bead, t, state, dt)?;
    bead.project(t + dt, &q, &v)
}

lagrangian! {
    /// A motor with the current of its winding, whose torque falls with the speed by a table.
    pub struct Motor { q: coordinate, i: state, j, r, l: parameter = 1, u: input }
    T = j * der(q)^2 / 2;
    der(i) = (u - r * i - der(q)) / l;
    Q.q = i * pchip(der(q), 0..3, [1, 0.8, 0.7, 0.2]);
}

/// One step of a system with a state of first order in single precision.
///
/// # Errors
///
/// The errors of [`lagrangian::rk4_step_with_states`].
pub fn drive(
    motor: &Motor<f32>,
    [q, v, i]: [SVector<f32, 1>; 3],
    u: SVector<f32, 1>,
) -> Result<[SVector<f32, 1>; 3], Error> {
    let end = rk4_step_with_states(motor, 0.0, &q, &v, &i, &u, 0.001)?;
    Ok(end.into())
}
