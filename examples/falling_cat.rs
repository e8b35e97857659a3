//! A cat falls on its back, with nothing to push against, and lands on its feet.
//!
//! It bends, twists at the waist, stretches and twists back, then does the same bent to the other side. At the end its
//! shape is the same, and its angular momentum was always zero, yet its orientation has changed. The reason: its hind
//! part has more inertia bent than stretched, so the two twists turn its front by different angles.
//!
//! It is free in space: the position of its front is a `coordinate[3]` and the attitude a `rotation`, which has no
//! singular attitude for a tumbling cat. Both follow from the shape alone, because the momenta are zero.
//!
//! ```text
//! cargo run --release --example falling_cat
//! ```

mod common;
#[path = "common/dopri5.rs"]
mod dopri5;

use std::error::Error;
use std::f64::consts::{FRAC_PI_2, TAU};

use common::{print_table, write};
use dopri5::advance;
use lagrangian::lagrangian;
use lagrangian::nalgebra::{Matrix3, Matrix4x3, SVector, Vector2, Vector3, Vector6};
use lagrangian_page::{Ink, Page, Plot, Space};

lagrangian! {
    /// Three equal cylinders, weightless as in free fall: a free front, a waist that twists against it,
    /// and a hind part that bends.
    #[derive(Clone, Debug)]
    pub struct Cat {
        /// Front end.
        place: coordinate[3] [m],
        /// From the axes of the front, whose x is across, y along the legs and z ahead, to the world's.
        attitude: rotation,
        /// Angle of the waist against the front.
        twist: coordinate [rad],
        /// Angle of the hind part against the waist.
        bend: coordinate [rad],
        /// Mass of each part.
        m: parameter [kg] = 1.3,
        /// Length of each part.
        l: parameter [m] = 0.2,
        /// Radius of each part.
        r: parameter [m] = 0.06,
        /// Torques of the muscles between the parts.
        waist_muscle, hip_muscle: input [N*m],
    }

    frame front = world.translate(place).rotate(attitude);
    frame waist = front.translate([0, 0, -l]).rotate(z, twist);
    frame hind = waist.translate([0, 0, -l]).rotate(x, bend);

    // A solid cylinder along z, about its middle.
    let across = m * (3 * r^2 + l^2) / 12;
    let cylinder = diag(across, across, m * r^2 / 2);
    body { frame: front, mass: m, at: [0, 0, -l / 2], inertia: cylinder }
    body { frame: waist, mass: m, at: [0, 0, -l / 2], inertia: cylinder }
    body { frame: hind, mass: m, at: [0, 0, -l / 2], inertia: cylinder }

    // The muscles change only the shape: no torque turns the cat as a whole.
    Q.twist = waist_muscle;
    Q.bend = hip_muscle;

    // For the animation.
    pub let spine = [front.origin, waist.origin, hind.origin, hind.point([0, 0, -l])];
    pub let middle = (front.point([0, 0, -l / 2]) + waist.point([0, 0, -l / 2])
        + hind.point([0, 0, -l / 2])) / 3;
    pub let front_axes = front.rotation;
    pub let waist_axes = waist.rotation;
    pub let hind_axes = hind.rotation;
}

/// Frames per second, also of the animation.
const RATE: f64 = 30.0;
/// The number of cycles of bending, twisting, stretching and twisting back, bent to alternate sides.
const CYCLES: u32 = 6;
/// Duration of each of the four movements [s].
const MOVEMENT: f64 = 0.25;
/// Steps per movement, for the rotation due to the shape alone.
const STEPS: u32 = 100;
const END: f64 = 4.0 * MOVEMENT * CYCLES as f64;

/// Place, attitude and shape.
type Configuration = SVector<f64, 9>;
/// Their velocities.
type Velocity = SVector<f64, 8>;
/// Both, and the work that the muscles have done.
type State = SVector<f64, 18>;

fn split(y: &State) -> (Configuration, Velocity) {
    (
        y.fixed_rows::<9>(0).into_owned(),
        y.fixed_rows::<8>(9).into_owned(),
    )
}

fn shape_of(q: &Configuration) -> Vector2<f64> {
    q.fixed_rows::<2>(7).into_owned()
}

/// The velocities from free ones and those of the shape.
fn velocity(free: Vector6<f64>, shape: Vector2<f64>) -> Velocity {
    let mut velocity = Velocity::zeros();
    velocity.fixed_rows_mut::<6>(0).copy_from(&free);
    velocity.fixed_rows_mut::<2>(6).copy_from(&shape);
    velocity
}

