//! A motor turns a four-bar linkage: three moving bars in a closed loop.
//!
//! A closed loop leaves the bars fewer degrees of freedom than angles. Each bar keeps its angle as a coordinate, and a
//! `holonomic` constraint closes the loop; the force in the pin that closes it is part of the solution.
//!
//! ```text
//! cargo run --release --example four_bar
//! ```

mod common;
#[path = "common/dopri5.rs"]
mod dopri5;

use std::error::Error;

use common::{print_table, write};
use dopri5::advance;
use lagrangian::nalgebra::{SVector, Vector1, Vector3, Vector6};
use lagrangian::{lagrangian, vector};
use lagrangian_page::{Ink, Page, Plot, Scene};

lagrangian! {
    /// Three bars and the ground between two pivots: the crank turns, the rocker swings, and the
    /// coupler joins them, from the end of the crank over the end of the rocker out to its tip.
    #[derive(Clone, Debug)]
    pub struct FourBar {
        /// Angles of the bars from the line of the pivots.
        crank, coupler, rocker: coordinate [rad],
        /// Length of the crank.
        a: parameter [m],
        /// Half the length of the coupler.
        b: parameter [m],
        /// Length of the rocker.
        c: parameter [m],
        /// Distance of the pivots.
        d: parameter [m],
        /// Mass of the bars per length.
        density: parameter [kg/m],
        /// Moment of inertia of the flywheel on the crank.
        flywheel: parameter [kg*m^2],
        g: parameter [m/s^2] = 9.81,
        /// Torque of the motor on the crank.
        torque: input [N*m],
    }

    let half_coupler = b * [cos(coupler), sin(coupler)];
    let rocker_arm = c * [cos(rocker), sin(rocker)];
    let pivot = [d, 0];

    // From the crank's pivot up to the tip of the coupler, and from the other pivot up the rocker.
    pub let elbow = a * [cos(crank), sin(crank)];
    pub let middle = elbow + half_coupler;
    pub let tip = middle + half_coupler;
    pub let rocker_end = pivot + rocker_arm;

    // The loop closes at the end of the rocker: a row for each of the two components.
    holonomic loop_closure: middle = rocker_end;

    // A uniform bar: its mass at its middle, and m length^2 / 12 about there.
    let m_crank = density * a;
    let m_coupler = density * 2 * b;
    let m_rocker = density * c;
    let crank_middle = elbow / 2;
    let rocker_middle = pivot + rocker_arm / 2;
    T = m_crank * (der(crank_middle)^2 + a^2 / 12 * der(crank)^2) / 2;
    T += m_coupler * (der(middle)^2 + (2 * b)^2 / 12 * der(coupler)^2) / 2;
    T += m_rocker * (der(rocker_middle)^2 + c^2 / 12 * der(rocker)^2) / 2;
    T += flywheel * der(crank)^2 / 2;
    V = g * (m_crank * crank_middle.y + m_coupler * middle.y + m_rocker * rocker_middle.y);
    Q.crank = torque;
}

/// Frames per second, also of the animation.
const RATE: f64 = 60.0;
const SWITCH_OFF: f64 = 7.0;
const END: f64 = 12.0;
/// The target speed of the motor [rad/s], and its torque per missing speed [N m s].
const TARGET: f64 = 4.5;
const GAIN: f64 = 3.0;

/// Three angles, their rates, and the work that the motor has done.
type State = SVector<f64, 7>;

fn angles(y: &State) -> Vector3<f64> {
    y.fixed_rows::<3>(0).into_owned()
}

fn rates(y: &State) -> Vector3<f64> {
    y.fixed_rows::<3>(3).into_owned()
}

/// The linkage with its motor on or off.
#[derive(Clone, Copy)]
struct Drive<'a> {
    system: &'a FourBar,
    on: bool,
}

impl Drive<'_> {
    fn torque(&self, y: &State) -> f64 {
        if self.on {
            GAIN * (TARGET - rates(y).x)
        } else {
            0.0
        }
    }

    /// The rate of a state.
    fn rate(&self, y: &State) -> Result<State, lagrangian::Error> {
        let torque = self.torque(y);
        let motion: Vector6<f64> = y.fixed_rows::<6>(0).into();
        let rate = self.system.state_derivative(&motion, &vector![torque])?;
        Ok(rate.push(torque * y[3]))
    }
}

