//! Routh's procedure: a cyclic coordinate eliminated by its momentum c. The Routhian `R = L - c v`, with v
//! from `c = dL/dv`, is the Lagrangian of the others.

use lagrangian::lagrangian;
use lagrangian::nalgebra::vector;

use crate::systems::{CART_POLE, CAT, CartPole, EULER_BODY};

lagrangian! {
    /// A cart-pole without its cart.
    struct Pole { theta: coordinate, mc, mp, l, g, c: parameter }

    let coupling = mp * l * cos(theta);
    let rate = (c - coupling * der(theta)) / (mc + mp);
    L = (mc + mp) * rate^2 / 2 + coupling * rate * der(theta) + mp * l^2 * der(theta)^2 / 2;
    L += -mp * g * l * cos(theta) - c * rate;
}

#[test]
fn cart_pole_without_its_cart() {
    let system = CartPole {
        c: 0.0,
        ..CART_POLE
    };
    let (q, v) = (vector![0.2, 0.3], vector![-0.5, 0.7]);
    let p = system.momenta(&q, &v);
    let pole = Pole {
        mc: 1.0,
        mp: 0.2,
        l: 0.5,
        g: 9.81,
        c: p[0],
    };
    let a = system.acceleration(&q, &v, &vector![0.0]).unwrap();
    let (angle, rate) = (vector![q[1]], vector![v[1]]);
    let reduced = pole.acceleration(&angle, &rate).unwrap();
    assert!((reduced[0] - a[1]).abs() < 1e-13);
    // The momenta of the others are theirs, and the Hamiltonians agree.
    let momentum = pole.momenta(&angle, &rate);
    assert!((momentum[0] - p[1]).abs() < 1e-15);
    assert!((pole.velocity(&angle, &momentum).unwrap()[0] - v[1]).abs() < 1e-14);
    let [whole, part] = [
        system.hamiltonian(&q, &p),
        pole.hamiltonian(&angle, &momentum),
    ];
    assert!((whole.unwrap() - part.unwrap()).abs() < 1e-14);
    let (_, rates) = system.hamilton_equations(&q, &p, &vector![0.0]).unwrap();
    let (_, of_pole) = pole.hamilton_equations(&angle, &momentum).unwrap();
    assert!(rates[0] == 0.0 && (rates[1] - of_pole[0]).abs() < 1e-14);
}

lagrangian! {
    /// The cat without its first angle.
    struct Shape { q2, q3: coordinate, k, l, r, c: parameter, tb, tc: input }

    let s = (4 * l^2 - 3 * r^2) * sin(q3)^2;
    let m11 = k * (s + 18 * r^2);
    let m12 = k * (s + 12 * r^2);
    let rate = (c - m12 * der(q2)) / m11;
    L = m11 * rate^2 / 2 + m12 * rate * der(q2) + m12 * der(q2)^2 / 2 - c * rate;
    L += k * (4 * l^2 + 3 * r^2) * der(q3)^2 / 2;
    Q.q2 = tb;
    Q.q3 = tc;
}

#[test]
fn shape_of_the_falling_cat() {
    let (q, v, u) = (
        vector![0.1, -0.3, 0.8],
        vector![0.6, -1.2, 0.9],
        vector![0.02, -0.03],
    );
    let p = CAT.momenta(&q, &v);
    let shape = Shape {
        k: CAT.k,
        l: CAT.l,
        r: CAT.r,
        c: p[0],
    };
    let a = CAT.acceleration(&q, &v, &u).unwrap();
    let (q, v) = (vector![q[1], q[2]], vector![v[1], v[2]]);
    let reduced = shape.acceleration(&q, &v, &u).unwrap();
    assert!((reduced - vector![a[1], a[2]]).norm() < 1e-13);
    assert!((shape.momenta(&q, &v) - vector![p[1], p[2]]).norm() < 1e-15);
}

lagrangian! {
    /// A torque-free body without its first angle.
    struct Nutation { theta, phi: coordinate, i: parameter[3], c: parameter }

    let column = [-sin(phi) * cos(theta), sin(theta), cos(phi) * cos(theta)];
    let others = [cos(phi) * der(theta), der(phi), sin(phi) * der(theta)];
    let inertia = diag(i);
    let rate = (c - dot(column, inertia * others)) / dot(column, inertia * column);
    let w = column * rate + others;
    L = dot(w, inertia * w) / 2 - c * rate;
}

#[test]
fn nutation_of_a_free_body() {
    let q = vector![0.4, 0.5, 0.6, 0.0, 0.0, 0.0];
    let v = vector![0.3, -0.7, 1.1, 0.2, -0.4, 0.6];
    let p = EULER_BODY.momenta(&q, &v);
    assert!((p[0] - 1.16589838345313).abs() < 1e-13);
    let nutation = Nutation {
        i: EULER_BODY.i,
        c: p[0],
    };
    let a = EULER_BODY.acceleration(&q, &v).unwrap();
    let (angles, rates) = (vector![q[1], q[2]], vector![v[1], v[2]]);
    let reduced = nutation.acceleration(&angles, &rates).unwrap();
    assert!((reduced - vector![a[1], a[2]]).norm() < 1e-12);
    // By momenta alone: the rates that the whole body has at them.
    let momenta = vector![p[1], p[2]];
    let found = nutation.velocity(&angles, &momenta).unwrap();
    assert!((found - rates).norm() < 1e-13);
}
