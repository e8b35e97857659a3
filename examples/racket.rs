//! A spinning body turns over again and again, stepped by a variational integrator and by Runge and Kutta's method.
//!
//! The spin about the axis of the middle moment of inertia is unstable. The time from one turn to the next is known in
//! closed form (L. D. Landau and E. M. Lifshitz, *Mechanics*, section 37), so that it shows the error of a method: it falls
//! with the second power of the step for `midpoint_step`, and with the fourth for `rk4_step`. Over a long time the methods
//! change places: the variational step keeps the angular momentum to rounding, and its error of the energy stays within
//! bounds. That of the other method grows with every turn.
//!
//! ```text
//! cargo run --release --example racket
//! ```

mod common;

use std::error::Error;
use std::f64::consts::PI;

use common::{print_table, write};
use lagrangian::nalgebra::{SVector, Vector3, Vector4};
use lagrangian::{Step, lagrangian, midpoint_step, rk4_step};
use lagrangian_page::{Ink, Page, Plot, Space};

lagrangian! {
    /// A free body with three moments of inertia.
    #[derive(Clone, Debug)]
    pub struct Racket {
        attitude: rotation,
        /// Moments of inertia.
        i: parameter[3] [kg*m^2] = [0.3, 0.35, 0.4],
    }
    pub frame center = world.rotate(attitude);
    body { frame: center, inertia: diag(i) }
}

/// The angular velocity at the beginning, in the axes of the body [rad/s].
const SPIN: [f64; 3] = [0.1, 15.0, 0.1];
/// The step of the animation and of the long motions [s], and their durations.
const STEP: f64 = 0.02;
const SHOWN: f64 = 20.0;
const LONG: f64 = 300.0;
const NONE: SVector<f64, 0> = SVector::from_array_storage(lagrangian::nalgebra::ArrayStorage([[]]));

type Attitude = Vector4<f64>;

/// The two methods.
#[derive(Clone, Copy)]
enum Method {
    Variational,
    RungeKutta,
}

const METHODS: [Method; 2] = [Method::Variational, Method::RungeKutta];

/// A step in q and v.
fn step(
    body: &Racket,
    method: Method,
    (q, v): (&Attitude, &Vector3<f64>),
    h: f64,
) -> Result<(Attitude, Vector3<f64>), lagrangian::Error> {
    match method {
        Method::Variational => {
            let p = body.momenta(q, v);
            let Step { q, p, .. } = midpoint_step(body, 0.0, q, &p, &NONE, h)?;
            let v = body.velocity(&q, &p)?;
            Ok((q, v))
        }
        Method::RungeKutta => rk4_step(body, 0.0, q, v, &NONE, h),
    }
}

/// The time between two changes of the sign of the second angular velocity, twice the complete elliptic integral
/// K over a rate.
fn exact_time(body: &Racket) -> f64 {
    let w = Vector3::from(SPIN);
    let [a, b, c] = body.i;
    let energy = 2.0 * body.kinetic_energy(&body.neutral(), &w);
    let momentum = body.momenta(&body.neutral(), &w).norm_squared();
    let (fast, slow) = (
        (c - b) * (momentum - energy * a),
        (b - a) * (energy * c - momentum),
    );
    let (fast, slow) = (fast.max(slow), fast.min(slow));
    // The arithmetic-geometric mean.
    let (mut x, mut y) = (1.0, (1.0 - slow / fast).sqrt());
    for _ in 0..8 {
        (x, y) = ((x + y) / 2.0, (x * y).sqrt());
    }
    PI / x / (fast / (a * b * c)).sqrt()
}

