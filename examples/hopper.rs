//! A leg on a rail, read from its URDF file, hops to the wished height.
//!
//! The foot is a contact with friction. `Run::hybrid` finds the landings, where the foot strikes the ground, and the
//! lift-offs, where the ground would have to pull. The program changes its control there, and where the body turns back.
//!
//! On the ground the motors imitate a spring between hip and foot. While it extends, a constant force is added that
//! does the work for the next jump. The legs' own motion takes some of the energy at landing and after the lift-off, so
//! the work is corrected by the heights of the jumps before (M. H. Raibert, *Legged robots that balance*, MIT Press,
//! 1986, chapter 2).
//!
//! ```text
//! cargo run --release --example hopper --features urdf
//! ```

mod common;

use std::error::Error;

use common::{print_table, write};
use lagrangian::nalgebra::{Vector2, Vector3};
use lagrangian::{Advance, Event, Run, lagrangian, vector};
use lagrangian_page::{Ink, Page, Plot, Scene};

lagrangian! {
    /// A body on a vertical rail, and a leg of two rods.
    #[derive(Clone, Debug)]
    pub struct Hopper {
        leg: robot = "examples/models/hopper.urdf",
        /// Coefficient of friction of the foot.
        mu: parameter = 0.8,
        /// Torques of hip and knee [N m].
        motor: input[2],
    }
    gravity [0, 0, -9.81];
    Q.leg.hip = motor[0];
    Q.leg.knee = motor[1];

    pub let knee = leg.shank.origin.xz;
    pub let foot = leg.foot.origin.xz;
    contact foot: foot.y >= 0 { slip: der(foot).x, friction: mu };
}

const MASS: f64 = 0.75 + 0.15 + 0.06 + 0.01;
const WEIGHT: f64 = MASS * 9.81;
/// Length of each rod [m], and of the leg at rest.
const ROD: f64 = 0.16;
const LEG: f64 = 0.28;
/// Stiffness of the spring [N/m], and its force at this length [N].
const SPRING: (f64, f64) = (400.0, 8.0);
/// Stiffness [N m/rad] and damping [N m s/rad] that hold the leg in the air.
const HOLD: (f64, f64) = (4.0, 0.15);
/// Heights of the body [m]: the first one, and those wished for.
const START: f64 = 0.34;
const LOW: f64 = 0.40;
const HIGH: f64 = 0.50;
/// The jump from which on the higher one is wished for.
const CHANGE: usize = 8;
const JUMPS: usize = 18;
/// The time between two frames of the animation [s].
const FRAME: f64 = 0.01;

/// The angles of hip and knee that put the foot below the hip at the length of the leg.
fn posture() -> Vector2<f64> {
    let angle = (LEG / 2.0 / ROD).acos();
    vector![angle, -2.0 * angle]
}

/// The parts of a jump.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Falls,
    Bends,
    /// With this force beside that of the spring.
    Extends(f64),
    Rises,
}

/// The state of the controller.
struct Control {
    phase: Phase,
    /// The wished height, and the energy that is expected to reach it.
    wish: f64,
    energy: f64,
}

impl Control {
    /// The torques: in the air they hold the posture, on the ground they are those of a force between hip and foot.
    fn motor(&self, system: &Hopper, q: &Vector3<f64>, v: &Vector3<f64>) -> Vector2<f64> {
        let short = short(system, q);
        let push = match self.phase {
            Phase::Bends => 0.0,
            Phase::Extends(push) if short > 0.0 => push,
            _ => {
                let (stiffness, damping) = HOLD;
                return (posture() - q.yz()) * stiffness - v.yz() * damping;
            }
        };
        let (stiffness, preload) = SPRING;
        let force = stiffness * short + preload + push;
        // Its power is that of the torques.
        let row = system.foot_jacobian(q).row(1).into_owned();
        vector![row[1], row[2]] * -force
    }

