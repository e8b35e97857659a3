//! Linkages of many parts, in redundant coordinates.

use lagrangian::lagrangian;

#[path = "../../../../tests/shared/scissor.rs"]
mod declared;
use declared::scissor;

/// Declares rods by the places of their centres and their angles, held together by joints.
macro_rules! rods {
    ($name:ident, $n:literal) => {
        lagrangian! {
            pub struct $name {
                p: coordinate[$n, 2],
                t: coordinate[$n],
                m, l: parameter[$n] = 1,
                j: parameter[$n] = 1 / 12,
                g: parameter = 9.81,
            }
            for i in 0..$n {
                T += m[i] * der(p[i])^2 / 2 + j[i] * der(t[i])^2 / 2;
                V += m[i] * g * p[i, 1];
            }
            holonomic first: p[0] = l[0] / 2 * [cos(t[0]), sin(t[0])];
            for i in 1..$n {
                holonomic joint: p[i] - l[i] / 2 * [cos(t[i]), sin(t[i])]
                    = p[i - 1] + l[i - 1] / 2 * [cos(t[i - 1]), sin(t[i - 1])];
            }
        }
    };
}

rods!(Rods15, 15);

/// Rods in one line.
pub(crate) fn rods(n: usize) -> impl Iterator<Item = f64> {
    (0..n)
        .flat_map(|i| [i as f64 + 0.5, 0.0])
        .chain((0..n).map(|_| 0.0))
}

scissor! { pub struct Scissor5 of 5 }
scissor! { pub struct Scissor10 of 10 }

/// A scissor half open.
pub(crate) fn scissor(n: usize) -> impl Iterator<Item = f64> {
    let angle: f64 = 0.8;
    let pin = move |i: usize| [angle.cos(), (2 * (i % n) + 1) as f64 * angle.sin()];
    (0..2 * n)
        .flat_map(pin)
        .chain((0..2 * n).map(move |_| angle))
}

/// Declares four-bar linkages side by side, each with a rocker that is the crank of the next.
macro_rules! four_bars {
    ($name:ident, $n:literal) => {
        lagrangian! {
            pub struct $name {
                a: coordinate[$n + 1],
                b: coordinate[$n],
                m, l: parameter = 1,
                k: parameter = 1.5,
                g: parameter = 9.81,
            }
            for i in 0..$n + 1 {
                T += m * l^2 / 6 * der(a[i])^2;
                V += m * g * l / 2 * sin(a[i]);
            }
            for i in 0..$n {
                let c = l * [cos(a[i]), sin(a[i])] + k / 2 * [cos(b[i]), sin(b[i])];
                T += m * der(c)^2 / 2 + m * k^2 / 24 * der(b[i])^2;
                V += m * g * c.y;
                let end = l * [cos(a[i]), sin(a[i])] + k * [cos(b[i]), sin(b[i])];
                holonomic close: end - l * [cos(a[i + 1]), sin(a[i + 1])] = [k, 0];
            }
        }
    };
}

four_bars!(FourBars10, 10);
four_bars!(FourBars40, 40);

/// Parallelograms.
pub(crate) fn four_bars(n: usize) -> impl Iterator<Item = f64> {
    (0..=2 * n).map(move |i| if i <= n { 0.9 } else { 0.0 })
}

lagrangian! {
    /// A platform on six legs of two bodies each, that grow and shrink.
    pub struct Stewart {
        p: coordinate[3],
        e: coordinate[3],
        leg: coordinate[6, 3],
        m: parameter = 10,
        j: parameter = 1,
        k: parameter = 1,
        c: parameter = 0.1,
        r, h: parameter = 0.5,
        g: parameter = 9.81,
        u: input[6],
    }
    frame P = world.translate(p).rotate(z, e[0]).rotate(x, e[1]).rotate(y, e[2]);
    body { frame: P, mass: m, inertia: diag(j, j, 2 * j) }
    gravity [0, 0, -g];
    for i in 0..6 {
        frame B = world.translate([r * cos(pi / 3 * i), r * sin(pi / 3 * i), 0])
            .rotate(x, leg[i, 0]).rotate(y, leg[i, 1]);
        body { frame: B, mass: k, at: [0, 0, h], inertia: diag(c, c, c / 10) }
        frame E = B.translate([0, 0, leg[i, 2]]);
        body { frame: E, mass: k, at: [0, 0, -h], inertia: diag(c, c, c / 10) }
        let joint = [r / 2 * cos(pi / 3 * i + 0.3), r / 2 * sin(pi / 3 * i + 0.3), 0];
        holonomic ball: E.origin = P.point(joint);
        Q.leg[i] = [0, 0, u[i]];
    }
}

/// A platform above its feet; its legs do not reach it yet.
pub(crate) fn stewart() -> impl Iterator<Item = f64> {
    let platform = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    platform
        .into_iter()
        .chain((0..6).flat_map(|_| [0.0, 0.0, 1.0]))
}
