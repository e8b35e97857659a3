//! `diffsol`: a method of variable order for stiff equations, constraints as a descriptor system, roots and
//! resets.

use diffsol::error::{DiffsolError, OdeSolverError};
use diffsol::{
    Bdf, NalgebraContext, NalgebraLU, NalgebraMat, NalgebraVec, OdeBuilder, OdeEquationsImplicit,
    OdeSolverMethod, OdeSolverProblem, OdeSolverStopReason, Vector,
};
use lagrangian::nalgebra::SVector;
use lagrangian::{Motion, lagrangian};
use lagrangian_integrators::{
    AT_THE_END, BALL, BALL_END, BALL_START, Ball, CART_POLE, CART_POLE_END, CART_POLE_START, END,
    FOUR_BAR, FOUR_BAR_END, FOUR_BAR_START, PUSH, TOLERANCE, TORQUE, assert_close, parted,
};
use num_dual::Dual64;

use super::half_a_circle;

type M = NalgebraMat<f64>;
type LS = NalgebraLU<f64>;

/// With exact products of the Jacobian and a vector.
#[test]
fn cart_pole() {
    let problem = OdeBuilder::<M>::new()
        .rtol(TOLERANCE)
        .atol([TOLERANCE; 4])
        .rhs_implicit(
            |y, _, t, dy| {
                let rates: &mut [f64; 4] = dy.try_into().unwrap();
                if CART_POLE
                    .rhs(t, y.try_into().unwrap(), &[PUSH], rates)
                    .is_err()
                {
                    dy.fill(f64::NAN);
                }
            },
            |y, _, _, w, jw| {
                let (q, v) = parted(y);
                let Ok(near) = CART_POLE.linearize(&q, &v, &[PUSH].into()) else {
                    return jw.fill(f64::NAN);
                };
                jw.copy_from_slice((near.a * SVector::from_column_slice(w)).as_slice());
            },
        )
        .init(|_, _, y| y.copy_from_slice(&CART_POLE_START), 4)
        .build()
        .unwrap();
    let mut solver = problem.bdf::<LS>().unwrap();
    solver.solve(END).unwrap();
    assert_close(
        &solver.state().y.clone_as_vec(),
        &*CART_POLE_END,
        AT_THE_END,
    );
}

/// A rotation has a component of q more than directions to turn: there the derivative along a vector is that of
/// dual numbers.
#[test]
fn rolling_ball() {
    let dual = Ball {
        m: Dual64::from(BALL.m),
        i: BALL.i.map(Dual64::from),
        r: Dual64::from(BALL.r),
    };
    let problem = OdeBuilder::<M>::new()
        .rtol(TOLERANCE)
        .atol([TOLERANCE; 13])
        .rhs_implicit(
            |y, _, t, dy| {
                let rates: &mut [f64; 13] = dy.try_into().unwrap();
                if BALL.rhs(t, y.try_into().unwrap(), rates).is_err() {
                    dy.fill(f64::NAN);
                }
            },
            |y, _, t, w, jw| {
                let y = std::array::from_fn(|i| Dual64::new(y[i], w[i]));
                let mut rates = [Dual64::from(f64::NAN); 13];
                let failed = dual.rhs(t.into(), &y, &mut rates).is_err();
                for (jw, rate) in jw.iter_mut().zip(rates) {
                    *jw = if failed { f64::NAN } else { rate.eps };
                }
            },
        )
        .init(|_, _, y| y.copy_from_slice(&*BALL_START), 13)
        .build()
        .unwrap();
    let mut solver = problem.bdf::<LS>().unwrap();
    solver.solve(END).unwrap();
    assert_close(&solver.state().y.clone_as_vec(), &*BALL_END, AT_THE_END);
}

type Parts = (SVector<f64, 3>, SVector<f64, 3>, Motion<f64, 3, 2>);

/// The equations of y = [q, v, a, lambda].
fn parts(y: &[f64]) -> Parts {
    let (q, v) = parted(y);
    let (acceleration, multipliers) = parted(&y[6..]);
    let motion = Motion {
        acceleration,
        multipliers,
    };
    (q, v, motion)
}

/// The equations as they stand, without a solution by us: q' = v, v' = a, 0 = f - M a + J^T lambda, 0 = gamma - J a.
/// The matrix before the rates is constant and singular.
fn descriptor_system(
    tolerance: f64,
) -> OdeSolverProblem<
    impl OdeEquationsImplicit<M = M, V = NalgebraVec<f64>, T = f64, C = NalgebraContext>,
