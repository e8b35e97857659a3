//! A bicycle with free handlebars: pushed at 4.6 m/s it rights itself, at a lower speed it falls.
//!
//! It is the benchmark of J. P. Meijaard, J. M. Papadopoulos, A. Ruina and A. L. Schwab, *Linearized dynamics equations
//! for the balance and steer of a bicycle: a benchmark and review* (Proc. R. Soc. A 463, 2007). The paper derives by
//! hand the four eigenvalues that decide whether it stays up. Here `linearize` gives them for a model with rolling
//! wheels.
//!
//! ```text
//! cargo run --release --example bicycle
//! ```

mod common;

use std::error::Error;
use std::f64::consts::TAU;

use common::{print_table, write};
use lagrangian::nalgebra::{Complex, Matrix4, Matrix6, SVector, Schur, Vector4, Vector6};
use lagrangian::{Derivatives, Pose, lagrangian, rk4_step};
use lagrangian_page::{Ink, Page, Plot, Space};

lagrangian! {
    /// Two wheels, a frame with a rider, and a fork. x points ahead, y to the right, z down.
    #[derive(Clone, Debug)]
    pub struct Bicycle {
        /// The center of the rear wheel.
        p: coordinate[3] [m],
        /// Angles of the frame, and of the fork against it.
        yaw, lean, pitch, steer: coordinate [rad],
        /// Turns of the wheels.
        rear, front: coordinate [rad],
        /// Wheelbase.
        w: parameter [m] = 1.02,
        /// Distance of the front contact point behind the steering axis.
        trail: parameter [m] = 0.08,
        /// Angle of the steering axis from upright.
        tilt: parameter [rad] = pi / 10,
        /// Radii of the wheels.
        rr: parameter [m] = 0.3,
        rf: parameter [m] = 0.35,
        g: parameter [m/s^2] = 9.81,
    }

    frame leaning = world.translate(p).rotate(z, yaw).rotate(x, lean);
    pub frame chassis = leaning.rotate(y, pitch);
    pub frame rear_wheel = chassis.rotate(y, rear);
    // Its origin is the point where the steering axis meets the ground.
    frame head = chassis.translate([w + trail, 0, rr]).rotate(y, tilt);
    pub frame fork = head.rotate(z, steer).rotate(y, -tilt);
    frame front_hub = fork.translate([-trail, 0, -rf]);
    pub frame front_wheel = front_hub.rotate(y, front);

    // The rider sits on the chassis.
    body {
        frame: chassis,
        mass: 85,
        at: [0.3, 0, rr - 0.9],
        inertia: [[9.2, 0, 2.4], [0, 11, 0], [2.4, 0, 2.8]],
    }
    body {
        frame: fork,
        mass: 4,
        at: [0.9 - w - trail, 0, -0.7],
        inertia: [[0.05892, 0, -0.00756], [0, 0.06, 0], [-0.00756, 0, 0.00708]],
    }
    body { frame: rear_wheel, mass: 2, inertia: diag(0.0603, 0.12, 0.0603) }
    body { frame: front_wheel, mass: 3, inertia: diag(0.1405, 0.28, 0.1405) }
    gravity [0, 0, g];

    // From the center of each wheel to the ground: down in its plane.
    let rear_axle = leaning.vector([0, 1, 0]);
    let front_axle = fork.vector([0, 1, 0]);
    let rear_level = sqrt(1 - rear_axle.z^2);
    let front_level = sqrt(1 - front_axle.z^2);
    let rear_down = ([0, 0, 1] - rear_axle.z * rear_axle) * rr / rear_level;
    let front_down = ([0, 0, 1] - front_axle.z * front_axle) * rf / front_level;
    holonomic rear_touches: p.z + rr * rear_level = 0;
    holonomic front_touches: front_hub.origin.z + rf * front_level = 0;

    // The contact points are at rest.
    let rear_slip = velocity(rear_wheel) + cross(angular_velocity(rear_wheel), rear_down);
    let front_slip = velocity(front_wheel) + cross(angular_velocity(front_wheel), front_down);
    nonholonomic rear_rolls: rear_slip.xy = [0, 0];
    nonholonomic front_rolls: front_slip.xy = [0, 0];
}

