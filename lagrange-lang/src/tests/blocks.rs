//! Blocks of derivatives, beside tangents of one direction.

use lagrange_engine::Routines;

use crate::errors::Errors;
use crate::expand::read;
use crate::{Declaration, Folder};

const SYSTEMS: [(&str, &str); 7] = [
    (
        "cart-pole",
        "struct CartPole { x, theta: coordinate, m_c, m_p, l, g: parameter, u: input }
        let bob = [x + l * sin(theta), l * cos(theta)];
        T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
        V = m_p * g * bob.y;
        Q.x = u;",
    ),
    (
        "driven",
        "struct Driven { x, y: coordinate, t: time, m, k: parameter, u: input }
        T = m * der(x + sin(3 * t))^2 / 2 + (1 + x^2) * der(y)^2;
        V = k * x^2 * y^2 * t / 2;
        Q.x = u * t;",
    ),
    (
        "four-bar",
        "struct FourBar { q1, q2, q3: coordinate, m: parameter[3], l: parameter, u: input }
        let joint = l * [cos(q1), sin(q1)];
        let end = joint + 2.5 * [cos(q2), sin(q2)];
        let rocker = 2 * [cos(q3), sin(q3)];
        T = m[0] * der(joint)^2 / 6 + m[2] * der(rocker)^2 / 6 + m[1] * der((joint + end) / 2)^2 / 2;
        T += m[1] * der(q2)^2 / 2;
        Q.q1 = u;
        holonomic closure: end = [3, 0] + rocker;",
    ),
    (
        "floating",
        "struct Floating { p: coordinate[3], att: rotation, q: coordinate, u: input, m, g: parameter }
        frame B = world.translate(p).rotate(att);
        body { frame: B, mass: m, at: [0.01, 0, 0.1], inertia: diag(0.2, 0.3, 0.25) }
        frame Link = B.translate([0.1, 0, 0.2]).rotate(x, q);
        body { frame: Link, mass: 1.1, at: [0.01, 0.02, -0.1], inertia: diag(0.02, 0.03, 0.01) }
        gravity [0, 0, -g];
        Q.q = u;",
    ),
    (
        "drive",
        "struct Drive { q: coordinate, i, z: state, j, l, r, k, s0, s1, vs: parameter, u: input }
        T = j * der(q)^2 / 2;
        der(i) = (u - r * i - k * der(q)) / l;
        der(z) = der(q) - s0 * abs(der(q)) / (1 + exp(-(der(q) / vs)^2)) * z;
        Q.q = k * i - s0 * z - s1 * der(z) + spline(q, [0, 1, 2], [0, 1, 0.5]);",
    ),
    (
        "sled",
        "struct Sled { x, y: coordinate, m, mu, g: parameter, u: input }
        T = m * (der(x)^2 + der(y)^2 + der(x) * der(y) / 2) / 2;
        V = m * g * y;
        holonomic groove: y + x^2 / 5 = 0;
        Q.x = u - mu * multiplier(groove) * tanh(der(x));",
    ),
    (
        "turned sled",
        "struct Turned { att: rotation, x: coordinate, c: parameter, u: input }
        frame B = world.rotate(att);
        frame End = B.translate([0, 0, 1]);
        body { frame: B, mass: 1, inertia: diag(1, 2, 3) }
        T = c * der(x)^2 / 2;
        holonomic tied: x = End.origin.x;
        Q.x = u;",
    ),
];

const METHODS: [&str; 4] = ["acceleration", "solve", "state_derivative", "rk4_step"];

/// Some numbers between -1 and 1, in order.
fn number(seed: &mut f64) -> f64 {
    *seed += 1.0;
    (*seed * 0.7391 + 0.4).sin()
}

/// The first entry of each rotation in an argument.
fn rotations(source: &str, argument: &str) -> Vec<usize> {
    let first = match source {
        _ if !["q", "y"].contains(&argument) => None,
        _ if source.contains("Floating") => Some(3),
        _ if source.contains("Turned") => Some(0),
        _ => None,
    };
    first.into_iter().collect()
}

