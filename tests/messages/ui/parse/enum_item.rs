//! mistake: `enum`; a system is a `struct`

use lagrangian::lagrangian;

lagrangian! {
    pub enum Cart { X, Y }
    T = m * der(x)^2 / 2;
}

fn main() {}
