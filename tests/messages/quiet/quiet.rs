//! No warning: an underscore, `allow`, or a use in any one statement is enough.

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Cart {
        x: coordinate,
        m: parameter,
        _spare: parameter,
        #[allow(unused_variables)]
        k: parameter,
        /// Kept for later.
        #[allow(unused_variables)]
        u: input,
        t: time,
        c: parameter,
        w: input,
    }
    let _height = 2 * x;
    #[allow(unused_variables)]
    let width = 2 * x;
    pub let clock = t;
    T = m * der(x)^2 / 2;
    D = c * der(x)^2 / 2;
    Q.x = w;
}

lagrangian! {
    struct Twice { x, phi: coordinate, m, k: parameter }
    T = m * (der(x)^2 + der(phi)^2) / 2;
    V = k * x^2 / 2;
    /// On purpose.
    #[allow(deprecated)]
    Q.x = -k * x;
    #[allow(deprecated)]
    for i in 0..1 {
        force [-k * x, i] at [x, 0];
    }
    #[allow(deprecated)]
    nonholonomic roll: der(x) = der(phi);
    #[allow(unused_variables)]
    for i in 0..2 {
        let spare = i * x;
    }
}
