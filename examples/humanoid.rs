//! A humanoid robot, read from its URDF file, stands on one foot and is pushed.
//!
//! Whole-body control: each state has wishes for the accelerations of the centre of mass, the pelvis and the joints,
//! and for the forces under the foot. The controller chooses the values nearest to the wishes among all that the
//! equations of motion allow while the foot is at rest (P. M. Wensing and D. E. Orin, *Generation of dynamic humanoid
//! behaviors through task-space control with conic optimization*, ICRA 2013; here without the cone, which is checked
//! afterwards).
//!
//! The unknowns are x = (a, F), with the force and moment F of the ground on the foot. Each wish concerns unknowns
//! directly: the force moves the centre of mass, and the accelerations are those of pelvis and joints. So the least
//! squares are those of x less the wish, with a weight for each entry. The equations A x = b are twelve: no joint
//! drives the free pelvis, and the foot does not accelerate.
//!
//! ```text
//! cargo run --release --example humanoid --features urdf
//! ```

mod common;

use std::error::Error;

use common::{print_table, write};
use lagrangian::nalgebra::{Matrix3, SMatrix, SVector, Vector3, Vector6};
use lagrangian::{Pose, lagrangian, rk4_step};
use lagrangian_page::{Ink, Page, Plot, Space, point};

/// The model of a robot whose `links` are drawn.
macro_rules! humanoid {
    ($($link:ident)*) => {
        lagrangian! {
            /// The Unitree G1, whose left foot stands on the ground.
            #[derive(Clone, Debug)]
            pub struct Humanoid {
                g1: robot = "examples/models/g1.urdf" { base: free, friction: ignore },
                /// Torques of the joints [N m].
                motor: input[29],
                /// A force on the torso [N].
                push: input[3],
            }

            gravity [0, 0, -9.81];
            Q.g1 = motor;
            force push at g1.torso_link.point([0, 0, 0.2]) on g1.torso_link;

            // In the middle of the sole, between the file's four points of contact.
            pub frame foot = g1.left_ankle_roll_link.translate([0.035, 0, -0.035]);
            // The ground holds it: the multipliers are the force and the moment. The controller does not use them.
            holonomic place: foot.origin = [0, 0, 0];
            holonomic turn: [foot.vector([0, 1, 0]).z, foot.vector([0, 0, 1]).x, foot.vector([1, 0, 0]).y] = [0, 0, 0];

            $(pub frame $link = g1.$link;)*

            /// The quantities that the controller needs in each state.
            bundle control { mass_matrix, bias, pelvis, foot, foot_velocity, foot_jacobian, foot_bias }
            bundle shown { $($link),* }
        }

        impl Humanoid {
            /// The drawn links, by their names in the file.
            fn links(&self, q: &Configuration) -> Vec<(&'static str, Pose<f64>)> {
                let shown = self.shown(q);
                vec![$((stringify!($link), shown.$link)),*]
            }
        }
    };
}

humanoid! {
    pelvis torso_link head_link waist_yaw_link
    left_hip_pitch_link left_hip_roll_link left_hip_yaw_link left_knee_link left_ankle_roll_link
    right_hip_pitch_link right_hip_roll_link right_hip_yaw_link right_knee_link right_ankle_roll_link
    left_shoulder_pitch_link left_shoulder_roll_link left_shoulder_yaw_link left_elbow_link
    left_wrist_roll_link left_wrist_pitch_link left_wrist_yaw_link left_rubber_hand
    right_shoulder_pitch_link right_shoulder_roll_link right_shoulder_yaw_link right_elbow_link
    right_wrist_roll_link right_wrist_pitch_link right_wrist_yaw_link right_rubber_hand
}

const JOINTS: usize = 29;
/// Three of the pelvis's place, three of its turn, and the joints.
const FREEDOMS: usize = 6 + JOINTS;
/// Accelerations, and the force and moment under the foot.
const UNKNOWNS: usize = FREEDOMS + 6;

type Configuration = SVector<f64, 36>;
type Velocity = SVector<f64, FREEDOMS>;
type MassMatrix = SMatrix<f64, FREEDOMS, FREEDOMS>;
type Joints = SVector<f64, JOINTS>;

