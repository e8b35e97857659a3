//! A quadruped stands on four feet with friction, is pushed from the side, and steps to catch itself.
//!
//! The feet are contacts that stick, slide, lift and strike by themselves: `contact_step` moves the robot over any number
//! of these, and the program never asks which foot touches. The motors imitate springs at the angles that a level trunk
//! would have over the feet. If the point at which the robot would come to rest is off the middle of the feet, a diagonal
//! pair of legs steps there, then the other pair (M. H. Raibert, *Legged robots that balance*, MIT Press, 1986; the point
//! is that of J. Pratt et al., "Capture point: a step toward humanoid push recovery", *Humanoids* 2006).
//!
//! ```text
//! cargo run --release --example quadruped
//! ```

mod common;

use std::error::Error;
use std::f64::consts::PI;

use common::{print_table, write};
use lagrangian::nalgebra::{SVector, Vector2, Vector3};
use lagrangian::{contact_step, lagrangian, vector};
use lagrangian_page::{Ink, Page, Plot, Space, point};

lagrangian! {
    /// A trunk on four legs, whose feet are points: front left, front right, hind left, hind right.
    #[derive(Clone, Debug)]
    #[lagrangian(redundant)]
    pub struct Quadruped {
        place: coordinate[3] [m],
        attitude: rotation,
        /// Of each leg: sideways and forward swing of the hip, knee.
        leg: coordinate[4, 3] [rad],
        hip: parameter[4, 3] [m] =
            [[0.2, 0.12, 0], [0.2, -0.12, 0], [-0.2, 0.12, 0], [-0.2, -0.12, 0]],
        /// Mass and moments of inertia of the trunk, and the mass of each half of a leg.
        m: parameter [kg] = 10,
        inertia: parameter[3] [kg*m^2] = [0.05, 0.18, 0.2],
        m_leg: parameter [kg] = 0.4,
        /// Length of each half of a leg.
        l: parameter [m] = 0.2,
        g: parameter [m/s^2] = 9.81,
        /// Coefficient of friction of the feet.
        mu: parameter = 0.8,
        motor: input[12] [N*m],
        /// A force on the trunk.
        push: input[3] [N],
    }

    pub frame trunk = world.translate(place).rotate(attitude);
    body { frame: trunk, mass: m, inertia: diag(inertia[0], inertia[1], inertia[2]) }
    gravity [0, 0, -g];
    force push at trunk.origin;

    // Of half a leg about its middle.
    let half = m_leg * l^2 / 12 * diag(1, 1, 0.02);
    let mut knees = outer(identity(4)[0], [0, 0, 0]);
    let mut feet = knees;
    for i in 0..4 {
        frame thigh = trunk.translate(hip[i]).rotate(x, leg[i, 0]).rotate(y, leg[i, 1]);
        frame shank = thigh.translate([0, 0, -l]).rotate(y, leg[i, 2]);
        body { frame: thigh, mass: m_leg, at: [0, 0, -l / 2], inertia: half }
        body { frame: shank, mass: m_leg, at: [0, 0, -l / 2], inertia: half }
        let foot = shank.point([0, 0, -l]);
        contact foot: foot.z >= 0 { slip: der(foot).xy, friction: mu };
        for j in 0..3 {
            Q.leg[i, j] = motor[3 * i + j];
        }
        knees += outer(identity(4)[i], shank.origin);
        feet += outer(identity(4)[i], foot);
    }
    pub let knees = knees;
    pub let feet = feet;
}

type Configuration = SVector<f64, 19>;
type Velocity = SVector<f64, 18>;
type Torques = SVector<f64, 12>;