/// One frame of the motion.
struct Sample {
    t: f64,
    y: State,
    torque: f64,
    elbow: [f64; 2],
    middle: [f64; 2],
    tip: [f64; 2],
    /// Force of the rocker on the coupler, through the pin that closes the loop [N].
    pin_force: [f64; 2],
    /// Energy less that of the start less the work of the motor [J].
    error: f64,
    /// The gap of the loop [m].
    gap: f64,
}

impl Sample {
    fn new(drive: Drive, t: f64, y: State, start: f64) -> Result<Self, Box<dyn Error>> {
        let Drive { system, .. } = drive;
        let (q, v, torque) = (angles(&y), rates(&y), drive.torque(&y));
        // The residual is `middle - rocker_end`, so its multipliers are the force at `middle`, and
        // its opposite at `rocker_end`.
        let multipliers = system.solve(&q, &v, &Vector1::new(torque))?.multipliers;
        Ok(Self {
            t,
            y,
            torque,
            elbow: system.elbow(&q).into(),
            middle: system.middle(&q).into(),
            tip: system.tip(&q).into(),
            pin_force: multipliers.into(),
            error: system.energy(&q, &v) - start - y[6],
            gap: system.constraint_residual(&q).norm(),
        })
    }
}

/// The motion from the given angles at rest. Only the accelerations obey the constraint exactly: the loop opens by the
/// accumulated errors of the solver, unless `project` closes it after each frame.
fn simulate(
    system: &FourBar,
    start: Vector3<f64>,
    project: bool,
) -> Result<Vec<Sample>, Box<dyn Error>> {
    let energy = system.energy(&start, &Vector3::zeros());
    let mut y = State::zeros();
    y.fixed_rows_mut::<3>(0).copy_from(&start);
    let mut samples = Vec::new();
    for frame in 0..=(END * RATE) as u32 {
        let t = f64::from(frame) / RATE;
        let on = t < SWITCH_OFF;
        let drive = Drive { system, on };
        samples.push(Sample::new(drive, t, y, energy)?);

        y = advance(|_, y| drive.rate(y), t, 1.0 / RATE, y, 1e-9)?;
        if project {
            let (q, v) = system.project(&angles(&y), &rates(&y))?;
            y.fixed_rows_mut::<3>(0).copy_from(&q);
            y.fixed_rows_mut::<3>(3).copy_from(&v);
        }
    }
    Ok(samples)
}

fn main() -> Result<(), Box<dyn Error>> {
    // These proportions are Hoecken's: the tip runs straight while the crank points away from the
    // rocker's pivot.
    let system = FourBar {
        a: 0.2,
        b: 0.5,
        c: 0.5,
        d: 0.4,
        density: 1.0,
        flywheel: 0.3,
        g: 9.81,
    };

    // The approximate position of the bars; `project` moves them together.
    let sketch = Vector3::new(0.0, 1.3, 1.8);
    let (start, _) = system.project(&sketch, &Vector3::zeros())?;
    println!(
        "degrees of freedom: {} of {} angles\nstart: crank {:.4}, coupler {:.4}, rocker {:.4} rad\n",
        FourBar::DEGREES_OF_FREEDOM,
        FourBar::COORDINATES.len(),
        start.x,
        start.y,
        start.z,
    );

    let samples = simulate(&system, start, true)?;
    let drifting = simulate(&system, start, false)?;
    print_table(
        [
            "t [s]",
            "crank [rad]",
            "torque [N m]",
            "energy error [J]",
            "gap [m]",
            "gap, drifting [m]",
        ],
        samples
            .iter()
            .zip(&drifting)
            .step_by(RATE as usize)
            .map(|(s, d)| [s.t, s.y[0], s.torque, s.error, s.gap, d.gap]),
    );

    let page = draw(&samples, &drifting, &system).model(
        include_str!("four_bar.rs"),
        FourBar::EQUATIONS_MATHML,
        &system,
    );
    let address = write(page, "four_bar.html")?;
    println!("\nanimation and plots: {address}");
    check(&samples, &drifting);
    Ok(())
}

