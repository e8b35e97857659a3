//! mistake: the bounds of the loop with which all loops together are too long

use lagrangian::lagrangian;

lagrangian! {
    struct Chain { q: coordinate, m: parameter }
    T = m * der(q)^2 / 2;
    for i in 0..1000 {
        for j in 0..1000 {
            V += q;
        }
    }
}

fn main() {}
