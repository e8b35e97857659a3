//! mistake: `for` and `sum`; not supported yet by this version

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    for i in 0..3 { V += x * i; }
    D = sum(i in 0..3, i * der(x)^2);
}

fn main() {}
