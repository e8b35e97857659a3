//! Motions and steps in which contacts and dry joints find their modes, beside those of the methods in Rust.

use lagrangian::nalgebra::SVector;
use lagrangian::{Frictional, contact_step, lagrangian};
use lagrangian_live::{Error, Model, RoutineError};

use crate::changes::Random;

/// Systems as types and as texts.
macro_rules! systems {
    ($($module:ident: $system:ident { $($text:tt)* })*) => {$(
        mod $module {
            use super::lagrangian;

            lagrangian! { $($text)* }
            pub(super) const TEXT: &str = stringify!($($text)*);
        }
        use $module::$system;
    )*};
}

systems! {
    planks: Plank {
        pub struct Plank { x, y, angle: coordinate, t: time, m, l, mu: parameter, u: input[2] }
        let left = [x - l / 2 * cos(angle), y - l / 2 * sin(angle)];
        let right = [x + l / 2 * cos(angle), y + l / 2 * sin(angle)];
        T = m * (der(x)^2 + der(y)^2 + l^2 / 12 * der(angle)^2) / 2;
        V = 9.81 * m * y;
        Q.x = u[0];
        Q.y = u[1];
        contact back: left.y >= 0 { slip: der(left.x) - sin(t), friction: mu, restitution: 0.5 };
        contact front: right.y >= 0 { slip: der(right.x) - sin(t), friction: mu };
        contact wall: 2 - right.x >= 0 { restitution: 0.3 };
    }
    carts: Carts {
        pub struct Carts { x: coordinate[2], y, crank: coordinate, m, f: parameter, u: input }
        T = m * (x[0]^2 + 1) * der(x)^2 / 2 + m * der(y)^2 / 2 + der(crank)^2 / 4;
        V = 9.81 * m * y + (x[0] - crank)^2;
        holonomic rod: (x[1] - x[0])^2 + y^2 = 1;
        Q.x[0] = u;
        contact step: y >= 0.8 { slip: der(x[1]), friction: 0.3, restitution: 0.2 };
        actuator brake { joint: x[0], coulomb: f }
        actuator { joint: crank, coulomb: f / (1 + x[1]^2) }
    }
    brakes: Brake {
        pub struct Brake { x, y: coordinate, m, f: parameter, u: input }
        T = m * (der(x)^2 + der(x) * der(y) + der(y)^2) / 2;
        V = x^2 / 2;
        Q.x = u;
        actuator { joint: x, coulomb: f }
        actuator { joint: y, coulomb: 2 * f }
    }
    stools: Stool {
        #[lagrangian(redundant)]
        #[allow(deprecated, reason = "rows depend on each other")]
        pub struct Stool { x, y, z, angle: coordinate, m, mu: parameter, u: input }
        T = m * (der(x)^2 + der(y)^2 + der(z)^2 + der(angle)^2 / 3) / 2;
        V = 9.81 * m * y;
        Q.x = u;
        holonomic groove: z = 0;
        holonomic again: 2 * z = 0;
        for i in 0..3 {
            contact foot: y + (i - 1) * sin(angle) >= 0 {
                slip: der(x) - (i - 1) * sin(angle) * der(angle), friction: mu,
            };
        }
    }
    crates: Crate {
        #[lagrangian(redundant)]
        pub struct Crate { p: coordinate[3], att: rotation, m, mu: parameter, f: input[2] }
        frame B = world.translate(p).rotate(att);
        body { frame: B, mass: m, inertia: diag(0.5, 0.4, 0.3) }
        gravity [0, 0, -10];
        force [f[0], f[1], 0] at B.point([0, 0, -0.1]);
        for i in 0..3 {
            let end = B.point([0.3 - 0.3 * i, 0.2 - 0.4 * i * (2 - i), -0.1]);
            contact foot: end.z >= 0 { slip: [der(end).x, der(end).y], friction: mu };
        }
    }
    marbles: Marble {
        pub struct Marble { p: coordinate[3], att: rotation, m, radius, mu: parameter, f: input[3] }
        frame B = world.translate(p).rotate(att);
        body { frame: B, mass: m, inertia: diag(1, 1, 1) * (0.4 * m * radius^2) }
        gravity [0, 0, -9.81];
        let w = angular_velocity(B);
        let slide = [der(p)[0] - radius * w.y, der(p)[1] + radius * w.x];
        force f at B.point([0, 0, 0]);
        contact floor: p[2] - radius >= 0 { slip: slide, friction: mu, restitution: 0.4 };
    }
}

