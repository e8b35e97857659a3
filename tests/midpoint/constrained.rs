//! Constraints: holonomic ones as in RATTLE, nonholonomic ones in the middle.

use lagrangian::nalgebra::{SVector, UnitQuaternion, Vector2, vector};
use lagrangian::{lagrangian, midpoint_step, midpoint_step_derivatives};

use super::{Energies, NONE, assert_second_order, walk};

lagrangian! {
    /// A pendulum in the plane, of length 1.
    pub(super) struct Bob { x, y: coordinate }
    T = (der(x)^2 + der(y)^2) / 2;
    V = 9.81 * y;
    holonomic rod: x^2 + y^2 = 1;
}

lagrangian! {
    /// A pendulum of any mass and length.
    struct Rod { x, y: coordinate, m, l, g: parameter }
    T = m * der([x, y])^2 / 2;
    V = m * g * y;
    holonomic rod: x^2 + y^2 = l^2;
}

lagrangian! {
    /// The same with a direction of the path that has no inertia, in a unit of its own.
    struct Massless { x, y, z: coordinate, m, l, unit, g: parameter }
    T = m * der([x, y])^2 / 2;
    V = m * g * (y + z * l / unit);
    holonomic rod: x^2 + y^2 = l^2;
    holonomic follower: z / unit = x / l;
}

lagrangian! {
    /// The same with the rod written twice, in different units.
    #[lagrangian(redundant)]
    #[allow(deprecated)]
    pub(super) struct Twice { x, y: coordinate }
    T = (der(x)^2 + der(y)^2) / 2;
    V = 9.81 * y;
    holonomic rod: x^2 + y^2 = 1;
    holonomic again: 2 * x^2 + 2 * y^2 = 2;
}

lagrangian! {
    struct Angle { a: coordinate }
    T = der(a)^2 / 2;
    V = -9.81 * cos(a);
}

lagrangian! {
    /// A bead on a moving parabola whose height has no inertia: M is singular.
    struct Bead { t: time, x, y: coordinate }
    T = der(x)^2 / 2;
    V = 9.81 * y;
    holonomic wire: y = (x - 0.3 * sin(2 * t))^2;
}

lagrangian! {
    /// A blade that does not slip, with its centre of mass ahead.
    struct Sleigh { x, y, a: coordinate }
    let com = [x + 0.4 * cos(a), y + 0.4 * sin(a)];
    T = der(com)^2 / 2 + 0.1 * der(a)^2;
    nonholonomic blade: der(y) * cos(a) = der(x) * sin(a);
}

lagrangian! {
    /// A coin that rolls on a table, its axis along the z of its frame.
    struct Coin { place: coordinate[3], att: rotation, r: parameter = 0.5 }
    pub frame B = world.translate(place).rotate(att);
    body { frame: B, mass: 2, inertia: diag(0.125, 0.125, 0.25) }
    gravity [0, 0, -9.81];
    // From the centre to the lowest point: r times the part of -z in the plane of the coin.
    let axis = B.vector([0, 0, 1]);
    let down = (axis * axis.z - [0, 0, 1]) * (r / sqrt(1 - axis.z^2));
    pub let height = place[2] + down.z;
    #[allow(deprecated)] // the third row is integrable
    nonholonomic roll: der(place) + cross(B.angular_velocity(), down) = [0, 0, 0];
}

lagrangian! {
    /// A plane oscillator whose direction of motion is prescribed. The constraint does no work.
    ///
    /// With e = 0 it is reversible, otherwise not: no time t₀ has f(t₀ - t) = f(t₀ + t).
    struct Guided { t: time, x, y: coordinate, e: parameter }
    T = (der(x)^2 + der(y)^2) / 2;
    V = (x^2 + y^2) / 2;
    nonholonomic guide: der(y) = (sin(t / 2) + e * sin(t + 1)) * der(x);
}

