//! mistakes: `der` in `a`, the sides of `b`, `der(x)^2` in `c`, `d`, the name of the second `e`, `g`: one message each

use lagrangian::lagrangian;

lagrangian! {
    pub struct Linkage {
        x, y, z: coordinate,
        m, r: parameter,
    }
    pub let tip = [x, y, z];
    T = m * der(tip)^2 / 2;
    holonomic a: der(x) = r;
    holonomic b: tip = [x, y];
    nonholonomic c: der(y) = r * der(x)^2;
    holonomic d: r = r;
    holonomic e: x = r * y;
    holonomic e: z = x * y;
    holonomic g: r * x = r^2 * y;
}

fn main() {
    let linkage = Linkage { m: 1.0, r: 2.0 };
    let q = lagrangian::vector![1.0, 2.0, 3.0];
    let _ = linkage.tip(&q);
    let _ = linkage.constraint_jacobian(&q);
}