    /// The phase after an event.
    fn next(&self, event: Event, system: &Hopper, q: &Vector3<f64>, v: &Vector3<f64>) -> Phase {
        match (self.phase, event) {
            (Phase::Falls, Event::Closes(_)) => Phase::Bends,
            (Phase::Bends, Event::Zero(_)) => {
                // The spring returns its energy, the push does the rest.
                let (short, (stiffness, preload)) = (short(system, q), SPRING);
                let stored = (stiffness * short / 2.0 + preload) * short;
                Phase::Extends((self.energy - system.energy(q, v) - stored) / short)
            }
            (Phase::Extends(_), Event::Opens(_)) => Phase::Rises,
            (Phase::Rises, Event::Zero(_)) => Phase::Falls,
            (phase, _) => phase,
        }
    }

    /// After a jump.
    fn learn(&mut self, jumps: usize, apex: f64) {
        if jumps == CHANGE {
            self.energy += WEIGHT * (HIGH - self.wish);
            self.wish = HIGH;
        } else {
            self.energy += WEIGHT * (self.wish - apex);
        }
    }
}

/// By how much the leg is shorter than at rest [m].
fn short(system: &Hopper, q: &Vector3<f64>) -> f64 {
    LEG - (q[0] - system.foot(q).y)
}

/// One frame of the motion.
struct Sample {
    t: f64,
    body: f64,
    knee: [f64; 2],
    foot: [f64; 2],
    /// The forces of the ground: upwards, and along.
    force: [f64; 2],
    motor: Vector2<f64>,
    wish: f64,
}

/// A landing.
struct Landing {
    /// The impulse of the ground, upwards [N s].
    impulse: f64,
    /// The energies before and after.
    energies: [f64; 2],
}

/// The motion up to the last jump.
struct Motion {
    samples: Vec<Sample>,
    apexes: Vec<f64>,
    landings: Vec<Landing>,
    /// True if the foot has slid.
    slides: bool,
}

fn simulate(system: &Hopper) -> Result<Motion, Box<dyn Error>> {
    let mut motion = Motion {
        samples: Vec::new(),
        apexes: Vec::new(),
        landings: Vec::new(),
        slides: false,
    };
    let angles = posture();
    let (mut t, mut q, mut v) = (0.0, vector![START, angles.x, angles.y], Vector3::zeros());
    let mut control = Control {
        phase: Phase::Falls,
        wish: LOW,
        energy: system.potential_energy(&q) + WEIGHT * (LOW - START),
    };
    while motion.apexes.len() < JUMPS {
        // The control jumps at events: each part between two of these, or two frames, is a run.
        let motor = |_: f64, q: &Vector3<f64>, v: &Vector3<f64>| control.motor(system, q, v);
        let run = Run::hybrid(system, t, q, v).input(motor);
        let run = run.event(|_, _, v| v[0]);
        let mut run = run.until(motion.samples.len() as f64 * FRAME);
        let (mut event, mut before) = (None, v);
        while let (None, Some(step)) = (event, run.next()) {
            Advance { t, q, v, event } = step?;
            before = run.at(t).1;
        }
        let Some(event) = event else {
            motion.samples.push(sample(system, t, (&q, &v), &control)?);
            continue;
        };
        let next = control.next(event, system, &q, &v);
        match (control.phase, next) {
            (Phase::Falls, Phase::Bends) => motion.landings.push(Landing {
                impulse: (system.momenta(&q, &v) - system.momenta(&q, &before))[0],
                energies: [before, v].map(|v| system.energy(&q, &v)),
            }),
            (Phase::Rises, Phase::Falls) => {
                motion.apexes.push(q[0]);
                control.learn(motion.apexes.len(), q[0]);
            }
            _ => motion.slides |= matches!(event, Event::Slides(_)),
        }
        control.phase = next;
    }
    Ok(motion)
}

