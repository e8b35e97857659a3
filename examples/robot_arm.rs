//! A seven-joint arm, read from its URDF file, leads its tool along a path: by the model of the arm, and by feedback joint
//! by joint.
//!
//! The motion of the tool is `x'' = J a + bias`. The wanted x'' gives the accelerations of the joints, and one
//! remaining degree of freedom keeps the elbow near the path's. The model gives the torques for these, `M a + h` (O.
//! Khatib, *A unified approach for motion and force control of robot manipulators*, IEEE J. Robotics and Automation 3,
//! 1987). With them the position of the tool behaves like three independent oscillators: its error decays exactly
//! according to the gains.
//!
//! ```text
//! cargo run --release --features urdf --example robot_arm
//! ```

mod common;
#[path = "common/dopri5.rs"]
mod dopri5;

use std::error::Error;

use common::{print_table, write};
use dopri5::advance;
use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, Vector3};
use lagrangian_page::{Ink, Page, Plot, Space};

lagrangian! {
    /// Franka Emika's Panda, whose joints swivel about its line and bend it in turn.
    #[derive(Clone, Debug)]
    pub struct Panda {
        arm: robot = "examples/models/panda.urdf",
        /// Inertia of each motor's rotor, seen through its gear [kg m^2].
        rotor: parameter = 0.1,
        g: parameter = 9.81,
        /// Torques of the motors [N m].
        motor: input[7],
    }

    T += rotor * der(arm)^2 / 2;
    gravity [0, 0, -g];
    Q.arm = motor;

    // From the base over shoulder, elbow and wrist to the point between the fingers, and across the hand.
    pub frame tool = arm.panda_grasptarget;
    frame hand = arm.panda_hand;
    pub let joints = [
        world.origin, arm.panda_link2.origin, arm.panda_link3.origin, arm.panda_link4.origin,
        arm.panda_link5.origin, arm.panda_link7.origin, hand.origin,
    ];
    pub let grip = [
        hand.point([0, 0.05, 0.105]),
        hand.point([0, 0.05, 0.03]),
        hand.point([0, -0.05, 0.03]),
        hand.point([0, -0.05, 0.105]),
    ];

    /// The quantities that the control of the tool needs in each state.
    bundle control { mass_matrix, bias, tool, tool_velocity, tool_jacobian, tool_bias }
}

const JOINTS: usize = 7;
/// Frames per second, also of the animation.
const RATE: f64 = 30.0;
const END: f64 = 10.0;
/// Gains of the feedback per angle [1/s^2] and per rate [1/s]: critically damped.
const STIFFNESS: f64 = 25.0;
const DAMPING: f64 = 10.0;
/// The initial deviation of all joints from the path [rad].
const OFFSET: f64 = 0.3;

type Joints = SVector<f64, JOINTS>;
/// Angles and rates.
type State = SVector<f64, { 2 * JOINTS }>;

fn split(y: &State) -> (Joints, Joints) {
    (
        y.fixed_rows::<JOINTS>(0).into_owned(),
        y.fixed_rows::<JOINTS>(JOINTS).into_owned(),
    )
}

fn join(q: &Joints, v: &Joints) -> State {
    State::from_fn(|i, _| if i < JOINTS { q[i] } else { v[i - JOINTS] })
}

/// The path in joint angles at time `t`, its rates and accelerations: each joint swings about its
/// middle at its own pace.
fn path(t: f64) -> [Joints; 3] {
    let middle = Joints::from([0.0, 0.1, 0.0, -1.9, 0.0, 2.0, 0.8]);
    let swing = Joints::from([0.8, 0.3, 0.4, 0.4, 0.6, 0.4, 1.0]);
    let pace = Joints::from([1.0, 2.0, 1.0, 2.0, 3.0, 1.0, 2.0]) * (std::f64::consts::TAU / END);
    let (sin, cos) = ((pace * t).map(f64::sin), (pace * t).map(f64::cos));
    [
        middle + swing.component_mul(&sin),
        swing.component_mul(&pace).component_mul(&cos),
        -swing
            .component_mul(&pace.component_mul(&pace))
            .component_mul(&sin),
    ]
}

#[derive(Clone, Copy)]
enum Law {
    /// The torques that the model finds for the wanted motion of the tool.
    Tool,
    /// Feedback joint by joint: each joint's own inertia and its share of the arm's weight, both as on the path,
    /// without the interaction of joints.
    JointByJoint,
}

