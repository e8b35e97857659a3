//! The simplest walker goes down a slope without a motor, and its gait is stable.
//!
//! A heavy hip and two light feet on stiff legs: M. Garcia, A. Chatterjee, A. Ruina and M. Coleman, "The simplest walking
//! model: stability, complexity, and scaling", *J. Biomech. Eng.* 120, 1998. The feet are contacts with friction.
//! `Run::hybrid` finds the strike of the swinging foot, its impact, and that the other foot leaves the ground. In the
//! paper the swinging foot passes through the ground in the middle of a step; here it is pulled up as the legs pass
//! each other, without any force.
//!
//! The map from one step to the next has a derivative, by differences. By it Newton's method finds the gait, and its
//! eigenvalues tell that the gait is stable.
//!
//! ```text
//! cargo run --release --example walker
//! ```

mod common;

use std::error::Error;

use common::{print_table, write};
use lagrangian::nalgebra::{Complex, Matrix4, Schur, Vector4};
use lagrangian::{Event, Run, lagrangian, vector};
use lagrangian_page::{Ink, Page, Plot, Scene};

lagrangian! {
    /// A hip and two feet, in axes along the slope and upright on it.
    #[derive(Clone, Debug)]
    pub struct Walker {
        /// The hip [l].
        x, y: coordinate,
        /// The angles of the legs from upright [rad].
        left, right: coordinate,
        hip: parameter = 1000,
        foot: parameter = 1,
        l: parameter = 1,
        g: parameter = 1,
        /// Angle of the slope [rad].
        slope: parameter = 0.009,
        /// Coefficient of friction of the feet.
        mu: parameter = 1,
        /// Factors by which the left and the right foot are pulled up while they swing.
        lift: parameter[2] = [0, 10],
    }
    let place = [x, y];
    pub let left_foot = place + l * [sin(left), -cos(left)];
    pub let right_foot = place + l * [sin(right), -cos(right)];
    T = hip * der(place)^2 / 2 + foot * (der(left_foot)^2 + der(right_foot)^2) / 2;
    let up = [-sin(slope), cos(slope)];
    V = g * dot(up, hip * place + foot * (left_foot + right_foot));

    // A foot is pulled up while the legs pass each other.
    let passing = max(0.09 - (left - right)^2, 0)^2;
    contact left: left_foot.y + lift[0] * passing >= 0 { slip: der(left_foot).x, friction: mu };
    contact right: right_foot.y + lift[1] * passing >= 0 { slip: der(right_foot).x, friction: mu };
}

/// The time between two frames of the animation.
const FRAME: f64 = 0.032;

/// The angle of the standing leg, its rate, the angle from the swinging to the standing leg, its rate.
type Gait = Vector4<f64>;
/// The time, q and v.
type State = (f64, Vector4<f64>, Vector4<f64>);

/// A state whose left foot stands at the origin.
fn start(gait: &Gait) -> (Vector4<f64>, Vector4<f64>) {
    let [angle, rate, between, opening] = (*gait).into();
    let (sin, cos) = angle.sin_cos();
    let q = vector![-sin, cos, angle, angle - between];
    let v = vector![-cos * rate, -sin * rate, rate, rate - opening];
    (q, v)
}

/// The gait of the next step, in which the right foot stands.
fn next(q: &Vector4<f64>, v: &Vector4<f64>) -> Gait {
    vector![q[3], v[3], q[3] - q[2], v[3] - v[2]]
}

impl Walker {
    /// The motion until the right foot strikes.
    fn step(&self, gait: &Gait) -> Result<Step, Box<dyn Error>> {
        let (q, v) = start(gait);
        let mut run = Run::hybrid(self, 0.0, q, v).tolerance(1e-13);
        let mut states = Vec::new();
        loop {
            let end = run.next().ok_or("a run without an end")??;
            while states.len() as f64 * FRAME < end.t {
                let t = states.len() as f64 * FRAME;
                let (q, v) = run.at(t);
                states.push((t, q, v));
            }
            if end.event == Some(Event::Closes(1)) {
                let (q, v) = run.at(end.t);
                states.push((end.t, q, v));
                return Ok(Step {
                    states,
                    next: next(&end.q, &end.v),
                    impulse: (self.momenta(&q, &end.v) - self.momenta(&q, &v))[1],
                });
            }
        }
    }

