//! Systems whose derivatives are too long to be written out: by rows.

use lagrangian::lagrangian;
use num_dual::Dual64;

use crate::check::{Random, check};

lagrangian! {
    /// Rods in a row in space, each turning about two axes, the last on a line and driven.
    struct Chain {
        a, b: coordinate[6],
        m, l: parameter = 0.8,
        u: input[2],
    }

    frame mut End = world;
    for i in 0..6 {
        End = End.rotate(x, a[i]).rotate(y, b[i]);
        T += m * velocity(End.translate([0, 0, l]))^2 / 2;
        V += m * 9.81 * End.point([0, 0, l]).z;
        End = End.translate([0, 0, l]);
    }
    Q.a = [u[0] * cos(b[1]), 0, 0, -der(a[2]) * a[1], 0, 0];
    force [0, u[1], 0] at End.origin;
    holonomic rail: End.origin.x = 0.3 * End.origin.y^2;
}

#[test]
fn derivatives_by_rows() {
    let (system, dual) = (Chain::<f64>::default(), Chain::<Dual64>::default());
    let mut random = Random(0xC0FFEE);
    for _ in 0..2 {
        let (q, v, u) = (random.vector(), random.vector(), random.vector());
        let (q, v) = system.project(&(q * 0.3), &v).expect("near");
        check((&system, &dual), &(0.0, q, v, u));
    }
}

lagrangian! {
    /// Without forces, and with matrices each of which is small, but not both together.
    struct Coupled {
        q: coordinate[24],
        m: parameter = 0.8,
    }

    for i in 0..24 {
        T += m * (2 + sin(q[i])) * der(q[i])^2 / 2;
    }
}

#[test]
fn derivatives_that_are_large_together() {
    let (system, dual) = (Coupled::<f64>::default(), Coupled::<Dual64>::default());
    let mut random = Random(0xC0FFEE);
    let (q, v, u) = (random.vector(), random.vector(), random.vector());
    check((&system, &dual), &(0.0, q, v, u));
}
