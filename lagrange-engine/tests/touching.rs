//! Routines of contacts and projections: their equations at random systems, and derivatives beside differences.

use crate::cases::cases;
use crate::maps::{self, Mass};
use crate::numeric::{assert_close, rate};
use crate::routines::{At, product, reacting};
use crate::trees::{self, Attitudes};
use lagrange_engine::{
    Constraint, ConstraintKind, Contact, DryJoint, Dynamics, Graph, NodeId, Number, Quantity,
    Routines, Symbol, System, Unary,
};
use proptest::prelude::*;

/// The number of contacts.
const P: usize = 2;

/// A system with two contacts, each a curve in two coordinates.
pub(crate) fn touching(mut system: System) -> System {
    let n = system.names.coordinates.len() as u32;
    let count = system.names.velocity_count() as u32;
    system.contacts = (0..P as u32)
        .map(|k| {
            let graph = &mut system.graph;
            let gap = curve(graph, (k % n, (k + 1) % n));
            let coefficient = curve(graph, ((k + 1) % n, k % n));
            let slips = (0..=k).map(|i| sliding(graph, coefficient, (i % count, (i + 1) % count)));
            Contact {
                slips: slips.collect(),
                friction: Some(coefficient),
                restitution: (k > 0).then_some(gap),
                ..Contact::new(format!("gap{k}"), gap)
            }
        })
        .collect();
    let limit = system.contacts[0].gap;
    system.dry_joints = vec![DryJoint { velocity: 0, limit }];
    system
}

/// c v_i + v_j
fn sliding(graph: &mut Graph, coefficient: NodeId, (i, j): (u32, u32)) -> NodeId {
    let [x, y] = [i, j].map(|i| graph.symbol(Symbol::Velocity(i)));
    let first = graph.mul(coefficient, x);
    graph.add(first, y)
}

/// The system with a contact that repeats the first one in another unit.
fn twice(mut system: System) -> System {
    let gap = system.contacts[0].gap;
    let gap = system.graph.scale(Number::HALF, gap);
    system.contacts.push(Contact::new("again", gap));
    system
}

/// sin(q_i) + q_j^2 / 2
fn curve(graph: &mut Graph, (i, j): (u32, u32)) -> NodeId {
    let [x, y] = [i, j].map(|i| graph.symbol(Symbol::Coordinate(i)));
    let sine = graph.unary(Unary::Sin, x);
    let square = graph.powi(y, 2);
    let half = graph.scale(Number::HALF, square);
    graph.add(sine, half)
}

/// The sums of `terms` are zero to rounding.
fn assert_balanced(terms: &[f64]) {
    let size: f64 = terms.iter().map(|x| x.abs()).sum();
    let sum: f64 = terms.iter().sum();
    assert!(sum.abs() <= 1e-11 * size.max(1e-3), "{terms:?}");
}

/// `M x = J^T l + J_c^T f + B [l; f] + right`, row by row. Impacts are without B.
fn check_forces(at: &At, x: &[f64], [l, f]: [&[f64]; 2], (right, is_impact): (&[f64], bool)) {
    let n = x.len();
    let [mass, rows, contacts] = [
        Quantity::MassMatrix,
        Quantity::ConstraintJacobian,
        Quantity::ContactJacobian,
    ]
    .map(|quantity| at.graph(quantity));
    let by_multipliers = at.graph(Quantity::MultiplierForces);
    let columns = by_multipliers.len() / n * usize::from(!is_impact);
    for i in 0..n {
        let others = &by_multipliers[i * columns..(i + 1) * columns];
        let others = others.iter().zip(l.iter().chain(f)).map(|(b, l)| -b * l);
        let inertia = (0..n).map(|j| mass[i * n + j] * x[j]);
        let reactions = l.iter().enumerate().map(|(k, l)| -rows[k * n + i] * l);
        let pushes = f.iter().enumerate().map(|(k, f)| -contacts[k * n + i] * f);
        let terms: Vec<f64> = inertia
            .chain(reactions)
            .chain(pushes)
            .chain(others)
            .chain([-right[i]])
            .collect();
        assert_balanced(&terms);
    }
}

