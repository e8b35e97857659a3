//! Systems with first-order states: rates beside the equations of motion, which they enter by V, Q and D.

use crate::cases::sample;
use crate::maps::{self, Mass};
use crate::numeric::{assert_close, rate};
use crate::routines::{At, beside, product};
use lagrange_engine::{
    Dynamics, Energy, NodeId, Number, Quantity, Routines, Symbol, SymmetryDefect, System, Unary,
    plain_names, symmetry_defect,
};

/// The system with states that act by V, Q and D, and inputs that act on both: each rate is of q, v, z, u and t.
pub(crate) fn stateful(mut system: System, states: u32, inputs: u32) -> System {
    let velocities = system.names.velocity_count() as u32;
    let scalars = system.names.rotations.first().copied();
    let scalars = scalars.unwrap_or(system.names.coordinates.len()) as u32;
    system.names.states = (0..states).map(|i| format!("z{i}")).collect();
    system.names.inputs = (0..inputs).map(|i| format!("u{i}")).collect();
    let graph = &mut system.graph;
    let zero = graph.integer(0);
    let mut of = |symbols: Vec<Symbol>| -> Vec<NodeId> {
        symbols.into_iter().map(|s| graph.symbol(s)).collect()
    };
    let q = of((0..scalars).map(Symbol::Coordinate).collect());
    let v = of((0..velocities).map(Symbol::Velocity).collect());
    let z = of((0..states).map(Symbol::State).collect());
    let held = of((0..states).map(Symbol::StateRate).collect());
    let u = of((0..inputs).map(Symbol::Input).collect());
    let t = graph.symbol(Symbol::Time);
    let scale = match system.names.parameters[..] {
        [] => graph.integer(1),
        _ => graph.symbol(Symbol::Parameter(0)),
    };
    let at = |list: &[NodeId], i: usize| list.get(i % list.len().max(1)).copied().unwrap_or(zero);
    let (mut energy, mut dissipation) = (vec![], vec![(Number::ONE, system.dissipation)]);
    for i in 0..z.len() {
        // z^2 sin q / 2 + m z q
        let sine = graph.unary(Unary::Sin, at(&q, i));
        energy.push((Number::HALF, graph.product(vec![(z[i], 2), (sine, 1)])));
        energy.push((
            Number::ONE,
            graph.product(vec![(z[i], 1), (at(&q, i + 1), 1), (scale, 1)]),
        ));
        // z v^2 / 2 + dz/dt v sin q
        dissipation.push((Number::HALF, graph.product(vec![(z[i], 1), (at(&v, i), 2)])));
        let held = graph.product(vec![(held[i], 1), (at(&v, i + 1), 1), (sine, 1)]);
        dissipation.push((Number::ONE, held));
    }
    if let Energy::Natural { potential, .. } = &mut system.energy {
        energy.push((Number::ONE, *potential));
        *potential = graph.sum(Number::ZERO, energy);
    }
    system.dissipation = graph.sum(Number::ZERO, dissipation);
    for (i, force) in system.forces.iter_mut().enumerate() {
        let wave = graph.unary(Unary::Cos, at(&z, i));
        let pushed = graph.mul(wave, at(&u, i));
        let terms = [*force, wave, pushed].map(|term| (Number::ONE, term));
        *force = graph.sum(Number::ZERO, terms.to_vec());
    }
    system.state_rates = (0..z.len())
        .map(|i| {
            let wave = graph.unary(Unary::Sin, at(&z, i + 1));
            let terms = [
                (Number::integer(-2), z[i]),
                (Number::ONE, graph.mul(wave, at(&v, i))),
                (Number::ONE, graph.mul(at(&q, i), at(&u, i))),
                (Number::HALF, at(&q, i + 1)),
                (Number::ONE, t),
            ];
            graph.sum(Number::ZERO, terms.to_vec())
        })
        .collect();
    if system.names.time.is_none() {
        let now = graph.integer(1);
        system.state_rates = graph.substitute(&system.state_rates, &[(Symbol::Time, now)]);
    }
    system
}

/// Random systems with one state or three, and with inputs or none.
pub(crate) fn choice(seed: u32) -> (u32, u32) {
    ([1, 3][seed as usize % 2], [0, 2][seed as usize / 2 % 2])
}

