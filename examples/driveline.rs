//! A car pulls away: the torque of its engine is a table of measured points in a csv file, and its shaft winds up.
//!
//! The torque lies between two columns of `models/engine.csv`, by the throttle. The energy of the shaft is a spline
//! through measured points, so that its stiffness is continuous: soft springs in the clutch, and the stiffer shaft behind
//! them. Tip-in after coasting excites the oscillation that drivers feel as a shudder.
//!
//! ```text
//! cargo run --release --example driveline
//! ```

mod common;
#[path = "common/dopri5.rs"]
mod dopri5;

use std::error::Error;

use common::{print_table, write};
use dopri5::advance;
use lagrangian::nalgebra::{SVector, Vector2};
use lagrangian::{lagrangian, vector};
use lagrangian_page::{Ink, Page, Plot, Scene};

lagrangian! {
    /// An engine that drives a car through one gear and a shaft that twists.
    #[derive(Clone, Debug)]
    pub struct Car {
        /// Angles of the crankshaft and of the wheels.
        crank, wheel: coordinate [rad],
        /// Moment of inertia of the engine with its flywheel.
        flywheel: parameter [kg*m^2] = 0.18,
        mass: parameter [kg] = 1150,
        radius: parameter [m] = 0.3,
        /// Turns of the engine for one of the wheels.
        ratio: parameter = 7.5,
        /// Damping of the twist.
        damping: parameter [N*m*s/rad] = 1.5,
        /// Force of the air by the square of the speed.
        air: parameter [N*s^2/m^2] = 0.42,
        /// From 0, closed, to 1, open.
        throttle: input,
    }
    let speeds = csv("examples/models/engine.csv", "speed");
    let open = pchip(der(crank), speeds, csv("examples/models/engine.csv", "open"));
    let closed = pchip(der(crank), speeds, csv("examples/models/engine.csv", "closed"));
    pub let torque = closed + throttle * (open - closed);
    pub let twist = crank - ratio * wheel;
    pub let speed = radius * der(wheel);

    T = flywheel * der(crank)^2 / 2 + mass * speed^2 / 2;
    // The energy of the shaft at equal steps of its twist.
    V = spline(twist, -0.8 [rad]..0.8 [rad], [115 [J], 64, 28, 6, 0, 6, 28, 64, 115]);
    D = damping * der(twist)^2 / 2;
    Q.crank = torque;
    Q.wheel = -air * speed * abs(speed) * radius;

    /// The power of all that adds energy or takes it.
    pub let power = torque * der(crank) - air * speed^2 * abs(speed) - damping * der(twist)^2;
}

/// Frames per second, also of the animation.
const RATE: f64 = 100.0;
const END: f64 = 12.0;
/// The throttle opens, closes, and opens at once [s].
const OPENS: f64 = 1.0;
const CLOSES: f64 = 7.0;
const TIPS_IN: f64 = 9.0;

/// Both angles, their rates, and the work so far.
type State = SVector<f64, 5>;

/// The throttle during the frame that begins at a time.
fn throttle(t: f64) -> f64 {
    let is_open = (OPENS..CLOSES).contains(&t) || t >= TIPS_IN;
    if is_open { 1.0 } else { 0.0 }
}

fn parts(y: &State) -> (Vector2<f64>, Vector2<f64>) {
    (vector![y[0], y[1]], vector![y[2], y[3]])
}

struct Sample {
    t: f64,
    crank: f64,
    wheel: f64,
    /// The speeds of the crankshaft [rad/s] and of the car [m/s].
    speeds: [f64; 2],
    torque: f64,
    twist: f64,
    /// Energy less that of the start less the work [J].
    error: f64,
}

fn simulate(car: &Car) -> Result<Vec<Sample>, Box<dyn Error>> {
    let rolling = 100.0;
    let mut y = State::from([0.0, 0.0, rolling, rolling / car.ratio, 0.0]);
    let (q, v) = parts(&y);
    let start = car.energy(&q, &v);
    let mut samples = Vec::new();
    for frame in 0..=(END * RATE) as u32 {
        let t = f64::from(frame) / RATE;
        let u = vector![throttle(t)];
        let (q, v) = parts(&y);
        samples.push(Sample {
            t,
            crank: q.x,
            wheel: q.y,
            speeds: [v.x, car.speed(&q, &v)],
            torque: car.torque(&q, &v, &u),
            twist: car.twist(&q),
            error: car.energy(&q, &v) - start - y[4],
        });
        let rate = |_: f64, y: &State| {
            let (q, v) = parts(y);
            let a = car.acceleration(&q, &v, &u)?;
            Ok::<State, lagrangian::Error>([v.x, v.y, a.x, a.y, car.power(&q, &v, &u)].into())
        };
        y = advance(rate, t, 1.0 / RATE, y, 1e-11)?;
    }
    Ok(samples)
}

