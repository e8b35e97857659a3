//! mistakes: `k` and the second statement of `T`; nothing is said of inertia as long as T is none

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x, y, z: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = k * x^2 + y * z;
    T += der(y)^3;
}

fn main() {}
