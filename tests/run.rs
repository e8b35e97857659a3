//! `Run`: its order and its tolerance beside motions that are known otherwise, its events, its ends and its errors.

use lagrangian::nalgebra::{Quaternion, SVector, UnitQuaternion, Vector3, vector};
use lagrangian::{Advance, Baumgarte, Error, Event, Run, lagrangian};

lagrangian! {
    /// A planet.
    struct Planet { r: coordinate[2], mu: parameter }
    T = der(r)^2 / 2;
    V = -mu / norm(r);
}

lagrangian! {
    struct Top { att: rotation, i: parameter[3] }
    body { frame: world.rotate(att), inertia: diag(i) }
}

lagrangian! {
    /// A pendulum by its place.
    struct Bob { r: coordinate[2], l: parameter, g: parameter = 9.81 }
    T = der(r)^2 / 2;
    V = g * r.y;
    holonomic rod: r^2 = l^2;
}

lagrangian! {
    struct Ball { z: coordinate, g: parameter = 9.81, u: input }
    T = der(z)^2 / 2;
    V = g * z;
    Q.z = u;
}

/// The place and the velocity on an ellipse of semi-axis 1 and mu = 1 at a time after its pericentre.
fn on_ellipse(e: f64, t: f64) -> ([f64; 2], [f64; 2]) {
    let mut anomaly = t;
    for _ in 0..50 {
        anomaly -= (anomaly - e * anomaly.sin() - t) / (1.0 - e * anomaly.cos());
    }
    let ((sin, cos), root) = (anomaly.sin_cos(), (1.0 - e * e).sqrt());
    let rate = 1.0 / (1.0 - e * cos);
    ([cos - e, root * sin], [-sin * rate, root * cos * rate])
}

/// The error at the time 6, and the number of steps.
fn of_planet(tolerance: f64) -> (f64, u32) {
    let planet = Planet { mu: 1.0 };
    let (q, v) = on_ellipse(0.6, 0.0);
    let (mut end, mut steps) = ((0.0, q.into()), 0);
    for step in Run::new(&planet, 0.0, q.into(), v.into())
        .tolerance(tolerance)
        .until(6.0)
    {
        let step = step.unwrap();
        (end, steps) = ((step.t, step.q), steps + 1);
    }
    assert_eq!(end.0, 6.0);
    (
        (end.1 - SVector::from(on_ellipse(0.6, 6.0).0)).norm(),
        steps,
    )
}

#[test]
fn tolerances_on_keplers_ellipse() {
    let results = [1e-6, 1e-8, 1e-10, 1e-12].map(|tolerance| (tolerance, of_planet(tolerance)));
    for (tolerance, (error, _)) in results {
        assert!(error < 50.0 * tolerance, "{results:?}");
    }
    // A step of order 5: a hundredth of the tolerance takes 2.5 times as many steps.
    for pair in results.windows(2) {
        let ratio = f64::from(pair[1].1.1) / f64::from(pair[0].1.1);
        assert!((2.0..3.0).contains(&ratio), "{results:?}");
    }
}

#[test]
fn dense_output_on_keplers_ellipse() {
    let planet = Planet { mu: 1.0 };
    let (q, v) = on_ellipse(0.6, 0.0);
    let mut run = Run::new(&planet, 0.0, q.into(), v.into())
        .tolerance(1e-10)
        .until(6.0);
    let (mut before, mut largest) = (0.0, 0.0_f64);
    assert_eq!(run.at(3.0), (q.into(), v.into()));
    while let Some(step) = run.next() {
        let step = step.unwrap();
        for part in [0.0, 0.2, 0.5, 0.8, 1.0] {
            let t = before + part * (step.t - before);
            let (q, v) = run.at(t);
            let (place, speed) = on_ellipse(0.6, t);
            largest = largest.max((q - SVector::from(place)).norm());
            largest = largest.max((v - SVector::from(speed)).norm());
        }
        assert_eq!(run.at(step.t), (step.q, step.v));
        before = step.t;
    }
    assert!(largest < 2e-8, "{largest}");
}

