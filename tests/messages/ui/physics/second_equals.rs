//! mistake: the second `V`, `D` and `Q`; `+=` adds

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = x;
    V = x^2;
    D = der(x)^2;
    D = m * der(x)^2;
    Q.x = m;
    Q.x = m * x;
}

fn main() {}
