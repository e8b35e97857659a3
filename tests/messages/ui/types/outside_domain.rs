//! mistake: the argument of each call, and the `^`; they have no finite value there

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let a = ln(0);
    let b = sqrt(-1);
    let c = asin(2);
    let d = ln(1 - 1);
    let e = (-1)^0.5;
    T = m * der(x)^2 / 2;
}

fn main() {}
