//! `Run::hybrid` and `Run::with_states` beside motions that are known otherwise.

use std::f64::consts::PI;

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Advance, Event, Run, lagrangian};
use toy::Woodpecker;

#[path = "friction/toy.rs"]
mod toy;

lagrangian! {
    /// A mass on a spring, with dry friction.
    struct Oscillator { x: coordinate, m, k, f: parameter }
    T = m * der(x)^2 / 2;
    V = k * x^2 / 2;
    actuator { joint: x, coulomb: f }
}

lagrangian! {
    /// A mass on a moving belt, on a spring, with more friction at rest.
    struct Belt { x, y: coordinate, speed, rest, sliding: parameter, g: parameter = 1 }
    T = (der(x)^2 + der(y)^2) / 2;
    V = x^2 / 2 + g * y;
    contact belt: y >= 0 {
        slip: der(x) - speed,
        friction: if abs(der(x) - speed) > 0 { sliding } else { rest },
    };
}

lagrangian! {
    struct Ball { z: coordinate, e: parameter, g: parameter = 9.81 }
    T = der(z)^2 / 2;
    V = g * z;
    contact floor: z >= 0 { restitution: e };
}

lagrangian! {
    /// Housner's block, on its two lower corners; `r` is half of its diagonal.
    struct Block { x, y, theta: coordinate, alpha, r, mu: parameter, g: parameter = 9.81 }
    let i = r^2 / 3;
    T = (der(x)^2 + der(y)^2 + i * der(theta)^2) / 2;
    V = g * y;
    let right = [x + r * sin(alpha + theta), y - r * cos(alpha + theta)];
    let left = [x - r * sin(alpha - theta), y - r * cos(alpha - theta)];
    contact right: right.y >= 0 { slip: der(right.x), friction: mu };
    contact left: left.y >= 0 { slip: der(left.x), friction: mu };
}

lagrangian! {
    /// A motor of direct current, whose coil has a resistance and an inductance.
    struct Motor { angle: coordinate, i: state, j, k, l, r: parameter, u: input }
    T = j * der(angle)^2 / 2;
    Q.angle = k * i;
    der(i) = (u - k * der(angle) - r * i) / l;
}

lagrangian! {
    /// A point on a slope that is so rough that it stops; x is the way down.
    struct Slope { x, y, z: coordinate, angle, mu: parameter, g: parameter = 9.81 }
    T = (der(x)^2 + der(y)^2 + der(z)^2) / 2;
    V = g * (z * cos(angle) - x * sin(angle));
    contact slope: z >= 0 { slip: [der(x), der(y)], friction: mu };
}

lagrangian! {
    /// A hook on a table, and a cart with a brake, both pulled by u.
    struct Crane { z, x: coordinate, m: parameter = 2, f: parameter, g: parameter = 10, u: input }
    T = m * (der(z)^2 + der(x)^2) / 2;
    V = m * g * z;
    Q.z = u;
    Q.x = u;
    actuator { joint: x, coulomb: f }
    contact table: z >= 0;
}

lagrangian! {
    /// A load on a table, with a brake on its way up, which u lifts.
    struct Lift { z: coordinate, m, f, g: parameter, u: input }
    T = m * der(z)^2 / 2;
    V = m * g * z;
    Q.z = u;
    actuator { joint: z, coulomb: f }
    contact table: z >= 0;
}

lagrangian! {
    /// A leg of two rods under a mass on a rail, with a foot that sticks, on a spring between foot and hip.
    struct Leg { y, hip, knee: coordinate, l, k, mu: parameter, g: parameter = 9.81 }
    let middle = [l * sin(hip), y - l * cos(hip)];
    let foot = middle + l * [sin(hip + knee), -cos(hip + knee)];
    T = (der(y)^2 + der(middle)^2 / 10 + der(foot)^2 / 20) / 2;
    V = g * (y + middle.y / 10 + foot.y / 20) + k * (y - foot.y - 1.5 * l)^2 / 2 + k * (l * (hip + knee / 2))^2 / 2;
    contact foot: foot.y >= 0 { slip: der(foot.x), friction: mu };
}

type Ends<const NQ: usize, const N: usize = NQ> = Vec<Advance<f64, NQ, N>>;

