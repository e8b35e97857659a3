//! Recursion along frames gives the same equations as the energies, with fewer operations.

use lagrange_engine::{Dynamics, Multibody, Quantity, SensitivityProgram, symmetric};

use super::frames::{CHAINS, body_and_direct};
use super::*;

/// A pseudorandom value between -1 and 1 for each symbol and state.
fn scattered(state: u32) -> impl Fn(Symbol) -> f64 {
    move |symbol| {
        let (kind, index) = match symbol {
            Symbol::Coordinate(i) => (1, i),
            Symbol::Velocity(i) => (2, i),
            Symbol::Acceleration(i) => (3, i),
            Symbol::Parameter(i) => (4, i),
            Symbol::Input(i) => (5, i),
            Symbol::Time => (6, 0),
            Symbol::Multiplier(i) => (7, i),
            Symbol::Momentum(i) => (8, i),
            Symbol::Weight(i) => (9, i),
            Symbol::State(i) => (10, i),
            Symbol::StateRate(i) => (11, i),
        };
        let phase = f64::from(state * 97 + kind * 31 + index * 7);
        (phase * 0.7391).sin() + if kind == 4 { 1.5 } else { 0.0 }
    }
}

const MOTION: [Quantity; 5] = [
    Quantity::MassMatrix,
    Quantity::Bias,
    Quantity::InverseDynamics,
    Quantity::InverseDynamicsByPosition,
    Quantity::InverseDynamicsByVelocity,
];

/// M, bias and inverse dynamics.
fn motion(dynamics: &Dynamics, at: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
    MOTION
        .into_iter()
        .flat_map(|quantity| {
            let entries = dynamics.expressions(quantity);
            dynamics.graph().evaluate(&entries, at)
        })
        .collect()
}

/// Compares the recursive forms with the equations from the energies. Returns whether there are recursive forms.
fn is_recursive(mut system: System, what: &str) -> bool {
    let kinematics = system.names.kinematics();
    let split = system.multibody.split(&mut system.graph, &kinematics);
    let Some(recursion) = split.recursion else {
        return false;
    };
    let graph = &mut system.graph;
    let bias = recursion.bias(graph);
    let [by_position, by_velocity] = recursion.inverse_dynamics_derivatives(graph);
    let by_recursion = [
        symmetric(&recursion.mass_matrix(graph), bias.len()),
        bias,
        recursion.inverse_dynamics(graph),
        by_position,
        by_velocity,
    ]
    .concat();
    let graph = system.graph.clone();
    let mut beside = system.clone();
    beside.multibody = split.rest;
    let (whole, beside) = (by_energies(system), by_energies(beside));
    for state in 0..5 {
        let values = scattered(state);
        let by_recursion = graph.evaluate(&by_recursion, &values);
        let by_energies = motion(&beside, &values);
        let sums: Vec<f64> = by_recursion
            .iter()
            .zip(by_energies)
            .map(|(a, b)| a + b)
            .collect();
        assert_close(&sums, &motion(&whole, &values), what);
    }
    true
}

fn by_energies(mut system: System) -> Dynamics {
    system.energy = system.whole_energy();
    system.multibody = Multibody::default();
    Dynamics::new(system)
}

#[test]
fn every_kind_of_frame_moves_as_its_energies_say() {
    for (chain, place) in CHAINS {
        let is_fixed = chain == "world";
        let is_oriented = chain.contains("orient([[cos");
        let actual = is_recursive(body_and_direct(chain, place), chain);
        assert_eq!(actual, !is_fixed && !is_oriented, "{chain}");
    }
}

const TREE: &str = "struct Tree { q: coordinate[5], m, l: parameter, u: input, t: time }";

