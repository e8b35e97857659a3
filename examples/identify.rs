//! An arm learns its own masses: the inertial parameters of a Franka Panda from noisy torques.
//!
//! The torques of a motion are linear in masses, first moments and moments of inertia: `tau = Y theta`. The constant
//! `TORQUES_BY_PARAMETERS_RANK` tells how many combinations of the seventy parameters affect the joints, and the
//! documentation of the method lists them. A lively motion must show as many in its regressor Y. The least-squares
//! solution gives their values (C. G. Atkeson, C. H. An, J. M. Hollerbach,
//! *Estimation of inertial parameters of manipulator loads and links*, Int. J. Robotics Research 5, 1986). Combinations
//! without an effect stay at their guess.
//!
//! ```text
//! cargo run --release --example identify
//! ```

mod common;

use std::error::Error;

use common::{print_table, write};
use lagrangian::lagrangian;
use lagrangian::nalgebra::{DMatrix, DVector, Matrix3, SMatrix, SVector, Vector3};
use lagrangian_page::{Ink, Page, Plot, Space};

lagrangian! {
    /// An arm of seven joints, by parameters that its torques are linear in.
    #[derive(Clone, Debug)]
    pub struct Arm {
        /// Angles of the joints.
        q: coordinate[7] [rad],
        /// Masses of the links.
        mass: parameter[7] [kg],
        /// Mass times place of the centre of mass, in the link's axes.
        moment: parameter[7, 3] [kg*m],
        /// Moments and products of inertia about the joint: xx, xy, xz, yy, yz, zz.
        inertia: parameter[7, 6] [kg*m^2],
        g: parameter [m/s^2] = 9.81,
    }

    // The pose of each joint relative to the one before: turned about its x, then moved along x and z.
    let turn = [0, -pi / 2, pi / 2, pi / 2, -pi / 2, pi / 2, pi / 2];
    let along_x = [0, 0, 0, 0.0825, -0.0825, 0, 0.088];
    let along_z = [0.333, 0, 0.316, 0, 0.384, 0, 0];
    frame mut Link = world;
    let mut places = outer(identity(9)[0], world.origin);
    for i in 0..7 {
        Link = Link.rotate(x, turn[i]).translate([along_x[i], 0, along_z[i]]).rotate(z, q[i]);
        let v = transpose(Link.rotation) * velocity(Link);
        let w = transpose(Link.rotation) * angular_velocity(Link);
        let about_joint = [
            [inertia[i, 0], inertia[i, 1], inertia[i, 2]],
            [inertia[i, 1], inertia[i, 3], inertia[i, 4]],
            [inertia[i, 2], inertia[i, 4], inertia[i, 5]],
        ];
        places += outer(identity(9)[i + 1], Link.origin);
        T += mass[i] * v^2 / 2 + dot(v, cross(w, moment[i])) + dot(w, about_joint * w) / 2;
        V += g * (mass[i] * Link.origin.z + Link.vector(moment[i]).z);
    }

    // From the base over the joints to the hand.
    pub let joints = places + outer(identity(9)[8], Link.point([0, 0, 0.21]));

    /// The torques by the parameters: first all masses, then the first moments and the moments of inertia.
    regressor torques_by_parameters { mass, moment, inertia }
}

const JOINTS: usize = 7;
const PARAMETERS: usize = 70;
/// The combinations of parameters that affect the joints.
const COMBINATIONS: usize = Arm::TORQUES_BY_PARAMETERS_RANK;
/// Samples per second; also frames of the animation.
const RATE: f64 = 60.0;
/// The duration of the motions for learning and testing [s].
const END: f64 = 10.0;
/// The standard deviation of the measured torques [N m].
const NOISE: f64 = 0.5;

type Joints = SVector<f64, JOINTS>;
type Parameters = SVector<f64, PARAMETERS>;
type Regressor = SMatrix<f64, JOINTS, PARAMETERS>;

/// Mass, centre of mass, and moments of inertia about it (xx, xy, xz, yy, yz, zz), as published: C. Gaz
/// et al., *Dynamic identification of the Franka Emika Panda robot with retrieval of feasible parameters*,
/// IEEE Robotics and Automation Letters 4 (2019); the last with its hand.
type Link = (f64, [f64; 3], [f64; 6]);
const LINKS: [Link; JOINTS] = [
    (
        4.970684,
        [0.003875, 0.002081, -0.04762],
        [0.70337, -0.000139, 0.006772, 0.70661, 0.019169, 0.009117],
    ),
    (
        0.646926,
        [-0.003141, -0.02872, 0.003495],
        [0.007962, -0.003925, 0.010254, 0.02811, 0.000704, 0.025995],
    ),
    (
        3.228604,
        [0.027518, 0.039252, -0.066502],
        [0.037242, -0.004761, -0.011396, 0.036155, -0.012805, 0.01083],
    ),
    (
        3.587895,
        [-0.05317, 0.104419, 0.027454],
        [0.025853, 0.007796, -0.001332, 0.019552, 0.008641, 0.028323],
    ),
    (
        1.225946,
        [-0.011953, 0.041065, -0.038437],
        [0.035549, -0.002117, -0.004037, 0.029474, 0.000229, 0.008627],
    ),
    (
        1.666555,
        [0.060149, -0.014117, -0.010517],
        [0.001964, 0.000109, -0.001158, 0.004354, 0.000341, 0.005433],
    ),
    (
        1.495522,
        [0.001721, 0.001360, 0.100485],
        [0.016530, 0.000395, -0.000707, 0.014107, -0.001051, 0.006677],
    ),
];