#[test]
fn a_pendulum_stays_on_its_circle() {
    let bob: Bob = Bob::default();
    let (q, v) = (vector![0.8, -0.6], vector![0.3, 0.4]);
    let mut before: Option<(Vector2<f64>, Vector2<f64>)> = None;
    let mut energies = Energies::from(bob.energy(&q, &v));
    let mut last = q;
    walk(&bob, (q, v), &NONE, (0.02, 10_000), |_, step| {
        assert!((step.q.norm_squared() - 1.0).abs() < 2e-15);
        assert!(step.q.dot(&step.p).abs() < 1e-14);
        energies.add(bob.energy(&step.q, &step.p));
        // The discrete Euler-Lagrange equations along the circle (E. Johnson and T. Murphey, "Scalable variational
        // integrators for constrained mechanical systems in generalized coordinates", IEEE Trans. Robot. 25, 2009):
        // momenta of neighbouring steps differ by the impulse of the weight and a reaction along q.
        let rate = (step.q - last) / 0.02;
        if let Some((q, previous)) = before {
            let change = rate - previous + vector![0.0, 9.81 * 0.02];
            assert!(change.perp(&q).abs() < 1e-12);
        }
        (before, last) = (Some((step.q, rate)), step.q);
    });
    assert!(energies.most() < 0.02 && energies.drift().abs() < 0.02 * energies.most());
}

#[test]
fn constraints_keep_the_order_and_give_the_tension() {
    let (bob, angle): (Bob, Angle) = (Bob::default(), Angle::default());
    let mut exact = (vector![0.9], vector![0.5]);
    for _ in 0..4000 {
        exact = lagrangian::rk4_step(&angle, 0.0, &exact.0, &exact.1, &NONE, 5e-4).unwrap();
    }
    let (a, w) = (exact.0[0], exact.1[0]);
    let q = vector![a.sin(), -a.cos()];
    let p = vector![a.cos(), a.sin()] * w;
    let begin = (
        vector![0.9_f64.sin(), -0.9_f64.cos()],
        vector![0.9_f64.cos(), 0.9_f64.sin()] * 0.5,
    );
    assert_second_order([100, 200, 400].map(|steps: u32| {
        let (at, momenta) = walk(
            &bob,
            begin,
            &NONE,
            (2.0 / f64::from(steps), steps),
            |_, _| {},
        );
        (at - q).norm().max((momenta - p).norm())
    }));
    let step = midpoint_step(&bob, 0.0, &q, &p, &NONE, 1e-4).unwrap();
    let tension = bob.solve(&q, &p).unwrap().multipliers[0];
    assert!((step.multipliers[0] - tension).abs() < 1e-3 * tension.abs());
}

#[test]
fn momenta_off_the_constraints_are_moved_onto_them() {
    let bob: Bob = Bob::default();
    let (q, p) = (vector![0.8, -0.6], vector![0.3, 0.4]);
    let step = midpoint_step(&bob, 0.0, &q, &p, &NONE, 0.05).unwrap();
    let off = midpoint_step(&bob, 0.0, &q, &(p + q * 3.0), &NONE, 0.05).unwrap();
    assert!((step.q - off.q).norm() < 1e-15 && (step.p - off.p).norm() < 1e-14);
    let back = midpoint_step(&bob, 0.0, &step.q, &step.p, &NONE, -0.05).unwrap();
    assert!((back.q - q).norm() < 1e-15 && (back.p - p).norm() < 1e-14);
}

#[test]
fn rows_that_depend_on_each_other() {
    let (bob, twice): (Bob, Twice) = (Bob::default(), Twice::default());
    let (q, p) = (vector![0.8, -0.6], vector![0.3, 0.4]);
    let one = midpoint_step(&bob, 0.0, &q, &p, &NONE, 0.05).unwrap();
    let two = midpoint_step(&twice, 0.0, &q, &p, &NONE, 0.05).unwrap();
    assert!((one.q - two.q).norm() < 1e-15 && (one.p - two.p).norm() < 1e-14);
    // The least multipliers with the same reaction.
    let least = vector![1.0, 2.0] * (one.multipliers[0] / 5.0);
    assert!(
        (two.multipliers - least).norm() < 1e-12,
        "{:?}",
        two.multipliers
    );
}