/// `J x = rates`, row by row.
fn check_rates(matrix: &[f64], x: &[f64], rates: &[f64]) {
    for (row, rate) in matrix.chunks(x.len()).zip(rates) {
        let products = row.iter().zip(x).map(|(a, b)| a * b);
        assert_balanced(&products.chain([-rate]).collect::<Vec<f64>>());
    }
}

/// The same in the rows of the active contacts; the forces of the others are 0.
fn check_active(at: &At, active: &[f64; P], x: &[f64], (rates, forces): (&[f64], &[f64])) {
    let contacts = at.graph(Quantity::ContactJacobian);
    for k in 0..P {
        match active[k] {
            0.0 => assert_eq!(forces[k], 0.0),
            _ => check_rates(&contacts[k * x.len()..], x, &rates[k..=k]),
        }
    }
}

fn check_contacts(at: &At) {
    for (method, quantity) in [
        ("gaps", Quantity::ContactGaps),
        ("gap_rates", Quantity::ContactGapRates),
        ("contact_jacobian", Quantity::ContactJacobian),
        ("contact_gamma", Quantity::ContactGamma),
    ] {
        assert_close(&at.one(method, &[]), &at.graph(quantity), 1e-10);
    }
    for active in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] {
        check_motion(at, &active);
        check_impact(at, &active);
    }
}

/// The terms of friction beside their quantities, and J_s and gamma_s beside differences of the sliding velocities.
fn check_friction(at: &At) {
    let terms = at.results("friction_terms", &[]).expect("terms");
    let [of_gaps, of_rates, slips @ ..] = &terms[..] else {
        panic!("no terms");
    };
    let quantities = [
        (0, Quantity::Slips(0)),
        (1, Quantity::Slips(1)),
        (4, Quantity::SlipJacobian(0)),
        (5, Quantity::SlipJacobian(1)),
        (6, Quantity::SlipGamma(0)),
        (7, Quantity::SlipGamma(1)),
        (8, Quantity::ContactFriction),
        (9, Quantity::ContactRestitution),
        (10, Quantity::JointLimits),
    ];
    for (place, quantity) in quantities {
        assert_close(&slips[place], &at.graph(quantity), 1e-10);
    }
    let bounds = [of_gaps, of_rates, &slips[2], &slips[3]];
    assert!(
        bounds
            .iter()
            .all(|bounds| bounds.iter().all(|bound| *bound >= 0.0))
    );
    let (v, still) = (at.argument("v"), vec![0.0; at.argument("v").len()]);
    for direction in 0..2 {
        let value = |q: &[f64], v: &[f64]| {
            let given = [("q", q), ("v", v)];
            at.results("friction_terms", &given).expect("terms")[2 + direction].clone()
        };
        for d in [&v, &still] {
            let w = if d == &v { &still } else { &v };
            let along = rate(|h| {
                let (q, v) = at.moved(d, w, h * 1e-2);
                value(&q, &v)
            });
            let along: Vec<f64> = along.into_iter().map(|x| x * 1e2).collect();
            let expected = match d == &v {
                true => slips[6 + direction].iter().map(|gamma| -gamma).collect(),
                false => product(&slips[4 + direction], w),
            };
            assert_close(&expected, &along, 1e-4);
        }
    }
}

fn check_motion(at: &At, active: &[f64; P]) {
    let others: [(&str, &[f64]); 1] = [("active", active)];
    let Ok(motion) = at.results("solve_active", &others) else {
        return;
    };
    let [a, lambda, forces] = [0, 1, 2].map(|i| &motion[i][..]);
    check_forces(
        at,
        a,
        [lambda, forces],
        (&at.graph(Quantity::Forcing), false),
    );
    let rates = at.graph(Quantity::ConstraintGamma);
    check_rates(&at.graph(Quantity::ConstraintJacobian), a, &rates);
    let rates = at.graph(Quantity::ContactGamma);
    check_active(at, active, a, (&rates, forces));
    if a.iter().chain(lambda).chain(forces).any(|x| x.abs() > 1e2) {
        return;
    }
    let n = a.len();
    let linear = at
        .results("linearize_active", &others)
        .expect("a linearization");
    check_slopes(at, &linear[0][2 * n * n..], |q, v| {
        let given = [("active", &active[..]), ("q", q), ("v", v)];
        at.results("solve_active", &given)
            .expect("a motion")
            .remove(0)
    });
}