    /// The derivative of the next gait by the gait, by differences.
    fn derivative(&self, gait: &Gait) -> Result<Matrix4<f64>, Box<dyn Error>> {
        let h = 1e-4;
        let mut derivative = Matrix4::zeros();
        for i in 0..4 {
            let [near, far] = [h, 2.0 * h].map(|h| -> Result<Gait, Box<dyn Error>> {
                let mut change = Gait::zeros();
                change[i] = h;
                let ends = [self.step(&(gait + change))?, self.step(&(gait - change))?];
                Ok((ends[0].next - ends[1].next) / (2.0 * h))
            });
            derivative.set_column(i, &((near? * 4.0 - far?) / 3.0));
        }
        Ok(derivative)
    }

    /// The gait that repeats itself, by Newton's method.
    fn gait(&self, mut guess: Gait) -> Result<Gait, Box<dyn Error>> {
        for _ in 0..5 {
            let step = self.step(&guess)?;
            let matrix = self.derivative(&guess)? - Matrix4::identity();
            let change = matrix.lu().solve(&(step.next - guess));
            guess -= change.ok_or("the gait is not isolated")?;
        }
        Ok(guess)
    }
}

/// A step of the walker.
struct Step {
    /// The frames, and the state before the strike.
    states: Vec<State>,
    next: Gait,
    /// The impulse of the ground, upwards.
    impulse: f64,
}

/// One frame of the walk.
struct Sample {
    t: f64,
    hip: [f64; 2],
    /// The blue and the orange foot.
    feet: [[f64; 2]; 2],
    legs: [f64; 2],
    energy: f64,
}

fn walk(
    system: &Walker,
    gait: Gait,
    steps: usize,
) -> Result<(Vec<Sample>, Vec<Gait>), Box<dyn Error>> {
    let (mut samples, mut gaits) = (Vec::new(), vec![gait]);
    let (mut time, mut place) = (0.0, 0.0);
    for number in 0..steps {
        let step = system.step(&gaits[number])?;
        let last = step.states.len() - 1;
        for (index, (t, q, v)) in step.states.iter().enumerate() {
            if index == 0 && number > 0 {
                continue;
            }
            let shifted = |point: lagrangian::nalgebra::Vector2<f64>| [point.x + place, point.y];
            let feet = [system.left_foot(q), system.right_foot(q)].map(shifted);
            let swap = |pair: [[f64; 2]; 2]| {
                if number % 2 == 0 {
                    pair
                } else {
                    [pair[1], pair[0]]
                }
            };
            let legs = if number % 2 == 0 {
                [q[2], q[3]]
            } else {
                [q[3], q[2]]
            };
            samples.push(Sample {
                t: time + t,
                hip: [q[0] + place, q[1]],
                feet: swap(feet),
                legs,
                energy: system.energy(q, v)
                    - system.g * place * system.slope.sin() * (system.hip + 2.0),
            });
        }
        let (t, q, _) = &step.states[last];
        time += t;
        place += system.right_foot(q).x;
        gaits.push(step.next);
    }
    Ok((samples, gaits))
}

/// The eigenvalues of the map from step to step. `Matrix4::complex_eigenvalues` has no bound on its iterations.
fn multipliers(derivative: Matrix4<f64>) -> Result<Vector4<Complex<f64>>, Box<dyn Error>> {
    let schur = Schur::try_new(derivative, f64::EPSILON, 1000).ok_or("no eigenvalues")?;
    Ok(schur.complex_eigenvalues())
}