type Vector9 = SVector<f64, 9>;
/// Ordered by real part.
type Eigenvalues = [Complex<f64>; 4];

// Places of the coordinates in q and in v.
const X: usize = 0;
const LEAN: usize = 4;
const STEER: usize = 6;
const REAR: usize = 7;
const FRONT: usize = 8;
/// The velocities that the rolling wheels determine, for a given forward speed, lean and steer.
const FOLLOWING: [usize; 6] = [1, 2, 3, 5, REAR, FRONT];

/// Frames per second, also of the animation.
const RATE: f64 = 60.0;
const STEPS_PER_FRAME: u32 = 4;
const END: f64 = 8.0;
/// The rate of lean after the push [rad/s].
const PUSH: f64 = 0.5;
const STABLE: f64 = 4.6;
const TOO_SLOW: f64 = 3.4;

/// Between these speeds no eigenvalue grows [m/s]: below it weaves, above it capsizes, slowly.
const WEAVE: f64 = 4.29238253634111;
const CAPSIZE: f64 = 6.02426201538837;

/// A speed [m/s], and the eigenvalues of the paper's matrices there [1/s], to 15 digits.
struct Reference {
    speed: f64,
    real: &'static [f64],
    /// Real and imaginary part of the pair.
    pair: Option<(f64, f64)>,
}

const REFERENCES: [Reference; 7] = [
    Reference {
        speed: 0.0,
        real: &[
            -5.53094371765393,
            -3.13164324790656,
            3.13164324790656,
            5.53094371765393,
        ],
        pair: None,
    },
    Reference {
        speed: 2.0,
        real: &[-8.67387984831728, -3.07158645641514],
        pair: Some((2.68234517512745, 1.6806629659067)),
    },
    Reference {
        speed: 4.0,
        real: &[-12.1586142657643, -1.42944427361329],
        pair: Some((0.413253315211274, 3.079108186032)),
    },
    Reference {
        speed: 5.0,
        real: &[-14.0783896927981, -0.322866429004108],
        pair: Some((-0.775341882195809, 4.4648677137882)),
    },
    Reference {
        speed: 6.0,
        real: &[-16.0853712309801, -0.00406690076971472],
        pair: Some((-1.52644486584138, 5.876730605987)),
    },
    Reference {
        speed: 8.0,
        real: &[-20.2794089439454, 0.143278797657124],
        pair: Some((-2.6934868358109, 8.4603797139693)),
    },
    Reference {
        speed: 10.0,
        real: &[-24.6245963501736, 0.161053386531711],
        pair: Some((-3.72016840437282, 10.906811394763)),
    },
];

/// Upright and straight ahead.
fn straight(system: &Bicycle, speed: f64) -> (Vector9, Vector9) {
    let (mut q, mut v) = (Vector9::zeros(), Vector9::zeros());
    q[2] = -system.rr;
    v[X] = speed;
    v[REAR] = -speed / system.rr;
    v[FRONT] = -speed / system.rf;
    (q, v)
}

/// A small departure (lean, steer and their rates) from a straight ride, completed to displacements and velocities
/// that the rolling wheels allow.
fn departure(
    rolling: &Derivatives<f64, 6, 9, 0>,
    departure: Vector4<f64>,
) -> Option<(Vector9, Vector9)> {
    let [lean, steer, lean_rate, steer_rate] = departure.into();
    let (mut d, mut w) = (Vector9::zeros(), Vector9::zeros());
    (d[LEAN], d[STEER]) = (lean, steer);
    (w[LEAN], w[STEER]) = (lean_rate, steer_rate);
    let matrix = Matrix6::from_columns(&FOLLOWING.map(|i| rolling.v.column(i).into_owned()));
    let following: Vector6<f64> = matrix.lu().solve(&-(rolling.q * d + rolling.v * w))?;
    for (i, rate) in FOLLOWING.into_iter().zip(following.iter()) {
        w[i] = *rate;
    }
    Some((d, w))
}

