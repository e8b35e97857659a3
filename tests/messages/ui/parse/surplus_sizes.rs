//! mistake: `4`, `3`, `[2]` of the time and the second brackets; a role has only so many sizes

use lagrangian::lagrangian;

lagrangian! {
    struct Cart {
        x: coordinate,
        a: parameter[2, 3, 4],
        u: input[2, 3],
        t: time[2],
        b: parameter[2][3],
    }
    T = der(x)^2 / 2;
}

fn main() {}
