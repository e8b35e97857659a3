//! A quadrotor takes off, flies a square, flips over and lands.
//!
//! The model has the thrust of each rotor at its place, and the torque of its drag on the hull; the motion follows. The
//! attitude is a `rotation`, which has no singular attitude when it flies upside down. A cascade of two feedbacks flies
//! it: the outer one tilts the thrust towards the path, the inner one turns the hull there. During the flip the outer
//! one is off, and the aim rolls over once.
//!
//! ```text
//! cargo run --release --example quadrotor
//! ```

mod common;
#[path = "common/dopri5.rs"]
mod dopri5;

use std::error::Error;
use std::f64::consts::TAU;

use common::{print_table, write};
use dopri5::advance;
use lagrangian::lagrangian;
use lagrangian::nalgebra::{Matrix3, Matrix4, Rotation3, SVector, Vector3, Vector4, Vector6};
use lagrangian_page::{Ink, Page, Plot, Space};

lagrangian! {
    /// A rigid hull with four rotors.
    #[derive(Clone, Debug)]
    pub struct Quadrotor {
        /// Center of mass.
        place: coordinate[3] [m],
        /// From the axes of the hull, ahead, to the left and up, to those of the world.
        attitude: rotation,
        /// Mass.
        m: parameter [kg] = 0.8,
        /// Moments of inertia along the hull.
        inertia: parameter[3] [kg*m^2] = [0.006, 0.006, 0.011],
        /// Positions of the rotors: front, left, back, right.
        rotor: parameter[4, 3] [m] = [[0.2, 0, 0], [0, 0.2, 0], [-0.2, 0, 0], [0, -0.2, 0]],
        /// Torque of the drag of each rotor per thrust; neighbors turn in opposite ways.
        drag: parameter[4] [m] = [0.015, -0.015, 0.015, -0.015],
        g: parameter [m/s^2] = 9.81,
        /// Thrust of each rotor.
        thrust: input[4] [N],
    }

    frame hull = world.translate(place).rotate(attitude);
    body { frame: hull, mass: m, inertia: diag(inertia[0], inertia[1], inertia[2]) }
    gravity [0, 0, -g];

    for i in 0..4 {
        force hull.vector([0, 0, thrust[i]]) at hull.point(rotor[i]);
        torque hull.vector([0, 0, drag[i] * thrust[i]]) on hull;
    }

    pub let axes = hull.rotation;
}

/// Frames per second, also of the animation.
const RATE: f64 = 30.0;
/// Scale of the arrows.
const METRES_PER_NEWTON: f64 = 0.12;
/// Corners of the path [m], `LEG` seconds from each to the next, and the event that begins there.
const CORNERS: [([f64; 3], &str); 9] = [
    ([-0.5, -0.5, 0.0], "taking off"),
    ([-0.5, -0.5, 0.6], "ahead"),
    ([0.5, -0.5, 0.6], "to the left, rising"),
    ([0.5, 0.5, 1.0], "backwards"),
    ([-0.5, 0.5, 1.0], "a flip"),
    ([-0.5, 0.5, 1.0], "recovering"),
    ([-0.5, 0.5, 1.0], "to the right, sinking"),
    ([-0.5, -0.5, 0.6], "landing"),
    ([-0.5, -0.5, 0.0], "landed"),
];
/// The leg of the flip, and its duration [s].
const FLIP: usize = 4;
const FLIP_TIME: f64 = 0.75;
/// The least thrust, so that every rotor pushes while the hull turns [N].
const LEAST_THRUST: f64 = 5.5;
/// The largest acceleration back to the path [m/s^2], and the largest turning of the hull about its axes [rad/s^2].
const BACK: f64 = 4.0;
const TURNING: Vector3<f64> = Vector3::new(75.0, 75.0, 1.0);
const LEG: f64 = 1.2;
const END: f64 = LEG * CORNERS.len() as f64;

/// Place and attitude, velocities, and the work that the rotors have done.
type State = SVector<f64, 14>;

