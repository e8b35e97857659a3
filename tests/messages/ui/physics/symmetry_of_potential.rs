//! mistake: the symmetry `turn`, along which V changes

use lagrangian::lagrangian;

lagrangian! {
    struct Pole { x, theta: coordinate, m, l: parameter }
    T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
    V = -m * l * cos(theta);
    symmetry along: x -> 1;
    symmetry turn: theta -> 1;
}

fn main() {}
