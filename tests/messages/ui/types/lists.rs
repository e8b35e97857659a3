//! mistake: the first element that does not fit those before it, the matrix, and the empty list

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let a = [x, [1, 2]];
    let b = [[1, 2], [1, 2, 3]];
    let c = [[1, 2], x];
    let d = [[[1, x], [2, m]]];
    let e = [];
    T = m * der(x)^2 / 2;
}

fn main() {}
