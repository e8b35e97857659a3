//! mistake: `u` in the kinetic and `w` in the potential energy; an input may not occur there

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter, u, w: input }
    T = m * u * der(x)^2 / 2;
    V = m * x * w;
    Q.x = u + w;
}

fn main() {
    let cart = Cart { m: 1.0 };
    let (q, u) = (lagrangian::vector![0.0], lagrangian::vector![0.0, 1.0]);
    let _ = cart.forcing(&q, &q, &u);
}
