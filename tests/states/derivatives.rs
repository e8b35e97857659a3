//! Systems of every kind, with their derivatives beside dual numbers.

use lagrangian::nalgebra::{DMatrix, vector};
use lagrangian::{Stateful, lagrangian};
use num_dual::{Dual64, HyperDual64};

use crate::check::{At, Random, assert_close, check, dynamic};
use crate::values::{Drive, Maxwell, Motor, drive, maxwell, motor};

lagrangian! {
    /// Each place where a state can stand, a rotation, time, chains of rates and a loop.
    pub struct Everything {
        p: coordinate[2],
        att: rotation,
        z: state[3],
        heat: state,
        t: time,
        m: parameter = 1.3,
        k: parameter = 4,
        c: parameter = 0.6,
        u: input[2],
    }
    frame Body = world.rotate(att);
    body { frame: Body, mass: 2, at: [0.1, 0, 0.3], inertia: diag(0.2, 0.3, 0.4) }
    body { at: [p.x, p.y, 0], mass: m }
    der(heat) = c * der(p.x)^2 - heat * sin(t) + u[1];
    for i in 0..3 {
        der(z[i]) = p.x - z[i] * (1 + z[i]^2) + (i + 1) * u[0] + der(heat) / 5;
    }
    V = k * (1 + heat^2 / 4) * (p.x - z[0])^2 / 2;
    spring { k: k, rest: 0.3, from: [z[1], 0], to: [p.x, p.y] }
    damper { c: c * (2 + z[2]), from: z[1], to: p.y }
    D = c * (der(p.x) - der(z[2]))^2 / 2;
    force [z[0] * u[0], heat, 1] at Body.point([0, 0, 1]) on Body;
    torque [0, der(z[1]), z[2]] on Body;
    actuator motor { joint: p.y, gear: 3, rotor: 0.01, torque: z[2] + u[1], viscous: 0.1 * (1 + heat^2) }
    pub let power = z[0] * der(p.x) + u[0] * heat;
    pub let rate = der(z[0] * p.x);
    #[hessian]
    pub let cost = p.x^2 * z[0] + der(p.y) * heat + u[1]^2 * z[2] * p.y;
    pub let length = norm(p);
}

lagrangian! {
    /// A pendulum in Cartesian coordinates.
    pub struct Rod { p: coordinate[2], z: state[2], m, c: parameter, u: input }
    T = m * der(p)^2 / 2;
    V = m * 9.81 * p.y + z[0] * p.x;
    der(z[0]) = -z[0] + p.x * der(p.y);
    der(z[1]) = u - z[1] * p.y;
    D = c * der(p.x)^2 / 2;
    Q.p = [z[1], der(z[0])];
    holonomic rod: p^2 = 1;
}

lagrangian! {
    /// A block that rubs on a floor: the force of the bristle is proportional to the normal force.
    pub struct Rubbing { p: coordinate[2], bristle: state, m, s0, mu: parameter, u: input }
    T = m * der(p)^2 / 2;
    V = m * 9.81 * p.y;
    holonomic floor: p.y = p.x^2 / 10;
    der(bristle) = der(p.x) - s0 * abs(der(p.x)) / mu * bristle;
    Q.p.x = u - multiplier(floor) * s0 * bristle;
}

lagrangian! {
    /// The same rod twice.
    #[lagrangian(redundant)]
    #[allow(deprecated)] // rows that depend on each other
    pub struct Doubled { p: coordinate[2], z: state, m: parameter, u: input }
    T = m * der(p)^2 / 2;
    V = m * 9.81 * p.y;
    der(z) = u - z * der(p.x);
    Q.p.x = z;
    holonomic rod: p^2 = 1;
    holonomic again: 2 * p^2 = 2;
}

const STATES: u64 = 8;

macro_rules! linearized {
    ($found:expr) => {{
        let found = $found.expect("a regular system");
        [dynamic(&found.a), dynamic(&found.b)]
    }};
}

