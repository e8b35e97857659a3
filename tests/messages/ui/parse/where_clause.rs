//! mistake: `where .. Copy`; to be removed

use lagrangian::lagrangian;

lagrangian! {
    struct Cart where f64: Copy { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
}

fn main() {}
