//! mistakes: `f64`, the `;` between fields, `**`, the missing `;` behind `x`, `m` behind `2`, `let (a, b)`, the lone `;`: one message each

use lagrangian::lagrangian;

lagrangian! {
    pub struct Cart {
        x: coordinate,
        m: f64,
        k: parameter;
        u: input,
    }
    pub let height = 2 * x
    let (a, b) = [x, m];
    T = m * der(x) ** 2 / 2;
    V = k * x^2 / 2 m;
    D = ;
    Q.x = u + a + b;
}

fn main() {
    let cart = Cart { m: 1.0, k: 2.0 };
    let (q, v, u) = (Default::default(), Default::default(), Default::default());
    let _ = cart.height(&q);
    let _ = cart.acceleration(&q, &v, &u);
}
