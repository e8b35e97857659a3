//! Linkages with their joints as constraints.

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Error, lagrangian};

use crate::harness::reference_test;
use crate::held::{
    assert_held, assert_lands, assert_workless, drifting, held, projected, violation,
};
use crate::pendulums::DoublePendulum;
use crate::support::{State, assert_close, slope};

lagrangian! {
    /// A uniform stick, free in the plane but for a pin at its upper end.
    struct PinnedStick {
        x, y, theta: coordinate,
        m, l, g: parameter,
    }

    T = m * der([x, y])^2 / 2 + m * l^2 * der(theta)^2 / 24;
    V = m * g * y;
    holonomic pin: [x - l / 2 * sin(theta), y + l / 2 * cos(theta)] = [0, 0];
}

reference_test! {
    pinned_stick: PinnedStick { m, l, g },
    Natural (q, v),
    outputs [],
    constraints ["pin[0]", "pin[1]"], holonomic 2,
    coordinates ["x", "y", "theta"], cyclic [true, false, true], conserved [false; 3],
    conserves_energy true, constant_mass_matrix true,
}

fn stick_at(theta: f64, rate: f64) -> State<3> {
    let (s, c) = theta.sin_cos();
    State::new(
        [0.6 * s, -0.6 * c, theta],
        [0.6 * c * rate, 0.6 * s * rate, rate],
    )
}

/// theta'' = -3 g / (2 l) sin(theta); the pin bears the rest of the weight and the centripetal force.
#[test]
fn pinned_stick_at_a_state() {
    let stick = PinnedStick {
        m: 0.7,
        l: 1.2,
        g: 9.81,
    };
    let State { q, v, .. } = stick_at(0.4, 0.9);
    let motion = stick.solve(&q, &v).unwrap();
    let turn = -3.0 * 9.81 / (2.0 * 1.2) * 0.4_f64.sin();
    assert_close("theta''", &turn, &-4.775242422559828, 1e-14);
    assert_close("theta''", &motion.acceleration.z, &turn, 1e-13);
    let pin = vector![-1.97976172, 6.39932682];
    assert_close("pin", &motion.multipliers, &pin, 1e-9);
    let forces = stick.constraint_forces(&q, &v).unwrap();
    assert_close(
        "pin on the centre",
        &forces.xy(),
        &motion.multipliers,
        1e-14,
    );
    assert_eq!(PinnedStick::DEGREES_OF_FREEDOM, 1);

    let hanging = stick_at(0.0, 0.0);
    let weight = stick.solve(&hanging.q, &hanging.v).unwrap().multipliers;
    assert_close("weight", &weight, &vector![0.0, 0.7 * 9.81], 1e-13);
}

lagrangian! {
    struct CartesianDoublePendulum {
        x1, y1, x2, y2: coordinate,
        m1, m2, l1, l2, g: parameter,
    }

    let elbow = [x1, y1];
    let tip = [x2, y2];
    T = m1 * der(elbow)^2 / 2 + m2 * der(tip)^2 / 2;
    V = g * (m1 * y1 + m2 * y2);
    holonomic upper: elbow^2 = l1^2;
    holonomic lower: (tip - elbow)^2 = l2^2;
}

reference_test! {
    cartesian_double_pendulum: CartesianDoublePendulum { m1, m2, l1, l2, g },
    Natural (q, v),
    outputs [],
    constraints ["upper", "lower"], holonomic 2,
    coordinates ["x1", "y1", "x2", "y2"],
    cyclic [true, false, true, false], conserved [false; 4],
    conserves_energy true, constant_mass_matrix true,
}

/// The motion is that of the double pendulum in its angles.
#[test]
fn cartesian_double_pendulum_moves_as_in_angles() {
    let (m1, m2, l1, l2, g) = (0.7, 1.2, 0.9, 0.5, 9.81);
    let angles = DoublePendulum { m1, m2, l1, l2, g };
    let points = CartesianDoublePendulum { m1, m2, l1, l2, g };
    let (q, v): (SVector<f64, 2>, SVector<f64, 2>) = (vector![0.6, -1.1], vector![1.3, 0.7]);
    let a = angles.acceleration(&q, &v).unwrap();

    // Along and across each rod, by angle, rate and angular acceleration.
    let rod = |l: f64, i: usize| {
        let across = vector![q[i].cos(), q[i].sin()];
        let along = vector![q[i].sin(), -q[i].cos()];
        let acceleration = across * a[i] - along * (v[i] * v[i]);
        (along * l, across * (l * v[i]), acceleration * l)
    };
    let (upper, lower) = (rod(l1, 0), rod(l2, 1));
    let points_at = |first: SVector<f64, 2>, second: SVector<f64, 2>| {
        let tip = first + second;
        vector![first.x, first.y, tip.x, tip.y]
    };
    let place = points_at(upper.0, lower.0);
    let velocity = points_at(upper.1, lower.1);
    let found = points.acceleration(&place, &velocity).unwrap();
    assert_close("a", &found, &points_at(upper.2, lower.2), 1e-12);
    assert_workless(
        &points,
        &State {
            t: 0.0,
            q: place,
            v: velocity,
        },
    );
}

lagrangian! {
    /// Crank, coupler and rocker, uniform rods, by their angles.
    struct FourBar {
        q1, q2, q3: coordinate,
        m1, m2, m3, l1, l2, l3, base, g: parameter,
        torque: input,
    }

    let crank = [cos(q1), sin(q1)];
    let coupler = [cos(q2), sin(q2)];
    let rocker = [cos(q3), sin(q3)];
    let joint = l1 * crank;
    pub let coupler_end = joint + l2 * coupler;
    T = m1 * der(joint / 2)^2 / 2 + m1 * l1^2 * der(q1)^2 / 24;
    T += m2 * der(joint + l2 / 2 * coupler)^2 / 2 + m2 * l2^2 * der(q2)^2 / 24;
    T += m3 * der(l3 / 2 * rocker)^2 / 2 + m3 * l3^2 * der(q3)^2 / 24;
    V = g * (m1 * joint.y / 2 + m2 * (joint.y + l2 / 2 * sin(q2)) + m3 * l3 / 2 * sin(q3));
    Q.q1 = torque;
    holonomic closure: coupler_end = [base, 0] + l3 * rocker;
}

