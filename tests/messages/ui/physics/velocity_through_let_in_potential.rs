//! mistake: `speed` in the potential energy; it is a velocity

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m, k: parameter }
    let speed = der(x);
    T = m * speed^2 / 2;
    V = k * speed;
}

fn main() {}
