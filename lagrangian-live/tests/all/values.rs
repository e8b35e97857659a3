//! Values beside those of the methods in Rust, which the macro generates from the same text.

use lagrangian::nalgebra::{SMatrix, SVector};
use lagrangian::{System, lagrangian};
use lagrangian_live::{Error, Model, RoutineError};

use crate::changes::Random;

/// A system as type and as text.
macro_rules! systems {
    ($($module:ident: $system:ident { $($text:tt)* })*) => {$(
        mod $module {
            use super::*;

            lagrangian! { $($text)* }

            #[test]
            fn values_are_those_of_rust() {
                compare(stringify!($($text)*), &$system::default());
            }
        }
    )*};
}

systems! {
    cart_pole: CartPole {
        struct CartPole { x, theta: coordinate, m_c: parameter = 1, m_p, l: parameter = 0.4, u: input }
        pub let bob = [x + l * sin(theta), l * cos(theta)];
        T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
        V = 9.81 * m_p * bob.y;
        Q.x = u;
    }
    arm: Arm {
        struct Arm { q: coordinate[3], l: parameter = 0.7, m: parameter[3] = [3, 2, 1], tau: input[3] }
        frame mut End = world;
        for i in 0..3 {
            End = End.rotate(z, q[i]).rotate(x, 0.3).translate([l, 0, 0]);
            body { frame: End, mass: m[i], inertia: diag(0.01, 0.02, 0.03) }
        }
        gravity [0, -9.81, 0];
        Q.q = tau;
    }
    driven: Driven {
        struct Driven { a: coordinate, t: time, l: parameter = 2, c: parameter = 0.3 }
        let p = [l * sin(a), cos(3 * t) - l * cos(a)];
        T = der(p)^2 / 2;
        V = 9.81 * p.y;
        D = c * der(a)^2 / 2;
        pub let height = p.y;
        pub let power = t * der(a);
        pub frame Bob = world.translate([p.x, p.y, 0]);
        bundle both { height, bias }
    }
    four_bar: FourBar {
        struct FourBar { crank, coupler, rocker: coordinate, a: parameter = 0.3, m: parameter = 2, u: input }
        let elbow = a * [cos(crank), sin(crank)];
        let middle = elbow + [cos(coupler), sin(coupler)];
        holonomic closure: middle = [0.8, 0] + 0.9 * [cos(rocker), sin(rocker)];
        T = m * (der(elbow)^2 + der(middle)^2) / 2 + der(rocker)^2 / 6;
        V = 9.81 * m * middle.y;
        Q.crank = u;
    }
    sled: Sled {
        struct Sled { x, y, heading: coordinate, m: parameter = 3, i: parameter = 0.2, u: input[2] }
        T = m * (der(x)^2 + der(y)^2) / 2 + i * der(heading)^2 / 2;
        nonholonomic blade: der(x) * sin(heading) = der(y) * cos(heading);
        force u[0] * [cos(heading), sin(heading)] at [x, y];
        Q.heading = u[1];
    }
    drone: Drone {
        struct Drone { p: coordinate[3], att: rotation, m: parameter = 1.2, i: parameter[3] = [0.1, 0.2, 0.25], w: input[3] }
        frame Body = world.translate(p).rotate(att);
        body { frame: Body, mass: m, at: [0.1, 0, 0.05], inertia: diag(i) }
        gravity [0, 0, -9.81];
        Q.att = w;
        force Body.vector([0, 0, w[0]]) at Body.origin;
    }
    charge: Charge {
        struct Charge { r: coordinate[3], m: parameter = 2, b: parameter = 0.7 }
        L = m * der(r)^2 / 2 + b / 2 * (r.x * der(r).y - r.y * der(r).x) - 1 / norm(r);
    }
    fast: Fast {
        struct Fast { x, y: coordinate, m: parameter = 1 }
        L = -9 * m * sqrt(1 - (der(x)^2 + der(y)^2) / 9) - m * y;
    }
    massless: Massless {
        struct Massless { x, s: coordinate, m: parameter = 2 }
        T = m * der(s)^2 / 2;
        V = 9.81 * m * x;
        holonomic slope: s = x + x^3 / 3;
    }
    doubled: Doubled {
        #[allow(deprecated)]
        #[lagrangian(redundant)]
        struct Doubled { r: coordinate[3], m: parameter = 2, u: input }
        T = m * der(r)^2 / 2;
        V = 9.81 * m * r.z;
        holonomic sphere: r^2 = 2;
        holonomic again: 2 * r^2 = 4;
        Q.r.x = u;
    }
    rubbing: Rubbing {
        struct Rubbing { x, y: coordinate, mu: parameter = 0.3, u: input }
        T = der(x)^2 + der(y)^2;
        V = 9.81 * y;
        holonomic ground: y = 0.1 * sin(x);
        Q.x = u - mu * multiplier(ground) * tanh(der(x) / 0.01);
    }
    jumps: Jumps {
        struct Jumps { x, y: coordinate, k: parameter = 5, u: input }
        T = (1 + x^2) * der(x)^2 / 2 + der(x) * der(y) / 3 + der(y)^2;
        V = k * max(x, y)^2 / 2 + exp(x) + atan2(y, 2 + x^2);
        Q.x = if der(x) > 0 { u } else { -2 * u } - sign(der(x)) * abs(y);
        Q.y = min(x, u) * hypot(x, 3);
    }
}

