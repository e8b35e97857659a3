//! mistake: the `;` of the first `let`: expected `=`; nothing about the use of the name

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let a;
    T = (m + a) * der(x)^2 / 2;
}

fn main() {}
