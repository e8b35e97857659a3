//! mistake: the name of a constraint of which an iteration contradicts the one before, and of one that is taken

use lagrangian::lagrangian;

lagrangian! {
    struct Chain { q: coordinate[5], m: parameter }
    T = m * der(q)^2 / 2;
    for i in 0..3 {
        holonomic same: q[0] + q[1] = i;
        holonomic other: q[2] = q[3];
    }
    holonomic other: q[4] = 0;
}

fn main() {}
