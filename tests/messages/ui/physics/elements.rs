//! mistake: the declaration of an array of which some elements nothing depends on

use lagrangian::lagrangian;

lagrangian! {
    struct Chain { q: coordinate[3], R: coordinate[2, 2] }
    T = der(q[1])^2 / 2 + der(R[0, 0])^2 + der(R[0, 1])^2 + der(R[1, 1])^2;
}

fn main() {}
