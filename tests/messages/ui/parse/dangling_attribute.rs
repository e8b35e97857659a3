//! mistake: the doc comment at the end; it belongs to nothing

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    /// The energy of position.
}

fn main() {}
