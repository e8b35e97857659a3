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

fn main() {}
