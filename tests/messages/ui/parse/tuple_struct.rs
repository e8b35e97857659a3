//! mistake: `(f64)`; fields have names

use lagrangian::lagrangian;

lagrangian! {
    struct Cart(f64);
    T = der(x)^2 / 2;
}

fn main() {}