/// The steps that end at events.
fn events<const NQ: usize, const N: usize>(
    steps: impl Iterator<Item = Result<Advance<f64, NQ, N>, lagrangian::Error>>,
) -> Ends<NQ, N> {
    let steps = steps.map(|step| step.expect("a motion"));
    steps.filter(|step| step.event.is_some()).collect()
}

/// In each half of a period the amplitude gets smaller by 2 f / k, until the spring is too weak.
#[test]
fn a_mass_with_dry_friction_stops() {
    let oscillator: Oscillator = Oscillator {
        m: 1.0,
        k: 1.0,
        f: 0.1,
    };
    let run = Run::hybrid(&oscillator, 0.0, vector![1.05], vector![0.0]);
    let steps: Ends<1> = run
        .tolerance(1e-12)
        .until(20.0)
        .map(Result::unwrap)
        .collect();
    let found = events(steps.iter().copied().map(Ok));
    let last = found.last().unwrap();
    assert_eq!(last.event, Some(Event::Holds(0)));
    assert!((last.t - 5.0 * PI).abs() < 1e-10, "{}", last.t);
    assert!((last.q[0] + 0.05).abs() < 1e-11, "{}", last.q[0]);
    for step in steps.iter().filter(|step| step.t >= last.t) {
        assert_eq!((step.q, step.v), (last.q, vector![0.0]));
    }
    assert_eq!(steps.last().unwrap().t, 20.0);
}

/// The mass sticks until the spring has stretched by 1. Then it slides on a circle about 0.5, up to where it has the
/// velocity of the belt again.
#[test]
fn a_belt_makes_a_mass_stick_and_slip() {
    let belt: Belt = Belt {
        speed: 0.2,
        rest: 1.0,
        sliding: 0.5,
        g: 1.0,
    };
    let run = Run::hybrid(&belt, 0.0, vector![0.0, 0.0], vector![0.2, 0.0]);
    let found = events(run.tolerance(1e-12).until(40.0));
    assert!(found.len() >= 8, "{}", found.len());
    for (number, pair) in found.windows(2).enumerate() {
        let (event, time) = if number % 2 == 0 {
            (Event::Slides(0), 3.902605407814523)
        } else {
            (Event::Sticks(0), 5.0)
        };
        assert_eq!(pair[0].event, Some(event));
        if number > 0 {
            assert!((pair[1].t - pair[0].t - time).abs() < 1e-10, "{number}");
        }
    }
}

#[test]
fn a_ball_rests_after_its_last_bounce() {
    let ball: Ball = Ball { e: 0.5, g: 9.81 };
    let run = Run::hybrid(&ball, 0.0, vector![1.0], vector![0.0]).tolerance(1e-13);
    let steps: Ends<1> = run.until(3.0).map(Result::unwrap).collect();
    let found = events(steps.iter().copied().map(Ok));
    let first = (2.0_f64 / 9.81).sqrt();
    assert!((found[0].t - first).abs() < 1e-15);
    assert!((found[0].v[0] - 0.5 * 9.81 * first).abs() < 1e-13);
    assert!((found[1].t - 2.0 * first).abs() < 1e-13);
    let last = found.last().unwrap();
    assert!((last.t - 1.354570922957193).abs() < 1e-12, "{}", last.t);
    let end = steps.last().unwrap();
    assert_eq!((end.t, end.v[0]), (3.0, 0.0));
    assert!(end.q[0].abs() < 1e-14, "{}", end.q[0]);
}

#[test]
fn a_block_rocks_on_its_corners() {
    let (alpha, r, angle) = (0.2_f64, 1.0, 0.1_f64);
    let block: Block = Block {
        alpha,
        r,
        mu: 2.0,
        g: 9.81,
    };
    // On its left corner, at the place 0.
    let turned = alpha - angle;
    let q = vector![r * turned.sin(), r * turned.cos(), angle];
    let run = Run::hybrid(&block, 0.0, q, SVector::zeros());
    let mut run = run.tolerance(1e-12).until(2.0);
    let mut strikes: Vec<(f64, f64)> = Vec::new();
    while let Some(step) = run.next() {
        let step = step.unwrap();
        if matches!(step.event, Some(Event::Closes(_))) {
            strikes.push((step.t, step.v[2] / run.at(step.t).1[2]));
        }
    }
    assert!(
        (strikes[0].0 - 0.486089731957354).abs() < 1e-11,
        "{strikes:?}"
    );
    assert!(
        (strikes[0].1 - 0.940795745502164).abs() < 1e-11,
        "{strikes:?}"
    );
    assert!(
        (strikes[1].1 - 0.940795745502164).abs() < 1e-10,
        "{strikes:?}"
    );
}