/// The reason of an error, and the row.
fn failed(error: lagrangian::Error) -> (RoutineError, Option<usize>) {
    match error {
        lagrangian::Error::SingularMassMatrix => (RoutineError::SingularMassMatrix, None),
        lagrangian::Error::DependentConstraints { row } => {
            (RoutineError::DependentConstraints, Some(row))
        }
        lagrangian::Error::NotConverged { .. } => (RoutineError::NotConverged, None),
        lagrangian::Error::NoContactSolution => (RoutineError::NoContactSolution, None),
        _ => (RoutineError::NotFinite, None),
    }
}

type Values = Result<Vec<Vec<f64>>, (RoutineError, Option<usize>)>;

/// The results of a method for the arguments that have entries.
fn called(model: &Model, name: &str, parameters: &[f64], arguments: &[&[f64]]) -> Values {
    let method = model.method(name).unwrap_or_else(|error| panic!("{error}"));
    let arguments: Vec<&[f64]> = arguments
        .iter()
        .copied()
        .filter(|given| !given.is_empty())
        .collect();
    let lengths = method.results.iter().map(|(_, shape)| shape.len());
    let mut results: Vec<Vec<f64>> = lengths.map(|length| vec![7.0; length]).collect();
    let mut written: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
    match model.call(name, parameters, &arguments, &mut written) {
        Ok(()) => Ok(results),
        Err(Error::State { reason, row, .. }) => {
            // Results stay as they were.
            assert!(results.concat().iter().all(|entry| *entry == 7.0), "{name}");
            Err((reason, row))
        }
        Err(error) => panic!("{name}: {error}"),
    }
}

/// A state, inputs, and which contacts are closed.
type State<const NQ: usize, const N: usize, const K: usize, const P: usize> = (
    SVector<f64, NQ>,
    SVector<f64, N>,
    SVector<f64, K>,
    [bool; P],
);

/// `resolve` and `contact_step` beside Rust, at these states and at others with random velocities, inputs and flags.
/// Returns the modes of the given states, and the number of errors of all.
fn compare<
    T,
    const NQ: usize,
    const N: usize,
    const K: usize,
    const C: usize,
    const P: usize,
    const M: usize,
