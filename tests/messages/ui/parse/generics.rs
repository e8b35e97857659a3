//! mistake: `<S>`; the macro adds the scalar type

use lagrangian::lagrangian;

lagrangian! {
    struct Cart<S> { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
}

fn main() {}
