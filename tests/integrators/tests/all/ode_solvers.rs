//! `ode_solvers`: explicit methods with step size control.

use std::panic;

use lagrangian::Error;
use lagrangian_integrators::{
    AT_THE_END, BALL, BALL_END, BALL_START, CART_POLE, CART_POLE_END, CART_POLE_START, END,
    FOUR_BAR, FOUR_BAR_END, FOUR_BAR_START, PUSH, TOLERANCE, TORQUE, assert_close, joined, parted,
};
use ode_solvers::dop_shared::IntegrationError;
use ode_solvers::{Dop853, Dopri5, OutputType, SVector, System};

use super::{circle, half_a_circle};

/// A right-hand side on arrays.
struct Equations<F>(F);

impl<F, const D: usize> System<f64, SVector<f64, D>> for Equations<F>
where
    F: Fn(f64, &[f64; D], &mut [f64; D]) -> Result<(), Error>,
{
    fn system(&self, t: f64, y: &SVector<f64, D>, dy: &mut SVector<f64, D>) {
        let ([y], [dy]) = (&y.data.0, &mut dy.data.0);
        if (self.0)(t, y, dy).is_err() {
            dy.fill(f64::NAN);
        }
    }
}

/// The state at a time after another.
fn moved<const D: usize>(
    rhs: impl Fn(f64, &[f64; D], &mut [f64; D]) -> Result<(), Error>,
    (from, to): (f64, f64),
    start: [f64; D],
) -> Result<[f64; D], IntegrationError> {
    let mut solver = Dopri5::new(
        Equations(rhs),
        from,
        to,
        0.0,
        start.into(),
        TOLERANCE,
        TOLERANCE,
    );
    solver.set_output(OutputType::Sparse);
    solver.integrate()?;
    Ok((*solver.y_out().last().expect("the start, if nothing else")).into())
}

#[test]
fn cart_pole() {
    let rhs = |t, y: &_, dy: &mut _| CART_POLE.rhs(t, y, &[PUSH], dy);
    let end = moved(rhs, (0.0, END), CART_POLE_START).unwrap();
    assert_close(&end, &*CART_POLE_END, AT_THE_END);
}

#[test]
fn four_bar() {
    let rhs = |t, y: &_, dy: &mut _| FOUR_BAR.rhs(t, y, &[TORQUE], dy);
    let end = moved(rhs, (0.0, END), *FOUR_BAR_START).unwrap();
    assert_close(&end, &*FOUR_BAR_END, AT_THE_END);
}

#[test]
fn rolling_ball() {
    let rhs = |t, y: &_, dy: &mut _| BALL.rhs(t, y, dy);
    let end = moved(rhs, (0.0, END), *BALL_START).unwrap();
    assert_close(&end, &*BALL_END, AT_THE_END);
}

/// In pieces, each of which begins on the constraints.
#[test]
fn projected_four_bar() {
    let pieces = 20;
    let piece = END / f64::from(pieces);
    let mut y = *FOUR_BAR_START;
    for i in 0..pieces {
        let t = piece * f64::from(i);
        let rhs = |t, y: &_, dy: &mut _| FOUR_BAR.rhs(t, y, &[TORQUE], dy);
        y = moved(rhs, (t, t + piece), y).unwrap();
        let (q, v) = parted(&y);
        let (q, v) = FOUR_BAR.project(&q, &v).unwrap();
        y = joined(&q, &v);
    }
    assert_close(&y, &*FOUR_BAR_END, AT_THE_END);
    let (q, v) = parted(&y);
    assert!(FOUR_BAR.constraint_residual(&q).amax() < 1e-14);
    assert!(FOUR_BAR.constraint_velocity(&q, &v).amax() < 1e-13);
}

/// The solver says when there is no acceleration.
#[test]
fn equations_that_fail() {
    let end = moved(half_a_circle, (0.0, 1.0), [0.0, 1.0]);
    let Err(IntegrationError::StepSizeUnderflow { x }) = end else {
        panic!("{end:?}");
    };
    assert!((x - 0.5).abs() < 1e-9);
}

/// Dense output, the default, for the sine: its error in the last point, and in those before.
fn dense_errors(from: f64, to: f64, spacing: f64) -> (f64, f64) {
    let start = [from.sin(), from.cos()].into();
    let mut solver = Dopri5::new(Equations(circle), from, to, spacing, start, 1e-8, 1e-8);
    solver.integrate().expect("a circle");
    let points = solver.x_out().iter().zip(solver.y_out());
    let errors: Vec<f64> = points.map(|(t, y)| (y[0] - t.sin()).abs()).collect();
    let (last, before) = errors.split_last().expect("points");
    (*last, before.iter().copied().fold(0.0, f64::max))
}

#[test]
fn dense_output_ends_wrong() {
    let (last, before) = dense_errors(0.0, 2.0, 0.1);
    assert!(last > 5e-8 && before < 1e-8, "{last:e} {before:e}");
    let (last, before) = dense_errors(0.0, 2.0, 1.0);
    assert!(last > 1e-3 && before < 1e-8, "{last:e} {before:e}");
}

/// It looks for the start at a time whose absolute value grows.
#[test]
fn dense_output_panics_before_zero() {
    assert!(panic::catch_unwind(|| dense_errors(-1.0, 1.0, 0.1)).is_err());
}

#[test]
fn dop853_has_a_wrong_node() {
    let cosine = |t: f64, _: &[f64; 1], dy: &mut [f64; 1]| {
        *dy = [(3.0 * t).cos()];
        Ok(())
    };
    let end = moved(cosine, (0.0, 1.0), [0.0]).unwrap();
    assert_close(&end, &[3.0_f64.sin() / 3.0], AT_THE_END);
    let mut solver = Dop853::new(Equations(cosine), 0.0, 1.0, 0.0, [0.0].into(), 1e-6, 1e-6);
    solver.set_output(OutputType::Sparse);
    solver.integrate().expect("an integral");
    let end = solver.y_out().last().expect("a last step")[0];
    assert!((end - 3.0_f64.sin() / 3.0).abs() > 1e-4, "{end}");
    let mut solver = Dop853::new(Equations(cosine), 0.0, 1.0, 0.0, [0.0].into(), 1e-8, 1e-8);
    let result = solver.integrate();
    assert!(matches!(
        result,
        Err(IntegrationError::StiffnessDetected { .. })
    ));
}