>(
    (text, system): (&str, &T),
    (has_time, parameters): (bool, &[f64]),
    states: &[State<NQ, N, K, P>],
) -> (Vec<Result<Vec<f64>, RoutineError>>, usize)
where
    T: Frictional<f64, NQ, N, K, C, P, M>,
{
    let model = Model::read(text).unwrap_or_else(|messages| panic!("{}", messages[0]));
    let (mut random, mut modes, mut errors) = (Random::new(5), Vec::new(), 0);
    let close = |found: Values, expected: Values, name: &str| match (found, expected) {
        (Ok(found), Ok(expected)) => {
            let expected: Vec<Vec<f64>> = expected
                .into_iter()
                .filter(|values| !values.is_empty())
                .collect();
            assert_eq!(found.len(), expected.len(), "{name}");
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.len(), expected.len(), "{name}");
                let largest = expected.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
                let mut pairs = found.iter().zip(expected);
                let is_close = pairs.all(|(a, b)| (a - b).abs() <= 1e-10 * largest);
                assert!(is_close, "{name}: {found:?}, expected {expected:?}");
            }
        }
        (found, expected) => assert_eq!(found, expected, "{name}"),
    };
    let t = 0.3;
    for number in 0..60 + states.len() {
        let (q, mut v, mut u, mut closed) = states[number % states.len()];
        if number >= states.len() {
            v += SVector::from_fn(|_, _| random.between());
            u += SVector::from_fn(|_, _| 10.0 * random.between());
            closed = closed.map(|_| random.below(3) > 0);
            // Some velocities are 0, so that joints rest.
            v.iter_mut()
                .filter(|_| random.below(3) == 0)
                .for_each(|entry| *entry = 0.0);
        }
        let time = if has_time { &[t][..] } else { &[] };
        let flags = closed.map(|flag| f64::from(u8::from(flag)));
        let found = called(
            &model,
            "resolve",
            parameters,
            &[time, q.as_slice(), v.as_slice(), u.as_slice(), &flags],
        );
        let expected = system.resolve(t, &q, &v, &u, &closed).map_err(failed);
        let number_of = |flag: bool| f64::from(u8::from(flag));
        let expected = expected.map(|motion| {
            vec![
                motion.acceleration.as_slice().to_vec(),
                motion.multipliers.as_slice().to_vec(),
                motion.contact_forces.as_slice().to_vec(),
                motion.friction_forces.concat(),
                motion.modes.map(|mode| f64::from(mode as u8)).to_vec(),
                motion.joint_forces.to_vec(),
                motion.held.map(number_of).to_vec(),
            ]
        });
        errors += usize::from(expected.is_err());
        if number < states.len() {
            modes.push(
                expected
                    .clone()
                    .map(|values| values[4].clone())
                    .map_err(|(error, _)| error),
            );
        }
        close(found, expected, "resolve");
        for h in [0.01, 0.0, -0.02] {
            let state = [time, q.as_slice(), v.as_slice(), u.as_slice(), &[h]];
            let found = called(&model, "contact_step", parameters, &state);
            let expected = contact_step(system, t, &q, &v, &u, h).map_err(failed);
            let expected = expected.map(|step| {
                vec![
                    step.q.as_slice().to_vec(),
                    step.v.as_slice().to_vec(),
                    step.impulses.as_slice().to_vec(),
                    step.friction_impulses.concat(),
                    vec![step.residual],
                ]
            });
            errors += usize::from(expected.is_err());
            close(found, expected, "contact_step");
        }
    }
    (modes, errors)
}

/// Both ends stand, slide and open; one tips over; Painlevé's paradox leaves none.
#[test]
fn a_plank_in_a_plane() {
    let plank = Plank {
        m: 2.0,
        l: 1.0,
        mu: 0.6,
    };
    let speed = 0.3_f64.sin();
    let lies = SVector::from([0.5, 0.0, 0.0]);
    let carried = SVector::from([speed, 0.0, 0.0]);
    let both = [true, true, false];
    let angle = 2.0_f64.atan();
    let steep = SVector::from([0.0, 0.5 * angle.sin(), angle]);
    let backwards = SVector::from([speed - 1.0, 0.0, 0.0]);
    let states = [
        (lies, carried, SVector::from([1.0, 0.0]), both),
        (lies, carried, SVector::from([30.0, 0.0]), both),
        (lies, carried, SVector::from([-3.0, 40.0]), both),
        (
            lies,
            SVector::from([1.5, 0.0, 0.0]),
            SVector::from([2.0, 0.0]),
            both,
        ),
        (
            SVector::from([1.5, 0.0, 0.0]),
            SVector::from([1.3, 0.0, 0.0]),
            SVector::from([2.0, 1.0]),
            [true; 3],
        ),
        (
            steep,
            backwards,
            SVector::from([0.0, 0.0]),
            [true, false, false],
        ),
    ];
    let (modes, errors) = compare((planks::TEXT, &plank), (true, &[2.0, 1.0, 0.6]), &states);
    // Two ends that stick hold the same velocity.
    assert_eq!(modes[0], Err(RoutineError::DependentConstraints));
    assert_eq!(modes[1], Ok(vec![2.0, 2.0, 0.0]));
    assert_eq!(modes[2], Ok(vec![0.0; 3]));
    assert!(errors > 0);
    let rough = Plank { mu: 1.6, ..plank };
    let (modes, _) = compare(
        (planks::TEXT, &rough),
        (true, &[2.0, 1.0, 1.6]),
        &states[5..],
    );
    assert_eq!(modes, [Err(RoutineError::NoContactSolution)]);
}