#[derive(Clone, Copy)]
struct Controller<'a> {
    system: &'a Panda,
    law: Law,
}

impl Controller<'_> {
    fn torques(&self, t: f64, y: &State) -> Joints {
        let (q, v) = split(y);
        match self.law {
            Law::Tool => self.lead_tool(t, &q, &v),
            Law::JointByJoint => self.lead_joints(t, &q, &v),
        }
    }

    fn lead_tool(&self, t: f64, q: &Joints, v: &Joints) -> Joints {
        let [q_path, v_path, a_path] = path(t);
        let now = self.system.control(q, v);
        let wanted = self.system.control(&q_path, &v_path);

        let velocity = wanted.tool_velocity - now.tool_velocity;
        let acceleration = wanted.tool_jacobian * a_path
            + wanted.tool_bias
            + DAMPING * velocity
            + STIFFNESS * now.tool.error_to(&wanted.tool);
        // The smallest change of accelerations towards the path's joints which gives the tool its own.
        let posture = a_path + DAMPING * (v_path - v) + STIFFNESS * (q_path - q);
        let jacobian = now.tool_jacobian;
        let missing = acceleration - now.tool_bias - jacobian * posture;
        let spread = (jacobian * jacobian.transpose()).cholesky();
        let change = spread.map_or(Joints::zeros(), |spread| {
            jacobian.transpose() * spread.solve(&missing)
        });
        now.mass_matrix * (posture + change) + now.bias
    }

    fn lead_joints(&self, t: f64, q: &Joints, v: &Joints) -> Joints {
        let [angles, rates, accelerations] = path(t);
        let feedback = STIFFNESS * (angles - q) + DAMPING * (rates - v);
        let inertia = self.system.mass_matrix(&angles).diagonal();
        self.system.potential_gradient(&angles) + inertia.component_mul(&(accelerations + feedback))
    }

    /// The rate of a state at the time `t`.
    fn rate(&self, t: f64, y: &State) -> Result<State, lagrangian::Error> {
        self.system.state_derivative(y, &self.torques(t, y))
    }
}

/// One frame of one motion.
struct Sample {
    t: f64,
    /// The deviation of the tool from the path [m].
    error: Vector3<f64>,
    error_rate: Vector3<f64>,
    /// The angle of the tool from the path [rad].
    turned: f64,
    torques: Joints,
    tool: [f64; 3],
    joints: Vec<[f64; 3]>,
    grip: Vec<[f64; 3]>,
}

impl Sample {
    fn new(controller: Controller, t: f64, y: &State) -> Self {
        let system = controller.system;
        let (q, v) = split(y);
        let [q_path, v_path, _] = path(t);
        let (tool, wanted) = (system.tool(&q), system.tool(&q_path));
        let rates = system.tool_velocity(&q, &v) - system.tool_velocity(&q_path, &v_path);
        let apart = wanted.error_to(&tool);
        Self {
            t,
            error: apart.fixed_rows::<3>(0).into_owned(),
            error_rate: rates.fixed_rows::<3>(0).into_owned(),
            turned: apart.fixed_rows::<3>(3).norm(),
            torques: controller.torques(t, y),
            tool: tool.origin.into(),
            joints: system
                .joints(&q)
                .row_iter()
                .map(|p| [p[0], p[1], p[2]])
                .collect(),
            grip: system
                .grip(&q)
                .row_iter()
                .map(|p| [p[0], p[1], p[2]])
                .collect(),
        }
    }
}

fn simulate(system: &Panda, law: Law) -> Result<Vec<Sample>, Box<dyn Error>> {
    let controller = Controller { system, law };
    let [angles, rates, _] = path(0.0);
    let mut y = join(&angles.add_scalar(OFFSET), &rates);
    let mut samples = Vec::new();
    for frame in 0..=(END * RATE) as u32 {
        let t = f64::from(frame) / RATE;
        samples.push(Sample::new(controller, t, &y));

        y = advance(|t, y| controller.rate(t, y), t, 1.0 / RATE, y, 1e-9)?;
    }
    Ok(samples)
}

/// The deviation of the tool from the path under the model's torques: each component follows
/// `e'' + DAMPING e' + STIFFNESS e = 0`, with the double root of critical damping.
fn exact_error(first: &Sample, t: f64) -> Vector3<f64> {
    let rate = DAMPING / 2.0;
    (first.error + (first.error_rate + first.error * rate) * t) * (-rate * t).exp()
}