/// A function of the arguments that differ from those of the state.
type Values<'a> = dyn Fn(&[(&str, &[f64])]) -> Vec<f64> + 'a;

/// Names of results, in the order of those of derivatives.
const BY: [&str; 4] = ["q", "v", "z", "u"];

/// The derivatives of a function of the state along a direction of q, v, z or u.
pub(crate) fn along(at: &At, by: &str, d: &[f64], f: &Values) -> Vec<f64> {
    let changes = rate(|h| {
        let h = 1e-2 * h;
        if by == "q" {
            let (q, _) = at.moved(d, &vec![0.0; d.len()], h);
            return f(&[("q", &q)]);
        }
        let values = at.argument(by).into_iter().zip(d).map(|(x, d)| x + h * d);
        f(&[(by, &values.collect::<Vec<f64>>())])
    });
    changes.into_iter().map(|x| 1e2 * x).collect()
}

/// The sum of a function's derivatives along a direction of each of these names, against matrices beside each other.
fn check_sum(at: &At, by: &[&str], matrices: &[Vec<f64>], f: &Values, tolerance: f64) {
    let (mut whole, mut directions) = (Vec::new(), Vec::new());
    for by in by {
        let name = if *by == "q" { "v" } else { by };
        let direction: Vec<f64> = (1..=at.argument(name).len())
            .map(|i| (i as f64).cos())
            .collect();
        let rates = along(at, by, &direction, f);
        whole.resize(rates.len(), 0.0);
        whole
            .iter_mut()
            .zip(rates)
            .for_each(|(sum, rate)| *sum += rate);
        directions.extend(direction);
    }
    let rows = whole.len();
    assert_close(
        &product(&beside(matrices, rows), &directions),
        &whole,
        tolerance,
    );
}

/// The derivatives of every method with states, against differences of the method itself.
pub(crate) fn check_states(at: &At) {
    let sizes = at.dynamics.sizes();
    let (n, states, inputs) = (sizes.velocities, sizes.states, sizes.inputs);
    let Ok(solved) = at.results("solve", &[]) else {
        return;
    };
    if states == 0 {
        return;
    }
    let linear = at.results("linearize", &[]).expect("a linearization");
    let size = 2 * n + states;
    let rows = [
        linear[0][2 * n * size..].to_vec(),
        linear[1][2 * n * inputs..].to_vec(),
    ];
    let rates = |others: &[(&str, &[f64])]| at.one("state_rates", others);
    check_sum(at, &BY, &rows, &rates, 1e-6);
    let derivatives = at
        .results("inverse_dynamics_derivatives", &[])
        .expect("derivatives");
    let forces = |others: &[(&str, &[f64])]| at.one("inverse_dynamics", others);
    check_sum(at, &BY[..2], &derivatives, &forces, 1e-5);
    let [a, lambda] = [n, sizes.constraints]
        .map(|count| (0..count).map(|i| (i as f64).sin()).collect::<Vec<f64>>());
    let given: [(&str, &[f64]); 2] = [("a", &a), ("lambda", &lambda)];
    let equations = at
        .results("equation_derivatives", &given)
        .expect("derivatives");
    assert_eq!(equations.len(), 2 * BY.len());
    let forces = |others: &[(&str, &[f64])]| {
        let left = at.one("inverse_dynamics", &[others, &given[..1]].concat());
        let forces = at.one("generalized_forces", others);
        let reactions = at.reactions(others, &lambda);
        (0..n).map(|i| forces[i] + reactions[i] - left[i]).collect()
    };
    // By q the rows of J change, too.
    check_sum(at, &BY[1..], &equations[1..BY.len()], &forces, 1e-5);
    if solved.iter().flatten().any(|x| x.abs() > 1e2) {
        return;
    }
    for (at_result, method) in ["acceleration_derivatives", "multiplier_derivatives"]
        .into_iter()
        .enumerate()
    {
        let Some(_) = at.routines.method(method) else {
            continue;
        };
        let derivatives = at.results(method, &[]).expect("derivatives");
        let solved = |others: &[(&str, &[f64])]| {
            at.results("solve", others)
                .expect("a motion")
                .remove(at_result)
        };
        check_sum(at, &BY, &derivatives, &solved, 1e-4);
    }
}

