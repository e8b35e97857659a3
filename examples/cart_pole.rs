//! A cart balances a pole by state feedback, is pushed, and finally lets it fall.
//!
//! ```text
//! cargo run --release --example cart_pole
//! ```

mod common;
#[path = "common/dopri5.rs"]
mod dopri5;

use std::error::Error;

use common::{print_table, write};
use dopri5::advance;
use lagrangian::nalgebra::{Matrix4, Vector2, Vector4, Vector5};
use lagrangian::{lagrangian, lqr, matrix};
use lagrangian_page::{Ink, Page, Plot, Scene};

lagrangian! {
    /// A cart on a track that carries a light pole with a bob at its end.
    #[derive(Clone, Debug)]
    pub struct CartPole {
        /// Position of the cart along the track.
        x: coordinate [m],
        /// Angle of the pole from upright.
        theta: coordinate [rad],
        /// Mass of the cart.
        m_c: parameter [kg],
        /// Mass of the bob.
        m_p: parameter [kg],
        /// Length of the pole.
        l: parameter [m],
        g: parameter [m/s^2] = 9.81,
        /// Force of the motor on the cart.
        u: input [N],
        /// Horizontal disturbance on the bob.
        push: input [N],
    }

    pub let bob = [x + l * sin(theta), l * cos(theta)];
    pub let bob_velocity = der(bob);

    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
    force [push, 0] at bob;
}

/// Frames per second, also of the animation.
const RATE: f64 = 60.0;
const PUSH_START: f64 = 2.0;
const PUSH_END: f64 = 2.2;
const LET_GO: f64 = 7.0;
const END: f64 = 14.0;

/// The weights of the feedback, relative to the force: x, θ, ẋ, θ̇.
const WEIGHTS: Vector4<f64> = Vector4::new(10.0, 10.0, 1.0, 1.0);

/// x, θ, ẋ, θ̇, and the work that both forces have done.
type State = Vector5<f64>;

/// The forces on the cart during one frame.
#[derive(Clone, Copy)]
struct Control<'a> {
    system: &'a CartPole,
    /// The gains K of the feedback u = -K y; `None` if it is off.
    gains: Option<Vector4<f64>>,
    push: f64,
}

impl Control<'_> {
    fn motor_force(&self, y: &State) -> f64 {
        let force = |gains: Vector4<f64>| -gains.dot(&y.fixed_rows::<4>(0));
        self.gains.map_or(0.0, force)
    }

    /// The rate of a state.
    fn rate(&self, y: &State) -> Result<State, lagrangian::Error> {
        let forces = Vector2::new(self.motor_force(y), self.push);
        let motion: Vector4<f64> = y.fixed_rows::<4>(0).into();
        let rate = self.system.state_derivative(&motion, &forces)?;
        let (q, v) = (motion.xy(), Vector2::new(y[2], y[3]));
        let power = forces[0] * v.x + self.push * self.system.bob_velocity(&q, &v).x;
        Ok(rate.push(power))
    }
}

/// One frame of the motion.
struct Sample {
    t: f64,
    y: State,
    u: f64,
    push: f64,
    bob: [f64; 2],
    /// Energy less that of the start less the work of both forces [J].
    error: f64,
}

/// The gains K of the feedback u = -K y that minimises the integral of `yᵀ diag(WEIGHTS) y + u²` for the
/// motion close to upright, at rest.
fn gains(system: &CartPole) -> Result<Vector4<f64>, Box<dyn Error>> {
    let zero = Vector2::zeros();
    let upright = system.linearize(&zero, &zero, &zero)?;
    let motor = upright.b.column(0).into_owned();
    let weights = Matrix4::from_diagonal(&WEIGHTS);
    Ok(lqr(&upright.a, &motor, &weights, &matrix![1.0])?
        .gain
        .transpose())
}

