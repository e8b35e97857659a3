//! Operation counts of methods, in stored tables: `tests/operations`.
//!
//! `UPDATE=1 cargo test -p lagrange-lang operations` writes them again. A higher count is a loss of speed.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

use lagrange_engine::{Dynamics, Quantity, Routines, SolveProgram};
use syn::{ImplItem, Item};

use super::documentation::text_of;
use super::items_of;
use super::workloads::{Case, FAMILIES, absolute, cases, planar, relative, spatial};
use crate::errors::Errors;
use crate::expand::{self, Sound, read};
use crate::host::Purpose;

fn understood(source: &str) -> Sound {
    let mut errors = Errors::default();
    let (_, understood) = read(source.parse().unwrap(), &mut errors).unwrap();
    understood.unwrap_or_else(|_| panic!("{source}"))
}

fn dynamics_of(source: &str) -> Dynamics {
    understood(source).dynamics
}

/// Compares a table with the stored one.
fn assert_kept(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/operations")
        .join(name);
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, found).unwrap();
    }
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == recorded, "operations have changed:\n{found}");
}

/// The solution method of a program in one word.
fn way(program: &SolveProgram) -> &'static str {
    match (&program.factorization, program.has_mass_matrix()) {
        (None, _) => "loop",
        (Some(_), true) => "by M",
        (Some(_), false) => "along maps",
    }
}

fn row((name, parts, source): &Case) -> String {
    let program = dynamics_of(source).solve_program();
    let operations = program.terms.operations().total();
    let path = program.critical_path();
    format!(
        "{name:26} {parts:3} {operations:6} {path:6} {}\n",
        way(&program)
    )
}

#[test]
fn accelerations_cost_what_they_cost() {
    let table: String = cases().iter().map(row).collect();
    assert_kept("acceleration.txt", &table);
}

/// Maximum number of velocities for a table of all methods. A larger system takes seconds to expand.
const MOST_VELOCITIES: usize = 18;

/// The methods of a declaration with the operation counts in their documentation.
fn methods(sound: Sound) -> Vec<(String, u32)> {
    let file = items_of(expand::items(Ok(sound), Errors::default(), Purpose::Code));
    let counted = file
        .items
        .into_iter()
        .filter_map(|item| match item {
            Item::Impl(item) if item.trait_.is_none() => Some(item.items),
            _ => None,
        })
        .flatten()
        .filter_map(|item| match item {
            ImplItem::Fn(function) => Some(function),
            _ => None,
        })
        .filter_map(|function| {
            let docs = function
                .attrs
                .iter()
                .find_map(|attribute| text_of(&attribute.meta))?;
            Some((function.sig.ident.to_string(), operations_in(&docs)?))
        });
    counted.collect()
}

/// `Operations: 3 add, 5 mul, ..`
fn operations_in(docs: &str) -> Option<u32> {
    let (_, counts) = docs.split_once("\nOperations: ")?;
    let counts = counts.lines().next()?;
    // A number that is not a count, such as that of an entry or a chapter, follows other words.
    let pairs: Vec<&str> = counts
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let counts = pairs
        .chunks(2)
        .map_while(|pair| pair[0].parse::<u32>().ok());
    Some(counts.sum())
}

#[test]
fn methods_cost_what_they_cost() {
    let mut table = String::new();
    for (name, parts, source) in cases() {
        let sound = understood(&source);
        if sound.dynamics.sizes().velocities > MOST_VELOCITIES {
            continue;
        }
        let counted = methods(sound)
            .into_iter()
            .filter(|(_, operations)| *operations > 0);
        for (method, operations) in counted {
            let _ = writeln!(table, "{name:26} {parts:3} {method:32} {operations:6}");
        }
    }
    assert_kept("methods.txt", &table);
}

