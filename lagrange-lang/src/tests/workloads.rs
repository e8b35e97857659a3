//! Systems for operation counts: chains, arms, walkers and linkages of any size.

use std::fmt::Write as _;

/// A name, the number of its parts, and a declaration.
pub(super) type Case = (&'static str, usize, String);

/// Links with a mass at their end, with the angles measured from the vertical.
pub(super) fn absolute(n: usize) -> String {
    format!(
        "struct Chain {{ q: coordinate[{n}], m, l: parameter[{n}], g: parameter }}
        let mut r = [0, 0];
        for i in 0..{n} {{
            r += l[i] * [sin(q[i]), -cos(q[i])];
            T += m[i] * der(r)^2 / 2;
            V += m[i] * g * r.y;
        }}"
    )
}

/// The same with numbers for parameters.
fn numbers(n: usize) -> String {
    format!(
        "struct Chain {{ q: coordinate[{n}] }}
        let mut r = [0, 0];
        for i in 0..{n} {{
            r += 0.5 * [sin(q[i]), -cos(q[i])];
            T += 1.3 * der(r)^2 / 2;
            V += 1.3 * 9.81 * r.y;
        }}"
    )
}

/// The same with the angles of joints.
pub(super) fn relative(n: usize) -> String {
    format!(
        "struct Chain {{ q: coordinate[{n}], m, l: parameter[{n}], g: parameter }}
        let mut r = [0, 0];
        let mut p = 0;
        for i in 0..{n} {{
            p += q[i];
            r += l[i] * [sin(p), -cos(p)];
            T += m[i] * der(r)^2 / 2;
            V += m[i] * g * r.y;
        }}"
    )
}

/// Rods in frames that rotate by the angles of joints.
pub(super) fn planar(n: usize) -> String {
    format!(
        "struct Chain {{ q: coordinate[{n}], m, l, j: parameter[{n}], g: parameter }}
        frame mut F = world;
        for i in 0..{n} {{
            F = F.rotate(z, q[i]);
            body {{ frame: F, mass: m[i], at: [l[i] / 2, 0, 0], inertia: diag(0, 0, j[i]) }}
            F = F.translate([l[i], 0, 0]);
        }}
        gravity [0, -g, 0];"
    )
}

/// Joints about three axes in turn.
pub(super) fn spatial(n: usize) -> String {
    let link = |i: usize| {
        let axis = ["z", "x", "y"][i % 3];
        format!(
            "F = F.rotate({axis}, q[{i}]);
            body {{
                frame: F, mass: m[{i}], at: [l[{i}] / 2, 0, 0],
                inertia: diag(a[{i}], b[{i}], b[{i}]),
            }}
            F = F.translate([l[{i}], 0, 0]);"
        )
    };
    let links: String = (0..n).map(link).collect();
    format!(
        "struct Chain {{
            q: coordinate[{n}], u: input[{n}], m, l, a, b: parameter[{n}], g: parameter,
        }}
        frame mut F = world; {links} gravity [0, 0, -g]; Q.q = u;"
    )
}

/// A floating trunk, and limbs with joints about these axes.
fn walker(limbs: &[&str]) -> String {
    let mut statements = String::new();
    let mut joint = 0;
    for (limb, axes) in limbs.iter().enumerate() {
        let _ = write!(
            statements,
            "frame mut L{limb} = B.translate([0.1, 0.{limb}, 0.2]);"
        );
        for axis in axes.chars() {
            let _ = write!(
                statements,
                "L{limb} = L{limb}.rotate({axis}, q[{joint}]);
                body {{
                    frame: L{limb}, mass: 1.1, at: [0.01, 0.02, -0.1],
                    inertia: diag(0.02, 0.03, 0.01),
                }}
                L{limb} = L{limb}.translate([0, 0, -0.2]);"
            );
            joint += 1;
        }
    }
    format!(
        "struct Walker {{ p: coordinate[3], att: rotation, q: coordinate[{joint}], u: input[{joint}] }}
        frame B = world.translate(p).rotate(att);
        body {{ frame: B, mass: 10, at: [0.01, 0, 0.1], inertia: diag(0.2, 0.3, 0.25) }}
        {statements} gravity [0, 0, -9.81]; Q.q = u;"
    )
}

