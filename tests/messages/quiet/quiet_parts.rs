//! No warning: `allow` on the statement, the struct or the module is enough, and `V = 0` is explicit.

#![deny(warnings)]

use lagrangian::lagrangian;

lagrangian! {
    struct OnStatements { x: coordinate, m, k: parameter }
    T = m * der(x)^2 / 2;
    V = 0;
    #[allow(deprecated)]
    force [k, 0] at [1, 0];
    #[allow(deprecated)]
    body { at: [x, 0] }
    #[allow(deprecated)]
    gravity [0, -9.81];
    /// In degrees on purpose.
    #[allow(deprecated)]
    pub let far = sin(90) * x;
    #[allow(unused_variables)]
    frame Spare = world.translate([x, 0, 0]);
}

lagrangian! {
    struct Weightless { y: coordinate, m, c, g: parameter }
    body { mass: m, at: [0, y] }
    gravity [0, -g];
    #[allow(deprecated)]
    V = -m * g * y;
    damper { c: c, from: [0, 0], to: [0, y] }
    #[allow(deprecated)]
    D = c * der(y)^2 / 2;
}

lagrangian! {
    #[allow(deprecated, unused)]
    struct OnStruct { x: coordinate, t: time, m, k: parameter }
    T = m * der(x)^2 / 2;
    spring { k: k, from: [0, 0], to: [1, 0] }
    frame Spare = world.translate([x, 0, 0]);
}

// In a loop, too; what is across the way, and what a loop counts, is quiet by itself.
lagrangian! {
    struct InLoop { x: coordinate[2], m, k: parameter, u: input }
    frame mut End = world;
    for i in 0..2 {
        T += m * der(x[i])^2 / 2;
        V += k * cos(10 * i) * x[i];
        #[allow(deprecated)]
        force [k, 0] at [i, 0];
        force [0, k] at [x[i], 0];
        End = End.rotate(z, x[i]);
    }
    torque [u, 0, 0] on End;
}

#[allow(deprecated)]
mod inner {
    lagrangian::lagrangian! {
        pub struct InModule { x, y: coordinate, m: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic together: (x - y)^2 = 0;
    }
}

// The token of a warning may come from a macro.
macro_rules! declare {
    ($name:ident, $force:expr) => {
        lagrangian! {
            struct $name { x: coordinate, m, k: parameter }
            T = m * der(x)^2 / 2;
            #[allow(deprecated)]
            force $force at [1, 0];
            V = k * x;
        }
    };
}

declare!(FromMacro, [k, 0]);

pub(super) fn main() {
    let _ = inner::InModule { m: 1.0 };
}
