//! A cart swings its pole up and holds it there: model predictive control with a motor too weak to lift
//! the pole in one go.
//!
//! Fifty times a second the controller improves its plan for the next two seconds by differential dynamic programming. It
//! linearizes the motion along the plan and expands the cost to second order, both exactly, solves that problem backwards
//! in time, and applies the first force of the plan. Iterative LQR, a Gauss-Newton method, would leave out how the motion
//! bends; here `acceleration_hessian` adds that, as in Newton's method. Limits of the motor are enforced within the
//! solution (Y. Tassa, N. Mansard, E. Todorov, *Control-limited differential dynamic programming*, 2014, for one input).
//! The cart that it drives has a heavier pole than its model.
//!
//! ```text
//! cargo run --release --example mpc
//! ```

mod common;

use std::error::Error;
use std::f64::consts::{PI, TAU};
use std::time::{Duration, Instant};

use common::{print_table, write};
use lagrangian::nalgebra::{Matrix4, RowVector4, SMatrix, Vector2, Vector4};
use lagrangian::{lagrangian, rk4_step, rk4_step_derivatives};
use lagrangian_page::{Ink, Page, Plot, Scene};

lagrangian! {
    /// A cart on a track that carries a light pole with a bob at its end.
    #[lagrangian(hessian)]
    #[derive(Clone, Debug)]
    pub struct CartPole {
        /// Position of the cart along the track [m].
        x: coordinate,
        /// Angle of the pole from upright [rad].
        theta: coordinate,
        /// Mass of the cart [kg].
        m_c: parameter = 1,
        /// Mass of the bob [kg].
        m_p: parameter = 0.25,
        /// Length of the pole [m].
        l: parameter = 0.5,
        g: parameter = 9.81,
        /// Force of the motor on the cart [N].
        u: input,
        /// Horizontal disturbance on the bob [N].
        push: input,
    }

    pub let bob = [x + l * sin(theta), l * cos(theta)];

    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
    force [push, 0] at bob;

    /// The cost of a second in this state.
    #[hessian]
    pub let cost = 2 * x^2 + 10 * (1 - cos(theta)) + 0.1 * der(x)^2 + 0.1 * der(theta)^2 + 0.02 * u^2;
    /// The cost of the last state of a plan.
    #[hessian]
    pub let last_cost = 10 * x^2 + 100 * (1 - cos(theta)) + 5 * der(x)^2 + 5 * der(theta)^2;
}

/// Steps of the controller and of the plan per second.
const RATE: f64 = 50.0;
const STEP: f64 = 1.0 / RATE;
/// Steps that the plan looks ahead.
const HORIZON: usize = 100;
/// The initial caution.
const CAUTION: f64 = 1e-4;
/// The largest force of the motor [N].
const STRONGEST: f64 = 6.0;
/// Improvements of the plan before the start, and in each step.
const FIRST_ROUNDS: usize = 100;
const ROUNDS: usize = 2;
const PUSH_START: f64 = 8.0;
const PUSH_END: f64 = 8.2;
const END: f64 = 14.0;

/// x, θ, ẋ, θ̇.
type State = Vector4<f64>;

fn split(y: &State) -> (Vector2<f64>, Vector2<f64>) {
    (Vector2::new(y[0], y[1]), Vector2::new(y[2], y[3]))
}

fn joined((q, v): (Vector2<f64>, Vector2<f64>)) -> State {
    State::new(q.x, q.y, v.x, v.y)
}

/// The state a step later, under constant forces.
fn step(system: &CartPole, y: &State, u: &Vector2<f64>) -> Result<State, lagrangian::Error> {
    let (q, v) = split(y);
    Ok(joined(rk4_step(system, 0.0, &q, &v, u, STEP)?))
}

/// The derivatives of [`step`] by the state and by the motor's force.
fn step_derivatives(
    system: &CartPole,
    y: &State,
    u: &Vector2<f64>,
) -> Result<(Matrix4<f64>, Vector4<f64>), lagrangian::Error> {
    let (q, v) = split(y);
    let (_, d) = rk4_step_derivatives(system, 0.0, &q, &v, u, STEP)?;
    let mut by_state = Matrix4::zeros();
    for (row, d) in [(0, d.q), (2, d.v)] {
        by_state.fixed_view_mut::<2, 2>(row, 0).copy_from(&d.q);
        by_state.fixed_view_mut::<2, 2>(row, 2).copy_from(&d.v);
    }
    let by_force = [d.q, d.v].map(|d| d.u.column(0).into_owned());
    Ok((by_state, joined(by_force.into())))
}

