//! mistake: the bounds that are no constant integers, in the wrong order, or too far apart

use lagrangian::lagrangian;

lagrangian! {
    struct Chain { q: coordinate[3], m: parameter }
    T = m * der(q)^2 / 2;
    for i in 3..0 { V += q[i]; }
    for i in 0..m { V += q[i]; }
    for i in 0..2.5 { V += q[i]; }
    for i in 0..1000000000 { V += q[i]; }
    for i in 0..3 { for j in i + 1..3 { V += q[i] * q[j]; } }
    D = sum(i in 0..0, der(q[i])^2);
}

fn main() {}