fn check(samples: &[Sample], drifting: &[Sample]) {
    let turns = |s: &Sample| s.y[0] / std::f64::consts::TAU;
    assert!(samples.last().is_some_and(|s| turns(s) > 5.0), "it turns");
    let straight = samples.iter().filter(|s| s.y[0].cos() < 0.0);
    assert!(
        straight.clone().count() > 100,
        "the crank points away often"
    );
    assert!(
        straight
            .map(|s| s.tip[1] - 0.8)
            .all(|off| (-1e-6..2.1e-3).contains(&off)),
        "the tip runs straight"
    );
    assert!(samples.iter().all(|s| s.gap < 1e-13), "the loop is closed");
    assert!(
        drifting.last().is_some_and(|s| s.gap > 1e-11),
        "without projection it opens"
    );
    assert!(
        samples.iter().all(|s| s.error.abs() < 1e-6),
        "energy balance"
    );
}

fn draw(samples: &[Sample], drifting: &[Sample], system: &FourBar) -> Page {
    let pivots = [[0.0, 0.0], [system.d, 0.0]];
    let metres_per_newton = 0.01;
    let pin_force = |s: &Sample| {
        let ([x, y], [fx, fy]) = (s.middle, s.pin_force);
        let tip = [x + metres_per_newton * fx, y + metres_per_newton * fy];
        [s.middle, tip]
    };
    let scene = Scene::new("A crank turns a rocker to and fro; the coupler's tip draws a curve")
        .line("ground", Ink::Ground, [pivots])
        .trail(Ink::Violet, 1.2, samples.iter().map(|s| s.tip))
        .rod(
            "crank",
            Ink::Blue,
            0.014,
            samples.iter().map(|s| [pivots[0], s.elbow]),
        )
        .rod(
            "rocker",
            Ink::Green,
            0.014,
            samples.iter().map(|s| [pivots[1], s.middle]),
        )
        .rod(
            "coupler",
            Ink::Orange,
            0.014,
            samples.iter().map(|s| [s.elbow, s.tip]),
        )
        .force(
            "force in the pin",
            Ink::Body,
            metres_per_newton,
            samples.iter().map(pin_force),
        )
        .mark("pivots", Ink::Ground, [pivots[0]])
        .mark("pivots", Ink::Ground, [pivots[1]])
        .mark("elbow", Ink::Body, samples.iter().map(|s| s.elbow))
        .mark("pin", Ink::Body, samples.iter().map(|s| s.middle))
        .mark("tip", Ink::Violet, samples.iter().map(|s| s.tip));

    let mut angles = Plot::new("Angles", "rad");
    for (i, name, ink) in [(1, "coupler", Ink::Orange), (2, "rocker", Ink::Green)] {
        angles = angles.line(name, ink, samples.iter().map(|s| s.y[i]));
    }
    let line = |title: &str, unit: &str, name: &str, ink: Ink, value: fn(&Sample) -> f64| {
        Plot::new(title, unit).line(name, ink, samples.iter().map(value))
    };
    // Smaller gaps are rounding, and a logarithmic axis cannot show 0.
    let gap = |s: &Sample| s.gap.max(f64::EPSILON);
    let gaps = Plot::new("Gap in the loop", "m")
        .log()
        .line("projected", Ink::Blue, samples.iter().map(gap))
        .line("drifting", Ink::Orange, drifting.iter().map(gap));
    let pin = |s: &Sample| s.pin_force[0].hypot(s.pin_force[1]);

    let about = "A motor turns the crank; at 7\u{a0}s it is switched off. \
                 The tip of the coupler runs almost straight one way and returns in an arc: \
                 Hoecken's linkage. The arrow is the force in the pin that closes the loop.";
    Page::new("Four-bar linkage")
        .about(about)
        .times(samples.iter().map(|s| s.t))
        .event(0.0, "motor on")
        .event(SWITCH_OFF, "motor off")
        .scene(scene)
        .plot(angles)
        .plot(line(
            "Speed of the crank",
            "rad/s",
            "crank",
            Ink::Blue,
            |s| s.y[3],
        ))
        .plot(line(
            "Torque of the motor",
            "N m",
            "torque",
            Ink::Violet,
            |s| s.torque,
        ))
        .plot(line("Force in the pin", "N", "force", Ink::Body, pin))
        .plot(line("Energy error", "J", "error", Ink::Body, |s| s.error.abs()).log())
        .plot(gaps)
}