/// The plan of the controller.
struct Plan {
    states: Vec<State>,
    forces: Vec<f64>,
    /// The feedback of each force to a deviation from the plan.
    feedback: Vec<RowVector4<f64>>,
    cost: f64,
    /// The additional cost of each squared change of a force: a larger value makes the changes smaller, until the
    /// derivatives describe the motion.
    caution: f64,
}

impl Plan {
    fn with(
        system: &CartPole,
        start: &State,
        steps: usize,
        force: impl Fn(usize, &State) -> f64,
    ) -> Result<Self, lagrangian::Error> {
        let mut plan = Self {
            states: vec![*start],
            forces: Vec::with_capacity(steps),
            feedback: vec![RowVector4::zeros(); steps],
            cost: 0.0,
            caution: CAUTION,
        };
        let mut y = *start;
        for i in 0..steps {
            let u = force(i, &y).clamp(-STRONGEST, STRONGEST);
            let (q, v) = split(&y);
            plan.cost += STEP * system.cost(&q, &v, &Vector2::new(u, 0.0));
            y = step(system, &y, &Vector2::new(u, 0.0))?;
            plan.states.push(y);
            plan.forces.push(u);
        }
        let (q, v) = split(&y);
        plan.cost += system.last_cost(&q, &v);
        Ok(plan)
    }

    /// The plan that balances the pole with `gains`, and stays close to upright.
    fn balance(
        system: &CartPole,
        start: &State,
        gains: RowVector4<f64>,
    ) -> Result<Self, lagrangian::Error> {
        let upright = (start[1] / TAU).round() * TAU;
        let off = |y: &State| y - State::new(0.0, upright, 0.0, 0.0);
        let mut plan = Self::with(system, start, HORIZON, |_, y| (gains * off(y)).x)?;
        plan.feedback.fill(gains);
        Ok(plan)
    }

    /// The next plan from the state after this one's first step: everything moves one step earlier, with feedback to
    /// the deviation of the pole.
    fn shifted(&self, system: &CartPole, start: &State) -> Result<Self, lagrangian::Error> {
        let steps = self.forces.len();
        let mut plan = Self::with(system, start, steps, |i, y| {
            let i = (i + 1).min(steps - 1);
            self.forces[i] + (self.feedback[i] * (y - self.states[i])).x
        })?;
        let last = self.feedback.last().copied();
        plan.caution = self.caution.min(1e3 * CAUTION);
        plan.feedback = self.feedback.iter().skip(1).copied().chain(last).collect();
        Ok(plan)
    }

    /// The plan after one backward and one forward sweep; if that finds nothing better, the same plan with more
    /// caution.
    fn improved(mut self, system: &CartPole) -> Result<Self, lagrangian::Error> {
        let corrections = self.corrections(system)?;
        self.feedback = corrections.iter().map(|(_, feedback)| *feedback).collect();
        for halvings in 0..6 {
            let share = 0.5_f64.powi(halvings);
            let mut next = Self::with(system, &self.states[0], self.forces.len(), |i, y| {
                let (feedforward, feedback) = corrections[i];
                self.forces[i] + share * feedforward + (feedback * (y - self.states[i])).x
            })?;
            if next.cost < self.cost {
                next.feedback = self.feedback;
                next.caution = (self.caution / 4.0).max(CAUTION);
                return Ok(next);
            }
        }
        self.caution *= 8.0;
        Ok(self)
    }

    /// For each step the change of the force and its feedback on the state, from the last step to the
    /// first: the cost still to come is a quadratic in the state.
    fn corrections(
        &self,
        system: &CartPole,
    ) -> Result<Vec<(f64, RowVector4<f64>)>, lagrangian::Error> {
        let mut corrections = vec![(0.0, RowVector4::zeros()); self.forces.len()];
        let last = Expansion::last(system, &self.states[self.forces.len()]);
        let (mut slope, mut curvature) = (last.by_state, last.by_states);
        for i in (0..self.forces.len()).rev() {
            let (y, force) = (&self.states[i], self.forces[i]);
            let (a, b) = step_derivatives(system, y, &Vector2::new(force, 0.0))?;
            let cost = Expansion::new(system, y, force, &slope)?;
            let by_state = cost.by_state + a.transpose() * slope;
            let by_force = cost.by_force + b.dot(&slope);
            let state_state = cost.by_states + a.transpose() * curvature * a;
            let force_force = cost.by_forces + b.dot(&(curvature * b));
            let force_state = cost.by_both + b.transpose() * curvature * a;

            let cautious = force_force + self.caution;
            let wanted = -by_force / cautious;
            let feedforward = (force + wanted).clamp(-STRONGEST, STRONGEST) - force;
            // At its limit the motor gives no feedback.
            let feedback = if feedforward == wanted {
                -force_state / cautious
            } else {
                RowVector4::zeros()
            };
            corrections[i] = (feedforward, feedback);
            slope = by_state
                + feedback.transpose() * (force_force * feedforward + by_force)
                + force_state.transpose() * feedforward;
            curvature = state_state
                + feedback.transpose() * force_force * feedback
                + feedback.transpose() * force_state
                + force_state.transpose() * feedback;
            curvature = (curvature + curvature.transpose()) / 2.0;
        }
        Ok(corrections)
    }
}

