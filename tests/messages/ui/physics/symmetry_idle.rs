//! mistake: the symmetry `nothing`, which moves nothing

use lagrangian::lagrangian;

lagrangian! {
    struct Pole { x, theta: coordinate, m, l: parameter, u: input }
    T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
    V = -m * l * cos(theta);
    Q.x = u;
    symmetry nothing: x -> 0;
}

fn main() {}