/// Rows of derivatives by q and v beside differences along two directions.
fn check_slopes(at: &At, rows: &[f64], value: impl Fn(&[f64], &[f64]) -> Vec<f64>) {
    let n = at.argument("v").len();
    let direction: Vec<f64> = (0..n).map(|i| (i as f64 + 1.0).cos()).collect();
    let still = vec![0.0; n];
    for [d, w] in [[&direction, &still], [&still, &direction]] {
        let along = rate(|h| {
            let (q, v) = at.moved(d, w, h * 1e-2);
            value(&q, &v)
        });
        let along: Vec<f64> = along.into_iter().map(|x| x * 1e2).collect();
        assert_close(&product(rows, &[&d[..], w].concat()), &along, 1e-4);
    }
}

fn check_impact(at: &At, active: &[f64; P]) {
    let restitution = [0.5, 0.2];
    let others: [(&str, &[f64]); 2] = [("active", active), ("restitution", &restitution)];
    let Ok(hit) = at.results("impact", &others) else {
        return;
    };
    let v = at.argument("v");
    let change: Vec<f64> = hit[0].iter().zip(&v).map(|(new, old)| new - old).collect();
    let size = hit
        .iter()
        .flatten()
        .fold(0.0_f64, |most, x| most.max(x.abs()));
    if size > 1e2 {
        return;
    }
    check_forces(at, &change, [&hit[1], &hit[2]], (&vec![0.0; v.len()], true));
    let rates = at.graph(Quantity::ContactGapRates);
    let wanted: Vec<f64> = (0..P).map(|k| -(1.0 + restitution[k]) * rates[k]).collect();
    check_active(at, active, &change, (&wanted, &hit[2]));
    // Active contacts may determine velocities that inertia and constraints do not.
    if *active == [1.0; P]
        && let Ok(delassus) = at.results("delassus", &[])
    {
        assert_close(&product(&delassus[0], &hit[2]), &wanted, 1e-8);
    }
    let derivatives = at
        .results("impact_derivatives", &others)
        .expect("derivatives");
    let n = v.len();
    let blocks = derivatives[0].chunks(n).zip(derivatives[1].chunks(n));
    let rows: Vec<f64> = blocks.flat_map(|(q, v)| [q, v].concat()).collect();
    check_slopes(at, &rows, |q, v| {
        let given = [others[0], others[1], ("q", q), ("v", v)];
        at.results("impact", &given).expect("an impact").remove(0)
    });
}

/// The gap of a contact that is not active, of this kind: NaN, infinite, or with a row of a size far from all others.
fn idle_gap(graph: &mut Graph, kind: usize) -> NodeId {
    let x = graph.symbol(Symbol::Coordinate(0));
    let square = graph.powi(x, 2);
    let exponent = graph.integer([-1, 800, 300, -300][kind]);
    match kind {
        0 => {
            let negative = graph.sub(exponent, square);
            graph.unary(Unary::Sqrt, negative)
        }
        1 => {
            let large = graph.add(exponent, square);
            graph.unary(Unary::Exp, large)
        }
        _ => {
            let size = graph.unary(Unary::Exp, exponent);
            graph.mul(size, x)
        }
    }
}

/// The system with an idle contact at this place. If forces depend on multipliers, one of them depends on that of this
/// contact, with a factor of the same kind.
fn with_idle(mut system: System, place: usize, kind: usize) -> System {
    let gap = idle_gap(&mut system.graph, kind);
    system.contacts.insert(place, Contact::new("idle", gap));
    if !system.multiplier_forces.is_empty() {
        let column = vec![gap; system.names.velocity_count()];
        let place = system.constraints.len() + place;
        system.multiplier_forces.insert(place, column);
    }
    system
}

