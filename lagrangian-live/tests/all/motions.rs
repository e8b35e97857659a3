//! Motions beside closed forms, and steps that fail.

use lagrangian_live::{Error, Model, Motion, RoutineError, State, Steps};

fn read(text: &str) -> Model {
    Model::read(text).unwrap_or_else(|messages| panic!("{}", messages[0]))
}

/// The last state of a motion from 0.
fn moved(
    model: &Model,
    parameters: &[f64],
    start: [&[f64]; 3],
    inputs: &[f64],
    steps: Steps,
) -> State {
    let [q, v, z] = start.map(<[f64]>::to_vec);
    let state = State::new(model, parameters, 0.0, q, v, z).unwrap();
    let mut motion = Motion::new(model, parameters.to_vec(), state).unwrap();
    for number in 1..=steps.count() {
        motion.step(inputs, steps.end(number)).unwrap();
    }
    motion.state().clone()
}

#[test]
fn motions_are_those_of_closed_forms() {
    // A driven oscillator at rest: x = (1 - cos(t)) u.
    let oscillator =
        read("struct S { x: coordinate, u: input } T = der(x)^2 / 2; V = x^2 / 2; Q.x = u;");
    let steps = Steps::new(0.0, 2.0, 1e-3).unwrap();
    let last = moved(&oscillator, &[], [&[0.0], &[0.0], &[]], &[3.0], steps);
    assert!(
        (last.q[0] - 3.0 * (1.0 - 2.0_f64.cos())).abs() < 1e-12,
        "{last:?}"
    );
    assert_eq!(last.t, 2.0);
    // Time and a state: z = sin(t), x'' = z.
    let driven = read(
        "struct S { x: coordinate, t: time, z: state } T = der(x)^2 / 2; der(z) = cos(t); Q.x = z;",
    );
    let last = moved(&driven, &[], [&[0.0], &[0.0], &[0.0]], &[], steps);
    assert!((last.z[0] - 2.0_f64.sin()).abs() < 1e-12, "{last:?}");
    assert!(
        (last.q[0] - (2.0 - 2.0_f64.sin())).abs() < 1e-12,
        "{last:?}"
    );
    // A bob on a rod, which begins beside its circle.
    let rod = read(
        "struct S { r: coordinate[2], m: parameter } T = m * der(r)^2 / 2; holonomic rod: r^2 = 1;",
    );
    let last = moved(&rod, &[2.0], [&[1.5, 0.0], &[0.3, 2.0], &[]], &[], steps);
    assert!((last.q[0] - 4.0_f64.cos()).abs() < 1e-11, "{last:?}");
    assert!((last.q[0].hypot(last.q[1]) - 1.0).abs() < 1e-15, "{last:?}");
}

#[test]
fn failing_steps_leave_the_state() {
    let model = read("struct S { x: coordinate, u: input } T = der(x)^2 / 2; Q.x = u / x;");
    let state = State::new(&model, &[], 1.0, vec![2.0], vec![0.0], vec![]).unwrap();
    let mut motion = Motion::new(&model, vec![], state.clone()).unwrap();
    let error = motion.step(&[f64::NAN], 1.5).unwrap_err();
    let is_input = |error: &Error| matches!(error, Error::State { reason: RoutineError::NotFinite, argument: Some(name), .. } if name == "u");
    assert!(is_input(&error), "{error}");
    assert_eq!(motion.state(), &state);
    assert!(matches!(motion.step(&[], 1.5), Err(Error::Length { .. })));
    assert_eq!(motion.state(), &state);
    motion.step(&[1.0], 1.5).unwrap();
    assert_eq!(motion.state().t, 1.5);
}

#[test]
fn wrong_starts_are_errors() {
    let top = read(
        "struct Top { att: rotation } body { frame: world.rotate(att), inertia: diag(1, 2, 3) }",
    );
    let start = |q: &[f64], v: &[f64]| State::new(&top, &[], 0.0, q.to_vec(), v.to_vec(), vec![]);
    assert_eq!(
        start(&[0.0, 0.0, 3.0, 0.0], &[0.0; 3]).unwrap().q,
        [0.0, 0.0, 1.0, 0.0]
    );
    assert!(matches!(
        start(&[0.0; 4], &[0.0; 3]),
        Err(Error::State { .. })
    ));
    assert!(matches!(
        start(&[f64::NAN; 4], &[0.0; 3]),
        Err(Error::State { .. })
    ));
    let short = start(&[1.0; 4], &[0.0; 2]).unwrap_err();
    assert_eq!(short.to_string(), "`v` has the length 3, found 2");
}

#[test]
fn steps_end_at_the_end() {
    let steps = Steps::new(1.0, 2.0, 0.3).unwrap();
    assert_eq!((steps.count(), steps.end(0), steps.end(4)), (4, 1.0, 2.0));
    // A rounding error is no step.
    assert_eq!(Steps::new(0.0, 0.3, 0.1).unwrap().count(), 3);
    assert_eq!(Steps::new(0.0, 1.0, f64::INFINITY).unwrap().count(), 1);
    for (start, until, step) in [
        (0.0, 0.0, 0.1),
        (0.0, -1.0, 0.1),
        (0.0, 1.0, 0.0),
        (0.0, 1.0, f64::NAN),
        (0.0, f64::INFINITY, 0.1),
        (f64::NAN, 1.0, 0.1),
        (0.0, 1.0, 1e-16),
    ] {
        assert_eq!(Steps::new(start, until, step), None);
    }
}
