//! `differential-equations`: explicit and implicit methods, and events.

use std::cell::Cell;
use std::f64::consts::FRAC_PI_2;

use differential_equations::prelude::*;
use lagrangian::rk4_step;
use lagrangian_integrators::{
    AT_THE_END, BALL, BALL_END, BALL_START, CART_POLE, CART_POLE_END, CART_POLE_START, END,
    FOUR_BAR, FOUR_BAR_END, FOUR_BAR_START, PUSH, TOLERANCE, TORQUE, assert_close, joined, parted,
};

use super::{circle, half_a_circle};

/// A right-hand side on arrays.
struct Equations<F>(F);

impl<F, const D: usize> ODE<f64, [f64; D]> for Equations<F>
where
    F: Fn(f64, &[f64; D], &mut [f64; D]) -> Result<(), lagrangian::Error>,
{
    fn diff(&self, t: f64, y: &[f64; D], dy: &mut [f64; D]) {
        if (self.0)(t, y, dy).is_err() {
            dy.fill(f64::NAN);
        }
    }
}

fn end<const D: usize>(
    rhs: impl Fn(f64, &[f64; D], &mut [f64; D]) -> Result<(), lagrangian::Error>,
    start: &[f64; D],
) -> [f64; D] {
    let equations = Equations(rhs);
    let method = ExplicitRungeKutta::dop853().rtol(TOLERANCE).atol(TOLERANCE);
    let problem = IVP::ode(&equations, 0.0, END, *start).method(method);
    let solution = problem.solve().expect("a regular system");
    *solution.y.last().expect("a last step")
}

#[test]
fn cart_pole() {
    let end = end(
        |t, y, dy| CART_POLE.rhs(t, y, &[PUSH], dy),
        &CART_POLE_START,
    );
    assert_close(&end, &*CART_POLE_END, AT_THE_END);
}

#[test]
fn four_bar() {
    let end = end(
        |t, y, dy| FOUR_BAR.rhs(t, y, &[TORQUE], dy),
        &FOUR_BAR_START,
    );
    assert_close(&end, &*FOUR_BAR_END, AT_THE_END);
}

#[test]
fn rolling_ball() {
    let end = end(|t, y, dy| BALL.rhs(t, y, dy), &BALL_START);
    assert_close(&end, &*BALL_END, AT_THE_END);
}

/// The cart-pole with its exact Jacobian, or that of differences.
struct CartPoleEquations {
    exact: bool,
    calls: Cell<u32>,
}

fn cart_pole_equations(exact: bool) -> CartPoleEquations {
    CartPoleEquations {
        exact,
        calls: Cell::new(0),
    }
}

impl ODE<f64, [f64; 4]> for CartPoleEquations {
    fn diff(&self, t: f64, y: &[f64; 4], dy: &mut [f64; 4]) {
        self.calls.set(self.calls.get() + 1);
        if CART_POLE.rhs(t, y, &[PUSH], dy).is_err() {
            dy.fill(f64::NAN);
        }
    }

    fn jacobian(&self, t: f64, y: &[f64; 4], j: &mut Matrix<f64>) {
        if !self.exact {
            let diff = |t: f64, y: &[f64; 4], dy: &mut [f64; 4]| {
                self.diff(t, y, dy);
                Ok(())
            };
            return Equations(diff).jacobian(t, y, j);
        }
        let (q, v) = parted(y);
        let near = CART_POLE.linearize(&q, &v, &[PUSH].into());
        for row in 0..4 {
            for column in 0..4 {
                j[(row, column)] = near.map_or(f64::NAN, |near| near.a[(row, column)]);
            }
        }
    }
}

#[test]
fn implicit_cart_pole() {
    let equations = cart_pole_equations(true);
    let method = BackwardDifferentiationFormula::adaptive();
    let problem = IVP::ode(&equations, 0.0, END, CART_POLE_START);
    let problem = problem.method(method.rtol(TOLERANCE).atol(TOLERANCE));
    let solution = problem.solve().expect("a regular system");
    assert_close(solution.y.last().unwrap(), &*CART_POLE_END, AT_THE_END);
    assert!(solution.evals.jacobian > 0);
}

