//! mistake: the default that is no constant, of another shape, or beyond every number

use lagrangian::lagrangian;

lagrangian! {
    struct Cart {
        x: coordinate,
        m: parameter,
        a: parameter = 2 * m,
        b: parameter = x,
        c: parameter = [1, 2],
        d: parameter = 1 / 0,
        e: parameter = 1e999,
        f: parameter = sqrt(-1),
        g: parameter = undeclared,
    }
    T = (m + a + b + c + d + e + f + g) * der(x)^2 / 2;
}

fn main() {}
