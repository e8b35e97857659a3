//! mistake: `height`; an output has one value

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    pub let mut height = 2 * x;
    height += 1;
    T = m * der(x)^2 / 2;
}

fn main() {}
