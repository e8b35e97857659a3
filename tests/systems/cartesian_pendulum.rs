//! A pendulum in Cartesian coordinates: the force of its rod, and the drift.

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Baumgarte, System, lagrangian};

use crate::harness::reference_test;
use crate::held::{assert_held, assert_workless, drifting, held, violation};
use crate::support::{State, assert_close};

lagrangian! {
    pub(crate) struct CartesianPendulum {
        x, y: coordinate,
        m, g, l: parameter,
    }

    T = m * der([x, y])^2 / 2;
    V = m * g * y;
    holonomic rod: x^2 + y^2 = l^2;
}

reference_test! {
    cartesian_pendulum: CartesianPendulum { m, g, l },
    Natural (q, v),
    outputs [],
    constraints ["rod"], holonomic 1,
    coordinates ["x", "y"], cyclic [true, false], conserved [false, false],
    conserves_energy true, constant_mass_matrix true,
}

const PENDULUM: CartesianPendulum = CartesianPendulum {
    m: 1.0,
    g: 9.81,
    l: 2.0,
};

/// At the angle alpha from hanging, turning at a rate.
fn swinging(alpha: f64, rate: f64) -> State<2> {
    let (s, c) = alpha.sin_cos();
    State::new([2.0 * s, -2.0 * c], [2.0 * rate * c, 2.0 * rate * s])
}

#[test]
fn cartesian_pendulum_at_a_state() {
    let (alpha, rate) = (0.3_f64, 0.5);
    let State { q, v, .. } = swinging(alpha, rate);
    let motion = PENDULUM.solve(&q, &v).unwrap();
    let a = vector![-2.91733144, -0.37906056];
    assert_close("a", &motion.acceleration, &a, 3e-9);
    let lambda = motion.multipliers[0];
    assert_close("lambda", &lambda, &-2.46796274, 3e-9);

    // The rod pulls inwards by m g cos(alpha) + m l alpha'^2.
    let tension = 9.81 * alpha.cos() + 2.0 * rate * rate;
    assert_close("tension", &tension, &9.871850958322195, 1e-14);
    assert_close(
        "lambda from the tension",
        &(-2.0 * lambda * 2.0),
        &tension,
        1e-13,
    );
    let forces = PENDULUM.constraint_forces(&q, &v).unwrap();
    assert_close("pull", &forces, &(q * (-tension / 2.0)), 1e-13);

    // l alpha'' is the acceleration along the tangent.
    let tangent = vector![alpha.cos(), alpha.sin()];
    let along = motion.acceleration.dot(&tangent) / 2.0;
    assert_close("alpha''", &along, &(-9.81 / 2.0 * alpha.sin()), 1e-13);
}

const STEP: f64 = 0.01;
const STEPS: usize = 1000;

/// The length and the energy of ten seconds drift by integration errors, unless something is done.
#[test]
fn pendulum_drifts_unless_it_is_held() {
    let start = swinging(1.2, 0.5);
    let energy = |s: &State<2>| PENDULUM.energy(&s.q, &s.v);
    let worst = |(r, v): (f64, f64), s: State<2>| {
        let (residual, velocity) = violation(&PENDULUM, &s);
        (residual.max(r), velocity.max(v))
    };
    let free = drifting(&PENDULUM, start, STEP, STEPS).fold((0.0, 0.0), worst);
    assert!(free.0 > 1e-6, "no drift to speak of: {free:?}");

    for state in held(&PENDULUM, start, STEP, STEPS) {
        assert_held(&PENDULUM, &state);
        assert_close("E", &energy(&state), &energy(&start), 1e-6);
    }

    let stabilised = Baumgarte {
        system: &PENDULUM,
        alpha: 0.02,
        beta: 0.02,
        step: STEP,
    };
    let pulled = drifting(&stabilised, start, STEP, STEPS).fold((0.0, 0.0), worst);
    assert!(pulled.0 < free.0 / 100.0, "{pulled:?} instead of {free:?}");
    assert!(pulled.1 < free.1 / 10.0, "{pulled:?} instead of {free:?}");
}

/// On the constraints the stabilisation changes nothing; off them it follows its equation
/// g'' + 2 (alpha / h) g' + (beta / h)^2 g = 0.
#[test]
fn baumgarte_acts_on_violations_only() {
    let stabilised = Baumgarte {
        system: &PENDULUM,
        alpha: 0.2,
        beta: 0.3,
        step: STEP,
    };
    let none = SVector::<f64, 0>::zeros();
    let State { t, q, v } = swinging(0.7, 0.4);
    let a = stabilised.acceleration(t, &q, &v, &none).unwrap();
    assert_close("a", &a, &PENDULUM.acceleration(&q, &v).unwrap(), 1e-11);

    let (q, v) = (q * 1.01, v + vector![0.1, -0.2]);
    let a = stabilised.acceleration(t, &q, &v, &none).unwrap();
    let residual = q.norm_squared() - 4.0;
    let rate = 2.0 * q.dot(&v);
    let second = 2.0 * (v.norm_squared() + q.dot(&a));
    let asked = -2.0 * 0.2 / STEP * rate - (0.3 / STEP) * (0.3 / STEP) * residual;
    assert_close("g''", &second, &asked, 1e-11);
}

/// From 1.01 l the shortest way, equal masses, is along the rod; the velocity loses its component along the rod.
#[test]
fn pendulum_is_projected_along_its_rod() {
    let State { q, v, .. } = swinging(0.3, 0.5);
    let (moved, turned) = PENDULUM.project(&(q * 1.01), &(v + q * 0.3)).unwrap();
    assert_close("q", &moved, &q, 1e-14);
    assert_close("v", &turned, &v, 1e-14);
    let again = PENDULUM.project(&moved, &turned).unwrap();
    assert_eq!(
        again,
        (moved, turned),
        "a state on the constraints is left alone"
    );
    let far = PENDULUM.project(&(q * 40.0), &v).unwrap();
    assert_close("q", &far.0, &q, 1e-13);
}

#[test]
fn rod_does_no_work() {
    assert_workless(&PENDULUM, &swinging(0.9, 1.5));
}
