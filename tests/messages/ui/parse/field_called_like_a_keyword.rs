//! mistake: `type`; as a name it is `r#type`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, type: parameter }
    T = der(x)^2 / 2;
}

fn main() {}
