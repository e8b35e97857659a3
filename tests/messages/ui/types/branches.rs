//! mistake: `[x, m]` and `x` of the other branches, whose shapes differ from the first

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let a = if x < 0 { x } else { [x, m] };
    let b = if x < 0 { [x, m] } else if x > 1 { [m, x] } else { x };
    T = m * der(x)^2 / 2;
}

fn main() {}
