//! mistake: `y` and `[0]`; a scalar coordinate has no parts

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x, z: coordinate, m: parameter, u: input }
    T = m * (der(x)^2 + der(z)^2) / 2;
    Q.x.y = u;
    Q.z[0] = u;
}

fn main() {}
