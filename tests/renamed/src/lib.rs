//! Uses `lagrangian` under other names, and as strictly as a careful user would: any warning, missing
//! documentation included, is an error.

#![no_std]
#![forbid(unsafe_code)]
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    unused_qualifications,
    clippy::all,
    clippy::pedantic
)]

use mechanics::lagrangian;

lagrangian! {
    /// A cart that carries an inverted pendulum.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[lagrangian(crate = mechanics)]
    pub struct CartPole {
        /// Position of the cart along the track [m].
        x: coordinate,
        /// Angle of the pole from upright [rad].
        theta: coordinate,
        /// Mass of the cart [kg].
        m_c: parameter,
        /// Mass of the bob [kg].
        m_p: parameter,
        /// Length of the pole [m].
        l: parameter,
        /// Gravity [m/s^2].
        g: parameter = 9.81,
        /// Horizontal force on the cart [N].
        u: input,
    }

    /// Position of the bob [m].
    pub let bob = [x + l * sin(theta), l * cos(theta)];
    /// Power of the force [W].
    pub let power = u * der(x);

    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;

    /// Columns of the masses.
    regressor identify { m_c, m_p }
    /// Momentum along the track.
    symmetry along: x -> 1;
    /// Quantities for a controller.
    bundle control { mass_matrix, bias, bob, bob_jacobian, power, identify, along, acceleration_unchecked }
}

/// Another path to the same crate, as a crate that wraps it would have.
pub mod wrapped {
    pub use mechanics as dynamics;

    mechanics::lagrangian! {
        /// A pendulum whose pivot shakes.
        #[derive(Clone, Debug)]
        #[lagrangian(crate = crate::wrapped::dynamics)]
        pub struct Kapitza {
            /// Time [s].
            t: time,
            /// Angle from upright [rad].
            theta: coordinate,
            /// Amplitude of the pivot [m].
            amplitude: parameter = 0.1,
            /// Frequency of the pivot [rad/s].
            omega: parameter = 100,
        }

        let bob = [sin(theta), amplitude * cos(omega * t) + cos(theta)];
        T = der(bob)^2 / 2;
        V = 9.81 * bob.y;
    }
}

lagrangian! {
    /// A particle with a Lagrangian that is not quadratic, under a path from the root.
    #[derive(Clone, Debug)]
    #[lagrangian(crate = ::mechanics)]
    pub struct Relativistic {
        /// Position [m].
        x: coordinate,
        /// Speed of light [m/s].
        c: parameter = 1,
    }

    L = -c^2 * sqrt(1 - der(x)^2 / c^2);
}

#[cfg(test)]
mod tests {
    use mechanics::System;
    use mechanics::nalgebra::{Vector1, Vector2};

    use super::{CartPole, Relativistic, wrapped::Kapitza};

    #[test]
    fn generated_methods_are_there() {
        let system = CartPole {
            m_c: 1.0,
            m_p: 0.1,
            l: 0.5,
            g: 9.81,
        };
        let zero = Vector2::zeros();
        let u = Vector1::new(2.0);
        let a = system.acceleration(&zero, &zero, &u);
        let expected = Vector2::new(2.0, -4.0);
        assert!(a.is_ok_and(|a| (a - expected).norm() < 1e-12));
        assert_eq!(System::acceleration(&system, 0.0, &zero, &zero, &u), a);
        let zero = Vector1::zeros();
        let upright = Kapitza::default().acceleration(0.0, &zero, &zero);
        assert_eq!(upright, Ok(zero));
        let free = Relativistic::default().acceleration(&zero, &Vector1::new(0.5));
        assert_eq!(free, Ok(zero));
    }
}
