//! mistake: the name of the system, which a macro in sight has

use lagrangian::lagrangian;

macro_rules! Cart {
    () => {};
}

lagrangian! {
    struct Cart { x: coordinate }
    T = der(x)^2 / 2;
}

Cart!();

fn main() {}
