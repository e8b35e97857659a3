//! The order of statements is free, and `+=` needs no `=` before it.

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m, k: parameter, u: input }
    Q.x += u;
    D += k * der(x)^2;
    V += k * x^2;
    T += m * der(x)^2 / 2;
    T += m * der(x)^2 / 4;
    let mut last = x;
    last += 1;
    V += last;
}