/// Rods with the positions of their centres and their angles, connected by joints.
fn rods(n: usize) -> String {
    format!(
        "struct Rods {{ p: coordinate[{n}, 2], t: coordinate[{n}], m, j, l: parameter[{n}], g: parameter }}
        for i in 0..{n} {{
            T += m[i] * der(p[i])^2 / 2 + j[i] * der(t[i])^2 / 2;
            V += m[i] * g * p[i, 1];
        }}
        holonomic first: p[0] = l[0] / 2 * [cos(t[0]), sin(t[0])];
        for i in 1..{n} {{
            holonomic joint: p[i] - l[i] / 2 * [cos(t[i]), sin(t[i])]
                = p[i - 1] + l[i - 1] / 2 * [cos(t[i - 1]), sin(t[i - 1])];
        }}"
    )
}

/// Pairs of crossing bars, stacked.
pub(super) fn scissor(n: usize) -> String {
    format!(
        "struct Scissor {{ p, s: coordinate[{n}, 2], a, b: coordinate[{n}], m, j, l, g: parameter }}
        for i in 0..{n} {{
            T += m * der(p[i])^2 / 2 + m * der(s[i])^2 / 2 + j * der(a[i])^2 / 2 + j * der(b[i])^2 / 2;
            V += m * g * (p[i, 1] + s[i, 1]);
            holonomic pin: p[i] = s[i];
        }}
        holonomic foot: p[0] - l * [cos(a[0]), sin(a[0])] = [0, 0];
        holonomic slide: s[0, 1] - l * sin(b[0]) = 0;
        for i in 1..{n} {{
            let left = l * [-cos(b[i - 1]), sin(b[i - 1])];
            let right = l * [cos(a[i - 1]), sin(a[i - 1])];
            holonomic left: s[i - 1] + left = p[i] - l * [cos(a[i]), sin(a[i])];
            holonomic right: p[i - 1] + right = s[i] - l * [-cos(b[i]), sin(b[i])];
        }}"
    )
}

/// Four-bar linkages side by side.
pub(super) fn four_bars(n: usize) -> String {
    format!(
        "struct Bars {{ a: coordinate[{n} + 1], b: coordinate[{n}], m, l, k, g: parameter }}
        for i in 0..{n} + 1 {{ T += m * l^2 / 6 * der(a[i])^2; V += m * g * l / 2 * sin(a[i]); }}
        for i in 0..{n} {{
            let c = l * [cos(a[i]), sin(a[i])] + k / 2 * [cos(b[i]), sin(b[i])];
            T += m * der(c)^2 / 2 + m * k^2 / 24 * der(b[i])^2;
            V += m * g * c.y;
            let end = l * [cos(a[i]), sin(a[i])] + k * [cos(b[i]), sin(b[i])];
            holonomic close: end - l * [cos(a[i + 1]), sin(a[i + 1])] = [k, 0];
        }}"
    )
}

const ARMS: [(&str, &str); 2] = [
    ("iiwa", include_str!("../lower/tests/arms/iiwa.txt")),
    ("panda", include_str!("../lower/tests/arms/panda.txt")),
];

fn stewart() -> String {
    "struct Stewart {
        p: coordinate[3], e: coordinate[3], leg: coordinate[6, 3],
        m, j, k, c, r, h, g: parameter, u: input[6],
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
    }"
    .into()
}

/// A kind of chain: its name, its constructor by number of links, and the numbers that are tried.
pub(super) type Family = (&'static str, fn(usize) -> String, [usize; 4]);

pub(super) const FAMILIES: [Family; 8] = [
    ("absolute angles", absolute, [2, 5, 10, 20]),
    ("absolute angles, numbers", numbers, [2, 5, 10, 20]),
    ("relative angles", relative, [2, 5, 10, 20]),
    ("planar frames", planar, [2, 5, 10, 20]),
    ("spatial frames", spatial, [3, 5, 10, 20]),
    ("rods in the plane", rods, [2, 5, 10, 20]),
    ("scissor", scissor, [2, 3, 5, 10]),
    ("four-bars", four_bars, [1, 5, 10, 20]),
];

pub(super) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = FAMILIES
        .into_iter()
        .flat_map(|(name, build, sizes)| sizes.map(|n| (name, n, build(n))))
        .collect();
    for (name, arm) in ARMS {
        cases.push((name, 7, arm.into()));
    }
    let limbs = ["zxyyyx", "zxyyyx", "zxyxzyxzy", "zxyxzyxzy"];
    cases.push(("quadruped", 12, walker(&["xyy"; 4])));
    cases.push(("humanoid", 30, walker(&limbs)));
    cases.push(("Stewart platform", 6, stewart()));
    cases
}
