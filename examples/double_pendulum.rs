//! A double pendulum, twice: two starts a hair's breadth apart soon differ completely.
//!
//! ```text
//! cargo run --release --example double_pendulum
//! ```

mod common;
#[path = "common/dopri5.rs"]
mod dopri5;

use std::error::Error;

use common::{print_table, write};
use dopri5::advance;
use lagrangian::lagrangian;
use lagrangian::nalgebra::{Vector2, Vector4};
use lagrangian_page::{Ink, Page, Plot, Scene};

lagrangian! {
    /// Two bobs on light rods, one hung below the other.
    #[derive(Clone, Debug)]
    pub struct DoublePendulum {
        /// Angles of the rods from hanging.
        a, b: coordinate [rad],
        /// Masses of the bobs.
        m1, m2: parameter [kg] = 1,
        /// Lengths of the rods.
        l1, l2: parameter [m] = 1,
        g: parameter [m/s^2] = 9.81,
    }

    pub let elbow = l1 * [sin(a), -cos(a)];
    pub let bob = elbow + l2 * [sin(b), -cos(b)];

    T = m1 * der(elbow)^2 / 2 + m2 * der(bob)^2 / 2;
    V = m1 * g * elbow.y + m2 * g * bob.y;
}

/// Frames per second, also of the animation.
const RATE: f64 = 60.0;
const END: f64 = 20.0;
/// The distance of the two starts [rad].
const APART: f64 = 1e-4;

/// Both angles and their rates.
type State = Vector4<f64>;

/// The equations of motion in the form of the solver.
/// One frame of one motion.
struct Sample {
    t: f64,
    y: State,
    elbow: [f64; 2],
    bob: [f64; 2],
    /// Energy less that of the start [J].
    error: f64,
}

fn simulate(system: &DoublePendulum, mut y: State) -> Result<Vec<Sample>, Box<dyn Error>> {
    let start = system.energy(&Vector2::new(y[0], y[1]), &Vector2::new(y[2], y[3]));
    let mut samples = Vec::new();
    for frame in 0..=(END * RATE) as u32 {
        let t = f64::from(frame) / RATE;
        let (q, v) = (Vector2::new(y[0], y[1]), Vector2::new(y[2], y[3]));
        samples.push(Sample {
            t,
            y,
            elbow: system.elbow(&q).into(),
            bob: system.bob(&q).into(),
            error: system.energy(&q, &v) - start,
        });

        y = advance(|_, y| system.state_derivative(y), t, 1.0 / RATE, y, 1e-11)?;
    }
    Ok(samples)
}

fn main() -> Result<(), Box<dyn Error>> {
    let system = DoublePendulum::default();
    let first = simulate(&system, State::new(2.0, 2.5, 0.0, 0.0))?;
    let second = simulate(&system, State::new(2.0, 2.5 + APART, 0.0, 0.0))?;
    let apart: Vec<f64> = first.iter().zip(&second).map(distance).collect();

    print_table(
        [
            "t [s]",
            "a [rad]",
            "b [rad]",
            "apart [m]",
            "energy error [J]",
        ],
        first
            .iter()
            .zip(&apart)
            .step_by(2 * RATE as usize)
            .map(|(s, &apart)| [s.t, s.y[0], s.y[1], apart, s.error]),
    );

    let page = draw(&first, &second, &apart).model(
        include_str!("double_pendulum.rs"),
        DoublePendulum::EQUATIONS_MATHML,
        &system,
    );
    let address = write(page, "double_pendulum.html")?;
    println!("\nanimation and plots: {address}");

    assert!(apart[0] < 2.0 * APART, "the motions start together");
    assert!(apart.iter().any(|&apart| apart > 1.0), "the motions part");
    assert!(
        first.iter().chain(&second).all(|s| s.error.abs() < 1e-8),
        "energy is kept"
    );
    Ok(())
}

fn distance((first, second): (&Sample, &Sample)) -> f64 {
    (first.bob[0] - second.bob[0]).hypot(first.bob[1] - second.bob[1])
}

fn draw(first: &[Sample], second: &[Sample], apart: &[f64]) -> Page {
    let about = "Two equal double pendulums are let go from rest; the angles of their lower rods \
                 differ by a ten-thousandth of a radian. For some seconds they swing as one.";
    let mut scene = Scene::new("Two double pendulums swing together, then each its own way");
    let mut upper = Plot::new("Angle of the upper rod", "rad");
    let mut lower = Plot::new("Angle of the lower rod", "rad");
    let mut energy = Plot::new("Energy error", "J").log();

    for (name, ink, motion) in [("first", Ink::Orange, first), ("second", Ink::Blue, second)] {
        scene = scene
            .trail(ink, 2.0, motion.iter().map(|s| s.bob))
            .rod(
                name,
                ink,
                0.025,
                motion.iter().map(|s| [[0.0, 0.0], s.elbow, s.bob]),
            )
            .circle(name, ink, 0.1, motion.iter().map(|s| s.elbow))
            .circle(name, ink, 0.1, motion.iter().map(|s| s.bob));
        upper = upper.line(name, ink, motion.iter().map(|s| s.y[0]));
        lower = lower.line(name, ink, motion.iter().map(|s| s.y[1]));
        energy = energy.line(name, ink, motion.iter().map(|s| s.error.abs()));
    }
    scene = scene.mark("pivot", Ink::Ground, [[0.0, 0.0]]);
    let distance = Plot::new("Distance between the bobs", "m").log();

    Page::new("Double pendulum")
        .about(about)
        .times(first.iter().map(|s| s.t))
        .scene(scene)
        .plot(upper)
        .plot(lower)
        .plot(distance.line("distance", Ink::Body, apart.iter().copied()))
        .plot(energy)
}
