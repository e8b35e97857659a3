//! mistake: `arctan2`, `sine`, `cosine`, `sqr` and `foo`; the nearest function where there is one

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = arctan2(x, m) + sine(x) + cosine(x) + sqr(x) + foo(x);
}

fn main() {}