#[test]
fn the_woodpecker_pecks() {
    let toy = Woodpecker::<f64>::default();
    let (q, v) = (
        vector![0.0, -0.1036, -0.2788],
        vector![-0.3411, 0.0, -7.4583],
    );
    let mut run = Run::hybrid(&toy, 0.0, q, v).tolerance(1e-12).until(0.4);
    let mut strikes: Vec<(f64, f64)> = Vec::new();
    while let Some(step) = run.next() {
        let step = step.unwrap();
        if step.event == Some(Event::Closes(0)) {
            strikes.push((step.t, run.at(step.t).1[2]));
        }
    }
    let known = [
        (0.08101349738, 16.935908728),
        (0.22685406562, 16.896038242),
        (0.37292390502, 16.923971522),
    ];
    for ((t, rate), known) in strikes.into_iter().zip(known) {
        assert!((t - known.0).abs() < 1e-10, "{t}");
        assert!((rate - known.1).abs() < 1e-7, "{rate}");
    }
}

#[test]
fn the_woodpecker_gets_to_its_cycle() {
    let toy = Woodpecker::<f64>::default();
    let q = vector![0.0, 0.0894038527390, 0.12];
    let v = vector![-0.0937751916833, 22.8785032796, -8.45558868430];
    let found = events(Run::hybrid(&toy, 0.0, q, v).tolerance(1e-12).until(0.146));
    let cycle = [
        (Event::Closes(2), 0.000579521538),
        (Event::Opens(2), 0.002434212332),
        (Event::Closes(1), 0.037722623020),
        (Event::Closes(1), 0.040451357051),
        (Event::Sticks(1), 0.086571479204),
        (Event::Slides(1), 0.126164886204),
        (Event::Opens(1), 0.131985643438),
        (Event::Closes(2), 0.142874711484),
        (Event::Closes(0), 0.145976065143),
    ];
    let times: Vec<_> = found
        .iter()
        .map(|step| (step.event.unwrap(), step.t))
        .collect();
    assert_eq!(times.len(), cycle.len(), "{times:?}");
    for ((event, t), known) in times.into_iter().zip(cycle) {
        assert_eq!(event, known.0);
        assert!((t - known.1).abs() < 1e-9, "{event:?} {t}");
    }
    let drop = found.last().unwrap().q[0];
    assert!((drop + 19.4453793e-3).abs() < 1e-9, "{drop}");
}

/// The cycle in other units, of which each is a power of 4, so that no rounding changes.
#[test]
fn events_do_not_depend_on_units() {
    let powers = [4.0_f64.powi(-33), 1.0, 4.0_f64.powi(33)];
    let run = |mass: f64, length: f64, time: f64| {
        let moment = mass * length * length;
        let toy = Woodpecker::<f64>::default();
        let toy = Woodpecker {
            m_m: toy.m_m * mass,
            m_s: toy.m_s * mass,
            j_m: toy.j_m * moment,
            j_s: toy.j_s * moment,
            c: toy.c * moment / time / time,
            r_0: toy.r_0 * length,
            r_m: toy.r_m * length,
            h_m: toy.h_m * length,
            l_m: toy.l_m * length,
            l_g: toy.l_g * length,
            h_s: toy.h_s * length,
            l_s: toy.l_s * length,
            g: toy.g * length / time / time,
            ..toy
        };
        let q = vector![0.0, 0.0894038527390, 0.12];
        let v = vector![-0.0937751916833 * length, 22.8785032796, -8.45558868430] / time;
        let run = Run::hybrid(&toy, 0.0, q, v).tolerance(1e-10);
        let found = events(run.until(0.146 * time));
        let scaled = found.iter().map(|step| {
            let place = step.q[0] / length;
            (step.event.unwrap(), step.t / time, place, step.v[2] * time)
        });
        scaled.collect::<Vec<_>>()
    };
    let known = run(1.0, 1.0, 1.0);
    assert_eq!(known.len(), 9);
    for mass in powers {
        for length in powers {
            for time in powers {
                let found = run(mass, length, time);
                assert_eq!(found.len(), known.len(), "{mass} {length} {time}");
                for (found, known) in found.iter().zip(&known) {
                    assert_eq!(found.0, known.0, "{mass} {length} {time}");
                    assert!((found.1 - known.1).abs() < 1e-9, "{found:?} {known:?}");
                    assert!((found.2 - known.2).abs() < 1e-9, "{found:?} {known:?}");
                    assert!((found.3 - known.3).abs() < 1e-6, "{found:?} {known:?}");
                }
            }
        }
    }
}

