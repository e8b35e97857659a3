//! Momenta that no velocities belong to, numbers at the ends of the range, and large systems.

use std::f64::consts::FRAC_PI_2;

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Error, lagrangian};

use crate::systems::{BALL, CART_POLE, CartPole, EULER_BODY, FOUR_BAR, SHAKEN};

#[test]
fn gimbal_lock() {
    let q = vector![0.3, FRAC_PI_2, 0.1, 0.0, 0.0, 0.0];
    let p = vector![0.1, 0.5, -0.2, 0.3, 0.0, 0.0];
    let singular = Error::SingularMassMatrix;
    assert_eq!(EULER_BODY.velocity(&q, &p), Err(singular));
    assert_eq!(EULER_BODY.hamiltonian(&q, &p), Err(singular));
    assert_eq!(EULER_BODY.hamilton_equations(&q, &p), Err(singular));
}

lagrangian! {
    /// A quaternion of which M does not see the length.
    struct ByQuaternion { r: coordinate[3], w: coordinate, i: parameter[3] }

    let rates = 2 * (w * der(r) - der(w) * r - cross(r, der(r)));
    T = dot(rates, diag(i) * rates) / 2;
    holonomic unit: r^2 + w^2 = 1;
}

/// The accelerations follow with the constraint, the velocities do not.
#[test]
fn a_mass_matrix_that_is_singular_everywhere() {
    let body = ByQuaternion { i: [0.3, 0.5, 0.7] };
    let (q, v) = body
        .project(&vector![0.1, -0.5, 0.5, 0.7], &vector![0.4, 0.2, -0.1, 0.3])
        .unwrap();
    let p = body.momenta(&q, &v);
    assert!(body.acceleration(&q, &v).is_ok());
    assert_eq!(body.velocity(&q, &p), Err(Error::SingularMassMatrix));
    assert_eq!(
        body.hamilton_equations(&q, &p),
        Err(Error::SingularMassMatrix)
    );
}

/// Two bars on one line: the multipliers are not determined, the velocities are.
#[test]
fn constraints_that_depend_on_each_other() {
    let flat = crate::systems::FourBar {
        l1: 0.4,
        l2: 1.0,
        l3: 0.5,
        d: 0.9,
        ..FOUR_BAR
    };
    let (q, p, u) = (vector![0.0, 0.0, 0.0], vector![0.1, 0.2, 0.3], vector![0.0]);
    assert!(flat.velocity(&q, &p).is_ok() && flat.hamiltonian(&q, &p).is_ok());
    let error = flat.hamilton_equations(&q, &p, &u);
    assert!(
        matches!(error, Err(Error::DependentConstraints { .. })),
        "{error:?}"
    );
}

#[test]
fn nan_and_infinity_are_refused() {
    let (q, p, u) = (vector![0.2, 0.3], vector![-0.5, 0.7], vector![1.0]);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for i in 0..2 {
            let mut wrong = q;
            wrong[i] = bad;
            assert_eq!(
                CART_POLE.velocity(&wrong, &p),
                Err(Error::NotFinite { argument: "q" })
            );
            assert_eq!(
                CART_POLE.hamiltonian(&wrong, &p),
                Err(Error::NotFinite { argument: "q" })
            );
            let rates = CART_POLE.hamilton_equations(&wrong, &p, &u);
            assert_eq!(rates, Err(Error::NotFinite { argument: "q" }));
            let mut wrong = p;
            wrong[i] = bad;
            assert_eq!(
                CART_POLE.velocity(&q, &wrong),
                Err(Error::NotFinite { argument: "p" })
            );
            assert_eq!(
                CART_POLE.hamiltonian(&q, &wrong),
                Err(Error::NotFinite { argument: "p" })
            );
            let rates = CART_POLE.hamilton_equations(&q, &wrong, &u);
            assert_eq!(rates, Err(Error::NotFinite { argument: "p" }));
        }
        let rates = CART_POLE.hamilton_equations(&q, &p, &vector![bad]);
        assert_eq!(rates, Err(Error::NotFinite { argument: "u" }));
        // Time that nothing reads at this place is tested all the same.
        assert_eq!(
            SHAKEN.velocity(bad, &q, &p),
            Err(Error::NotFinite { argument: "t" })
        );
        assert_eq!(
            SHAKEN.hamilton_equations(bad, &q, &p),
            Err(Error::NotFinite { argument: "t" })
        );
        let broken = CartPole {
            mp: bad,
            ..CART_POLE
        };
        assert_eq!(
            broken.velocity(&q, &p),
            Err(Error::NotFinite {
                argument: "self.mp"
            })
        );
        let broken = CartPole {
            g: bad,
            ..CART_POLE
        };
        assert!(broken.velocity(&q, &p).is_ok());
        assert_eq!(
            broken.hamiltonian(&q, &p),
            Err(Error::NotFinite { argument: "self.g" })
        );
        assert_eq!(
            broken.hamilton_equations(&q, &p, &u),
            Err(Error::NotFinite { argument: "self.g" })
        );
    }
    let huge = vector![1e200, 1e200];
    assert!(CART_POLE.velocity(&q, &huge).is_ok());
    assert_eq!(
        CART_POLE.hamiltonian(&q, &huge),
        Err(Error::NotFinite { argument: "result" })
    );
    assert_eq!(
        CART_POLE.hamilton_equations(&q, &huge, &u),
        Err(Error::NotFinite { argument: "result" })
    );
    let (q, v) = (BALL.neutral(), SVector::zeros());
    assert!(BALL.hamilton_equations(&q, &v).is_ok());
}

