//! mistake: `carte`; the only option is `crate`

use lagrangian::lagrangian;

lagrangian! {
    #[lagrangian(carte = ::lagrangian)]
    struct Cart { x: coordinate }
    T = der(x)^2 / 2;
}

fn main() {}