/// A state and other arguments of methods, by name.
struct Given {
    names: Vec<(&'static str, Vec<f64>)>,
    parameters: Vec<f64>,
}

impl Given {
    fn of(&self, name: &str) -> &[f64] {
        let mut names = self.names.iter();
        let (_, values) = names
            .find(|(known, _)| *known == name)
            .unwrap_or_else(|| panic!("no {name}"));
        values
    }

    /// The same with each entry changed by a relative difference of at most this size.
    fn moved(&self, by: f64, random: &mut Random) -> Self {
        let mut moved = |values: &[f64]| {
            let values = values.iter();
            values
                .map(|value| value * (1.0 + by * random.between()))
                .collect::<Vec<f64>>()
        };
        let names = self.names.iter();
        Self {
            names: names.map(|(name, values)| (*name, moved(values))).collect(),
            parameters: moved(&self.parameters),
        }
    }

    /// The results of a method, one after the other.
    fn evaluate(&self, model: &Model, name: &str) -> Result<Vec<f64>, Failed> {
        let method = model.method(name).unwrap();
        let arguments: Vec<&[f64]> = method.arguments.iter().map(|a| self.of(&a.name)).collect();
        let mut results: Vec<Vec<f64>> = method
            .results
            .iter()
            .map(|(_, shape)| vec![0.0; shape.len()])
            .collect();
        let mut written: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
        match model.call(name, &self.parameters, &arguments, &mut written) {
            Ok(()) => Ok(results.concat()),
            Err(Error::State { reason, row, .. }) => Err((reason, row)),
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// The relative size of the changes that show the condition of a method, and their number.
const CHANGE: f64 = 1e-7;
const CHANGES: usize = 6;

/// Four units of rounding of the largest result, and of the differences that changes of all entries make.
fn bound(model: &Model, name: &str, given: &Given, value: &[f64]) -> f64 {
    let mut random = Random::new(11);
    let changes = (0..CHANGES).map(|_| {
        let Ok(moved) = given.moved(CHANGE, &mut random).evaluate(model, name) else {
            return 0.0;
        };
        let differences = moved.iter().zip(value).map(|(a, b)| a - b);
        largest(&differences.collect::<Vec<f64>>()) / CHANGE
    });
    4.0 * f64::EPSILON * (largest(value) + changes.sum::<f64>())
}

fn rows<const R: usize, const C: usize>(matrix: SMatrix<f64, R, C>) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

fn compare<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    text: &str,
    system: &M,
) where
    M: System<f64, NQ, N, K, C>,
{
    let model = Model::read(text).unwrap_or_else(|messages| panic!("{}", messages[0]));
    let names = |names: &[&str], list: &[lagrangian_live::Variable]| {
        assert!(
            names.iter().eq(list.iter().map(|variable| &variable.name)),
            "{names:?}"
        );
    };
    names(&M::COORDINATES, model.coordinates());
    names(&M::VELOCITIES, model.velocities());
    names(&M::CONSTRAINTS, model.constraints());
    assert_eq!(model.equations().text, M::EQUATIONS.text);
    let parameters = model.parameters().iter();
    let parameters: Vec<f64> = parameters
        .flat_map(|p| p.default.clone().unwrap())
        .collect();
    let mut random = Random::new(5);
    for _ in 0..4 {
        let mut vector = || SVector::<f64, N>::from_fn(|_, _| random.between());
        let (d, v, a, w) = (vector(), vector(), vector(), vector());
        let u = SVector::<f64, K>::from_fn(|_, _| random.between());
        let t = random.between();
        let q = system.integrate(&system.neutral(), &d);
        // A state on the constraints, as far as they can hold.
        let (q, v) = system.project(t, &q, &v, &u).unwrap_or((q, v));
        let (q1, y) = (
            system.integrate(&q, &w),
            q.iter().chain(&v).copied().collect(),
        );
        let list = |values: &[f64]| values.to_vec();
        let given = Given {
            names: vec![
                ("t", vec![t]),
                ("q", list(q.as_slice())),
                ("v", list(v.as_slice())),
                ("u", list(u.as_slice())),
                ("a", list(a.as_slice())),
                ("d", list(d.as_slice())),
                ("w", list(w.as_slice())),
                ("q0", list(q.as_slice())),
                ("q1", list(q1.as_slice())),
                ("y", y),
                ("h", vec![0.01]),
            ],
            parameters: parameters.clone(),
        };
        let vector = |value: SVector<f64, N>| Ok(value.as_slice().to_vec());
        let mut expected = vec![
            (
                "coordinate_rates",
                Ok(system.coordinate_rates(t, &q, &v, &u).as_slice().to_vec()),
            ),
            (
                "integrate",
                Ok(system.integrate(&q, &d).as_slice().to_vec()),
            ),
            ("difference", vector(system.difference(&q, &q1))),
            ("mass_matrix", Ok(rows(system.mass_matrix(t, &q, &v, &u)))),
            ("forcing", vector(system.forcing(t, &q, &v, &u))),
            ("momenta", vector(system.momenta(t, &q, &v, &u))),
            ("bias", vector(system.bias(t, &q, &v, &u))),
            (
                "generalized_forces",
                vector(system.generalized_forces(t, &q, &v, &u)),
            ),
            ("lagrangian", Ok(vec![system.lagrangian(t, &q, &v, &u)])),
            ("energy", Ok(vec![system.energy(t, &q, &v, &u)])),
            (
                "inverse_dynamics",
                vector(system.inverse_dynamics(t, &q, &v, &u, &a)),
            ),
            (
                "acceleration",
                system
                    .acceleration(t, &q, &v, &u)
                    .map(|a| a.as_slice().to_vec())
                    .map_err(failed),
            ),
            (
                "acceleration_derivatives",
                system
                    .acceleration_derivatives(t, &q, &v, &u)
                    .map_err(failed)
                    .map(|d| [rows(d.q), rows(d.v), rows(d.u)].concat()),
            ),
            (
                "vjp",
                system
                    .vjp(t, &q, &v, &u, &w)
                    .map_err(failed)
                    .map(|d| [d.q.as_slice(), d.v.as_slice(), d.u.as_slice()].concat()),
            ),
            (
                "rk4_step",
                lagrangian::rk4_step(system, t, &q, &v, &u, 0.01)
                    .map_err(failed)
                    .map(|(q, v)| [q.as_slice(), v.as_slice()].concat()),
            ),
        ];
        if C > 0 {
            expected.extend([
                (
                    "constraint_jacobian",
                    Ok(rows(system.constraint_jacobian(t, &q, &v, &u))),
                ),
                (
                    "constraint_gamma",
                    Ok(system.constraint_gamma(t, &q, &v, &u).as_slice().to_vec()),
                ),
                (
                    "constraint_forces",
                    system
                        .constraint_forces(t, &q, &v, &u)
                        .map_err(failed)
                        .map(|f| f.as_slice().to_vec()),
                ),
                (
                    "project",
                    system
                        .project(t, &q, &v, &u)
                        .map_err(failed)
                        .map(|(q, v)| [q.as_slice(), v.as_slice()].concat()),
                ),
            ]);
        }
        for (name, expected) in expected {
            let found = given.evaluate(&model, name);
            let (Ok(found), Ok(expected)) = (&found, &expected) else {
                assert_eq!(found, expected, "{name}");
                continue;
            };
            let bound = bound(&model, name, &given, expected);
            let differences = found.iter().zip(expected).map(|(a, b)| a - b);
            let difference = largest(&differences.collect::<Vec<f64>>());
            assert!(
                difference <= bound,
                "{name}: {difference} beyond {bound}\n{found:?}\n{expected:?}"
            );
            assert_eq!(found.len(), expected.len(), "{name}");
        }
    }
    every_method(&model);
}

/// The reason of an error, and the row of a constraint.
type Failed = (RoutineError, Option<usize>);

fn failed(error: lagrangian::Error) -> Failed {
    match error {
        lagrangian::Error::SingularMassMatrix => (RoutineError::SingularMassMatrix, None),
        lagrangian::Error::DependentConstraints { row } => {
            (RoutineError::DependentConstraints, Some(row))
        }
        lagrangian::Error::NotConverged { .. } => (RoutineError::NotConverged, None),
        _ => (RoutineError::NotFinite, None),
    }
}

/// The list of methods has the arguments and results of the routines, and a batch has the values of single states.
fn every_method(model: &Model) {
    let mut random = Random::new(3);
    let parameters = model.parameters().iter();
    let parameters: Vec<f64> = parameters
        .flat_map(|p| p.default.clone().unwrap())
        .collect();
    for method in model.methods() {
        let count = 11;
        let arguments = method.arguments.iter().map(|argument| {
            let states = if argument.is_scalar { 1 } else { count };
            let entries = (0..argument.length * states).map(|_| match argument.is_flags {
                true => random.below(2) as f64,
                false => random.between(),
            });
            entries.collect()
        });
        let arguments: Vec<Vec<f64>> = arguments.collect();
        let zeros = |count: usize| -> Vec<Vec<f64>> {
            method
                .results
                .iter()
                .map(|(_, shape)| vec![0.0; shape.len() * count])
                .collect()
        };
        let mut all = zeros(count);
        {
            let arguments: Vec<&[f64]> = arguments.iter().map(Vec::as_slice).collect();
            let mut written: Vec<&mut [f64]> = all.iter_mut().map(Vec::as_mut_slice).collect();
            let done = model.call_batch(&method.name, &parameters, &arguments, &mut written, count);
            assert!(
                done.is_ok() || method.is_fallible,
                "{}: {done:?}",
                method.name
            );
        }
        for state in 0..count {
            let own: Vec<&[f64]> = method
                .arguments
                .iter()
                .zip(&arguments)
                .map(|(argument, values)| match argument.is_scalar {
                    true => &values[..],
                    false => &values[state * argument.length..][..argument.length],
                })
                .collect();
            let mut single = zeros(1);
            let mut written: Vec<&mut [f64]> = single.iter_mut().map(Vec::as_mut_slice).collect();
            let done = model.call(&method.name, &parameters, &own, &mut written);
            for ((single, all), (_, shape)) in single.iter().zip(&all).zip(&method.results) {
                let all = &all[state * shape.len()..][..shape.len()];
                let is_same = single
                    .iter()
                    .zip(all)
                    .all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan());
                assert!(is_same, "{} {done:?}: {single:?} {all:?}", method.name);
            }
        }
    }
}

lagrangian! {
    struct Walker { p: coordinate[2], angle: coordinate, m: parameter = 2, u: input }
    let foot = p + [sin(angle), -cos(angle)];
    T = m * der(p)^2 / 2 + der(angle)^2 / 8;
    V = 9.81 * m * p.y;
    Q.angle = u;
    contact heel: p.y >= 0;
    contact toe: foot.y >= 0;
    pub let place = foot;
    pub let effort = u * der(angle);
    pub frame Foot = world.translate([foot.x, foot.y, 0]).rotate(z, angle);
    regressor identify { m }
    symmetry aside: p.x -> 1;
    bundle all { mass_matrix, bias, place, place_jacobian, Foot, acceleration_unchecked }
}

#[test]
fn contacts_outputs_and_listed_values_are_those_of_rust() {
    let text = stringify! {
        struct Walker { p: coordinate[2], angle: coordinate, m: parameter = 2, u: input }
        let foot = p + [sin(angle), -cos(angle)];
        T = m * der(p)^2 / 2 + der(angle)^2 / 8;
        V = 9.81 * m * p.y;
        Q.angle = u;
        contact heel: p.y >= 0;
        contact toe: foot.y >= 0;
        pub let place = foot;
        pub let effort = u * der(angle);
        pub frame Foot = world.translate([foot.x, foot.y, 0]).rotate(z, angle);
        regressor identify { m }
        symmetry aside: p.x -> 1;
        bundle all { mass_matrix, bias, place, place_jacobian, Foot, acceleration_unchecked }
    };
    let model = Model::read(text).unwrap_or_else(|messages| panic!("{}", messages[0]));
    every_method(&model);
    let walker = Walker::default();
    let (q, v) = (
        SVector::from([0.1, 0.2, 0.5]),
        SVector::from([0.4, -0.3, 0.7]),
    );
    let (u, a, restitution) = (
        SVector::from([0.9]),
        SVector::from([0.2, 0.6, 0.1]),
        [0.5, 0.3],
    );
    let given = Given {
        names: vec![
            ("q", q.as_slice().to_vec()),
            ("v", v.as_slice().to_vec()),
            ("u", u.as_slice().to_vec()),
            ("a", a.as_slice().to_vec()),
            ("active", vec![0.0, 1.0]),
            ("restitution", restitution.to_vec()),
        ],
        parameters: vec![2.0],
    };
    let active = [false, true];
    let solved = walker.solve_active(&q, &v, &u, &active).unwrap();
    let impact = walker.impact(&q, &v, &active, &restitution).unwrap();
    let linear = walker.linearize_active(&q, &v, &u, &active).unwrap();
    let pose = walker.Foot(&q);
    let effort = walker.effort_derivatives(&q, &v, &u);
    let all = walker.all(&q, &v, &u);
    let expected = [
        (
            "solve_active",
            [
                solved.acceleration.as_slice(),
                solved.contact_forces.as_slice(),
            ]
            .concat(),
        ),
        (
            "impact",
            [impact.velocity.as_slice(), impact.impulses.as_slice()].concat(),
        ),
        (
            "linearize_active",
            [rows(linear.a), rows(linear.b)].concat(),
        ),
        ("delassus", rows(walker.delassus(&q).unwrap())),
        ("gaps", walker.gaps(&q).as_slice().to_vec()),
        ("place_bias", walker.place_bias(&q, &v).as_slice().to_vec()),
        (
            "effort_derivatives",
            [rows(effort.q), rows(effort.v), rows(effort.u)].concat(),
        ),
        (
            "Foot",
            [pose.origin.as_slice().to_vec(), rows(pose.rotation)].concat(),
        ),
        (
            "Foot_velocity",
            walker.Foot_velocity(&q, &v).as_slice().to_vec(),
        ),
        ("identify", rows(walker.identify(&q, &v, &a))),
        ("aside", vec![walker.aside(&q, &v)]),
        (
            "all",
            [
                rows(all.mass_matrix),
                all.bias.as_slice().to_vec(),
                all.place.as_slice().to_vec(),
                rows(all.place_jacobian),
                all.Foot.origin.as_slice().to_vec(),
                rows(all.Foot.rotation),
                all.acceleration_unchecked.as_slice().to_vec(),
            ]
            .concat(),
        ),
    ];
    for (name, expected) in expected {
        let found = given.evaluate(&model, name).unwrap();
        let differences = found.iter().zip(&expected).map(|(a, b)| a - b);
        let difference = largest(&differences.collect::<Vec<f64>>());
        assert!(
            difference <= bound(&model, name, &given, &expected),
            "{name}: {found:?} {expected:?}"
        );
        assert_eq!(found.len(), expected.len(), "{name}");
    }
    let names: Vec<&str> = model
        .method("all")
        .unwrap()
        .results
        .iter()
        .map(|(name, _)| &name[..])
        .collect();
    assert_eq!(
        names[3..6],
        ["place_jacobian", "Foot.origin", "Foot.rotation"]
    );
}

/// Systems whose rows depend on each other at some states. The last one has redundant rows.
mod dependent {
    use super::*;

