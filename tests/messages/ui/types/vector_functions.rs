//! mistake: the argument of the wrong shape, or the function where two arguments do not fit each other

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let v = [x, m];
    let w = [x, m, 1];
    let n = [[1, 2, x], [3, 4, m]];
    let a = dot(v, w);
    let b = dot(v, x);
    let c = cross(v, w);
    let d = cross([x, 1, 2, 3], [1, 2, 3, x]);
    let e = norm(x);
    let f = transpose(x);
    let g = trace(n);
    let h = trace(v);
    let i = diag(n);
    let j = diag(x, v);
    let k = identity(x);
    let l = identity(0);
    let o = outer(v, x);
    let p = norm(n);
    T = m * der(x)^2 / 2;
}

fn main() {}