/// Also at the default tolerance, each cycle after the first strike has the same events.
#[test]
fn the_woodpecker_repeats_its_events() {
    let toy = Woodpecker::<f64>::default();
    let q = vector![0.0, -0.1036, -0.2788];
    let v = vector![-0.3411, 0.0, -7.4583];
    let found = events(Run::hybrid(&toy, 0.0, q, v).until(1.5));
    let kinds: Vec<_> = found.iter().map(|step| step.event.unwrap()).collect();
    let (before, cycles) = kinds.split_at(5);
    let sticks = [Event::Sticks(1), Event::Slides(1), Event::Opens(1)];
    let strikes = [Event::Closes(2), Event::Closes(0)];
    assert_eq!(before, [&sticks[..], &strikes].concat());
    let begins = [
        Event::Closes(2),
        Event::Opens(2),
        Event::Closes(1),
        Event::Closes(1),
    ];
    let cycle = [&begins[..], &sticks, &strikes].concat();
    assert!(cycles.len() > 9 * cycle.len(), "{cycles:?}");
    for kinds in cycles.chunks_exact(cycle.len()) {
        assert_eq!(kinds, cycle);
    }
}

/// On a slope friction turns the point downwards. With s and c the sine and the cosine of the angle, `mu c |v| + s v_x`
/// decreases at the rate g (mu² c² - s²).
#[test]
fn a_point_on_a_slope_turns_and_stops() {
    let slope: Slope = Slope {
        angle: 0.3,
        mu: 0.5,
        g: 9.81,
    };
    let v = vector![-0.7, 1.1, 0.0];
    let run = Run::hybrid(&slope, 0.0, SVector::zeros(), v).tolerance(1e-11);
    let steps: Ends<3> = run.until(3.0).map(Result::unwrap).collect();
    let (s, c) = slope.angle.sin_cos();
    let speed = |v: &SVector<f64, 3>| slope.mu * c * v.norm() + s * v[0];
    let rate = slope.g * ((slope.mu * c).powi(2) - s * s);
    let found = events(steps.iter().copied().map(Ok));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].event, Some(Event::Sticks(0)));
    assert!(
        (found[0].t - speed(&v) / rate).abs() < 1e-8,
        "{}",
        found[0].t
    );
    for step in &steps {
        let left = (speed(&v) - rate * step.t).max(0.0);
        assert!((speed(&step.v) - left).abs() < 1e-8, "{}", step.t);
        assert!(step.q[2].abs() < 1e-15 && step.v[2].abs() < 1e-15);
    }
    let end = steps.last().unwrap();
    assert_eq!(end.t, 3.0);
    assert!((end.q - found[0].q).norm() < 1e-14 && end.v.norm() < 1e-14);
}

/// The pull is 40 t up to t = 1, and gets to 0 at t = 2. The cart begins to move at a pull of f, and the hook at m g. At
/// t = 2 they have the velocities 16.1 and 2.5, and the hook is at 55/12.
#[test]
fn a_brake_and_a_table_hold_up_to_their_forces() {
    let crane = Crane::<f64>::new(4.0);
    let pull = |t: f64| vector![40.0 * t.min(2.0 - t).max(0.0)];
    let run = Run::hybrid(&crane, 0.0, SVector::zeros(), SVector::zeros());
    let run = run.input(|t, _, _| pull(t)).event(|t, _, _| t - 1.0);
    let found = events(run.tolerance(1e-11).until(12.0));
    let falls = (2.5 + (6.25_f64 + 275.0 / 3.0).sqrt()) / 10.0;
    let known = [
        (Event::Moves(0), 0.1),
        (Event::Opens(0), 0.5),
        (Event::Zero(0), 1.0),
        (Event::Closes(0), 2.0 + falls),
        (Event::Holds(0), 10.05),
    ];
    assert_eq!(found.len(), known.len(), "{found:?}");
    for (step, (event, t)) in found.iter().zip(known) {
        assert_eq!(step.event, Some(event));
        assert!((step.t - t).abs() < 1e-8, "{event:?} {}", step.t);
    }
    assert_eq!(found[4].v, vector![0.0, 0.0]);
}