/// Results with an idle contact are those without the contact, and 0 for its own force; so are errors.
fn check_idle(system: &System, value: &dyn Fn(Symbol) -> f64, (seed, are_redundant): (u32, bool)) {
    let without = Dynamics::new(system.clone());
    let count = system.contacts.len();
    let restitution: Vec<f64> = (0..count).map(|k| 0.3 * k as f64).collect();
    let (kind, place) = (seed as usize % 4, seed as usize / 4 % (count + 1));
    let with = Dynamics::new(with_idle(system.clone(), place, kind));
    let [with, without] = [&with, &without].map(|dynamics| At {
        routines: Routines::new(dynamics).with_redundant_rows(are_redundant),
        dynamics,
        value,
    });
    for pattern in 0..1_usize << count {
        let active: Vec<f64> = (0..count).map(|k| (pattern >> k & 1) as f64).collect();
        let inserted = |values: &[f64]| {
            let mut all = values.to_vec();
            all.insert(place, 0.0);
            all
        };
        let others: [(&str, &[f64]); 2] = [("active", &active), ("restitution", &restitution)];
        let all = others.map(|(name, values)| (name, inserted(values)));
        let all = all.each_ref().map(|(name, values)| (*name, &values[..]));
        for method in [
            "solve_active",
            "linearize_active",
            "impact",
            "impact_derivatives",
        ] {
            let (found, expected) = (with.results(method, &all), without.results(method, &others));
            let (found, mut expected) = match (found, expected) {
                (Ok(found), Ok(expected)) => (found, expected),
                (found, expected) => {
                    assert_eq!(found.map(|_| ()), expected.map(|_| ()), "{method} {kind}");
                    continue;
                }
            };
            if let [_, _, forces] = &mut expected[..] {
                *forces = inserted(forces);
            }
            for (found, expected) in found.iter().zip(&expected) {
                assert_close(found, expected, 1e-9);
            }
        }
    }
}

/// A projected state meets the constraints, and the next projection returns it as it is.
fn check_projection(at: &At) {
    let Ok(found) = at.results("project", &[]) else {
        return;
    };
    let on: [(&str, &[f64]); 2] = [("q", &found[0]), ("v", &found[1])];
    let size = found
        .iter()
        .flatten()
        .fold(1.0_f64, |most, x| most.max(x.abs()));
    for method in ["constraint_residual", "constraint_velocity"] {
        let left = at.one(method, &on);
        assert!(
            left.iter().all(|r| r.abs() <= 1e-12 * size * size),
            "{left:?}"
        );
    }
    assert_eq!(at.results("project", &on), Ok(found.clone()));
    // An impulse of the constraints changes v: it has no power along differences of velocities on the constraints.
    let (q, v) = (&found[0], at.argument("v"));
    let mass = at.one("mass_matrix", &[("q", q)]);
    let change: Vec<f64> = found[1]
        .iter()
        .zip(&v)
        .map(|(new, old)| new - old)
        .collect();
    let impulse = product(&mass, &change);
    let other = at
        .results("project", &[("q", q), ("v", &impulse)])
        .expect("a projection");
    let free = other[1].iter().zip(&found[1]).map(|(a, b)| a - b);
    let power: Vec<f64> = free.zip(&impulse).map(|(v, p)| v * p).collect();
    assert_balanced(&power);
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn contacts_of_maps(plan in maps::plans(), seed in 1_u32..1000) {
        let system = touching(maps::build(&plan, Mass::Definite));
        let value = maps::state(seed);
        let with_forces = reacting(system.clone());
        check_idle(&with_forces, &value, (seed, false));
        check_idle(&system, &value, (seed, false));
        check_idle(&twice(system.clone()), &value, (seed, true));
        check_contacts(&At::new(&Dynamics::new(with_forces), &value));
        let dynamics = Dynamics::new(system);
        let at = At::new(&dynamics, &value);
        check_contacts(&at);
        check_friction(&at);
        if dynamics.sizes().constraints > 0 {
            check_projection(&at);
        }
    }
}

proptest! {
    #![proptest_config(cases(12))]

    /// Trees whose first coordinates are on a curve, with attitudes in some of them.
    #[test]
    fn contacts_of_trees(plan in trees::plans(), seed in 1_u32..1000) {
        for attitudes in [Attitudes::None, Attitudes::Some] {
            let mut system = touching(trees::build(&plan, attitudes));
            let n = system.names.coordinates.len() as u32;
            let residual = curve(&mut system.graph, (n - 1, 0));
            system.constraints.push(Constraint {
                name: "curve".to_owned(),
                kind: ConstraintKind::Holonomic,
                residual,
            });
            let value = trees::state(seed);
            check_idle(&system, &value, (seed, false));
            let dynamics = Dynamics::new(system);
            let at = At::new(&dynamics, &value);
            check_contacts(&at);
            check_projection(&at);
        }
    }
}
