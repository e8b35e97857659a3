//! mistake: `L`; it cannot be read

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    L = m * der(x)^2 / 2;
    pub let action = L;
}

fn main() {}