fn sample(
    system: &Hopper,
    t: f64,
    (q, v): (&Vector3<f64>, &Vector3<f64>),
    control: &Control,
) -> Result<Sample, lagrangian::Error> {
    let motor = control.motor(system, q, v);
    let stands = !matches!(control.phase, Phase::Falls | Phase::Rises);
    let motion = system.resolve(q, v, &motor, &[stands])?;
    Ok(Sample {
        t,
        body: q[0],
        knee: system.knee(q).into(),
        foot: system.foot(q).into(),
        force: [motion.contact_forces[0], motion.friction_forces[0][0]],
        motor,
        wish: control.wish,
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let system = Hopper::default();
    let motion = simulate(&system)?;
    print_table(
        ["jump", "apex [m]"],
        motion
            .apexes
            .iter()
            .enumerate()
            .map(|(number, apex)| [number as f64, *apex]),
    );
    let friction = motion
        .samples
        .iter()
        .map(|s| s.force)
        .map(|[up, along]| along.abs() / up.max(WEIGHT / 10.0))
        .fold(0.0, f64::max);
    println!("\nthe foot needs a coefficient of friction of {friction:.2}");
    let page = draw(&motion).model(include_str!("hopper.rs"), Hopper::EQUATIONS_MATHML, &system);
    let address = write(page, "hopper.html")?;
    println!("animation and plots: {address}");

    for (jump, wish) in [(CHANGE - 1, LOW), (JUMPS - 1, HIGH)] {
        let apex = motion.apexes[jump];
        assert!((apex - wish).abs() < 2e-3, "jump {jump} reaches {apex}");
    }
    for Landing { impulse, energies } in &motion.landings {
        let [before, after] = energies;
        assert!(*impulse > 0.0, "the ground pushes");
        assert!(after < before, "a landing takes energy");
    }
    assert!(!motion.slides && friction < 0.5, "the foot does not slide");
    for (number, joint) in Hopper::LEG[1..].iter().enumerate() {
        let most = motion
            .samples
            .iter()
            .map(|s| s.motor[number].abs())
            .fold(0.0, f64::max);
        assert!(most < joint.effort, "{} gives {most} N m", joint.name);
    }
    let deepest = motion.samples.iter().map(|s| s.foot[1]).fold(0.0, f64::min);
    assert!(
        deepest > -1e-6,
        "the foot stays out of the ground: {deepest}"
    );
    Ok(())
}

fn draw(motion: &Motion) -> Page {
    let about = "A leg with two motors on a vertical rail, read from its URDF file. On the ground the motors imitate a \
                 spring with a push, in the air they hold the leg. After eight jumps the wish is higher: the push is \
                 corrected by the height of each jump.";
    let samples = &motion.samples;
    let body = |s: &Sample| {
        [
            [-0.04, -0.025],
            [0.04, -0.025],
            [0.04, 0.025],
            [-0.04, 0.025],
        ]
        .map(|[x, y]| [x, s.body + y])
    };
    // Metres for a newton.
    let scale = 0.008;
    let ground = |s: &Sample| {
        let [up, along] = s.force;
        [s.foot, [s.foot[0] + scale * along, s.foot[1] + scale * up]]
    };
    let scene = Scene::new("A leg on a rail hops to the wished height")
        .line("ground", Ink::Ground, [[[-0.3, 0.0], [0.3, 0.0]]])
        .line("rail", Ink::Ground, [[[0.0, 0.0], [0.0, 0.6]]])
        .polygon("body", Ink::Body, samples.iter().map(body))
        .rod(
            "thigh",
            Ink::Blue,
            0.012,
            samples.iter().map(|s| [[0.0, s.body], s.knee]),
        )
        .rod(
            "shank",
            Ink::Orange,
            0.010,
            samples.iter().map(|s| [s.knee, s.foot]),
        )
        .circle("foot", Ink::Orange, 0.012, samples.iter().map(|s| s.foot))
        .force("ground", Ink::Violet, scale, samples.iter().map(ground));
    let heights = Plot::new("Height of the body", "m")
        .line("height", Ink::Blue, samples.iter().map(|s| s.body))
        .line("wish", Ink::Ground, samples.iter().map(|s| s.wish));
    let forces = Plot::new("Force of the ground", "N")
        .line("upwards", Ink::Violet, samples.iter().map(|s| s.force[0]))
        .line("along", Ink::Green, samples.iter().map(|s| s.force[1]));
    let motors = Plot::new("Torques", "N m")
        .line("hip", Ink::Blue, samples.iter().map(|s| s.motor.x))
        .line("knee", Ink::Orange, samples.iter().map(|s| s.motor.y));
    Page::new("A leg on a rail")
        .about(about)
        .times(samples.iter().map(|s| s.t))
        .scene(scene)
        .plot(heights)
        .plot(forces)
        .plot(motors)
}
