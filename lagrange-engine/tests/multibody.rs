//! Bodies in frames: their energies against derivatives of positions, recursion against the energies,
//! and both against closed forms.

use crate::cases::cases;
use crate::states::stateful;
use crate::trees::{Attitudes, build, plans, state};
use lagrange_engine::{
    Body, Dynamics, Energy, FrameId, Graph, Joint, Kinematics, Multibody, NodeId, Number, Quantity,
    Symbol, System, lower_of, lower_triangle, plain_names, schedule,
};
use proptest::prelude::*;

fn assert_close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = expected.iter().fold(1.0_f64, |max, x| max.max(x.abs()));
    for (a, b) in found.iter().zip(expected) {
        assert!(
            (a - b).abs() <= 1e-9 * scale,
            "{what}: {found:?} for {expected:?}"
        );
    }
}

/// M as its lower triangle, the bias and the inverse dynamics.
struct Motion {
    mass_matrix: Vec<NodeId>,
    bias: Vec<NodeId>,
    inverse_dynamics: Vec<NodeId>,
}

impl Motion {
    fn all(&self) -> Vec<NodeId> {
        [&self.mass_matrix[..], &self.bias, &self.inverse_dynamics].concat()
    }

    /// From L: h = dp/dt at a = 0, the turning of the axes included, less the derivative of L.
    fn of_lagrangian(graph: &mut Graph, kinematics: &Kinematics, lagrangian: NodeId) -> Self {
        let velocities = kinematics.velocity_symbols();
        let momenta = graph.gradient(lagrangian, &velocities);
        let one = graph.integer(1);
        let n = velocities.len();
        let mut mass_matrix = vec![one; n * (n + 1) / 2];
        for j in 0..n {
            let column = graph.directional(&momenta, &[(velocities[j], one)]);
            for i in j..n {
                mass_matrix[lower_triangle(i, j)] = column[i];
            }
        }
        let gradient = kinematics.gradient(graph, lagrangian);
        let gyroscopic = kinematics.gyroscopic(graph, &momenta);
        let along = kinematics.along_the_motion(graph);
        let mut accelerated = along.clone();
        for (j, v) in velocities.iter().enumerate() {
            let a = graph.symbol(Symbol::Acceleration(j as u32));
            accelerated.push((*v, a));
        }
        let mut equations = |direction: &[(Symbol, NodeId)]| -> Vec<NodeId> {
            let rates = graph.directional(&momenta, direction);
            (0..n)
                .map(|j| {
                    let terms = [(1, rates[j]), (1, gyroscopic[j]), (-1, gradient[j])];
                    let terms = terms.map(|(sign, node)| (Number::integer(sign), node));
                    graph.sum(Number::ZERO, terms.to_vec())
                })
                .collect()
        };
        Motion {
            bias: equations(&along),
            inverse_dynamics: equations(&accelerated),
            mass_matrix,
        }
    }
}

fn lagrangian(graph: &mut Graph, kinematics: &Kinematics, multibody: &Multibody) -> NodeId {
    let kinetic = multibody.kinetic(graph, kinematics);
    let potential = multibody.potential(graph);
    graph.sub(kinetic, potential)
}

/// Compares recursion with the energies of its bodies; returns whether it has any.
fn check_recursion(system: &System, what: &str) -> bool {
    let mut graph = system.graph.clone();
    let kinematics = system.names.kinematics();
    let split = system.multibody.split(&mut graph, &kinematics);
    let Some(recursion) = split.recursion else {
        assert_eq!(split.rest.bodies(), system.multibody.bodies());
        return false;
    };
    let recursive = Motion {
        mass_matrix: recursion.mass_matrix(&mut graph),
        bias: recursion.bias(&mut graph),
        inverse_dynamics: recursion.inverse_dynamics(&mut graph),
    };
    let whole = lagrangian(&mut graph, &kinematics, &system.multibody);
    let rest = lagrangian(&mut graph, &kinematics, &split.rest);
    let own = graph.sub(whole, rest);
    let derived = Motion::of_lagrangian(&mut graph, &kinematics, own);
    let found_derivatives = recursion.inverse_dynamics_derivatives(&mut graph).concat();
    let derivatives = derivatives(&mut graph, &kinematics, &derived.inverse_dynamics);
    for seed in 0..3 {
        let at = state(seed);
        let found = graph.evaluate(&recursive.all(), &at);
        assert_close(&found, &graph.evaluate(&derived.all(), &at), what);
        let found = graph.evaluate(&found_derivatives, &at);
        assert_close(&found, &graph.evaluate(&derivatives, &at), what);
    }
    true
}