/// The orientation of a top with the moments of inertia (a, a, c) whose centre is held.
fn turned(
    start: &UnitQuaternion<f64>,
    w: &Vector3<f64>,
    [a, c]: [f64; 2],
    t: f64,
) -> UnitQuaternion<f64> {
    let momentum = start * vector![a * w.x, a * w.y, c * w.z];
    let about_momentum = UnitQuaternion::from_scaled_axis(momentum * (t / a));
    let about_axis = UnitQuaternion::from_scaled_axis(Vector3::z() * ((1.0 - c / a) * w.z * t));
    about_momentum * start * about_axis
}

#[test]
fn a_spinning_top_stays_a_rotation() {
    let [a, c] = [0.4, 0.9];
    let top = Top { i: [a, a, c] };
    let start = UnitQuaternion::from_quaternion(Quaternion::new(0.3_f64, -0.8, 0.1, 0.4));
    let w = vector![1.3, -0.4, 21.0];
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let mut end = (*start.as_vector(), w);
        let mut run = Run::new(&top, 0.0, end.0, w)
            .tolerance(tolerance)
            .until(3.0);
        let (mut before, mut between) = (0.0, 0.0_f64);
        while let Some(step) = run.next() {
            let step = step.unwrap();
            assert!((step.q.norm() - 1.0).abs() < 1e-14);
            let middle = (before + step.t) / 2.0;
            let there = UnitQuaternion::from_quaternion(Quaternion::from(run.at(middle).0));
            between = between.max(there.angle_to(&turned(&start, &w, [a, c], middle)));
            (end, before) = ((step.q, step.v), step.t);
        }
        let there = UnitQuaternion::from_quaternion(Quaternion::from(end.0));
        let error = there.angle_to(&turned(&start, &w, [a, c], 3.0));
        assert!(error < 200.0 * tolerance, "{tolerance}: {error}");
        assert!(between < 2000.0 * tolerance, "{tolerance}: {between}");
    }
}

/// The period of a pendulum by the arithmetic-geometric mean.
fn period(l: f64, g: f64, amplitude: f64) -> f64 {
    let (mut a, mut b) = (1.0, (amplitude / 2.0).cos());
    for _ in 0..8 {
        (a, b) = ((a + b) / 2.0, (a * b).sqrt());
    }
    std::f64::consts::TAU * (l / g).sqrt() / a
}

/// With constraints that are met at every step, and with the system that pulls back to them.
#[test]
fn a_constrained_pendulum_passes_its_lowest_point_in_time() {
    let bob = Bob::new(2.0);
    let q = vector![2.0 * 1.2_f64.sin(), -2.0 * 1.2_f64.cos()];
    let half = period(2.0, 9.81, 1.2) / 2.0;
    let mut times = Vec::new();
    let run = Run::new(&bob, 0.0, q, vector![0.0, 0.0])
        .tolerance(1e-11)
        .project_every_step();
    for step in run.event(|_, q, _| q[0]).until(10.0) {
        let step = step.unwrap();
        assert!((bob.constraint_residual(&step.q)[0]).abs() < 1e-14);
        if step.event == Some(Event::Zero(0)) {
            times.push(step.t);
        }
    }
    assert_eq!(times.len(), (10.0 / half + 0.5) as usize);
    for (number, t) in times.iter().enumerate() {
        assert!(
            (t - half * (number as f64 + 0.5)).abs() < 1e-9,
            "{number}: {t}"
        );
    }
    let pulled = Baumgarte {
        system: &bob,
        step: 0.01,
        alpha: 0.05,
        beta: 0.05,
    };
    let run = Run::new(&pulled, 0.0, q, vector![0.0, 0.0]).tolerance(1e-11);
    let last = run.until(half).last().unwrap().unwrap();
    assert!((last.q[0] + q[0]).abs() < 1e-8, "{last:?}");
}

