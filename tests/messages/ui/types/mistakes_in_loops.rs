//! mistake: the index, the divisor and the term that are wrong in some iterations, each once

use lagrangian::lagrangian;

lagrangian! {
    struct Chain { q: coordinate[3], m: parameter }
    T = m * der(q)^2 / 2;
    for i in 0..3 {
        V += (q[i + 1] - q[i])^2;
        V += q[i] / (i - 1);
        for j in 0..2 { V += q[i * 2 + j]; }
    }
    D = sum(i in 0..2, if i < 1 { der(q[0]) } else { der(q[1]) } * [1, m, 3][i + 2]);
}

fn main() {}