/// Derivatives by differences cost evaluations that exact ones save.
#[test]
fn exact_derivatives_save_evaluations() {
    let calls = [true, false].map(|exact| {
        let equations = cart_pole_equations(exact);
        let method = DiagonallyImplicitRungeKutta::kvaerno745();
        let problem = IVP::ode(&equations, 0.0, END, CART_POLE_START);
        let problem = problem.method(method.rtol(TOLERANCE).atol(TOLERANCE));
        let solution = problem.solve().expect("a regular system");
        assert_close(solution.y.last().unwrap(), &*CART_POLE_END, AT_THE_END);
        equations.calls.get()
    });
    assert!(3 * calls[0] < 2 * calls[1], "{calls:?}");
}

/// An implicit method is told that the equations are stiff.
#[test]
fn kvaerno745_finds_stiffness() {
    let equations = cart_pole_equations(true);
    let method = DiagonallyImplicitRungeKutta::kvaerno745();
    let problem = IVP::ode(&equations, 0.0, END, CART_POLE_START);
    let solution = problem.method(method.rtol(1e-6).atol(1e-6)).solve();
    assert!(matches!(solution, Err(Error::Stiffness { .. })));
}

/// Smaller tolerances do not make `radau5` as much better.
#[test]
fn radau5_misses_its_tolerance() {
    let equations = cart_pole_equations(true);
    let method = ImplicitRungeKutta::radau5();
    let problem = IVP::ode(&equations, 0.0, END, CART_POLE_START);
    let problem = problem.method(method.rtol(TOLERANCE).atol(TOLERANCE));
    let solution = problem.solve().expect("a regular system");
    let end = solution.y.last().unwrap();
    assert_close(end, &*CART_POLE_END, 1e-3);
    let errors = end.iter().zip(&*CART_POLE_END).map(|(x, y)| (x - y).abs());
    assert!(errors.fold(0.0, f64::max) > 1e4 * TOLERANCE);
}

/// The pole passes through level.
struct Level;

impl Event<f64, [f64; 4]> for Level {
    fn config(&self) -> EventConfig {
        EventConfig::default().terminal()
    }

    fn event(&self, _: f64, y: &[f64; 4]) -> f64 {
        y[1] - FRAC_PI_2
    }
}

/// An event stops the motion: after the step that passes it comes the event, which is not where it should be.
/// From that step, Newton's method on the time finds it.
#[test]
fn an_event_stops() {
    let equations = cart_pole_equations(true);
    let method = ExplicitRungeKutta::dop853().rtol(TOLERANCE).atol(TOLERANCE);
    let problem = IVP::ode(&equations, 0.0, END, CART_POLE_START).event(&Level);
    let solution = problem.method(method).solve().expect("a regular system");
    assert!(matches!(solution.status, Status::Interrupted));
    let ([.., passed, event], [.., y, at_event]) = (&solution.t[..], &solution.y[..]) else {
        panic!("{solution:?}");
    };
    assert!(
        event < passed && (at_event[1] - FRAC_PI_2).abs() > 1e-5,
        "{at_event:?}"
    );

    let (mut t, (mut q, mut v)) = (*passed, parted::<2, 2>(y));
    for _ in 0..4 {
        let h = (FRAC_PI_2 - q[1]) / v[1];
        (q, v) = rk4_step(&CART_POLE, t, &q, &v, &[PUSH].into(), h).unwrap();
        t += h;
    }
    assert!((q[1] - FRAC_PI_2).abs() < 1e-14);
    assert!((t - event).abs() < 1e-3);

    // The motion ends there at that time, if it is stopped by the time.
    let problem = IVP::ode(&equations, 0.0, t, CART_POLE_START);
    let problem = problem.method(ExplicitRungeKutta::dopri5().rtol(1e-12).atol(1e-12));
    let there = problem.solve().expect("a regular system");
    assert_close(
        there.y.last().unwrap(),
        &joined::<2, 2, 4>(&q, &v),
        AT_THE_END,
    );
}

