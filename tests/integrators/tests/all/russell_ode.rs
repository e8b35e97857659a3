//! `russell_ode`: explicit methods, and Radau5 with exact derivatives, on vectors of its own.

use lagrangian::Error;
use lagrangian_integrators::{
    AT_THE_END, BALL, BALL_END, BALL_START, CART_POLE, CART_POLE_END, CART_POLE_START, END,
    FOUR_BAR, FOUR_BAR_END, FOUR_BAR_START, PUSH, TOLERANCE, TORQUE, assert_close, parted,
};
use russell_lab::{StrError, Vector};
use russell_ode::{Method, NoArgs, OdeSolver, Output, Params, System};
use russell_sparse::Sym;

use super::{circle, half_a_circle};

type Rhs<const D: usize> = fn(f64, &[f64; D], &mut [f64; D]) -> Result<(), Error>;

/// The equations of motion, on the vectors of the crate.
fn equations<const D: usize>(rhs: Rhs<D>) -> System<'static, NoArgs> {
    System::new(D, move |dy: &mut Vector, t, y: &Vector, _: &mut NoArgs| {
        let y = y.as_data().as_slice().try_into().expect("D entries");
        let dy = dy.as_mut_data().as_mut_slice();
        rhs(t, y, dy.try_into().expect("D entries")).map_err(|_| "there is no acceleration")
    })
}

fn end<const D: usize>(rhs: Rhs<D>, start: &[f64; D]) -> Result<Vec<f64>, StrError> {
    let mut params = Params::new(Method::DoPri8);
    params.set_tolerances(TOLERANCE, TOLERANCE, None)?;
    let mut solver = OdeSolver::new(params, equations(rhs))?;
    let mut y = Vector::from(start);
    solver.solve(&mut y, 0.0, END, None, &mut 0, None)?;
    Ok(y.as_data().clone())
}

#[test]
fn cart_pole() {
    let end = end(
        |t, y, dy| CART_POLE.rhs(t, y, &[PUSH], dy),
        &CART_POLE_START,
    );
    assert_close(&end.unwrap(), &*CART_POLE_END, AT_THE_END);
}

#[test]
fn four_bar() {
    let end = end(
        |t, y, dy| FOUR_BAR.rhs(t, y, &[TORQUE], dy),
        &FOUR_BAR_START,
    );
    assert_close(&end.unwrap(), &*FOUR_BAR_END, AT_THE_END);
}

#[test]
fn rolling_ball() {
    let end = end(|t, y, dy| BALL.rhs(t, y, dy), &BALL_START);
    assert_close(&end.unwrap(), &*BALL_END, AT_THE_END);
}

/// By an implicit method with the exact Jacobian.
#[test]
fn implicit_cart_pole() -> Result<(), StrError> {
    let mut system = equations(|t, y, dy| CART_POLE.rhs(t, y, &[PUSH], dy));
    system.set_jacobian(None, Sym::No, |j, alpha, _, y: &Vector, _: &mut NoArgs| {
        let (q, v) = parted(y.as_data());
        let near = CART_POLE.linearize(&q, &v, &[PUSH].into());
        let a = near.map_err(|_| "there is no acceleration")?.a;
        j.reset();
        for row in 0..4 {
            for column in 0..4 {
                j.put(row, column, alpha * a[(row, column)])?;
            }
        }
        Ok(())
    })?;
    let mut params = Params::new(Method::Radau5);
    params.set_tolerances(TOLERANCE, TOLERANCE, None)?;
    let mut solver = OdeSolver::new(params, system)?;
    let mut y = Vector::from(&CART_POLE_START);
    solver.solve(&mut y, 0.0, END, None, &mut 0, None)?;
    assert_close(y.as_data(), &*CART_POLE_END, AT_THE_END);
    assert!(solver.stats().n_jacobian > 0);
    Ok(())
}

/// An error of the equations ends the motion, and is told.
#[test]
fn equations_that_fail() -> Result<(), StrError> {
    let mut solver = OdeSolver::new(Params::new(Method::DoPri8), equations(half_a_circle))?;
    let mut y = Vector::from(&[0.0, 1.0]);
    let result = solver.solve(&mut y, 0.0, 1.0, None, &mut 0, None);
    assert_eq!(result, Err("there is no acceleration"));
    Ok(())
}

/// The last multiple of the spacing is left out where it is not the end.
#[test]
fn dense_output_leaves_a_point_out() -> Result<(), StrError> {
    let mut solver = OdeSolver::new(Params::new(Method::DoPri5), equations(circle))?;
    let mut y = Vector::from(&[0.0, 1.0]);
    let mut output = Output::new();
    output.set_dense_h_out(0.1)?.set_dense_recording(&[0]);
    solver.solve(&mut y, 0.0, 2.57, None, &mut 0, Some(&mut output))?;
    let [.., before, last] = output.dense_x().as_slice() else {
        panic!("{:?}", output.dense_x());
    };
    assert!(
        (before - 2.4).abs() < 1e-12 && (last - 2.57).abs() < 1e-12,
        "{before} {last}"
    );
    Ok(())
}

/// Time runs forwards only.
#[test]
fn no_way_back() -> Result<(), StrError> {
    let mut solver = OdeSolver::new(Params::new(Method::DoPri8), equations(circle))?;
    let mut y = Vector::from(&[0.0, 1.0]);
    assert!(solver.solve(&mut y, 1.0, 0.0, None, &mut 0, None).is_err());
    Ok(())
}
