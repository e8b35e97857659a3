//! Units of single rows do not decide whether constraints and contacts depend on each other.

use std::f64::consts::PI;

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, vector};

use crate::compiled::{Argument, Call, array, check, entries, flags, number};

lagrangian! {
    /// The beam, with its contacts in units of their own.
    pub struct Scaled { x, y, angle: coordinate, m, l, g, k, a, b: parameter, u: input }
    T = m * (der(x)^2 + der(y)^2 + l^2 / 12 * der(angle)^2) / 2;
    V = m * g * y + k * angle^2 / 2;
    Q.x = u;
    holonomic guide: x + sin(angle) * y / 5 = 0.3;
    contact left: a * (y - l / 2 * sin(angle)) >= 0;
    contact right: b * (y + l / 2 * sin(angle)) >= 0;
    export c99 { solve_active, impact }
}

lagrangian! {
    /// Three rods that meet at their ends, in a unit of the closing rows.
    pub struct Triangle { q: coordinate[3], m: parameter[3], unit: parameter }
    T = m[0] * der(q[0])^2 / 2 + m[1] * der(q[1])^2 / 2 + m[2] * der(q[2])^2 / 2;
    holonomic closure: unit * [
        sin(q[0]) + 2 * sin(q[1]) + 3 * sin(q[2]),
        cos(q[0]) + 2 * cos(q[1]) + 3 * cos(q[2]),
    ] = [0, 0];
    export c99 { acceleration, solve }
}

/// Motions and impacts in units a and b, beside those in Rust without units.
fn scaled([a, b]: [f64; 2]) {
    let system = Scaled {
        m: 2.0,
        l: 1.4,
        g: 9.81,
        k: 3.0,
        a: 1.0,
        b: 1.0,
    };
    let (q, v, u) = (
        vector![0.25, 0.3, 0.2],
        vector![0.4, -1.0, 0.3],
        vector![0.7],
    );
    let restitution = [0.5, 0.2];
    let mut calls = Vec::new();
    for active in [[false, false], [true, false], [false, true], [true, true]] {
        let in_units = |forces: &SVector<f64, 2>| vec![forces[0] / a, forces[1] / b];
        let flags = flags(active);
        let motion = system
            .solve_active(&q, &v, &u, &active)
            .expect("independent");
        calls.push(Call {
            function: "solve_active",
            arguments: vec![array(&q), array(&v), array(&u), flags.clone()],
            lengths: vec![3, 1, 2],
            expected: Ok(vec![
                entries(&motion.acceleration),
                entries(&motion.multipliers),
                in_units(&motion.contact_forces),
            ]),
        });
        let hit = system
            .impact(&q, &v, &active, &restitution)
            .expect("independent");
        calls.push(Call {
            function: "impact",
            arguments: vec![
                array(&q),
                array(&v),
                flags,
                Argument::Array(restitution.to_vec()),
            ],
            lengths: vec![3, 1, 2],
            expected: Ok(vec![
                entries(&hit.velocity),
                entries(&hit.multipliers),
                in_units(&hit.impulses),
            ]),
        });
    }
    let name = format!("scaled_{a:e}_{b:e}");
    let text = Scaled::C99;
    check(
        ("scaled", &name),
        text,
        &[2.0, 1.4, 9.81, 3.0, a, b],
        &calls,
    );
}

#[test]
fn contacts_in_small_units() {
    scaled([1e-8, 1e-8]);
}

#[test]
fn contacts_in_large_units() {
    scaled([1e8, 1e8]);
}

#[test]
fn contacts_in_different_units() {
    scaled([1e-8, 1e8]);
}

/// A row of rounding errors adds nothing, in any units.
#[test]
fn rows_of_rounding_errors() {
    let system = |unit| Triangle {
        m: [5.0, 4.0, 3.0],
        unit,
    };
    let (stretched, v) = (vector![0.0, 0.0, PI], vector![0.3, -0.2, 0.4]);
    let bent = vector![0.4, 1.1, 3.9];
    for unit in [1.0, 1e-8, 1e8] {
        let call = |q| Call {
            function: "acceleration",
            arguments: vec![array(q), array(&v)],
            lengths: vec![3],
            expected: system(unit)
                .acceleration(q, &v)
                .map(|a| vec![entries(&a)])
                .map_err(number),
        };
        let calls = [call(&stretched), call(&bent)];
        assert_eq!(calls[0].expected, Err(2));
        let name = format!("triangle_{unit:e}");
        check(
            ("triangle", &name),
            Triangle::C99,
            &[5.0, 4.0, 3.0, unit],
            &calls,
        );
    }
}
