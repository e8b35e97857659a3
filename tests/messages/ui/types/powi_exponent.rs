//! mistake: `m` and `0.5`; the exponent of `powi` is a constant integer

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = x.powi(m) + powi(x, 0.5);
}

fn main() {}
