//! Mass matrices that are singular, nearly singular, or regular but not positive definite.

use std::f64::consts::{FRAC_PI_2, PI};

use lagrangian::nalgebra::{SVector, vector};
use lagrangian::{Error, lagrangian};

lagrangian! {
    struct SphericalPendulum {
        theta, phi: coordinate,
        m, l: parameter = 1,
        g: parameter = 9.81,
    }

    T = m * l^2 * (der(theta)^2 + sin(theta)^2 * der(phi)^2) / 2;
    V = -m * g * l * cos(theta);
}

#[test]
fn at_the_pole_of_a_spherical_pendulum() {
    let system = SphericalPendulum::default();
    let v = vector![0.3, 0.4];
    for theta in [0.0, -0.0] {
        let outcome = system.acceleration(&vector![theta, 1.0], &v);
        assert_eq!(outcome, Err(Error::SingularMassMatrix));
        let outcome = system.solve(&vector![theta, 1.0], &v);
        assert_eq!(outcome.map(|_| ()), Err(Error::SingularMassMatrix));
    }
    let a: SVector<f64, 2> = system.acceleration_unchecked(&vector![0.0, 1.0], &v);
    assert!(!a.iter().all(|entry| entry.is_finite()));
}

/// Near the pole only the unit of phi is odd, not the motion.
#[test]
fn close_to_the_pole_of_a_spherical_pendulum() {
    let system = SphericalPendulum::default();
    for theta in [1e-3_f64, 1e-6, -1e-9] {
        let v = vector![0.3, 0.4];
        let a = system.acceleration(&vector![theta, 1.0], &v).unwrap();
        let around = -2.0 * 0.3 * 0.4 / theta.tan();
        let up = 0.16 * theta.sin() * theta.cos() - 9.81 * theta.sin();
        assert!((a[0] - up).abs() < 1e-12, "{theta} {a}");
        assert!((a[1] - around).abs() < 1e-12 * around.abs(), "{theta} {a}");
    }
}

lagrangian! {
    /// A rigid body turned about z, then y, then x.
    struct Body {
        yaw, pitch, roll: coordinate,
        i1: parameter = 1,
        i2: parameter = 2,
        i3: parameter = 3,
    }

    let w1 = der(roll) - der(yaw) * sin(pitch);
    let w2 = der(pitch) * cos(roll) + der(yaw) * cos(pitch) * sin(roll);
    let w3 = -der(pitch) * sin(roll) + der(yaw) * cos(pitch) * cos(roll);
    T = i1 * w1^2 / 2 + i2 * w2^2 / 2 + i3 * w3^2 / 2;
}

#[test]
fn euler_angles_in_gimbal_lock() {
    let system = Body::default();
    let v = vector![0.1, 0.2, 0.3];
    for roll in [0.0, 0.4, 1.0, -2.0, PI] {
        for pitch in [FRAC_PI_2, -FRAC_PI_2] {
            let outcome = system.acceleration(&vector![0.5, pitch, roll], &v);
            assert_eq!(outcome, Err(Error::SingularMassMatrix), "{roll} {pitch}");
        }
        let free = system.acceleration(&vector![0.5, FRAC_PI_2 - 1e-4, roll], &v);
        assert!(free.is_ok(), "{roll}");
    }
}

#[test]
fn without_mass() {
    let massless = Body {
        i1: 0.0,
        i2: 0.0,
        i3: 0.0,
    };
    let outcome = massless.acceleration(&SVector::zeros(), &SVector::zeros());
    assert_eq!(outcome, Err(Error::SingularMassMatrix));
    // A rod along the first axis: nothing turns about it.
    let rod = Body {
        i1: 0.0,
        ..Body::default()
    };
    let outcome = rod.acceleration(&vector![0.1, 0.2, 0.3], &vector![0.1, 0.2, 0.3]);
    assert_eq!(outcome, Err(Error::SingularMassMatrix));
}

lagrangian! {
    struct Indefinite {
        x, y: coordinate,
        k: parameter = 4,
    }

    L = der(x) * der(y) - k * x * y;
}

