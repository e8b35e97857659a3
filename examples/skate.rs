//! A spinning skate on a slope: it never gets down.
//!
//! A blade can slide along its edge and turn, but cannot slip sideways. That is a constraint on velocities which no
//! constraint on positions can replace (`nonholonomic`): the skate reaches every place on the ice at every heading, but
//! not by every path.
//!
//! ```text
//! cargo run --release --example skate
//! ```

mod common;
#[path = "common/dopri5.rs"]
mod dopri5;

use std::error::Error;
use std::f64::consts::FRAC_PI_2;

use common::{print_table, write};
use dopri5::advance;
use lagrangian::lagrangian;
use lagrangian::nalgebra::{Vector3, Vector6};
use lagrangian_page::{Ink, Page, Plot, Scene};

lagrangian! {
    /// A skate on a slope of ice, its center of mass above the middle of its blade.
    #[derive(Clone, Debug)]
    pub struct Skate {
        /// The contact point of the blade, across the slope and up the slope.
        x, y: coordinate [m],
        /// Heading of the blade from straight across.
        phi: coordinate [rad],
        /// Mass.
        m: parameter [kg] = 2,
        /// Moment of inertia about the upright axis.
        inertia: parameter [kg*m^2] = 0.05,
        /// Angle of the slope.
        slope: parameter [rad] = 0.15,
        g: parameter [m/s^2] = 9.81,
    }

    T = m * (der(x)^2 + der(y)^2) / 2 + inertia * der(phi)^2 / 2;
    V = m * g * sin(slope) * y;

    // The velocity has no part across the blade.
    nonholonomic blade: -sin(phi) * der(x) + cos(phi) * der(y) = 0;
}

/// Frames per second, also of the animation.
const RATE: f64 = 30.0;
const END: f64 = 10.0;
/// Scale of the arrows.
const METRES_PER_NEWTON: f64 = 0.06;
/// The angular velocity of both skates [rad/s].
const SPIN: f64 = 1.5;

/// x, y, φ and their rates.
type State = Vector6<f64>;

fn split(y: &State) -> (Vector3<f64>, Vector3<f64>) {
    (
        y.fixed_rows::<3>(0).into_owned(),
        y.fixed_rows::<3>(3).into_owned(),
    )
}

fn join(q: &Vector3<f64>, v: &Vector3<f64>) -> State {
    State::new(q.x, q.y, q.z, v.x, v.y, v.z)
}

/// The equations of motion in the form of the solver.
/// A start with the blade pointing straight down the slope.
#[derive(Clone, Copy)]
struct Launch {
    /// The start on the slope [m].
    y: f64,
    /// Forward speed [m/s].
    speed: f64,
}

impl Launch {
    fn state(self) -> State {
        State::new(0.0, self.y, -FRAC_PI_2, 0.0, -self.speed, SPIN)
    }

    /// The exact position at time `t`, and the force of the ice to the left of the blade.
    ///
    /// The heading is φ = ωt - π/2, because nothing turns the skate. Along the blade only gravity acts, with γ = g
    /// sin(slope): the forward speed is s = s₀ + γ/ω sin ωt. Its parts sin ωt across and -cos ωt up the slope integrate
    /// to the path, and Newton's law across the blade gives the force.
    fn exact(self, system: &Skate, t: f64) -> ([f64; 2], f64) {
        let gamma = system.g * system.slope.sin();
        let (sin, cos) = (SPIN * t).sin_cos();
        let x =
            self.speed / SPIN * (1.0 - cos) + gamma / (2.0 * SPIN.powi(2)) * (SPIN * t - sin * cos);
        let y = self.y - self.speed / SPIN * sin - gamma / (2.0 * SPIN.powi(2)) * sin.powi(2);
        let force = system.m * (SPIN * self.speed + 2.0 * gamma * sin);
        ([x, y], force)
    }
}

/// One frame of one motion.
struct Sample {
    t: f64,
    q: Vector3<f64>,
    /// Force of the ice on the blade, to its left [N].
    reaction: f64,
    /// The same as a vector, across and up the slope [N].
    force: [f64; 2],
    /// Energy less that of the start [J].
    energy_error: f64,
    /// Distance from the exact position [m].
    path_error: f64,
    /// Difference from the exact force [N].
    reaction_error: f64,
    /// Speed across the blade [m/s], which should be zero.
    slip: f64,
}

impl Sample {
    fn new(system: &Skate, launch: Launch, t: f64, y: &State) -> Result<Self, Box<dyn Error>> {
        let (q, v) = split(y);
        let (start_q, start_v) = split(&launch.state());
        let ([x, y], force) = launch.exact(system, t);
        // The row of the constraint has length one, so that its multiplier is a force.
        let reaction = system.solve(&q, &v)?.multipliers[0];
        let forces = system.constraint_forces(&q, &v)?;
        Ok(Self {
            t,
            q,
            reaction,
            force: [forces.x, forces.y],
            energy_error: system.energy(&q, &v) - system.energy(&start_q, &start_v),
            path_error: (q.x - x).hypot(q.y - y),
            reaction_error: reaction - force,
            slip: system.constraint_velocity(&q, &v)[0],
        })
    }
}