/// Length of a step of the simulation, and of the simulation [s].
const H: f64 = 1e-3;
const END: f64 = 4.0;
/// Steps per frame of the animation.
const STRIDE: usize = 20;
/// The begin and end of the push [s], and its force [N].
const PUSH: (f64, f64) = (0.5, 0.65);
const FORCE: Vector3<f64> = Vector3::new(-25.0, 110.0, 0.0);
/// Height of the trunk, and of a swinging foot [m].
const HEIGHT: f64 = 0.32;
const LIFT: f64 = 0.06;
/// Stiffness [N m/rad] and damping [N m s/rad] of the motors.
const MOTOR: (f64, f64) = (90.0, 2.0);
/// The duration of a step [s], and the distance from rest that needs one [m].
const STEP: f64 = 0.16;
const OFF: f64 = 0.03;
/// The feet that step together.
const PAIRS: [[usize; 2]; 2] = [[0, 3], [1, 2]];

/// The angles of a leg that put its foot to a place from its hip, in the axes of the trunk. The knees point inwards.
fn angles(system: &Quadruped, leg: usize, foot: Vector3<f64>) -> Vector3<f64> {
    let length = foot.norm().min(1.999 * system.l);
    let bend = (length / (2.0 * system.l)).acos();
    let bend = if leg < 2 { bend } else { -bend };
    let below = foot.y.hypot(foot.z);
    vector![
        foot.y.atan2(-foot.z),
        (-foot.x).atan2(below) - bend,
        2.0 * bend
    ]
}

/// A step of one pair of feet.
struct Step {
    pair: usize,
    begin: f64,
    /// Where the feet lift.
    from: [Vector2<f64>; 2],
}

/// The state of the controller.
#[derive(Default)]
struct Control {
    step: Option<Step>,
    /// The beginnings of all steps [s].
    begins: Vec<f64>,
}

impl Control {
    /// The torques of the motors.
    fn torques(&mut self, system: &Quadruped, t: f64, q: &Configuration, v: &Velocity) -> Torques {
        let (place, speed) = (q.fixed_rows::<3>(0).into_owned(), v.xy());
        let feet = system.feet(q);
        let foot = |i: usize| -> Vector3<f64> { feet.row(i).transpose() };
        let hip = |i: usize| Vector3::from(system.hip[i]);
        let middle = feet.row_mean().transpose().xy();
        // Where a pendulum of this height and speed would come to rest.
        let stop = place.xy() + speed * (HEIGHT / system.g).sqrt();
        if self.step.as_ref().is_none_or(|step| t >= step.begin + STEP) {
            let pair = self.step.take().map_or(0, |step| 1 - step.pair);
            if (stop - middle).norm() > OFF {
                let from = PAIRS[pair].map(|i| foot(i).xy());
                self.step = Some(Step {
                    pair,
                    begin: t,
                    from,
                });
                self.begins.push(t);
            }
        }
        // A level trunk is over the middle of the feet, or while it steps where it is.
        let over = if self.step.is_some() {
            place.xy()
        } else {
            middle
        };
        let mut targets: [Vector3<f64>; 4] = core::array::from_fn(|i| {
            let target = foot(i).xy() - over - hip(i).xy();
            vector![target.x, target.y, -HEIGHT]
        });
        if let Some(Step { pair, begin, from }) = &self.step {
            let s = (t - begin) / STEP;
            for (i, from) in PAIRS[*pair].into_iter().zip(from) {
                let to = stop + hip(i).xy();
                let place_of_foot = from + (to - from) * (s * s * (3.0 - 2.0 * s));
                let up = LIFT * (PI * s).sin();
                targets[i] = vector![place_of_foot.x, place_of_foot.y, up] - place - hip(i);
            }
        }
        let (stiffness, damping) = MOTOR;
        Torques::from_fn(|k, _| {
            let wish = angles(system, k / 3, targets[k / 3])[k % 3];
            stiffness * (wish - q[7 + k]) - damping * v[6 + k]
        })
    }
}

/// One step of the motion.
struct Sample {
    t: f64,
    q: Configuration,
    push: Vector3<f64>,
    /// The forces of the ground on the feet.
    ground: [Vector3<f64>; 4],
    /// The sliding velocities of the feet whose friction is below its bound [m/s].
    creep: f64,
}