/// The values of a linearization with one state more than twice the coordinates, by its characteristic polynomial.
fn polynomial(a: &[f64], x: f64) -> f64 {
    let m = |i: usize, j: usize| a[3 * i + j] - if i == j { x } else { 0.0 };
    let minor = |r: usize, s: usize| m(1, r) * m(2, s) - m(1, s) * m(2, r);
    m(0, 0) * minor(1, 2) - m(0, 1) * minor(0, 2) + m(0, 2) * minor(0, 1)
}

/// A motor's shaft and current: J 0.01, b 0.1, K 0.01, R 1, L 0.5, at 1 V.
#[test]
fn a_motor_has_the_poles_of_its_transfer_function() {
    let text = "coordinates q\nparameters J b K R L\nstates i\ninputs u\nnode %0 = velocity 0\n\
                node %1 = parameter 0\nnode %2 = product %0^2 %1^1\nnode %3 = sum 0 1/2*%2\nkinetic %3\n\
                node %4 = parameter 1\nnode %5 = product %0^2 %4^1\nnode %6 = sum 0 1/2*%5\ndissipation %6\n\
                node %7 = parameter 2\nnode %8 = state 0\nnode %9 = product %7^1 %8^1\nforce 0 %9\n\
                node %10 = parameter 3\nnode %11 = product %8^1 %10^1\nnode %12 = product %0^1 %7^1\n\
                node %13 = input 0\nnode %14 = sum 0 1*%13 -1*%11 -1*%12\nnode %15 = parameter 4\n\
                node %16 = product %14^1 %15^-1\nrate 0 %16\n";
    let dynamics = Dynamics::new(text.parse().expect("a system"));
    let routines = Routines::new(&dynamics);
    let parameters = [0.01, 0.1, 0.01, 1.0, 0.5];
    let still = [vec![0.0], vec![0.0], vec![0.0], vec![1.0]];
    let linear = routines.evaluate("linearize", &still, &parameters);
    let linear = linear.expect("a linearization");
    for pole in [-9.997_499_218_261_337, -2.002_500_781_738_663, 0.0] {
        assert!(polynomial(&linear[0], pole).abs() < 1e-13);
    }
    assert_close(&linear[1], &[0.0, 0.0, 2.0], 1e-15);
    let mut state = still.to_vec();
    for _ in 0..1000 {
        state.push(vec![1e-4]);
        let end = routines.evaluate("rk4_step", &state, &parameters);
        state = end.expect("a step");
        state.push(vec![1.0]);
    }
    assert!((state[1][0] - 0.006_855_537_180_611).abs() < 1e-14);
    // A motor turns by current: it gains energy.
    assert!(!dynamics.facts().conserves_energy);
}

/// A mass of 1 kg on a spring k0 beside a spring k1 behind a damper c, whose state is the damper's length.
#[test]
fn a_maxwell_element_relaxes() {
    let text = "coordinates x\nparameters k0 k1 c\nstates s\nnode %0 = velocity 0\nnode %1 = product %0^2\n\
                node %2 = sum 0 1/2*%1\nkinetic %2\nnode %3 = coordinate 0\nnode %4 = state 0\n\
                node %5 = sum 0 1*%3 -1*%4\nnode %6 = product %5^2\nnode %7 = parameter 1\n\
                node %8 = product %6^1 %7^1\nnode %9 = product %3^2\nnode %10 = parameter 0\n\
                node %11 = product %9^1 %10^1\nnode %12 = sum 0 1/2*%8 1/2*%11\npotential %12\n\
                node %13 = parameter 2\nnode %14 = product %5^1 %7^1 %13^-1\nrate 0 %14\n";
    let dynamics = Dynamics::new(text.parse().expect("a system"));
    let routines = Routines::new(&dynamics);
    let given = [vec![0.3], vec![0.2], vec![0.1]];
    let parameters = [1.0, 3.0, 0.5];
    let linear = routines.evaluate("linearize", &given, &parameters);
    let a = linear.expect("a linearization").remove(0);
    assert!(polynomial(&a, -5.469_220_226_746_08).abs() < 1e-12);
    // Trace and determinant tell the other two.
    let (x, y) = (-0.265_389_886_626_96, 1.013_220_971_085_81);
    let trace = a[0] + a[4] + a[8];
    assert!((trace - (2.0 * x - 5.469_220_226_746_08)).abs() < 1e-12);
    let poles = -5.469_220_226_746_08 * (x * x + y * y);
    assert!((polynomial(&a, 0.0) - poles).abs() < 1e-12);
    assert!(!dynamics.facts().conserves_energy && dynamics.facts().cyclic == [false]);
    let energy = routines.evaluate("energy", &given, &parameters);
    assert_close(
        &energy.expect("an energy")[0],
        &[0.02 + 0.045 + 0.06],
        1e-15,
    );
}

