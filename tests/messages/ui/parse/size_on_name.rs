//! mistake: `[2]` behind the name; it belongs to the role

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x[2]: coordinate }
    T = der(x)^2 / 2;
}

fn main() {}
