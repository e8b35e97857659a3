//! Prints a cart-pole as C code: `cargo run --release --example c > cart_pole.c`. The `Makefile` in this folder does this.

use lagrangian::lagrangian;

lagrangian! {
    pub struct CartPole { x, theta: coordinate, m_c, m_p, l, g: parameter, u: input }
    let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
    export c99 { energy, rk4_step }
}

fn main() {
    print!("{}", CartPole::C99);
}