/// Between the steps `dop853` is less accurate than at them.
#[test]
fn interpolation_is_coarse() {
    let errors = |method: &str| {
        let equations = Equations(circle);
        let problem = IVP::ode(&equations, 0.0, 2.0, [0.0, 1.0]).even(0.1);
        let solution = match method {
            "dop853" => problem
                .method(ExplicitRungeKutta::dop853().rtol(1e-9).atol(1e-9))
                .solve(),
            _ => problem
                .method(ExplicitRungeKutta::rkv655e().rtol(1e-9).atol(1e-9))
                .solve(),
        };
        let solution = solution.expect("a circle");
        let errors = solution.iter().map(|(t, y)| (y[0] - t.sin()).abs());
        errors.fold(0.0, f64::max)
    };
    assert!(errors("dop853") > 1e-6, "{:e}", errors("dop853"));
    assert!(errors("rkv655e") < 1e-8, "{:e}", errors("rkv655e"));
}

/// `dop853` says when there is no acceleration, late; `radau5` calls the motion complete.
#[test]
fn equations_that_fail() {
    let equations = Equations(half_a_circle);
    let problem = IVP::ode(&equations, 0.0, 1.0, [0.0, 1.0]);
    let explicit = problem.clone().method(ExplicitRungeKutta::dop853()).solve();
    assert!(matches!(explicit, Err(Error::MaxSteps { t, .. }) if t <= 0.5));
    let implicit = problem.method(ImplicitRungeKutta::radau5()).solve();
    let solution = implicit.expect("what should be an error");
    assert_eq!(solution.status, Status::Complete);
    assert!(solution.y.last().unwrap()[0].is_nan());
}

/// Moves every step onto the constraints.
struct Projected;

impl Solout<f64, [f64; 6]> for Projected {
    fn solout<I: Interpolation<f64, [f64; 6]> + ?Sized>(
        &mut self,
        t: f64,
        _: f64,
        y: &[f64; 6],
        _: &[f64; 6],
        _: &mut I,
        _: &mut Solution<f64, [f64; 6]>,
    ) -> ControlFlag<f64, [f64; 6]> {
        let (q, v) = parted(y);
        match FOUR_BAR.project(&q, &v) {
            Ok((q, v)) => ControlFlag::ModifyState(t, joined(&q, &v)),
            Err(_) => ControlFlag::Terminate,
        }
    }
}

/// A step that changes the state begins again with the first step's size, which is refused where it leads past
/// the end.
#[test]
fn changed_states_end_in_an_error() {
    let equations =
        Equations(|t: f64, y: &[f64; 6], dy: &mut [f64; 6]| FOUR_BAR.rhs(t, y, &[TORQUE], dy));
    let problem = IVP::ode(&equations, 0.0, END, *FOUR_BAR_START).solout(Projected);
    let method = ExplicitRungeKutta::dop853().rtol(TOLERANCE).atol(TOLERANCE);
    assert!(matches!(
        problem.method(method).solve(),
        Err(Error::BadInput { .. })
    ));
}

/// In pieces, each of which begins on the constraints.
#[test]
fn projected_four_bar() {
    let rhs = |t: f64, y: &[f64; 6], dy: &mut [f64; 6]| FOUR_BAR.rhs(t, y, &[TORQUE], dy);
    let equations = Equations(rhs);
    let pieces = 20;
    let piece = END / f64::from(pieces);
    let mut y = *FOUR_BAR_START;
    for i in 0..pieces {
        let t = piece * f64::from(i);
        let method = ExplicitRungeKutta::dop853().rtol(TOLERANCE).atol(TOLERANCE);
        let problem = IVP::ode(&equations, t, t + piece, y).method(method);
        let (q, v) = parted(problem.solve().expect("a regular system").y.last().unwrap());
        let (q, v) = FOUR_BAR.project(&q, &v).unwrap();
        y = joined(&q, &v);
    }
    assert_close(&y, &*FOUR_BAR_END, AT_THE_END);
}
