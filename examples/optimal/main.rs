//! Prints a cart-pole for CasADi: `cargo run --release --example optimal > cart_pole.c`.

use lagrangian::lagrangian;

lagrangian! {
    pub struct CartPole { x, theta: coordinate, m_c, m_p, l, g: parameter, u: input }
    let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
    export casadi { acceleration, state_derivative, linearize, rk4_step }
}

fn main() {
    print!("{}", CartPole::CASADI);
}
