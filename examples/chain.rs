//! A chain falls, and its free end overtakes a stone that falls beside it.
//!
//! The chain hangs from both ends until one of them is released. Each link that comes to rest on the hanging side pulls
//! the links that still fall: the free end is faster than free fall.
//!
//! ```text
//! cargo run --release --example chain
//! ```

mod common;
#[path = "common/dopri5.rs"]
mod dopri5;

use std::error::Error;
use std::iter;

use common::{print_table, write};
use dopri5::advance;
use lagrangian::lagrangian;
use lagrangian::nalgebra::SVector;
use lagrangian_page::{Ink, Page, Plot, Scene};

/// The number of links.
const LINKS: usize = 20;

lagrangian! {
    /// Twenty equal rods, the first hung from the origin, each other from the end of the one before.
    #[derive(Clone, Debug)]
    pub struct Chain {
        /// Angles of the links from hanging.
        angle: coordinate[20] [rad],
        /// Mass of a link.
        m: parameter [kg] = 0.1,
        /// Length of a link.
        l: parameter [m] = 0.1,
        g: parameter [m/s^2] = 9.81,
    }

    let mut joint = [0, 0];
    for i in 0..20 {
        let along = l * [sin(angle[i]), -cos(angle[i])];
        let middle = joint + along / 2;
        T += m * der(middle)^2 / 2 + m * l^2 / 12 * der(angle[i])^2 / 2;
        V += m * g * middle.y;
        joint += along;
    }
    pub let tip = joint;
    pub let tip_velocity = der(tip);
}

/// Frames per second, also of the animation.
const RATE: f64 = 120.0;
const END: f64 = 2.5;
/// Shortly before the chain is stretched [s].
const STRETCHED: f64 = 0.5;
/// Pull that spreads the ends before one is released, as a multiple of a link's weight.
const SPREAD: f64 = 0.6;

/// The angles and their rates.
type State = SVector<f64, { 2 * LINKS }>;
type Angles = SVector<f64, LINKS>;

fn split(y: &State) -> (Angles, Angles) {
    (
        y.fixed_rows::<LINKS>(0).into_owned(),
        y.fixed_rows::<LINKS>(LINKS).into_owned(),
    )
}

/// The chain at rest, hung from both ends at one height.
///
/// In equilibrium the pull along the chain has a constant horizontal part, and its vertical part falls by a link's
/// weight from one link to the next, through zero at the lowest point. Each link is parallel to the pull at its middle.
fn hung_from_both_ends() -> State {
    let lowest = (LINKS - 1) as f64 / 2.0;
    State::from_fn(|i, _| {
        if i < LINKS {
            SPREAD.atan2(lowest - i as f64)
        } else {
            0.0
        }
    })
}

/// The equations of motion in the form of the solver.
/// One frame of the motion.
struct Sample {
    t: f64,
    /// Both ends of the chain and the joints between.
    joints: Vec<[f64; 2]>,
    tip: [f64; 2],
    /// Speed of the free end [m/s].
    speed: f64,
    /// The position of a stone that was released beside the free end.
    stone: [f64; 2],
    /// Energy less that of the start [J].
    error: f64,
}

impl Sample {
    fn new(system: &Chain, t: f64, y: &State, start: &State) -> Self {
        let (q, v) = split(y);
        let (start_q, start_v) = split(start);
        let [x, top]: [f64; 2] = system.tip(&start_q).into();
        let links = q.iter().scan([0.0, 0.0], |[x, y], angle| {
            *x += system.l * angle.sin();
            *y -= system.l * angle.cos();
            Some([*x, *y])
        });
        Self {
            t,
            joints: iter::once([0.0, 0.0]).chain(links).collect(),
            tip: system.tip(&q).into(),
            speed: system.tip_velocity(&q, &v).norm(),
            stone: [x + 0.1, top - system.g * t * t / 2.0],
            error: system.energy(&q, &v) - system.energy(&start_q, &start_v),
        }
    }
}

fn simulate(system: &Chain) -> Result<Vec<Sample>, Box<dyn Error>> {
    let start = hung_from_both_ends();
    let mut y = start;
    let mut samples = Vec::new();
    for frame in 0..=(END * RATE) as u32 {
        let t = f64::from(frame) / RATE;
        samples.push(Sample::new(system, t, &y, &start));

        y = advance(|_, y| system.state_derivative(y), t, 1.0 / RATE, y, 1e-9)?;
    }
    Ok(samples)
}

fn main() -> Result<(), Box<dyn Error>> {
    let system = Chain::default();
    let samples = simulate(&system)?;
    print_table(
        [
            "t [s]",
            "tip y [m]",
            "stone y [m]",
            "tip speed [m/s]",
            "energy error [J]",
        ],
        samples
            .iter()
            .take((RATE * 0.8) as usize)
            .step_by(RATE as usize / 15)
            .map(|s| [s.t, s.tip[1], s.stone[1], s.speed, s.error]),
    );

    let page =
        draw(&samples)
            .speed(0.1)
            .model(include_str!("chain.rs"), Chain::EQUATIONS_MATHML, &system);
    let address = write(page, "chain.html")?;
    println!("\nanimation and plots: {address}");

    let lead = |s: &Sample| s.stone[1] - s.tip[1];
    let falling = || samples.iter().take_while(|s| s.t < STRETCHED);
    assert!(
        falling().map(lead).is_sorted(),
        "the end gains on the stone all the way"
    );
    assert!(
        falling().any(|s| lead(s) > 0.2),
        "and by more than two links"
    );
    assert!(
        samples.iter().any(|s| s.speed > 15.0),
        "at the bottom it whips round"
    );
    assert!(
        samples.iter().all(|s| s.error.abs() < 1e-7),
        "energy is kept"
    );
    Ok(())
}

fn draw(samples: &[Sample]) -> Page {
    let about = "Twenty rods hang from both ends until the right one is let go, and a stone beside it. \
                 The hanging side catches link after link and pulls those that still fall: the \
                 free end overtakes the stone, and at the bottom it whips round. \
                 The motion plays at a tenth of its speed.";
    // The stone stays in the picture as long as the chain could reach it.
    let stone = |s: &Sample| {
        let [x, y] = s.stone;
        if y > -2.1 { [x, y] } else { [f64::NAN; 2] }
    };
    let joints = |s: &Sample| s.joints.clone();
    let scene = Scene::new("A chain hung from one end falls and swings, a stone falls beside it")
        .trail(Ink::Orange, 0.3, samples.iter().map(|s| s.tip))
        .rod("chain", Ink::Blue, 0.02, samples.iter().map(joints))
        .circle("stone", Ink::Body, 0.04, samples.iter().map(stone))
        .mark("free end", Ink::Orange, samples.iter().map(|s| s.tip))
        .mark("support", Ink::Ground, [[0.0, 0.0]]);

    let height = Plot::new("Height", "m")
        .line("free end", Ink::Orange, samples.iter().map(|s| s.tip[1]))
        .line("stone", Ink::Body, samples.iter().map(|s| stone(s)[1]))
        .ends("below the chain");
    let speed = Plot::new("Speed of the free end", "m/s").line(
        "speed",
        Ink::Orange,
        samples.iter().map(|s| s.speed),
    );
    let error = Plot::new("Energy error", "J").log().line(
        "error",
        Ink::Body,
        samples.iter().map(|s| s.error.abs()),
    );
    Page::new("Falling chain")
        .about(about)
        .times(samples.iter().map(|s| s.t))
        .event(0.0, "falling")
        .event(STRETCHED, "swinging")
        .scene(scene)
        .plot(height)
        .plot(speed)
        .plot(error)
}
