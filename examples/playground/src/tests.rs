//! The actions of the page on the systems, on the computer that builds them.

use std::sync::{Mutex, MutexGuard};

use crate::memory::MEMORY;
use crate::{adapt, advance, start};

const CART_POLE: u32 = 0;
const DOUBLE_PENDULUM: u32 = 1;
const FOUR_BAR: u32 = 2;
const ROLLING_BALL: u32 = 3;

const PARAMETERS: [&[f64]; 4] = [
    &[1.0, 0.2, 0.6, 9.81, 0.0, 0.0],
    &[1.0, 1.0, 1.0, 1.0, 9.81, 0.0],
    &[0.2, 0.5, 0.5, 0.4, 1.0, 0.3, 9.81, 0.0],
    &[1.0, 0.15, 1.0, 0.4, 0.0, 9.81, 0.0, 0.0, 0.0, 0.15],
];

/// All tests share one memory, so each locks it.
fn started(system: u32) -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    MEMORY.parameters.set(PARAMETERS[system as usize]);
    MEMORY.settings.set(&[0.0; 4]);
    MEMORY.pull.set(&[0.0; 8]);
    assert_eq!(start(system), 0);
    alone
}

fn set_parameter(index: usize, value: f64) {
    let mut parameters = MEMORY.parameters.get();
    parameters[index] = value;
    MEMORY.parameters.set(&parameters);
}

/// In frames of a sixtieth.
fn run(system: u32, seconds: u32) {
    for _ in 0..60 * seconds {
        assert_eq!(advance(system, 1.0 / 60.0), 0);
    }
}

fn error() -> f64 {
    MEMORY.report.get()[3].abs()
}

fn gap() -> f64 {
    MEMORY.report.get()[5]
}

#[test]
fn energy_is_kept() {
    for (system, most) in [
        (CART_POLE, 1e-7),
        (DOUBLE_PENDULUM, 1e-5),
        (FOUR_BAR, 1e-7),
        (ROLLING_BALL, 1e-7),
    ] {
        let _alone = started(system);
        let before = MEMORY.coordinates.get();
        run(system, 10);
        assert!(error() < most, "{system}: {:e}", error());
        assert_ne!(before, MEMORY.coordinates.get());
    }
}

#[test]
fn what_is_pulled_moves_there_and_takes_energy() {
    let places = [[0.5, 0.5], [1.0, 1.0], [-0.3, 0.6], [-0.5, 0.1]];
    for (system, [x, y]) in (0..).zip(places) {
        let _alone = started(system);
        set_parameter([4, 5, 7, 6][system as usize], 0.05);
        let number = f64::from(if system == FOUR_BAR { 2 } else { 1 });
        MEMORY.pull.set(&[number, 1.0, x, y, 0.0]);
        let before = MEMORY.report.get();
        run(system, 5);
        let after = MEMORY.report.get();
        assert!(error() < 1e-3, "{system}: {:e}", error());
        assert!(
            (before[0] - after[0]).abs() > 1e-2,
            "{system}: no work done"
        );
    }
}

#[test]
fn the_feedback_swings_the_pole_up_and_holds_it() {
    for (cart, bob, length) in [(1.0, 0.2, 0.6), (0.5, 1.0, 0.3), (3.0, 0.1, 1.2)] {
        let _alone = started(CART_POLE);
        MEMORY.parameters.set(&[cart, bob, length]);
        MEMORY.coordinates.set(&[0.0, 3.1]);
        MEMORY.settings.set(&[1.0]);
        assert_eq!(adapt(CART_POLE), 0);
        run(CART_POLE, 20);
        let [x, theta, ..] = MEMORY.coordinates.get();
        assert!(x.abs() < 1e-3 && theta.cos() > 0.9999);
        assert!(error() < 1e-2, "{:e}", error());
    }
}

#[test]
fn a_linkage_that_cannot_close_stays_as_it_was() {
    let _alone = started(FOUR_BAR);
    let before = MEMORY.coordinates.get();
    set_parameter(3, 2.0);
    assert_ne!(adapt(FOUR_BAR), 0);
    assert_eq!(before, MEMORY.coordinates.get());
    set_parameter(3, 0.45);
    assert_eq!(adapt(FOUR_BAR), 0);
    assert_ne!(before, MEMORY.coordinates.get());
    assert!(gap() < 1e-14);
}

#[test]
fn constraints_drift_unless_they_are_held() {
    let gaps = [0.0, 1.0, 2.0].map(|drift| {
        let _alone = started(FOUR_BAR);
        MEMORY.settings.set(&[1.0, 6.0, 0.0, drift]);
        run(FOUR_BAR, 10);
        gap()
    });
    let [projected, stabilised, free] = gaps;
    assert!(projected < 1e-14 && projected < stabilised && stabilised < free);
}

#[test]
fn a_ball_that_leaves_the_bowl_stops() {
    let _alone = started(ROLLING_BALL);
    MEMORY.pull.set(&[0.0, 1.0, 3.0, 0.0, 1.0]);
    let code = (0..600).map(|_| advance(ROLLING_BALL, 1.0 / 60.0));
    assert_eq!(code.max(), Some(5));
    let [x, y, ..] = MEMORY.coordinates.get();
    assert!(x.hypot(y) < 0.85);
    // A bowl that is too small for its position.
    assert_eq!(start(ROLLING_BALL), 0);
    set_parameter(0, 0.6);
    assert_eq!(adapt(ROLLING_BALL), 5);
}

#[test]
fn a_spinning_bowl_does_work_on_the_ball() {
    let _alone = started(ROLLING_BALL);
    set_parameter(4, 3.0);
    assert_eq!(start(ROLLING_BALL), 0);
    let start = MEMORY.report.get()[0];
    run(ROLLING_BALL, 10);
    let [energy, ..] = MEMORY.report.get();
    assert!((energy - start).abs() > 1e-2 && error() < 1e-6);
}
