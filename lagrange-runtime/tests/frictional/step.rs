//! Moreau's step.

use lagrange_runtime::{
    contact_step,
    nalgebra::{SMatrix, SVector, matrix, vector},
};

use super::model::{Model, NoInput, Numbers, Touch};
use super::woodpecker;

const NONE: NoInput = vector![];

/// The times of the beak's strikes and the rate of the bird before them, by steps of length h.
fn strikes(h: f64, count: usize) -> Vec<(f64, f64)> {
    let model = woodpecker::woodpecker();
    let (mut q, mut v) = woodpecker::START;
    let mut found = Vec::new();
    let mut number = 0_u32;
    while found.len() < count {
        let t = f64::from(number) * h;
        let end = contact_step(&model, t, &q, &v, &NONE, h).expect("impulses");
        number += 1;
        if end.impulses[0] > 0.0 && v[2] > 0.0 {
            found.push((t + h, v[2]));
        }
        (q, v) = (end.q, end.v);
    }
    found
}

/// The first strike in steps of this length has this rate. A step finds a strike late by less than its length.
#[test]
#[ignore = "81,000 steps; `tests/friction` has longer ones"]
fn the_woodpecker_strikes_at_the_time_of_its_motion() {
    let h = 1e-6;
    let (t, rate) = strikes(h, 1)[0];
    assert!((t - 0.08101349738).abs() < h, "{t}");
    assert!((rate - 16.93657).abs() < 1e-5, "{rate}");
}

#[test]
fn impacts_gain_no_energy() {
    let mut numbers = Numbers(3);
    for number in 0..300 {
        let root = SMatrix::<f64, 4, 4>::from_fn(|_, _| numbers.next());
        let mass = root * root.transpose() + SMatrix::identity() * 0.1;
        let v = SVector::<f64, 4>::from_fn(|_, _| numbers.next());
        let restitution = [0.0, 0.5, 1.0][number % 3];
        let friction = if restitution == 0.0 { 0.7 } else { 0.0 };
        let jacobian = SMatrix::<f64, 5, 4>::from_fn(|_, _| numbers.next());
        let slips = SMatrix::<f64, 5, 4>::from_fn(|_, _| numbers.next());
        let model = Model::<4, 0, 5, 0, 1> {
            mass: &|_| mass,
            forcing: &|_, _, _| SVector::zeros(),
            touch: &|_, _, v| {
                let touch = Touch {
                    jacobian,
                    friction: SVector::repeat(friction),
                    restitution: SVector::repeat(restitution),
                    ..Touch::none()
                };
                touch.slides([slips, SMatrix::zeros()], v)
            },
            rows: SMatrix::zeros(),
            limits: SVector::zeros(),
            bound: 1e-15,
        };
        let end = contact_step(&model, 0.0, &SVector::zeros(), &v, &NONE, 0.0).expect("impulses");
        let (before, after) = (v.dot(&(mass * v)), end.v.dot(&(mass * end.v)));
        assert!(
            after <= before * (1.0 + 1e-12),
            "{number}: {before} -> {after}"
        );
        assert!(end.impulses.min() >= 0.0, "{number}");
        assert!(
            end.residual < 1e-12,
            "{number} {:e} {}",
            end.residual,
            end.impulses
        );
        let rates = jacobian * end.v + jacobian * v * restitution;
        assert!(rates.min() > -1e-12);
    }
}

#[test]
fn constraints_hold_at_the_end_and_dry_joints_stay() {
    // A slider with dry friction, and two masses whose heights have the sum 0, one of them falling onto the floor.
    let model = Model::<3, 1, 1, 1, 0> {
        mass: &|_| SMatrix::from_diagonal(&vector![1.0, 1.0, 2.0]),
        forcing: &|_, q, _| vector![-q[0], -20.0, -4.0],
        touch: &|_, q, _| Touch {
            gaps: vector![q[1]],
            jacobian: matrix![0.0, 1.0, 0.0],
            restitution: vector![0.5],
            ..Touch::none()
        },
        rows: matrix![0.0, 1.0, 1.0],
        limits: vector![0.1],
        bound: 1e-16,
    };
    let (mut q, mut v) = (vector![0.25, 1.0, -1.0], SVector::zeros());
    let mut is_still = 0;
    for step in 0..4000 {
        let end =
            contact_step(&model, f64::from(step) * 1e-3, &q, &v, &NONE, 1e-3).expect("regular");
        (q, v) = (end.q, end.v);
        assert!((q[1] + q[2]).abs() < 1e-15 && (v[1] + v[2]).abs() < 1e-15);
        is_still += usize::from(v[0] == 0.0);
        assert!(q[1] > -1e-2);
    }
    assert!(is_still > 500 && q[0].abs() <= 0.1, "{is_still} {q}");
    assert!(v.amax() < 1e-12 && q[1] < 1e-3, "{v} {q}");
}
