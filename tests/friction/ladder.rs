//! A ladder whose top is guided along a wall and whose foot stands on a rough floor: constraints beside a contact.
//!
//! With the angle θ from the wall, the equations of a uniform rod give by hand
//!
//! ```text
//! θ'' (2/3 - μ sin θ cos θ) = g/l (sin θ - 2 μ cos θ) + μ cos² θ θ'²
//! ```
//!
//! while the foot slides away from the wall. At rest it stays where tan θ ≤ 2 μ, with the friction m g tan θ / 2.

#![allow(deprecated, reason = "the macro warns of the row that is there twice")]

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Mode, Run, contact_step, lagrangian};

macro_rules! ladder {
    ($name:ident [$($attribute:tt)*] $($more:tt)*) => {
        lagrangian! {
            $($attribute)*
            struct $name { x, y, theta: coordinate, m, l, mu: parameter, g: parameter = 9.81 }
            T = m * (der(x)^2 + der(y)^2 + l^2 / 12 * der(theta)^2) / 2;
            V = m * g * y;
            let half = l / 2 * [sin(theta), -cos(theta)];
            let foot = [x, y] + half;
            holonomic top: x - half.x = 0;
            $($more)*
            contact foot: foot.y >= 0 { slip: der(foot.x), friction: mu };
        }
    };
}

