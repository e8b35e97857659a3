//! mistake: the vector or matrix argument of each call; these functions take scalars

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let v = [x, m];
    let n = [[1, x], [2, m]];
    let a = sin(v);
    let b = sqrt(n);
    let c = abs(v);
    let d = atan2(x, v);
    let e = min(v, x);
    let f = hypot(v, n);
    let g = pow(x, v);
    let h = recip(v);
    let i = n.exp();
    let j = x.max(v);
    T = m * der(x)^2 / 2;
}

fn main() {}