#[test]
fn dry_joints() {
    let carts = Carts { m: 1.5, f: 0.7 };
    let q = SVector::from([0.2, 0.8, 0.8, 0.1]);
    let still = SVector::zeros();
    let moves = SVector::from([0.4, 0.4, 0.0, -0.3]);
    let states = [
        (q, still, SVector::from([0.1]), [false]),
        (q, still, SVector::from([9.0]), [true]),
        (q, moves, SVector::from([0.3]), [true]),
        (
            q,
            SVector::from([0.0, 0.0, 0.0, 2.0]),
            SVector::from([-20.0]),
            [true],
        ),
    ];
    compare((carts::TEXT, &carts), (false, &[1.5, 0.7]), &states);
    let brake = Brake { m: 2.0, f: 0.7 };
    let states = [
        (
            SVector::from([0.1, 0.0]),
            SVector::from([0.0, 0.0]),
            SVector::from([0.3]),
            [],
        ),
        (
            SVector::from([0.1, 0.0]),
            SVector::from([0.0, 0.0]),
            SVector::from([9.0]),
            [],
        ),
        (
            SVector::from([0.1, 0.0]),
            SVector::from([1.0, 0.0]),
            SVector::from([0.0]),
            [],
        ),
    ];
    compare((brakes::TEXT, &brake), (false, &[2.0, 0.7]), &states);
}

/// Of three feet in a line two suffice, and the groove is declared twice. A box has three feet in space.
#[test]
fn rows_that_depend_on_each_other() {
    let stool = Stool { m: 3.0, mu: 0.5 };
    let (q, still) = (SVector::zeros(), SVector::zeros());
    let states = [
        (q, still, SVector::from([2.0]), [true; 3]),
        (q, still, SVector::from([40.0]), [true; 3]),
        (
            q,
            SVector::from([0.3, -0.2, 0.0, 0.1]),
            SVector::from([1.0]),
            [true; 3],
        ),
    ];
    let (modes, _) = compare((stools::TEXT, &stool), (false, &[3.0, 0.5]), &states);
    assert_eq!(modes[..2], [Ok(vec![1.0; 3]), Ok(vec![2.0; 3])]);
    let heavy = Crate { m: 4.0, mu: 0.5 };
    let q = SVector::from([0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0]);
    let still = SVector::zeros();
    let slides = SVector::from([0.6, 0.8, 0.0, 0.0, 0.0, 0.0]);
    let states = [
        (q, still, SVector::from([8.0, -6.0]), [true; 3]),
        (q, slides, SVector::from([1.0, 0.0]), [true; 3]),
    ];
    let (modes, _) = compare((crates::TEXT, &heavy), (false, &[4.0, 0.5]), &states);
    assert_eq!(modes, [Ok(vec![1.0; 3]), Ok(vec![2.0; 3])]);
}

