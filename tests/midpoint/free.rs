//! Systems without constraints: order, energy, momenta, reversibility, forces, time, scalars, and errors.

use lagrangian::nalgebra::{SVector, Vector2, vector};
use lagrangian::{Error, Step, lagrangian, midpoint_step, rk4_step};

use super::{Energies, NONE, assert_second_order, walk};

lagrangian! {
    struct Double { a, b: coordinate }
    let r = [sin(a), -cos(a)];
    let s = r + [sin(a + b), -cos(a + b)];
    T = (der(r)^2 + der(s)^2) / 2;
    V = 9.81 * (r.y + s.y);
}

lagrangian! {
    /// A damped pendulum with a shaken pivot and a torque.
    struct Shaken { t: time, a: coordinate, u: input, c: parameter }
    let r = [sin(a), 0.1 * sin(3 * t) - cos(a)];
    T = der(r)^2 / 2;
    V = 9.81 * r.y;
    D = c * der(a)^2 / 2;
    Q.a = u;
}

lagrangian! {
    struct Spring { x: coordinate, m, k: parameter }
    T = m * der(x)^2 / 2;
    V = k * x^2 / 2;
}

lagrangian! {
    struct Orbit { x, y: coordinate }
    T = (der(x)^2 + der(y)^2) / 2;
    V = -1 / hypot(x, y);
}

lagrangian! {
    /// No step of half a minute exists: m d = h p + h²/2 exp(x + d/2) has no root.
    struct Cliff { x: coordinate }
    T = der(x)^2 / 2;
    V = -exp(x);
}

lagrangian! {
    /// A relativistic particle: L is not quadratic in v.
    struct Fast { x: coordinate, f: parameter }
    L = -sqrt(1 - der(x)^2) + f * x;
}

lagrangian! {
    /// Springs with offsets that cancel at rest.
    struct Hanging { x: coordinate, c: parameter }
    T = der(x)^2 / 2;
    V = 40 * hypot(3, x + 4) - 32 * x;
    D = c * der(x)^2 / 2;
}

fn energies_of_double(steps: u32) -> Energies {
    let double: Double = Double::default();
    let (q, v) = (vector![0.5, 0.3], vector![0.0, 0.0]);
    let mut energies = Energies::from(double.energy(&q, &v));
    walk(
        &double,
        (q, double.momenta(&q, &v)),
        &NONE,
        (0.02, steps),
        |_, step| {
            energies.add(double.energy(&step.q, &double.velocity(&step.q, &step.p).unwrap()));
        },
    );
    energies
}

#[test]
fn the_energy_of_a_double_pendulum_has_no_drift() {
    let energies = energies_of_double(10_000);
    assert!(energies.most() < 0.02, "{}", energies.most());
    assert!(
        energies.drift().abs() < 0.02 * energies.most(),
        "{}",
        energies.drift()
    );
}

/// `.ci/long` runs it.
#[test]
#[ignore = "a million steps"]
fn the_energy_of_a_double_pendulum_has_no_drift_for_long() {
    let (short, long) = (energies_of_double(10_000), energies_of_double(1_000_000));
    assert!(
        long.most() < 1.2 * short.most(),
        "{} {}",
        long.most(),
        short.most()
    );
    assert!(long.drift().abs() < 0.01 * long.most(), "{}", long.drift());
}

/// The rule on a linear oscillator is the trapezoidal rule: it keeps the energy, and turns by 2 atan(h w / 2).
#[test]
fn an_oscillator_turns_by_the_angle_of_the_rule() {
    let spring = Spring { m: 2.0, k: 18.0 };
    let Step { q, p, .. } =
        midpoint_step(&spring, 0.0, &vector![1.0], &vector![0.0], &NONE, 0.1).unwrap();
    let angle = 2.0 * (0.15_f64).atan();
    assert!((q[0] - angle.cos()).abs() < 1e-15 && (p[0] + 6.0 * angle.sin()).abs() < 1e-14);
}

#[test]
fn angular_momentum_is_kept() {
    let orbit: Orbit = Orbit::default();
    let start: (Vector2<f64>, Vector2<f64>) = (vector![1.0, 0.2], vector![0.1, 1.1]);
    let momentum = |q: &Vector2<f64>, p: &Vector2<f64>| q.perp(p);
    let first = momentum(&start.0, &start.1);
    walk(&orbit, start, &NONE, (0.02, 3000), |_, step| {
        assert!((momentum(&step.q, &step.p) - first).abs() < 1e-13);
    });
}

