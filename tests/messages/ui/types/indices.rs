//! mistake: the index or component that is not there, is no constant, or is one too many

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let v = [x, m];
    let n = [[1, 2, x], [3, 4, m]];
    let a = v[2];
    let b = v[-1];
    let c = v[x];
    let d = v[0.5];
    let e = v[0, 1];
    let f = n[2];
    let g = n[0, 3];
    let h = n[0, 1, 2];
    let i = x[0];
    let j = v.z;
    let k = x.y;
    let l = n.x;
    let o = [1, 2, 3, x].z;
    T = m * der(x)^2 / 2;
}

fn main() {}
