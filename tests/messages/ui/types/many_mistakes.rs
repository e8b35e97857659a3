//! mistakes: the `+`, the third component, the surplus `2`, `v` of the cosine, `force`, the division by zero, the index: one message each

use lagrangian::lagrangian;

lagrangian! {
    pub struct Cart {
        x, y: coordinate,
        m: parameter,
        u: input,
    }
    pub let place = [x, y];
    let v = der(place);
    let a = place + 1;
    let b = a.x + place.z;
    T = m * v^2 / 2 + sin(x, 2) + b;
    V = m * cos(v) / 0;
    force [u, 0, 0] at place;
    Q.x = place[2];
}

fn main() {
    let cart = Cart { m: 1.0 };
    let _ = cart.place(&lagrangian::vector![1.0, 2.0]);
    let _ = (Cart::<f64>::COORDINATES, Cart::<f64>::CYCLIC);
}