/// The brake takes at most f of the load, and the table the rest, until the pull is above the weight and f: the pull is t
/// weights, and afterwards z'' = g (t - 1) - f/m.
#[test]
fn a_brake_and_a_table_share_a_load() {
    for (mass, length) in [(1.0, 1.0), (2e-20, 1.0), (3e20, 7e-20), (1.0, 5e20)] {
        let (m, g, f) = (2.0 * mass, 10.0 * length, 4.0 * mass * length);
        let lift: Lift = Lift { m, f, g };
        let run = Run::hybrid(&lift, 0.0, vector![0.0], vector![0.0]);
        let run = run.input(|t, _, _| vector![t * m * g]);
        let mut steps = Vec::new();
        for step in run.until(2.2) {
            steps.push(step.unwrap());
        }
        let found = events(steps.iter().copied().map(Ok));
        assert!(
            found.iter().all(|step| (step.t - 1.2).abs() < 1e-8),
            "{found:?}"
        );
        for step in steps.iter().filter(|step| step.t < 1.2 - 1e-8) {
            assert_eq!((step.q, step.v), (vector![0.0], vector![0.0]));
        }
        let end = steps[steps.len() - 1];
        let (z, v) = (end.q[0] / length, end.v[0] / length);
        assert!(
            (v - 5.0).abs() < 1e-6 && (z - 10.0 / 6.0).abs() < 1e-6,
            "{z} {v}"
        );
    }
}

/// At each turn of the leg its foot still stands: a run that begins there has no event of the foot.
#[test]
fn a_run_goes_on_where_another_one_ended() {
    for length in [1e-20, 1.0, 1e20] {
        let leg: Leg = Leg {
            l: 0.2 * length,
            k: 300.0,
            mu: 3.0,
            g: 9.81 * length,
        };
        let (mut t, mut turns) = (0.0, 0);
        let bend = 0.75_f64.acos();
        let mut q = vector![0.3 * length, bend, -2.0 * bend];
        let mut v = vector![0.0, 0.0, 0.0];
        let foot = |q: &SVector<f64, 3>| leg.gaps(q)[0];
        q[0] -= foot(&q);
        while turns < 12 {
            let run = Run::hybrid(&leg, t, q, v).event(|_, _, v| v[0]);
            for step in run.until(t + 0.05) {
                let step = step.unwrap();
                (t, q, v) = (step.t, step.q, step.v);
                match step.event {
                    None => {}
                    Some(Event::Zero(0)) => {
                        turns += 1;
                        break;
                    }
                    other => panic!("{other:?} at {t}, after {turns} turns"),
                }
            }
        }
    }
}

#[test]
fn contacts_have_no_motion_backwards() {
    let ball: Ball = Ball { e: 0.5, g: 9.81 };
    let mut run = Run::hybrid(&ball, 1.0, vector![1.0], vector![0.0]).until(0.5);
    assert_eq!(
        run.next(),
        Some(Err(lagrangian::Error::NotConverged { residual: 0.5 }))
    );
    assert_eq!(run.next(), None);
    let mut run = Run::hybrid(&ball, 1.0, vector![1.0], vector![0.0]).until(1.0);
    assert_eq!(run.next(), None);
}

#[test]
fn hybrid_runs_in_single_precision() {
    let ball = Ball {
        e: 0.5,
        g: 9.81_f32,
    };
    let run = Run::hybrid(&ball, 0.0, vector![1.0], vector![0.0]).tolerance(1e-6);
    let steps: Vec<_> = run.until(2.0).map(Result::unwrap).collect();
    let last = steps.iter().rfind(|step| step.event.is_some()).unwrap();
    assert!((last.t - 1.354_571).abs() < 1e-5, "{}", last.t);
    assert_eq!(
        (steps[steps.len() - 1].t, steps[steps.len() - 1].v[0]),
        (2.0, 0.0)
    );
}

