//! mistake: `pub`; only a `let` can be public

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    pub T = m * der(x)^2 / 2;
}

fn main() {}