/// The same time of a method, by cubic interpolation of the second angular velocity.
fn found_time(body: &Racket, method: Method, h: f64) -> Result<f64, Box<dyn Error>> {
    let (mut q, mut v) = (body.neutral(), Vector3::from(SPIN));
    let mut changes = Vec::new();
    let (mut t, mut slope) = (0.0, body.acceleration(&q, &v)?.y);
    while changes.len() < 2 {
        let next = step(body, method, (&q, &v), h)?;
        let (next_slope, before, after) = (body.acceleration(&next.0, &next.1)?.y, v.y, next.1.y);
        if before * after < 0.0 {
            let cubic = |s: f64| {
                (before * (1.0 + 2.0 * s) + slope * h * s) * (1.0 - s).powi(2)
                    + (after * (3.0 - 2.0 * s) - next_slope * h * (1.0 - s)) * s * s
            };
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let middle = (low + high) / 2.0;
                if cubic(middle) * before > 0.0 {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            changes.push(t + low * h);
        }
        ((q, v), slope, t) = (next, next_slope, t + h);
    }
    Ok(changes[1] - changes[0])
}

/// Times, and for each method the relative errors of energy and angular momentum in the world.
struct Drift {
    times: Vec<f64>,
    energy: [Vec<f64>; 2],
    momentum: [Vec<f64>; 2],
}

fn drift(body: &Racket) -> Result<Drift, lagrangian::Error> {
    let steps = (LONG / STEP) as usize;
    let stride = 100;
    let start = (body.neutral(), Vector3::from(SPIN));
    let spatial = |q: &Attitude, v: &Vector3<f64>| body.center(q).rotation * body.momenta(q, v);
    let energy = body.energy(&start.0, &start.1);
    let momentum = spatial(&start.0, &start.1);
    let mut drift = Drift {
        times: (1..=steps / stride)
            .map(|i| (i * stride) as f64 * STEP)
            .collect(),
        energy: Default::default(),
        momentum: Default::default(),
    };
    for (index, method) in METHODS.into_iter().enumerate() {
        let (mut q, mut v) = start;
        for number in 1..=steps {
            (q, v) = step(body, method, (&q, &v), STEP)?;
            if number % stride == 0 {
                let off = (spatial(&q, &v) - momentum).norm() / momentum.norm();
                drift.energy[index].push((body.energy(&q, &v) / energy - 1.0).abs());
                drift.momentum[index].push(off);
            }
        }
    }
    Ok(drift)
}

fn main() -> Result<(), Box<dyn Error>> {
    let body = Racket::default();
    let exact = exact_time(&body);
    println!("from turn to turn: {exact:.12} s");
    let lengths: Vec<f64> = (0..5).map(|i| 0.04 * 0.5_f64.powi(i)).collect();
    let mut errors = [const { Vec::new() }; 2];
    for (errors, method) in errors.iter_mut().zip(METHODS) {
        for h in &lengths {
            errors.push((found_time(&body, method, *h)? - exact).abs());
        }
    }
    print_table(
        ["step [s]", "variational [s]", "Runge-Kutta [s]"],
        (0..lengths.len()).map(|i| [lengths[i], errors[0][i], errors[1][i]]),
    );
    let drift = drift(&body)?;
    let page = draw(&body, &lengths, &errors, &drift)?.model(
        include_str!("racket.rs"),
        Racket::EQUATIONS_MATHML,
        &body,
    );
    let address = write(page, "racket.html")?;
    println!("\nanimation and plots: {address}");

    assert!((exact - 6.1674729046695).abs() < 1e-11, "{exact}");
    for (errors, order) in errors.iter().zip([2.0, 4.0]) {
        let computed_order = (errors[2] / errors[3]).log2();
        assert!(
            (computed_order - order).abs() < 0.3,
            "order {computed_order}"
        );
    }
    let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let half = drift.times.len() / 2;
    let [variational, other] = &drift.energy;
    let (early, late) = variational.split_at(half);
    assert!(largest(late) < 1.1 * largest(early), "no drift");
    assert!(other[other.len() - 1] > 1.5 * other[half], "a drift");
    assert!(
        largest(&drift.momentum[0]) < 1e-10,
        "{}",
        largest(&drift.momentum[0])
    );
    Ok(())
}

fn draw(
    body: &Racket,
    lengths: &[f64],
    errors: &[Vec<f64>; 2],
    drift: &Drift,
) -> Result<Page, lagrangian::Error> {
    let (mut q, mut v) = (body.neutral(), Vector3::from(SPIN));
    let mut shown = vec![(0.0, q, v)];
    for number in 1..=(SHOWN / STEP) as usize {
        (q, v) = step(body, Method::Variational, (&q, &v), STEP)?;
        shown.push((number as f64 * STEP, q, v));
    }
    let about = "The spin about the middle axis is unstable: the body turns over every 6.17 s. The errors of the two \
                 methods are shown by this time, which is known in closed form, and by the two constants of the motion \
                 over five minutes, with steps of 0.02 s for both.";
    let frames = |s: &(f64, Attitude, Vector3<f64>)| body.center(&s.1);
    let scene = Space::new("A body spins about its middle axis and turns over")
        .block_in(
            "racket",
            Ink::Blue,
            [0.0; 3],
            [0.5, 0.36, 0.1],
            shown.iter().map(frames),
        )
        .axes("axes", 0.4, shown.iter().map(frames));
    let rates = Plot::new("Angular velocity in the body", "rad/s")
        .lines(["1", "2", "3"], shown.iter().map(|s| s.2));
    let pair = |title: &str, unit: &str, places: (&str, &[f64]), values: &[Vec<f64>; 2]| {
        Plot::new(title, unit)
            .log()
            .over(places.0, places.1.iter().copied())
            .line("variational", Ink::Blue, values[0].iter().copied())
            .line("Runge-Kutta", Ink::Orange, values[1].iter().copied())
    };
    let halvings: Vec<f64> = (0..lengths.len()).map(|i| i as f64).collect();
    Ok(Page::new("Turning over")
        .about(about)
        .times(shown.iter().map(|s| s.0))
        .scene(scene)
        .plot(rates)
        .plot(pair(
            "Error of the time of a turn, by halvings of 0.04 s",
            "s",
            ("", &halvings),
            errors,
        ))
        .plot(pair(
            "Relative error of the energy",
            "",
            ("s", &drift.times),
            &drift.energy,
        ))
        .plot(pair(
            "Relative error of the angular momentum",
            "",
            ("s", &drift.times),
            &drift.momentum,
        )))
}
