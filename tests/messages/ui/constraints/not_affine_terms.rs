//! mistake: `der(x)^2`; one message for the constraint, not one for each term

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x, y, z: coordinate }
    T = (der(x)^2 + der(y)^2 + der(z)^2) / 2;
    nonholonomic speed: der(x)^2 + der(y)^2 = der(z)^2 + sin(der(x));
}

fn main() {}