#[test]
fn of_systems_without_constraints() {
    for seed in 1..=STATES {
        let mut random = Random(seed * 77);
        let (q, v) = (random.vector(), random.vector());
        let at = At {
            t: 0.0,
            q,
            v,
            z: random.vector(),
            u: random.vector(),
        };
        let s = motor();
        let found = linearized!(s.linearize(&at.q, &at.v, &at.z, &at.u));
        check(&s, &s.cast::<Dual64>(), &at, found, seed);
        let at = At {
            t: 0.0,
            q,
            v,
            z: random.vector(),
            u: vector![],
        };
        let s = maxwell();
        let found = linearized!(s.linearize(&at.q, &at.v, &at.z));
        check(&s, &s.cast::<Dual64>(), &at, found, seed);
        let at = At {
            t: 0.0,
            q,
            v,
            z: random.vector(),
            u: random.vector(),
        };
        let s = drive();
        let found = linearized!(s.linearize(&at.q, &at.v, &at.z, &at.u));
        check(&s, &s.cast::<Dual64>(), &at, found, seed);
    }
}

fn everything(seed: u64) -> (Everything, At<6, 5, 4, 2>) {
    let mut random = Random(seed * 1234);
    let s: Everything = Everything::default();
    let q = s.integrate(&Stateful::neutral(&s), &random.vector());
    let (v, z, u) = (random.vector(), random.vector(), random.vector());
    (s, At { t: 0.4, q, v, z, u })
}

#[test]
fn of_a_system_with_everything() {
    for seed in 1..=STATES {
        let (s, at) = everything(seed);
        let found = linearized!(s.linearize(at.t, &at.q, &at.v, &at.z, &at.u));
        check(&s, &s.cast::<Dual64>(), &at, found.clone(), seed);
        let unchecked = s.linearize_unchecked(at.t, &at.q, &at.v, &at.z, &at.u);
        assert_close(&dynamic(&unchecked.a), &found[0], "unchecked");
        assert_close(&dynamic(&unchecked.b), &found[1], "unchecked");
    }
}

/// In axes that do not turn, A is S A S^-1 + S' S^-1 and B is S B with S = diag(1, 1, R, 1, 1, R, 1, ..).
#[test]
fn of_fixed_axes() {
    for seed in 1..=STATES {
        let (s, At { t, q, v, z, u }) = everything(seed);
        let turned = s.linearize(t, &q, &v, &z, &u).unwrap();
        let found = s.linearize_fixed_axes(t, &q, &v, &z, &u).unwrap();
        let attitude = [q[2], q[3], q[4], q[5]];
        let turn = lagrangian::quaternion(attitude).to_rotation_matrix();
        let mut scale = DMatrix::identity(14, 14);
        let mut rate = DMatrix::zeros(14, 14);
        let spin = (turn.matrix() * v.fixed_rows::<3>(2)).cross_matrix();
        for first in [2, 7] {
            scale
                .view_mut((first, first), (3, 3))
                .copy_from(turn.matrix());
            rate.view_mut((first, first), (3, 3)).copy_from(&spin);
        }
        let expected = &scale * dynamic(&turned.a) * scale.transpose() + rate;
        assert_close(&dynamic(&found.a), &expected, "A");
        assert_close(&dynamic(&found.b), &(&scale * dynamic(&turned.b)), "B");
    }
}

/// The equations of motion and the energy, beside the sums that the declaration states.
#[test]
fn of_energies() {
    for seed in 1..=STATES {
        let (s, At { t, q, v, z, u }) = everything(seed);
        let a = s.acceleration(t, &q, &v, &z, &u).unwrap();
        let forces = s.inverse_dynamics(t, &q, &v, &z, &a);
        let other = s.generalized_forces(t, &q, &v, &z, &u);
        assert!(
            (forces - other).amax() < 1e-12 * forces.amax(),
            "{forces}{other}"
        );
        let energy = s.kinetic_energy(t, &q, &v) + s.potential_energy(t, &q, &z);
        assert!((s.energy(t, &q, &v, &z) - energy).abs() < 1e-13 * energy.abs().max(1.0));
        let gradient = s.potential_gradient(t, &q, &z);
        let bias = s.bias(t, &q, &(v * 0.0), &z);
        assert!((gradient - bias).amax() < 1e-12 * bias.amax().max(1.0));
    }
}

