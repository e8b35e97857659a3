//! mistake: the default that has another shape, or whose elements are not all finite

use lagrangian::lagrangian;

lagrangian! {
    struct Chain {
        q: coordinate,
        a: parameter[3] = [1, 2],
        b: parameter[2, 2] = [1, 2, 3, 4],
        c: parameter = [1, 2],
        d: parameter[2] = [1, ln(cos(1) - 1)],
        f: parameter[2] = [1, 2 + 1],
    }
    T = a[0] * b[0, 0] * c * d[0] * f[0] * der(q)^2;
}

fn main() {
    let Chain::<f64> { a: [_, _, _], b: [[_, _], _], .. } = Chain::default();
}
