//! An acrobot swings up: two rods, and a motor at the elbow alone.
//!
//! The plan is found by iterative LQR. It is followed by a time-varying LQR: the gains along the plan, from the last step
//! to the first, whose cost ends in that of the regulator that holds the rods upright (R. Tedrake, *Underactuated
//! Robotics*, chapters 8 and 10). Both linearize the same step of the integrator, `midpoint_step_derivatives`, so the
//! plan is a motion of the discrete system exactly. The real rods have other masses than those of the plan. Without the
//! feedback they miss the top.
//!
//! ```text
//! cargo run --release --example acrobot
//! ```

mod common;

use std::error::Error;
use std::f64::consts::PI;

use common::{print_table, write};
use lagrangian::nalgebra::{Matrix4, RowVector4, Vector2, Vector4};
use lagrangian::{
    Step, dlqr, lagrangian, matrix, midpoint_step, midpoint_step_derivatives, vector,
};
use lagrangian_page::{Ink, Page, Plot, Scene};

lagrangian! {
    /// Two uniform rods that hang from a pivot.
    #[derive(Clone, Debug)]
    pub struct Acrobot {
        /// Angles from hanging.
        upper, lower: coordinate [rad],
        /// Masses and lengths.
        m: parameter[2] [kg] = 1,
        l: parameter[2] [m] = 1,
        g: parameter [m/s^2] = 9.81,
        /// Torque of the elbow.
        motor: input [N*m],
    }
    let rod(length, angle) = length * [sin(angle), -cos(angle)];
    pub let elbow = rod(l[0], upper);
    pub let tip = elbow + rod(l[1], lower);

    T = m[0] * (der(elbow / 2)^2 + l[0]^2 / 12 * der(upper)^2) / 2;
    T += m[1] * (der((elbow + tip) / 2)^2 + l[1]^2 / 12 * der(lower)^2) / 2;
    V = g * (m[0] * elbow.y + m[1] * (elbow.y + tip.y)) / 2;
    Q.upper = -motor;
    Q.lower = motor;
}

/// The length of a step [s], the number of steps of the plan, and after it.
const STEP: f64 = 0.04;
const PLAN: usize = 100;
const HOLD: usize = 75;
/// Weights: of the torque, of the state at the end of the plan, and of deviations from it.
const TORQUE: f64 = 0.02;
const END: f64 = 300.0;
const DEVIATION: f64 = 10.0;
/// The real rods.
const HEAVIER: [f64; 2] = [1.03, 0.98];

/// Angles and momenta.
type State = Vector4<f64>;
const UPRIGHT: State = State::new(PI, PI, 0.0, 0.0);

fn split(y: &State) -> (Vector2<f64>, Vector2<f64>) {
    (y.xy(), vector![y.z, y.w])
}

fn join(q: Vector2<f64>, p: Vector2<f64>) -> State {
    State::new(q.x, q.y, p.x, p.y)
}

/// The state after a step with this torque.
fn step(system: &Acrobot, y: &State, torque: f64) -> Result<State, lagrangian::Error> {
    let (q, p) = split(y);
    let Step { q, p, .. } = midpoint_step(system, 0.0, &q, &p, &vector![torque], STEP)?;
    Ok(join(q, p))
}

/// Its derivatives A by the state and B by the torque.
fn slopes(
    system: &Acrobot,
    y: &State,
    torque: f64,
) -> Result<(Matrix4<f64>, State), lagrangian::Error> {
    let (q, p) = split(y);
    let (_, d) = midpoint_step_derivatives(system, 0.0, &q, &p, &vector![torque], STEP)?;
    let mut a = Matrix4::zeros();
    a.fixed_view_mut::<2, 2>(0, 0).copy_from(&d.q.q);
    a.fixed_view_mut::<2, 2>(0, 2).copy_from(&d.q.p);
    a.fixed_view_mut::<2, 2>(2, 0).copy_from(&d.p.q);
    a.fixed_view_mut::<2, 2>(2, 2).copy_from(&d.p.p);
    Ok((a, join(d.q.u.into_owned(), d.p.u.into_owned())))
}

/// Torques, and the states before and after each.
#[derive(Clone)]
struct Plan {
    torques: Vec<f64>,
    states: Vec<State>,
}