/// The second derivatives of accelerations beside the accelerations.
#[test]
fn hessians_cost_what_they_cost() {
    let mut table = String::new();
    for (name, parts, source) in cases() {
        let dynamics = dynamics_of(&source);
        let routines = Routines::new(&dynamics);
        let [alone, all] = ["acceleration", "acceleration_hessian"]
            .map(|method| routines.operations(&routines.method(method).unwrap()));
        let times = 10 * all / alone;
        let (whole, tenth) = (times / 10, times % 10);
        let _ = writeln!(
            table,
            "{name:26} {parts:3} {alone:6} {all:7} {whole:4}.{tenth}"
        );
    }
    assert_kept("hessians.txt", &table);
}

/// Jacobians for CasADi: a tangent for each column beside all columns together.
#[test]
fn derivatives_for_optimisers_cost_what_they_cost() {
    let mut table = String::new();
    for (name, parts, source) in cases() {
        let dynamics = dynamics_of(&source);
        let sizes = dynamics.sizes();
        if sizes.velocities > MOST_VELOCITIES {
            continue;
        }
        let of_arguments = 2 * sizes.velocities + sizes.inputs;
        let columns = [
            ("arguments", "private blocks_", of_arguments),
            (
                "parameters",
                "private parameter_blocks_",
                dynamics.names().parameters.len(),
            ),
        ];
        let routines = Routines::new(&dynamics);
        let count = |name: String| routines.operations(&routines.method(&name).unwrap());
        for method in ["acceleration", "state_derivative", "rk4_step"] {
            let of_column = count(format!("private tangent_{method}"));
            for (by, prefix, columns) in columns.into_iter().filter(|(.., count)| *count > 0) {
                let (apart, together) = (columns * of_column, count(format!("{prefix}{method}")));
                let _ = writeln!(
                    table,
                    "{name:26} {parts:3} {method:16} {by:10} {columns:3} {apart:8} {together:8}"
                );
            }
        }
    }
    assert_kept("jacobians.txt", &table);
}

/// The quantities that a controller needs of an arm, one by one and in a bundle.
#[test]
fn bundles_cost_what_they_cost() {
    let hands = [("iiwa", 0.045), ("panda", 0.107)];
    let mut table = String::new();
    for (name, length) in hands {
        let (.., arm) = cases().into_iter().find(|case| case.0 == name).unwrap();
        let source = format!(
            "{arm} pub frame hand = A6.translate([0, 0, {length}]);
            bundle control {{ mass_matrix, bias, hand, hand_jacobian, hand_bias }}"
        );
        let counted = methods(understood(&source));
        let asked = [
            "mass_matrix",
            "bias",
            "hand",
            "hand_jacobian",
            "hand_bias",
            "control",
        ];
        let asked = asked.map(|method| {
            let row = counted.iter().find(|(other, _)| other == method);
            (method, row.unwrap().1)
        });
        let [parts @ .., (_, together)] = asked;
        let dearest = parts.iter().map(|(_, operations)| *operations).max();
        for (method, operations) in asked {
            let _ = writeln!(table, "{name:8} {method:16} {operations:6}");
        }
        let percent = together * 100 / dearest.unwrap();
        let _ = writeln!(table, "{name:8} {:16} {percent:6}", "% of dearest");
    }
    assert_kept("bundles.txt", &table);
}

