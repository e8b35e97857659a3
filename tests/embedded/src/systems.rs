//! The systems that run on both machines: a cart-pole under its feedback, and a four-bar linkage kept closed.

use lagrangian::nalgebra::{RealField, SVector};
use lagrangian::{Error, lagrangian, vector};

lagrangian! {
    /// A cart that carries an inverted pendulum.
    pub struct CartPole {
        x, theta: coordinate,
        m_c, m_p, l: parameter,
        g: parameter = 9.81,
        u: input,
    }
    pub let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
    export c99 { mass_matrix, acceleration, acceleration_unchecked, linearize }
}

lagrangian! {
    /// A four-bar linkage: two angles of bars about fixed pivots, one of the bar between.
    pub struct FourBar {
        a, b, c: coordinate,
        m: parameter = 1,
        g: parameter = 9.81,
        torque: input,
    }
    let elbow = 0.2 * [cos(a), sin(a)];
    let half = elbow + 0.3 * [cos(b), sin(b)];
    let knee = elbow + 0.6 * [cos(b), sin(b)];
    T = 0.05 * der(a)^2 + m * der(half)^2 / 2 + 0.03 * der(b)^2 / 2 + 0.02 * der(c)^2;
    V = m * g * half.y;
    Q.a = torque;
    holonomic close: knee = [0.5, 0] + 0.4 * [cos(c), sin(c)];
    export c99 { mass_matrix, solve, project, linearize }
}

/// The motion of the two systems, in the numbers that are compared between the machines.
pub struct Numbers<S> {
    /// x, theta and their rates after each second.
    pub cart: [[S; 4]; 5],
    /// a, b, c, their rates and the multipliers after each half second.
    pub linkage: [[S; 8]; 4],
}

/// A step of 2 ms.
const STEPS_A_SECOND: usize = 500;

/// K of u = -K [x, theta, x', theta'] for the parameters below, by `lqr` as in the example `cart_pole`.
const GAINS: [f64; 4] = [-3.162_277_66, -38.933_091_36, -4.302_428_31, -8.364_261_12];

/// The number in the scalar of the machine.
pub fn of<S: RealField>(number: f64) -> S {
    lagrangian::nalgebra::convert(number)
}

/// A cart that carries a pole.
pub fn cart_pole<S: RealField + Copy>() -> CartPole<S> {
    CartPole {
        m_c: of(1.0),
        m_p: of(0.2),
        l: of(0.5),
        g: of(9.81),
    }
}

/// A linkage with a motor.
pub fn four_bar<S: RealField + Copy>() -> FourBar<S> {
    FourBar {
        m: of(1.0),
        g: of(9.81),
    }
}

/// The rest position of the linkage, before it is closed.
pub fn nearly_closed<S: RealField + Copy>() -> SVector<S, 3> {
    vector![of(1.0), of(0.3), of(1.6)]
}

/// Semi-implicit Euler steps of both.
///
/// # Errors
///
/// The errors of `acceleration`, `solve` and `project`.
pub fn run<S: RealField + Copy>() -> Result<Numbers<S>, Error> {
    let dt: S = of(1.0 / STEPS_A_SECOND as f64);
    let mut numbers = Numbers {
        cart: [[S::zero(); 4]; 5],
        linkage: [[S::zero(); 8]; 4],
    };

    let cart = cart_pole::<S>();
    let mut q = vector![S::zero(), of(0.2)];
    let mut v = vector![S::zero(), S::zero()];
    for second in &mut numbers.cart {
        for _ in 0..STEPS_A_SECOND {
            let [k0, k1, k2, k3] = GAINS.map(of::<S>);
            let u = -(k0 * q.x + k1 * q.y + k2 * v.x + k3 * v.y);
            v += cart.acceleration(&q, &v, &vector![u])? * dt;
            q += v * dt;
        }
        *second = [q.x, q.y, v.x, v.y];
    }

    let linkage = four_bar::<S>();
    let (mut q, mut v) = linkage.project(&nearly_closed(), &SVector::zeros())?;
    for part in &mut numbers.linkage {
        let mut lambda = SVector::<S, 2>::zeros();
        for _ in 0..STEPS_A_SECOND / 2 {
            let motion = linkage.solve(&q, &v, &vector![of(0.5)])?;
            v += motion.acceleration * dt;
            q += v * dt;
            (q, v) = linkage.project(&q, &v)?;
            lambda = motion.multipliers;
        }
        *part = [q.x, q.y, q.z, v.x, v.y, v.z, lambda.x, lambda.y];
    }
    Ok(numbers)
}