impl Plan {
    /// The motion under the torques that a law gives for each step and state.
    fn by(system: &Acrobot, law: impl Fn(usize, &State) -> f64) -> Result<Self, lagrangian::Error> {
        let mut plan = Self {
            torques: Vec::new(),
            states: vec![State::zeros()],
        };
        for i in 0..PLAN {
            let torque = law(i, &plan.states[i]);
            plan.states.push(step(system, &plan.states[i], torque)?);
            plan.torques.push(torque);
        }
        Ok(plan)
    }

    fn end(&self) -> State {
        self.states[PLAN] - UPRIGHT
    }

    fn cost(&self) -> f64 {
        let torques: f64 = self.torques.iter().map(|torque| torque * torque).sum();
        TORQUE * STEP * torques / 2.0 + END * self.end().norm_squared() / 2.0
    }

    /// The change of each torque and its feedback on the state that lower the cost, from the last step to the first. A
    /// caution is added to the weight of each torque.
    fn corrections(
        &self,
        system: &Acrobot,
        caution: f64,
    ) -> Result<Vec<(f64, RowVector4<f64>)>, lagrangian::Error> {
        let mut corrections = vec![(0.0, RowVector4::zeros()); PLAN];
        let (mut slope, mut curvature) = (END * self.end(), END * Matrix4::identity());
        for i in (0..PLAN).rev() {
            let (a, b) = slopes(system, &self.states[i], self.torques[i])?;
            let by_torque = TORQUE * STEP * self.torques[i] + b.dot(&slope);
            let weight = TORQUE * STEP + caution + b.dot(&(curvature * b));
            let by_both = b.transpose() * curvature * a;
            let (change, feedback) = (-by_torque / weight, -by_both / weight);
            corrections[i] = (change, feedback);
            slope = a.transpose() * slope + feedback.transpose() * by_torque;
            curvature = a.transpose() * curvature * a + feedback.transpose() * by_both;
            curvature = (curvature + curvature.transpose()) / 2.0;
        }
        Ok(corrections)
    }

    /// A swing to the top, by iterative LQR.
    fn swing_up(system: &Acrobot) -> Result<(Self, usize), lagrangian::Error> {
        let mut plan = Self::by(system, |i, _| 2.0 * (0.12 * i as f64).sin())?;
        let mut caution = 1e-3;
        for round in 0..500 {
            let corrections = plan.corrections(system, caution)?;
            let better = (0..8).find_map(|halvings| {
                let share = 0.5_f64.powi(halvings);
                let next = Self::by(system, |i, y| {
                    let (change, feedback) = corrections[i];
                    plan.torques[i] + share * change + (feedback * (y - plan.states[i])).x
                });
                next.ok().filter(|next| next.cost() < plan.cost())
            });
            let Some(next) = better else {
                caution *= 10.0;
                if caution > 1e3 {
                    return Ok((plan, round));
                }
                continue;
            };
            let gain = plan.cost() - next.cost();
            plan = next;
            caution = (caution / 3.0).max(1e-9);
            if gain < 1e-4 * plan.cost() {
                return Ok((plan, round));
            }
        }
        Ok((plan, 500))
    }

    /// The gains of the time-varying LQR along the plan, and of the regulator at its end.
    fn gains(&self, system: &Acrobot) -> Result<Vec<RowVector4<f64>>, lagrangian::Error> {
        let (a, b) = slopes(system, &UPRIGHT, 0.0)?;
        let (weights, of_torque) = (
            DEVIATION * STEP * Matrix4::identity(),
            matrix![TORQUE * STEP],
        );
        let regulator = dlqr(&a, &b, &weights, &of_torque)?;
        let mut gains = vec![regulator.gain; PLAN + 1];
        let mut cost = regulator.cost;
        for i in (0..PLAN).rev() {
            let (a, b) = slopes(system, &self.states[i], self.torques[i])?;
            let gain = b.transpose() * cost * a / (TORQUE * STEP + b.dot(&(cost * b)));
            cost = weights + a.transpose() * cost * (a - b * gain);
            gains[i] = gain;
        }
        Ok(gains)
    }
}

/// One frame of the motion.
struct Sample {
    t: f64,
    /// Planned, with feedback, without.
    states: [State; 3],
    places: [[[f64; 2]; 2]; 3],
    torque: f64,
}