/// A guess with a scale and a ruler: the masses, each in the middle of a ball.
fn guess() -> [Link; JOINTS] {
    LINKS.map(|(mass, ..)| {
        let moment = 0.4 * mass * 0.08 * 0.08;
        (mass, [0.0; 3], [moment, 0.0, 0.0, moment, 0.0, moment])
    })
}

/// The parameters of these links in the order of the regressor.
fn parameters(links: &[Link; JOINTS]) -> Parameters {
    let mut parameters = Parameters::zeros();
    for (i, (mass, center, about_center)) in links.iter().enumerate() {
        let center = Vector3::from(*center);
        // Steiner: from the centre of mass to the joint.
        let shift =
            (Matrix3::identity() * center.norm_squared() - center * center.transpose()) * *mass;
        let shift = [
            shift.m11, shift.m12, shift.m13, shift.m22, shift.m23, shift.m33,
        ];
        parameters[i] = *mass;
        for k in 0..3 {
            parameters[7 + 3 * i + k] = mass * center[k];
        }
        for k in 0..6 {
            parameters[28 + 6 * i + k] = about_center[k] + shift[k];
        }
    }
    parameters
}

fn arm(parameters: &Parameters) -> Arm {
    Arm::new(
        std::array::from_fn(|i| parameters[i]),
        std::array::from_fn(|i| std::array::from_fn(|k| parameters[7 + 3 * i + k])),
        std::array::from_fn(|i| std::array::from_fn(|k| parameters[28 + 6 * i + k])),
    )
}

/// Numbers that look random and are the same in every run: D. Lehmer's generator.
struct Random(u64);

impl Random {
    /// Between -1 and 1.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0 * 48_271 % 2_147_483_647;
        self.0 as f64 / 1_073_741_823.5 - 1.0
    }

    /// Approximately of mean 0 and standard deviation 1: the sum of twelve.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() / 2.0
    }
}

/// A lively motion: each joint swings about its middle by four sines.
struct Path {
    middle: Joints,
    swings: [Joints; 4],
}

impl Path {
    fn new(random: &mut Random) -> Self {
        Self {
            middle: Joints::from([0.0, 0.2, 0.0, -1.6, 0.0, 1.8, 0.0]),
            swings: std::array::from_fn(|_| Joints::from_fn(|_, _| 0.25 * random.uniform())),
        }
    }

    /// Angles, rates and accelerations at time t.
    fn at(&self, t: f64) -> [Joints; 3] {
        let mut motion = [self.middle, Joints::zeros(), Joints::zeros()];
        for (k, swing) in self.swings.iter().enumerate() {
            let pace = 2.0 * (k + 1) as f64 * std::f64::consts::TAU / END;
            let (sin, cos) = (pace * t).sin_cos();
            motion[0] += swing * sin;
            motion[1] += swing * (pace * cos);
            motion[2] -= swing * (pace * pace * sin);
        }
        motion
    }
}

/// One state of a motion and its measured torques.
struct Sample {
    t: f64,
    motion: [Joints; 3],
    torques: Joints,
}

fn measure(real: &Arm, random: &mut Random) -> Vec<Sample> {
    let path = Path::new(random);
    let samples = (0..=(END * RATE) as u32).map(|frame| {
        let t = f64::from(frame) / RATE;
        let [q, v, a] = path.at(t);
        let noise = Joints::from_fn(|_, _| NOISE * random.normal());
        Sample {
            t,
            motion: [q, v, a],
            torques: real.inverse_dynamics(&q, &v, &a) + noise,
        }
    });
    samples.collect()
}

