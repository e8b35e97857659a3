//! A leg on a rail, read from its URDF file, hops to the wished height.
//!
//! The foot is two contacts: it cannot go into the ground, and while it stands it does not slide. In the air the
//! program integrates `acceleration`, on the ground `solve_active`. A landing is an `impact`, and the foot lifts off
//! when the ground would have to pull.
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
use lagrangian::{lagrangian, rk4_step, vector};
use lagrangian_page::{Ink, Page, Plot, Scene};

lagrangian! {
    /// A body on a vertical rail, and a leg of two rods.
    #[derive(Clone, Debug)]
    pub struct Hopper {
        leg: robot = "examples/models/hopper.urdf",
        /// Torques of hip and knee [N m].
        motor: input[2],
    }
    gravity [0, 0, -9.81];
    Q.leg.hip = motor[0];
    Q.leg.knee = motor[1];

    pub let knee = leg.shank.origin.xz;
    pub let foot = leg.foot.origin.xz;
    contact height: foot.y >= 0;
    contact along: foot.x >= 0;
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
/// Steps per second, and per frame of the animation.
const RATE: f64 = 2000.0;
const STRIDE: usize = 20;

/// The angles of hip and knee that put the foot below the hip at the length of the leg.
fn posture() -> Vector2<f64> {
    let angle = (LEG / 2.0 / ROD).acos();
    vector![angle, -2.0 * angle]
}

/// The state of the controller.
struct Control {
    /// The wished height, and the energy that is expected to reach it.
    wish: f64,
    energy: f64,
    /// The force during the extension, once it has begun.
    push: Option<f64>,
}

impl Control {
    /// Torques in the air: they hold the posture.
    fn air(q: &Vector3<f64>, v: &Vector3<f64>) -> Vector2<f64> {
        let (stiffness, damping) = HOLD;
        (posture() - q.yz()) * stiffness - v.yz() * damping
    }

    /// Torques on the ground: those of a force between hip and foot.
    fn ground(&mut self, system: &Hopper, q: &Vector3<f64>, v: &Vector3<f64>) -> Vector2<f64> {
        let short = LEG - (q[0] - system.foot(q).y);
        if short <= 0.0 {
            return Self::air(q, v);
        }
        let (stiffness, preload) = SPRING;
        if self.push.is_none() && v[0] > 0.0 {
            // The spring returns its energy, the push does the rest.
            let stored = (stiffness * short / 2.0 + preload) * short;
            self.push = Some((self.energy - system.energy(q, v) - stored) / short);
        }
        let force = stiffness * short + preload + self.push.unwrap_or(0.0);
        // Its power is that of the torques.
        let row = system.foot_jacobian(q).row(1).into_owned();
        vector![row[1], row[2]] * -force
    }

    /// After a jump.
    fn learn(&mut self, apex: f64) {
        self.energy += WEIGHT * (self.wish - apex);
        self.push = None;
    }
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
    impulses: [f64; 2],
    /// The energies before and after.
    energies: [f64; 2],
}

struct Run {
    samples: Vec<Sample>,
    apexes: Vec<f64>,
    landings: Vec<Landing>,
    /// The largest share of the force along in the force upwards.
    friction: f64,
}

fn simulate(system: &Hopper) -> Result<Run, Box<dyn Error>> {
    let mut run = Run {
        samples: Vec::new(),
        apexes: Vec::new(),
        landings: Vec::new(),
        friction: 0.0,
    };
    let angles = posture();
    let (mut q, mut v) = (vector![START, angles.x, angles.y], Vector3::zeros());
    let mut control = Control {
        wish: LOW,
        energy: system.potential_energy(&q) + WEIGHT * (LOW - START),
        push: None,
    };
    let (mut stands, mut frame, h) = (false, 0, 1.0 / RATE);
    while run.apexes.len() < JUMPS {
        let motor = match stands {
            true => control.ground(system, &q, &v),
            false => Control::air(&q, &v),
        };
        let active = [stands; 2];
        let motion = system.solve_active(&q, &v, &motor, &active)?;
        let [up, along] = motion.contact_forces.into();
        if frame % STRIDE == 0 {
            run.samples.push(Sample {
                t: frame as f64 * h,
                body: q[0],
                knee: system.knee(&q).into(),
                foot: system.foot(&q).into(),
                force: [up, along],
                motor,
                wish: control.wish,
            });
        }
        frame += 1;
        if stands && up < 0.0 {
            stands = false;
            continue;
        }
        if stands {
            run.friction = run.friction.max(along.abs() / up.max(WEIGHT / 10.0));
            (q, v) = stance(system, &q, &v, &motor, h)?;
            continue;
        }
        let was_rising = v[0] > 0.0;
        let (next_q, next_v) = rk4_step(system, 0.0, &q, &v, &motor, h)?;
        if was_rising && next_v[0] <= 0.0 {
            run.apexes.push(q[0]);
            if run.apexes.len() == CHANGE {
                control.energy += WEIGHT * (HIGH - control.wish);
                control.wish = HIGH;
                control.push = None;
            } else {
                control.learn(q[0]);
            }
        }
        (q, v) = (next_q, next_v);
        if system.gaps(&q)[0] < 0.0 && system.gap_rates(&q, &v)[0] < 0.0 {
            // Back to the time of the landing.
            for _ in 0..4 {
                let late = system.gaps(&q)[0] / system.gap_rates(&q, &v)[0];
                (q, v) = rk4_step(system, 0.0, &q, &v, &motor, -late)?;
            }
            let hit = system.impact(&q, &v, &[true; 2], &[0.0; 2])?;
            let energies = [v, hit.velocity].map(|v| system.energy(&q, &v));
            run.landings.push(Landing {
                impulses: hit.impulses.into(),
                energies,
            });
            (v, stands) = (hit.velocity, true);
        }
    }
    Ok(run)
}

/// A step of the classical Runge-Kutta method on the ground.
fn stance(
    system: &Hopper,
    q: &Vector3<f64>,
    v: &Vector3<f64>,
    motor: &Vector2<f64>,
    h: f64,
) -> Result<(Vector3<f64>, Vector3<f64>), lagrangian::Error> {
    let rate = |q: Vector3<f64>, v: Vector3<f64>| {
        let motion = system.solve_active(&q, &v, motor, &[true; 2])?;
        Ok((v, motion.acceleration))
    };
    let first = rate(*q, *v)?;
    let second = rate(q + first.0 * (h / 2.0), v + first.1 * (h / 2.0))?;
    let third = rate(q + second.0 * (h / 2.0), v + second.1 * (h / 2.0))?;
    let fourth = rate(q + third.0 * h, v + third.1 * h)?;
    Ok((
        q + (first.0 + (second.0 + third.0) * 2.0 + fourth.0) * (h / 6.0),
        v + (first.1 + (second.1 + third.1) * 2.0 + fourth.1) * (h / 6.0),
    ))
}

fn main() -> Result<(), Box<dyn Error>> {
    let system = Hopper::default();
    let run = simulate(&system)?;
    print_table(
        ["jump", "apex [m]"],
        run.apexes
            .iter()
            .enumerate()
            .map(|(number, apex)| [number as f64, *apex]),
    );
    println!(
        "\nthe foot needs a coefficient of friction of {:.2}",
        run.friction
    );
    let page = draw(&run).model(include_str!("hopper.rs"), Hopper::EQUATIONS_MATHML, &system);
    let address = write(page, "hopper.html")?;
    println!("animation and plots: {address}");

    for (jump, wish) in [(CHANGE - 1, LOW), (JUMPS - 1, HIGH)] {
        let apex = run.apexes[jump];
        assert!((apex - wish).abs() < 2e-3, "jump {jump} reaches {apex}");
    }
    for Landing { impulses, energies } in &run.landings {
        let [before, after] = energies;
        assert!(impulses[0] > 0.0, "the ground pushes");
        assert!(after < before, "a landing takes energy");
    }
    assert!(run.friction < 0.5, "the foot does not slide");
    for (number, joint) in Hopper::LEG[1..].iter().enumerate() {
        let torques = run.samples.iter().map(|s| s.motor[number].abs());
        let most = torques.fold(0.0, f64::max);
        assert!(most < joint.effort, "{} gives {most} N m", joint.name);
    }
    let deepest = run.samples.iter().map(|s| s.foot[1]).fold(0.0, f64::min);
    assert!(
        deepest > -1e-6,
        "the foot stays out of the ground: {deepest}"
    );
    Ok(())
}

fn draw(run: &Run) -> Page {
    let about = "A leg with two motors on a vertical rail, read from its URDF file. On the ground the motors imitate a \
                 spring with a push, in the air they hold the leg. After eight jumps the wish is higher: the push is \
                 corrected by the height of each jump.";
    let samples = &run.samples;
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
