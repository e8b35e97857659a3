//! mistake: each `#[hessian]`; only a scalar has a Hessian

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    #[hessian]
    pub let place = [x, 2 * x];
    #[hessian]
    pub let table = [[x, 1], [2, x]];
    T = m * der(x)^2 / 2;
}

fn main() {
    let cart = Cart { m: 1.0 };
    let (q, v) = ([1.0].into(), [2.0].into());
    let _ = (cart.place_rate(&q, &v), cart.place_jacobian(&q), cart.table(&q));
}
