//! A joint of a robot follows a step: a motor with its current behind a gear, an elastic shaft, friction that sticks, and
//! a cascade of controllers.
//!
//! The current, the bristle of LuGre's friction (Canudas de Wit, Olsson, Åström and Lischinsky, "A new model for control
//! of systems with friction", *IEEE Trans. Autom. Control* 40, 1995), the integrals of both inner controllers and the work
//! so far are states of first order. So `linearize` gives the closed loop as a whole.
//!
//! ```text
//! cargo run --release --example geared_joint
//! ```

mod common;

use std::error::Error;

use common::{print_table, write};
use lagrangian::nalgebra::{SVector, Vector2};
use lagrangian::{lagrangian, rk4_step_with_states, vector};
use lagrangian_page::{Ink, Page, Plot, Scene};

lagrangian! {
    /// A joint with its motor, measured behind the gear.
    #[derive(Clone, Debug)]
    pub struct Joint {
        link, motor: coordinate [rad],
        current: state [A],
        /// The deflection of the bristles.
        bristle: state [rad],
        /// The integrals of the errors of speed and current.
        speed_sum: state [rad],
        current_sum: state [A*s],
        /// The work of all that adds energy or takes it.
        work: state [J],
        /// Moments of inertia of the link, and of the rotor behind the gear.
        inertia: parameter [kg*m^2] = 1.2,
        rotor: parameter [kg*m^2] = 0.8,
        /// The largest moment of the weight.
        weight: parameter [N*m] = 15,
        stiffness: parameter [N*m/rad] = 4000,
        /// Damping of the shaft.
        damping: parameter [N*m*s/rad] = 3,
        /// Torque behind the gear for a current.
        torque_constant: parameter [N*m/A] = 6,
        inductance: parameter [H] = 0.002,
        resistance: parameter [ohm] = 0.6,
        /// Stiffness and damping of the bristles, and viscous friction.
        s0: parameter [N*m/rad] = 20000,
        s1: parameter [N*m*s/rad] = 120,
        s2: parameter [N*m*s/rad] = 2,
        /// Friction that slides and friction that sticks, and the speed between both.
        slides: parameter [N*m] = 6,
        sticks: parameter [N*m] = 9,
        stribeck: parameter [rad/s] = 0.05,
        /// Gains of the cascade: angle to speed, speed to current, current to voltage.
        of_angle: parameter [1/s] = 12,
        of_speed: parameter [A*s/rad] = 6,
        of_speed_sum: parameter [A/rad] = 90,
        of_current: parameter [ohm] = 1,
        of_current_sum: parameter [V/(A*s)] = 250,
        target: input [rad],
    }
    let speed = der(motor);
    // The cascade.
    let speed_error = of_angle * (target - motor) - speed;
    let current_error = of_speed * speed_error + of_speed_sum * speed_sum - current;
    pub let voltage = of_current * current_error + of_current_sum * current_sum;
    der(speed_sum) = speed_error;
    der(current_sum) = current_error;
    der(current) = (voltage - resistance * current - torque_constant * speed) / inductance;

    // LuGre's friction.
    let most = slides + (sticks - slides) * exp(-(speed / stribeck)^2);
    der(bristle) = speed - s0 * abs(speed) / most * bristle;
    pub let friction = s0 * bristle + s1 * der(bristle) + s2 * speed;

    T = inertia * der(link)^2 / 2 + rotor * speed^2 / 2;
    V = stiffness * (motor - link)^2 / 2 - weight * cos(link);
    D = damping * (speed - der(link))^2 / 2;
    Q.motor = torque_constant * current - friction;
    der(work) = (torque_constant * current - friction) * speed - damping * (speed - der(link))^2;
}

/// Step of the integration [s], and samples per second.
const STEP: f64 = 2e-5;
const RATE: f64 = 500.0;
const END: f64 = 1.5;
/// The target moves at once to this angle at this time.
const TARGET: f64 = 0.6;
const STARTS: f64 = 0.1;

/// The state at a time.
struct Sample {
    t: f64,
    q: Vector2<f64>,
    z: SVector<f64, 5>,
    voltage: f64,
    friction: f64,
    /// Energy less that of the start less the work [J].
    error: f64,
}

fn simulate(joint: &Joint) -> Result<Vec<Sample>, Box<dyn Error>> {
    let (mut q, mut v, mut z) = (vector![0.0, 0.0], vector![0.0, 0.0], SVector::zeros());
    let start = joint.energy(&q, &v, &z);
    let mut samples = Vec::new();
    let between = (1.0 / (RATE * STEP)).round() as u32;
    for step in 0..=(END / STEP).round() as u32 {
        let t = f64::from(step) * STEP;
        let u = vector![if t < STARTS { 0.0 } else { TARGET }];
        if step % between == 0 {
            samples.push(Sample {
                t,
                q,
                z,
                voltage: joint.voltage(&q, &v, &z, &u),
                friction: joint.friction(&q, &v, &z),
                error: joint.energy(&q, &v, &z) - start - z[4],
            });
        }
        (q, v, z) = rk4_step_with_states(joint, t, &q, &v, &z, &u, STEP)?;
    }
    Ok(samples)
}

/// The state [q; v; z] at which the joint holds an angle by the controllers' integrals, with unbent bristles.
fn hold(joint: &Joint, angle: f64) -> (Vector2<f64>, Vector2<f64>, SVector<f64, 5>) {
    let moment = joint.weight * angle.sin();
    let current = moment / joint.torque_constant;
    let z = vector![
        current,
        0.0,
        current / joint.of_speed_sum,
        joint.resistance * current / joint.of_current_sum,
        0.0
    ];
    (
        vector![angle, angle + moment / joint.stiffness],
        vector![0.0, 0.0],
        z,
    )
}