/// Small systems with optimisations that are easily lost: products in two sums, terms with equal coefficients,
/// minus signs that merge into numbers, right-hand sides with zeros.
const SMALL: [(&str, &str); 15] = [
    (
        "charge in a field",
        "struct Charge { x, y: coordinate, m, b: parameter }
        L = m * der([x, y])^2 / 2 + b * (x * der(y) - y * der(x)) / 2;",
    ),
    (
        "constant force",
        "struct Mass { x: coordinate, m: parameter } T = m * der(x)^2 / 2; V = 1e300 * x;",
    ),
    (
        "coupled masses",
        "struct Scaled { x, y: coordinate, heavy, light: parameter, u: input }
        T = heavy * der(x)^2 / 2 + light * der(y)^2 / 2 + sqrt(heavy * light) * der(x) * der(y) / 2;
        Q.y = u;",
    ),
    (
        "rod on a slide",
        "struct Rod { theta: coordinate, x: coordinate, m, l: parameter }
        frame A = world.translate([x, 0, 0]).rotate(z, theta);
        let c = [l / 2, 0, 0];
        let about_hinge = diag(0, m * l^2 / 3, m * l^2 / 3);
        body { frame: A, mass: m, at: c, inertia: about_hinge - m * (c^2 * identity(3) - outer(c, c)) }",
    ),
    (
        "ring in a corner",
        "struct Ring { r: coordinate[2] }
        T = der(r)^2; V = 20 * r.y;
        holonomic floor: r.y = 0;
        holonomic wall: r.x = 1;",
    ),
    (
        "relativistic slide",
        "struct Slide { x, y: coordinate, m, c, g, bend: parameter }
        L = -m * c^2 * sqrt(1 - der([x, y])^2 / c^2);
        L += -m * g * y;
        holonomic slide: y = bend * x^2;",
    ),
    (
        "arm in the plane",
        "struct Arm { q1, q2: coordinate, m1, m2, l1, l2: parameter }
        let elbow = [l1 * cos(q1), l1 * sin(q1)];
        let tip = elbow + [l2 * cos(q1 + q2), l2 * sin(q1 + q2)];
        T = m1 * der(elbow)^2 / 2 + m2 * der(tip)^2 / 2;",
    ),
    (
        "rods in a row",
        "struct Links { q: coordinate[4], m, l: parameter }
        gravity [0, -9.81, 0];
        frame mut End = world.rotate(z, -pi / 2);
        for i in 0..4 {
            End = End.rotate(z, q[i]);
            body link { frame: End, mass: m, at: [l / 2, 0, 0], inertia: diag(0, 0, m * l^2 / 12) }
            End = End.translate([l, 0, 0]);
        }",
    ),
    (
        "slider on a rod",
        "struct Rods { q1, q2, q3: coordinate, m, k_t, k_l, l: parameter }
        let i = m * l^2 / 12;
        frame A = world.rotate(z, q1);
        frame B = A.translate([l, 0, 0]).rotate(x, q2);
        frame Slider = B.translate([0, q3, 0]);
        body { frame: A, mass: m, at: [l / 2, 0, 0], inertia: diag(0, i, i) }
        body { frame: B, mass: m, inertia: diag(i, 0, i) }
        body { frame: Slider, mass: m / 4 }
        V = k_l * q3^2 / 2 + k_t * (q1^2 + q2^2) / 2;",
    ),
    (
        "algebra",
        "struct Algebra { x, y, z: coordinate, a, b, c: parameter }
        let r = [x, y, z];
        let w = [b, c, a];
        let turn = [[cos(x), -sin(x)], [sin(x), cos(x)]];
        let metric = diag(a, a + b, a + c) + identity(3) * c + outer(w, w) / 4;
        T = dot(der(r), metric * der(r)) / 2 + der(turn * [y, z])^2 / 2;
        V = norm(r + w) + dot(w, r)^2 + cross(w, r)^2 + cross([y, z], turn * [y, z]);
        V += trace(transpose(turn) * [[a, b], [c, x]]);",
    ),
    (
        "cloud",
        "struct Cloud { r, turn: coordinate[3], m: parameter[4], x: parameter[4, 3] }
        frame F = world.translate(r).rotate(z, turn.x).rotate(x, turn.y).rotate(y, turn.z);
        for i in 0..4 { body { frame: F, mass: m[i], at: x[i] } }",
    ),
    (
        "cloud as a body",
        "struct Cloud { r, turn: coordinate[3], m: parameter[4], x: parameter[4, 3] }
        let mass = sum(i in 0..4, m[i]);
        let centre = sum(i in 0..4, m[i] * x[i]) / mass;
        let mut inertia = 0 * identity(3);
        for i in 0..4 {
            let d = x[i] - centre;
            inertia += m[i] * (d^2 * identity(3) - outer(d, d));
        }
        frame F = world.translate(r).rotate(z, turn.x).rotate(x, turn.y).rotate(y, turn.z);
        body { frame: F, mass, at: centre, inertia }",
    ),
    (
        "motor with a current",
        "struct Motor { q: coordinate, i: state, j, b, k, r, l: parameter, u: input }
        T = j * der(q)^2 / 2;
        D = b * der(q)^2 / 2;
        der(i) = (u - r * i - k * der(q)) / l;
        Q.q = k * i;",
    ),
    (
        "drive with a bristle",
        "struct Drive { q: coordinate, i, z: state, j, l, r, k, n, s0, s1, s2, fc, fs, vs: parameter, u: input }
        T = j * der(q)^2 / 2;
        der(i) = (u - r * i - k * n * der(q)) / l;
        let g = fc + (fs - fc) * exp(-(der(q) / vs)^2);
        der(z) = der(q) - s0 * abs(der(q)) / g * z;
        Q.q = n * k * i - s0 * z - s1 * der(z) - s2 * der(q);",
    ),
    (
        "relaxing springs",
        "struct Springs { x: coordinate[3], s: state[3], m, k, k_1, c: parameter[3] }
        T = sum(i in 0..3, m[i] * der(x[i])^2) / 2;
        V = sum(i in 0..3, k[i] * x[i]^2 + k_1[i] * (x[i] - s[i])^2) / 2;
        for i in 0..3 { der(s[i]) = k_1[i] * (x[i] - s[i]) / c[i]; }",
    ),
];