/// Steps per second, of the control and of the integrator.
const RATE: f64 = 120.0;
const END: f64 = 5.0;
/// Steps per frame of the animation.
const STRIDE: usize = 4;
/// The begin and end of the push [s], and its force [N].
const PUSH: (f64, f64) = (0.5, 0.6);
const FORCE: [f64; 3] = [60.0, -15.0, 0.0];

const G: f64 = 9.81;
/// The place of the foot.
const GROUND: Pose<f64> = Pose {
    origin: Vector3::new(0.0, 0.0, 0.0),
    rotation: Matrix3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
};
/// Half the length of the sole and half its least width [m], and the ground's coefficient of friction.
const SOLE: [f64; 2] = [0.085, 0.025];
const FRICTION: f64 = 0.6;

/// Frequencies of the critically damped feedback [1/s]: of the centre of mass along the ground and upwards, of the turn of
/// the pelvis, of the joints and of the foot.
const LEVEL: f64 = 1.8;
const UPRIGHT: f64 = 5.0;
const TURN: f64 = 4.0;
const POSTURE: f64 = 5.0;
const FOOT: f64 = 20.0;

/// The accelerations with which errors decay at a frequency.
fn feedback<const D: usize>(
    frequency: f64,
    error: SVector<f64, D>,
    rate: SVector<f64, D>,
) -> SVector<f64, D> {
    -frequency.powi(2) * error - 2.0 * frequency * rate
}

/// Some entries of a vector, from the one at `first`.
fn part<const D: usize, const N: usize>(
    entries: &SVector<f64, N>,
    first: usize,
) -> SVector<f64, D> {
    entries.fixed_rows::<D>(first).into_owned()
}

/// The rotation of a frame from upright, as a rotation vector: it has the same components in the world and in the
/// frame.
fn turned(frame: &Pose<f64>) -> Vector3<f64> {
    part(&GROUND.error_to(frame), 3)
}

/// The centre of mass, from the mass matrix: its first rows are the momentum, in which the angular velocity w of the pelvis
/// at o has the share `m w x (c - o)`.
fn centre(pelvis: &Pose<f64>, mass_matrix: &MassMatrix) -> Vector3<f64> {
    let cross = -mass_matrix.fixed_view::<3, 3>(0, 3) * pelvis.rotation.transpose();
    pelvis.origin + Vector3::new(cross[(2, 1)], cross[(0, 2)], cross[(1, 0)]) / mass_matrix[(0, 0)]
}

/// The x nearest to `wish` with A x = b, with weights for the errors.
fn nearest<const N: usize, const R: usize>(
    wish: SVector<f64, N>,
    weight: SVector<f64, N>,
    a: SMatrix<f64, R, N>,
    b: SVector<f64, R>,
) -> Result<SVector<f64, N>, &'static str> {
    let spread = SMatrix::<f64, N, R>::from_fn(|i, k| a[(k, i)] / weight[i]);
    let rows = (a * spread)
        .cholesky()
        .ok_or("the equations depend on each other")?;
    Ok(wish + spread * rows.solve(&(b - a * wish)))
}

/// A stance on one foot, to keep: the angles of the joints, and the centre of mass.
struct Stance {
    joints: Joints,
    centre: Vector3<f64>,
}

impl Stance {
    fn of(system: &Humanoid, q: &Configuration) -> Self {
        let centre = centre(&system.pelvis(q), &system.mass_matrix(q));
        Self {
            joints: part(q, 7),
            centre,
        }
    }

    /// The torques of the joints, and the expected force and moment of the ground.
    fn control(
        &self,
        system: &Humanoid,
        q: &Configuration,
        v: &Velocity,
    ) -> Result<(Joints, Vector6<f64>), &'static str> {
        let now = system.control(q, v);
        let m = now.mass_matrix[(0, 0)];