/// The parameters nearest to the guess that fit the measured torques best.
fn identify(
    model: &Arm,
    samples: &[Sample],
    guess: &Parameters,
) -> Result<Parameters, Box<dyn Error>> {
    let rows: Vec<Regressor> = samples
        .iter()
        .map(
            |Sample {
                 motion: [q, v, a], ..
             }| model.torques_by_parameters(q, v, a),
        )
        .collect();
    let regressor = DMatrix::from_fn(JOINTS * rows.len(), PARAMETERS, |i, j| {
        rows[i / JOINTS][(i % JOINTS, j)]
    });
    let torques = samples.iter().flat_map(|s| s.torques.iter().copied());
    let missing = DVector::from_iterator(regressor.nrows(), torques) - &regressor * guess;

    let svd = regressor.svd(true, true);
    let (least, next) = (
        svd.singular_values[COMBINATIONS - 1],
        svd.singular_values[COMBINATIONS],
    );
    if next > 1e-8 * least {
        return Err("the motion does not show all combinations".into());
    }
    let change = svd.solve(&missing, least / 2.0)?;
    Ok(guess + change.fixed_rows::<PARAMETERS>(0))
}

/// The root mean square error of the model's torques, by joint.
fn off(model: &Arm, real: &Arm, samples: &[Sample]) -> Joints {
    let mut squares = Joints::zeros();
    for sample in samples {
        let [q, v, a] = &sample.motion;
        let difference = model.inverse_dynamics(q, v, a) - real.inverse_dynamics(q, v, a);
        squares += difference.component_mul(&difference);
    }
    (squares / samples.len() as f64).map(f64::sqrt)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut random = Random(1);
    let real = arm(&parameters(&LINKS));
    let guessed = parameters(&guess());
    let learned_from = measure(&real, &mut random);
    let parameters = identify(&arm(&guessed), &learned_from, &guessed)?;
    let (before, after) = (arm(&guessed), arm(&parameters));

    // Another motion than the one that it learned from.
    let test = measure(&real, &mut random);
    let (guessed, learned) = (off(&before, &real, &test), off(&after, &real, &test));
    print_table(
        [
            "joint",
            "torques off, guessed [N m]",
            "torques off, learned [N m]",
        ],
        (0..JOINTS).map(|i| [(i + 1) as f64, guessed[i], learned[i]]),
    );
    println!("\nthe joints feel {COMBINATIONS} of {PARAMETERS} combinations of parameters");

    let page = draw([&real, &before, &after], &test).model(
        include_str!("identify.rs"),
        Arm::EQUATIONS_MATHML,
        &real,
    );
    let address = write(page, "identify.html")?;
    println!("animation and plots: {address}");

    // W. Khalil, J.-F. Kleinfinger (1987) count these from the arm's geometry.
    assert_eq!(
        COMBINATIONS, 43,
        "combinations that an arm of this build has"
    );
    assert!(
        learned.max() < NOISE / 2.0,
        "it predicts better than it measures"
    );
    assert!(
        learned.norm() < guessed.norm() / 10.0,
        "and far better than the guess"
    );
    Ok(())
}

fn draw([real, before, after]: [&Arm; 3], test: &[Sample]) -> Page {
    let about = "A robot arm can predict the torques of its motors if it knows the masses of its links and how \
                 they are spread. This one has learned them, from ten seconds of motion with noisy torque sensors. \
                 The plots test it on another motion. Pale: measured torques. Dark: the prediction from a guess, \
                 the right masses, each a ball about its joint. Blue: the prediction from the learned parameters, in the \
                 middle of the noise. Of the seventy parameters, 43 combinations have an effect on the torques and \
                 can be learned; the rest stays as guessed.";
    let joints = |s: &Sample| -> Vec<[f64; 3]> {
        let joints = real.joints(&s.motion[0]);
        joints.row_iter().map(|p| [p[0], p[1], p[2]]).collect()
    };
    let hand = |s: &Sample| joints(s)[8];
    let scene = Space::new("An arm of seven joints in a lively motion")
        .floor(3, 0.25)
        .rod("arm", Ink::Blue, 0.03, test.iter().map(joints))
        .cylinder("base", Ink::Ground, 0.09, [[[0.0; 3], [0.0, 0.0, 0.05]]])
        .trail(Ink::Orange, 1.0, test.iter().map(hand));
    let scene = [2, 4, 6].into_iter().fold(scene, |scene, i| {
        scene.circle("joint", Ink::Body, 0.04, test.iter().map(|s| joints(s)[i]))
    });
    let torque = |title: &str, joint: usize| {
        let by = |model: &Arm| -> Vec<f64> {
            test.iter()
                .map(|sample| {
                    let [q, v, a] = &sample.motion;
                    model.inverse_dynamics(q, v, a)[joint]
                })
                .collect()
        };
        Plot::new(title, "N m")
            .line(
                "measured",
                Ink::Ground,
                test.iter().map(|s| s.torques[joint]),
            )
            .line("guessed", Ink::Body, by(before))
            .line("learned", Ink::Blue, by(after))
    };
    Page::new("Learning the masses")
        .about(about)
        .times(test.iter().map(|s| s.t))
        .scene(scene)
        .plot(torque("Torque of the shoulder", 1))
        .plot(torque("Torque of the elbow", 3))
        .plot(torque("Torque of the wrist", 5))
        .plot(torque("Torque of the hand", 6))
}