    macro_rules! declared {
        ($($module:ident { $($text:tt)* })*) => {$(
            pub(super) mod $module {
                use super::*;
                lagrangian! { $($text)* }
                pub(crate) const TEXT: &str = stringify! { $($text)* };
            }
        )*};
    }

    declared! {
        rods {
            pub(crate) struct Rods { r: coordinate[2], s: coordinate[2], m: parameter = 2 }
            T = (m * der(r)^2 + der(s)^2) / 2;
            holonomic slide: s.y = 0;
            holonomic rod: r^2 = 1;
            holonomic second: (r - s)^2 = 1;
            nonholonomic skate: r.x * der(s).x = der(r).y;
            contact floor: r.y >= 0;
            contact wall: r.x >= 0;
            contact ramp: r.x + r.y >= 0;
        }
        loops {
            #[lagrangian(redundant)]
            pub(crate) struct Loops { r: coordinate[3], m: parameter = 2 }
            T = m * der(r)^2 / 2;
            holonomic rod: r^2 = 1;
            holonomic flat: r.y = 0;
            holonomic again: r.x + 2 * r.y = 1.5;
        }
    }
}

#[test]
fn rows_of_errors_are_those_of_rust() {
    let read = |text: &str| Model::read(text).unwrap_or_else(|messages| panic!("{}", messages[0]));
    let mut failures = 0;
    let mut compare = |model: &Model, given: &Given, name: &str, expected: Option<Failed>| {
        let found = given.evaluate(model, name).err();
        assert_eq!(found, expected, "{name} at {:?}", given.of("q"));
        failures += usize::from(expected.is_some_and(|(_, row)| row.is_some()));
    };
    let rods = dependent::rods::Rods::default();
    let model = read(dependent::rods::TEXT);
    let states = [
        [1.0, 0.0, 2.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [1.0, 0.0, 0.0, 0.0],
        [1.0, 0.0, 1.0, 0.0],
        [0.6, 0.8, 1.2, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 1.0, 1e-12, 0.0],
    ];
    let flags = [
        [true, false, false],
        [false, true, true],
        [true, true, true],
    ];
    for (q, active) in states
        .iter()
        .flat_map(|q| flags.iter().map(move |f| (q, f)))
    {
        let q = SVector::from(*q);
        let v = SVector::from([0.3, -0.2, 0.5, 0.1]);
        let numbers = active.iter().map(|flag| f64::from(u8::from(*flag)));
        let given = Given {
            names: vec![
                ("q", q.as_slice().to_vec()),
                ("v", v.as_slice().to_vec()),
                ("w", vec![0.4, 0.5, -0.6, 0.7]),
                ("active", numbers.collect()),
                ("restitution", vec![0.5; 3]),
            ],
            parameters: vec![2.0],
        };
        let u = SVector::from([]);
        let w = SVector::from([0.4, 0.5, -0.6, 0.7]);
        let compare = &mut |name, expected| compare(&model, &given, name, expected);
        compare("solve", rods.solve(&q, &v).err().map(failed));
        compare("acceleration", rods.acceleration(&q, &v).err().map(failed));
        compare("linearize", rods.linearize(&q, &v).err().map(failed));
        compare(
            "vjp",
            System::vjp(&rods, 0.0, &q, &v, &u, &w).err().map(failed),
        );
        compare("project", rods.project(&q, &v).err().map(failed));
        let solved = rods.solve_active(&q, &v, active);
        compare("solve_active", solved.err().map(failed));
        let linear = rods.linearize_active(&q, &v, active);
        compare("linearize_active", linear.err().map(failed));
        let impact = rods.impact(&q, &v, active, &[0.5; 3]);
        compare("impact", impact.err().map(failed));
        compare("delassus", rods.delassus(&q).err().map(failed));
    }
    let loops = dependent::loops::Loops::default();
    let model = read(dependent::loops::TEXT);
    for (q, v) in [
        ([1.0, 0.0, 0.0], [0.0, 0.5, 0.1]),
        ([1.2, 0.0, 0.0], [0.5, 0.0, 0.0]),
        ([1.0, 1.0, 0.0], [0.0; 3]),
    ] {
        let (q, v) = (SVector::from(q), SVector::from(v));
        let given = Given {
            names: vec![("q", q.as_slice().to_vec()), ("v", v.as_slice().to_vec())],
            parameters: vec![2.0],
        };
        let compare = &mut |name, expected| compare(&model, &given, name, expected);
        compare("solve", loops.solve(&q, &v).err().map(failed));
        compare("project", loops.project(&q, &v).err().map(failed));
    }
    assert!(failures > 30, "{failures}");
}