#[test]
fn a_ball_slides_rolls_and_jumps() {
    let marble = Marble {
        m: 3.0,
        radius: 0.25,
        mu: 0.25,
    };
    let q = SVector::from([0.1, -0.2, 0.25, 0.1, 0.7, -0.1, 0.7]);
    let slides = SVector::from([1.0, 2.0, 0.0, 0.3, -0.2, 0.1]);
    let states = [
        (q, SVector::zeros(), SVector::from([1.0, 0.5, 0.0]), [true]),
        (
            q,
            SVector::zeros(),
            SVector::from([30.0, -40.0, 0.0]),
            [true],
        ),
        (q, SVector::zeros(), SVector::from([3.0, 0.0, 40.0]), [true]),
        (q, slides, SVector::from([0.0, 0.0, 2.0]), [true]),
    ];
    let (modes, _) = compare(
        (marbles::TEXT, &marble),
        (false, &[3.0, 0.25, 0.25]),
        &states,
    );
    assert_eq!(modes, [1.0, 2.0, 0.0, 2.0].map(|mode| Ok(vec![mode])));
}

/// Coulomb's oscillator with m = k = 1 and F = 0.1 stops at -0.05 after 5 pi, and stays.
#[test]
fn an_oscillator_with_dry_friction_stops() {
    let text = "struct S { x: coordinate } T = der(x)^2 / 2; V = x^2 / 2; actuator { joint: x, coulomb: 0.1 }";
    let model = Model::read(text).unwrap();
    let (mut x, mut v) = ([1.05], [0.0]);
    for _ in 0..20_000 {
        let (q, w) = (x, v);
        let done = model.call(
            "contact_step",
            &[],
            &[&q, &w, &[1e-3]],
            &mut [&mut x, &mut v, &mut [0.0]],
        );
        done.unwrap();
    }
    assert_eq!(v, [0.0]);
    assert!((x[0] + 0.05).abs() < 1e-4, "{x:?}");
    let mut motion = [[7.0]; 3];
    let [a, force, held] = &mut motion;
    model
        .call("resolve", &[], &[&x, &v], &mut [a, force, held])
        .unwrap();
    assert_eq!((*a, *held), ([0.0], [1.0]));
    assert!((force[0] - x[0]).abs() < 1e-15);
}

/// A state of a batch without a motion leaves the others.
#[test]
fn a_state_without_a_motion_leaves_the_others() {
    let model = Model::read(planks::TEXT).unwrap();
    let angle = 2.0_f64.atan();
    let q: Vec<f64> = [[0.0, 0.5 * angle.sin(), angle], [0.5, 0.0, 0.0]]
        .concat()
        .repeat(5);
    let v: Vec<f64> = [0.3_f64.sin() - 1.0, 0.0, 0.0].repeat(10);
    let (u, active) = ([0.0; 20], [1.0, 0.0, 0.0].repeat(10));
    let lengths = [3, 3, 6, 3];
    let mut results = lengths.map(|length| vec![7.0; length * 10]);
    let mut written = results.each_mut().map(Vec::as_mut_slice);
    let parameters = [2.0, 1.0, 1.6];
    let failed = model.call_batch(
        "resolve",
        &parameters,
        &[&[0.3], &q, &v, &u, &active],
        &mut written,
        10,
    );
    let Err(Error::State {
        index: 0,
        reason: RoutineError::NoContactSolution,
        ..
    }) = failed
    else {
        panic!("{failed:?}");
    };
    for (length, values) in lengths.into_iter().zip(&results) {
        for (state, values) in values.chunks(length).enumerate() {
            assert_eq!(values.contains(&7.0), state % 2 == 0, "{values:?}");
        }
    }
}

/// In Rust a step is no method, so that an output may have its name.
#[test]
fn an_output_has_its_name_before_the_step() {
    let text = "struct Ball { y: coordinate } T = der(y)^2; contact floor: y >= 0; pub let contact_step = 3 * y;";
    let model = Model::read(text).unwrap();
    let steps = model
        .methods()
        .iter()
        .filter(|method| method.name == "contact_step");
    assert_eq!(steps.count(), 1);
    assert_eq!(
        called(&model, "contact_step", &[], &[&[2.0]]),
        Ok(vec![vec![6.0]])
    );
}