/// The derivatives of forces along the directions of v and by v, two matrices row by row.
fn derivatives(graph: &mut Graph, kinematics: &Kinematics, forces: &[NodeId]) -> Vec<NodeId> {
    let one = graph.integer(1);
    let by_position: Vec<_> = (0..forces.len())
        .map(|j| kinematics.direction(graph, j))
        .collect();
    let by_velocity = kinematics.velocity_symbols().into_iter();
    let by_velocity = by_velocity.map(|symbol| vec![(symbol, one)]).collect();
    [by_position, by_velocity]
        .into_iter()
        .flat_map(|directions| {
            let columns: Vec<Vec<NodeId>> = directions
                .iter()
                .map(|direction| graph.directional(forces, direction))
                .collect();
            (0..forces.len()).flat_map(move |i| columns.clone().into_iter().map(move |c| c[i]))
        })
        .collect()
}

/// T and V of each body, and the velocities of its frame, by derivatives of positions and rotations.
fn check_energies(system: &System, what: &str) {
    let mut graph = system.graph.clone();
    let kinematics = system.names.kinematics();
    let along = kinematics.along_the_motion(&mut graph);
    let frames = system.multibody.frames().unwrap();
    let zero = graph.integer(0);
    let gravity = system.multibody.gravity().unwrap_or([zero; 3]);
    let bodies = system.multibody.bodies();
    let potentials = frames.potential_energies(&mut graph, gravity, bodies);
    for (body, potential) in bodies.iter().zip(potentials) {
        let graph = &mut graph;
        let place = frames.point(graph, body.frame, body.at);
        let rotation = frames.rotation(graph, body.frame);
        let roots = [
            graph.directional(&place, &along),
            graph.directional(&frames.origin(body.frame), &along),
            graph.directional(&rotation.concat(), &along),
            rotation.concat(),
            body.inertia.concat(),
            place.to_vec(),
            gravity.to_vec(),
            vec![body.mass],
        ]
        .concat();
        let own = [
            vec![frames.kinetic_energy(graph, &kinematics, body), potential],
            frames.velocity(graph, body.frame).to_vec(),
            frames.angular_velocity(graph, body.frame).to_vec(),
        ]
        .concat();
        for seed in 0..2 {
            let at = state(seed);
            let values = graph.evaluate(&roots, &at);
            let expected = by_positions(&values);
            assert_close(&graph.evaluate(&own, &at), &expected, what);
        }
    }
}