fn main() -> Result<(), Box<dyn Error>> {
    let joint = Joint::default();
    let motion = simulate(&joint)?;
    print_table(
        [
            "t [s]",
            "link [rad]",
            "current [A]",
            "voltage [V]",
            "friction",
            "error [J]",
        ],
        motion
            .iter()
            .step_by((RATE / 10.0) as usize)
            .map(|s| [s.t, s.q.x, s.z[0], s.voltage, s.friction, s.error]),
    );

    // The closed loop about rest.
    let (q, v, z) = hold(&joint, TARGET);
    let u = vector![q.y];
    let closed = joint.linearize(&q, &v, &z, &u)?;
    let mut poles: Vec<_> = closed.a.complex_eigenvalues().iter().copied().collect();
    poles.sort_by(|a, b| a.re.total_cmp(&b.re));
    println!("\neigenvalues of the closed loop about rest, where the bristles stick:");
    for pole in &poles {
        println!("  {:10.3} {:+10.3} i", pole.re, pole.im);
    }

    let page = draw(&motion).model(
        include_str!("geared_joint.rs"),
        Joint::EQUATIONS_MATHML,
        &joint,
    );
    println!("animation and plots: {}", write(page, "geared_joint.html")?);

    let rates = joint.state_derivative(&state(&q, &v, &z), &u)?;
    assert!(rates.amax() < 1e-9, "the joint rests: {rates}");
    // The bristles stick in any place, and the work is a sum: two rates are 0. The rest decays.
    let slow = poles.iter().filter(|pole| pole.norm() < 1e-3).count();
    let decaying = poles.iter().filter(|pole| pole.re < -0.1).count();
    assert_eq!((slow, decaying), (2, 7), "{poles:?}");

    // A small step of the target: the linear model beside the equations.
    let small = 1e-9;
    let (mut end_state, mut change) = ((q, v, z), SVector::<f64, 9>::zeros());
    let end = vector![u[0] + small];
    for _ in 0..(0.05 / STEP) as u32 {
        end_state = rk4_step_with_states(
            &joint,
            0.0,
            &end_state.0,
            &end_state.1,
            &end_state.2,
            &end,
            STEP,
        )?;
        let rate = |x: &SVector<f64, 9>| closed.a * x + closed.b * small;
        let k1 = rate(&change);
        let k2 = rate(&(change + k1 * (STEP / 2.0)));
        let k3 = rate(&(change + k2 * (STEP / 2.0)));
        let k4 = rate(&(change + k3 * STEP));
        change += (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (STEP / 6.0);
    }
    let moved = state(&end_state.0, &end_state.1, &end_state.2) - state(&q, &v, &z);
    for row in 0..8 {
        let error = (moved[row] - change[row]).abs();
        assert!(
            error < 1e-3 * change[row].abs() + 1e-4 * small,
            "row {row}: {moved}{change}"
        );
    }

    let most = motion.iter().map(|s| s.z[4].abs()).fold(0.0, f64::max);
    assert!(
        motion.iter().all(|s| s.error.abs() < 1e-6 * most),
        "energy balance"
    );
    let last = &motion[motion.len() - 1];
    let twist = joint.weight * last.q.x.sin() / joint.stiffness;
    assert!(
        (last.q.x + twist - TARGET).abs() < 2e-3,
        "the motor arrives: {}",
        last.q
    );
    assert!(last.friction.abs() < joint.sticks, "the bristles hold");
    Ok(())
}

fn state(q: &Vector2<f64>, v: &Vector2<f64>, z: &SVector<f64, 5>) -> SVector<f64, 9> {
    SVector::from_iterator(q.iter().chain(v).chain(z).copied())
}

fn draw(motion: &[Sample]) -> Page {
    let about = "The target of the joint jumps. A cascade of controllers for the angle, the speed and the current turns the \
                 motor behind its gear, through friction that sticks, and the link follows on an elastic shaft. Currents, \
                 bristles and the integrals of the controllers are states of first order.";
    let pointer = |length: f64, angle: fn(&Sample) -> f64| {
        let ends = motion.iter().map(move |s| {
            let (sin, cos) = angle(s).sin_cos();
            [[0.0, 0.0], [length * sin, -length * cos]]
        });
        ends.collect::<Vec<_>>()
    };
    let scene = Scene::new("The link follows the motor on an elastic shaft")
        .rod("link", Ink::Body, 0.04, pointer(0.8, |s| s.q.x))
        .rod("motor", Ink::Orange, 0.02, pointer(0.3, |s| s.q.y));
    let line = |of: fn(&Sample) -> f64| motion.iter().map(of);
    Page::new("Geared joint")
        .about(about)
        .times(line(|s| s.t))
        .scene(scene)
        .plot(
            Plot::new("Angle", "rad")
                .line("link", Ink::Body, line(|s| s.q.x))
                .line("motor", Ink::Orange, line(|s| s.q.y)),
        )
        .plot(Plot::new("Current", "A").line("i", Ink::Green, line(|s| s.z[0])))
        .plot(Plot::new("Friction", "N m").line("friction", Ink::Orange, line(|s| s.friction)))
        .plot(Plot::new("Energy error", "J").log().line(
            "error",
            Ink::Body,
            line(|s| s.error.abs()),
        ))
}
