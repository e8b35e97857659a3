//! mistake: options that are none, come twice or take no value; `L` has no Coriolis matrix

use lagrangian::lagrangian;

lagrangian! {
    #[lagrangian(coriolis_matrix, coriolis_matrix)]
    struct Twice { x: coordinate }
    T = der(x)^2 / 2;
}

lagrangian! {
    #[lagrangian(coriolis_matrix = true)]
    struct Value { x: coordinate }
    T = der(x)^2 / 2;
}

lagrangian! {
    #[lagrangian(coriolis_matrix)]
    struct Lagrangian { x: coordinate }
    L = der(x)^2 / 2;
}

fn main() {}