fn simulate(system: &CartPole, mut y: State) -> Result<Vec<Sample>, Box<dyn Error>> {
    let gains = gains(system)?;
    let start = system.energy(&Vector2::new(y[0], y[1]), &Vector2::new(y[2], y[3]));
    let mut samples = Vec::new();
    for frame in 0..=(END * RATE) as u32 {
        let t = f64::from(frame) / RATE;
        let push = f64::from((PUSH_START..PUSH_END).contains(&t));
        let control = Control {
            system,
            gains: (t < LET_GO).then_some(gains),
            push,
        };

        let (q, v) = (Vector2::new(y[0], y[1]), Vector2::new(y[2], y[3]));
        let error = system.energy(&q, &v) - start - y[4];
        let (u, bob) = (control.motor_force(&y), system.bob(&q).into());
        samples.push(Sample {
            t,
            y,
            u,
            push,
            bob,
            error,
        });

        y = advance(|_, y| control.rate(y), t, 1.0 / RATE, y, 1e-10)?;
    }
    Ok(samples)
}

fn main() -> Result<(), Box<dyn Error>> {
    let (cart, pole, length) = (1.0, 0.2, 0.5);
    let system = CartPole::new(cart, pole, length);

    let samples = simulate(&system, State::new(-0.4, 0.2, 0.0, 0.0, 0.0))?;
    print_table(
        ["t [s]", "x [m]", "theta [rad]", "u [N]", "energy error [J]"],
        samples
            .iter()
            .step_by(RATE as usize)
            .map(|s| [s.t, s.y[0], s.y[1], s.u, s.error]),
    );

    let page = draw(&samples).model(
        include_str!("cart_pole.rs"),
        CartPole::EQUATIONS_MATHML,
        &system,
    );
    let address = write(page, "cart_pole.html")?;
    println!("\nanimation and plots: {address}");

    let tilt = |from: f64, to: f64| {
        samples
            .iter()
            .filter(|s| (from..to).contains(&s.t))
            .map(|s| s.y[1].abs())
            .fold(0.0, f64::max)
    };
    assert!(
        tilt(PUSH_START, PUSH_END + 0.5) > 0.1,
        "the push tilts the pole"
    );
    assert!(
        tilt(LET_GO - 0.5, LET_GO) < 0.01,
        "the feedback brings it back"
    );
    assert!(
        tilt(LET_GO, END) > 3.0,
        "without feedback it falls and swings"
    );
    assert!(
        samples.iter().all(|s| s.error.abs() < 1e-8),
        "energy balance"
    );
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

    let scene = Scene::new("A cart balances a pole, is pushed, and at last lets the pole fall")
        .line("track", Ink::Ground, [[[-1.0, -0.06], [1.4, -0.06]]])
        .trail(Ink::Orange, 1.0, samples.iter().map(|s| s.bob))
        .polygon("cart", Ink::Blue, samples.iter().map(cart))
        .rod("pole", Ink::Body, 0.012, samples.iter().map(pole))
        .circle("bob", Ink::Orange, 0.03, samples.iter().map(|s| s.bob))
        .force("motor", Ink::Green, strong, samples.iter().map(motor))
        .force("push", Ink::Violet, weak, samples.iter().map(push));

    let forces = Plot::new("Forces", "N")
        .line("motor", Ink::Green, samples.iter().map(|s| s.u))
        .line("push", Ink::Violet, samples.iter().map(|s| s.push));
    let line = |title: &str, unit: &str, name: &str, ink: Ink, value: fn(&Sample) -> f64| {
        Plot::new(title, unit).line(name, ink, samples.iter().map(value))
    };

    let about = "A cart balances a pole by state feedback. At 2 s something pushes the bob for a \
                 fifth of a second; at 7 s the motor is switched off.";
    Page::new("Cart and pole")
        .about(about)
        .times(samples.iter().map(|s| s.t))
        .event(0.0, "feedback on")
        .event(PUSH_START, "pushed")
        .event(PUSH_END, "feedback on")
        .event(LET_GO, "feedback off")
        .scene(scene)
        .plot(line("Cart", "m", "x", Ink::Blue, |s| s.y[0]))
        .plot(line("Pole", "rad", "θ", Ink::Orange, |s| s.y[1]))
        .plot(forces)
        .plot(line("Energy error", "J", "error", Ink::Body, |s| s.error.abs()).log())
}