#[test]
fn the_time_of_a_fall_is_exact() {
    let ball = Ball::new();
    let fall = Run::new(&ball, 0.0, vector![1.0], vector![0.0]).event(|_, q, _| q[0]);
    let hit = fall
        .filter_map(Result::ok)
        .find(|step| step.event.is_some())
        .unwrap();
    let expected = (2.0_f64 / 9.81).sqrt();
    assert!((hit.t - expected).abs() <= 2e-16, "{}", hit.t - expected);
    assert!(hit.q[0].abs() < 4e-16 && (hit.v[0] + 9.81 * expected).abs() < 2e-15);
    // Backwards from there.
    let back = Run::new(&ball, hit.t, hit.q, hit.v).until(0.0);
    let start = back.last().unwrap().unwrap();
    assert_eq!(start.t, 0.0);
    assert!(
        (start.q[0] - 1.0).abs() < 4e-15 && start.v[0].abs() < 4e-15,
        "{start:?}"
    );
}

/// Every event of a step is told, those of one time one after the other, and none twice.
#[test]
fn events_come_in_their_order() {
    let ball = Ball::new();
    let run = Run::new(&ball, 0.0, vector![1.0], vector![0.0])
        .event(|_, q, _| q[0] - 0.5)
        .event(|t, _, _| t - 0.2)
        .event(|_, q, _| 2.0 * q[0] - 1.0)
        // 0 from the start, and positive from then on.
        .event(|t, _, _| t)
        // Never below 0.
        .event(|t, _, _| (t - 0.3) * (t - 0.3))
        .until(0.4);
    let found = run
        .map(Result::unwrap)
        .filter_map(|step| Some((step.event?, step.t)));
    let found: Vec<(Event, f64)> = found.collect();
    let at_half = (1.0_f64 / 9.81).sqrt();
    let expected = [(1, 0.2), (0, at_half), (2, at_half)];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((event, t), (number, time)) in found.iter().zip(expected) {
        assert_eq!(*event, Event::Zero(number), "{found:?}");
        assert!((t - time).abs() < 1e-15, "{found:?}");
    }
}

/// Functions that are 0 at the end of the run are events there, one after the other. A run from there tells none again.
#[test]
fn events_at_the_end_are_told() {
    let ball = Ball::new();
    for end in [0.4, 0.3, 1.0 / 3.0, 0.1, -0.3] {
        let run = |t: f64, q, v| {
            Run::new(&ball, t, q, v)
                .event(move |t, _, _| t - end)
                .event(|_, q, _| q[0] - 100.0)
                .event(move |t, _, _| 3.0 * (end - t))
        };
        let steps = run(0.0, vector![1.0], vector![0.0]).until(end);
        let steps: Vec<Advance<f64, 1, 1>> = steps.map(Result::unwrap).collect();
        let events = steps.iter().filter_map(|step| Some((step.event?, step.t)));
        let expected = [(Event::Zero(0), end), (Event::Zero(2), end)];
        assert_eq!(events.collect::<Vec<_>>(), expected, "{end}");
        let last = steps.last().unwrap();
        let next = run(end, last.q, last.v).until(2.0 * end);
        assert!(next.map(Result::unwrap).all(|step| step.event.is_none()));
    }
}

/// The place of an event is that of the step, however rough the steps are.
#[test]
fn events_of_rough_steps_are_located_to_rounding() {
    let planet = Planet { mu: 1.0 };
    for e in [0.1, 0.3, 0.6] {
        for tolerance in [1e-8, 1e-4, 1e-2, 0.1] {
            let (q, v) = on_ellipse(e, 0.0);
            let run = Run::new(&planet, 0.0, q.into(), v.into()).tolerance(tolerance);
            let mut found = 0;
            for step in run.event(|_, q, _| q[0]).event(|_, q, _| q[1]).until(20.0) {
                let step = step.unwrap();
                if let Some(Event::Zero(axis)) = step.event {
                    let noise = 64.0 * f64::EPSILON * (step.q.norm() + step.v.norm() * step.t);
                    assert!(step.q[axis].abs() <= noise, "{e} {tolerance} {step:?}");
                    found += 1;
                }
            }
            assert!(found > 3, "{e} {tolerance}: {found}");
        }
    }
}

