//! mistake: the `V` of the last statement; it would replace what was added

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V += x;
    V = x^2;
}

fn main() {}
