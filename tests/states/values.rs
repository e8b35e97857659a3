//! Systems whose values are known.

use lagrangian::nalgebra::{Complex, SMatrix, vector};
use lagrangian::{lagrangian, rk4_step_with_states};

lagrangian! {
    /// A DC motor: the example of the control tutorials of the University of Michigan.
    pub struct Motor { theta: coordinate, i: state, j, b, k, r, l: parameter, u: input }
    T = j * der(theta)^2 / 2;
    D = b * der(theta)^2 / 2;
    der(i) = (u - r * i - k * der(theta)) / l;
    Q.theta = k * i;
}

lagrangian! {
    /// A mass on a spring beside a spring in series with a damper.
    pub struct Maxwell { x: coordinate, s: state, m, k0, k1, c: parameter }
    T = m * der(x)^2 / 2;
    V = k0 * x^2 / 2;
    spring { k: k1, from: s, to: x }
    der(s) = k1 * (x - s) / c;
}

lagrangian! {
    /// A geared motor with LuGre's friction.
    pub struct Drive {
        q: coordinate,
        i, z: state,
        j, l, r, k, n, s0, s1, s2, fc, fs, vs: parameter,
        u: input,
    }
    T = j * der(q)^2 / 2;
    der(i) = (u - r * i - k * n * der(q)) / l;
    let g = fc + (fs - fc) * exp(-(der(q) / vs)^2);
    der(z) = der(q) - s0 * abs(der(q)) / g * z;
    Q.q = n * k * i - s0 * z - s1 * der(z) - s2 * der(q);
}

pub(crate) fn motor() -> Motor {
    Motor::new(0.01, 0.1, 0.01, 1.0, 0.5)
}

pub(crate) fn maxwell() -> Maxwell {
    Maxwell::new(1.0, 1.0, 3.0, 0.5)
}

pub(crate) fn drive() -> Drive {
    Drive {
        j: 0.01,
        l: 0.5,
        r: 1.0,
        k: 0.01,
        n: 10.0,
        s0: 100.0,
        s1: 1.0,
        s2: 0.05,
        fc: 0.02,
        fs: 0.03,
        vs: 0.1,
    }
}

/// Asserts that these are the eigenvalues, in any order.
fn assert_poles(a: SMatrix<f64, 3, 3>, expected: &[Complex<f64>]) {
    let found = a.complex_eigenvalues();
    for pole in expected {
        let error = found.iter().map(|found| (found - pole).norm());
        let error = error.fold(f64::INFINITY, f64::min);
        assert!(error < 1e-13 * pole.norm().max(1.0), "{pole}: {found}");
    }
}

/// The roots of (j s + b) (l s + r) + k^2, and s = 0 of the angle.
#[test]
fn poles_of_a_motor() {
    let (q, v, z, u) = (vector![0.3], vector![0.5], vector![0.7], vector![0.2]);
    let a = motor().linearize(&q, &v, &z, &u).unwrap().a;
    let poles = [-9.997499218261337, -2.002500781738663, 0.0];
    assert_poles(a, &poles.map(Complex::from));
}

/// 1 V from rest: the speed after 0.1 s by partial fractions.
#[test]
fn step_response_of_a_motor() {
    let (mut q, mut v, mut z) = (vector![0.0], vector![0.0], vector![0.0]);
    let (u, h) = (vector![1.0], 1e-4);
    for step in 0..1000 {
        let t = h * f64::from(step);
        (q, v, z) = rk4_step_with_states(&motor(), t, &q, &v, &z, &u, h).unwrap();
    }
    assert!((v[0] - 0.006_855_537_180_611).abs() < 1e-14, "{}", v[0]);
}

/// The roots of (m s^2 + k0) (c s + k1) + k1 c s.
#[test]
fn poles_of_a_maxwell_element() {
    let (q, v, z) = (vector![0.1], vector![-0.4], vector![0.2]);
    let a = maxwell().linearize(&q, &v, &z).unwrap().a;
    let pair = Complex::new(-0.265_389_886_626_96, 1.013_220_971_085_81);
    assert_poles(
        a,
        &[pair, pair.conj(), Complex::from(-5.469_220_226_746_08)],
    );
}

/// The equations of the drive by hand.
#[test]
fn equations_of_a_drive_with_bristles() {
    let s = drive();
    for speed in [-0.8, -0.02, 0.0, 0.05, 1.3] {
        let (q, v, u) = (vector![0.2], vector![speed], vector![3.0]);
        let z = vector![0.4, 1e-4];
        let g = s.fc + (s.fs - s.fc) * (-(speed / s.vs) * (speed / s.vs)).exp();
        let bristle = speed - s.s0 * f64::abs(speed) / g * z[1];
        let current = (u[0] - s.r * z[0] - s.k * s.n * speed) / s.l;
        let rates = s.state_rates(&q, &v, &z, &u);
        assert!(
            (rates - vector![current, bristle]).norm() < 1e-14,
            "{rates}"
        );
        let force = s.n * s.k * z[0] - s.s0 * z[1] - s.s1 * bristle - s.s2 * speed;
        let a = s.acceleration(&q, &v, &z, &u).unwrap()[0];
        assert!((a - force / s.j).abs() < 1e-13 * a.abs().max(1.0), "{a}");
    }
}
