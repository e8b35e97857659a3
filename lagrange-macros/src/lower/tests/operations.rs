//! What accelerations cost: operation counts in a table that is kept, `tests/operations/acceleration.txt`.
//!
//! `UPDATE=1 cargo test -p lagrange-macros operations` writes it anew; a count that rises there is a loss of speed.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

use lagrange_engine::{Dynamics, Quantity, SolveProgram};

use super::recursion::ARMS;
use super::*;

/// A name, the number of its parts, and a declaration.
type Case = (&'static str, usize, String);

/// Links with a mass at their end, by their angles against the vertical.
fn absolute(n: usize) -> String {
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

/// The same by the angles of joints.
fn relative(n: usize) -> String {
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

/// Rods in frames that turn by the angles of joints.
fn planar(n: usize) -> String {
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
fn spatial(n: usize) -> String {
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

/// A trunk that floats, and limbs of joints about these axes.
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

/// Rods by the places of their centres and their angles, held together by joints.
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

/// Pairs of bars that cross, on top of each other.
fn scissor(n: usize) -> String {
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
fn four_bars(n: usize) -> String {
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

/// A kind of chain, how it is made of so many links, and of how many it is tried.
type Family = (&'static str, fn(usize) -> String, [usize; 4]);

const FAMILIES: [Family; 8] = [
    ("absolute angles", absolute, [2, 5, 10, 20]),
    ("absolute angles, numbers", numbers, [2, 5, 10, 20]),
    ("relative angles", relative, [2, 5, 10, 20]),
    ("planar frames", planar, [2, 5, 10, 20]),
    ("spatial frames", spatial, [3, 5, 10, 20]),
    ("rods in the plane", rods, [2, 5, 10, 20]),
    ("scissor", scissor, [2, 3, 5, 10]),
    ("four-bars", four_bars, [1, 5, 10, 20]),
];

fn cases() -> Vec<Case> {
    let families = FAMILIES.into_iter();
    let chains = families.flat_map(|(name, build, sizes)| sizes.map(|n| (name, n, build(n))));
    let mut cases: Vec<Case> = chains.collect();
    for (name, arm) in ["iiwa", "panda"].into_iter().zip(ARMS) {
        cases.push((name, 7, arm.into()));
    }
    let limbs = ["zxyyyx", "zxyyyx", "zxyxzyxzy", "zxyxzyxzy"];
    cases.push(("quadruped", 12, walker(&["xyy"; 4])));
    cases.push(("humanoid", 30, walker(&limbs)));
    cases.push(("Stewart platform", 6, stewart()));
    cases
}

/// How a program solves, in a word.
fn way(program: &SolveProgram) -> &'static str {
    match (&program.factorization, program.has_mass_matrix()) {
        (None, _) => "loop",
        (Some(_), true) => "by M",
        (Some(_), false) => "along maps",
    }
}

fn row((name, parts, source): &Case) -> String {
    let program = Dynamics::new(system(source)).solve_program();
    let operations = program.terms.operations().total();
    format!("{name:26} {parts:3} {operations:6} {}\n", way(&program))
}

#[test]
fn accelerations_cost_what_they_cost() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/operations/acceleration.txt");
    let found: String = cases().iter().map(row).collect();
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &found).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == kept, "operations have changed:\n{found}");
}

/// What is said of the length of a Coriolis matrix before it is derived is what its program takes.
#[test]
fn long_coriolis_matrices_are_known_as_such() {
    for build in [absolute, relative, planar, spatial] {
        let source = build(5);
        let dynamics = Dynamics::new(system(&source));
        let program = dynamics.program(&[Quantity::CoriolisMatrix]);
        let operations = program.operations().total();
        let exceeds = |most| Dynamics::new(system(&source)).coriolis_matrix_exceeds(most);
        assert!(!exceeds(operations), "{operations} {source}");
        assert!(exceeds(operations - 1), "{operations} {source}");
        assert!(exceeds(20), "{source}");
    }
}

/// From ten links to twenty a chain takes as much again as any ten links do.
#[test]
fn chains_cost_operations_in_proportion_to_their_links() {
    for (name, build, _) in FAMILIES {
        let [five, ten, twenty] = [5, 10, 20].map(|n| {
            let program = Dynamics::new(system(&build(n))).solve_program();
            assert!(program.factorization.is_some(), "{name}");
            program.terms.operations().total()
        });
        // The shortest ones are solved by M where that is less.
        let (first, second) = (2 * (ten - five), twenty - ten);
        assert!(second * 10 <= first * 12, "{name}: {five} {ten} {twenty}");
    }
}

/// With the time of the derivation, at sizes that take some: `cargo test --release -p lagrange-macros operations
/// -- --ignored --nocapture`.
#[test]
#[ignore = "measures"]
fn accelerations_of_long_chains() {
    // The chains; of linkages so many are more coordinates than the language admits.
    for (name, build, _) in FAMILIES.into_iter().take(5) {
        for n in [40, 80] {
            // So are 80 frames with a coordinate each.
            if name.contains("frames") && n == 80 {
                continue;
            }
            let start = Instant::now();
            print!("{}", row(&(name, n, build(n))));
            println!("{:46} {:.2} s", "", start.elapsed().as_secs_f64());
        }
    }
}
