//! Systems without constraints.

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Error, lagrangian};

use crate::arm::Arm;
use crate::counting::{fail_without_heap, succeed_without_heap, use_trait, without_heap};
use crate::long_chain::LongChain;
use crate::methods::{canonical_methods, checked_methods, plain_methods};

lagrangian! {
    #[lagrangian(hessian)]
    struct CartPole {
        x, theta: coordinate,
        m_c, m_p, l: parameter = 1,
        g: parameter = 9.81,
        u: input,
    }

    pub let bob = [x + l * sin(theta), l * cos(theta)];
    #[hessian]
    pub let power = u * der(x);

    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
    regressor identify { m_p, m_c }
    sensitivity by_mass { m_p, m_c }
    symmetry along: x -> 1;
    bundle control { mass_matrix, bias, bob, bob_jacobian, identify, along, acceleration_unchecked }
}

#[test]
fn cart_pole() {
    let system = CartPole::default();
    let (q, v, u) = (&vector![0.1, 0.2], &vector![0.3, 0.4], &vector![0.5]);
    plain_methods!(natural &system, [], q, v, [u], v => without_heap);
    checked_methods!(&system, [], q, v, [u] => succeed_without_heap);
    canonical_methods!(&system, [], q, v, [u] => succeed_without_heap);
    without_heap!("bob", system.bob(q));
    without_heap!("bob_jacobian", system.bob_jacobian(q));
    without_heap!("bob_rate", system.bob_rate(q, v));
    without_heap!("bob_bias", system.bob_bias(q, v));
    without_heap!("power", system.power(q, v, u));
    without_heap!("identify", system.identify(q, v, v));
    succeed_without_heap!("by_mass", system.by_mass(q, v, u));
    succeed_without_heap!("hessian", system.acceleration_hessian(q, v, u, v));
    without_heap!("along", system.along(q, v));
    without_heap!("control", system.control(q, v, u, v));
    without_heap!("power_derivatives", system.power_derivatives(q, v, u));
    without_heap!("power_hessian", system.power_hessian(q, v, u));
    use_trait(&system, 0.0, (q, v, u));
}

#[test]
fn cart_pole_that_fails() {
    let massless = CartPole {
        m_p: 0.0,
        ..CartPole::default()
    };
    let (q, v, u) = (&vector![0.1, 0.2], &vector![0.3, 0.4], &vector![0.5]);
    checked_methods!(&massless, [], q, v, [u] => fail_without_heap);
    canonical_methods!(&massless, [], q, v, [u] => fail_without_heap);
    let outcome = massless.acceleration(q, v, u);
    assert_eq!(outcome, Err(Error::SingularMassMatrix));
    without_heap!("control", massless.control(q, v, u, v));
    let q = &vector![f64::NAN, 0.0];
    plain_methods!(natural &massless, [], q, v, [u], v => without_heap);
    checked_methods!(&massless, [], q, v, [u] => fail_without_heap);
}

#[test]
fn chain() {
    let system = LongChain::default();
    let q = &SVector::from_fn(|row, _| 0.1 * row as f64);
    let v = &SVector::from_element(0.2);
    plain_methods!(natural &system, [], q, v, [], v => without_heap);
    checked_methods!(&system, [], q, v, [] => succeed_without_heap);
    canonical_methods!(&system, [], q, v, [] => succeed_without_heap);
    use_trait(&system, 0.0, (q, v, &vector![]));
}

lagrangian! {
    /// Every mass coupled to every other one, so many that the factorisation is a loop.
    struct Coupled {
        q: coordinate[24],
        m: parameter = 1,
    }

    T = m * der(sum(i in 0..24, q[i]))^2 / 2 + m * der(q)^2 / 2;
    V = q^2 / 2;
}

#[test]
fn coupled() {
    let system = Coupled::default();
    let q = &SVector::from_fn(|row, _| 0.1 * row as f64);
    let v = &SVector::from_element(0.2);
    plain_methods!(natural &system, [], q, v, [], v => without_heap);
    checked_methods!(&system, [], q, v, [] => succeed_without_heap);
    canonical_methods!(&system, [], q, v, [] => succeed_without_heap);
    let massless = Coupled { m: 0.0 };
    checked_methods!(&massless, [], q, v, [] => fail_without_heap);
    assert_eq!(massless.acceleration(q, v), Err(Error::SingularMassMatrix));
}

