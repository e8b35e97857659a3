//! The simplest walker goes down a slope without a motor, and its gait is stable.
//!
//! A heavy hip and two light feet on stiff legs: M. Garcia, A. Chatterjee, A. Ruina and M. Coleman, "The simplest walking
//! model: stability, complexity, and scaling", *J. Biomech. Eng.* 120, 1998. The feet are contacts. While one foot
//! stands, its contacts are active (`solve_active`). When the other one strikes, there is an `impact` at its contacts,
//! and the feet change roles. The swinging foot passes through the ground in the middle of a step, as in the paper.
//!
//! The map from one step to the next has an exact derivative: that of the motion (`linearize_active`), of the time of the
//! strike, and of the impact (`impact_derivatives`). By it Newton's method finds the gait, and its eigenvalues tell that
//! the gait is stable.
//!
//! ```text
//! cargo run --release --example walker
//! ```

mod common;

use std::error::Error;

use common::{print_table, write};
use lagrangian::nalgebra::{Complex, Matrix4, SMatrix, SVector, Schur, Vector4};
use lagrangian::{lagrangian, vector};
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
    }
    let place = [x, y];
    pub let left_foot = place + l * [sin(left), -cos(left)];
    pub let right_foot = place + l * [sin(right), -cos(right)];
    T = hip * der(place)^2 / 2 + foot * (der(left_foot)^2 + der(right_foot)^2) / 2;
    let up = [-sin(slope), cos(slope)];
    V = g * dot(up, hip * place + foot * (left_foot + right_foot));

    // A foot that stands cannot rise or slide.
    contact left_height: left_foot.y >= 0;
    contact left_along: left_foot.x >= 0;
    contact right_height: right_foot.y >= 0;
    contact right_along: right_foot.x >= 0;
}

/// Integration steps per unit of time.
const RATE: f64 = 250.0;
/// The contacts of the left foot, which stands, and of the right foot, which strikes.
const STANDS: [bool; 4] = [true, true, false, false];
const STRIKES: [bool; 4] = [false, false, true, true];
/// The height of the right foot among the contacts.
const HEIGHT: usize = 2;

/// The angle of the standing leg, its rate, the angle from the swinging to the standing leg, its rate.
type Gait = Vector4<f64>;
/// q and v.
type State = SVector<f64, 8>;
/// The derivative of a state by the gait at the beginning of the step.
type Slope = SMatrix<f64, 8, 4>;

fn split(y: &State) -> (Vector4<f64>, Vector4<f64>) {
    (
        y.fixed_rows::<4>(0).into_owned(),
        y.fixed_rows::<4>(4).into_owned(),
    )
}

fn join(q: Vector4<f64>, v: Vector4<f64>) -> State {
    let mut y = State::zeros();
    y.fixed_rows_mut::<4>(0).copy_from(&q);
    y.fixed_rows_mut::<4>(4).copy_from(&v);
    y
}

/// A state whose left foot stands at the origin, and its derivative.
fn start(gait: &Gait) -> (State, Slope) {
    let [angle, rate, between, opening] = (*gait).into();
    let (sin, cos) = angle.sin_cos();
    let q = vector![-sin, cos, angle, angle - between];
    let v = vector![-cos * rate, -sin * rate, rate, rate - opening];
    let mut slope = Slope::zeros();
    for (column, entries) in [
        (0, [-cos, -sin, 1.0, 1.0, sin * rate, -cos * rate, 0.0, 0.0]),
        (1, [0.0, 0.0, 0.0, 0.0, -cos, -sin, 1.0, 1.0]),
        (2, [0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0]),
        (3, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0]),
    ] {
        slope.set_column(column, &State::from(entries));
    }
    (join(q, v), slope)
}

/// The gait of the next step, in which the right foot stands.
fn next(q: &Vector4<f64>, v: &Vector4<f64>) -> Gait {
    vector![q[3], v[3], q[3] - q[2], v[3] - v[2]]
}

impl Walker {
    fn rates(&self, (y, slope): &(State, Slope)) -> Result<(State, Slope), lagrangian::Error> {
        let (q, v) = split(y);
        let a = self.solve_active(&q, &v, &STANDS)?.acceleration;
        // Without a request for the derivative it stays zero.
        let slope = match *slope == Slope::zeros() {
            true => *slope,
            false => self.linearize_active(&q, &v, &STANDS)?.a * slope,
        };
        Ok((join(v, a), slope))
    }

    /// A step of the classical Runge-Kutta method.
    fn advance(&self, from: &(State, Slope), h: f64) -> Result<(State, Slope), lagrangian::Error> {
        let moved = |rate: &(State, Slope), h: f64| (from.0 + rate.0 * h, from.1 + rate.1 * h);
        let first = self.rates(from)?;
        let second = self.rates(&moved(&first, h / 2.0))?;
        let third = self.rates(&moved(&second, h / 2.0))?;
        let fourth = self.rates(&moved(&third, h))?;
        let middle = (second.0 + third.0, second.1 + third.1);
        let sum = (
            first.0 + fourth.0 + middle.0 * 2.0,
            first.1 + fourth.1 + middle.1 * 2.0,
        );
        Ok(moved(&sum, h / 6.0))
    }

    /// The motion until the right foot strikes, with the states of each integration step.
    fn step(&self, gait: &Gait) -> Result<Step, lagrangian::Error> {
        self.step_from(gait, start(gait))
    }

    /// The same without a derivative.
    fn plain_step(&self, gait: &Gait) -> Result<Step, lagrangian::Error> {
        self.step_from(gait, (start(gait).0, Slope::zeros()))
    }