/// T, V, and velocity and angular velocity of the frame in the world.
fn by_positions(values: &[f64]) -> Vec<f64> {
    let (velocity, values) = values.split_at(3);
    let (origin_velocity, values) = values.split_at(3);
    let (rate, values) = values.split_at(9);
    let (rotation, values) = values.split_at(9);
    let (inertia, values) = values.split_at(9);
    let (place, values) = values.split_at(3);
    let (gravity, mass) = values.split_at(3);
    // [w] = R^T dR/dt in the frame's axes.
    let skew =
        |i: usize, j: usize| -> f64 { (0..3).map(|k| rotation[3 * k + i] * rate[3 * k + j]).sum() };
    let spin = [skew(2, 1), skew(0, 2), skew(1, 0)];
    let in_world = |i: usize| -> f64 { (0..3).map(|j| rotation[3 * i + j] * spin[j]).sum() };
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let turning: f64 = (0..9).map(|k| spin[k / 3] * inertia[k] * spin[k % 3]).sum();
    let kinetic = mass[0] * dot(velocity, velocity) / 2.0 + turning / 2.0;
    let potential = -mass[0] * dot(gravity, place);
    let spin: Vec<f64> = (0..3).map(in_world).collect();
    [&[kinetic, potential], origin_velocity, &spin].concat()
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn random_trees_move_as_their_positions_and_energies_say(plan in plans()) {
        let system = build(&plan, Attitudes::Some);
        let text = system.to_string();
        check_energies(&system, &text);
        check_recursion(&system, &text);
    }

    #[test]
    fn random_trees_survive_printing(plan in plans()) {
        let system = build(&plan, Attitudes::Some);
        let text = system.to_string();
        let again: System = text.parse().unwrap();
        prop_assert_eq!(again.to_string(), text.clone());
        let values = |mut system: System| {
            let kinematics = system.names.kinematics();
            let energy = lagrangian(&mut system.graph, &kinematics, &system.multibody);
            system.graph.evaluate(&[energy], &state(0))
        };
        assert_close(&values(again), &values(system), &text);
    }
}

/// T += v0^2 + q1 v0 v2 and V += q0 q3.
fn add_energy(system: &mut System) {
    let graph = &mut system.graph;
    let [q0, q1, q3] = [0, 1, 3].map(|i| graph.symbol(Symbol::Coordinate(i)));
    let [v0, v2] = [0, 2].map(|i| graph.symbol(Symbol::Velocity(i)));
    let square = graph.powi(v0, 2);
    let mixed = graph.product(vec![(q1, 1), (v0, 1), (v2, 1)]);
    system.energy = Energy::Natural {
        kinetic: graph.add(square, mixed),
        potential: graph.mul(q0, q3),
    };
}