        // The pelvis turns back, the joints move back, and the force moves the centre of mass. There is no wish for the
        // position of the pelvis, and a weak wish for zero moment: its weight determines how much the body turns to
        // relieve the foot.
        let turn = feedback(TURN, turned(&now.pelvis), part(v, 3));
        let posture = feedback(POSTURE, part(q, 7) - self.joints, part::<JOINTS, _>(v, 6));
        let off = centre(&now.pelvis, &now.mass_matrix) - self.centre;
        let rate = now.mass_matrix.fixed_rows::<3>(0) * v / m;
        let (level, upright) = (feedback(LEVEL, off, rate), feedback(UPRIGHT, off, rate));
        let force = m * Vector3::new(level.x, level.y, upright.z + G);
        let none = Vector3::zeros();
        let wishes = none
            .iter()
            .chain(&turn)
            .chain(&posture)
            .chain(&force)
            .chain(&none);
        let wish = SVector::<f64, UNKNOWNS>::from_iterator(wishes.copied());
        let weight = SVector::<f64, UNKNOWNS>::from_fn(|i, _| match i {
            0..3 => 1e-3,
            3..6 => 10.0,
            6..38 => 1.0,
            _ => 0.03,
        });

        // M a + h = J' F in the rows of the pelvis, and J a + bias = 0, except for a term that returns the foot to its
        // place.
        let mut a = SMatrix::<f64, 12, UNKNOWNS>::zeros();
        let by_ground = -now.foot_jacobian.fixed_columns::<6>(0).transpose();
        a.fixed_view_mut::<6, FREEDOMS>(0, 0)
            .copy_from(&now.mass_matrix.fixed_rows::<6>(0));
        a.fixed_view_mut::<6, 6>(0, FREEDOMS).copy_from(&by_ground);
        a.fixed_view_mut::<6, FREEDOMS>(6, 0)
            .copy_from(&now.foot_jacobian);
        let foot_acceleration =
            feedback(FOOT, GROUND.error_to(&now.foot), now.foot_velocity) - now.foot_bias;
        let b = SVector::from_fn(|i, _| {
            if i < 6 {
                -now.bias[i]
            } else {
                foot_acceleration[i - 6]
            }
        });

        let x = nearest(wish, weight, a, b)?;
        let (acceleration, ground) = (part::<FREEDOMS, _>(&x, 0), part(&x, FREEDOMS));
        let forces =
            now.mass_matrix * acceleration + now.bias - now.foot_jacobian.transpose() * ground;
        Ok((part(&forces, 6), ground))
    }
}

/// The stance: angles of joints [rad]; all others are zero.
const SKETCH: [(&str, f64); 13] = [
    ("left_hip_pitch_joint", -0.3),
    ("left_knee_joint", 0.6),
    ("left_ankle_pitch_joint", -0.3),
    ("right_hip_pitch_joint", -1.2),
    ("right_hip_roll_joint", -0.2),
    ("right_knee_joint", 1.5),
    ("right_ankle_pitch_joint", -0.3),
    ("left_shoulder_pitch_joint", 0.2),
    ("left_shoulder_roll_joint", 0.5),
    ("left_elbow_joint", 0.8),
    ("right_shoulder_pitch_joint", 0.2),
    ("right_shoulder_roll_joint", -0.5),
    ("right_elbow_joint", 0.8),
];

/// The number of a joint, by its name in the file.
fn joint(name: &str) -> Result<usize, String> {
    let number = Humanoid::<f64>::G1
        .iter()
        .position(|joint| joint.name == name);
    number.ok_or_else(|| format!("no joint {name}"))
}

