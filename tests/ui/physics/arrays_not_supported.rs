//! mistake: the size of each array; not supported yet by this version

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { r: coordinate[2], m: parameter, k: parameter[3], u: input[2] }
    T = m * der(r)^2 / 2;
    V = k[0] * r.x;
    Q.r = u;
}

fn main() {}