#[test]
fn chain_that_fails() {
    let massless = LongChain {
        m24: 0.0,
        ..LongChain::default()
    };
    let (q, v) = (&SVector::zeros(), &SVector::zeros());
    checked_methods!(&massless, [], q, v, [] => fail_without_heap);
    canonical_methods!(&massless, [], q, v, [] => fail_without_heap);
    assert_eq!(massless.acceleration(q, v), Err(Error::SingularMassMatrix));
    let q = &SVector::from_element(f64::INFINITY);
    checked_methods!(&massless, [], q, v, [] => fail_without_heap);
}

lagrangian! {
    struct Relativistic {
        t: time,
        x, y: coordinate,
        m, c, omega: parameter = 1,
        e: input,
    }

    L = -m * c^2 * sqrt(1 - (der(x)^2 + der(y)^2) / c^2) - x * cos(omega * t);
    Q.y = e;
}

#[test]
fn system_with_a_lagrangian_and_time() {
    let system = Relativistic::default();
    let (q, v, u) = (&vector![0.1, 0.2], &vector![0.3, 0.4], &vector![0.5]);
    plain_methods!(lagrangian &system, [0.6], q, v, [u], v => without_heap);
    checked_methods!(&system, [0.6], q, v, [u] => succeed_without_heap);
    use_trait(&system, 0.6, (q, v, u));
    checked_methods!(&system, [f64::NAN], q, v, [u] => fail_without_heap);
    // Faster than light.
    let v = &vector![0.8, 0.9];
    checked_methods!(&system, [0.6], q, v, [u] => fail_without_heap);
}

#[test]
fn arrays_and_frames() {
    let system = Arm::<f64>::default();
    let (q, v, u) = (
        &vector![0.1, 0.2, 0.3, 0.4],
        &vector![0.3, 0.4, -0.5, 0.2],
        &vector![0.5, 0.0, -1.0, 0.3],
    );
    plain_methods!(natural &system, [], q, v, [u], v => without_heap);
    checked_methods!(&system, [], q, v, [u] => succeed_without_heap);
    without_heap!("tip", system.tip(q));
    without_heap!("tip_jacobian", system.tip_jacobian(q));
    without_heap!("spin", system.spin(q, v));
    without_heap!("spin_derivatives", system.spin_derivatives(q, v));
    without_heap!("hand", system.hand(q));
    without_heap!("hand_velocity", system.hand_velocity(q, v));
    without_heap!("hand_jacobian", system.hand_jacobian(q));
    without_heap!("hand_bias", system.hand_bias(q, v));
    without_heap!("turn", system.turn(q));
    without_heap!("effort", system.effort(q, v, u));
    use_trait(&system, 0.0, (q, v, u));
}

lagrangian! {
    /// A spherical pendulum: near its pole M is regular by units only.
    struct Spherical { theta, phi: coordinate, m, l: parameter = 1 }

    T = m * l^2 * (der(theta)^2 + sin(theta)^2 * der(phi)^2) / 2;
    V = -m * 9.81 * l * cos(theta);
    T += der(theta) * der(phi) * sin(theta)^2 / 10;
}

#[test]
fn indefinite_and_nearly_singular_mass_matrices() {
    let v = &vector![0.3, 0.4];
    // Not definite: the quick factorisation stops at a negative pivot.
    let negative = Spherical { m: -1.0, l: 1.0 };
    let q = &vector![0.7, 0.1];
    assert!(negative.mass_matrix(q).cholesky().is_none());
    checked_methods!(&negative, [], q, v, [] => succeed_without_heap);
    canonical_methods!(&negative, [], q, v, [] => succeed_without_heap);
    use_trait(&negative, 0.0, (q, v, &vector![]));
    checked_methods!(&Spherical::default(), [], &vector![1e-9, 0.1], v, [] => succeed_without_heap);
}