/// Newton's steps from the sketch to a configuration with the foot at its place, the pelvis upright and the centre of
/// mass over the middle of the sole: each step is the smallest for these errors.
fn start(system: &Humanoid) -> Result<Configuration, Box<dyn Error>> {
    let at_rest = Velocity::zeros();
    let mut q = system.neutral();
    for (name, angle) in SKETCH {
        q[7 + joint(name)?] = angle;
    }
    for _ in 0..20 {
        let now = system.control(&q, &at_rest);
        let m = now.mass_matrix[(0, 0)];
        let mut a = SMatrix::<f64, 11, FREEDOMS>::zeros();
        a.fixed_view_mut::<6, FREEDOMS>(0, 0)
            .copy_from(&now.foot_jacobian);
        a.fixed_view_mut::<3, 3>(6, 3).fill_with_identity();
        a.fixed_view_mut::<2, FREEDOMS>(9, 0)
            .copy_from(&(now.mass_matrix.fixed_rows::<2>(0) / m));
        let (foot, turned) = (now.foot.error_to(&GROUND), -turned(&now.pelvis));
        let centre = -centre(&now.pelvis, &now.mass_matrix);
        let errors = foot.iter().chain(&turned).chain(centre.iter().take(2));
        let b = SVector::from_iterator(errors.copied());
        q = system.integrate(&q, &nearest(at_rest, Velocity::repeat(1.0), a, b)?);
    }
    Ok(system.project(&q, &at_rest)?.0)
}

/// One step of the motion.
struct Sample {
    t: f64,
    q: Configuration,
    push: Vector3<f64>,
    torques: Joints,
    centre: Vector3<f64>,
    /// Angle of the pelvis off upright [rad].
    turned: f64,
    /// Force and moment of the ground on the foot: the multipliers, and the values that the control expects [N, N m].
    ground: Vector6<f64>,
    planned: Vector6<f64>,
}

impl Sample {
    /// The centre of pressure, from the middle of the sole [m].
    fn pressure(&self) -> [f64; 2] {
        [-self.ground[4], self.ground[3]].map(|moment| moment / self.ground[2])
    }

    /// The coefficient of friction that the force of the ground needs.
    fn friction(&self) -> f64 {
        self.ground.fixed_rows::<2>(0).norm() / self.ground[2]
    }

    /// The largest torque as a fraction of its motor's limit.
    fn effort(&self) -> f64 {
        self.torques
            .iter()
            .zip(Humanoid::<f64>::G1)
            .map(|(torque, joint)| torque.abs() / joint.effort)
            .fold(0.0, f64::max)
    }
}

fn simulate(system: &Humanoid) -> Result<Vec<Sample>, Box<dyn Error>> {
    let (mut q, mut v) = (start(system)?, Velocity::zeros());
    let stance = Stance::of(system, &q);
    let h = 1.0 / RATE;
    let mut samples = Vec::new();
    for step in 0..=(END * RATE) as u32 {
        let t = f64::from(step) * h;
        let (torques, planned) = stance.control(system, &q, &v)?;
        let pushed = (PUSH.0..PUSH.1).contains(&(t + h / 2.0));
        let push = Vector3::from(FORCE) * f64::from(u8::from(pushed));
        let mut u = SVector::<f64, { JOINTS + 3 }>::zeros();
        u.fixed_rows_mut::<JOINTS>(0).copy_from(&torques);
        u.fixed_rows_mut::<3>(JOINTS).copy_from(&push);
        samples.push(Sample {
            t,
            q,
            push,
            torques,
            centre: Stance::of(system, &q).centre,
            turned: turned(&system.pelvis(&q)).norm(),
            ground: system.solve(&q, &v, &u)?.multipliers,
            planned,
        });
        (q, v) = rk4_step(system, t, &q, &v, &u, h)?;
        (q, v) = system.project(&q, &v)?;
    }
    Ok(samples)
}

