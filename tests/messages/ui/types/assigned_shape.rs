//! mistake: the new value that changes the shape of its name, or the operator that fits no such shapes

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let mut a = [x, m];
    a = x;
    let mut b = x;
    b += [x, m];
    let mut c = x;
    c *= [x, m];
    let mut d = x;
    d /= [x, m];
    T = m * der(x)^2 / 2;
}

fn main() {}