#[test]
fn a_motor_starts_as_its_two_time_constants_say() {
    let motor: Motor = Motor {
        j: 2e-4,
        k: 0.05,
        l: 1e-3,
        r: 0.5,
    };
    let u = 12.0_f64;
    // j i'' = (-k² i - r j i') / l, from i = 0 and i' = u / l.
    let (a, b) = (motor.r / motor.l, motor.k * motor.k / (motor.j * motor.l));
    let root = (a * a / 4.0 - b).sqrt();
    let (slow, fast) = (a / 2.0 - root, a / 2.0 + root);
    let current = |t: f64| u / motor.l * ((-slow * t).exp() - (-fast * t).exp()) / (fast - slow);
    let run = Run::with_states(&motor, 0.0, vector![0.0], vector![0.0], vector![0.0]);
    let run = run
        .input(|_, _, _, _| vector![u])
        .event(|_, _, _, z| z[0] - 10.0);
    let mut run = run.tolerance(1e-11).until(0.05);
    let mut crossings = Vec::new();
    let mut before = 0.0;
    while let Some(step) = run.next() {
        let step = step.unwrap();
        assert!((run.states()[0] - current(step.t)).abs() < 1e-8);
        let middle = (before + step.t) / 2.0;
        assert!((run.states_at(middle)[0] - current(middle)).abs() < 1e-7);
        if step.event.is_some() {
            crossings.push(step.t);
        }
        // j ω' = k i and l i' = u - k ω - r i.
        let rate = motor.state_rates(&step.q, &step.v, &run.states(), &vector![u])[0];
        let omega = (u - motor.r * run.states()[0] - motor.l * rate) / motor.k;
        assert!((step.v[0] - omega).abs() < 1e-9);
        before = step.t;
    }
    assert_eq!((before, crossings.len()), (0.05, 2));
    for t in crossings {
        assert!((current(t) - 10.0).abs() < 1e-8, "{t}");
    }
}

lagrangian! {
    /// A mass whose speed grows beyond all bounds at the time 1, and one that falls into a center.
    struct Runaway { x, r: coordinate, u: input }
    T = (der(x)^2 + der(r)^2) / 2;
    V = -1 / r;
    Q.x = u * der(x)^2;
}

/// No step is as short as the times at which the motion is no longer finite.
#[test]
fn a_step_below_the_rounding_of_time_ends_a_run() {
    let runaway: Runaway = Runaway::default();
    for (u, r, end) in [(1.0, 1e6, 1.0), (0.0, 1.0, 1.110_720_734_539_591_6)] {
        for shift in [0.0, -3.0, 1e3] {
            let run = Run::new(&runaway, shift, vector![0.0, r], vector![1.0, 0.0]);
            let mut run = run.input(|_, _, _| vector![u]).until(shift + 2.0);
            let (mut t, mut error) = (shift, None);
            while let (None, Some(step)) = (error, run.next()) {
                match step {
                    Ok(step) if step.t > t => t = step.t,
                    Ok(step) => panic!("no progress at {}", step.t),
                    Err(found) => error = Some(found),
                }
            }
            let failed = matches!(error, Some(lagrangian::Error::NotConverged { .. }));
            assert!(failed, "{error:?}");
            assert!((t - shift - end).abs() < 1e-8, "{t} {end}");
            assert_eq!(run.next(), None);
        }
    }
}

lagrangian! {
    /// A ball with spin that bounces on its surface.
    struct Sphere { x, y, turn: coordinate, r, e, mu: parameter, g: parameter = 9.81 }
    T = (der(x)^2 + der(y)^2) / 2 + r^2 * der(turn)^2 / 5;
    V = g * y;
    contact floor: y >= r { slip: der(x) + r * der(turn), friction: mu, restitution: e };
}

/// The last bounces are lower than the rounding of the height of the center.
#[test]
fn a_ball_of_any_size_ends_its_bounces() {
    for r in [1e-3, 0.2, 1.0, 1e3] {
        for e in [0.1, 0.6, 0.9] {
            for tolerance in [1e-9, 1e-13] {
                let sphere: Sphere = Sphere {
                    r,
                    e,
                    mu: 0.3,
                    g: 9.81,
                };
                let rests = (2.0_f64 / 9.81).sqrt() * (1.0 + e) / (1.0 - e);
                let v = vector![1.0, 0.0, 3.0 / r];
                let run = Run::hybrid(&sphere, 0.0, vector![0.0, r + 1.0, 0.0], v);
                let run = run.tolerance(tolerance).until(rests + 2.0);
                let steps: Ends<3> = run.map(Result::unwrap).collect();
                let last = steps
                    .iter()
                    .rfind(|step| step.event == Some(Event::Closes(0)));
                let last = last.unwrap().t;
                let early = 4.0 * tolerance + 4.0 * (f64::EPSILON * r).sqrt();
                assert!(
                    last - rests < 1e-12 && rests - last < early / (1.0 - e),
                    "{r} {e} {last} {rests}"
                );
                let end = steps[steps.len() - 1];
                assert!(
                    (end.q[1] - r).abs() < 1e-14 * (r + 1.0) && end.v[1] == 0.0,
                    "{end:?}"
                );
            }
        }
    }
}