/// The cost of a step in a state, to second order, with the bend of the motion.
struct Expansion {
    by_state: State,
    by_force: f64,
    by_states: Matrix4<f64>,
    by_forces: f64,
    by_both: RowVector4<f64>,
}

impl Expansion {
    /// `to_come` is the slope of the cost after the step. A step bends like its accelerations, to first order in its length;
    /// only the direction of the improvement depends on that, not the slope.
    fn new(
        system: &CartPole,
        y: &State,
        force: f64,
        to_come: &State,
    ) -> Result<Self, lagrangian::Error> {
        let (q, v) = split(y);
        let u = Vector2::new(force, 0.0);
        let slope = system.cost_derivatives(&q, &v, &u);
        let bend = system.acceleration_hessian(&q, &v, &u, &split(to_come).1)?;
        let curvature = convex(system.cost_hessian(&q, &v, &u) + bend) * STEP;
        Ok(Self {
            by_state: State::new(slope.q.x, slope.q.y, slope.v.x, slope.v.y) * STEP,
            by_force: slope.u.x * STEP,
            by_states: curvature.fixed_view::<4, 4>(0, 0).into_owned(),
            by_forces: curvature[(4, 4)],
            by_both: curvature.fixed_view::<1, 4>(4, 0).into_owned(),
        })
    }

    fn last(system: &CartPole, y: &State) -> Self {
        let (q, v) = split(y);
        let slope = system.last_cost_derivatives(&q, &v);
        let curvature = convex(system.last_cost_hessian(&q, &v));
        Self {
            by_state: State::new(slope.q.x, slope.q.y, slope.v.x, slope.v.y),
            by_force: 0.0,
            by_states: curvature.fixed_view::<4, 4>(0, 0).into_owned(),
            by_forces: 0.0,
            by_both: RowVector4::zeros(),
        }
    }
}

/// The matrix without the directions in which it bends down.
fn convex(matrix: SMatrix<f64, 6, 6>) -> SMatrix<f64, 6, 6> {
    let mut parts = matrix.symmetric_eigen();
    parts.eigenvalues.apply(|value| *value = value.max(0.0));
    parts.recompose()
}

/// One frame of the motion.
struct Sample {
    t: f64,
    y: State,
    u: f64,
    push: f64,
    bob: [f64; 2],
    /// The planned path of the bob.
    planned: Vec<[f64; 2]>,
    cost: f64,
}

fn simulate(real: &CartPole, model: &CartPole) -> Result<(Vec<Sample>, Duration), Box<dyn Error>> {
    let mut y = State::new(0.0, PI, 0.0, 0.0);
    // The plan of a standing pole cannot be improved, but its feedback to disturbances is useful.
    let standing = Plan::balance(model, &State::zeros(), RowVector4::zeros())?;
    let gains = standing.improved(model)?.feedback[0];

    // At rest left and right are equivalent.
    let mut plan = Plan::with(model, &y, HORIZON, |i, _| if i < 10 { 0.1 } else { 0.0 })?;
    for _ in 0..FIRST_ROUNDS {
        plan = plan.improved(model)?;
    }
    let (mut samples, mut thinking) = (Vec::new(), Duration::ZERO);
    for frame in 0..=(END * RATE) as u32 {
        let t = f64::from(frame) * STEP;
        let began = Instant::now();
        plan = plan.shifted(model, &y)?;
        for _ in 0..ROUNDS {
            plan = plan.improved(model)?;
        }
        // Close to upright it may be better to catch the pole than to swing on.
        let caught = Plan::balance(model, &y, gains)?;
        if caught.cost < plan.cost {
            plan = caught;
        }
        thinking += began.elapsed();

        let u = plan.forces[0];
        let push = f64::from((PUSH_START..PUSH_END).contains(&t));
        samples.push(Sample {
            t,
            y,
            u,
            push,
            bob: real.bob(&split(&y).0).into(),
            planned: plan
                .states
                .iter()
                .map(|y| model.bob(&split(y).0).into())
                .collect(),
            cost: plan.cost,
        });
        y = step(real, &y, &Vector2::new(u, push))?;
    }
    let count = samples.len() as u32;
    Ok((samples, thinking / count))
}

