//! Y theta + rest = M a + h - Q at u = 0, for any parameters.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, matrix, vector};

use crate::support::assert_within;

lagrangian! {
    /// A cart and a pole with friction; parameters that are not listed stay in the rest.
    #[derive(Clone)]
    struct CartPole {
        x, theta: coordinate,
        t: time,
        m_c: parameter,
        /// Mass of the pole, times its length, and times the square of it.
        moments: parameter[3],
        g, k: parameter,
        c: parameter[2],
        #[allow(unused_variables)]
        idle: parameter,
        u: input,
    }
    T = (m_c + moments[0]) * der(x)^2 / 2 + moments[1] * cos(theta) * der(x) * der(theta)
        + moments[2] * der(theta)^2 / 2;
    V = moments[1] * g * cos(theta) + k * x^2 / 2;
    D = c[0] * der(x)^2 / 2;
    Q.theta = -c[1] * tanh(der(theta)) + sin(t);
    Q.x = u * m_c;
    regressor identify { c, m_c, moments, idle }
    regressor stiffness { k }
}

const CART_POLE: CartPole = CartPole {
    m_c: 1.3,
    moments: [0.4, 0.3, 0.2],
    g: 9.81,
    k: 3.0,
    c: [0.5, 0.7],
    idle: 1.0,
};

#[test]
fn the_equations_are_their_sum() {
    let (t, q, v, a) = (
        0.4,
        vector![0.3, -0.8],
        vector![1.2, 0.7],
        vector![-0.4, 1.9],
    );
    let u = vector![0.0];
    let torques = |system: &CartPole| {
        system.inverse_dynamics(t, &q, &v, &a) - system.generalized_forces(t, &q, &v, &u)
    };
    let with = |theta: SVector<f64, 7>| CartPole {
        c: [theta[0], theta[1]],
        m_c: theta[2],
        moments: [theta[3], theta[4], theta[5]],
        idle: theta[6],
        ..CART_POLE
    };
    let y = CART_POLE.identify(t, &q, &v, &a);
    let rest = torques(&with(SVector::zeros()));
    for seed in 0..20 {
        let theta = SVector::from_fn(|i, _| 3.0 * (f64::from(seed) + 2.3 * i as f64).sin());
        let (found, expected) = (y * theta + rest, torques(&with(theta)));
        assert_within(
            "Y theta + rest",
            found.as_slice(),
            expected.as_slice(),
            1e-13,
        );
        assert_eq!(with(theta).identify(t, &q, &v, &a), y);
    }
    // Parameters that do not occur have zeros; friction acts along its own coordinate.
    assert_eq!(y.column(6), vector![0.0, 0.0]);
    assert_eq!(y.column(0), vector![1.2, 0.0]);
    assert_eq!(CART_POLE.stiffness(t, &q, &v, &a), matrix![0.3; 0.0]);
}

lagrangian! {
    /// Linear in the end, though no term of it is: (m + k)^2 - m^2 - k^2 - 2 m k is zero.
    struct Hidden { x: coordinate, m, k, h: parameter }
    T = m * der(x)^2 / 2;
    V = ((m + k)^2 - m^2 - k^2 - 2 * m * k + k) * x^2 + m * (h / m) * x;
    regressor identify { m, k, h }
}

#[test]
fn what_cancels_is_no_mistake() {
    let y = Hidden {
        m: 2.0,
        k: 3.0,
        h: 5.0,
    }
    .identify(&vector![0.5], &vector![0.0], &vector![4.0]);
    assert!((y - matrix![4.0, 1.0, 1.0]).norm() < 1e-14);
}

lagrangian! {
    /// A body that turns freely, with its weight off its centre: Euler's equations are linear in the
    /// moments, and in the first moment.
    struct Turning { att: rotation, i: parameter[3], c: parameter }
    frame F = world.rotate(att);
    body { frame: F, inertia: diag(i) }
    body { frame: F, mass: c / 2, at: [0, 0, 1] }
    body { frame: F, mass: -c / 2, at: [0, 0, -1] }
    gravity [0, 0, -10];
    regressor identify { i, c }
}

#[test]
fn rotations() {
    let (q, w, a) = (
        vector![0.5, 0.5, 0.5, 0.5],
        vector![1.0, 2.0, 3.0],
        vector![0.4, 0.5, 0.6],
    );
    let y = Turning {
        i: [1.0; 3],
        c: 2.0,
    }
    .identify(&q, &w, &a);
    // I w' + w x I w; and the weight, with the world's z axis the body's y axis.
    let expected = matrix![
        0.4, -6.0, 6.0, -10.0;
        3.0, 0.5, -3.0, 0.0;
        -2.0, 2.0, 0.6, 0.0;
    ];
    assert!((y - expected).norm() < 1e-13);
}