/// The free velocities or accelerations that follow the shape: `M_ff x + M_fs shape + bias = 0`.
fn go_along(
    system: &Cat,
    q: &Configuration,
    shape: Vector2<f64>,
    bias: Vector6<f64>,
) -> Vector6<f64> {
    let m = system.mass_matrix(q);
    let factors = m.fixed_view::<6, 6>(0, 0).into_owned().cholesky();
    let of_shape = m.fixed_view::<6, 2>(0, 6) * shape + bias;
    factors.map_or(Vector6::repeat(f64::NAN), |m| -m.solve(&of_shape))
}

/// On its back and straight, spine level and legs upwards.
fn start(system: &Cat) -> Configuration {
    let mut q = system.neutral();
    // x goes to y, y to z and z to x.
    q.fixed_rows_mut::<4>(3).fill(0.5);
    q
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

/// The plan of a cat for its cycles.
#[derive(Clone, Copy)]
struct Plan<'a> {
    system: &'a Cat,
    /// The angle of its twist [rad].
    twist: f64,
}

impl<'a> Plan<'a> {
    /// Half a turn in all cycles together, found by bisection: the legs are then not to one side.
    fn half_turn(system: &'a Cat) -> Self {
        let (mut less, mut more) = (2.0, 3.6);
        for _ in 0..40 {
            let twist = (less + more) / 2.0;
            let end = Self { system, twist }.end();
            // The cycles turn the front against the twist, in negative direction about z.
            let side = system.front_axes(&start(system)).column(0).into_owned();
            match system.front_axes(&end).column(1).dot(&side) {
                ..0.0 => more = twist,
                _ => less = twist,
            }
        }
        Self {
            system,
            twist: (less + more) / 2.0,
        }
    }

    /// Its final configuration if its momenta are always zero, by the midpoint rule on the rotations: without torques
    /// and dynamics, only the path of the shape matters.
    fn end(&self) -> Configuration {
        let h = MOVEMENT / f64::from(STEPS);
        let velocities = |q: &Configuration, t: f64| {
            let [shape, rate, _] = self.shape(t);
            let mut q = *q;
            q.fixed_rows_mut::<2>(7).copy_from(&shape);
            velocity(go_along(self.system, &q, rate, Vector6::zeros()), rate)
        };
        let mut q = start(self.system);
        for step in 0..4 * CYCLES * STEPS {
            let t = f64::from(step) * h;
            let middle = self.system.integrate(&q, &(velocities(&q, t) * (h / 2.0)));
            let v = velocities(&middle, t + h / 2.0);
            q = self.system.integrate(&q, &(v * h));
        }
        q
    }

    /// The planned twist and bend, their rates and accelerations.
    fn shape(&self, t: f64) -> [Vector2<f64>; 3] {
        let phase = (t / MOVEMENT).rem_euclid(4.0);
        let side = if (t / MOVEMENT).rem_euclid(8.0) < 4.0 {
            1.0
        } else {
            -1.0
        };
        let twist = self.twist * (step(phase - 1.0) - step(phase - 3.0));
        let bend = side * FRAC_PI_2 * (step(phase) - step(phase - 2.0));
        [0, 1, 2].map(|order| Vector2::new(twist[order], bend[order]) / MOVEMENT.powi(order as i32))
    }

    /// Torques of waist and hip that follow the plan.
    fn muscles(&self, t: f64, y: &State) -> Vector2<f64> {
        let (q, v) = split(y);
        let [shape, rate, acceleration] = self.shape(t);
        let wanted =
            acceleration + 900.0 * (shape - shape_of(&q)) + 60.0 * (rate - v.fixed_rows::<2>(6));
        // Nothing pushes or turns the front, so that its acceleration takes no force.
        let bias = self.system.bias(&q, &v).fixed_rows::<6>(0).into_owned();
        let a = velocity(go_along(self.system, &q, wanted, bias), wanted);
        let forces = self.system.inverse_dynamics(&q, &v, &a);
        forces.fixed_rows::<2>(6).into_owned()
    }

    /// The rate of a state at the time `t`.
    fn rate(&self, t: f64, y: &State) -> Result<State, lagrangian::Error> {
        let u = self.muscles(t, y);
        let (q, v) = split(y);
        let rate = self
            .system
            .state_derivative(&y.fixed_rows::<17>(0).into(), &u)?;
        Ok(rate.push(self.system.generalized_forces(&q, &v, &u).dot(&v)))
    }
}

/// One frame of the motion.
struct Sample {
    t: f64,
    q: Configuration,
    muscles: Vector2<f64>,
    /// The angle between the legs of the front and downwards, and between its spine and the horizontal [rad].
    legs: f64,
    tilt: f64,
    /// Angular momentum along the front, of its own spin and of the whole cat [kg m^2/s].
    along: [f64; 2],
    /// Angular momentum of the whole cat about the origin of the world [kg m^2/s].
    momentum: Vector3<f64>,
    /// Center of mass [m].
    middle: Vector3<f64>,
    /// Energy less the work of the muscles [J].
    error: f64,
    spine: Matrix4x3<f64>,
    axes: [Matrix3<f64>; 3],
}