fn main() -> Result<(), Box<dyn Error>> {
    let model = CartPole::default();
    let real = CartPole {
        m_p: 0.3,
        ..model.clone()
    };

    let (samples, thinking) = simulate(&real, &model)?;
    print_table(
        ["t [s]", "x [m]", "theta [rad]", "u [N]", "cost of the plan"],
        samples
            .iter()
            .step_by(RATE as usize)
            .map(|s| [s.t, s.y[0], s.y[1], s.u, s.cost]),
    );
    println!("\none step of the controller took {thinking:?} on average");

    let page = draw(&samples).model(include_str!("mpc.rs"), CartPole::EQUATIONS_MATHML, &model);
    let address = write(page, "mpc.html")?;
    println!("animation and plots: {address}");

    // The deviation of the pole from upright, in either direction.
    let tilt = |s: &Sample| (1.0 - s.y[1].cos()).clamp(0.0, 2.0).sqrt();
    let largest = |from: f64, to: f64| {
        samples
            .iter()
            .filter(|s| (from..to).contains(&s.t))
            .map(tilt)
            .fold(0.0, f64::max)
    };
    assert!(
        samples.iter().all(|s| s.u.abs() <= STRONGEST),
        "the motor's limit"
    );
    assert!(
        largest(PUSH_START - 1.0, PUSH_START) < 0.02,
        "it is up before the push"
    );
    assert!(
        largest(PUSH_START, PUSH_END + 1.0) > 0.05,
        "the push tilts it"
    );
    assert!(largest(END - 1.0, END) < 0.02, "and it is up again");
    Ok(())
}

fn draw(samples: &[Sample]) -> Page {
    let corners = [[-0.15, -0.06], [0.15, -0.06], [0.15, 0.0], [-0.15, 0.0]];
    let cart = |s: &Sample| corners.map(|[dx, y]| [s.y[0] + dx, y]);
    let pole = |s: &Sample| [[s.y[0], 0.0], s.bob];
    // Metres for a newton.
    let (strong, weak) = (0.1, 0.3);
    let motor = |s: &Sample| [[s.y[0], -0.12], [s.y[0] + strong * s.u, -0.12]];
    let push = |s: &Sample| [[s.bob[0] - weak * s.push, s.bob[1]], s.bob];
    let planned = |s: &Sample| s.planned.clone();

    let scene = Scene::new("A cart swings its pole up and holds it there")
        .line("track", Ink::Ground, [[[-1.5, -0.06], [1.5, -0.06]]])
        .line("plan", Ink::Violet, samples.iter().map(planned))
        .trail(Ink::Orange, 1.0, samples.iter().map(|s| s.bob))
        .polygon("cart", Ink::Blue, samples.iter().map(cart))
        .rod("pole", Ink::Body, 0.012, samples.iter().map(pole))
        .circle("bob", Ink::Orange, 0.03, samples.iter().map(|s| s.bob))
        .force("motor", Ink::Green, strong, samples.iter().map(motor))
        .force("push", Ink::Violet, weak, samples.iter().map(push));

    let line = |title: &str, unit: &str, name: &str, ink: Ink, value: fn(&Sample) -> f64| {
        Plot::new(title, unit).line(name, ink, samples.iter().map(value))
    };
    let about = "A cart swings its pole up and holds it, with a motor too weak to lift it in one go: \
                 fifty times a second the controller improves its plan for the next two seconds (violet \
                 is the way that it means the bob to take). At 8 s something pushes the bob; and the bob \
                 is a fifth heavier than the controller believes.";
    Page::new("Model predictive control")
        .about(about)
        .times(samples.iter().map(|s| s.t))
        .event(0.0, "swinging up")
        .event(PUSH_START, "pushed")
        .event(PUSH_END, "recovering")
        .scene(scene)
        .plot(line("Cart", "m", "x", Ink::Blue, |s| s.y[0]))
        .plot(line("Pole", "rad", "θ", Ink::Orange, |s| s.y[1]))
        .plot(line("Force of the motor", "N", "u", Ink::Green, |s| s.u))
        .plot(line("Cost of the plan", "", "cost", Ink::Body, |s| s.cost).log())
}
