//! A cat turns round with nothing to push against.
//!
//! It bends, twists at the waist, stretches and twists back. Its shape is what it was and its
//! angular momentum was zero all the while, yet it faces elsewhere: bent, its hind part has more
//! inertia than stretched, so that the two twists turn its front by different angles.
//!
//! ```text
//! cargo run --release --example falling_cat
//! ```

mod page;

use std::error::Error;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

use lagrangian::lagrangian;
use lagrangian::nalgebra::{Matrix3, Matrix4x3, Vector2, Vector3};
use ode_solvers::{Dopri5, OutputType, System, Vector6};
use page::{Ink, Page, Plot, Space, print_table};

lagrangian! {
    /// Three equal cylinders, weightless as in free fall: a front that turns about an axis without
    /// friction, a waist that twists against it, and a hind part that bends.
    #[derive(Clone, Debug)]
    pub struct Cat {
        /// Direction of the front [rad].
        turn: coordinate,
        /// Angle of the waist against the front [rad].
        twist: coordinate,
        /// Angle of the hind part against the waist [rad].
        bend: coordinate,
        /// Mass of each part [kg].
        m: parameter = 1.3,
        /// Length of each part [m].
        l: parameter = 0.2,
        /// Radius of each part [m].
        r: parameter = 0.06,
        /// Torques of the muscles between the parts [N m].
        waist_muscle, hip_muscle: input,
    }

    frame front = world.rotate(z, turn);
    frame waist = front.translate([0, 0, -l]).rotate(z, twist);
    frame hind = waist.translate([0, 0, -l]).rotate(x, bend);

    // A solid cylinder along z, about its middle.
    let across = m * (3 * r^2 + l^2) / 12;
    let cylinder = diag(across, across, m * r^2 / 2);
    body { frame: front, mass: m, at: [0, 0, -l / 2], inertia: cylinder }
    body { frame: waist, mass: m, at: [0, 0, -l / 2], inertia: cylinder }
    body { frame: hind, mass: m, at: [0, 0, -l / 2], inertia: cylinder }

    // The muscles change the shape alone: no torque turns the cat as a whole.
    Q.twist = waist_muscle;
    Q.bend = hip_muscle;

    // For the animation.
    pub let spine = [front.origin, waist.origin, hind.origin, hind.point([0, 0, -l])];
    pub let front_axes = front.rotation;
    pub let waist_axes = waist.rotation;
    pub let hind_axes = hind.rotation;
}

/// Frames per second, also of the animation.
const RATE: f64 = 30.0;
/// The cat bends, twists, stretches and twists back so many times.
const CYCLES: u32 = 6;
/// Duration of each of the four movements [s].
const MOVEMENT: f64 = 0.25;
const END: f64 = 4.0 * MOVEMENT * CYCLES as f64;

/// Three angles and their rates.
type State = Vector6<f64>;

fn split(y: &State) -> (Vector3<f64>, Vector3<f64>) {
    (
        y.fixed_rows::<3>(0).into_owned(),
        y.fixed_rows::<3>(3).into_owned(),
    )
}

/// How far the front turns per angle of twist while the angular momentum about the axis,
/// `M[0, 0] turn' + M[0, 1] twist'`, stays zero.
fn turn_per_twist(system: &Cat, bend: f64) -> f64 {
    let m = system.mass_matrix(&Vector3::new(0.0, 0.0, bend));
    -m[(0, 1)] / m[(0, 0)]
}

/// A smooth way from 0 to 1 and its first two derivatives, at rest before and after.
fn step(t: f64) -> Vector3<f64> {
    let (sin, cos) = (TAU * t).sin_cos();
    match t {
        ..0.0 => Vector3::zeros(),
        0.0..1.0 => Vector3::new(t - sin / TAU, 1.0 - cos, TAU * sin),
        _ => Vector3::new(1.0, 0.0, 0.0),
    }
}

/// A cat that means to go through its cycles.
#[derive(Clone, Copy)]
struct Plan<'a> {
    system: &'a Cat,
    /// How far it twists [rad].
    twist: f64,
}

impl<'a> Plan<'a> {
    /// Half a turn in all cycles together: each turns by the difference of the two twists.
    fn half_turn(system: &'a Cat) -> Self {
        let by_bend = turn_per_twist(system, FRAC_PI_2) - turn_per_twist(system, 0.0);
        Self {
            system,
            twist: PI / f64::from(CYCLES) / by_bend,
        }
    }

