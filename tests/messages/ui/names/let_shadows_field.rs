//! mistake: the `let` names `x`, `m`, `u` and `t`; only a `let` shadows a `let`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u: input, t: time }
    let x = 2;
    let m = 3;
    let u = 4;
    pub let t = 5;
    T = m * der(x)^2 / 2;
}

fn main() {}
