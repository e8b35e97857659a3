//! mistake: the bundle `both`, in a loop

use lagrangian::lagrangian;

lagrangian! {
    struct Pole { x, theta: coordinate, m, l: parameter, u: input }
    T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
    V = -m * l * cos(theta);
    Q.x = u;
    for i in 0..2 {
        bundle both { bias, momenta }
    }
}

fn main() {}