reference_test! {
    four_bar: FourBar { m1, m2, m3, l1, l2, l3, base, g },
    Natural (q, v; u),
    outputs [coupler_end(&q), coupler_end_jacobian(&q)],
    constraints ["closure[0]", "closure[1]"], holonomic 2,
    coordinates ["q1", "q2", "q3"], cyclic [false; 3], conserved [false; 3],
    conserves_energy false, constant_mass_matrix false,
}

/// The crank is the shortest link and turns all round.
const FOUR_BAR: FourBar = FourBar {
    m1: 0.4,
    m2: 1.1,
    m3: 0.8,
    l1: 0.4,
    l2: 1.2,
    l3: 0.9,
    base: 1.0,
    g: 9.81,
};

fn turning() -> State<3> {
    let near = State::new([1.2, 0.4, 1.3], [8.0, 0.0, 0.0]);
    projected(&FOUR_BAR, &near).expect("a linkage that closes")
}

/// Ten seconds of several turns: the loop stays closed, and the energy is kept.
#[test]
fn four_bar_stays_closed() {
    let start = turning();
    let energy = FOUR_BAR.energy(&start.q, &start.v);
    let mut angle = start.q.x;
    for state in held(&FOUR_BAR, start, 1e-3, 10_000) {
        assert_held(&FOUR_BAR, &state);
        assert_close("E", &FOUR_BAR.energy(&state.q, &state.v), &energy, 1e-7);
        angle = angle.max(state.q.x);
    }
    assert!(angle > 12.0, "the crank does not turn: {angle}");
}

#[test]
fn four_bar_opens_unless_it_is_held() {
    let last = drifting(&FOUR_BAR, turning(), 1e-3, 10_000).last().unwrap();
    let (residual, _) = violation(&FOUR_BAR, &last);
    assert!(residual > 1e-9, "no drift to speak of: {residual:e}");
}

#[test]
fn joints_of_a_four_bar_do_no_work() {
    assert_workless(&FOUR_BAR, &turning());
}

#[test]
fn four_bar_closes_from_afar() {
    assert_lands(&FOUR_BAR, &turning());
}

/// Links that are too short do not meet; links in one line are not determined by their joints.
#[test]
fn four_bar_tells_where_it_does_not_close() {
    let open = FourBar {
        base: 9.0,
        ..FOUR_BAR
    };
    let error = open.project(&vector![1.2, 0.4, 1.3], &vector![1.0, 0.0, 0.0]);
    match error {
        // The links are 2.5 long together, and the base is 9.
        Err(Error::NotConverged { residual }) => assert!((1.0..9.0).contains(&residual)),
        other => panic!("projected to {other:?}"),
    }

    let flat = FourBar {
        l1: 1.0,
        l2: 2.0,
        l3: 1.0,
        base: 2.0,
        ..FOUR_BAR
    };
    let (q, v) = (vector![0.0, 0.0, 0.0], vector![1.0, 1.0, 1.0]);
    let error = flat.acceleration(&q, &v, &vector![0.0]);
    assert_eq!(error, Err(Error::DependentConstraints { row: 0 }));
}

lagrangian! {
    struct SliderCrank {
        crank, rod, slider: coordinate,
        m1, m2, m3, l1, l2, c: parameter,
        /// Force of the gas on the slider, towards the crank.
        gas: input,
    }

    let joint = l1 * [cos(crank), sin(crank)];
    let arm = l2 * [cos(rod), sin(rod)];
    T = m1 * der(joint / 2)^2 / 2 + m1 * l1^2 * der(crank)^2 / 24;
    T += m2 * der(joint + arm / 2)^2 / 2 + m2 * l2^2 * der(rod)^2 / 24;
    T += m3 * der(slider)^2 / 2;
    D = c * der(slider)^2 / 2;
    Q.slider = -gas;
    holonomic along: joint.x + arm.x = slider;
    holonomic across: joint.y + arm.y = 0;
}

reference_test! {
    slider_crank: SliderCrank { m1, m2, m3, l1, l2, c },
    Natural (q, v; u),
    outputs [],
    constraints ["along", "across"], holonomic 2,
    coordinates ["crank", "rod", "slider"], cyclic [false, false, true], conserved [false; 3],
    conserves_energy false, constant_mass_matrix false,
}

/// dE/dt is the power of the gas and of the damper, whatever the joints do.
#[test]
fn slider_crank_balances_its_power() {
    let system = SliderCrank {
        m1: 0.6,
        m2: 0.4,
        m3: 0.9,
        l1: 0.3,
        l2: 0.8,
        c: 0.7,
    };
    let near = State::new([0.8, -0.3, 1.0], [5.0, 1.0, 0.0]);
    let State { q, v, .. } = projected(&system, &near).unwrap();
    let gas = vector![12.0];
    let a = system.acceleration(&q, &v, &gas).unwrap();
    let rate = slope(&|h| {
        let (q, v) = (q + v * h, v + a * h);
        system.energy(&q, &v)
    });
    let power = -12.0 * v.z - 0.7 * v.z * v.z;
    assert!(power.abs() > 1.0, "the slider does not move");
    assert_close("dE/dt", &rate, &power, 1e-8);
    assert_workless(&system, &near);
}
