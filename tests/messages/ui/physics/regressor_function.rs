//! mistake: `a` in the regressor, which stands in a function of q

use lagrangian::lagrangian;

lagrangian! {
    struct Tunnel { z: coordinate, k, a: parameter }
    T = der(z)^2 / 2;
    V = k * sin(a * z);
    regressor identify { k, a }
}

fn main() {}
