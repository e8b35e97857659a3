//! mistake: `identity`; it has more entries than a declaration may take

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let a = identity(2000);
    T = m * der(x)^2 / 2;
}

fn main() {}