/// The dynamics of a small departure from a straight ride: the matrix of (lean, steer, and their rates).
fn lean_and_steer(system: &Bicycle, speed: f64) -> Result<Matrix4<f64>, Box<dyn Error>> {
    let (q, v) = straight(system, speed);
    let motion = system.linearize(&q, &v)?.a;
    let rolling = system.constraint_velocity_derivatives(&q, &v);
    let mut matrix = Matrix4::zeros();
    for (i, mut column) in matrix.column_iter_mut().enumerate() {
        let (d, w) = departure(&rolling, Vector4::ith(i, 1.0)).ok_or("the wheels do not roll")?;
        let rates = motion.fixed_columns::<9>(0) * d + motion.fixed_columns::<9>(9) * w;
        column.copy_from(&Vector4::new(
            rates[LEAN],
            rates[STEER],
            rates[9 + LEAN],
            rates[9 + STEER],
        ));
    }
    Ok(matrix)
}

/// Ordered by real part, then by imaginary part.
fn eigenvalues(matrix: Matrix4<f64>) -> Result<Eigenvalues, Box<dyn Error>> {
    // `Matrix4::complex_eigenvalues` has no bound on its iterations.
    let schur = Schur::try_new(matrix, f64::EPSILON, 1000).ok_or("no eigenvalues")?;
    let mut values: Eigenvalues = schur.complex_eigenvalues().into();
    values.sort_by(|a, b| a.re.total_cmp(&b.re).then(a.im.total_cmp(&b.im)));
    // The two of a pair have the same real part, to rounding.
    for i in 1..4 {
        if (values[i] - values[i - 1].conj()).norm() < 1e-9 && values[i].im < 0.0 {
            values.swap(i - 1, i);
        }
    }
    Ok(values)
}

impl Reference {
    /// The largest difference of the eigenvalues from these.
    fn error(&self, values: Eigenvalues) -> f64 {
        let real = self.real.iter().map(|&re| Complex::new(re, 0.0));
        let pair = self
            .pair
            .iter()
            .flat_map(|&(re, im)| [Complex::new(re, im), Complex::new(re, -im)]);
        let nearest = |expected: Complex<f64>| {
            values
                .iter()
                .map(|value| (value - expected).norm())
                .fold(f64::INFINITY, f64::min)
        };
        real.chain(pair).map(nearest).fold(0.0, f64::max)
    }
}

