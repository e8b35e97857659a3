//! A woodpecker toy slides down its pole and pecks at it, by friction that sticks and slides.
//!
//! A sleeve with play hangs on a pole, and the bird hangs on the sleeve by a spring. The sleeve touches the pole at two
//! edges, and the beak strikes it: three contacts with Coulomb's friction, of which the beak bounces. While an edge sticks,
//! the bird swings; when it lets go, the sleeve slides down a little.
//!
//! The parameters are those of Ch. Glocker, *Dynamik von Starrkörpersystemen mit Reibung und Stössen*, VDI 1995. After a few
//! pecks each one is like the one before: the period and the drop of this limit cycle are compared with those of a program
//! that integrates from event to event.
//!
//! ```text
//! cargo run --release --example woodpecker
//! ```

mod common;

use std::error::Error;

use common::{print_table, write};
use lagrangian::nalgebra::Vector3;
use lagrangian::{Event, Run, lagrangian, vector};
use lagrangian_page::{Ink, Page, Plot, Scene};

lagrangian! {
    /// A sleeve on a pole, and a woodpecker on a spring.
    #[derive(Clone, Debug)]
    pub struct Woodpecker {
        /// Height of the sleeve [m].
        y: coordinate,
        /// Angle of the sleeve.
        sleeve: coordinate,
        /// Angle of the bird.
        bird: coordinate,
        /// Masses of sleeve and bird [kg].
        m_m: parameter = 0.0003,
        m_s: parameter = 0.0045,
        /// Their moments of inertia [kg m^2].
        j_m: parameter = 5e-9,
        j_s: parameter = 7e-7,
        /// Stiffness of the spring [N m].
        c: parameter = 0.0056,
        /// Radius of the pole, and of the sleeve inside [m].
        r_0: parameter = 0.0025,
        r_m: parameter = 0.0031,
        /// Half height of the sleeve [m].
        h_m: parameter = 0.0058,
        /// From the sleeve to the spring, and from the spring to the bird [m].
        l_m: parameter = 0.010,
        l_g: parameter = 0.015,
        /// Height and length of the beak, from the middle of the bird [m].
        h_s: parameter = 0.02,
        l_s: parameter = 0.0201,
        /// Coefficients of friction, and of restitution of the beak.
        mu: parameter = 0.3,
        e: parameter = 0.5,
        g: parameter = 9.81,
    }
    // All angles are small.
    let height = y + l_m * sleeve + l_g * bird;
    T = (m_m * der(y)^2 + j_m * der(sleeve)^2 + m_s * der(height)^2 + j_s * der(bird)^2) / 2;
    V = m_m * g * y + m_s * g * height + c * (bird - sleeve)^2 / 2;

    contact beak: l_m + l_g - l_s - h_s * bird >= r_0 {
        slip: der(y) + l_m * der(sleeve) + (l_g - l_s) * der(bird),
        friction: mu,
        restitution: e,
    };
    contact below: r_m + h_m * sleeve >= r_0 { slip: der(y) + r_m * der(sleeve), friction: mu };
    contact above: r_m - h_m * sleeve >= r_0 { slip: der(y) + r_m * der(sleeve), friction: mu };
}

/// The time between two frames of the animation, and its length [s].
const FRAME: f64 = 2.5e-3;
const SHOWN: f64 = 1.5;
/// The pecks until the motion repeats itself, and those that are measured.
const TRANSIENT: usize = 30;
const MEASURED: usize = 10;
/// The period [s] and the drop [m] of the limit cycle, from event to event.
const PERIOD: f64 = 0.1459760651;
const DROP: f64 = 19.4453793e-3;

struct Sample {
    t: f64,
    q: Vector3<f64>,
    v: Vector3<f64>,
}

/// A strike of the beak.
struct Peck {
    t: f64,
    y: f64,
    /// The energy that the impact takes [J].
    loss: f64,
}

/// The frames, and the pecks.
fn simulate(toy: &Woodpecker) -> Result<(Vec<Sample>, Vec<Peck>), Box<dyn Error>> {
    let start = (
        vector![0.0, -0.1036, -0.2788],
        vector![-0.3411, 0.0, -7.4583],
    );
    let (mut samples, mut pecks): (Vec<Sample>, Vec<Peck>) = (Vec::new(), Vec::new());
    let mut run = Run::hybrid(toy, 0.0, start.0, start.1).tolerance(1e-10);
    while pecks.len() < TRANSIENT + MEASURED {
        let step = run.next().ok_or("a run without an end")??;
        loop {
            let t = samples.len() as f64 * FRAME;
            if t > step.t || t >= SHOWN {
                break;
            }
            let (q, v) = run.at(t);
            samples.push(Sample { t, q, v });
        }
        if step.event == Some(Event::Closes(0)) {
            let (q, v) = run.at(step.t);
            let loss = toy.energy(&q, &v) - toy.energy(&step.q, &step.v);
            pecks.push(Peck {
                t: step.t,
                y: q[0],
                loss,
            });
        }
    }
    Ok((samples, pecks))
}