/// A motion that events interrupt is the same as one without them.
#[test]
fn events_do_not_change_the_motion() {
    let planet = Planet { mu: 1.0 };
    let (q, v) = on_ellipse(0.6, 0.0);
    let run = Run::new(&planet, 0.0, q.into(), v.into()).tolerance(1e-10);
    let run = run
        .event(|t, _, _| (30.0 * t).sin())
        .event(|_, q, v| q.dot(v));
    let (mut events, mut end) = (0, Vec::new());
    for step in run.until(6.0) {
        let Advance { t, q, event, .. } = step.unwrap();
        let Some(event) = event else {
            end = q.as_slice().to_vec();
            continue;
        };
        events += 1;
        let expected = match event {
            Event::Zero(0) => {
                (30.0 * t / std::f64::consts::PI).round() * std::f64::consts::PI / 30.0
            }
            _ => std::f64::consts::PI,
        };
        assert!((t - expected).abs() < 1e-8, "{event:?} at {t}");
    }
    assert_eq!(events, 57 + 1);
    let (place, _) = on_ellipse(0.6, 6.0);
    assert!((end[0] - place[0]).hypot(end[1] - place[1]) < 1e-8);
}

/// In other units of length and time, powers of two, every step is the same to its last bit.
#[test]
fn steps_do_not_depend_on_units() {
    let run = |length: f64, time: f64| {
        let planet = Planet {
            mu: length.powi(3) / time.powi(2),
        };
        let (q, v) = on_ellipse(0.6, 0.0);
        let start = (
            SVector::from(q) * length,
            SVector::from(v) * (length / time),
        );
        let run = Run::new(&planet, 0.0, start.0, start.1)
            .event(|_, q, _| q[1])
            .until(6.0 * time);
        let steps = run
            .map(Result::unwrap)
            .map(|step| (step.t / time, step.q / length, step.event));
        steps.collect::<Vec<_>>()
    };
    let expected = run(1.0, 1.0);
    assert!(expected.iter().any(|(.., event)| event.is_some()));
    for length in [2.0_f64.powi(60), 2.0_f64.powi(-60)] {
        for time in [2.0_f64.powi(-50), 1.0, 2.0_f64.powi(50)] {
            assert_eq!(run(length, time), expected, "{length} {time}");
        }
    }
}

lagrangian! {
    /// Two equal carts between walls, on equal springs: their centre stays where it is.
    struct Carts { x, y: coordinate, k: parameter }
    T = (der(x + y)^2 + der(x - y)^2) / 2;
    V = k * (sin(x + y)^2 + (x - y)^4 + (x - y)^2) / 2;
}

/// A part that is 0 but for rounding does not shorten the steps, and a start at rest at 0 has a first step.
#[test]
fn parts_without_motion_do_not_matter() {
    let carts = Carts { k: 3.0 };
    let steps = |x: f64| {
        let run = Run::new(&carts, 0.0, vector![x, -0.3], vector![0.1, -0.1]);
        run.until(10.0).map(Result::unwrap).count()
    };
    // The centre is still, or moves by a rounding.
    let counts = [steps(0.3), steps(0.3_f64.next_up())];
    assert!(counts[1] < counts[0] + 10, "{counts:?}");
    let ball = Ball { g: 0.0 };
    let still = Run::new(&ball, 0.0, vector![0.0], vector![0.0]);
    let end = still.until(1.0).last().unwrap().unwrap();
    assert_eq!((end.t, end.q[0], end.v[0]), (1.0, 0.0, 0.0));
    for g in [1e-20_f64, 1.0, 1e20] {
        let ball = Ball { g };
        let fall = Run::new(&ball, 0.0, vector![0.0], vector![0.0]).event(|_, q, _| q[0] + 1.0);
        let hit = fall
            .map(Result::unwrap)
            .find(|step| step.event.is_some())
            .unwrap();
        assert!(
            (hit.t * g.sqrt() - 2.0_f64.sqrt()).abs() < 1e-14,
            "{g}: {}",
            hit.t
        );
    }
}

#[test]
fn inputs_are_functions_of_the_state() {
    let ball = Ball { g: 0.0 };
    // A spring, critically damped.
    let run = Run::new(&ball, 0.0, vector![1.0], vector![0.0]).input(|_, q, v| -q - 2.0 * v);
    let end = run.tolerance(1e-12).until(3.0).last().unwrap().unwrap();
    assert!((end.q[0] - 4.0 * (-3.0_f64).exp()).abs() < 1e-11, "{end:?}");
}

