//! mistake: the symmetry `along`, along which the constraint changes

use lagrangian::lagrangian;

lagrangian! {
    struct Bead { x, y: coordinate, m, l: parameter }
    T = m * der([x, y])^2 / 2;
    holonomic rod: x^2 + y^2 = l^2;
    symmetry along: x -> 1;
}

fn main() {}
