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
    #[allow(deprecated)]
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

/// Two links in a vertical plane by all numbers of each, and the same without gravity. `$unit` is a change of the unit of
/// length, for numbers and parameters alike.
macro_rules! planar_arm {
    ($name:ident, $unit:literal, $gravity:literal) => {
        lagrangian! {
            struct $name {
                q: coordinate[2], m: parameter[2], h: parameter[2, 2], j: parameter[2], l: parameter,
            }
            frame A = world.rotate(z, q[0]);
            frame B = A.translate([$unit * l, 0, 0]).rotate(z, q[1]);
            let w = der(q[0]) + der(q[1]);
            let v = transpose(B.rotation) * velocity(B);
            T = (j[0] * der(q[0])^2 + j[1] * w^2 + m[1] * v^2) / 2 + w * (h[1, 0] * v.y - h[1, 1] * v.x);
            V = $gravity
                * (A.vector([h[0, 0], h[0, 1], 0]).y + B.vector([h[1, 0], h[1, 1], 0]).y + m[1] * B.origin.y);
            regressor identify { j, h, m }
            regressor masses { m }
        }
    };
}
planar_arm!(Arm, 1, 9.81);
planar_arm!(SmallArm, 1e-13, 9.81);
planar_arm!(LargeArm, 1e13, 9.81);
planar_arm!(HorizontalArm, 1, 0);

/// In closed form j0 + l^2 m1, j1, hx0 + l m1, hy0, hx1, hy1; without gravity the first moments of the first link have no
/// effect. Units do not matter.
#[test]
fn combinations_of_a_planar_arm() {
    assert_eq!((Arm::IDENTIFY_RANK, Arm::MASSES_RANK), (6, 1));
    assert_eq!(SmallArm::IDENTIFY_RANK, 6);
    assert_eq!(LargeArm::IDENTIFY_RANK, 6);
    assert_eq!(HorizontalArm::IDENTIFY_RANK, 4);
}

lagrangian! {
    /// m l^2 + j, m l and the friction.
    struct Swing { q: coordinate, m, j, c, l: parameter }
    T = (m * l^2 + j) * der(q)^2 / 2;
    V = -9.81 * m * l * cos(q);
    D = c * der(q)^2 / 2;
    regressor identify { m, j, c }
    regressor inertia { m, j }
}

lagrangian! {
    /// Weightless: the mass and the moment act together.
    struct Weightless { q: coordinate, m, j, l: parameter, k: parameter[2], e: parameter }
    T = (m * l^2 + j) * der(q)^2 / 2;
    Q.q = -k[0] * abs(der(q)) * der(q) - (k[1] + e) * sign(der(q));
    regressor identify { m, j }
    regressor drag { k, e }
}

#[test]
fn combinations_of_a_pendulum() {
    assert_eq!((Swing::IDENTIFY_RANK, Swing::INERTIA_RANK), (3, 2));
    assert_eq!((Weightless::IDENTIFY_RANK, Weightless::DRAG_RANK), (1, 2));
}

/// Springs and masses on a line that two coordinates share. `$unit` is a change of units.
macro_rules! coupled {
    ($name:ident, $unit:literal) => {
        lagrangian! {
            struct $name { x, y: coordinate, k, l, m, n, c: parameter }
            T = (m * der(x)^2 + n * $unit * der(y)^2) / 2;
            V = (k * x^2 + l * $unit * y^2) / 2;
            holonomic equal: x = c * y;
            regressor identify { k, l, m, n }
        }
    };
}
coupled!(Coupled, 1);
coupled!(CoupledSmall, 1e-20);
coupled!(CoupledLarge, 1e20);

lagrangian! {
    /// The motion on x = y tells k + l, although each acts in its own equation.
    #[lagrangian(redundant)]
    struct Twice { x, y: coordinate, k, l: parameter }
    T = (der(x)^2 + der(y)^2) / 2;
    V = (k * x^2 + l * y^2) / 2;
    holonomic equal: x = y;
    #[allow(deprecated)]
    holonomic again: 3 * x = 3 * y;
    regressor identify { k, l }
}

lagrangian! {
    /// A four-bar linkage: the mass of the coupler acts on both cranks.
    struct FourBar { q: coordinate[3], l: parameter[4], h: parameter[3, 2], j: parameter[3], m, g: parameter }
    let e = [[cos(q[0]), sin(q[0])], [cos(q[1]), sin(q[1])], [cos(q[2]), sin(q[2])]];
    let a = l[0] * e[0];
    let across = [-e[1].y, e[1].x];
    holonomic closed: a + l[1] * e[1] - l[2] * e[2] = [l[3], 0];
    T = sum(i in 0..3, j[i] * der(q[i])^2 / 2) + m * der(a)^2 / 2
        + h[1, 0] * dot(der(a), der(e[1])) + h[1, 1] * dot(der(a), der(across));
    V = g * (sum(i in 0..3, h[i, 0] * e[i].y + h[i, 1] * e[i].x) + m * a.y);
    regressor identify { h, j, m }
}

/// With constraints the multipliers are unknown, and states are on the constraints.
#[test]
fn combinations_with_constraints() {
    assert_eq!(Coupled::IDENTIFY_RANK, 2);
    assert_eq!(CoupledSmall::IDENTIFY_RANK, 2);
    assert_eq!(CoupledLarge::IDENTIFY_RANK, 2);
    assert_eq!(Twice::IDENTIFY_RANK, 1);
    assert_eq!(FourBar::IDENTIFY_RANK, 8);
}