fn split(y: &State) -> (SVector<f64, 7>, Vector6<f64>) {
    (
        y.fixed_rows::<7>(0).into_owned(),
        y.fixed_rows::<6>(7).into_owned(),
    )
}

/// The target roll at time `t`, as angle, rate and acceleration; `None` outside the flip.
fn roll(t: f64) -> Option<[f64; 3]> {
    let s = (t - LEG * FLIP as f64) / FLIP_TIME;
    (0.0..1.0).contains(&s).then(|| {
        [
            TAU * s.powi(3) * (10.0 - 15.0 * s + 6.0 * s * s),
            TAU * 30.0 * (s * (1.0 - s)).powi(2) / FLIP_TIME,
            TAU * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / FLIP_TIME.powi(2),
        ]
    })
}

/// The point of the path at time `t`, its velocity and acceleration: at rest at each corner.
fn path(t: f64) -> [Vector3<f64>; 3] {
    let last = CORNERS.len() - 1;
    let leg = ((t / LEG) as usize).min(last);
    let from = Vector3::from(CORNERS[leg].0);
    let displacement = Vector3::from(CORNERS[(leg + 1).min(last)].0) - from;
    let s = t / LEG - leg as f64;
    [
        from + displacement * (s.powi(3) * (10.0 - 15.0 * s + 6.0 * s * s)),
        displacement * (30.0 * (s * (1.0 - s)).powi(2)) / LEG,
        displacement * (60.0 * s * (1.0 - s) * (1.0 - 2.0 * s)) / LEG.powi(2),
    ]
}

/// The controller that flies the quadrotor along the path.
#[derive(Clone, Copy)]
struct Pilot<'a> {
    system: &'a Quadrotor,
    /// The thrusts for a total thrust and a torque in hull axes.
    mixer: Matrix4<f64>,
}

impl<'a> Pilot<'a> {
    fn new(system: &'a Quadrotor) -> Option<Self> {
        let rotor = |i: usize| {
            let [x, y, _] = system.rotor[i];
            Vector4::new(1.0, y, -x, system.drag[i])
        };
        let mixer = Matrix4::from_columns(&[0, 1, 2, 3].map(rotor)).try_inverse()?;
        Some(Self { system, mixer })
    }

    fn thrusts(&self, t: f64, y: &State) -> Vector4<f64> {
        let system = self.system;
        let (q, v) = split(y);
        let axes = system.axes(&q);

        // The outer feedback: the acceleration that leads back to the path, weight included.
        let [place, velocity, acceleration] = path(t);
        let back = 9.0 * (place - q.fixed_rows::<3>(0)) + 5.0 * (velocity - v.fixed_rows::<3>(0));
        let wanted = acceleration + back.cap_magnitude(BACK) + Vector3::z() * system.g;

        // The inner one: turn the hull's z that way and its x ahead; or roll over.
        let (aim, rates, thrust) = match roll(t) {
            Some([angle, rate, acceleration]) => (
                Rotation3::from_axis_angle(&Vector3::x_axis(), angle).into_inner(),
                [rate, acceleration],
                // No more than the rotors need to turn the hull: it would push downwards.
                0.6 * system.m * system.g * (1.0 + angle.cos()) + LEAST_THRUST,
            ),
            None => {
                let up = wanted.normalize();
                let left = up.cross(&Vector3::x()).normalize();
                let aim = Matrix3::from_columns(&[left.cross(&up), left, up]);
                let thrust = system.m * wanted.dot(&axes.column(2));
                (aim, [0.0; 2], thrust.max(LEAST_THRUST))
            }
        };
        // The skew part of the rotation from here to there is the sine of the angle times its axis.
        let turn = axes.transpose() * aim;
        let error = Vector3::new(
            turn[(2, 1)] - turn[(1, 2)],
            turn[(0, 2)] - turn[(2, 0)],
            turn[(1, 0)] - turn[(0, 1)],
        ) / 2.0;
        let [rate, acceleration] = rates.map(|x| Vector3::x() * x);
        let spin = v.fixed_rows::<3>(3);
        let turning = 800.0 * error + 50.0 * (rate - spin) + acceleration;
        let turning = turning.zip_map(&TURNING, |x, most| x.clamp(-most, most));
        let torque = turning.component_mul(&Vector3::from(system.inertia));

        self.mixer * Vector4::new(thrust, torque.x, torque.y, torque.z)
    }

