//! mistake: the keyword of an energy that each iteration gives anew

use lagrangian::lagrangian;

lagrangian! {
    struct Chain { q: coordinate[3], m: parameter }
    for i in 0..3 {
        T = m * der(q[i])^2 / 2;
        V += q[i];
    }
}

fn main() {}