/// The damper holds the rate of the state: Q.y gets -c (2 + z) (y' - z').
#[test]
fn of_held_rates() {
    let (s, At { t, q, v, z, u }) = everything(3);
    let rates = s.state_rates(t, &q, &v, &z, &u);
    let forces = s.generalized_forces(t, &q, &v, &z, &u);
    let x = -s.c * (v[0] - rates[2]);
    let y = -s.c * (2.0 + z[2]) * (v[1] - rates[1]) + 3.0 * (z[2] + u[1])
        - 0.1 * (1.0 + z[3] * z[3]) * v[1];
    assert!((forces[0] - x).abs() < 1e-13, "{} {x}", forces[0]);
    assert!((forces[1] - y).abs() < 1e-13, "{} {y}", forces[1]);
}

#[test]
fn of_outputs() {
    for seed in 1..=STATES {
        let (s, At { t, q, v, z, u }) = everything(seed);
        let dual = s.cast::<HyperDual64>();
        let lift = |x: f64| HyperDual64::from_re(x);
        let (n, states, k) = (5, 4, 2);
        let size = 2 * n + states + k;
        let at = |i: usize, j: usize| {
            let mut change = vec![lift(0.0); size];
            change[i].eps1 = 1.0;
            change[j].eps2 = 1.0;
            let mut change = change.into_iter();
            let d = lagrangian::nalgebra::SVector::<HyperDual64, 5>::from_fn(|_, _| {
                change.next().unwrap()
            });
            let q = dual.integrate(&q.map(lift), &d);
            let v = v.map(|x| lift(x) + change.next().unwrap());
            let z = z.map(|x| lift(x) + change.next().unwrap());
            let u = u.map(|x| lift(x) + change.next().unwrap());
            (q, v, z, u)
        };
        let cost = |i: usize, j: usize| {
            let (q, v, z, u) = at(i, j);
            dual.cost(lift(t), &q, &v, &z, &u)
        };
        // By the displacement of q a Hessian is symmetric, and the value of `cost` does not depend on the attitude.
        let hessian = DMatrix::from_fn(size, size, |i, j| cost(i, j).eps1eps2);
        let found = s.cost_hessian(t, &q, &v, &z, &u);
        assert_close(&dynamic(&found), &hessian, "the Hessian");
        let gradient = DMatrix::from_fn(1, size, |_, j| cost(j, j).eps1);
        let found = s.cost_derivatives(t, &q, &v, &z, &u);
        let all = found
            .q
            .iter()
            .chain(&found.v)
            .chain(&found.z)
            .chain(&found.u);
        assert_close(
            &DMatrix::from_iterator(1, size, all.copied()),
            &gradient,
            "the gradient",
        );
        let rate = DMatrix::from_fn(1, size, |_, j| {
            let (q, v, z, u) = at(j, j);
            dual.rate(lift(t), &q, &v, &z, &u).eps1
        });
        let found = s.rate_derivatives(t, &q, &v, &z, &u);
        let all = found
            .q
            .iter()
            .chain(&found.v)
            .chain(&found.z)
            .chain(&found.u);
        assert_close(
            &DMatrix::from_iterator(1, size, all.copied()),
            &rate,
            "an output with a rate",
        );
    }
}