fn main() -> Result<(), Box<dyn Error>> {
    let system = Humanoid::<f64>::default();
    let samples = simulate(&system)?;
    print_table(
        [
            "t [s]",
            "centre of mass x, y [m]",
            "",
            "centre of pressure x, y [m]",
            "",
            "friction",
            "pelvis turned [rad]",
        ],
        samples.iter().step_by(RATE as usize / 5).map(|s| {
            let [x, y] = s.pressure();
            [s.t, s.centre.x, s.centre.y, x, y, s.friction(), s.turned]
        }),
    );
    let largest = |value: &dyn Fn(&Sample) -> f64| samples.iter().map(value).fold(0.0, f64::max);
    let [x, y] = [0, 1].map(|k| largest(&|s| s.pressure()[k].abs()));
    let (friction, effort) = (largest(&Sample::friction), largest(&Sample::effort));
    println!("\ncentre of pressure: at most {x:.3} m along and {y:.3} m across, of {SOLE:?} m");
    println!("friction: at most {friction:.3}, of {FRICTION}");
    println!("torques: at most {effort:.2} of their limits");

    let frames: Vec<&Sample> = samples.iter().step_by(STRIDE).collect();
    let page = draw(&system, &frames)?.model(
        include_str!("humanoid.rs"),
        Humanoid::EQUATIONS_MATHML,
        &system,
    );
    let address = write(page, "humanoid.html")?;
    println!("\nanimation and plots: {address}");

    assert!(
        x < SOLE[0] && y < SOLE[1],
        "the force of the ground acts within the sole"
    );
    assert!(
        samples.iter().all(|s| s.ground[2] > 0.0),
        "the ground does not pull"
    );
    assert!(friction < FRICTION, "the foot does not slip");
    assert!(effort < 1.0, "no motor is beyond its limit");
    let within = |s: &Sample| {
        s.q.iter()
            .skip(7)
            .zip(Humanoid::<f64>::G1)
            .all(|(angle, joint)| (joint.lower..joint.upper).contains(angle))
    };
    assert!(
        samples.iter().all(within),
        "every joint is within its limits"
    );
    let [first, .., last] = &samples[..] else {
        return Err("no samples".into());
    };
    let off = (last.centre - first.centre).norm();
    assert!(
        off < 1e-3 && last.turned < 1e-2,
        "it stands as before: {off:e} m off"
    );
    // The controller expects the force of the simulated ground, except during the push, which it does not know.
    let surprise = samples
        .iter()
        .filter(|s| s.push == Vector3::zeros())
        .map(|s| (s.ground - s.planned).norm())
        .fold(0.0, f64::max);
    assert!(
        surprise < 1e-6,
        "the force of the ground is off by {surprise:e} N"
    );
    let weight = system.mass_matrix(&last.q)[(0, 0)] * G;
    let error = system.potential_energy(&last.q) / weight - last.centre.z;
    assert!(
        error.abs() < 1e-12,
        "the height of the centre of mass is that of V"
    );
    Ok(())
}

/// The file of the robot: the drawing needs the inertia of each link, which the equations do not keep.
const URDF: &str = include_str!("models/g1.urdf");

/// A solid cylinder with the mass and moments of a link and rounded ends: its radius, and the middles of the ends, in
/// the frame of the link. The file gives the tensors in the axes of the links.
fn capsule(link: &str) -> Option<(f64, [Vector3<f64>; 2])> {
    let (_, text) = URDF.split_once(&format!("<link name=\"{link}\">"))?;
    let (text, _) = text.split_once("</inertial>")?;
    let numbers = |name: &str| {
        let (_, value) = text.split_once(&format!("{name}=\""))?;
        value
            .split('"')
            .next()?
            .split_whitespace()
            .map(|number| number.parse().ok())
            .collect::<Option<Vec<f64>>>()
    };
    let number = |name: &str| numbers(name)?.first().copied();
    let [m, xx, xy, xz] = [
        number("value")?,
        number("ixx")?,
        number("ixy")?,
        number("ixz")?,
    ];
    let [yy, yz, zz] = [number("iyy")?, number("iyz")?, number("izz")?];
    let principal = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz).symmetric_eigen();
    let along = principal.eigenvalues.imin();
    let across = (principal.eigenvalues.sum() - principal.eigenvalues[along]) / 2.0;
    let radius = (2.0 * principal.eigenvalues[along] / m).sqrt();
    let length = (12.0 * across / m - 3.0 * radius.powi(2)).max(0.0).sqrt();
    let half = principal.eigenvectors.column(along) * (length / 2.0 - radius).max(1e-3);
    let middle = Vector3::from_column_slice(&numbers("xyz")?);
    Some((radius, [middle - half, middle + half]))
}

/// Scale of the arrows of the ground's force and of the push.
const METRES_PER_NEWTON: [f64; 2] = [0.002, 0.005];