fn simulate(system: &Quadruped) -> Result<(Vec<Sample>, Control), Box<dyn Error>> {
    let mut q = system.neutral();
    q[2] = HEIGHT;
    for i in 0..4 {
        let down = angles(system, i, vector![0.0, 0.0, -HEIGHT]);
        q.fixed_rows_mut::<3>(7 + 3 * i).copy_from(&down);
    }
    let mut v = Velocity::zeros();
    let mut control = Control::default();
    let mut samples = Vec::new();
    for number in 0..=(END / H) as u32 {
        let t = f64::from(number) * H;
        let pushed = (PUSH.0..PUSH.1).contains(&t);
        let push = FORCE * f64::from(u8::from(pushed));
        let mut u = SVector::<f64, 15>::zeros();
        u.fixed_rows_mut::<12>(0)
            .copy_from(&control.torques(system, t, &q, &v));
        u.fixed_rows_mut::<3>(12).copy_from(&push);
        let end = contact_step(system, t, &q, &v, &u, H)?;
        let ground = core::array::from_fn(|i| {
            let [x, y] = end.friction_impulses[i];
            vector![x, y, end.impulses[i]] / H
        });
        // The laws of a step hold at the places in its middle.
        let middle = system.integrate(&q, &(v * (H / 2.0)));
        let [x, y] = system.friction_terms(&middle, &end.v).slips;
        let sticks = |force: &Vector3<f64>| force.xy().norm() < 0.999 * system.mu * force.z;
        let creep = (0..4)
            .filter(|&i| sticks(&ground[i]))
            .map(|i| x[i].hypot(y[i]))
            .fold(0.0, f64::max);
        samples.push(Sample {
            t,
            q,
            push,
            ground,
            creep,
        });
        (q, v) = (end.q, end.v);
    }
    Ok((samples, control))
}

/// The angle between the trunk and upright [rad].
fn tilt(system: &Quadruped, s: &Sample) -> f64 {
    system.trunk(&s.q).rotation[(2, 2)].min(1.0).acos()
}

fn main() -> Result<(), Box<dyn Error>> {
    let system = Quadruped::default();
    let (samples, control) = simulate(&system)?;
    print_table(
        [
            "t [s]",
            "trunk x, y, z [m]",
            "",
            "",
            "tilt [rad]",
            "feet down",
            "creep [m/s]",
        ],
        samples.iter().step_by(200).map(|s| {
            let down = s.ground.iter().filter(|force| force.z > 0.0).count();
            [
                s.t,
                s.q[0],
                s.q[1],
                s.q[2],
                tilt(&system, s),
                down as f64,
                s.creep,
            ]
        }),
    );
    println!("\nsteps at {:.3?} s", control.begins);
    let frames: Vec<&Sample> = samples.iter().step_by(STRIDE).collect();
    let page = draw(&system, &frames, &control).model(
        include_str!("quadruped.rs"),
        Quadruped::EQUATIONS_MATHML,
        &system,
    );
    let address = write(page, "quadruped.html")?;
    println!("animation and plots: {address}");

    let worst = |value: &dyn Fn(&Sample) -> f64| samples.iter().map(value).fold(0.0, f64::max);
    let (tilted, creep) = (worst(&|s| tilt(&system, s)), worst(&|s| s.creep));
    println!("tilt: at most {tilted:.3} rad");
    println!("creep of feet that stick: at most {creep:.1e} m/s");
    assert!(tilted < 0.2, "it stays upright");
    assert!(creep < 1e-14, "feet that stick do not creep");
    let lowest = samples.iter().map(|s| system.gaps(&s.q).min());
    assert!(lowest.fold(0.0, f64::min) > -5e-3, "the floor is hard");
    for s in &samples {
        for force in s.ground {
            assert!(force.z >= 0.0, "the ground does not pull");
            let bound = system.mu * force.z;
            assert!(
                force.xy().norm() <= bound * (1.0 + 1e-9) + 1e-9,
                "friction: {force}"
            );
        }
    }
    let moved = samples
        .iter()
        .take_while(|s| s.t < PUSH.0)
        .map(|s| (system.feet(&s.q) - system.feet(&samples[0].q)).amax())
        .fold(0.0, f64::max);
    assert!(moved < 5e-5, "it stands on its feet: {moved:e}");
    let steps = control.begins.len();
    assert!((2..12).contains(&steps), "{steps} steps catch it");
    let standing = &samples[samples.len() - 1000..];
    let feet = standing
        .iter()
        .map(|s| (system.feet(&s.q) - system.feet(&standing[0].q)).amax());
    let moved = feet.fold(0.0, f64::max);
    println!("feet in the last second: moved by at most {moved:.1e} m");
    assert!(moved < 1e-6, "it stands again");
    Ok(())
}

