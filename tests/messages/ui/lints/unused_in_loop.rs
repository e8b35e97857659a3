//! warning of rustc: the `let` that no iteration reads, and the array; `edge` is read by the last one

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Chain { q: coordinate[3], m, k: parameter[3] }
    for i in 0..3 {
        let height = 2 * q[i];
        let edge = q[i];
        let _left = q[i];
        T += m[i] * der(q[i])^2 / 2;
        V += if i < 2 { 0 } else { edge };
    }
}

fn main() {}