/// The derived quantities of a system, against Lagrange's equations of its whole energy.
fn check_derived(system: &System, what: &str) {
    let dynamics = Dynamics::new(system.clone());
    let mut system = system.clone();
    let Energy::Natural { kinetic, potential } = system.whole_energy() else {
        panic!("not natural");
    };
    let lagrangian = system.graph.sub(kinetic, potential);
    let kinematics = system.names.kinematics();
    let motion = Motion::of_lagrangian(&mut system.graph, &kinematics, lagrangian);
    let quantities = [
        Quantity::MassMatrix,
        Quantity::Bias,
        Quantity::InverseDynamics,
    ];
    let expected = system.graph.evaluate(&motion.all(), &state(4));
    let n = dynamics.sizes().velocities;
    // In every form.
    for program in dynamics.programs(&quantities) {
        let found = program.schedule.evaluate(&state(4));
        let (mass_matrix, rest) = found.split_at(n * n);
        let found = [&lower_of(mass_matrix, n)[..], rest].concat();
        assert_close(&found, &expected, what);
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn random_trees_beside_energies_are_derived(plan in plans()) {
        let mut system = build(&plan, Attitudes::None);
        add_energy(&mut system);
        let system = stateful(system, 2, 1);
        check_derived(&system, &system.to_string());
    }
}

/// Coordinates p and a rotation; parameters m, Ix, Iy, Iz, g, and l.
struct Free {
    graph: Graph,
    kinematics: Kinematics,
    multibody: Multibody,
    frame: FrameId,
}

impl Free {
    fn new(more: usize) -> Self {
        let mut graph = Graph::new();
        let mut kinematics = Kinematics::scalars(3);
        kinematics.add_rotation();
        kinematics.add_scalars(more);
        let p = [0, 1, 2].map(|i| graph.symbol(Symbol::Coordinate(i)));
        let mut multibody = Multibody::default();
        let frames = multibody.frames_mut(&mut graph);
        let joints = [
            Joint::Translation(p),
            Joint::Attitude(kinematics.rotations().next().unwrap()),
        ];
        let frame = joints.into_iter().fold(FrameId::WORLD, |parent, joint| {
            let added = frames.add(&mut graph, &kinematics, parent, joint);
            added.unwrap()
        });
        Free {
            graph,
            kinematics,
            multibody,
            frame,
        }
    }

    fn parameter(&mut self, i: u32) -> NodeId {
        self.graph.symbol(Symbol::Parameter(i))
    }

    fn principal(&mut self) -> [[NodeId; 3]; 3] {
        let zero = self.graph.integer(0);
        let mut inertia = [[zero; 3]; 3];
        for i in 0..3 {
            inertia[i][i] = self.parameter(1 + i as u32);
        }
        inertia
    }

    fn add_body(&mut self, frame: FrameId, at: [NodeId; 3]) {
        let (mass, inertia) = (self.parameter(0), self.principal());
        let body = Body {
            frame,
            at,
            mass,
            inertia,
        };
        self.multibody.add_body(&mut self.graph, body).unwrap();
    }

    fn pull(&mut self) {
        let (zero, g) = (self.graph.integer(0), self.parameter(4));
        let down = self.graph.neg(g);
        let gravity = [zero, zero, down];
        self.multibody.set_gravity(&self.graph, gravity).unwrap();
    }

    fn texts(&self, nodes: &[NodeId]) -> Vec<String> {
        let text = |node: &NodeId| self.graph.text(*node, &plain_names);
        nodes.iter().map(text).collect()
    }
}

/// T and M without any quaternion, and Euler's equations as they stand.
#[test]
fn a_free_body_moves_by_newton_and_euler() {
    let mut free = Free::new(0);
    let zero = free.graph.integer(0);
    free.add_body(free.frame, [zero; 3]);
    free.pull();
    let kinetic = free.multibody.kinetic(&mut free.graph, &free.kinematics);
    let depends = free.graph.dependence(kinetic);
    assert!(!depends.intersects(lagrange_engine::Dependence::COORDINATE));
    let split = free.multibody.split(&mut free.graph, &free.kinematics);
    let recursion = split.recursion.unwrap();
    let mass_matrix = recursion.mass_matrix(&mut free.graph);
    let expected = "p0 0 p0 0 0 p0 0 0 0 p1 0 0 0 0 p2 0 0 0 0 0 p3";
    assert_eq!(free.texts(&mass_matrix).join(" "), expected);
    let bias = recursion.bias(&mut free.graph);
    assert_eq!(free.texts(&bias[..3]), ["0", "0", "p0*p4"]);
    let at = state(1);
    let value = |symbol| at(symbol);
    let [w, inertia] = [3, 1].map(|first| {
        [0, 1, 2].map(|i| match first {
            3 => value(Symbol::Velocity(3 + i)),
            _ => value(Symbol::Parameter(1 + i)),
        })
    });
    let euler = [0, 1, 2].map(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        (inertia[k] - inertia[j]) * w[j] * w[k]
    });
    assert_close(&free.graph.evaluate(&bias[3..], &at), &euler, "euler");
}

