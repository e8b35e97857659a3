//! mistake: `(a, b)`, `: f64`, `(x)` and `+=`; a `let` is one name and a value

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let (a, b) = [x, m];
    let c: f64 = x;
    let d(x) = x;
    let e += x;
    T = m * der(x)^2 / 2 + a + b + c + d + e;
}

fn main() {}
