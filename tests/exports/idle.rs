//! Motions and impacts beside a contact that is not active: those of the system without this contact, in Rust, C and CUDA,
//! whatever the terms of the contact are.

use lagrangian::lagrangian;
use lagrangian::nalgebra::vector;

use crate::batches;
use crate::compiled::{Argument, Call, array, check, compare, entries, flags, number, rows};

/// A declaration with and without a contact `far`, and the calls of both at a state: those of the second with a place for
/// the contact.
macro_rules! pair {
    (
        $(#[$attribute:meta])*
        $with:ident, $without:ident, $calls:ident, [$($head:tt)*] [$($idle:tt)*] [$($rest:tt)*] [$($of_idle:tt)*]
    ) => {
        lagrangian! {
            $(#[$attribute])*
            pub struct $with { $($head)* }
            $($idle)*
            $($rest)*
            $($of_idle)*
            export c99 { solve_active, linearize_active, impact, impact_derivatives }
            export cuda { solve_active, linearize_active, impact, impact_derivatives }
            export wgsl { solve_active, linearize_active, impact, impact_derivatives }
        }
        lagrangian! {
            $(#[$attribute])*
            pub struct $without { $($head)* }
            $($rest)*
        }

        /// The calls with the contact, with the values without it, and the values of the same calls in Rust.
        #[allow(clippy::too_many_lines)] // four methods
        fn $calls() -> (Vec<Call>, String) {
            let (with, without) = ($with::<f64>::default(), $without::<f64>::default());
            const P: usize = $without::CONTACTS.len();
            const N: usize = $without::VELOCITIES.len();
            let (q, v) = (with.neutral(), vector![0.3, -0.2, 0.4, 0.1, 0.5, -0.6].fixed_rows::<N>(0).into_owned());
            let u = vector![0.7];
            let (mut calls, mut output) = (Vec::new(), String::new());
            let mut note = |function, others: Vec<Argument>, (found, expected): (Values, Values)| {
                let lengths = expected.as_ref().map_or(Vec::new(), |values| values.iter().map(Vec::len).collect());
                let words = match &found {
                    Ok(values) => values.concat().iter().map(|x| format!(" {x:?}")).collect(),
                    Err(_) => String::new(),
                };
                output += &format!("{}{words}\n", found.err().unwrap_or_default());
                let arguments = [vec![array(&q), array(&v)], others].concat();
                calls.push(Call { function, arguments, lengths, expected });
            };
            for pattern in 0..1_usize << P {
                let active: [bool; P] = std::array::from_fn(|k| pattern >> k & 1 == 1);
                let first: [bool; P + 1] = std::array::from_fn(|k| k > 0 && active[k - 1]);
                let (e, all) = ([0.4; P], [0.4; P + 1]);
                let given = || vec![array(&u), flags(first)];
                let hit = || vec![flags(first), Argument::Array(all.to_vec())];
                let behind = |forces: Vec<f64>| [vec![0.0], forces].concat();
                note("solve_active", given(), (
                    with.solve_active(&q, &v, &u, &first).map_err(number).map(|motion| vec![
                        entries(&motion.acceleration), entries(&motion.multipliers), entries(&motion.contact_forces),
                    ]),
                    without.solve_active(&q, &v, &u, &active).map_err(number).map(|motion| vec![
                        entries(&motion.acceleration), entries(&motion.multipliers),
                        behind(entries(&motion.contact_forces)),
                    ]),
                ));
                note("linearize_active", given(), (
                    with.linearize_active(&q, &v, &u, &first).map_err(number).map(|l| vec![rows(&l.a), rows(&l.b)]),
                    without.linearize_active(&q, &v, &u, &active).map_err(number).map(|l| vec![rows(&l.a), rows(&l.b)]),
                ));
                note("impact", hit(), (
                    with.impact(&q, &v, &first, &all).map_err(number).map(|hit| vec![
                        entries(&hit.velocity), entries(&hit.multipliers), entries(&hit.impulses),
                    ]),
                    without.impact(&q, &v, &active, &e).map_err(number).map(|hit| vec![
                        entries(&hit.velocity), entries(&hit.multipliers), behind(entries(&hit.impulses)),
                    ]),
                ));
                note("impact_derivatives", hit(), (
                    with.impact_derivatives(&q, &v, &first, &all).map_err(number).map(|(a, b)| vec![rows(&a), rows(&b)]),
                    without.impact_derivatives(&q, &v, &active, &e).map_err(number).map(|(a, b)| vec![rows(&a), rows(&b)]),
                ));
            }
            (calls, output)
        }
    };
}

type Values = Result<Vec<Vec<f64>>, i32>;

pair! {
    Particle, Alone, particle,
    [x, y: coordinate, g: parameter = 9.81, u: input]
    [contact far: norm([x, y]) <= 2;]
    [
        T = der([x, y])^2 / 2;
        V = g * y;
        Q.x = u;
        contact floor: y + x^2 / 3 >= 0;
        contact wall: x >= 0;
    ]
    []
}

pair! {
    Craft, Clear, craft,
    [p: coordinate[3], att: rotation, g: parameter = 9.81, u: input]
    [contact far: ln(p.x - 1) >= 0;]
    [
        frame Body = world.translate(p).rotate(att);
        body { frame: Body, mass: 1.7, inertia: diag(0.6, 0.9, 0.7), at: [0.1, -0.2, 0.05] }
        gravity [0, 0, -g];
        let corner = Body.origin + Body.vector([0.2, 0.1, -0.4]);
        holonomic rail: p.x + sin(p.y) / 4 = 0;
        contact floor: corner.z + p.x^2 / 5 >= 0;
        contact wall: Body.point([-0.3, 0.2, 0.1]).y >= 0;
        let slip = der(corner);
        force -0.4 * multiplier(floor) * [slip.x, slip.y, 0] at corner on Body;
        torque u * multiplier(rail) * Body.vector([0, cos(p.z), der(p).x / 3]) on Body;
    ]
    [force multiplier(far) * norm(p) * [1, 2, 3] at corner on Body;]
}

pair! {
    #[lagrangian(redundant)]
    #[allow(deprecated, reason = "rows depend on each other")]
    Sleigh, Bare, sleigh,
    [r: coordinate[4], g: parameter = 9.81, u: input]
    [contact far: 1e12 * r[0] + r[2] / sqrt(r[1]) >= 1;]
    [
        T = der(r)^2 + cos(r[0]) * der(r[3]) * der(r[2]);
        V = 2 * g * r[2] + sin(r[0]) * r[1];
        holonomic groove: r[1] = 0;
        holonomic again: 2 * r[1] = 0;
        contact floor: r[2] + r[0]^2 / 2 >= 0;
        contact brick: 3 - r[0] + sin(r[3]) >= 0;
        contact tile: 3 * r[2] + 1.5 * r[0]^2 >= 0;
        Q.r = [u, 0, u * der(r[2]), 0];
    ]
    []
}

pair! {
    /// The row of the idle contact is far larger than all others, and of another unit.
    Light, Lone, light,
    [x, y: coordinate, g: parameter = 9.81, u: input]
    [contact far: 1e20 * x + y >= 1;]
    [
        T = 1e-25 * der(x)^2 / 2 + 1e9 * der(y)^2 / 2;
        V = g * y + x^2 / 1e25;
        Q.x = u / 1e25;
        contact floor: x - y / 1e6 >= 0;
        contact wall: 1e-3 * y >= 0;
    ]
    []
}

/// Compares the values in Rust, and those in C and CUDA.
fn check_all(system: &str, (c99, cuda): (&str, &str), (calls, output): (Vec<Call>, String)) {
    assert!(calls.iter().any(|call| call.expected.is_ok()));
    compare(system, &output, &calls, 1e-13);
    check((system, &format!("{system}_idle")), c99, &[9.81], &calls);
    batches::check(system, cuda, (false, &[9.81]), &calls);
}

#[test]
fn beside_a_distance_of_zero() {
    check_all("particle", (Particle::C99, Particle::CUDA), particle());
}

#[test]
fn beside_forces_by_multipliers() {
    check_all("craft", (Craft::C99, Craft::CUDA), craft());
}

#[test]
fn beside_rows_that_depend_on_each_other() {
    check_all("sleigh", (Sleigh::C99, Sleigh::CUDA), sleigh());
}

#[test]
fn beside_rows_of_any_size() {
    check_all("light", (Light::C99, Light::CUDA), light());
}
