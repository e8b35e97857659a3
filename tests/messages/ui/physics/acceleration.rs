//! mistake: the outer `der` of `der(der(x))`; no expression contains accelerations

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    D = der(der(x))^2;
}

fn main() {
    let cart = Cart { m: 1.0 };
    let (q, v) = (lagrangian::vector![0.0], lagrangian::vector![1.0]);
    let _ = cart.acceleration(&q, &v);
}