> {
    OdeBuilder::<M>::new()
        .rtol(tolerance)
        .atol([tolerance; 11])
        .rhs_implicit(
            |y, _, _, out| {
                let (q, v, motion) = parts(y);
                let jacobian = FOUR_BAR.constraint_jacobian(&q);
                let forces = FOUR_BAR.generalized_forces(&q, &v, &[TORQUE].into())
                    - FOUR_BAR.inverse_dynamics(&q, &v, &motion.acceleration)
                    + jacobian.tr_mul(&motion.multipliers);
                let rows = FOUR_BAR.constraint_gamma(&q, &v) - jacobian * motion.acceleration;
                out[..3].copy_from_slice(v.as_slice());
                out[3..6].copy_from_slice(motion.acceleration.as_slice());
                out[6..9].copy_from_slice(forces.as_slice());
                out[9..].copy_from_slice(rows.as_slice());
            },
            |y, _, _, w, out| {
                let (q, v, motion) = parts(y);
                let (by_q, by_v, by) = parts(w);
                let (f, g) = FOUR_BAR.equation_derivatives(&q, &v, &[TORQUE].into(), &motion);
                let jacobian = FOUR_BAR.constraint_jacobian(&q);
                let forces = f.q * by_q + f.v * by_v - FOUR_BAR.mass_matrix(&q) * by.acceleration
                    + jacobian.tr_mul(&by.multipliers);
                let rows = g.q * by_q + g.v * by_v - jacobian * by.acceleration;
                out[..3].copy_from_slice(by_v.as_slice());
                out[3..6].copy_from_slice(by.acceleration.as_slice());
                out[6..9].copy_from_slice(forces.as_slice());
                out[9..].copy_from_slice(rows.as_slice());
            },
        )
        .mass(|x, _, _, beta, y| {
            for i in 0..11 {
                y[i] = beta * y[i] + if i < 6 { x[i] } else { 0.0 };
            }
        })
        // The solver finds a and lambda by itself.
        .init(|_, _, y| y[..6].copy_from_slice(&*FOUR_BAR_START), 11)
        .build()
        .unwrap()
}

/// Failures of Newton's iteration are counted over the whole motion, and 50 are too many.
#[test]
fn esdirk34_gives_up() {
    let mut problem = descriptor_system(1e-8);
    assert_eq!(problem.ode_options.max_nonlinear_solver_failures, 50);
    let result = problem.esdirk34::<LS>().unwrap().solve(END).map(|_| ());
    let gives_up = |error: &_| {
        matches!(
            error,
            DiffsolError::OdeSolverError(OdeSolverError::TooManyNonlinearSolverFailures { .. })
        )
    };
    assert!(result.is_err_and(|error| gives_up(&error)));
    problem.ode_options.max_nonlinear_solver_failures = 1000;
    let mut solver = problem.esdirk34::<LS>().unwrap();
    solver.solve(END).unwrap();
    assert_close(&solver.state().y.clone_as_vec()[..6], &*FOUR_BAR_END, 1e-5);
}

#[track_caller]
fn assert_at_the_end(y: &[f64]) {
    assert_close(&y[..6], &*FOUR_BAR_END, AT_THE_END);
    let (q, v, motion) = parts(y);
    let exact = FOUR_BAR.solve(&q, &v, &[TORQUE].into()).unwrap();
    let expected = exact.multipliers.as_slice();
    assert_close(motion.multipliers.as_slice(), expected, AT_THE_END);
}

#[test]
fn four_bar() {
    let problem = descriptor_system(TOLERANCE);
    let mut solver = problem.bdf::<LS>().unwrap();
    solver.solve(END).unwrap();
    assert_at_the_end(&solver.state().y.clone_as_vec());
}

/// Ten times on the way the state is put onto the constraints.
#[test]
fn projected_four_bar() {
    let problem = descriptor_system(TOLERANCE);
    let mut solver = problem.bdf::<LS>().unwrap();
    for piece in 1..=10 {
        solver.set_stop_time(END * f64::from(piece) / 10.0).unwrap();
        while !matches!(solver.step().unwrap(), OdeSolverStopReason::TstopReached) {}
        project(&mut solver);
    }
    let y = solver.state().y.clone_as_vec();
    assert_at_the_end(&y);
    assert!(FOUR_BAR.constraint_residual(&parts(&y).0).amax() < 1e-14);
}

