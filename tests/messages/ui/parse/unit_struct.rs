//! mistake: `;` behind the name; a system has fields

use lagrangian::lagrangian;

lagrangian! {
    struct Cart;
    T = der(x)^2 / 2;
}

fn main() {}
