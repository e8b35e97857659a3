//! mistake: `==`; a statement has one `=`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T == m * der(x)^2 / 2;
}

fn main() {}