fn main() -> Result<(), Box<dyn Error>> {
    let car = Car::default();
    let motion = simulate(&car)?;
    print_table(
        [
            "t [s]",
            "engine [rad/s]",
            "speed [km/h]",
            "torque [N m]",
            "twist [rad]",
            "error [J]",
        ],
        motion.iter().step_by(RATE as usize).map(|s| {
            let [engine, speed] = s.speeds;
            [s.t, engine, 3.6 * speed, s.torque, s.twist, s.error]
        }),
    );

    // The frequency of the shudder, from the exact linearization at rest in the shaft.
    let still = car.linearize(&vector![0.0, 0.0], &vector![0.0, 0.0], &vector![0.0])?;
    let frequency = still
        .a
        .complex_eigenvalues()
        .iter()
        .map(|value| value.im.abs())
        .fold(0.0, f64::max)
        / std::f64::consts::TAU;
    println!("\nfrequency of the shudder: {frequency:.2} Hz");

    let page = draw(&motion).model(include_str!("driveline.rs"), Car::EQUATIONS_MATHML, &car);
    let address = write(page, "driveline.html")?;
    println!("animation and plots: {address}");

    let scale = motion
        .iter()
        .map(|s| s.speeds[1])
        .fold(0.0, f64::max)
        .powi(2)
        * car.mass
        / 2.0;
    assert!(
        motion.iter().all(|s| s.error.abs() < 1e-9 * scale),
        "energy balance"
    );
    let between = |from: f64, to: f64| {
        motion
            .iter()
            .filter(move |s| (from..to).contains(&s.t))
            .map(|s| s.twist)
    };
    assert!(
        between(CLOSES + 1.0, TIPS_IN).fold(f64::MIN, f64::max) < 0.0,
        "the engine brakes when the throttle is closed"
    );
    let [most, last] = [
        between(TIPS_IN, END).fold(f64::MIN, f64::max),
        motion[motion.len() - 1].twist,
    ];
    assert!(most > 1.3 * last, "tip-in overshoots");
    assert!((2.0..12.0).contains(&frequency), "{frequency} Hz");
    Ok(())
}

fn draw(motion: &[Sample]) -> Page {
    let about = "The throttle opens, closes, and opens at once. The torque of the engine is read from measured points, and \
                 the shaft behind it winds up. Above, the crankshaft; below, the wheel.";
    let pointer = |height: f64, length: f64, angle: fn(&Sample) -> f64| {
        let ends = motion.iter().map(move |s| {
            let (sin, cos) = angle(s).sin_cos();
            [[0.0, height], [length * sin, height + length * cos]]
        });
        ends.collect::<Vec<_>>()
    };
    let scene = Scene::new("The crankshaft turns faster than the wheel")
        .rod(
            "crankshaft",
            Ink::Orange,
            0.03,
            pointer(0.7, 0.3, |s| s.crank),
        )
        .rod("wheel", Ink::Body, 0.03, pointer(-0.2, 0.5, |s| s.wheel));
    let line = |of: fn(&Sample) -> f64| motion.iter().map(of);
    Page::new("Driveline")
        .about(about)
        .times(line(|s| s.t))
        .scene(scene)
        .plot(Plot::new("Speed", "km/h").line("v", Ink::Body, line(|s| 3.6 * s.speeds[1])))
        .plot(Plot::new("Torque of the engine", "N m").line("τ", Ink::Orange, line(|s| s.torque)))
        .plot(Plot::new("Twist of the shaft", "rad").line("twist", Ink::Green, line(|s| s.twist)))
        .plot(Plot::new("Energy error", "J").log().line(
            "error",
            Ink::Body,
            line(|s| s.error.abs()),
        ))
}