/// Wherever bodies hang behind an attitude, the mass that its origin feels is just their sum.
#[test]
fn a_satellite_with_wheels_has_its_whole_mass() {
    let mut free = Free::new(2);
    let [zero, one] = [0, 1].map(|number| free.graph.integer(number));
    let l = free.parameter(5);
    free.add_body(free.frame, [zero, l, zero]);
    for wheel in 0..2 {
        let angle = free.graph.symbol(Symbol::Coordinate(7 + wheel));
        let axis = if wheel == 0 {
            [one, zero, zero]
        } else {
            [zero, l, one]
        };
        let joints = [
            Joint::Translation([l, zero, one]),
            Joint::Turn { axis, angle },
        ];
        let (graph, kinematics) = (&mut free.graph, &free.kinematics);
        let frames = free.multibody.frames_mut(graph);
        let frame = joints.into_iter().fold(free.frame, |parent, joint| {
            frames.add(graph, kinematics, parent, joint).unwrap()
        });
        free.add_body(frame, [zero; 3]);
    }
    free.pull();
    let whole = lagrangian(&mut free.graph, &free.kinematics, &free.multibody);
    let derived = Motion::of_lagrangian(&mut free.graph, &free.kinematics, whole);
    let split = free.multibody.split(&mut free.graph, &free.kinematics);
    let recursion = split.recursion.unwrap();
    let recursive = Motion {
        mass_matrix: recursion.mass_matrix(&mut free.graph),
        bias: recursion.bias(&mut free.graph),
        inverse_dynamics: recursion.inverse_dynamics(&mut free.graph),
    };
    let at = |symbol: Symbol| match symbol {
        // 0.8^2 + 0.6^2 = 1
        Symbol::Coordinate(i @ 3..7) => [0.48, -0.64, 0.36, 0.48][i as usize - 3],
        other => state(2)(other),
    };
    let found = free.graph.evaluate(&recursive.all(), &at);
    assert_close(
        &found,
        &free.graph.evaluate(&derived.all(), &at),
        "satellite",
    );
    for motion in [&recursive, &derived] {
        let translation = free.texts(&motion.mass_matrix[..6]);
        assert_eq!(translation, ["3*p0", "0", "3*p0", "0", "0", "3*p0"]);
    }
    let gravity = at_rest(&mut free.graph, &recursive.bias[..3]);
    assert_eq!(free.texts(&gravity), ["0", "0", "3*p0*p4"]);
}

fn at_rest(graph: &mut Graph, roots: &[NodeId]) -> Vec<NodeId> {
    let zero = graph.integer(0);
    let rest: Vec<_> = (0..8).map(|j| (Symbol::Velocity(j), zero)).collect();
    graph.substitute(roots, &rest)
}

/// T, M, bias and inverse dynamics of a free body, its centre at the origin or beside it.
#[test]
fn a_free_body_costs_what_it_costs_by_hand() {
    let counts = [false, true].map(|is_beside| {
        let mut free = Free::new(0);
        let (zero, l) = (free.graph.integer(0), free.parameter(5));
        let at = if is_beside {
            [l, zero, zero]
        } else {
            [zero; 3]
        };
        free.add_body(free.frame, at);
        free.pull();
        let (graph, kinematics) = (&mut free.graph, &free.kinematics);
        let kinetic = free.multibody.kinetic(graph, kinematics);
        let recursion = free.multibody.split(graph, kinematics).recursion.unwrap();
        let roots = [
            vec![kinetic],
            recursion.mass_matrix(graph),
            recursion.bias(graph),
            recursion.inverse_dynamics(graph),
        ];
        roots.map(|roots| schedule(graph, &roots).operations().total())
    });
    assert_eq!(counts, [[16, 0, 10, 19], [62, 35, 71, 94]]);
}

/// d/dt (m v) = dm/dt v + m a: a body that loses mass pushes on.
#[test]
fn a_mass_of_time_changes_momentum() {
    let text = "coordinates x y
        parameters m
        time t
        node %0 = coordinate 0
        node %1 = time
        node %2 = parameter 0
        node %3 = product %1^2 %2^1
        node %4 = number 0
        node %5 = number 1
        frame 0 translate %0 %4 %4
        body 1 %3 %4 %4 %4
        body 1 %2 %4 %4 %4 %4 %4 %4 %4 %4 %4 %4 %4 %3
        gravity %5 %4 %4";
    let system: System = text.parse().unwrap();
    let mut graph = system.graph.clone();
    let kinematics = system.names.kinematics();
    let split = system.multibody.split(&mut graph, &kinematics);
    assert!(split.recursion.is_none());
    let dynamics = Dynamics::new(system);
    let bias = dynamics.expressions(Quantity::Bias);
    let found = dynamics.graph().text(bias[0], &plain_names);
    let values = dynamics.graph().evaluate(&bias, &|symbol| match symbol {
        Symbol::Time => 3.0,
        Symbol::Velocity(0) => 5.0,
        Symbol::Parameter(0) => 2.0,
        _ => 0.0,
    });
    // 2 t m v - (m t^2 + m) g
    assert_eq!(
        values[0],
        2.0 * 3.0 * 2.0 * 5.0 - (2.0 * 9.0 + 2.0),
        "{found}"
    );
}

