//! mistake: the last `der`; `v` is a velocity

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let v = der([x, 2 * x]);
    T = m * v^2 / 2;
    pub let a = der(v);
}

fn main() {}
