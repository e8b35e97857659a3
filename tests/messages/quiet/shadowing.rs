//! A `let` shadows a `let`, an output a `let`, and the words of statements are names.

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct Cart {
        force, frame, body: coordinate,
        gravity, at, on, z, S, q, v, p, input: parameter,
        t: time,
        u: input,
    }
    let a = gravity + at * on + z + S + q + v + p + input + t;
    let a = a * a;
    pub let a = a + 1;
    T = (der(force)^2 + der(frame)^2 + der(body)^2) / 2;
    V = a * force;
    Q.body = u;
    force [u, 0] at [force, frame];
}
