//! mistake: `l`, `turn`, `nothing_at_all` and `missing`: each is told beside the others

use lagrangian::lagrangian;

lagrangian! {
    struct Pole { x, theta: coordinate, m, l: parameter }
    T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
    V = -m * l * cos(theta);
    regressor identify { l }
    symmetry turn: theta -> 1;
    bundle control { nothing_at_all }
    regressor other { missing }
}

fn main() {}
