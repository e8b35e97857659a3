//! mistake: the operator of each line, except the exponents of `f`, `g` and `h`; both shapes are named

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let v = [x, m];
    let w = [x, m, 1];
    let n = [[1, 2, x], [3, 4, m]];
    let a = v + w;
    let b = n - w;
    let c = v * w;
    let d = n * v;
    let e = x / v;
    let f = v^3;
    let g = x^v;
    let h = v^x;
    let i = n^2;
    let j = n * n;
    T = m * der(x)^2 / 2;
}

fn main() {}
