//! mistake: each divisor, and the bases of the negative powers; they are zero

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let a = x / 0;
    let b = x / (2 - 2);
    let c = 1 / 0.0;
    let d = 0^-1;
    let e = recip(0);
    let f = [x, m] / 0;
    let mut g = x;
    g /= 0;
    T = m * der(x)^2 / 2;
}

fn main() {}