lagrangian! {
    /// A plate on four feet without height, so that each carries a quarter.
    #[lagrangian(redundant)]
    struct Plate { p: coordinate[3], att: rotation, a, b, mu, m, i: parameter, g: parameter = 9.81 }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: m, inertia: diag(i / 2, i / 2, i) }
    gravity [0, 0, -g];
    for j in 0..2 {
        for k in 0..2 {
            let foot = B.point([a * (2 * j - 1), b * (2 * k - 1), 0]);
            contact foot: foot.z >= 0 { slip: der(foot).xy, friction: mu };
        }
    }
}

/// All its feet come to rest at once. A spin alone is slowed down by mu m g R / i, with the distance R of the feet; the
/// end of a spin with a push is that of an integration of the three velocities (scipy's `solve_ivp`).
#[test]
fn a_plate_spins_and_slides_until_it_rests() {
    let plate: Plate = Plate {
        a: 0.3,
        b: 0.2,
        mu: 0.4,
        m: 2.0,
        i: 0.12,
        g: 9.81,
    };
    let radius = 0.3_f64.hypot(0.2);
    let slows = 0.4 * 2.0 * 9.81 * radius / 0.12;
    let (push, spin) = (1.0 / (0.4 * 9.81), 3.0 / slows);
    let known = [
        ([0.0, 0.0, 3.0], spin, [0.0, 0.0, 1.5 * spin]),
        ([1.0, 0.0, 0.0], push, [0.5 * push, 0.0, 0.0]),
        (
            [1.0, 0.5, 6.0],
            0.42175304,
            [0.24877449, 0.11962523, 0.9805778],
        ),
    ];
    for ([x, y, w], rests, place) in known {
        let v = vector![x, y, 0.0, 0.0, 0.0, w];
        let run = Run::hybrid(&plate, 0.0, plate.neutral(), v).tolerance(1e-10);
        let steps: Ends<7, 6> = run.until(1.0).map(Result::unwrap).collect();
        let found = events(steps.iter().copied().map(Ok));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0].t - rests).abs() < 1e-8, "{} {rests}", found[0].t);
        let end = steps[steps.len() - 1];
        assert!(
            (end.q.xy() - vector![place[0], place[1]]).norm() < 1e-8,
            "{end:?}"
        );
        assert!(
            (2.0 * end.q[5].atan2(end.q[6]) - place[2]).abs() < 1e-7,
            "{end:?}"
        );
        assert!(end.t == 1.0 && end.v.norm() < 1e-14, "{end:?}");
    }
}

lagrangian! {
    /// A box that falls on its corners.
    #[lagrangian(redundant)]
    struct Box { x, y, angle: coordinate, w, h, mu, e: parameter, g: parameter = 9.81 }
    T = (der(x)^2 + der(y)^2) / 2 + (w^2 + h^2) / 6 * der(angle)^2;
    V = g * y;
    for j in 0..2 {
        for k in 0..2 {
            let along = w * (2 * j - 1);
            let up = h * (2 * k - 1);
            let corner = [x + along * cos(angle) - up * sin(angle), y + along * sin(angle) + up * cos(angle)];
            contact corner: corner.y >= 0 { slip: der(corner).x, friction: mu, restitution: e };
        }
    }
}

