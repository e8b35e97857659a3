//! mistake: `forse` and `dampr`; with the statements that are meant

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u: input }
    T = m * der(x)^2 / 2;
    forse [u, 0] at [x, 0];
    dampr { c: 1, from: [0, 0], to: [x, 0] }
}

fn main() {}