fn main() -> Result<(), Box<dyn Error>> {
    let system = Walker::default();
    let gait = system.gait(vector![0.2, -0.2, 0.4, -0.02])?;
    let step = system.step(&gait)?;
    let duration = step.states.last().ok_or("no motion")?.0;
    let eigenvalues = multipliers(system.derivative(&gait)?)?;
    println!(
        "gait: {:.12} {:.12} {:.12} {:.12}",
        gait[0], gait[1], gait[2], gait[3]
    );
    println!(
        "a step takes {duration:.12}, and the ground gives an impulse of {:.4}",
        step.impulse
    );
    for value in eigenvalues.iter().filter(|value| value.norm() > 1e-6) {
        println!("eigenvalue {:.7} {:+.7} i", value.re, value.im);
    }
    let disturbed = gait + vector![0.0, -0.003, 0.0, 0.0];
    let (samples, gaits) = walk(&system, disturbed, 12)?;
    print_table(
        ["step", "off the gait"],
        gaits
            .iter()
            .enumerate()
            .map(|(number, now)| [number as f64, (now - gait).norm()]),
    );
    let page = draw(&samples, &gaits, &gait).model(
        include_str!("walker.rs"),
        Walker::EQUATIONS_MATHML,
        &system,
    );
    let address = write(page, "walker.html")?;
    println!("\nanimation and plots: {address}");
    check(&gait, duration, &eigenvalues, &gaits)
}

fn check(
    gait: &Gait,
    duration: f64,
    eigenvalues: &Vector4<Complex<f64>>,
    gaits: &[Gait],
) -> Result<(), Box<dyn Error>> {
    // Values of the model whose hip has the mass of a thousand feet, by an independent integration.
    let expected = vector![
        0.200161072169750,
        -0.199906060087682,
        0.400322144339512,
        -0.015805473227965
    ];
    assert!((gait - expected).norm() < 1e-10, "the gait {gait}");
    assert!((duration - 3.8819400012770).abs() < 1e-9, "{duration}");
    let mut stable = eigenvalues.iter().filter(|value| value.norm() > 1e-4);
    assert!(
        stable.all(|value| (value.re + 0.1966682).abs() < 1e-6
            && (value.im.abs() - 0.5447268).abs() < 1e-6),
        "{eigenvalues}"
    );
    let off = gaits.last().map(|last| (last - gait).norm());
    assert!(off < Some(1e-4), "the walker returns to its gait: {off:?}");
    Ok(())
}

fn draw(samples: &[Sample], gaits: &[Gait], gait: &Gait) -> Page {
    let about = "A heavy hip on two stiff, light legs goes down a slope of half a degree. Nothing drives it but \
                 its weight, and nothing keeps it upright but its gait. After a disturbance it returns to it. \
                 The swinging foot is pulled up where the legs pass.";
    let end = samples.last().map_or(0.0, |s| s.hip[0] + 1.0);
    let mut scene = Scene::new("A walker without a motor goes down a slope").line(
        "slope",
        Ink::Ground,
        [[[-1.0, 0.0], [end, 0.0]]],
    );
    for (i, name, ink) in [(0, "left", Ink::Blue), (1, "right", Ink::Orange)] {
        scene = scene
            .rod(name, ink, 0.02, samples.iter().map(|s| [s.hip, s.feet[i]]))
            .circle(name, ink, 0.035, samples.iter().map(|s| s.feet[i]));
    }
    scene = scene.circle("hip", Ink::Body, 0.09, samples.iter().map(|s| s.hip));
    let legs = Plot::new("Angles of the legs", "rad")
        .line("left", Ink::Blue, samples.iter().map(|s| s.legs[0]))
        .line("right", Ink::Orange, samples.iter().map(|s| s.legs[1]));
    let energy = Plot::new("Energy, which the impacts take", "foot weights x l").line(
        "energy",
        Ink::Violet,
        samples.iter().map(|s| s.energy),
    );
    let off = Plot::new("Distance from the gait, step by step", "")
        .log()
        .over("steps", (0..gaits.len()).map(|number| number as f64))
        .line(
            "off the gait",
            Ink::Green,
            gaits.iter().map(|now| (now - gait).norm()),
        );
    Page::new("The simplest walker")
        .about(about)
        .times(samples.iter().map(|s| s.t))
        .scene(scene)
        .plot(legs)
        .plot(energy)
        .plot(off)
}