impl Sample {
    fn new(plan: Plan, t: f64, y: &State) -> Self {
        let system = plan.system;
        let (q, v) = split(y);
        let front = system.front_axes(&q);
        // The momentum of the rotation is about the front end and in the axes of the front.
        let p = system.momenta(&q, &v);
        let about_front = front * p.fixed_rows::<3>(3);
        let place = q.fixed_rows::<3>(0).into_owned();
        let momentum = about_front + place.cross(&p.fixed_rows::<3>(0).into_owned());
        let momentum_of_front = system.m * system.r.powi(2) / 2.0 * v[5];
        Self {
            t,
            q,
            muscles: plan.muscles(t, y),
            legs: (-front[(2, 1)]).clamp(-1.0, 1.0).acos(),
            tilt: front[(2, 2)].clamp(-1.0, 1.0).asin(),
            along: [momentum_of_front, front.column(2).dot(&momentum)],
            momentum,
            middle: system.middle(&q),
            error: system.energy(&q, &v) - y[17],
            spine: system.spine(&q),
            axes: [front, system.waist_axes(&q), system.hind_axes(&q)],
        }
    }
}

fn simulate(plan: Plan) -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut y = State::zeros();
    y.fixed_rows_mut::<9>(0).copy_from(&start(plan.system));
    let mut samples = Vec::new();
    for frame in 0..=(END * RATE) as u32 {
        let t = f64::from(frame) / RATE;
        samples.push(Sample::new(plan, t, &y));

        y = advance(|t, y| plan.rate(t, y), t, 1.0 / RATE, y, 1e-11)?;
        // The solver does not know quaternions: their length drifts by its own error.
        let q = plan.system.integrate(&split(&y).0, &Velocity::zeros());
        y.fixed_rows_mut::<9>(0).copy_from(&q);
    }
    Ok(samples)
}

fn main() -> Result<(), Box<dyn Error>> {
    let system = Cat::default();
    let plan = Plan::half_turn(&system);
    println!("twist for half a turn: {:.4} rad\n", plan.twist);

    let samples = simulate(plan)?;
    print_table(
        [
            "t [s]",
            "legs [rad]",
            "tilt [rad]",
            "twist [rad]",
            "bend [rad]",
            "momentum",
            "energy error [J]",
        ],
        samples.iter().step_by(RATE as usize / 2).map(|s| {
            let [twist, bend] = shape_of(&s.q).into();
            [s.t, s.legs, s.tilt, twist, bend, s.momentum.norm(), s.error]
        }),
    );

    let page = draw(&samples, &system).model(
        include_str!("falling_cat.rs"),
        Cat::EQUATIONS_MATHML,
        &system,
    );
    let address = write(page, "falling_cat.html")?;
    println!("\nanimation and plots: {address}");

    check(plan, &samples)
}

fn check(plan: Plan, samples: &[Sample]) -> Result<(), Box<dyn Error>> {
    let [first, .., end] = samples else {
        return Err("no samples".into());
    };
    let turn = plan.system.difference(&first.q, &end.q);
    let [x, y, z] = [3, 4, 5].map(|i| turn[i]);
    println!("net rotation in the axes of the front: {x:.4}, {y:.4}, {z:.4} rad");

    // A rotation keeps its momentum in the world, not in its own axes.
    let conserved = [true, true, true, false, false, false, false, false];
    assert_eq!(Cat::CONSERVED_MOMENTA, conserved, "those of the place");
    let always = |holds: fn(&Sample, &Sample) -> bool| samples.iter().all(|s| holds(s, first));
    assert!(
        always(|s, _| s.momentum.norm() < 1e-10),
        "the angular momentum stays zero"
    );
    assert!(
        always(|s, first| (s.middle - first.middle).norm() < 1e-9),
        "the center of mass stays where it is"
    );
    assert!(always(|s, _| s.error.abs() < 1e-9), "energy balance");
    let shape = shape_of(&end.q).norm();
    assert!(shape < 1e-6, "the shape at the end is off by {shape:e} rad");
    let off = plan.system.difference(&plan.end(), &end.q).norm();
    assert!(off < 1e-4, "{off:e} off where the shape alone leads");
    assert!(
        first.legs > 3.1 && end.legs < 0.1,
        "from its back to its feet"
    );
    Ok(())
}

/// A point in the axes of a part whose upper end is at `top`.
fn at(top: Vector3<f64>, axes: &Matrix3<f64>, local: [f64; 3]) -> [f64; 3] {
    (top + axes * Vector3::from(local)).into()
}