/// Before it lies, a box bounces from one corner to the other, faster and faster.
#[test]
fn a_box_tumbles_until_it_lies() {
    for number in 0..9 {
        let part = |k: usize| (number * 7 + k * 5) as f64 * 0.618 % 1.0;
        let with_friction = number % 3 > 0;
        let block: Box = Box {
            w: 0.2 + part(1),
            h: 0.2 + part(2),
            mu: if with_friction { 0.2 + part(3) } else { 0.0 },
            e: [0.8, 0.0, 0.4][number % 3],
            g: 9.81,
        };
        let (q, v) = (
            vector![0.0, 2.0, 6.0 * part(4) - 3.0],
            vector![2.0 * part(5), 0.0, 8.0 * part(6) - 4.0],
        );
        let (mut energy, mut count, mut end) = (f64::INFINITY, 0, v);
        for step in Run::hybrid(&block, 0.0, q, v).until(8.0) {
            let step = step.unwrap_or_else(|error| panic!("{number}: {error}"));
            let now = block.energy(&step.q, &step.v);
            assert!(now < energy + 1e-7, "{number}: {now} {energy}");
            assert!(block.gaps(&step.q).min() > -1e-7, "{number}: {step:?}");
            (energy, end) = (now, step.v);
            count += 1;
        }
        assert!(count < 2000, "{number}: {count}");
        assert!(!with_friction || end.norm() < 1e-10, "{number}: {end}");
    }
}

lagrangian! {
    /// A ball under a ceiling.
    struct Thrown { z: coordinate, ceiling: parameter, g: parameter = 10 }
    T = der(z)^2 / 2;
    V = g * z;
    contact top: z <= ceiling { restitution: 1 };
}

/// Free flight has long steps. The ball is above the ceiling for a small part of one, and the gap is positive at both ends.
#[test]
fn a_ball_strikes_a_ceiling_below_its_highest_place() {
    for speed in [2.0_f64, 100.0] {
        let highest = speed * speed / 20.0;
        for part in [0.3, 1e-2, 1e-4, 1e-6, 1e-9] {
            let above = highest * part;
            let ball: Thrown = Thrown {
                ceiling: highest - above,
                g: 10.0,
            };
            let expected = speed / 10.0 * (1.0 - part.sqrt());
            let run = Run::hybrid(&ball, 0.0, vector![0.0], vector![speed]).until(0.3 * speed);
            let found = events(run);
            assert_eq!(found.len(), 1, "{speed} {part:e}");
            assert_eq!(found[0].event, Some(Event::Closes(0)));
            let error = (found[0].t - expected) / expected;
            assert!(
                error.abs() < 1e-14 / part.sqrt(),
                "{speed} {part:e} {error:e}"
            );
        }
        // It does not reach the ceiling.
        let ball: Thrown = Thrown {
            ceiling: highest * (1.0 + 1e-9),
            g: 10.0,
        };
        let run = Run::hybrid(&ball, 0.0, vector![0.0], vector![speed]).until(0.3 * speed);
        assert!(events(run).is_empty());
    }
}

lagrangian! {
    /// A rimless wheel of eight spokes on a slope, with its mass in the hub beside an inertia.
    struct Wheel { x, y, angle: coordinate, l, slope, mu, i: parameter, g: parameter = 9.81 }
    T = (der(x)^2 + der(y)^2 + i * der(angle)^2) / 2;
    V = g * (y * cos(slope) - x * sin(slope));
    for k in 0..8 {
        let foot = [x, y] + l * [sin(angle + k * pi / 4), -cos(angle + k * pi / 4)];
        contact spoke: foot.y >= 0 { slip: der(foot).x, friction: mu };
    }
}

/// Each strike leaves the speed of the cycle: what gravity adds from spoke to spoke, the next strike takes.
#[test]
fn a_rimless_wheel_rolls_with_the_speed_of_mcgeer() {
    let wheel: Wheel = Wheel {
        l: 1.0,
        slope: 0.1,
        mu: 2.0,
        i: 0.2,
        g: 9.81,
    };
    let alpha = PI / 8.0;
    let eta = (wheel.i + (2.0 * alpha).cos()) / (wheel.i + 1.0);
    let fall = (alpha - wheel.slope).cos() - (alpha + wheel.slope).cos();
    let gain = 2.0 * wheel.g * fall / (wheel.i + 1.0);
    let speed = eta * (gain / (1.0 - eta * eta)).sqrt();
    let q = vector![-alpha.sin(), alpha.cos(), alpha];
    let v = vector![alpha.cos(), alpha.sin(), -1.0] * speed;
    let run = Run::hybrid(&wheel, 0.0, q, v).tolerance(1e-11).until(6.0);
    let mut strikes = 0;
    for step in events(run) {
        if matches!(step.event, Some(Event::Closes(_))) {
            strikes += 1;
            assert!((step.v[2] + speed).abs() < 1e-9, "{} at {}", step.v, step.t);
        }
    }
    assert!(strikes > 5, "{strikes}");
}