    fn step_from(&self, gait: &Gait, mut now: (State, Slope)) -> Result<Step, lagrangian::Error> {
        let (mut time, mut states) = (0.0, vec![(0.0, now.0)]);
        // Before that the swinging foot may be in the ground.
        let is_late = |q: &Vector4<f64>| q[2] < -gait[0] / 2.0;
        loop {
            let (q, _) = split(&now.0);
            if is_late(&q) && self.gaps(&q)[HEIGHT] < 0.0 {
                break;
            }
            now = self.advance(&now, 1.0 / RATE)?;
            time += 1.0 / RATE;
            states.push((time, now.0));
        }
        states.pop();
        // Newton's method for the time.
        for _ in 0..6 {
            let (q, v) = split(&now.0);
            let h = -self.gaps(&q)[HEIGHT] / self.gap_rates(&q, &v)[HEIGHT];
            now = self.advance(&now, h)?;
            time += h;
        }
        states.push((time, now.0));
        let (q, v) = split(&now.0);
        // A neighbour strikes earlier or later.
        let gap = self.contact_jacobian(&q);
        let gap = gap.row(HEIGHT);
        let delay = gap * now.1.fixed_rows::<4>(0) / -self.gap_rates(&q, &v)[HEIGHT];
        let at_strike = now.1 + self.rates(&now)?.0 * delay;
        let [of_q, of_v] = [0, 4].map(|row| at_strike.fixed_rows::<4>(row).into_owned());
        let hit = self.impact(&q, &v, &STRIKES, &[0.0; 4])?;
        let (by_q, by_v) = self.impact_derivatives(&q, &v, &STRIKES, &[0.0; 4])?;
        let of_v = by_q * of_q + by_v * of_v;
        let rows = [of_q.row(3), of_v.row(3)].map(|row| row.into_owned());
        let other = [of_q.row(2), of_v.row(2)].map(|row| row.into_owned());
        let derivative =
            Matrix4::from_rows(&[rows[0], rows[1], rows[0] - other[0], rows[1] - other[1]]);
        Ok(Step {
            states,
            next: next(&q, &hit.velocity),
            derivative,
            impulse: hit.impulses[HEIGHT],
        })
    }

    /// The gait that repeats itself, by Newton's method.
    fn gait(&self, mut guess: Gait) -> Result<Gait, Box<dyn Error>> {
        for _ in 0..5 {
            let step = self.step(&guess)?;
            let matrix = step.derivative - Matrix4::identity();
            let change = matrix.lu().solve(&(step.next - guess));
            guess -= change.ok_or("the gait is not isolated")?;
        }
        Ok(guess)
    }
}

/// A step of the walker.
struct Step {
    /// Times from the beginning of the step, and states.
    states: Vec<(f64, State)>,
    next: Gait,
    /// The derivative of `next` by the gait of this step.
    derivative: Matrix4<f64>,
    /// The impulse of the ground.
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
        let step = system.plain_step(&gaits[number])?;
        let last = step.states.len() - 1;
        for (index, (t, y)) in step.states.iter().enumerate() {
            if index % 8 != 0 && index != last || index == 0 && number > 0 {
                continue;
            }
            let (q, v) = split(y);
            let at = |point: lagrangian::nalgebra::Vector2<f64>| [point.x + place, point.y];
            let feet = [system.left_foot(&q), system.right_foot(&q)].map(at);
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
                energy: system.energy(&q, &v)
                    - system.g * place * system.slope.sin() * (system.hip + 2.0),
            });
        }
        let (t, y) = &step.states[last];
        time += t;
        place += system.right_foot(&split(y).0).x;
        gaits.push(step.next);
    }
    Ok((samples, gaits))
}

/// The eigenvalues of the map from step to step. `Matrix4::complex_eigenvalues` has no bound on its iterations.
fn multipliers(step: &Step) -> Result<Vector4<Complex<f64>>, Box<dyn Error>> {
    let schur = Schur::try_new(step.derivative, f64::EPSILON, 1000).ok_or("no eigenvalues")?;
    Ok(schur.complex_eigenvalues())
}

fn main() -> Result<(), Box<dyn Error>> {
    let system = Walker::default();
    let gait = system.gait(vector![0.2, -0.2, 0.4, -0.02])?;
    let step = system.step(&gait)?;
    let duration = step.states.last().ok_or("no motion")?.0;
    let eigenvalues = multipliers(&step)?;
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
    check(&system, &gait, duration, &step, &gaits)
}

fn check(
    system: &Walker,
    gait: &Gait,
    duration: f64,
    step: &Step,
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
    let eigenvalues = multipliers(step)?;
    let mut stable = eigenvalues.iter().filter(|value| value.norm() > 1e-4);
    assert!(
        stable.all(|value| (value.re + 0.1966682).abs() < 1e-6
            && (value.im.abs() - 0.5447268).abs() < 1e-6),
        "{eigenvalues}"
    );
    // The derivative of the map, by differences.
    let h = 3e-6;
    for i in 0..4 {
        let mut change = Gait::zeros();
        change[i] = h;
        let slope =
            (system.step(&(gait + change))?.next - system.step(&(gait - change))?.next) / (2.0 * h);
        let found = step.derivative.column(i);
        assert!((slope - found).norm() < 1e-6 * (1.0 + found.norm()), "{i}");
    }
    let off = gaits.last().map(|last| (last - gait).norm());
    assert!(off < Some(1e-4), "the walker returns to its gait: {off:?}");
    Ok(())
}

fn draw(samples: &[Sample], gaits: &[Gait], gait: &Gait) -> Page {
    let about = "A heavy hip on two stiff, light legs goes down a slope of half a degree. Nothing drives it but \
                 its weight, and nothing keeps it upright but its gait. After a disturbance it returns to it. \
                 The swinging foot is allowed through the ground where the legs pass.";
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