/// Two legs out of the belly side of a part.
fn legs(top: Vector3<f64>, axes: &Matrix3<f64>, system: &Cat) -> Vec<[f64; 3]> {
    let leg = |side: f64| {
        let points = [
            Vector3::new(side * system.r, 0.0, -system.l / 2.0),
            Vector3::new(side * system.r, 2.5 * system.r, -system.l / 2.0),
        ];
        points.map(|local| at(top, axes, local.into()))
    };
    let [left, right] = [leg(-0.8), leg(0.8)];
    left.into_iter()
        .chain([[f64::NAN; 3]])
        .chain(right)
        .collect()
}

fn draw(samples: &[Sample], system: &Cat) -> Page {
    let about = "A cat of three cylinders falls on its back and turns by half a turn, though no torque acts \
                 on it from outside and its angular momentum is zero throughout. It bends and twists, \
                 stretches and twists back, six times over, to one side and the other. The straight line \
                 is where its spine was.";
    let axis = [[0.1, 0.0, 0.0], [-0.7, 0.0, 0.0]];
    let mut scene = Space::new(
        "A cat bends, twists, stretches and twists back, and lands on its feet",
    )
    .line("axis", Ink::Ground, [axis]);
    for (i, name, ink) in [
        (0, "front", Ink::Orange),
        (1, "waist", Ink::Body),
        (2, "hind", Ink::Blue),
    ] {
        let top = move |s: &Sample| s.spine.row(i).transpose();
        let ends = samples.iter().map(|s| {
            let end = |z: f64| at(top(s), &s.axes[i], [0.0, 0.0, z]);
            [end(0.0), end(-system.l)]
        });
        scene = scene.cylinder(name, ink, system.r, ends);
        if i != 1 {
            let legs = samples.iter().map(|s| legs(top(s), &s.axes[i], system));
            scene = scene.rod("legs", ink, 0.016, legs);
        }
    }

    // Shapes that show front and back; they are not bodies of the model.
    let ahead = |y: f64, z: f64| {
        let of_front = move |s: &Sample, x: f64| {
            let top = s.spine.row(0).transpose();
            at(top, &s.axes[0], [x, y, z])
        };
        move |x: f64| samples.iter().map(move |s| of_front(s, x))
    };
    let r = system.r;
    scene = scene.circle("head", Ink::Orange, 0.8 * r, ahead(-0.2 * r, 0.7 * r)(0.0));
    for side in [-0.45 * r, 0.45 * r] {
        let ear = ahead(-0.9 * r, 0.8 * r)(side);
        scene = scene.circle("ear", Ink::Body, 0.22 * r, ear);
    }
    let tail = samples.iter().map(|s| {
        let end = s.spine.row(3).transpose();
        let points = [[0.0, 0.0], [-0.5, -1.0], [-1.6, -1.8], [-2.4, -1.6]];
        points.map(|[y, z]| at(end, &s.axes[2], [0.0, y * r, z * r]))
    });
    scene = scene.rod("tail", Ink::Blue, 0.012, tail);
    // The parts bend into each other there.
    for i in 1..3 {
        let joint = samples.iter().map(move |s| s.spine.row(i).transpose());
        scene = scene.circle("joint", Ink::Body, 0.96 * r, joint);
    }

    let angles = Plot::new("Angles", "rad")
        .line(
            "legs from down",
            Ink::Orange,
            samples.iter().map(|s| s.legs),
        )
        .line("tilt", Ink::Violet, samples.iter().map(|s| s.tilt))
        .line("twist", Ink::Green, samples.iter().map(|s| s.q[7]))
        .line("bend", Ink::Blue, samples.iter().map(|s| s.q[8]));
    let [front, whole] = [0, 1].map(|i| samples.iter().map(move |s| s.along[i]));
    let remainder = samples.iter().map(|s| s.along[1] - s.along[0]);
    let momentum = Plot::new("Angular momentum along the front", "kg m²/s")
        .line("front", Ink::Orange, front)
        .line("the rest", Ink::Blue, remainder)
        .line("whole", Ink::Body, whole);
    let muscles = Plot::new("Torques of the muscles", "N m")
        .line("waist", Ink::Green, samples.iter().map(|s| s.muscles.x))
        .line("hip", Ink::Blue, samples.iter().map(|s| s.muscles.y));

    let mut page = Page::new("Falling cat")
        .about(about)
        .times(samples.iter().map(|s| s.t));
    for movement in 0..4 * CYCLES {
        let names = ["bending", "twisting", "stretching", "twisting back"];
        let name = names[movement as usize % names.len()];
        page = page.event(MOVEMENT * f64::from(movement), name);
    }
    page.scene(scene).plot(angles).plot(momentum).plot(muscles)
}