fn simulate(
    model: &Acrobot,
    real: &Acrobot,
    plan: &Plan,
    gains: &[RowVector4<f64>],
) -> Result<Vec<Sample>, lagrangian::Error> {
    let mut samples = Vec::new();
    let (mut followed, mut free) = (State::zeros(), State::zeros());
    for i in 0..=PLAN + HOLD {
        let planned = *plan.states.get(i).unwrap_or(&UPRIGHT);
        let torque = *plan.torques.get(i).unwrap_or(&0.0);
        let corrected = torque - (gains[i.min(PLAN)] * (followed - planned)).x;
        let places = |system: &Acrobot, y: &State| {
            let (q, _) = split(y);
            [system.elbow(&q).into(), system.tip(&q).into()]
        };
        samples.push(Sample {
            t: STEP * i as f64,
            states: [planned, followed, free],
            places: [
                places(model, &planned),
                places(real, &followed),
                places(real, &free),
            ],
            torque: corrected,
        });
        followed = step(real, &followed, corrected)?;
        free = step(real, &free, torque)?;
    }
    Ok(samples)
}

fn main() -> Result<(), Box<dyn Error>> {
    let model = Acrobot::default();
    let real = Acrobot {
        m: HEAVIER,
        ..model.clone()
    };
    let (plan, rounds) = Plan::swing_up(&model)?;
    println!(
        "{rounds} rounds; the plan ends {:.1e} from upright",
        plan.end().norm()
    );
    let gains = plan.gains(&model)?;
    let samples = simulate(&model, &real, &plan, &gains)?;
    print_table(
        ["t [s]", "planned", "followed", "without", "torque"],
        samples.iter().step_by(12).map(|s| {
            let [planned, followed, free] = s.states.map(|y| y[0]);
            [s.t, planned, followed, free, s.torque]
        }),
    );
    let page = draw(&samples).model(
        include_str!("acrobot.rs"),
        Acrobot::EQUATIONS_MATHML,
        &model,
    );
    let address = write(page, "acrobot.html")?;
    println!("\nanimation and plots: {address}");

    assert!(plan.end().norm() < 0.05, "the plan reaches the top");
    let height = |y: &State| -(y[0].cos() + y[1].cos());
    let last = samples.last().ok_or("no motion")?;
    let [_, followed, _] = last.states;
    assert!((followed - UPRIGHT).norm() < 1e-3, "{followed}");
    let free = samples[PLAN..].iter().map(|s| height(&s.states[2]));
    assert!(
        free.fold(f64::MAX, f64::min) < 0.0,
        "without feedback it falls"
    );
    Ok(())
}

fn draw(samples: &[Sample]) -> Page {
    let about = "Two rods hang from a pivot, and a motor turns the elbow. The plan (violet) is for rods of 1 kg; the real \
                 ones differ by 3 % and -2 %. A time-varying regulator follows the plan and then holds the rods upright. \
                 The thin grey rods get the planned torques without feedback.";
    let rods = |scene: Scene, which: usize, ink: [Ink; 2], width: f64, names: [&str; 2]| {
        scene
            .rod(
                names[0],
                ink[0],
                width,
                samples
                    .iter()
                    .map(move |s| [[0.0, 0.0], s.places[which][0]]),
            )
            .rod(
                names[1],
                ink[1],
                width,
                samples.iter().map(move |s| s.places[which]),
            )
    };
    let scene = Scene::new("An acrobot follows its plan to the top");
    let scene = rods(
        scene,
        2,
        [Ink::Ground; 2],
        0.015,
        ["without feedback", "without feedback"],
    );
    let scene = rods(scene, 1, [Ink::Blue, Ink::Orange], 0.04, ["upper", "lower"]).trail(
        Ink::Violet,
        1.0,
        samples.iter().map(|s| s.places[0][1]),
    );
    let angle = |title: &str, index: usize| {
        Plot::new(title, "rad")
            .line(
                "planned",
                Ink::Violet,
                samples.iter().map(move |s| s.states[0][index]),
            )
            .line(
                "followed",
                Ink::Blue,
                samples.iter().map(move |s| s.states[1][index]),
            )
            .line(
                "without",
                Ink::Ground,
                samples.iter().map(move |s| s.states[2][index]),
            )
    };
    Page::new("Acrobot")
        .about(about)
        .times(samples.iter().map(|s| s.t))
        .event(0.0, "swinging up")
        .event(STEP * PLAN as f64, "holding")
        .scene(scene)
        .plot(angle("Upper rod", 0))
        .plot(angle("Lower rod", 1))
        .plot(Plot::new("Torque of the elbow", "N m").line(
            "torque",
            Ink::Green,
            samples.iter().map(|s| s.torque),
        ))
}
