//! mistake: the second statement of `T`, which is not of degree 2

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    T += m * der(x)^4;
}

fn main() {}