#[test]
fn singular_mass_matrices_and_moving_constraints() {
    let bead: Bead = Bead::default();
    let (q, v) = bead
        .project(0.0, &vector![0.5, 0.2], &vector![0.1, 0.0])
        .unwrap();
    let mut exact = (q, v);
    for step in 0..4000 {
        let t = f64::from(step) * 5e-4;
        exact = lagrangian::rk4_step(&bead, t, &exact.0, &exact.1, &NONE, 5e-4).unwrap();
    }
    assert_second_order([100, 200, 400].map(|steps: u32| {
        let h = 2.0 / f64::from(steps);
        let start = (q, bead.momenta(0.0, &q, &v));
        let (at, p) = walk(&bead, start, &NONE, (h, steps), |t, step| {
            assert!(bead.constraint_residual(t, &step.q)[0].abs() < 1e-15);
            assert!(step.p[1] == 0.0 || step.p[1].abs() < 1e-14);
        });
        (at.x - exact.0.x).abs().max((p.x - exact.1.x).abs())
    }));
}

#[test]
fn a_blade_does_not_slip() {
    let sleigh: Sleigh = Sleigh::default();
    let (q, v) = (
        vector![0.0, 0.0, 0.3],
        vector![0.3_f64.cos(), 0.3_f64.sin(), 0.7],
    );
    let start = (q, sleigh.momenta(&q, &v));
    let (h, mut last) = (0.02, q);
    let first = sleigh.energy(&q, &v);
    walk(&sleigh, start, &NONE, (h, 1000), |_, step| {
        let (middle, rate) = ((last + step.q) * 0.5, (step.q - last) / h);
        assert!(sleigh.constraint_velocity(&middle, &rate)[0].abs() < 1e-13);
        let v = sleigh.velocity(&step.q, &step.p).unwrap();
        assert!(sleigh.constraint_velocity(&step.q, &v)[0].abs() < 1e-14);
        assert!((sleigh.energy(&step.q, &v) - first).abs() < 1e-3);
        last = step.q;
    });
    let there = midpoint_step(&sleigh, 0.0, &start.0, &start.1, &NONE, 0.1).unwrap();
    let back = midpoint_step(&sleigh, 0.0, &there.q, &there.p, &NONE, -0.1).unwrap();
    assert!((back.q - start.0).norm() < 1e-14 && (back.p - start.1).norm() < 1e-14);
}

#[test]
fn nonholonomic_steps_are_of_second_order() {
    let sleigh: Sleigh = Sleigh::default();
    let (q, v) = (
        vector![0.0, 0.0, 0.3],
        vector![0.3_f64.cos(), 0.3_f64.sin(), 0.7],
    );
    let mut exact = (q, v);
    for _ in 0..4000 {
        exact = lagrangian::rk4_step(&sleigh, 0.0, &exact.0, &exact.1, &NONE, 5e-4).unwrap();
    }
    assert_second_order([50, 100, 200].map(|steps: u32| {
        let start = (q, sleigh.momenta(&q, &v));
        let (at, _) = walk(
            &sleigh,
            start,
            &NONE,
            (2.0 / f64::from(steps), steps),
            |_, _| {},
        );
        (at - exact.0).norm()
    }));
}

#[test]
fn a_coin_rolls() {
    let coin: Coin = Coin::default();
    let tilt = UnitQuaternion::from_euler_angles(1.4, 0.0, 0.0);
    let spin = vector![0.1, 0.4, 9.0];
    let mut q = coin.neutral();
    q.fixed_rows_mut::<4>(3)
        .copy_from_slice(&lagrangian::quaternion_entries(&tilt));
    q[2] -= coin.height(&q);
    let mut v = SVector::<f64, 6>::zeros();
    v.fixed_rows_mut::<3>(3).copy_from(&spin);
    let (_, v) = coin.project(&q, &v).unwrap();
    let energy = coin.energy(&q, &v);
    let mut exact = (q, v);
    for _ in 0..4000 {
        exact = lagrangian::rk4_step(&coin, 0.0, &exact.0, &exact.1, &NONE, 2.5e-4).unwrap();
    }
    let start = (q, coin.momenta(&q, &v));
    assert_second_order([50, 100, 200].map(|steps: u32| {
        let h = 1.0 / f64::from(steps);
        let mut last = q;
        let (at, _) = walk(&coin, start, &NONE, (h, steps), |_, step| {
            let d = coin.difference(&last, &step.q);
            let middle = coin.integrate(&last, &(d * 0.5));
            assert!(coin.constraint_velocity(&middle, &(d / h)).amax() < 1e-12);
            let v = coin.velocity(&step.q, &step.p).unwrap();
            assert!(coin.constraint_velocity(&step.q, &v).amax() < 1e-13);
            assert!((coin.energy(&step.q, &v) / energy - 1.0).abs() < 1e-2);
            last = step.q;
        });
        coin.difference(&exact.0, &at).norm()
    }));
    let there = midpoint_step(&coin, 0.0, &start.0, &start.1, &NONE, 0.1).unwrap();
    let back = midpoint_step(&coin, 0.0, &there.q, &there.p, &NONE, -0.1).unwrap();
    assert!((back.q - start.0).norm() < 1e-13 && (back.p - start.1).norm() < 1e-13);
}