/// The fact of a mass whose state has this term in V, Q and D.
#[test]
fn energy_is_kept_unless_a_state_acts_on_the_motion() {
    let text = "coordinates x y\nstates z\nnode %0 = velocity 0\nnode %1 = velocity 1\nnode %2 = product %0^2\n\
                node %3 = product %1^2\nnode %4 = sum 0 1*%2 1*%3\nkinetic %4\nnode %5 = coordinate 0\n\
                node %6 = state 0\nrate 0 %5\nnode %7 = product %6^1 %1^1\nnode %8 = product %6^1 %0^1\n\
                node %9 = sum 0 -1*%8\nnode %10 = sign %6\nnode %11 = product %10^1 %1^1\n\
                node %12 = product %10^1 %0^1\nnode %13 = sum 0 -1*%12\nnode %14 = state_rate 0\n\
                node %15 = product %14^1 %0^1\nnode %16 = sin %6\nnode %17 = cos %6\nnode %18 = product %16^2\n\
                node %19 = product %17^2\nnode %20 = sum 0 1*%18 1*%19\nnode %21 = product %20^1 %5^1\n";
    for (others, is_kept) in [
        ("", true),
        // A constant that depends on z changes the energy, and not the motion.
        ("potential %6\n", false),
        ("potential %10\n", false),
        ("potential %21\n", true),
        // Forces across the velocity do no work.
        ("force 0 %7\nforce 1 %9\n", false),
        ("force 0 %11\nforce 1 %13\n", false),
        ("force 0 %1\nnode %22 = sum 0 -1*%0\nforce 1 %22\n", true),
        ("dissipation %15\n", false),
        ("dissipation %14\n", true),
        ("dissipation %6\n", true),
    ] {
        let system = format!("{text}{others}").parse::<System>();
        let dynamics = Dynamics::new(system.unwrap_or_else(|error| panic!("{error:?}: {others}")));
        assert_eq!(dynamics.facts().conserves_energy, is_kept, "{others}");
    }
}

/// Long rates are differentiated one after the other.
#[test]
fn long_rates_are_differentiated_by_rows() {
    let plan = sample(&maps::plans(), 1).remove(0);
    let mut system = stateful(maps::build(&plan, Mass::Definite), 3, 2);
    let graph = &mut system.graph;
    let symbols: Vec<NodeId> = (0..3)
        .flat_map(|i| {
            [
                Symbol::State(i),
                Symbol::Velocity(i % 2),
                Symbol::Input(i % 2),
                Symbol::Coordinate(i % 2),
            ]
        })
        .map(|symbol| graph.symbol(symbol))
        .collect();
    let mut wave = system.state_rates[0];
    for i in 0..600 {
        let inner = graph.add(wave, symbols[i % symbols.len()]);
        wave = graph.unary(Unary::Sin, inner);
        system.state_rates[i % 3] = wave;
    }
    let dynamics = Dynamics::new(system);
    assert!(!dynamics.writes_state_rate_derivatives());
    let value = maps::state(3);
    check_states(&At::new(&dynamics, &value));
}