#[test]
fn trees_of_bodies_move_as_their_energies_say() {
    let trees = [
        // Branches, several bodies in a frame, frames without bodies, no mass, springs, T and V in addition.
        "frame A = world.translate([q[0], 0.1, 0]).rotate(y, q[1]);
        frame B = A.translate([0, l, 0]).rotate(x, q[2]).rotate(x, 0.3);
        frame C = A.translate([0.2, sin(q[2]), 0]).rotate(z, q[3] + t).rotate(z, q[4]);
        body { frame: B, mass: m, at: [0, 0.1, 0.2], inertia: [[2, 0.1, 0], [0.3, 1, 0.2], [0, 0, 1.5]] }
        body { frame: B, mass: 0, inertia: diag(1, 2, 3) }
        body { frame: C.translate([0, 1, t]), mass: 2, at: [q[4], 0, l] }
        body { mass: 1, at: [q[0], q[3], q[0] * q[3]] }
        spring { k: 3, rest: 0.5, from: B.origin, to: C.point([1, 1, 1]) }
        T += m * der(q[3])^2; V += q[0]^2 * q[4];
        gravity [0.1, t, -9.81];",
        // Planar chains that leave other chains, and one coordinate in several joints.
        "frame mut F = world.rotate(x, q[4]);
        for i in 0..3 {
            F = F.rotate(z, q[i] * q[3]);
            body { frame: F, mass: m, at: [l, 0.1, 0.3], inertia: diag(1, 2, 3) }
            frame G = F.translate([0.1, 0, l]).rotate(y, q[0]);
            body { frame: G, mass: 1, at: [0, t, 0.5], inertia: diag(3, 2, 1) }
            F = F.translate([l, q[4], 0]);
        }
        gravity [0, -m, 0];",
        // Masses and gravity that depend on the motion.
        "frame A = world.rotate(y, q[1]).translate([l, q[0], 0]).rotate([1, 2, 2], q[2]);
        body { frame: A, mass: m + q[3]^2, at: [0, 1, 0] }
        body { frame: A.rotate(z, q[4]), mass: m, at: [1, 0, 0], inertia: diag(1, 2, 2) }
        T += der(q[3])^2; gravity [0, 0, -t];",
    ];
    for tree in trees {
        assert!(is_recursive(system(&format!("{TREE} {tree}")), tree));
    }
}

#[test]
fn what_recursion_cannot_say_is_left_to_the_energies() {
    let left = [
        "frame A = world.rotate(y, q[1]); body { frame: A, mass: 1, at: [1, 0, q[0]] } gravity [0, q[0], 0];",
        "frame A = world.orient([[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]).rotate(y, q[1]);
        body { frame: A, mass: 1, at: [1, 0, q[0]] }",
        "body { mass: 1, at: [q[0], q[1]] } gravity [0, -1];",
    ];
    for statements in left {
        let kinetic = "T += der(q)^2;";
        let lowered = system(&format!("{TREE} {statements} {kinetic}"));
        assert!(!is_recursive(lowered, statements), "{statements}");
    }
}

pub(super) const ARMS: [&str; 2] = [
    include_str!("arms/iiwa.txt"),
    include_str!("arms/panda.txt"),
];

#[test]
fn arms_move_as_their_energies_say() {
    for arm in ARMS {
        assert!(is_recursive(system(arm), arm));
    }
}

/// M, bias, inverse dynamics and forward dynamics.
fn operations(source: &str) -> [u32; 4] {
    let dynamics = Dynamics::new(system(source));
    let [mass, bias, inverse, ..] =
        MOTION.map(|quantity| dynamics.program(&[quantity]).operations().total());
    let forward = dynamics.solve_program().terms.operations().total();
    [mass, bias, inverse, forward]
}

#[test]
fn arms_of_seven_joints_cost_what_recursion_costs() {
    let actual = ARMS.map(operations);
    assert_eq!(actual, [[231, 505, 537, 850], [342, 642, 736, 1062]]);
}

/// The operations of the solution with the right-hand sides of `linearize` by the state and the effect of the
/// motors, without the substitutions, and of all of `vjp`.
#[test]
fn derivatives_of_arms_share_what_the_solution_computes() {
    let actual = ARMS.map(|arm| {
        let dynamics = Dynamics::new(system(arm));
        let programs = [dynamics.sensitivity_program(), dynamics.adjoint_program()];
        programs.map(|program| program.unwrap().schedule.operations().total())
    });
    assert_eq!(actual, [[3204, 2221], [4148, 2799]]);
}