#[test]
fn single_precision() {
    let ball = Ball { g: 9.81_f32 };
    let run = Run::new(&ball, 0.0, vector![1.0], vector![0.0]).event(|_, q, _| q[0]);
    let hit = run
        .tolerance(1e-6)
        .map(Result::unwrap)
        .find(|step| step.event.is_some())
        .unwrap();
    assert!((hit.t - (2.0_f32 / 9.81).sqrt()).abs() <= 2e-7, "{}", hit.t);
}

#[test]
fn errors_end_a_run() {
    let planet = Planet { mu: 1.0 };
    let from = |q: [f64; 2], v: [f64; 2]| Run::new(&planet, 0.0, q.into(), v.into());
    let named = |argument| Some(Err(Error::NotFinite { argument }));
    assert_eq!(from([f64::NAN, 1.0], [0.0; 2]).next(), named("q"));
    assert_eq!(
        from([1.0, 1.0], [0.0; 2]).tolerance(f64::NAN).next(),
        named("tolerance")
    );
    assert_eq!(
        from([1.0, 1.0], [0.0; 2]).until(f64::INFINITY).next(),
        named("until")
    );
    // A fall into the centre.
    let mut fall = from([1.0, 0.0], [0.0; 2]).until(2.0);
    let last = fall.find(Result::is_err);
    assert!(
        matches!(
            last,
            Some(Err(Error::NotConverged { .. } | Error::NotFinite { .. }))
        ),
        "{last:?}"
    );
    assert_eq!(fall.next(), None);
}

lagrangian! {
    /// A pendulum on two rods of the same length.
    #[lagrangian(redundant)]
    #[allow(deprecated)]
    struct Doubled { x, y: coordinate, m, l: parameter = 1, g: parameter = 9.81 }
    T = m * (der(x)^2 + der(y)^2) / 2;
    V = m * g * y;
    holonomic rod: x^2 + y^2 = l^2;
    holonomic other: 2 * (x^2 + y^2) = 2 * l^2;
}

/// The stages of a step are beside the constraints: there rows depend on each other no longer. The error of the motion stays
/// in proportion to the tolerance.
#[test]
fn redundant_rows_keep_the_order() {
    let doubled = Doubled::default();
    let (angle, speed) = (1.5_f64, 0.3);
    let (sin, cos) = angle.sin_cos();
    let (q, v) = (vector![sin, -cos], vector![speed * cos, speed * sin]);
    let end = |tolerance: f64, projects: bool| {
        let run = Run::new(&doubled, 0.0, q, v)
            .tolerance(tolerance)
            .until(2.0);
        let run = if projects {
            run.project_every_step()
        } else {
            run
        };
        run.map(|step| step.unwrap()).last().unwrap()
    };
    // The angle by the classical method with 20,000 steps.
    let mut state = [angle, speed];
    let h = 2.0 / 20_000.0;
    let rate = |[angle, speed]: [f64; 2]| [speed, -9.81 * angle.sin()];
    for _ in 0..20_000 {
        let moved = |rate: [f64; 2], h: f64| [state[0] + h * rate[0], state[1] + h * rate[1]];
        let first = rate(state);
        let second = rate(moved(first, h / 2.0));
        let third = rate(moved(second, h / 2.0));
        let fourth = rate(moved(third, h));
        for i in 0..2 {
            state[i] += h / 6.0 * (first[i] + 2.0 * (second[i] + third[i]) + fourth[i]);
        }
    }
    let (sin, cos) = state[0].sin_cos();
    for projects in [false, true] {
        for tolerance in [1e-6, 1e-8, 1e-10, 1e-12] {
            let step = end(tolerance, projects);
            let place = (step.q - vector![sin, -cos]).norm();
            let speed = (step.v - vector![cos, sin] * state[1]).norm();
            println!("{projects} {tolerance:e}: {place:.1e} {speed:.1e}");
            assert!(
                place.max(speed) < 30.0 * tolerance,
                "{tolerance:e} {place:e} {speed:e}"
            );
        }
    }
}