/// The energy of a guided oscillator stays near its start if the system is reversible; it is not promised otherwise.
#[test]
fn irreversible_systems_may_gain_energy() {
    let most = |e: f64| {
        let guided = Guided { e };
        let state = (vector![1.0, 0.2], vector![0.3, 0.1]);
        let (q, v) = guided.project(0.0, &state.0, &state.1).unwrap();
        let start = guided.energy(0.0, &q, &v);
        let mut energies = Energies::from(start);
        // Twenty steps in each period of the guide.
        let h = std::f64::consts::TAU / 10.0;
        walk(&guided, (q, v), &NONE, (h, 15_000), |t, step| {
            energies.add(guided.energy(t, &step.q, &step.p));
        });
        energies.most() / start
    };
    let (reversible, irreversible) = (most(0.0), most(1.0));
    assert!(
        reversible < 0.05 && irreversible > 1.0,
        "{reversible} {irreversible}"
    );
}

/// The scaled result and the scaled derivatives are those of 1 kg and 1 m.
#[test]
fn units_of_constrained_systems_do_not_matter() {
    let powers = [-30, -20, -16, -12, 0, 7, 16, 30].map(|power| 10.0_f64.powi(power));
    let step = |m: f64, l: f64| {
        let rod = Rod { m, l, g: 9.81 * l };
        let (q, p) = (vector![0.6 * l, -0.8 * l], vector![0.0, 0.0]);
        let (step, d) = midpoint_step_derivatives(&rod, 0.0, &q, &p, &NONE, 0.01).unwrap();
        let plain = midpoint_step(&rod, 0.0, &q, &p, &NONE, 0.01).unwrap();
        assert_eq!(plain, step, "{m} {l}");
        let [by_q, by_p] = [d.p.q / m, d.q.p * m];
        let derivatives = [d.q.q, by_p, by_q, d.p.p];
        (
            step.q / l,
            step.p / m / l,
            step.multipliers * (l / m / l),
            derivatives,
        )
    };
    let follow = |m: f64, l: f64, unit: f64| {
        let g = 9.81 * l;
        let rods = Massless { m, l, unit, g };
        let q = vector![0.6 * l, -0.8 * l, 0.6 * unit];
        let step = midpoint_step(&rods, 0.0, &q, &SVector::zeros(), &NONE, 0.01).unwrap();
        vector![step.q[0] / l, step.q[1] / l, step.q[2] / unit]
    };
    let (right, followed) = (step(1.0, 1.0), follow(1.0, 1.0, 1.0));
    assert!((right.0[0] - 0.5997645340162524).abs() < 1e-15);
    for m in powers {
        for l in powers {
            let found = step(m, l);
            assert!((found.0 - right.0).norm() < 1e-14, "{m} {l} {found:?}");
            assert!((found.1 - right.1).norm() < 1e-13, "{m} {l} {found:?}");
            assert!((found.2 - right.2).norm() < 1e-11, "{m} {l} {found:?}");
            for (found, right) in found.3.iter().zip(&right.3) {
                assert!(
                    (found - right).norm() < 1e-11 * right.norm(),
                    "{m} {l} {found}"
                );
            }
            for unit in [1e-30, 1.0, 1e30] {
                let found = follow(m, l, unit);
                assert!((found - followed).norm() < 1e-14, "{m} {l} {unit} {found}");
            }
        }
    }
}
