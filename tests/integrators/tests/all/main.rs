//! Each integrator on each of the systems, and the faults that the document names.

use lagrangian_integrators::{
    BALL, BALL_END, BALL_START, CART_POLE, CART_POLE_END, CART_POLE_START, FOUR_BAR, FOUR_BAR_END,
    FOUR_BAR_START, PUSH, STEPS, TORQUE, assert_close, reference,
};

mod differential_equations;
mod diffsol;
mod ode_solvers;
mod run;
mod russell_ode;

/// The reference of the integrators does not depend on its step.
#[test]
fn references() {
    let coarse = reference(&CART_POLE, &CART_POLE_START, [PUSH].into(), STEPS / 2);
    assert_close(&coarse, &*CART_POLE_END, 1e-9);
    let coarse = reference(&FOUR_BAR, &FOUR_BAR_START, [TORQUE].into(), STEPS / 2);
    assert_close(&coarse, &*FOUR_BAR_END, 1e-9);
    let coarse = reference(&BALL, &BALL_START, [].into(), STEPS / 2);
    assert_close(&coarse, &*BALL_END, 1e-9);
}

/// x'' = -x, whose motion from [0, 1] is the sine.
fn circle(_: f64, y: &[f64; 2], dy: &mut [f64; 2]) -> Result<(), lagrangian::Error> {
    *dy = [y[1], -y[0]];
    Ok(())
}

/// The same, without an answer after the time 1/2.
fn half_a_circle(t: f64, y: &[f64; 2], dy: &mut [f64; 2]) -> Result<(), lagrangian::Error> {
    if t > 0.5 {
        return Err(lagrangian::Error::SingularMassMatrix);
    }
    circle(t, y, dy)
}