/// The derivatives of the equations at the solution, and their sum with the weights that the solution requires.
#[test]
fn derivatives_are_those_at_the_solution() {
    use Quantity as Q;
    let dynamics = Dynamics::new(system(ARMS[0]));
    let derivatives = [Q::InverseDynamicsByPosition, Q::InverseDynamicsByVelocity];
    let apart = dynamics.program(&derivatives);
    let n = 7;
    let evaluated = |mut program: SensitivityProgram, at: &dyn Fn(Symbol) -> f64| {
        let solution = program.factorization.solution;
        program.schedule.roots = [solution, program.derivatives.concat()].concat();
        program.schedule.evaluate(at)
    };
    for state in 0..3 {
        let values = scattered(state);
        let actual = evaluated(dynamics.sensitivity_program().unwrap(), &values);
        let weighted = evaluated(dynamics.adjoint_program().unwrap(), &values);
        let solved = |symbol| match symbol {
            Symbol::Acceleration(i) => actual[i as usize],
            other => values(other),
        };
        let by_state = &actual[n..n + 2 * n * n];
        assert_close(
            by_state,
            &apart.schedule.evaluate(&solved),
            "at the solution",
        );
        let mass = dynamics
            .program(&[Q::MassMatrix])
            .schedule
            .evaluate(&values);
        let by_input = &weighted[n + 2 * n..];
        // With Q = u these are the weights themselves.
        let images: Vec<f64> = mass
            .chunks(n)
            .map(|row| row.iter().zip(by_input).map(|(m, y)| m * y).sum())
            .collect();
        let weights: Vec<f64> = (0..n as u32).map(|i| values(Symbol::Weight(i))).collect();
        assert_close(&images, &weights, "weights");
        let sums: Vec<f64> = (0..2 * n)
            .map(|column| {
                let (part, column) = (column / n, column % n);
                by_state[part * n * n + column..]
                    .iter()
                    .step_by(n)
                    .zip(by_input)
                    .map(|(entry, y)| entry * y)
                    .sum()
            })
            .collect();
        assert_close(&sums, &weighted[n..n + 2 * n], "weighted");
    }
}

/// The last frame as an output: pose, velocity, Jacobian and bias, and all quantities of a controller.
fn operations_of_the_hand(source: &str) -> [u32; 5] {
    use Quantity as Q;
    let mut system = system(source);
    let frames = system.multibody.frames().unwrap();
    let hand = frames.at(frames.joints().count()).unwrap();
    system.multibody.add_output("hand", hand).unwrap();
    let dynamics = Dynamics::new(system);
    let [pose, motion] = [
        [Q::FrameOrigin(0), Q::FrameRotation(0)],
        [Q::FrameJacobian(0), Q::FrameBias(0)],
    ];
    let quantities = [&pose[..], &motion, &[Q::MassMatrix, Q::Bias]].concat();
    let sets = [
        &pose[..],
        &[Q::FrameVelocity(0)],
        &motion[..1],
        &motion[1..],
        &quantities,
    ];
    sets.map(|quantities| dynamics.program(quantities).operations().total())
}

/// A Jacobian is cheaper than the velocity from which it is derived. All together cost little more than M and h,
/// with which they share the recursion.
#[test]
fn hands_of_arms_cost_what_recursion_costs() {
    let actual = ARMS.map(operations_of_the_hand);
    assert_eq!(
        actual,
        [[114, 170, 142, 262, 838], [123, 191, 160, 261, 1034]]
    );
}

/// The declaration of an example.
fn declaration(source: &str) -> &str {
    let (_, rest) = source.split_once("\nlagrangian! {\n").unwrap();
    rest.split_once("\n}\n").unwrap().0
}

/// Rolling wheels: M, bias, all terms of the equations (M, f, J, gamma), and the derivatives of the equations for
/// `linearize`.
#[test]
fn the_bicycle_costs_what_recursion_costs() {
    use Quantity as Q;
    let example = include_str!("../../../../examples/bicycle.rs");
    let dynamics = Dynamics::new(system(declaration(example)));
    let sets = [
        &[Q::MassMatrix][..],
        &[Q::Bias],
        &[
            Q::MassMatrix,
            Q::Forcing,
            Q::ConstraintJacobian,
            Q::ConstraintGamma,
        ],
        &[
            Q::ForcesByPosition,
            Q::ForcesByVelocity,
            Q::ConstraintsByPosition,
            Q::ConstraintsByVelocity,
        ],
    ];
    let actual = sets.map(|quantities| dynamics.program(quantities).operations().total());
    assert_eq!(actual, [232, 364, 1178, 3743]);
}
