//! mistake: `y`; the `let` that reads it is read by nothing itself

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x, y: coordinate, m: parameter }
    let height = 2 * y;
    T = m * der(x)^2 / 2;
}

fn main() {}
