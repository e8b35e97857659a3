//! mistake: `3kg` and `1.5u8`; no numbers

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = x * 3kg + x * 1.5u8;
}

fn main() {}