fn project<E>(solver: &mut Bdf<'_, E, LS>)
where
    E: OdeEquationsImplicit<M = M, V = NalgebraVec<f64>, T = f64, C = NalgebraContext>,
{
    let (q, v, _) = parts(&solver.state().y.clone_as_vec());
    let (q, v) = FOUR_BAR.project(&q, &v).unwrap();
    let motion = FOUR_BAR.solve(&q, &v, &[TORQUE].into()).unwrap();
    let state = solver.state_mut(); // begins again with the first order
    let y = state.y.inner_mut().as_mut_slice();
    y[..3].copy_from_slice(q.as_slice());
    y[3..6].copy_from_slice(v.as_slice());
    y[6..9].copy_from_slice(motion.acceleration.as_slice());
    y[9..].copy_from_slice(motion.multipliers.as_slice());
    let dy = state.dy.inner_mut().as_mut_slice();
    dy[..3].copy_from_slice(v.as_slice());
    dy[3..6].copy_from_slice(motion.acceleration.as_slice());
}

lagrangian! {
    #[derive(Clone, Copy)]
    struct Mass { height: coordinate, m: parameter = 1, g: parameter = 9.81 }
    T = m * der(height)^2 / 2;
    V = m * g * height;
}

/// The root is the floor, the reset the bounce, of which four fifths of the speed are left.
fn bouncing_mass() -> OdeSolverProblem<
    impl OdeEquationsImplicit<M = M, V = NalgebraVec<f64>, T = f64, C = NalgebraContext>,
> {
    let mass = Mass::default();
    OdeBuilder::<M>::new()
        .rtol(TOLERANCE)
        .atol([TOLERANCE; 2])
        .rhs_implicit(
            move |y, _, t, dy| {
                let (y, dy) = (y.try_into().unwrap(), dy.try_into().unwrap());
                mass.rhs(t, y, dy).unwrap();
            },
            move |y, _, _, w, jw| {
                let (q, v) = parted(y);
                let near = mass.linearize(&q, &v).unwrap();
                jw.copy_from_slice((near.a * SVector::from_column_slice(w)).as_slice());
            },
        )
        .init(|_, _, y| y.copy_from_slice(&[1.0, 0.0]), 2)
        .root(|y, _, _, root| root[0] = y[0], 1)
        .reset(|y, _, _, after| after.copy_from_slice(&[0.0, -0.8 * y[1]]))
        .build()
        .unwrap()
}

/// By hand: falls of known times.
fn bounced() -> [f64; 2] {
    let g = Mass::<f64>::default().g;
    let mut t = (2.0 / g).sqrt();
    let mut speed = 0.8 * g * t;
    while t + 2.0 * speed / g < END {
        t += 2.0 * speed / g;
        speed *= 0.8;
    }
    let rest = END - t;
    [speed * rest - g * rest * rest / 2.0, speed - g * rest]
}

#[test]
fn it_bounces() {
    let problem = bouncing_mass();
    let mut solver = problem.bdf::<LS>().unwrap();
    solver.solve(END).unwrap();
    assert_close(&solver.state().y.clone_as_vec(), &bounced(), AT_THE_END);
}

/// The Runge-Kutta methods take a flight in one step, and do not see the floor at both of its ends.
#[test]
fn it_falls_through_the_floor() {
    let problem = bouncing_mass();
    let mut solver = problem.tsit45().unwrap();
    solver.solve(END).unwrap();
    assert!(solver.state().y.clone_as_vec()[0] < -0.5);
    let mut solver = problem.esdirk34::<LS>().unwrap();
    solver.solve(END).unwrap();
    assert!(solver.state().y.clone_as_vec()[0] < -0.5);
}

/// `bdf` says when there is no acceleration; `tsit45` calls the motion complete.
#[test]
fn equations_that_fail() {
    let problem = OdeBuilder::<M>::new()
        .rhs_implicit(
            |y, _, t, dy| {
                let rates: &mut [f64; 2] = dy.try_into().unwrap();
                if half_a_circle(t, y.try_into().unwrap(), rates).is_err() {
                    dy.fill(f64::NAN);
                }
            },
            |_, _, _, w, jw| jw.copy_from_slice(&[w[1], -w[0]]),
        )
        .init(|_, _, y| y.copy_from_slice(&[0.0, 1.0]), 2)
        .build()
        .unwrap();
    assert!(problem.bdf::<LS>().unwrap().solve(1.0).is_err());
    let mut solver = problem.tsit45().unwrap();
    let (_, _, stop) = solver.solve(1.0).expect("what should be an error");
    assert_eq!(stop, OdeSolverStopReason::TstopReached);
    assert!(solver.state().y.clone_as_vec()[0].is_nan());
}