    /// The planned twist and bend, their rates and accelerations.
    fn shape(&self, t: f64) -> [Vector2<f64>; 3] {
        let phase = (t / MOVEMENT).rem_euclid(4.0);
        let twist = self.twist * (step(phase - 1.0) - step(phase - 3.0));
        let bend = FRAC_PI_2 * (step(phase) - step(phase - 2.0));
        [0, 1, 2].map(|order| Vector2::new(twist[order], bend[order]) / MOVEMENT.powi(order as i32))
    }

    /// Torques of waist and hip that follow the plan.
    fn muscles(&self, t: f64, y: &State) -> Vector2<f64> {
        let (q, v) = split(y);
        let [shape, rate, acceleration] = self.shape(t);
        let wanted = acceleration
            + 900.0 * (shape - q.fixed_rows::<2>(1))
            + 60.0 * (rate - v.fixed_rows::<2>(1));
        // The front goes along: nothing turns it, so that its acceleration takes no torque.
        let m = self.system.mass_matrix(&q);
        let rest = m[(0, 1)] * wanted.x + m[(0, 2)] * wanted.y + self.system.bias(&q, &v).x;
        let a = Vector3::new(-rest / m[(0, 0)], wanted.x, wanted.y);
        self.system.inverse_dynamics(&q, &v, &a).yz()
    }
}

impl System<f64, State> for Plan<'_> {
    fn system(&self, t: f64, y: &State, dy: &mut State) {
        let u = self.muscles(t, y);
        // A rate that is no number stops the solver with an error.
        if self
            .system
            .rhs(t, y.as_ref(), u.as_ref(), dy.as_mut())
            .is_err()
        {
            dy.fill(f64::NAN);
        }
    }
}

/// One frame of the motion.
struct Sample {
    t: f64,
    q: Vector3<f64>,
    muscles: Vector2<f64>,
    /// Angular momentum about the axis, of the front and of the whole cat [kg m^2/s].
    momentum: [f64; 2],
    spine: Matrix4x3<f64>,
    axes: [Matrix3<f64>; 3],
}

impl Sample {
    fn new(plan: Plan, t: f64, y: &State) -> Self {
        let system = plan.system;
        let (q, v) = split(y);
        let front = system.m * system.r.powi(2) / 2.0 * v.x;
        Self {
            t,
            q,
            muscles: plan.muscles(t, y),
            momentum: [front, system.momenta(&q, &v).x],
            spine: system.spine(&q),
            axes: [
                system.front_axes(&q),
                system.waist_axes(&q),
                system.hind_axes(&q),
            ],
        }
    }
}

fn simulate(plan: Plan) -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut y = State::zeros();
    let mut samples = Vec::new();
    for frame in 0..=(END * RATE) as u32 {
        let t = f64::from(frame) / RATE;
        samples.push(Sample::new(plan, t, &y));

        let mut solver = Dopri5::new(plan, t, t + 1.0 / RATE, 0.0, y, 1e-9, 1e-9);
        solver.set_output(OutputType::Sparse);
        solver.integrate()?;
        y = *solver.y_out().last().ok_or("the solver took no step")?;
    }
    Ok(samples)
}

fn main() -> Result<(), Box<dyn Error>> {
    let system = Cat::default();
    let plan = Plan::half_turn(&system);
    let conserved = Cat::COORDINATES.into_iter().zip(Cat::CONSERVED_MOMENTA);
    let conserved: Vec<&str> = conserved
        .filter_map(|(name, conserved)| conserved.then_some(name))
        .collect();
    println!("conserved: the momentum of {}", conserved.join(", "));
    println!("twist for half a turn: {:.4} rad\n", plan.twist);

    let samples = simulate(plan)?;
    print_table(
        [
            "t [s]",
            "turn [rad]",
            "twist [rad]",
            "bend [rad]",
            "momentum",
        ],
        samples
            .iter()
            .step_by(RATE as usize / 2)
            .map(|s| [s.t, s.q.x, s.q.y, s.q.z, s.momentum[1]]),
    );

    let path = draw(&samples, &system).write("falling_cat.html")?;
    println!("\nanimation and plots: {}", path.display());

    assert_eq!(conserved, ["turn"], "only the whole is free of torque");
    assert!(
        samples.iter().all(|s| s.momentum[1].abs() < 1e-12),
        "the angular momentum stays zero"
    );
    let end = samples.last().ok_or("no samples")?;
    assert!(
        end.q.yz().norm() < 1e-6,
        "the shape at the end is that of the start"
    );
    assert!(
        (end.q.x - PI).abs() < 1e-6,
        "the cat has made half a turn as planned"
    );
    Ok(())
}

