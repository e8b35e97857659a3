//! mistake: `pull` in the potential energy; it brings in the input `u`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u: input }
    let pull = x * u;
    T = m * der(x)^2 / 2;
    V = pull;
}

fn main() {}
