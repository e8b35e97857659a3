//! mistake: the second `m` and the second `x`; what they are already is said

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, m: parameter, k, x: parameter }
    T = m * der(x)^2 / 2;
    V = k * x;
}

fn main() {
    let _ = Cart { m: 1.0, k: 2.0 };
}
