//! mistake: `0` where a variable is missing, and the `)` of the sum without an expression

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let a = sum(0..2, x);
    let b = sum(i in 0..2);
    T = m * der(x)^2 / 2;
}

fn main() {}