lagrangian! {
    struct Pair { x, y: coordinate, a, b: parameter }
    T = a * der(x)^2 / 2 + b * (der(x) + der(y))^2 / 2;
}

/// Masses of any size: p = (a x' + b (x' + y'), b (x' + y')).
#[test]
fn light_and_heavy_masses() {
    let q = vector![0.0, 0.0];
    for exponent in [-200, -20, -9, 0, 5] {
        let b = 10.0_f64.powi(exponent);
        let pair = Pair { a: 3.0, b };
        // The first momentum is the second one where a stands still.
        let v = pair.velocity(&q, &vector![b, b]).unwrap();
        assert!(
            v[0].abs() <= 4e-16 && (v[1] - 1.0).abs() <= 4e-16,
            "{b:e}: {v}"
        );
        let v = pair.velocity(&q, &vector![3.0 + 2.0 * b, 2.0 * b]).unwrap();
        assert!(
            (v - vector![1.0, 1.0]).norm() <= 1e-15 + 1e-16 * b,
            "{b:e}: {v}"
        );
    }
    // In M = [a + b, b; b, b] nothing is left of a.
    let lost = Pair { a: 3.0, b: 1e20 };
    let error = lost.velocity(&q, &vector![1.0, 1.0]);
    assert_eq!(error, Err(Error::SingularMassMatrix));
    let massless = Pair { a: 3.0, b: 0.0 };
    let error = massless.velocity(&q, &vector![1.0, 0.0]);
    assert_eq!(error, Err(Error::SingularMassMatrix));
}

lagrangian! {
    /// Indefinite, with a zero on the diagonal: no pivot can be trusted.
    struct Crossed { x, y: coordinate }
    T = der(x) * der(y);
    V = x * y;
}

#[test]
fn an_indefinite_mass_matrix() {
    let system = Crossed::<f64>::default();
    let (q, p) = (vector![0.3, -0.2], vector![0.7, 0.4]);
    assert_eq!(system.velocity(&q, &p), Ok(vector![0.4, 0.7]));
    let (dq, dp) = system.hamilton_equations(&q, &p).unwrap();
    assert_eq!((dq, dp), (vector![0.4, 0.7], vector![0.2, -0.3]));
}

lagrangian! {
    /// More than is unrolled, and than is returned by value: every mass coupled to every other one.
    struct Dense { q: coordinate[40], m, k: parameter }

    T = m * der(sum(i in 0..40, q[i]))^2 / 2 + sum(i in 0..40, (1 + i / 10) * m * der(q[i])^2 / 2);
    V = k * q^2 / 2;
}

lagrangian! {
    /// As large, and unrolled.
    struct Sparse { q: coordinate[40], m, k: parameter, w: parameter }

    T = m * der(q)^2 / 2 + w * (q[0] * der(q[1]) - q[1] * der(q[0]));
    T += m * der(q[0]) * der(q[39]) / 2;
    V = k * q^2 / 2;
}

#[test]
fn large_systems() {
    let q = SVector::from_fn(|i, _| 0.1 * i as f64 - 2.0);
    let v = SVector::from_fn(|i, _| (0.7 * i as f64).sin());
    let dense = Dense { m: 2.0, k: 3.0 };
    let p = dense.momenta(&q, &v);
    assert!((dense.velocity(&q, &p).unwrap() - v).amax() < 1e-13);
    let (dq, dp) = dense.hamilton_equations(&q, &p).unwrap();
    assert!((dq - v).amax() < 1e-13 && (dp + q * 3.0).amax() < 1e-14);
    let sparse = Sparse {
        m: 2.0,
        k: 3.0,
        w: 0.4,
    };
    let p = sparse.momenta(&q, &v);
    assert!((sparse.velocity(&q, &p).unwrap() - v).amax() < 1e-14);
    let massless = Sparse { m: 0.0, ..sparse };
    assert_eq!(massless.velocity(&q, &p), Err(Error::SingularMassMatrix));
    let massless = Dense { m: 0.0, ..dense };
    assert_eq!(massless.velocity(&q, &p), Err(Error::SingularMassMatrix));
    let negative = Sparse { m: -2.0, ..sparse };
    let p = negative.momenta(&q, &v);
    assert!((negative.velocity(&q, &p).unwrap() - v).amax() < 1e-14);
}
