//! The woodpecker toy at states of its limit cycle.
//!
//! The states are those of a program that integrates each flight by the exponential of its matrix and tries all modes of
//! the contacts.

use lagrangian::nalgebra::{SVector, matrix, vector};
use lagrangian::{Mode, Resolved, contact_step};

use crate::toy::Woodpecker;

/// The angle of the sleeve at its lower stop.
const STOP: f64 = 0.0006 / 0.0058;

fn at(bird: f64, v: [f64; 3]) -> Resolved<f64, 3, 0, 3, 0> {
    let woodpecker: Woodpecker = Woodpecker::default();
    let q = vector![0.0, -STOP, bird];
    let motion = woodpecker.resolve(&q, &SVector::from(v), &[false, true, false]);
    motion.unwrap()
}

#[test]
fn its_matrices_are_those_of_the_book() {
    let woodpecker: Woodpecker = Woodpecker::default();
    let q = vector![0.0, -0.1036, 0.12];
    let mass = woodpecker.mass_matrix(&q);
    let expected = matrix![
        0.0048, 4.5e-5, 6.75e-5;
        4.5e-5, 5e-9 + 4.5e-7, 6.75e-7;
        6.75e-5, 6.75e-7, 7e-7 + 1.0125e-6
    ];
    assert!((mass - expected).abs().max() < 1e-18);
    let gaps = woodpecker.gaps(&q);
    assert!(gaps[0].abs() < 1e-17);
    assert!((gaps[1] + 8.8e-7).abs() < 1e-18);
    let terms = woodpecker.friction_terms(&q, &SVector::zeros());
    let rows = matrix![1.0, 0.01, -0.0051; 1.0, 0.0031, 0.0; 1.0, 0.0031, 0.0];
    assert!((terms.slip_jacobians[0] - rows).abs().max() < 1e-17);
    assert_eq!(terms.restitution, vector![0.5, 0.0, 0.0]);
}

#[test]
fn its_sleeve_slides_and_sticks_as_on_the_limit_cycle() {
    // It sticks from 0.0866 s to 0.1262 s after the strike of the beak.
    let begins = at(-0.46865, [0.0, 0.0, -10.50380]);
    assert_eq!(begins.modes, [Mode::Open, Mode::Sticks, Mode::Open]);
    // Beside accelerations of the bird of 1e3.
    assert!(begins.acceleration.xy().norm() < 1e-10);
    let sliding = at(-0.46865, [-1e-3, 0.0, -10.50380]);
    assert_eq!(sliding.modes, [Mode::Open, Mode::Slides, Mode::Open]);
    assert!(sliding.acceleration[0] > 0.0);
    // Its friction is then at its limit.
    let ends = at(-0.20514, [0.0, 0.0, 17.57467]);
    let ratio = ends.friction_forces[1][0] / ends.contact_forces[1];
    assert!((ratio - 0.3).abs() < 1e-4, "{ratio}");
}

/// The first strikes of the beak, by steps of Moreau and Jean: each is found up to a step late.
#[test]
fn its_beak_strikes_in_time() {
    let toy: Woodpecker = Woodpecker::default();
    let (mut q, mut v) = (
        vector![0.0, -0.1036, -0.2788],
        vector![-0.3411, 0.0, -7.4583],
    );
    let h = 2e-5;
    let (mut strikes, mut touched) = (Vec::new(), false);
    for step in 0..12_000 {
        let t = f64::from(step) * h;
        let end = contact_step(&toy, t, &q, &v, &SVector::zeros(), h).unwrap();
        let touches = end.impulses[0] > 0.0;
        if touches && !touched {
            strikes.push([t + h / 2.0, v[2]]);
        }
        touched = touches;
        (q, v) = (end.q, end.v);
    }
    let expected = [[0.08101349738, 16.935908728], [0.22685406562, 16.896038242]];
    assert_eq!(strikes.len(), 2);
    for ([t, speed], [time, rate]) in strikes.into_iter().zip(expected) {
        assert!((t / time - 1.0).abs() < 2e-3, "{t}");
        assert!((speed / rate - 1.0).abs() < 2e-3, "{speed}");
    }
}

/// Period and drop of the limit cycle by steps of Moreau and Jean: ten million of them.
#[test]
#[ignore = "takes minutes without optimisation"]
fn short_steps_have_the_limit_cycle() {
    let toy: Woodpecker = Woodpecker::default();
    let (mut q, mut v) = (
        vector![0.0, 0.0894038527390, 0.12],
        vector![-0.0937751916833, 22.8785032796, -8.45558868430],
    );
    let h = 1e-7;
    let (mut strikes, mut touched) = (Vec::new(), true);
    for step in 0_u32.. {
        let end = contact_step(&toy, 0.0, &q, &v, &SVector::zeros(), h).unwrap();
        let touches = end.impulses[0] > 0.0;
        if touches && !touched {
            strikes.push([f64::from(step) * h, q[0]]);
        }
        touched = touches;
        (q, v) = (end.q, end.v);
        if strikes.len() == 7 {
            break;
        }
    }
    let [period, drop] = [0, 1].map(|k| (strikes[6][k] - strikes[3][k]) / 3.0);
    assert!((period / 0.1459760651 - 1.0).abs() < 1e-5, "{period}");
    assert!((drop / -19.4453793e-3 - 1.0).abs() < 1e-5, "{drop}");
}
