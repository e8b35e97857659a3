use lagrangian::{lagrangian, vector};

lagrangian! {
/// A cart balances a pole: its motor pushes by the position, the angle and their rates.
/// Without the motor, at 0 of all gains, the pole falls.
struct CartPole {
    /// Position of the cart along the track.
    x: coordinate [m],
    /// Angle of the pole from upright.
    theta: coordinate [rad],
    /// Masses of the cart and of the bob.
    m_c: parameter [kg] = 1,
    m_p: parameter [kg] = 0.2,
    /// Length of the pole.
    l: parameter [m] = 0.6,
    g: parameter [m/s^2] = 9.81,
    /// Gains of the motor.
    k_x: parameter = 4,
    k_theta: parameter = 50,
    k_v: parameter = 7,
    k_omega: parameter = 12,
    /// A push on the cart.
    push: input [N],
}

pub let cart = [x, 0];
pub let bob = cart + l * [sin(theta), cos(theta)];

T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
V = m_p * g * bob.y;
Q.x = push + k_x * x + k_v * der(x) + k_theta * theta + k_omega * der(theta);
}

fn main() -> Result<(), lagrangian::Error> {
    let system = CartPole {
        m_c: 1.0,
        m_p: 0.2,
        l: 0.6,
        g: 9.81,
        k_x: 4.0,
        k_theta: 50.0,
        k_v: 7.0,
        k_omega: 12.0,
    };
    let q = vector![0.5, 0.8];
    let v = vector![0.0, 0.0];
    let u = vector![0.25];
    println!("{}", system.acceleration(&q, &v, &u)?);
    Ok(())
}