fn main() -> Result<(), Box<dyn Error>> {
    let system = Panda::default();
    let led = simulate(&system, Law::Tool)?;
    let separate = simulate(&system, Law::JointByJoint)?;
    let exact = |t: f64| exact_error(&led[0], t);
    print_table(
        [
            "t [s]",
            "with the model: error [m]",
            "exact [m]",
            "joint by joint: error [m]",
        ],
        led.iter()
            .zip(&separate)
            .step_by(RATE as usize)
            .map(|(c, f)| [c.t, c.error.norm(), exact(c.t).norm(), f.error.norm()]),
    );

    let page = draw(&system, &led, &separate).model(
        include_str!("robot_arm.rs"),
        Panda::EQUATIONS_MATHML,
        &system,
    );
    let address = write(page, "robot_arm.html")?;
    println!("\nanimation and plots: {address}");

    assert!(
        led.iter().all(|s| (s.error - exact(s.t)).norm() < 1e-7),
        "the tool's error is that of three oscillators"
    );
    let late = |samples: &[Sample]| {
        samples
            .iter()
            .filter(|s| s.t > END / 2.0)
            .map(|s| s.error.norm())
            .fold(0.0, f64::max)
    };
    assert!(late(&led) < 1e-7, "the tool gets to the path");
    assert!(late(&separate) > 1e-3, "joint by joint it does not");
    assert!(
        led.iter().rev().take(10).all(|s| s.turned < 1e-6),
        "nor is it turned"
    );
    Ok(())
}

/// The ends of the base of the arm [m].
const BASE: [[f64; 3]; 2] = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.05]];

fn draw(system: &Panda, led: &[Sample], separate: &[Sample]) -> Page {
    let about = "The tool of a seven-joint arm has to follow the violet path, from a start beside it. The controller \
                 of the blue arm knows the equations of motion: its tool returns to the path as fast as the gains say, \
                 and stays there. The controller of the grey arm treats each joint as if it were alone. The forces \
                 between the joints then push the tool off the path, all the time.";
    let wanted = led.iter().map(|s| system.tool(&path(s.t)[0]).origin.into());
    let wanted: Vec<[f64; 3]> = wanted.collect();
    let joints = |s: &Sample| s.joints.clone();
    let grip = |s: &Sample| s.grip.clone();
    let scene = Space::new("An arm of seven joints swings its tool along a path")
        .floor(3, 0.25)
        .line("path", Ink::Violet, [wanted])
        .rod(
            "joint by joint",
            Ink::Ground,
            0.012,
            separate.iter().map(joints),
        )
        .rod("arm", Ink::Blue, 0.03, led.iter().map(joints))
        .rod("grip", Ink::Orange, 0.012, led.iter().map(grip))
        .cylinder("base", Ink::Ground, 0.09, [BASE])
        .trail(Ink::Orange, 1.0, led.iter().map(|s| s.tool));
    let scene = (1..6).fold(scene, |scene, i| {
        scene.circle("joint", Ink::Body, 0.04, led.iter().map(|s| s.joints[i]))
    });

    let off = |s: &Sample| s.error.norm();
    let error = Plot::new("Distance of the tool from the path", "m")
        .log()
        .line("with the model", Ink::Blue, led.iter().map(off))
        .line("joint by joint", Ink::Body, separate.iter().map(off));
    let turned = Plot::new("Angle between the tool and its aim", "rad")
        .log()
        .line("with the model", Ink::Blue, led.iter().map(|s| s.turned))
        .line(
            "joint by joint",
            Ink::Body,
            separate.iter().map(|s| s.turned),
        );
    let torque = |title: &str, joints: [(usize, &str, Ink); 3]| {
        let plot = Plot::new(title, "N m");
        joints.into_iter().fold(plot, |plot, (i, name, ink)| {
            plot.line(name, ink, led.iter().map(|s| s.torques[i]))
        })
    };
    let bends = [
        (1, "shoulder", Ink::Blue),
        (3, "elbow", Ink::Orange),
        (5, "wrist", Ink::Green),
    ];
    let swivels = [
        (0, "base", Ink::Blue),
        (2, "upper arm", Ink::Orange),
        (4, "forearm", Ink::Green),
    ];
    Page::new("Robot arm")
        .about(about)
        .times(led.iter().map(|s| s.t))
        .scene(scene)
        .plot(error)
        .plot(turned)
        .plot(torque(
            "Torques of the joints that bend, with the model",
            bends,
        ))
        .plot(torque(
            "Torques of the joints that swivel, with the model",
            swivels,
        ))
}
