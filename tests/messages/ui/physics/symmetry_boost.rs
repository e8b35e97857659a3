//! mistake: the symmetry `boost`, which is that of Galilei

use lagrangian::lagrangian;

lagrangian! {
    struct Free { x: coordinate, t: time, m: parameter }
    T = m * der(x)^2 / 2;
    symmetry boost: x -> t;
}

fn main() {}
