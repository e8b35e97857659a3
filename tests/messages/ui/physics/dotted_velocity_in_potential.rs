//! mistake: `ẋ` and the `y` with a combining dot; a potential energy depends on coordinates and time

use lagrangian::lagrangian;

lagrangian! {
    struct Particle { x, y: coordinate, m, k: parameter }
    T = m * (ẋ^2 + ẏ^2) / 2;
    V = k * x * ẋ + k * ẏ;
}

fn main() {}