#[test]
fn of_constrained_systems() {
    for seed in 1..=STATES {
        let mut random = Random(seed * 4321);
        let s: Rod = Rod { m: 0.8, c: 0.3 };
        let (q, v) = s.project(&random.vector(), &random.vector()).unwrap();
        let at = At {
            t: 0.0,
            q,
            v,
            z: random.vector(),
            u: random.vector(),
        };
        let found = linearized!(s.linearize(&at.q, &at.v, &at.z, &at.u));
        check(&s, &s.cast::<Dual64>(), &at, found, seed);
    }
}

#[test]
fn of_systems_with_forces_by_multipliers() {
    for seed in 1..=STATES {
        let mut random = Random(seed * 987);
        let s: Rubbing = Rubbing {
            m: 0.8,
            s0: 20.0,
            mu: 0.3,
        };
        let (q, v) = s.project(&random.vector(), &random.vector()).unwrap();
        let at = At {
            t: 0.0,
            q,
            v,
            z: random.vector() * 0.01,
            u: random.vector(),
        };
        let found = linearized!(s.linearize(&at.q, &at.v, &at.z, &at.u));
        check(&s, &s.cast::<Dual64>(), &at, found, seed);
    }
}

/// The multipliers of dependent rows are those of least norm, which dual numbers do not differentiate.
#[test]
fn of_redundant_systems() {
    for seed in 1..=STATES {
        let mut random = Random(seed * 555);
        let s: Doubled = Doubled { m: 0.8 };
        let (q, v) = s.project(&random.vector(), &random.vector()).unwrap();
        let (z, u) = (random.vector(), random.vector());
        let found = s.linearize(&q, &v, &z, &u).unwrap();
        let twin: Single = Single { m: 0.8 };
        let expected = twin.linearize(&q, &v, &z, &u).unwrap();
        assert_close(&dynamic(&found.a), &dynamic(&expected.a), "A");
        assert_close(&dynamic(&found.b), &dynamic(&expected.b), "B");
    }
}

lagrangian! {
    /// `Doubled` with one row.
    pub struct Single { p: coordinate[2], z: state, m: parameter, u: input }
    T = m * der(p)^2 / 2;
    V = m * 9.81 * p.y;
    der(z) = u - z * der(p.x);
    Q.p.x = z;
    holonomic rod: p^2 = 1;
}

/// A pendulum at rest by its angle has the linearization that the rod has on its independent displacements.
#[test]
fn of_independent_displacements() {
    let s: Single = Single { m: 0.8 };
    let angle = 0.4_f64;
    let (q, v) = (vector![angle.sin(), -angle.cos()], vector![0.0, 0.0]);
    let (z, u) = (vector![0.6], vector![-0.2]);
    let found = s.linearize_reduced(&q, &v, &z, &u).unwrap();
    let pendulum: Pendulum = Pendulum { m: 0.8 };
    let expected = pendulum
        .linearize(&vector![angle], &vector![0.0], &z, &u)
        .unwrap();
    // The basis is the direction of the angle or the opposite one.
    let sign = found.basis[(0, 0)].signum();
    let scale = DMatrix::from_diagonal(&lagrangian::nalgebra::dvector![sign, sign, 1.0]);
    assert_close(
        &(&scale * dynamic(&found.a) * &scale),
        &dynamic(&expected.a),
        "A",
    );
    assert_close(&(&scale * dynamic(&found.b)), &dynamic(&expected.b), "B");
}

lagrangian! {
    pub struct Pendulum { angle: coordinate, z: state, m: parameter, u: input }
    let p = [sin(angle), -cos(angle)];
    T = m * der(p)^2 / 2;
    V = m * 9.81 * p.y;
    der(z) = u - z * der(p.x);
    force [z, 0] at p;
}

/// The types are used by name in other modules.
#[test]
fn of_types() {
    let _: [fn() -> usize; 3] = [
        || Motor::<f64>::new(1.0, 1.0, 1.0, 1.0, 1.0).j as usize,
        || Maxwell::<f64>::new(1.0, 1.0, 1.0, 1.0).m as usize,
        || std::mem::size_of::<Drive>(),
    ];
}