    /// The rate of a state at the time `t`.
    fn rate(&self, t: f64, y: &State) -> Result<State, lagrangian::Error> {
        let u = self.thrusts(t, y);
        let (q, v) = split(y);
        let rate = self
            .system
            .state_derivative(&y.fixed_rows::<13>(0).into(), &u)?;
        Ok(rate.push(self.system.generalized_forces(&q, &v, &u).dot(&v)))
    }
}

/// One frame of the motion.
struct Sample {
    t: f64,
    place: Vector3<f64>,
    axes: Matrix3<f64>,
    thrusts: Vector4<f64>,
    /// Distance from the path [m].
    off: f64,
    /// Angle between the hull's z and upright [rad].
    tilt: f64,
    /// Energy less that of the start less the work of the rotors [J].
    error: f64,
}

impl Sample {
    fn new(pilot: Pilot, t: f64, y: &State) -> Self {
        let (q, v) = split(y);
        let place = q.fixed_rows::<3>(0).into_owned();
        let axes = pilot.system.axes(&q);
        Self {
            t,
            place,
            axes,
            thrusts: pilot.thrusts(t, y),
            off: (place - path(t)[0]).norm(),
            tilt: axes[(2, 2)].clamp(-1.0, 1.0).acos(),
            // At the start all energy is zero.
            error: pilot.system.energy(&q, &v) - y[13],
        }
    }

    /// The position of a point of the hull.
    fn at(&self, local: [f64; 3]) -> [f64; 3] {
        (self.place + self.axes * Vector3::from(local)).into()
    }
}

fn simulate(pilot: Pilot) -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut y = State::zeros();
    y.fixed_rows_mut::<7>(0).copy_from(&pilot.system.neutral());
    y.fixed_rows_mut::<3>(0).copy_from(&path(0.0)[0]);
    let mut samples = Vec::new();
    for frame in 0..=(END * RATE) as u32 {
        let t = f64::from(frame) / RATE;
        samples.push(Sample::new(pilot, t, &y));

        y = advance(|t, y| pilot.rate(t, y), t, 1.0 / RATE, y, 1e-9)?;
        // The solver does not know quaternions: their length drifts by its own error.
        let q = pilot.system.integrate(&split(&y).0, &Vector6::zeros());
        y.fixed_rows_mut::<7>(0).copy_from(&q);
    }
    Ok(samples)
}

fn main() -> Result<(), Box<dyn Error>> {
    let system = Quadrotor::default();
    let pilot = Pilot::new(&system).ok_or("the rotors cannot turn the hull every way")?;
    let samples = simulate(pilot)?;
    print_table(
        [
            "t [s]",
            "x [m]",
            "y [m]",
            "z [m]",
            "off the path [m]",
            "tilt [rad]",
            "energy error [J]",
        ],
        samples
            .iter()
            .step_by((LEG * RATE) as usize / 2)
            .map(|s| [s.t, s.place.x, s.place.y, s.place.z, s.off, s.tilt, s.error]),
    );

    let page = draw(&samples, &system).model(
        include_str!("quadrotor.rs"),
        Quadrotor::EQUATIONS_MATHML,
        &system,
    );
    let address = write(page, "quadrotor.html")?;
    println!("\nanimation and plots: {address}");

    for (leg, (corner, name)) in CORNERS.into_iter().enumerate() {
        let s = &samples[(leg as f64 * LEG * RATE).round() as usize];
        let distance = (s.place - Vector3::from(corner)).norm();
        // The flip costs height.
        let allowed = if leg == FLIP + 1 { 1.0 } else { 0.1 };
        assert!(
            distance < allowed,
            "at the corner `{name}`: {distance} m off"
        );
    }
    assert!(
        samples.last().is_some_and(|s| s.off < 1e-3),
        "it lands where it started"
    );
    assert!(
        samples.iter().all(|s| s.thrusts.min() > 0.0),
        "the rotors can only push"
    );
    assert!(samples.iter().any(|s| s.tilt > 0.3), "it tilts to move");
    assert!(samples.iter().any(|s| s.tilt > 3.0), "it flies upside down");
    assert!(
        samples.iter().all(|s| s.error.abs() < 1e-8),
        "energy balance"
    );
    Ok(())
}

