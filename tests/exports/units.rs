//! Units of single rows do not decide whether constraints and contacts depend on each other.

use std::f64::consts::PI;

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SVector, vector};

use crate::compiled::{Argument, Call, array, check, check_double, entries, flags, number, rows};

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

lagrangian! {
    /// Contacts, of which one has a row of zeros at the crest.
    pub struct Crest { x, theta: coordinate, m, a, b: parameter }
    T = m * (der(x)^2 + der(theta)^2 + der(x) * der(theta) / 2) / 2;
    V = 9.81 * m * x;
    contact floor: a * (x + theta / 5) >= 0;
    contact crest: b * sin(theta) <= b;
    export c99 { solve_active, impact, delassus }
}

lagrangian! {
    /// The same with a constraint.
    #[allow(deprecated, reason = "its gradient vanishes at the crest")]
    pub struct Held { x, theta: coordinate, m, a, b: parameter }
    T = m * (der(x)^2 + der(theta)^2 + der(x) * der(theta) / 2) / 2;
    V = 9.81 * m * x;
    holonomic crest: b * sin(theta) = b;
    contact floor: a * (x + theta / 5) >= 0;
    export c99 { solve_active, impact, delassus }
}

/// The calls of all methods of a system at a state.
macro_rules! calls {
    ($system:expr, $q:expr, $active:expr, $constraints:expr) => {{
        let (system, q, active) = ($system, $q, $active);
        let (v, e) = (vector![0.4, -0.3], active.map(|_| 0.5));
        let p = active.len();
        let call = |function, others: Vec<Argument>, lengths: &[usize], expected| Call {
            function,
            arguments: [vec![array(&q)], others].concat(),
            lengths: lengths.to_vec(),
            expected,
        };
        let of_motion = [2, $constraints, p];
        let motion = system.solve_active(&q, &v, &active).map_err(number);
        let hit = system.impact(&q, &v, &active, &e).map_err(number);
        [
            call(
                "solve_active",
                vec![array(&v), flags(active)],
                &of_motion,
                motion.map(|motion| {
                    vec![
                        entries(&motion.acceleration),
                        entries(&motion.multipliers),
                        entries(&motion.contact_forces),
                    ]
                }),
            ),
            call(
                "impact",
                vec![array(&v), flags(active), Argument::Array(e.to_vec())],
                &of_motion,
                hit.map(|hit| {
                    vec![
                        entries(&hit.velocity),
                        entries(&hit.multipliers),
                        entries(&hit.impulses),
                    ]
                }),
            ),
            call(
                "delassus",
                Vec::new(),
                &[p * p],
                system.delassus(&q).map(|w| vec![rows(&w)]).map_err(number),
            ),
        ]
    }};
}

/// A row of rounding errors beside rows in any units, and alone: in Rust as in C.
#[test]
fn rows_of_rounding_errors_with_contacts() {
    for (at, [a, b]) in [[1.0, 1.0], [1e-8, 1e8], [1e8, 1e-8]]
        .into_iter()
        .enumerate()
    {
        let (crest, held) = (Crest { m: 2.0, a, b }, Held { m: 2.0, a, b });
        let top = vector![0.3, PI / 2.0];
        let mut calls = Vec::new();
        for active in [[false, true], [true, true]] {
            let on_top = calls!(&crest, top, active, 0);
            assert!(on_top[..2].iter().all(|call| call.expected == Err(2)));
            calls.extend(on_top);
            let beside = calls!(&crest, vector![0.3, 0.4], active, 0);
            assert!(beside.iter().all(|call| call.expected.is_ok()));
            calls.extend(beside);
        }
        // Beside rows in the unit a the entries of W in b are far smaller, or far larger.
        calls.retain(|call| call.function != "delassus" || a == b);
        let parameters = [2.0, a, b];
        check_double(
            ("crest", &format!("crest_{at}")),
            Crest::C99,
            &parameters,
            &calls,
        );
        let on_top = calls!(&held, top, [true], 1);
        assert!(on_top.iter().all(|call| call.expected == Err(2)));
        let beside = calls!(&held, vector![0.3, 0.4], [true], 1);
        assert!(beside.iter().all(|call| call.expected.is_ok()));
        let calls = [on_top, beside].concat();
        check_double(
            ("held", &format!("held_{at}")),
            Held::C99,
            &parameters,
            &calls,
        );
    }
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
    let own = Scaled { a, b, ..system };
    let mut calls = Vec::new();
    for active in [[false, false], [true, false], [false, true], [true, true]] {
        let in_units = |forces: &SVector<f64, 2>| vec![forces[0] / a, forces[1] / b];
        let flags = flags(active);
        let motion = system
            .solve_active(&q, &v, &u, &active)
            .expect("independent");
        let in_own = own.solve_active(&q, &v, &u, &active).expect("independent");
        assert!(
            (in_own.acceleration - motion.acceleration).norm() < 1e-13 * motion.acceleration.norm()
        );
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
