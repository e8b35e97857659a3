//! mistake: `coord` and `param`; with the roles that are meant

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coord, m: param }
    T = m * der(x)^2 / 2;
}

fn main() {
    let _ = Cart::<f64>::COORDINATES;
}