/// The motion after a launch. Only the accelerations obey the constraint exactly: the errors of the solver accumulate
/// to a slip, unless `project` removes it after each frame.
fn simulate(system: &Skate, launch: Launch, project: bool) -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut y = launch.state();
    let mut samples = Vec::new();
    for frame in 0..=(END * RATE) as u32 {
        let t = f64::from(frame) / RATE;
        samples.push(Sample::new(system, launch, t, &y)?);

        y = advance(|_, y| system.state_derivative(y), t, 1.0 / RATE, y, 1e-9)?;
        if project {
            let (q, v) = split(&y);
            let (q, v) = system.project(&q, &v)?;
            y = join(&q, &v);
        }
    }
    Ok(samples)
}

fn main() -> Result<(), Box<dyn Error>> {
    let system = Skate::default();
    let released = Launch { y: 0.0, speed: 0.0 };
    let pushed = Launch {
        y: -1.5,
        speed: 1.0,
    };
    let motions = [
        simulate(&system, released, true)?,
        simulate(&system, pushed, true)?,
    ];
    let drifting = simulate(&system, pushed, false)?;

    let [first, second] = &motions;
    print_table(
        [
            "t [s]",
            "released x [m]",
            "y [m]",
            "reaction [N]",
            "pushed x [m]",
            "y [m]",
            "reaction [N]",
        ],
        first
            .iter()
            .zip(second)
            .step_by(RATE as usize)
            .map(|(a, b)| [a.t, a.q.x, a.q.y, a.reaction, b.q.x, b.q.y, b.reaction]),
    );

    let page = draw(first, second, &drifting).model(
        include_str!("skate.rs"),
        Skate::EQUATIONS_MATHML,
        &system,
    );
    let address = write(page, "skate.html")?;
    println!("\nanimation and plots: {address}");

    for samples in &motions {
        let worst =
            |value: fn(&Sample) -> f64| samples.iter().map(value).map(f64::abs).fold(0.0, f64::max);
        assert!(worst(|s| s.path_error) < 1e-7, "the path is the exact one");
        assert!(
            worst(|s| s.reaction_error) < 1e-7,
            "the reaction is the exact one"
        );
        assert!(worst(|s| s.energy_error) < 1e-7, "the blade does no work");
        assert!(worst(|s| s.slip) < 1e-14, "the blade does not slip");
    }
    assert!(
        drifting.iter().any(|s| s.slip.abs() > 1e-12),
        "without projection it slips"
    );
    Ok(())
}

fn draw(released: &[Sample], pushed: &[Sample], drifting: &[Sample]) -> Page {
    let about = "Two spinning skates on a slope, seen from above. Gravity pulls towards the bottom \
                 of the picture, yet each only wanders off to the side: one from rest, along a \
                 cycloid; one after a push, in loops. The green arrows are the force of the ice on the \
                 blade.";
    let mut scene = Scene::new("Two spinning skates wander across a slope without getting down")
        .arrow("down", Ink::Ground, [[[-0.7, -0.9], [-0.7, -1.5]]])
        .label("down", Ink::Ground, [-0.7, -0.8]);
    let mut reaction = Plot::new("Force on the blade", "N");
    let mut height = Plot::new("Position up the slope", "m");
    let mut energy = Plot::new("Energy error", "J").log();
    let mut exact = Plot::new("Distance from the exact path", "m").log();

    for (name, ink, motion) in [
        ("released", Ink::Blue, released),
        ("pushed", Ink::Orange, pushed),
    ] {
        let blade = |s: &Sample| {
            let (sin, cos) = s.q.z.sin_cos();
            [-0.15, 0.15].map(|l| [s.q.x + l * cos, s.q.y + l * sin])
        };
        let force = |s: &Sample| {
            let [x, y] = s.force;
            let tip = [s.q.x + METRES_PER_NEWTON * x, s.q.y + METRES_PER_NEWTON * y];
            [[s.q.x, s.q.y], tip]
        };
        scene = scene
            .trail(ink, END, motion.iter().map(|s| [s.q.x, s.q.y]))
            .force(
                "force of the ice",
                Ink::Green,
                METRES_PER_NEWTON,
                motion.iter().map(force),
            )
            .rod(name, ink, 0.025, motion.iter().map(blade))
            .circle(name, ink, 0.07, motion.iter().map(|s| [s.q.x, s.q.y]));
        reaction = reaction.line(name, ink, motion.iter().map(|s| s.reaction));
        height = height.line(name, ink, motion.iter().map(|s| s.q.y));
        energy = energy.line(name, ink, motion.iter().map(|s| s.energy_error.abs()));
        exact = exact.line(name, ink, motion.iter().map(|s| s.path_error));
    }

    // Smaller slips are rounding, and a logarithmic axis cannot show 0.
    let slip = |s: &Sample| s.slip.abs().max(f64::EPSILON);
    let slips = Plot::new("Slip of the pushed skate", "m/s")
        .log()
        .line("projected", Ink::Blue, pushed.iter().map(slip))
        .line("drifting", Ink::Orange, drifting.iter().map(slip));

    Page::new("Skate on a slope")
        .about(about)
        .times(released.iter().map(|s| s.t))
        .scene(scene)
        .plot(height)
        .plot(reaction)
        .plot(exact)
        .plot(energy)
        .plot(slips)
}