/// A pendulum by x and y, its state pulled along: A on the circle by the definition.
#[test]
fn reduced_linearizations_keep_all_states() {
    let text = "coordinates x y\nstates z\ninputs u\nnode %0 = velocity 0\nnode %1 = velocity 1\nnode %2 = product %0^2\n\
                node %3 = product %1^2\nnode %4 = sum 0 1*%2 1*%3\nkinetic %4\nnode %5 = coordinate 0\n\
                node %6 = coordinate 1\nnode %7 = state 0\nnode %8 = product %7^1 %5^1\nnode %9 = sum 0 9*%6 2*%8\n\
                potential %9\nnode %10 = product %5^2\nnode %11 = product %6^2\nnode %12 = sum -1 1*%10 1*%11\n\
                holonomic rod %12\nnode %13 = product %7^3\nnode %14 = product %0^2 %6^1\nnode %15 = input 0\n\
                node %16 = sum 0 1*%15 -1*%13 1*%14\nrate 0 %16\n";
    let dynamics = Dynamics::new(text.parse().expect("a system"));
    let routines = Routines::new(&dynamics);
    let (q, v) = ([0.6, -0.8], [0.4, 0.3]);
    let given = [q.to_vec(), v.to_vec(), vec![0.7], vec![0.2]];
    let of = |name: &str, given: &[Vec<f64>]| routines.evaluate(name, given, &[]).expect("values");
    let (whole, reduced) = (of("linearize", &given), of("linearize_reduced", &given));
    let basis = &reduced[2];
    // J = 2 q^T, G = 2 v^T, J^+ = J^T / 4.
    let change = v[0] * basis[0] + v[1] * basis[1];
    let e = [
        [basis[0], 0.0, 0.0],
        [basis[1], 0.0, 0.0],
        [-q[0] * change, basis[0], 0.0],
        [-q[1] * change, basis[1], 0.0],
        [0.0, 0.0, 1.0],
    ];
    let left = |image: &dyn Fn(usize) -> f64| {
        [
            basis[0] * image(0) + basis[1] * image(1),
            basis[0] * image(2) + basis[1] * image(3),
            image(4),
        ]
    };
    for column in 0..3 {
        let image = |i: usize| (0..5).map(|k| whole[0][i * 5 + k] * e[k][column]).sum();
        let found = [0, 1, 2].map(|row| reduced[0][row * 3 + column]);
        assert_close(&found, &left(&image), 1e-14);
    }
    assert_close(&reduced[1], &left(&|i| whole[1][i]), 1e-15);
}

/// A potential of a state and of differences of coordinates: moved together they keep it, apart they do not.
#[test]
fn symmetries_hold_at_every_state() {
    let text = "coordinates x y\nstates z\nnode %0 = velocity 0\nnode %1 = velocity 1\nnode %2 = product %0^2\n\
                node %3 = product %1^2\nnode %4 = sum 0 1*%2 1*%3\nkinetic %4\nnode %5 = coordinate 0\n\
                node %6 = coordinate 1\nnode %7 = state 0\nnode %8 = sum 0 1*%5 -1*%6\nnode %9 = product %8^2 %7^1\n\
                potential %9\nrate 0 %8\nnode %10 = number 1\nnode %11 = number 0\nsymmetry both %10 %10\n\
                symmetry one %10 %11\n";
    let dynamics = Dynamics::new(text.parse().expect("a system"));
    assert_eq!(symmetry_defect(&dynamics, 0), None);
    let defect = symmetry_defect(&dynamics, 1);
    let Some(SymmetryDefect::Energy { energy, change }) = defect else {
        panic!("{defect:?}");
    };
    assert_eq!(energy, Quantity::PotentialEnergy);
    assert_eq!(
        dynamics.graph().text(change, &plain_names),
        "2*z0*(q0 - q1)"
    );
    let facts = dynamics.facts();
    assert_eq!(
        (&facts.cyclic[..], facts.conserves_energy),
        (&[false, false][..], false)
    );
    let textbook = dynamics.textbook(100).expect("short equations");
    assert_eq!(
        dynamics.graph().text(textbook.state_rates[0], &plain_names),
        "q0 - q1"
    );
}

/// Methods of the midpoint rule and of contacts are for systems without states.
#[test]
fn methods_that_serve_no_states() {
    let text = "coordinates x\nNAMEnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\nnode %2 = coordinate 0\n\
                contact floor %2\n";
    for (names, has_states) in [("states z\n", true), ("", false)] {
        let dynamics = Dynamics::new(text.replace("NAME", names).parse().expect("a system"));
        let routines = Routines::new(&dynamics);
        for name in [
            "midpoint_terms",
            "midpoint_vjp",
            "solve_active",
            "gaps",
            "delassus",
        ] {
            assert_eq!(routines.method(name).is_none(), has_states, "{name}");
        }
        assert_eq!(routines.method("state_rates").is_some(), has_states);
    }
}