fn main() -> Result<(), Box<dyn Error>> {
    let toy = Woodpecker::default();
    let (samples, pecks) = simulate(&toy)?;
    let cycles: Vec<[f64; 3]> = pecks
        .windows(2)
        .enumerate()
        .map(|(number, pair)| {
            let [first, second] = [&pair[0], &pair[1]];
            [
                number as f64 + 1.0,
                second.t - first.t,
                1e3 * (first.y - second.y),
            ]
        })
        .collect();
    print_table(
        ["peck", "period [s]", "drop [mm]"],
        cycles.iter().step_by(3).copied(),
    );
    let page = draw(&toy, &samples).model(
        include_str!("woodpecker.rs"),
        Woodpecker::EQUATIONS_MATHML,
        &toy,
    );
    let address = write(page, "woodpecker.html")?;
    println!("animation and plots: {address}");

    let (first, last) = (&pecks[TRANSIENT], &pecks[pecks.len() - 1]);
    let cycles = (pecks.len() - 1 - TRANSIENT) as f64;
    let (period, drop) = ((last.t - first.t) / cycles, (first.y - last.y) / cycles);
    println!("limit cycle: {period:.10} s, {:.7} mm", 1e3 * drop);
    // The rest of the transient.
    assert!((period / PERIOD - 1.0).abs() < 1e-5, "period {period}");
    assert!((drop / DROP - 1.0).abs() < 1e-5, "drop {drop}");
    for peck in &pecks {
        assert!(peck.loss > 0.0, "a peck takes energy");
    }
    for Sample { q, .. } in &samples {
        let gaps = toy.gaps(q);
        assert!(gaps.min() > -1e-6, "the pole is hard: {gaps:?}");
    }
    Ok(())
}

fn draw(toy: &Woodpecker, samples: &[Sample]) -> Page {
    let about = "A sleeve with play on a pole carries a woodpecker on a spring. The edges of the sleeve stick to the pole and slide \
                 by Coulomb's friction, and the beak strikes it. Each peck is soon like the one before: 0.146 s, and 19.4 mm \
                 down.";
    let lowest = samples.iter().map(|s| s.q[0]).fold(0.0, f64::min);
    let [top, bottom] = [0.04, lowest - 0.03];
    let turned = |[x, y]: [f64; 2], angle: f64| {
        let (sin, cos) = angle.sin_cos();
        [x * cos - y * sin, x * sin + y * cos]
    };
    let sleeve = |s: &Sample, side: f64| {
        let (inner, outer) = (side * toy.r_m, side * (toy.r_m + 0.0012));
        [
            [inner, -toy.h_m],
            [outer, -toy.h_m],
            [outer, toy.h_m],
            [inner, toy.h_m],
        ]
        .map(|corner| {
            let [x, y] = turned(corner, s.q[1]);
            [x, s.q[0] + y]
        })
    };
    let spring = |s: &Sample| [toy.l_m, s.q[0] + toy.l_m * s.q[1]];
    let middle = |s: &Sample| {
        let [x, y] = spring(s);
        [x + toy.l_g, y + toy.l_g * s.q[2]]
    };
    let part = |s: &Sample, place: [f64; 2]| {
        let ([x, y], [dx, dy]) = (middle(s), turned(place, s.q[2]));
        [x + dx, y + dy]
    };
    let body = |s: &Sample| {
        [
            [-0.004, -0.012],
            [0.004, -0.018],
            [0.007, 0.0],
            [0.005, 0.018],
            [-0.004, 0.022],
            [-toy.l_s + 0.004, toy.h_s + 0.001],
            [-toy.l_s, toy.h_s],
            [-toy.l_s + 0.004, toy.h_s - 0.001],
            [-0.005, 0.016],
        ]
        .map(|place| part(s, place))
    };
    let scene = Scene::new("A woodpecker pecks its way down a pole")
        .polygon(
            "pole",
            Ink::Ground,
            [[
                [-toy.r_0, bottom],
                [toy.r_0, bottom],
                [toy.r_0, top],
                [-toy.r_0, top],
            ]],
        )
        .polygon("sleeve", Ink::Blue, samples.iter().map(|s| sleeve(s, 1.0)))
        .polygon("sleeve", Ink::Blue, samples.iter().map(|s| sleeve(s, -1.0)))
        .line(
            "spring",
            Ink::Violet,
            samples
                .iter()
                .map(|s| [[toy.r_m, s.q[0]], spring(s), middle(s)]),
        )
        .polygon("woodpecker", Ink::Orange, samples.iter().map(body));
    let angles = Plot::new("Angles", "rad")
        .line("sleeve", Ink::Blue, samples.iter().map(|s| s.q[1]))
        .line("woodpecker", Ink::Orange, samples.iter().map(|s| s.q[2]));
    let heights = Plot::new("Height of the sleeve", "mm").line(
        "height",
        Ink::Blue,
        samples.iter().map(|s| 1e3 * s.q[0]),
    );
    let speeds = Plot::new("Speed of the sleeve", "m/s").line(
        "speed",
        Ink::Blue,
        samples.iter().map(|s| s.v[0]),
    );
    Page::new("Woodpecker toy")
        .about(about)
        .times(samples.iter().map(|s| s.t))
        .scene(scene)
        .plot(angles)
        .plot(heights)
        .plot(speeds)
}