ladder! { Ladder [] }
ladder! { Doubled [#[lagrangian(redundant)]] holonomic guide: 2 * x - l * sin(theta) = 0; }

lagrangian! {
    /// The same in space, where constraints keep it in its plane, and so its foot, whose friction across is then 0.
    #[lagrangian(redundant)]
    struct Turned { p: coordinate[3], att: rotation, m, l, mu: parameter, g: parameter = 9.81 }
    frame B = world.translate(p).rotate(att);
    body { frame: B, mass: m, inertia: m * l^2 / 12 * diag(1, 1, 0.01) }
    gravity [0, 0, -g];
    let end = B.point([0, 0, -l / 2]);
    holonomic top: B.point([0, 0, l / 2]).x = 0;
    holonomic plane: [p.y, B.vector([0, 1, 0]).x, B.vector([0, 1, 0]).z] = [0, 0, 0];
    contact foot: end.z >= 0 { slip: der(end).xy, friction: mu };
}

const UNITS: [(f64, f64); 4] = [(1.0, 1.0), (1e-20, 1e20), (3e20, 1.0), (1.0, 7e-20)];
const ANGLE: f64 = 0.6;

/// θ'' of the sliding ladder.
fn turning(mu: f64, [angle, rate]: [f64; 2]) -> f64 {
    let (s, c) = angle.sin_cos();
    (9.81 / 2.0 * (s - 2.0 * mu * c) + mu * (c * rate).powi(2)) / (2.0 / 3.0 - mu * s * c)
}

/// The angle and its rate after a time, by many steps of the classical Runge-Kutta method.
fn fallen(mu: f64, time: f64) -> [f64; 2] {
    let h = time / 4000.0;
    let mut y = [ANGLE, 0.0];
    let rate = |y: [f64; 2]| [y[1], turning(mu, y)];
    let moved = |y: [f64; 2], rate: [f64; 2], h: f64| [y[0] + h * rate[0], y[1] + h * rate[1]];
    for _ in 0..4000 {
        let first = rate(y);
        let second = rate(moved(y, first, h / 2.0));
        let third = rate(moved(y, second, h / 2.0));
        let fourth = rate(moved(y, third, h));
        for i in 0..2 {
            y[i] += h / 6.0 * (first[i] + 2.0 * (second[i] + third[i]) + fourth[i]);
        }
    }
    y
}

/// In a plane: what stands, what slides, and the motion by events and by steps, in many units.
macro_rules! check {
    ($name:ident, $mass:expr, $length:expr) => {{
        let (mass, length): (f64, f64) = ($mass, $length);
        let (m, l) = (3.0 * mass, 2.0 * length);
        let ladder = |mu: f64| $name::<f64> {
            m,
            l,
            mu,
            g: 9.81 * length,
        };
        let (s, c) = ANGLE.sin_cos();
        let (q, still) = (vector![s * length, c * length, ANGLE], SVector::zeros());
        // It stands.
        let rough = ladder(0.4);
        let motion = rough.resolve(&q, &still, &[true]).unwrap();
        let weight = m * 9.81 * length;
        assert_eq!(motion.modes, [Mode::Sticks]);
        assert!((motion.contact_forces[0] / weight - 1.0).abs() < 1e-14);
        let friction = motion.friction_forces[0][0] / weight;
        assert!((friction + ANGLE.tan() / 2.0).abs() < 1e-14, "{friction}");
        assert!(
            motion.acceleration[2].abs() < 1e-13,
            "{}",
            motion.acceleration
        );
        let (mut at, mut v) = (q, still);
        for step in 0..50 {
            let end =
                contact_step(&rough, f64::from(step) * 1e-2, &at, &v, &vector![], 1e-2).unwrap();
            (at, v) = (end.q, end.v);
        }
        assert!(
            (at[2] - ANGLE).abs() < 1e-13 && v[2].abs() < 1e-13,
            "{at} {v}"
        );
        for step in Run::hybrid(&rough, 0.0, q, still).until(3.0) {
            let step = step.unwrap();
            assert_eq!(step.event, None);
            assert!((step.q[2] - ANGLE).abs() < 1e-12, "{}", step.q);
        }
        // It slides.
        let smooth = ladder(0.2);
        let motion = smooth.resolve(&q, &still, &[true]).unwrap();
        assert_eq!(motion.modes, [Mode::Slides]);
        let expected = turning(0.2, [ANGLE, 0.0]);
        assert!((motion.acceleration[2] - expected).abs() < 1e-13 * expected);
        let [angle, rate] = fallen(0.2, 0.5);
        let run = Run::hybrid(&smooth, 0.0, q, still)
            .tolerance(1e-11)
            .project_every_step();
        let end = run.until(0.5).map(|step| step.unwrap()).last().unwrap();
        assert!(
            (end.q[2] - angle).abs() < 1e-9 && (end.v[2] - rate).abs() < 1e-9,
            "{end:?}"
        );
        assert!(smooth.gaps(&end.q)[0].abs() < 1e-14 * length);
        assert!(smooth.constraint_residual(&end.q)[0].abs() < 1e-14 * length);
        let (mut at, mut v) = (q, still);
        for step in 0..500 {
            let end =
                contact_step(&smooth, f64::from(step) * 1e-3, &at, &v, &vector![], 1e-3).unwrap();
            assert!(end.impulses[0] >= 0.0 && end.friction_impulses[0][0] <= 0.0);
            (at, v) = (end.q, end.v);
        }
        assert!(
            (at[2] - angle).abs() < 2e-3 && (v[2] - rate).abs() < 5e-3,
            "{at} {v} {angle} {rate}"
        );
        assert!(smooth.constraint_residual(&at)[0].abs() < 1e-14 * length);
    }};
}

#[test]
fn a_ladder_stands_or_slides() {
    for (mass, length) in UNITS {
        check!(Ladder, mass, length);
    }
}

#[test]
fn a_row_that_is_there_twice_changes_no_motion() {
    for (mass, length) in UNITS {
        check!(Doubled, mass, length);
    }
}

/// The ladder falls along its wall without turning. At the strike its foot starts to slide.
#[test]
fn a_foot_strikes_with_its_top_guided() {
    let ladder: Ladder = Ladder {
        m: 3.0,
        l: 2.0,
        mu: 0.2,
        g: 9.81,
    };
    let (s, c) = ANGLE.sin_cos();
    let q = vector![s, c, ANGLE];
    let end = contact_step(&ladder, 0.0, &q, &vector![0.0, -1.0, 0.0], &vector![], 0.0).unwrap();
    // With the impulses N and H of floor and wall: m (1 - s w) = N, m c w = H - mu N and w m l²/12 = N (s - mu c) - H c.
    let w = (s - 0.4 * c) / (4.0 / 3.0 - 0.4 * s * c);
    assert!(
        (end.v - vector![c * w, -s * w, w]).norm() < 1e-14,
        "{} {w}",
        end.v
    );
    assert!((end.impulses[0] - 3.0 * (1.0 - s * w)).abs() < 1e-14);
}

#[test]
fn a_ladder_in_space_stands_or_slides() {
    let (s, c) = ANGLE.sin_cos();
    // The lower end is turned away from the wall.
    let (sin, cos) = (-ANGLE / 2.0).sin_cos();
    let q = vector![s, 0.0, c, 0.0, sin, 0.0, cos];
    let still = SVector::<f64, 6>::zeros();
    for mu in [0.4, 0.2] {
        let ladder: Turned = Turned {
            m: 3.0,
            l: 2.0,
            mu,
            g: 9.81,
        };
        let motion = ladder.resolve(&q, &still, &[true]).unwrap();
        let slides = mu == 0.2;
        let expected = if slides {
            turning(mu, [ANGLE, 0.0])
        } else {
            0.0
        };
        assert_eq!(
            motion.modes,
            [if slides { Mode::Slides } else { Mode::Sticks }]
        );
        assert!(
            (motion.acceleration[4] + expected).abs() < 1e-12,
            "{}",
            motion.acceleration
        );
        let [angle, rate] = if slides {
            fallen(mu, 0.5)
        } else {
            [ANGLE, 0.0]
        };
        let run = Run::hybrid(&ladder, 0.0, q, still).project_every_step();
        let end = run.until(0.5).map(|step| step.unwrap()).last().unwrap();
        assert!((end.v[4] + rate).abs() < 1e-7, "{} {rate}", end.v);
        let sine = 2.0 * end.q[4] * end.q[6];
        assert!((sine + angle.sin()).abs() < 1e-7, "{sine}");
        assert!(ladder.gaps(&end.q)[0].abs() < 1e-13 && end.v[1].abs() < 1e-12);
        let (mut at, mut v) = (q, still);
        for step in 0..500 {
            let end =
                contact_step(&ladder, f64::from(step) * 1e-3, &at, &v, &vector![], 1e-3).unwrap();
            (at, v) = (end.q, end.v);
        }
        assert!((v[4] + rate).abs() < 5e-3, "{v} {rate}");
        assert!(ladder.constraint_residual(&at).amax() < 1e-14);
    }
}
