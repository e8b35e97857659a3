//! mistake: the first surplus argument, or the closing `)` where one is missing

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let a = sin();
    let b = cos(x, m);
    let c = atan2(x);
    let d = atan2(x, m, 3);
    let e = der();
    let f = der(x, m);
    let g = diag();
    let h = x.sin(2);
    let i = x.powi();
    let j = dot([x, m]);
    let k = min(x, m, 3);
    T = m * der(x)^2 / 2;
}

fn main() {}
