//! mistake: the second struct, and nothing of what is generated for it

use lagrangian::lagrangian;

lagrangian! {
    pub struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
}

lagrangian! {
    pub(crate) struct Cart { x, y: coordinate, t: time, m: parameter[2], k: parameter = 1, u: input }
    pub let place = x * t;
    T = m[0] * der(x)^2 / 2 + m[1] * der(y)^2 / 2;
    Q.x = k * u;
    holonomic guide: x = y;
}

lagrangian! {
    struct Twin { x: coordinate }
    T = der(x)^2 / 2;
    bundle both { momenta, energy }
}

lagrangian! {
    struct Twin { x: coordinate }
    T = der(x)^2 / 2;
    bundle both { momenta, energy }
}

// One of the same name elsewhere is another one.
mod elsewhere {
    lagrangian::lagrangian! {
        pub struct Cart { x: coordinate, k: parameter }
        T = k * der(x)^2 / 2;
    }
}

fn main() {
    let q = [1.0].into();
    let energy = Cart::new(1.0).kinetic_energy(&q, &q) + elsewhere::Cart::new(1.0).kinetic_energy(&q, &q);
    lagrangian! {
        struct Cart { x: coordinate, z: parameter }
        T = z * der(x)^2 / 2;
    }
    let _: f64 = energy + Cart::new(1.0).kinetic_energy(&q, &q);
}