/// Wireframe of the cylinder that hangs from `top` along -z of its axes.
fn cylinder(top: Vector3<f64>, axes: &Matrix3<f64>, system: &Cat) -> Vec<[f64; 3]> {
    const EDGES: u32 = 10;
    let at = |i: u32, z: f64| {
        let (sin, cos) = (TAU * f64::from(i) / f64::from(EDGES)).sin_cos();
        let local = Vector3::new(system.r * cos, system.r * sin, z);
        (top + axes * local).into()
    };
    let rims = [0.0, -system.l].map(|z| (0..=EDGES).map(move |i| at(i, z)));
    let sides = (0..EDGES).map(|i| [[f64::NAN; 3], at(i, 0.0), at(i, -system.l)]);
    let [upper, lower] = rims;
    let rims = upper.chain([[f64::NAN; 3]]).chain(lower);
    rims.chain(sides.flatten()).collect()
}

/// Two legs out of the belly side of a part.
fn legs(top: Vector3<f64>, axes: &Matrix3<f64>, system: &Cat) -> Vec<[f64; 3]> {
    let leg = |side: f64| {
        let points = [
            Vector3::new(side * system.r, 0.0, -system.l / 2.0),
            Vector3::new(side * system.r, 2.5 * system.r, -system.l / 2.0),
        ];
        points.map(|local| (top + axes * local).into())
    };
    let [left, right] = [leg(-0.8), leg(0.8)];
    left.into_iter()
        .chain([[f64::NAN; 3]])
        .chain(right)
        .collect()
}

fn draw(samples: &[Sample], system: &Cat) -> Page {
    let about = "A cat of three cylinders turns by half a turn, though no torque acts on it from \
                 outside and its angular momentum is zero throughout. It bends and twists, \
                 stretches and twists back, six times over. The straight line is the axis.";
    let axis = [[0.0, 0.0, 0.08], [0.0, 0.0, -0.45]];
    let mut scene = Space::new("A cat bends, twists, stretches and twists back, and turns round")
        .line("axis", Ink::Ground, [axis]);
    for (i, name, ink) in [
        (0, "front", Ink::Orange),
        (1, "waist", Ink::Body),
        (2, "hind", Ink::Blue),
    ] {
        let top = move |s: &Sample| s.spine.row(i).transpose();
        let part = samples.iter().map(|s| cylinder(top(s), &s.axes[i], system));
        scene = scene.line(name, ink, part);
        if i != 1 {
            let legs = samples.iter().map(|s| legs(top(s), &s.axes[i], system));
            scene = scene.line("legs", ink, legs);
        }
    }

    let angles = Plot::new("Angles", "rad")
        .line("turn", Ink::Orange, samples.iter().map(|s| s.q.x))
        .line("twist", Ink::Green, samples.iter().map(|s| s.q.y))
        .line("bend", Ink::Blue, samples.iter().map(|s| s.q.z));
    let [front, whole] = [0, 1].map(|i| samples.iter().map(move |s| s.momentum[i]));
    let rest = samples.iter().map(|s| s.momentum[1] - s.momentum[0]);
    let momentum = Plot::new("Angular momentum", "kg m²/s")
        .line("front", Ink::Orange, front)
        .line("the rest", Ink::Blue, rest)
        .line("whole", Ink::Body, whole);
    let muscles = Plot::new("Torques of the muscles", "N m")
        .line("waist", Ink::Green, samples.iter().map(|s| s.muscles.x))
        .line("hip", Ink::Blue, samples.iter().map(|s| s.muscles.y));

    let mut page = Page::new("Falling cat", about, samples.iter().map(|s| s.t));
    for movement in 0..4 * CYCLES {
        let names = ["bending", "twisting", "stretching", "twisting back"];
        let name = names[movement as usize % names.len()];
        page = page.event(MOVEMENT * f64::from(movement), name);
    }
    page.scene(scene).plot(angles).plot(momentum).plot(muscles)
}