/// The speed between two at which the largest real part changes its sign.
fn limit(system: &Bicycle, mut low: f64, mut high: f64) -> Result<f64, Box<dyn Error>> {
    let growth =
        |speed| Ok::<_, Box<dyn Error>>(eigenvalues(lean_and_steer(system, speed)?)?[3].re);
    let below = growth(low)? > 0.0;
    while high - low > 1e-12 {
        let middle = (low + high) / 2.0;
        if (growth(middle)? > 0.0) == below {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok((low + high) / 2.0)
}

/// One frame of a ride.
struct Sample {
    t: f64,
    q: Vector9,
    speed: f64,
    /// Energy less that of the start [J].
    error: f64,
    /// Worst slip of a wheel, or distance from the ground [m/s, m].
    slip: f64,
}

/// A ride after a push, with free handlebars. It ends early if the handlebars swing round.
fn ride(system: &Bicycle, speed: f64) -> Result<Vec<Sample>, Box<dyn Error>> {
    let (mut q, v) = straight(system, speed);
    let rolling = system.constraint_velocity_derivatives(&q, &v);
    let push = Vector4::new(0.0, 0.0, PUSH, 0.0);
    let (_, w) = departure(&rolling, push).ok_or("the wheels do not roll")?;
    let mut v = v + w;
    let start = system.energy(&q, &v);
    let none = SVector::<f64, 0>::zeros();
    let mut samples = Vec::new();
    for frame in 0..=(END * RATE) as u32 {
        let position = system.constraint_residual(&q).amax();
        samples.push(Sample {
            t: f64::from(frame) / RATE,
            q,
            speed: v[X].hypot(v[1]),
            error: system.energy(&q, &v) - start,
            slip: position.max(system.constraint_velocity(&q, &v).amax()),
        });
        // The handlebars swing round: the rider is on the ground.
        if q[STEER].abs() > 0.8 {
            break;
        }
        let h = 1.0 / (RATE * f64::from(STEPS_PER_FRAME));
        for _ in 0..STEPS_PER_FRAME {
            (q, v) = rk4_step(system, 0.0, &q, &v, &none, h)?;
            (q, v) = system.project(&q, &v)?;
        }
    }
    Ok(samples)
}

fn main() -> Result<(), Box<dyn Error>> {
    let system = Bicycle::default();
    print_table(
        [
            "speed [m/s]",
            "castering [1/s]",
            "capsize [1/s]",
            "weave [1/s]",
            "weave [rad/s]",
            "error [1/s]",
        ],
        spectra(&system)?.into_iter().map(|(reference, values)| {
            let [castering, capsize, pair] = modes(values);
            let error = reference.error(values);
            [
                reference.speed,
                castering.re,
                capsize.re,
                pair.re,
                pair.im,
                error,
            ]
        }),
    );
    let weave = limit(&system, 4.0, 5.0)?;
    let capsize = limit(&system, 5.0, 7.0)?;
    println!("\nstays up by itself from {weave:.12} to {capsize:.12} m/s");

    let stable = ride(&system, STABLE)?;
    let slow = ride(&system, TOO_SLOW)?;
    let page = draw(&system, &stable, &slow)?.model(
        include_str!("bicycle.rs"),
        Bicycle::EQUATIONS_MATHML,
        &system,
    );
    let address = write(page, "bicycle.html")?;
    println!("\nanimation and plots: {address}");

    for (reference, values) in spectra(&system)? {
        let error = reference.error(values);
        assert!(error < 1e-9, "at {} m/s: {error}", reference.speed);
    }
    assert!((weave - WEAVE).abs() < 1e-9, "weave speed {weave}");
    assert!((capsize - CAPSIZE).abs() < 1e-9, "capsize speed {capsize}");
    let leans = |samples: &[Sample]| samples.iter().map(|s| s.q[LEAN].abs()).fold(0.0, f64::max);
    assert!(leans(&stable) > 0.05, "the push makes it lean");
    assert!(
        stable.last().is_some_and(|s| s.q[LEAN].abs() < 0.01),
        "it rights itself"
    );
    assert!(slow.len() < stable.len(), "slower it falls");
    for s in stable.iter().chain(&slow) {
        assert!(s.error.abs() < 1e-3, "energy: {} J at {} s", s.error, s.t);
        assert!(s.slip < 1e-9, "the wheels roll: {} at {} s", s.slip, s.t);
    }
    Ok(())
}

fn spectra(system: &Bicycle) -> Result<Vec<(Reference, Eigenvalues)>, Box<dyn Error>> {
    let spectrum = |reference: Reference| {
        let matrix = lean_and_steer(system, reference.speed)?;
        Ok((reference, eigenvalues(matrix)?))
    };
    REFERENCES.into_iter().map(spectrum).collect()
}

/// Castering, capsize and one of the weaving pair; at rest, where nothing weaves, the two falls and the faster rise.
fn modes(values: Eigenvalues) -> [Complex<f64>; 3] {
    let oscillates = |value: &&Complex<f64>| value.im > 1e-9;
    match values.iter().find(oscillates) {
        Some(&pair) => {
            let mut real = values.into_iter().filter(|value| value.im.abs() <= 1e-9);
            let castering = real.next().unwrap_or(pair);
            [castering, real.next().unwrap_or(pair), pair]
        }
        None => [values[0], values[1], values[3]],
    }
}

/// A point of a part of the bicycle, as seen by a companion: x ahead, y to the left, z up.
fn seen(pose: &Pose<f64>, [x, y, z]: [f64; 3], from: &Vector9) -> [f64; 3] {
    let p = pose.origin + pose.rotation * lagrangian::nalgebra::Vector3::new(x, y, z);
    [p.x - from[0], from[1] - p.y, -p.z]
}

/// Half the thickness of a tyre [m].
const TYRE: f64 = 0.02;

/// Points around a wheel, on the middle of its tyre.
fn rim(pose: &Pose<f64>, radius: f64, from: &Vector9) -> Vec<[f64; 3]> {
    let around = (0..=32).map(|i| {
        let (sin, cos) = (TAU * f64::from(i) / 32.0).sin_cos();
        [(radius - TYRE) * cos, 0.0, (radius - TYRE) * sin]
    });
    around.map(|point| seen(pose, point, from)).collect()
}

/// From the hub to every fourth of these points.
fn spokes(pose: &Pose<f64>, radius: f64, from: &Vector9) -> Vec<[f64; 3]> {
    let hub = seen(pose, [0.0; 3], from);
    rim(pose, radius, from)
        .into_iter()
        .step_by(4)
        .flat_map(|end| [hub, end, [f64::NAN; 3]])
        .collect()
}

/// The ground below the rider: its beginning and end ahead and aside, and the distance of its lines [m].
const AHEAD: [f64; 2] = [-0.6, 1.6];
const ASIDE: [f64; 2] = [-0.8, 0.8];
const CELL: f64 = 0.4;

/// The lines of the ground that pass below the companion.
fn ground(s: &Sample) -> Vec<[f64; 3]> {
    let lift = [f64::NAN; 3];
    // The first line inside, and those after it.
    let lines = |[from, to]: [f64; 2], moved: f64| {
        let first = from + (moved - from).rem_euclid(CELL);
        (0..16)
            .map(move |i| first + CELL * f64::from(i))
            .take_while(move |&line| line <= to)
    };
    let across = lines(AHEAD, -s.q[0]).map(|x| [[x, ASIDE[0], 0.0], [x, ASIDE[1], 0.0], lift]);
    let along = lines(ASIDE, s.q[1]).map(|y| [[AHEAD[0], y, 0.0], [AHEAD[1], y, 0.0], lift]);
    across.chain(along).flatten().collect()
}

fn draw(system: &Bicycle, stable: &[Sample], slow: &[Sample]) -> Result<Page, Box<dyn Error>> {
    let about = "A bicycle rolls at 4.6 m/s with nobody's hands on the handlebar and gets a push from the side. It \
                 leans, the fork steers into the lean, and that brings the wheels back below the rider: after some \
                 seconds it rides straight again, only in another direction. Nothing but mechanics does this; no \
                 energy is lost. Below 4.29 m/s the same weaving grows until it falls, as at 3.4 m/s in the plots, and \
                 above 6.02 m/s it falls over slowly, without weaving: there eigenvalues of the linearized motion have \
                 positive real parts.";
    let wheels = |s: &Sample| {
        [
            (system.rear_wheel(&s.q), system.rr),
            (system.front_wheel(&s.q), system.rf),
        ]
    };
    let [rear, front] = [0, 1].map(|i| {
        move |s: &Sample| {
            let (pose, radius) = wheels(s)[i];
            rim(&pose, radius, &s.q)
        }
    });
    let spokes = |s: &Sample| -> Vec<[f64; 3]> {
        wheels(s)
            .map(|(pose, radius)| spokes(&pose, radius, &s.q))
            .concat()
    };
    let frame = |s: &Sample| {
        let pose = system.chassis(&s.q);
        let corners = [
            [0.0; 3],
            [0.28, 0.0, -0.55],
            [0.84, 0.0, -0.5],
            [0.45, 0.0, 0.05],
            [0.0; 3],
        ];
        corners.map(|point| seen(&pose, point, &s.q))
    };
    let fork = |s: &Sample| {
        let pose = system.fork(&s.q);
        let along = [[-0.08, 0.0, -0.35], [-0.22, 0.0, -0.7], [-0.325, 0.0, -1.0]];
        along.map(|point| seen(&pose, point, &s.q))
    };
    let handlebar = |s: &Sample| {
        let pose = system.fork(&s.q);
        let grips = [
            [-0.45, -0.3, -1.0],
            [-0.325, -0.25, -1.0],
            [-0.325, 0.25, -1.0],
            [-0.45, 0.3, -1.0],
        ];
        grips.map(|point| seen(&pose, point, &s.q))
    };
    let rider = |s: &Sample| {
        let pose = system.chassis(&s.q);
        let body = [
            [0.45, 0.0, 0.05],
            [0.55, 0.0, -0.4],
            [0.22, 0.0, -0.62],
            [0.38, 0.0, -1.15],
        ];
        body.map(|point| seen(&pose, point, &s.q))
    };
    let arms = |s: &Sample| {
        let shoulders = seen(&system.chassis(&s.q), [0.4, 0.0, -1.08], &s.q);
        let [left, .., right] = handlebar(s);
        [left, shoulders, right]
    };
    let head = |s: &Sample| seen(&system.chassis(&s.q), [0.42, 0.0, -1.3], &s.q);

    let scene = Space::new("A bicycle rolls, leans after a push, and rights itself")
        .line("floor", Ink::Rule, stable.iter().map(ground))
        .rod("arms", Ink::Orange, 0.03, stable.iter().map(arms))
        .rod("rider", Ink::Orange, 0.055, stable.iter().map(rider))
        .circle("head", Ink::Orange, 0.11, stable.iter().map(head))
        .rod("frame", Ink::Body, 0.02, stable.iter().map(frame))
        .rod("fork", Ink::Violet, 0.02, stable.iter().map(fork))
        .rod(
            "handlebar",
            Ink::Violet,
            0.015,
            stable.iter().map(handlebar),
        )
        .line("spokes", Ink::Ground, stable.iter().map(spokes))
        .rod("rear wheel", Ink::Blue, TYRE, stable.iter().map(rear))
        .rod("front wheel", Ink::Blue, TYRE, stable.iter().map(front));

    let pair = |title: &str, value: fn(&Sample) -> f64| {
        // After a fall there are no more values.
        let slow = slow.iter().map(value).chain(std::iter::repeat(f64::NAN));
        Plot::new(title, "rad")
            .line(
                &format!("{STABLE} m/s"),
                Ink::Blue,
                stable.iter().map(value),
            )
            .line(
                &format!("{TOO_SLOW} m/s"),
                Ink::Orange,
                slow.take(stable.len()),
            )
            .ends("it has fallen")
    };
    let speeds: Vec<f64> = (0..=200).map(|i| f64::from(i) / 20.0).collect();
    let mut parts: [Vec<f64>; 3] = Default::default();
    for &speed in &speeds {
        let values = eigenvalues(lean_and_steer(system, speed)?)?;
        // The fork settles so fast that the others would be flat beside it.
        for (part, value) in parts.iter_mut().zip(values.into_iter().skip(1)) {
            part.push(value.re);
        }
    }
    let [third, second, first] = parts;
    let growth = Plot::new("Real parts of the eigenvalues", "1/s")
        .over("m/s", speeds)
        .line("largest", Ink::Orange, first)
        .line("second", Ink::Blue, second)
        .line("third", Ink::Green, third);
    let energy = stable.iter().map(|s| s.error.abs());
    let speed = stable.iter().map(|s| s.speed);

    Ok(Page::new("Bicycle")
        .about(about)
        .times(stable.iter().map(|s| s.t))
        .event(0.0, "pushed")
        .scene(scene)
        .plot(pair("Lean", |s| s.q[LEAN]))
        .plot(pair("Steer", |s| s.q[STEER]))
        .plot(growth)
        .plot(Plot::new("Speed", "m/s").line("rear wheel", Ink::Blue, speed))
        .plot(
            Plot::new("Energy error", "J")
                .log()
                .line("error", Ink::Body, energy),
        ))
}