/// The addition of each row to a frame that turns about z by q0, and whether recursion can treat it.
#[test]
fn recursion_takes_what_it_can_say() {
    let rows = [
        ("body 1 %2 %1 %3 %3", true),
        ("body 0 %2 %0 %3 %3", false),
        ("body 1 %5 %1 %3 %3", false),
        ("body 1 %0 %1 %3 %3", false),
        ("body 1 %2 %1 %3 %3 %5 %3 %3 %3 %3 %3 %3 %3 %3", false),
        ("body 1 %2 %1 %3 %3 %0 %3 %3 %3 %3 %3 %3 %3 %3", false),
        ("body 1 %2 %1 %5 %0", true),
        ("body 1 %2 %1 %3 %3\ngravity %5 %3 %3", true),
        ("body 1 %2 %1 %3 %3\ngravity %0 %3 %3", false),
        (
            "frame 1 orient %1 %2 %3 %3 %1 %3 %3 %3 %1\nbody 2 %2 %1 %3 %3",
            false,
        ),
        (
            "frame 1 orient %3 %3 %1 %1 %3 %3 %3 %1 %3\nbody 2 %2 %1 %3 %3",
            true,
        ),
    ];
    let head = "coordinates q\nparameters m\ntime t\nnode %0 = coordinate 0\nnode %1 = number 1
        node %2 = parameter 0\nnode %3 = number 0\nnode %5 = time\nframe 0 turn %3 %3 %1 %0\n";
    for (row, is_taken) in rows {
        let system: System = format!("{head}{row}").parse().unwrap();
        assert_eq!(check_recursion(&system, row), is_taken, "{row}");
        check_derived(&system, row);
    }
}

/// One coordinate in every joint of a chain, as in a coil: each joint acts on all behind it, and yet
/// the work follows the number of joints.
#[test]
fn joints_of_one_coordinate_cost_no_more_than_their_number() {
    let nodes = [20, 40, 80].map(|joints| {
        let mut graph = Graph::new();
        let kinematics = Kinematics::scalars(1);
        let [q, m] = [Symbol::Coordinate(0), Symbol::Parameter(0)].map(|s| graph.symbol(s));
        let [zero, one] = [0, 1].map(|number| graph.integer(number));
        let mut multibody = Multibody::default();
        let mut frame = FrameId::WORLD;
        for i in 0..joints {
            let mut axis = [zero; 3];
            axis[i % 3] = one;
            let frames = multibody.frames_mut(&mut graph);
            for joint in [
                Joint::Turn { axis, angle: q },
                Joint::Translation([m, one, zero]),
            ] {
                frame = frames.add(&mut graph, &kinematics, frame, joint).unwrap();
            }
            let body = Body {
                frame,
                at: [zero, m, one],
                mass: m,
                inertia: [[zero; 3]; 3],
            };
            multibody.add_body(&mut graph, body).unwrap();
        }
        let recursion = multibody.split(&mut graph, &kinematics).recursion.unwrap();
        let before = graph.len();
        recursion.mass_matrix(&mut graph);
        recursion.inverse_dynamics(&mut graph);
        graph.len() - before
    });
    assert!(
        nodes[2] - nodes[1] <= 2 * (nodes[1] - nodes[0]) + 200,
        "{nodes:?}"
    );
}