/// M = [0, 1; 1, 0] has no Cholesky factors, and still the oscillators have their accelerations.
#[test]
fn an_indefinite_mass_matrix_is_regular() {
    let system = Indefinite::default();
    let a = system.acceleration(&vector![0.5, -2.0], &vector![1.0, 1.0]);
    assert_eq!(a, Ok(vector![-2.0, 8.0]));
    let motion = system.solve(&vector![0.5, -2.0], &vector![1.0, 1.0]);
    assert_eq!(motion.unwrap().acceleration, vector![-2.0, 8.0]);
    let mut dy = [0.0; 4];
    assert_eq!(system.rhs(0.0, &[0.5, -2.0, 1.0, 3.0], &mut dy), Ok(()));
    assert_eq!(dy, [1.0, 3.0, -2.0, 8.0]);
}

lagrangian! {
    /// Two masses of 1, coupled by a kinetic term: M = [1, c; c, 1].
    struct Coupled {
        x, y: coordinate,
        c: parameter,
        fx, fy: input,
    }

    T = der(x)^2 / 2 + c * der(x) * der(y) + der(y)^2 / 2;
    Q.x = fx;
    Q.y = fy;
}

/// The condition number of M is (1 + c) / (1 - c), and the error that many times the rounding error.
#[test]
fn a_mass_matrix_of_large_condition_is_solved() {
    let (q, v) = (SVector::zeros(), SVector::zeros());
    for gap in [2.0_f64.powi(-20), 2.0_f64.powi(-27), 2.0_f64.powi(-40)] {
        let system = Coupled { c: 1.0 - gap };
        let a = system.acceleration(&q, &v, &vector![1.0, -1.0]).unwrap();
        let expected = 1.0 / gap;
        let error = (2.0 / gap) * f64::EPSILON * expected;
        assert!((a[0] - expected).abs() <= error, "{gap:e} {a}");
        assert!((a[1] + expected).abs() <= error, "{gap:e} {a}");
        let a = system.acceleration(&q, &v, &vector![1.0, 1.0]).unwrap();
        assert!((a[0] - 1.0 / (2.0 - gap)).abs() < 1e-4, "{gap:e} {a}");
    }
}

#[test]
fn a_mass_matrix_singular_but_for_rounding_is_refused() {
    let (q, v, u) = (SVector::zeros(), SVector::zeros(), vector![1.0, -1.0]);
    for c in [1.0, -1.0, 1.0 - f64::EPSILON / 2.0, 1.0 + f64::EPSILON] {
        let outcome = Coupled { c }.acceleration(&q, &v, &u);
        assert_eq!(outcome, Err(Error::SingularMassMatrix), "{c}");
    }
}

/// Indefinite again, this time with a full diagonal.
#[test]
fn a_coupling_above_one_is_regular() {
    let (q, v) = (SVector::zeros(), SVector::zeros());
    let a = Coupled { c: 2.0 }.acceleration(&q, &v, &vector![3.0, 0.0]);
    let a = a.unwrap();
    assert!((a - vector![-1.0, 2.0]).amax() < 1e-15);
}

lagrangian! {
    struct Scaled {
        x, y: coordinate,
        heavy, light: parameter,
        u: input,
    }

    T = heavy * der(x)^2 / 2 + light * der(y)^2 / 2 + sqrt(heavy * light) * der(x) * der(y) / 2;
    Q.y = u;
}

/// Grams beside megatonnes: the units do not make a mass matrix singular.
#[test]
fn masses_of_different_magnitude_are_regular() {
    let (q, v) = (SVector::zeros(), SVector::zeros());
    for (heavy, light) in [(1e9, 1e-9), (1e40, 1e-40), (1e-150, 1e150)] {
        let system: Scaled = Scaled { heavy, light };
        let a = system.acceleration(&q, &v, &vector![light]).unwrap();
        assert!((a[1] - 4.0 / 3.0).abs() < 1e-12, "{a}");
    }
}