fn draw(samples: &[Sample], system: &Quadrotor) -> Page {
    let about = "A quadrotor takes off, flies around a square that stands askew, flips over, and lands. To move \
                 it must tilt, to tilt it runs one rotor faster than the opposite one. The orange \
                 rotor is in front; the green arrows are the thrusts.";
    let mut scene = Space::new("A quadrotor takes off, flies around a square and lands")
        .floor(4, 0.2)
        .line("path", Ink::Ground, [CORNERS.map(|(corner, _)| corner)])
        .trail(Ink::Violet, END, samples.iter().map(|s| s.place));
    let hull = |s: &Sample| {
        [
            s.at([0.0; 3]),
            s.at([0.05, 0.0, 0.0]),
            s.at([0.0, 0.05, 0.0]),
            s.at([0.0, 0.0, 0.02]),
        ]
    };
    scene = scene.block("hull", Ink::Body, samples.iter().map(hull));
    let inks = [Ink::Orange, Ink::Blue, Ink::Blue, Ink::Blue];
    for (i, (rotor, ink)) in system.rotor.into_iter().zip(inks).enumerate() {
        let arm = move |s: &Sample| [s.at([0.0; 3]), s.at(rotor)];
        let [x, y, z] = rotor;
        let disc = move |s: &Sample| [s.at([x, y, z + 0.016]), s.at([x, y, z + 0.024])];
        let thrust = move |s: &Sample| {
            let tail = z + 0.024;
            let tip = tail + METRES_PER_NEWTON * s.thrusts[i];
            [s.at([x, y, tail]), s.at([x, y, tip])]
        };
        scene = scene
            .rod("arm", Ink::Body, 0.011, samples.iter().map(arm))
            .cylinder("rotor", ink, 0.1, samples.iter().map(disc))
            .force(
                "thrust",
                Ink::Green,
                METRES_PER_NEWTON,
                samples.iter().map(thrust),
            );
    }

    let line = |title: &str, unit: &str, name: &str, ink: Ink, value: fn(&Sample) -> f64| {
        Plot::new(title, unit).line(name, ink, samples.iter().map(value))
    };
    let places = line("Place", "m", "x", Ink::Orange, |s| s.place.x)
        .line("y", Ink::Blue, samples.iter().map(|s| s.place.y))
        .line("z", Ink::Green, samples.iter().map(|s| s.place.z));
    let thrusts = line("Thrusts", "N", "front", Ink::Orange, |s| s.thrusts[0])
        .line("left", Ink::Blue, samples.iter().map(|s| s.thrusts[1]))
        .line("back", Ink::Violet, samples.iter().map(|s| s.thrusts[2]))
        .line("right", Ink::Green, samples.iter().map(|s| s.thrusts[3]));

    let mut page = Page::new("Quadrotor")
        .about(about)
        .times(samples.iter().map(|s| s.t));
    for (leg, (_, name)) in CORNERS.into_iter().enumerate() {
        page = page.event(LEG * leg as f64, name);
    }
    page.scene(scene)
        .plot(places)
        .plot(thrusts)
        .plot(line("Tilt", "rad", "tilt", Ink::Violet, |s| s.tilt))
        .plot(
            line("Distance from the path", "m", "distance", Ink::Body, |s| {
                s.off
            })
            .log(),
        )
        .plot(line("Energy error", "J", "error", Ink::Body, |s| s.error.abs()).log())
}