fn draw(system: &Humanoid, frames: &[&Sample]) -> Result<Page, Box<dyn Error>> {
    let about = "A humanoid robot, read from its URDF file, stands on one foot and gets a push on its chest. Its controller \
                 solves for the accelerations of all joints and the force under the foot together, in the equations of \
                 motion of the whole body: the centre of mass (violet) returns above the foot, while the force of the ground \
                 (green) has to stay within the sole. Each link is drawn as a round rod with its inertia.";
    let links: Vec<_> = frames.iter().map(|s| system.links(&s.q)).collect();
    let mut scene = Space::new("A humanoid robot on one foot is pushed and gets its balance back")
        .floor(2, 0.25);
    for (k, &(name, _)) in links[0].iter().enumerate() {
        let (radius, ends) = capsule(name).ok_or(name)?;
        let leg = ["hip", "knee", "ankle"]
            .iter()
            .any(|part| name.contains(part));
        let ink = match name {
            _ if leg && name.starts_with("left") => Ink::Orange,
            "pelvis" | "torso_link" | "head_link" | "waist_yaw_link" => Ink::Blue,
            _ => Ink::Body,
        };
        let ends = links
            .iter()
            .map(|links| ends.map(|end| point(&links[k].1, end.into())));
        scene = scene.rod(name, ink, radius, ends);
    }
    let [x, y] = SOLE;
    let sole = [
        [x, y, 0.0],
        [-x, y, 0.0],
        [-x, -y, 0.0],
        [x, -y, 0.0],
        [x, y, 0.0],
    ];
    let chest = |s: &Sample| point(&system.torso_link(&s.q), [0.0, 0.0, 0.2]);
    let push = frames.iter().map(|s| {
        let end = Vector3::from(chest(s));
        [end - s.push * METRES_PER_NEWTON[1], end]
    });
    let ground = frames.iter().map(|s| {
        let [x, y] = s.pressure();
        let start = Vector3::new(x, y, 0.0);
        [
            start,
            start + s.ground.fixed_rows::<3>(0) * METRES_PER_NEWTON[0],
        ]
    });
    let scene = scene
        .line("sole", Ink::Green, [sole])
        .circle(
            "centre of mass",
            Ink::Violet,
            0.03,
            frames.iter().map(|s| s.centre),
        )
        .force("ground", Ink::Green, METRES_PER_NEWTON[0], ground)
        .force("push", Ink::Violet, METRES_PER_NEWTON[1], push);

    let level = |value: f64| frames.iter().map(move |_| value);
    let pressure = Plot::new("Centre of pressure from the middle of the sole", "m")
        .line("along", Ink::Blue, frames.iter().map(|s| s.pressure()[0]))
        .line(
            "across",
            Ink::Orange,
            frames.iter().map(|s| s.pressure()[1]),
        )
        .line("toe", Ink::Ground, level(SOLE[0]))
        .line("edge", Ink::Ground, level(-SOLE[1]));
    let centre = Plot::new("Centre of mass from the middle of the sole", "m")
        .line("along", Ink::Blue, frames.iter().map(|s| s.centre.x))
        .line("across", Ink::Orange, frames.iter().map(|s| s.centre.y));
    let forces = Plot::new("Forces along the foot", "N")
        .line("push", Ink::Violet, frames.iter().map(|s| s.push.x))
        .line("ground", Ink::Green, frames.iter().map(|s| s.ground[0]));
    let mut torques = Plot::new("Torques of the standing leg and the waist", "N m");
    for (name, joint, ink) in [
        ("hip", joint("left_hip_pitch_joint")?, Ink::Blue),
        ("knee", joint("left_knee_joint")?, Ink::Orange),
        ("ankle", joint("left_ankle_pitch_joint")?, Ink::Green),
        ("waist", joint("waist_pitch_joint")?, Ink::Violet),
    ] {
        torques = torques.line(name, ink, frames.iter().map(|s| s.torques[joint]));
    }
    Ok(Page::new("Humanoid")
        .about(about)
        .times(frames.iter().map(|s| s.t))
        .event(0.0, "standing on one foot")
        .event(PUSH.0, "push")
        .event(PUSH.1, "getting the balance back")
        .scene(scene)
        .plot(pressure)
        .plot(centre)
        .plot(forces)
        .plot(torques))
}