/// The largest difference between blocks and tangents, beside the largest entry.
fn difference(source: &str, method: &str, prefix: &str) -> f64 {
    let mut errors = Errors::default();
    let (_, sound) = read(source.parse().unwrap(), &mut errors).unwrap();
    let dynamics = sound.unwrap_or_else(|_| panic!("{source}")).dynamics;
    let routines = Routines::new(&dynamics);
    let routine = routines.method(method).unwrap();
    let mut seed = 0.0;
    let mut arguments: Vec<Vec<f64>> = Vec::new();
    for argument in &routine.arguments {
        let mut values: Vec<f64> = (0..argument.length).map(|_| number(&mut seed)).collect();
        // Forms differ at quaternions that are not of unit length.
        for first in rotations(source, &argument.name) {
            let q = &mut values[first..first + 4];
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            q.iter_mut().for_each(|x| *x /= length);
        }
        arguments.push(values);
    }
    let count = dynamics.names().parameters.len();
    let parameters: Vec<f64> = (0..count).map(|_| 1.5 + number(&mut seed) / 3.0).collect();
    let blocks = routines.method(&format!("{prefix}{method}")).unwrap();
    let blocks = routines.run(&blocks, &arguments, &parameters).unwrap();
    let tangent = routines
        .method(&format!("private tangent_{method}"))
        .unwrap();
    let zeros: Vec<Vec<f64>> = arguments
        .iter()
        .map(|values| vec![0.0; values.len()])
        .chain([vec![0.0; count]])
        .collect();
    let variables = match prefix {
        "private blocks_" => 0..arguments.len(),
        _ => arguments.len()..arguments.len() + 1,
    };
    let mut worst: f64 = 0.0;
    for (place, variable) in variables.clone().enumerate() {
        let name = routine.arguments.get(variable).map_or("", |it| &it.name);
        let rotations = rotations(source, name);
        for at in 0..zeros[variable].len() {
            let mut change = zeros.clone();
            change[variable][at] = 1.0;
            if let Some(first) = rotations.iter().find(|it| (**it..**it + 4).contains(&at)) {
                let q = &arguments[variable][*first..first + 4];
                let square: f64 = q.iter().map(|x| x * x).sum();
                for (entry, x) in q.iter().enumerate() {
                    change[variable][first + entry] -= q[at - first] * x / square;
                }
            }
            let shifted_arguments = [&arguments[..], &change].concat();
            let actual = routines
                .run(&tangent, &shifted_arguments, &parameters)
                .unwrap();
            let (_, expected) = actual.split_at(routine.results.len());
            let scale = expected
                .iter()
                .flatten()
                .fold(1.0_f64, |a, b| a.max(b.abs()));
            for (result, expected) in expected.iter().enumerate() {
                let block = &blocks[result * variables.len() + place];
                let row = &block[at * expected.len()..(at + 1) * expected.len()];
                for (x, y) in row.iter().zip(expected) {
                    worst = worst.max((x - y).abs() / scale);
                }
            }
        }
    }
    worst
}

#[test]
fn blocks_are_the_tangents_of_all_directions() {
    for (name, source) in SYSTEMS {
        for method in METHODS {
            for prefix in ["private blocks_", "private parameter_blocks_"] {
                let off = difference(source, method, prefix);
                assert!(off < 1e-12, "{name} {method} {prefix}: {off}");
            }
        }
    }
}

/// Near dependent rows a solution is that of a projected state: its tangent knows, its derivatives do not.
#[test]
fn redundant_rows_have_no_blocks() {
    let source = "#[lagrangian(redundant)] #[allow(deprecated)]
        struct Sledge { r: coordinate[2], m: parameter }
        T = m * der(r)^2 / 2;
        V = m * sin(r.x);
        holonomic groove: r.y = 0;
        holonomic again: 2 * r.y = 0;";
    let Ok((declaration, _)) = Declaration::read(source.parse().unwrap(), &Folder::None) else {
        panic!("no mistakes");
    };
    assert!(declaration.tape("acceleration").is_some());
    for prefix in ["private blocks_", "private parameter_blocks_"] {
        assert!(declaration.tape(&format!("{prefix}acceleration")).is_none());
    }
}
