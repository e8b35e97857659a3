//! mistake: the `2` that ends the first statement; a `;` is missing behind it

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m, k: parameter }
    T = m * der(x)^2 / 2
    V = k * x^2 / 2;
}

fn main() {}
