//! Kapitza's pendulum: a pivot that shakes fast enough holds a pendulum upright.
//!
//! ```text
//! cargo run --release --example kapitza
//! ```

mod common;
#[path = "common/dopri5.rs"]
mod dopri5;

use std::error::Error;

use common::{print_table, write};
use dopri5::advance;
use lagrangian::lagrangian;
use lagrangian::nalgebra::{Vector1, Vector3};
use lagrangian_page::{Ink, Page, Plot, Scene};

lagrangian! {
    /// A bob on a light rod whose pivot is shaken up and down.
    #[derive(Clone, Debug)]
    pub struct Kapitza {
        /// Angle from upright.
        theta: coordinate [rad],
        t: time,
        /// Mass of the bob.
        m: parameter [kg] = 1,
        /// Length of the rod.
        l: parameter [m] = 1,
        g: parameter [m/s^2] = 9.81,
        /// Amplitude of the pivot.
        amplitude: parameter [m] = 0.1,
        /// Angular frequency of the pivot.
        omega: parameter [rad/s],
    }

    let height = amplitude * cos(omega * t);
    pub let pivot = [0, height];
    pub let bob = pivot + l * [sin(theta), cos(theta)];

    T = m * der(bob)^2 / 2;
    V = m * g * bob.y;

    // Newton's law for the bob, along the rod, gives the force in it and with that the power of
    // the drive.
    let thrust = m * ((g - omega^2 * height) * cos(theta) - l * der(theta)^2);
    pub let drive_power = thrust * cos(theta) * der(height);
}

/// Frames per second, also of the animation.
const RATE: f64 = 100.0;
const END: f64 = 12.0;
/// The initial angle of both motions [rad].
const TILT: f64 = 0.2;

/// θ, its rate, and the work that the drive has done.
type State = Vector3<f64>;

/// The equations of motion in the form of the solver.
/// One frame of one motion.
struct Sample {
    t: f64,
    theta: f64,
    pivot: [f64; 2],
    bob: [f64; 2],
    /// Energy less that of the start less the work of the drive [J].
    error: f64,
}

/// The rate of a state at the time `t`.
fn rate(system: &Kapitza, t: f64, y: &State) -> Result<State, lagrangian::Error> {
    let swing = system.state_derivative(t, &y.xy())?;
    let power = system.drive_power(t, &Vector1::new(y[0]), &Vector1::new(y[1]));
    Ok(State::new(swing[0], swing[1], power))
}

fn simulate(system: &Kapitza) -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut y = State::new(TILT, 0.0, 0.0);
    let start = system.energy(0.0, &Vector1::new(y[0]), &Vector1::new(y[1]));
    let mut samples = Vec::new();
    for frame in 0..=(END * RATE) as u32 {
        let t = f64::from(frame) / RATE;
        let (q, v) = (Vector1::new(y[0]), Vector1::new(y[1]));
        samples.push(Sample {
            t,
            theta: y[0],
            pivot: system.pivot(t, &q).into(),
            bob: system.bob(t, &q).into(),
            error: system.energy(t, &q, &v) - start - y[2],
        });

        y = advance(|t, y| rate(system, t, y), t, 1.0 / RATE, y, 1e-11)?;
    }
    Ok(samples)
}

fn main() -> Result<(), Box<dyn Error>> {
    // In radians per second; the other parameters have defaults.
    let systems: [Kapitza; 2] = [60.0, 30.0].map(Kapitza::new);

    // Averaged over a period, the pivot acts like a potential m (amplitude omega sin(theta))^2 / 4.
    // It makes upright a minimum above this speed (Landau and Lifshitz, Mechanics, section 30).
    let threshold = (2.0 * systems[0].g * systems[0].l).sqrt();
    let [fast_speed, slow_speed] = [&systems[0], &systems[1]].map(|s| s.amplitude * s.omega);
    println!("speed of the pivot: fast {fast_speed:.2} m/s, slow {slow_speed:.2} m/s");
    println!("threshold: {threshold:.2} m/s\n");
    assert!(slow_speed < threshold && threshold < fast_speed);

    let [fast, slow] = [simulate(&systems[0])?, simulate(&systems[1])?];
    print_table(
        [
            "t [s]",
            "fast [rad]",
            "error [J]",
            "slow [rad]",
            "error [J]",
        ],
        fast.iter()
            .zip(&slow)
            .step_by(RATE as usize)
            .map(|(f, s)| [f.t, f.theta, f.error, s.theta, s.error]),
    );

    let page = draw(&fast, &slow).speed(0.25).model(
        include_str!("kapitza.rs"),
        Kapitza::EQUATIONS_MATHML,
        &systems[0],
    );
    let address = write(page, "kapitza.html")?;
    println!("\nanimation and plots: {address}");

    let farthest = |motion: &[Sample]| motion.iter().map(|s| s.theta.abs()).fold(0.0, f64::max);
    assert!(
        farthest(&fast) < 2.0 * TILT,
        "above the threshold it stays upright"
    );
    assert!(farthest(&slow) > 3.0, "below the threshold it falls");
    assert!(
        fast.iter().chain(&slow).all(|s| s.error.abs() < 1e-7),
        "energy balance"
    );
    Ok(())
}

fn draw(fast: &[Sample], slow: &[Sample]) -> Page {
    let about = "Both pendulums start with the same tilt, and both pivots move up and down by \
                 10\u{a0}cm. One shakes fast enough to hold its pendulum upright. \
                 The motion plays at a quarter of its speed.";
    let mut scene = Scene::new(
        "Two pendulums on shaking pivots: the fast one stays upright, the slow one falls",
    );
    let mut page = Page::new("Kapitza's pendulum")
        .about(about)
        .times(fast.iter().map(|s| s.t));
    let mut energy = Plot::new("Energy error", "J").log();

    for (name, ink, left, motion) in [
        ("fast", Ink::Green, -1.3, fast),
        ("slow", Ink::Orange, 1.3, slow),
    ] {
        let place = |[x, y]: [f64; 2]| [x + left, y];
        let bobs = motion.iter().map(|s| place(s.bob));
        let rods = motion.iter().map(|s| [place(s.pivot), place(s.bob)]);
        scene = scene
            .line("guide", Ink::Ground, [[[left, -0.3], [left, 0.3]]])
            .trail(ink, 1.0, bobs.clone())
            .rod("rod", Ink::Body, 0.02, rods)
            .mark("pivot", Ink::Body, motion.iter().map(|s| place(s.pivot)))
            .circle("bob", ink, 0.08, bobs)
            .label(name, ink, [left, -1.4]);
        let angle = Plot::new(&format!("Angle from upright, {name} pivot"), "rad");
        page = page.plot(angle.line("θ", ink, motion.iter().map(|s| s.theta)));
        energy = energy.line(name, ink, motion.iter().map(|s| s.error.abs()));
    }
    page.scene(scene).plot(energy)
}
