//! mistake: `x.y`, `f(x)` and `x + 1`; only a name can be assigned to

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    x.y = 2;
    f(x) = x^2;
    x + 1 = 2;
    T = m * der(x)^2 / 2;
}

fn main() {}
