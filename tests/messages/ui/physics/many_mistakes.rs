//! mistakes: the `der` in V, `u` in T, `z`, the outer `der`, the second `D`, `L`, the point's `der`: one message each

use lagrangian::lagrangian;

lagrangian! {
    pub struct Particle {
        x, y, z: coordinate,
        m, k: parameter,
        u: input,
    }
    pub let place = [x, y];
    T = m * der(place)^2 / 2 + u;
    V = k * x * der(y);
    D = der(der(x));
    D = k * der(x)^2;
    L = m;
    force [u, 0] at [x, der(y)];
}

fn main() {
    let particle = Particle { m: 1.0, k: 2.0 };
    let q = lagrangian::vector![1.0, 2.0, 3.0];
    let _ = particle.place(&q);
    let _ = particle.momenta(&q, &q);
}
