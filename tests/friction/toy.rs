//! The woodpecker toy: a sleeve with play slides down a pole and carries a woodpecker on a spring, which pecks the pole.
//!
//! Ch. Glocker, *Dynamik von Starrkörpersystemen mit Reibung und Stössen*, VDI 1995.

use lagrangian::lagrangian;

lagrangian! {
    /// A sleeve on a pole, and a woodpecker on a spring.
    pub struct Woodpecker {
        /// Height of the sleeve.
        y: coordinate,
        /// Angle of the sleeve.
        sleeve: coordinate,
        /// Angle of the woodpecker.
        bird: coordinate,
        m_m: parameter = 0.0003,
        m_s: parameter = 0.0045,
        j_m: parameter = 5e-9,
        j_s: parameter = 7e-7,
        c: parameter = 0.0056,
        /// Radius of the pole.
        r_0: parameter = 0.0025,
        /// Inner radius and half height of the sleeve.
        r_m: parameter = 0.0031,
        h_m: parameter = 0.0058,
        /// From the sleeve to the spring, and from there to the woodpecker.
        l_m: parameter = 0.010,
        l_g: parameter = 0.015,
        /// Height and length of the beak.
        h_s: parameter = 0.02,
        l_s: parameter = 0.0201,
        mu: parameter = 0.3,
        e: parameter = 0.5,
        g: parameter = 9.81,
    }
    let body = y + l_m * sleeve + l_g * bird;
    T = (m_m * der(y)^2 + j_m * der(sleeve)^2 + m_s * der(body)^2 + j_s * der(bird)^2) / 2;
    V = m_m * g * y + m_s * g * body + c * (bird - sleeve)^2 / 2;
    contact beak: l_m + l_g - l_s - r_0 >= h_s * bird {
        slip: der(y) + l_m * der(sleeve) + (l_g - l_s) * der(bird),
        friction: mu,
        restitution: e,
    };
    contact below: r_m - r_0 + h_m * sleeve >= 0 { slip: der(y) + r_m * der(sleeve), friction: mu };
    contact above: r_m - r_0 >= h_m * sleeve { slip: der(y) + r_m * der(sleeve), friction: mu };
}