#[test]
fn methods_of_small_systems_cost_what_they_cost() {
    let mut table = String::new();
    for (name, source) in SMALL {
        for (method, operations) in methods(understood(source))
            .into_iter()
            .filter(|(_, count)| *count > 0)
        {
            let _ = writeln!(table, "{name:20} {method:32} {operations:6}");
        }
    }
    assert_kept("small.txt", &table);
}

/// The predicted length of a Coriolis matrix is the length of its program.
#[test]
fn long_coriolis_matrices_are_known_as_such() {
    for build in [absolute, relative, planar, spatial] {
        let source = build(5);
        let dynamics = dynamics_of(&source);
        let program = dynamics.program(&[Quantity::CoriolisMatrix]);
        let operations = program.operations().total();
        let exceeds = |most| dynamics_of(&source).coriolis_matrix_exceeds(most);
        assert!(!exceeds(operations), "{operations} {source}");
        assert!(exceeds(operations - 1), "{operations} {source}");
        assert!(exceeds(20), "{source}");
    }
}

/// The ten links from ten to twenty cost as much as any other ten.
#[test]
fn chains_cost_operations_in_proportion_to_their_links() {
    for (name, build, _) in FAMILIES {
        let [five, ten, twenty] = [5, 10, 20].map(|n| {
            let program = dynamics_of(&build(n)).solve_program();
            assert!(program.factorization.is_some(), "{name}");
            program.terms.operations().total()
        });
        // The shortest chains are solved with M if that takes fewer operations.
        let (first, second) = (2 * (ten - five), twenty - ten);
        assert!(second * 10 <= first * 12, "{name}: {five} {ten} {twenty}");
    }
}

/// Includes the time of the derivation, for large sizes:
/// `cargo test --release -p lagrange-lang operations -- --ignored --nocapture`.
#[test]
#[ignore = "measures"]
fn accelerations_of_long_chains() {
    // The chains only. Linkages of this size have more coordinates than the language permits.
    for (name, build, _) in FAMILIES.into_iter().take(5) {
        for n in [40, 80] {
            // So do 80 joints about three axes.
            if name == "spatial frames" && n == 80 {
                continue;
            }
            let start = Instant::now();
            print!("{}", row(&(name, n, build(n))));
            println!("{:46} {:.2} s", "", start.elapsed().as_secs_f64());
        }
    }
}