/// Scale of the arrows.
const METRES_PER_NEWTON: f64 = 0.003;
const FEET: [(&str, Ink); 4] = [
    ("front left", Ink::Blue),
    ("front right", Ink::Orange),
    ("hind left", Ink::Orange),
    ("hind right", Ink::Blue),
];

fn draw(system: &Quadruped, frames: &[&Sample], control: &Control) -> Page {
    let about = "Four feet with Coulomb's friction stand on the floor until a push from the side. The point where the robot would \
                 come to rest is then off its feet: diagonal pairs of legs step there until it stands again. Feet stick, slide, \
                 lift and strike by themselves, and those that stick do not creep. Violet is the push, green the forces of the \
                 ground.";
    let trunk = |s: &Sample| system.trunk(&s.q);
    let mut scene = Space::new("A quadruped is pushed and steps to catch itself")
        .floor(3, 0.25)
        .block_in(
            "trunk",
            Ink::Body,
            [0.0; 3],
            [0.44, 0.2, 0.1],
            frames.iter().map(|s| trunk(s)),
        );
    for (i, (name, ink)) in FEET.into_iter().enumerate() {
        let joints = |s: &&Sample| {
            let row = |points: lagrangian::nalgebra::SMatrix<f64, 4, 3>| points.row(i).transpose();
            let hip = Vector3::from(point(&trunk(s), system.hip[i]));
            [hip, row(system.knees(&s.q)), row(system.feet(&s.q))]
        };
        let ground = |s: &&Sample| {
            let [.., foot] = joints(s);
            [foot, foot + s.ground[i] * METRES_PER_NEWTON]
        };
        scene = scene
            .rod(name, ink, 0.015, frames.iter().map(joints))
            .force(
                "ground",
                Ink::Green,
                METRES_PER_NEWTON,
                frames.iter().map(ground),
            );
    }
    let push = frames.iter().map(|s| {
        let end = Vector3::from(trunk(s).origin);
        [end - s.push * METRES_PER_NEWTON, end]
    });
    let scene = scene.force("push", Ink::Violet, METRES_PER_NEWTON, push);
    let place = Plot::new("Place of the trunk", "m")
        .line("ahead", Ink::Blue, frames.iter().map(|s| s.q[0]))
        .line("left", Ink::Orange, frames.iter().map(|s| s.q[1]))
        .line("up", Ink::Green, frames.iter().map(|s| s.q[2]));
    let tilted = Plot::new("Tilt of the trunk", "rad").line(
        "tilt",
        Ink::Blue,
        frames.iter().map(|s| tilt(system, s)),
    );
    let forces = Plot::new("Forces of the ground upwards", "N")
        .line(FEET[0].0, Ink::Blue, frames.iter().map(|s| s.ground[0].z))
        .line(FEET[1].0, Ink::Orange, frames.iter().map(|s| s.ground[1].z));
    let mut page = Page::new("Quadruped")
        .about(about)
        .times(frames.iter().map(|s| s.t))
        .event(0.0, "standing")
        .event(PUSH.0, "push");
    if let [first, .., last] = control.begins[..] {
        page = page
            .event(first, "stepping")
            .event(last + STEP, "standing again");
    }
    page.scene(scene).plot(place).plot(tilted).plot(forces)
}
