//! mistake: `g` in the regressor, which `m` before it multiplies

use lagrangian::lagrangian;

lagrangian! {
    struct Weight { z: coordinate, m, k, g: parameter }
    T = m * der(z)^2 / 2;
    V = m * g * z + k * z^2 / 2;
    regressor identify { m, k, g }
}

fn main() {}