#[test]
fn time_forces_and_inputs() {
    let shaken = Shaken { c: 0.3 };
    let (q, v, u) = (vector![0.4], vector![-0.2], vector![0.7]);
    let mut exact = (q, v);
    for step in 0..4000 {
        let t = 5e-4 * f64::from(step);
        exact = rk4_step(&shaken, t, &exact.0, &exact.1, &u, 5e-4).unwrap();
    }
    let exact = (exact.0, shaken.momenta(2.0, &exact.0, &exact.1));
    assert_second_order([50, 100, 200].map(|steps: u32| {
        let start = (q, shaken.momenta(0.0, &q, &v));
        let (q, p) = walk(
            &shaken,
            start,
            &u,
            (2.0 / f64::from(steps), steps),
            |_, _| {},
        );
        (q - exact.0).norm().max((p - exact.1).norm())
    }));
}

#[test]
fn a_step_leads_back() {
    let shaken = Shaken { c: 0.3 };
    let (q, p, u) = (vector![0.4], vector![-0.2], vector![0.7]);
    let there = midpoint_step(&shaken, 1.0, &q, &p, &u, 0.25).unwrap();
    let back = midpoint_step(&shaken, 1.25, &there.q, &there.p, &u, -0.25).unwrap();
    assert!((back.q - q).norm() < 1e-15 && (back.p - p).norm() < 2e-15);
}

#[test]
fn other_lagrangians() {
    // x = sqrt(1 + (f t)²)/f of a constant force, from rest.
    let fast = Fast { f: 2.0 };
    assert_second_order([20, 40, 80].map(|steps: u32| {
        let start = (vector![0.5], vector![0.0]);
        let (q, p) = walk(
            &fast,
            start,
            &NONE,
            (2.0 / f64::from(steps), steps),
            |_, _| {},
        );
        assert!((p[0] - 4.0).abs() < 1e-13);
        (q[0] - 17_f64.sqrt() / 2.0).abs()
    }));
}

/// Motions of the size of rounding errors of the forces are steps too.
#[test]
fn a_motion_may_come_to_rest() {
    let hanging = Hanging { c: 3.0 };
    for h in [0.05, 1e-4] {
        let start = (vector![0.1], vector![0.0]);
        let (q, p) = walk(&hanging, start, &NONE, (h, 8000), |_, _| {});
        assert!(
            h < 0.05 || (q[0].abs() < 1e-15 && p[0].abs() < 1e-14),
            "{q} {p}"
        );
    }
}

#[test]
fn single_precision() {
    let spring = Spring {
        m: 2.0_f32,
        k: 18.0,
    };
    let (mut q, mut p) = (vector![1.0_f32], vector![0.0]);
    let none = SVector::<f32, 0>::zeros();
    for _ in 0..1000 {
        Step { q, p, .. } = midpoint_step(&spring, 0.0, &q, &p, &none, 0.1).unwrap();
    }
    let energy = spring.hamiltonian(&q, &p).unwrap();
    assert!((energy - 9.0).abs() < 1e-3, "{energy}");
}

#[test]
fn units_do_not_matter() {
    for unit in [1e-100, 1e-12, 1e12, 1e100] {
        let spring = Spring {
            m: 2.0 * unit,
            k: 18.0 * unit,
        };
        let step = midpoint_step(&spring, 0.0, &vector![1.0], &vector![0.0], &NONE, 0.1).unwrap();
        let angle = 2.0 * (0.15_f64).atan();
        assert!((step.q[0] - angle.cos()).abs() < 1e-15);
        assert!((step.p[0] / unit + 6.0 * angle.sin()).abs() < 1e-14);
    }
}

#[test]
fn steps_that_do_not_exist() {
    let cliff: Cliff = Cliff::default();
    let long = midpoint_step(&cliff, 0.0, &vector![0.0], &vector![0.0], &NONE, 30.0);
    assert!(matches!(long, Err(Error::NotConverged { .. })), "{long:?}");
    let spring = Spring { m: 2.0, k: 18.0 };
    let step =
        |q, p, h| midpoint_step(&spring, 0.0, &vector![q], &vector![p], &NONE, h).unwrap_err();
    assert_eq!(
        step(f64::NAN, f64::NAN, 0.1),
        Error::NotFinite { argument: "q" }
    );
    assert_eq!(
        step(1.0, f64::INFINITY, 0.1),
        Error::NotFinite { argument: "p" }
    );
    assert_eq!(step(1.0, 1.0, f64::NAN), Error::NotFinite { argument: "h" });
    assert_eq!(step(1.0, 1.0, 0.0), Error::NotFinite { argument: "h" });
    let nothing = Spring {
        m: 2.0,
        k: f64::NAN,
    };
    let failed = midpoint_step(&nothing, 0.0, &vector![1.0], &vector![0.0], &NONE, 0.1);
    assert_eq!(failed, Err(Error::NotFinite { argument: "self.k" }));
    let massless = Spring { m: 0.0, k: 0.0 };
    let failed = midpoint_step(&massless, 0.0, &vector![1.0], &vector![0.0], &NONE, 0.1);
    assert_eq!(failed, Err(Error::SingularMassMatrix));
}
