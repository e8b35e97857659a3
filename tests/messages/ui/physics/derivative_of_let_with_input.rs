//! mistake: `pull` within `der`; it depends on the input `u`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u: input }
    let pull = x * u;
    T = m * der(x)^2 / 2;
    Q.x = der(pull);
}

fn main() {}
