//! The runner on the three systems: its errors and its evaluations of the equations, which the page shows.

use std::cell::Cell;

use lagrangian::nalgebra::SVector;
use lagrangian::{Run, System};
use lagrangian_integrators::{
    AT_THE_END, BALL, BALL_END, BALL_START, CART_POLE, CART_POLE_END, CART_POLE_START, END,
    FOUR_BAR, FOUR_BAR_END, FOUR_BAR_START, PUSH, TOLERANCE, TORQUE, joined, parted,
};

/// The largest error at the end, and the number of evaluations.
fn measured<M, const NQ: usize, const N: usize, const K: usize, const C: usize, const D: usize>(
    system: &M,
    start: &[f64; D],
    u: SVector<f64, K>,
    expected: &[f64; D],
) -> (f64, u32)
where
    M: System<f64, NQ, N, K, C>,
{
    let evaluations = Cell::new(0);
    let (q, v) = parted(start);
    let run = Run::new(system, 0.0, q, v).tolerance(TOLERANCE).until(END);
    let run = run.input(|_, _, _| {
        evaluations.set(evaluations.get() + 1);
        u
    });
    let end = run.last().expect("a step").expect("a regular system");
    let end: [f64; D] = joined(&end.q, &end.v);
    let errors = end
        .iter()
        .zip(expected)
        .map(|(end, expected)| (end - expected).abs());
    (errors.fold(0.0, f64::max), evaluations.get())
}

#[test]
fn errors_and_evaluations() {
    let results = [
        measured(&CART_POLE, &CART_POLE_START, [PUSH].into(), &CART_POLE_END),
        measured(&FOUR_BAR, &FOUR_BAR_START, [TORQUE].into(), &FOUR_BAR_END),
        measured(&BALL, &BALL_START, [].into(), &BALL_END),
    ];
    println!("{results:?}");
    assert!(
        results.iter().all(|(error, _)| *error < AT_THE_END),
        "{results:?}"
    );
}
