//! Methods as data: the interpreter of routines beside the graph, and the methods beside each other.

use crate::cases::cases;
use crate::maps::{self, Mass};
use crate::numeric::{assert_close, rate};
use crate::states::{check_states, choice, stateful};
use crate::trees::{self, Attitudes};
use lagrange_engine::{
    Condition, Constraint, Dynamics, Number, Quantity, Routine, RoutineError, Routines, Step,
    Symbol, System, Unary,
};
use proptest::prelude::*;

/// A system at a state.
pub(crate) struct At<'a> {
    pub(crate) routines: Routines<'a>,
    pub(crate) dynamics: &'a Dynamics,
    pub(crate) value: &'a dyn Fn(Symbol) -> f64,
}

impl<'a> At<'a> {
    pub(crate) fn new(dynamics: &'a Dynamics, value: &'a dyn Fn(Symbol) -> f64) -> Self {
        Self {
            routines: Routines::new(dynamics),
            dynamics,
            value,
        }
    }

    fn symbols(&self, count: usize, symbol: fn(u32) -> Symbol) -> Vec<f64> {
        (0..count as u32).map(|i| (self.value)(symbol(i))).collect()
    }

    /// The value of an argument by its name.
    pub(crate) fn argument(&self, name: &str) -> Vec<f64> {
        let sizes = self.dynamics.sizes();
        match name {
            "t" => vec![(self.value)(Symbol::Time)],
            "q" => self.symbols(sizes.coordinates, Symbol::Coordinate),
            "v" => self.symbols(sizes.velocities, Symbol::Velocity),
            "a" => self.symbols(sizes.velocities, Symbol::Acceleration),
            "z" => self.symbols(sizes.states, Symbol::State),
            "u" => self.symbols(sizes.inputs, Symbol::Input),
            other => panic!("no argument {other}"),
        }
    }

    fn parameters(&self) -> Vec<f64> {
        self.symbols(self.dynamics.names().parameters.len(), Symbol::Parameter)
    }

    /// The results of a method; `others` are its arguments that are no symbols of the state, or that differ from them.
    pub(crate) fn results(
        &self,
        method: &str,
        others: &[(&str, &[f64])],
    ) -> Result<Vec<Vec<f64>>, RoutineError> {
        let routine = self
            .routines
            .method(method)
            .unwrap_or_else(|| panic!("no {method}"));
        self.run(&routine, others)
    }

    fn run(
        &self,
        routine: &Routine,
        others: &[(&str, &[f64])],
    ) -> Result<Vec<Vec<f64>>, RoutineError> {
        let given = routine.arguments.iter().map(|argument| {
            let other = others.iter().find(|(name, _)| *name == argument.name);
            other.map_or_else(
                || self.argument(&argument.name),
                |(_, values)| values.to_vec(),
            )
        });
        let given: Vec<Vec<f64>> = given.collect();
        self.routines.run(routine, &given, &self.parameters())
    }

    /// The only result of a method.
    pub(crate) fn one(&self, method: &str, others: &[(&str, &[f64])]) -> Vec<f64> {
        let mut results = self
            .results(method, others)
            .unwrap_or_else(|e| panic!("{method}: {e}"));
        assert_eq!(results.len(), 1, "{method}");
        results.remove(0)
    }

    /// (J^T + B) lambda.
    pub(crate) fn reactions(&self, others: &[(&str, &[f64])], lambda: &[f64]) -> Vec<f64> {
        let n = self.dynamics.sizes().velocities;
        let forces = match self.routines.method("multiplier_forces") {
            Some(_) => self.one("multiplier_forces", others),
            None => vec![0.0; n * lambda.len()],
        };
        let jacobian = self.graph(Quantity::ConstraintJacobian);
        let columns = forces.len() / n;
        let force = |i: usize| {
            let all = lambda.iter().enumerate();
            all.map(|(k, l)| (jacobian[k * n + i] + forces[i * columns + k]) * l)
                .sum()
        };
        (0..n).map(force).collect()
    }

    pub(crate) fn graph(&self, quantity: Quantity) -> Vec<f64> {
        let nodes = self.dynamics.expressions(quantity);
        self.dynamics.graph().evaluate(&nodes, self.value)
    }

    /// The state moved along a displacement: q of `integrate`, and v.
    pub(crate) fn moved(&self, d: &[f64], w: &[f64], h: f64) -> (Vec<f64>, Vec<f64>) {
        let scaled: Vec<f64> = d.iter().map(|x| h * x).collect();
        let q = self.one("integrate", &[("d", &scaled)]);
        let v = self
            .argument("v")
            .into_iter()
            .zip(w)
            .map(|(v, w)| v + h * w);
        (q, v.collect())
    }
}

pub(crate) fn product(matrix: &[f64], x: &[f64]) -> Vec<f64> {
    let rows = matrix.chunks(x.len().max(1));
    rows.map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum())
        .collect()
}

const QUANTITIES: [(&str, Quantity); 10] = [
    ("coordinate_rates", Quantity::CoordinateRates),
    ("mass_matrix", Quantity::MassMatrix),
    ("forcing", Quantity::Forcing),
    ("momenta", Quantity::Momenta),
    ("bias", Quantity::Bias),
    ("generalized_forces", Quantity::GeneralizedForces),
    ("lagrangian", Quantity::Lagrangian),
    ("energy", Quantity::Energy),
    ("inverse_dynamics", Quantity::InverseDynamics),
    ("constraint_jacobian", Quantity::ConstraintJacobian),
];

fn check_quantities(at: &At) {
    for (method, quantity) in QUANTITIES {
        if at.routines.method(method).is_some() {
            assert_close(&at.one(method, &[]), &at.graph(quantity), 1e-10);
        }
    }
}

/// The system with forces by the multipliers of its constraints and contacts.
pub(crate) fn reacting(mut system: System) -> System {
    let coordinates = system.names.coordinates.len() as u32;
    let n = system.names.velocity_count() as u32;
    let count = (system.constraints.len() + system.contacts.len()) as u32;
    let graph = &mut system.graph;
    let mut entry = |j: u32, k: u32| {
        let q = graph.symbol(Symbol::Coordinate((j + k) % coordinates));
        let sine = graph.unary(Unary::Sin, q);
        graph.scale(Number::HALF, sine)
    };
    let columns = (0..count).map(|k| (0..n).map(|j| entry(j, k)).collect());
    system.multiplier_forces = columns.collect();
    system
}

/// The residuals of the equations at a and lambda, each smaller than its terms by a factor of 1e-11.
fn check_solution(at: &At, a: &[f64], lambda: &[f64]) {
    let n = a.len();
    let [mass, forcing, jacobian, gamma, by_multipliers] = [
        Quantity::MassMatrix,
        Quantity::Forcing,
        Quantity::ConstraintJacobian,
        Quantity::ConstraintGamma,
        Quantity::MultiplierForces,
    ]
    .map(|quantity| at.graph(quantity));
    let columns = by_multipliers.len() / n;
    for i in 0..n {
        let terms = (0..n).map(|j| mass[i * n + j] * a[j]);
        let reactions = lambda
            .iter()
            .enumerate()
            .map(|(k, l)| -jacobian[k * n + i] * l);
        let others = by_multipliers.get(i * columns..).unwrap_or_default();
        let others = others.iter().zip(lambda).map(|(force, l)| -force * l);
        let terms = terms.chain(reactions).chain(others).chain([-forcing[i]]);
        let terms: Vec<f64> = terms.collect();
        let size: f64 = terms.iter().map(|x| x.abs()).sum();
        assert!(terms.iter().sum::<f64>().abs() <= 1e-11 * size, "{terms:?}");
    }
    for (k, row) in jacobian.chunks(n).enumerate() {
        let terms = row.iter().zip(a).map(|(j, a)| j * a).chain([-gamma[k]]);
        let terms: Vec<f64> = terms.collect();
        let size: f64 = terms.iter().map(|x| x.abs()).sum();
        assert!(
            terms.iter().sum::<f64>().abs() <= 1e-11 * size.max(1e-3),
            "{terms:?}"
        );
    }
}

/// The routine without the solutions that it may accept: by its fallback alone.
fn by_fallback(routine: &Routine) -> Routine {
    let is_attempt = |step: &Step| {
        let Step::If { condition, .. } = step else {
            return false;
        };
        matches!(condition, Condition::All(_) | Condition::Regular { .. })
    };
    let mut routine = routine.clone();
    routine.steps.retain(|step| !is_attempt(step));
    routine
}

/// The solution, and its derivatives against differences.
fn check_motion(at: &At) {
    let sizes = at.dynamics.sizes();
    let (n, k) = (sizes.velocities, sizes.inputs);
    let width = 2 * n + sizes.states;
    let Ok(solved) = at.results("solve", &[]) else {
        return;
    };
    let (a, lambda) = (&solved[0], &solved[1]);
    check_solution(at, a, lambda);
    let pivoted = at
        .results("private solve_pivoted", &[])
        .expect("a solution");
    check_solution(at, &pivoted[0], &pivoted[1]);
    let again = at.one("acceleration", &[]);
    assert_eq!(&again, a);
    let unchecked = at.one("acceleration_unchecked", &[]);
    let state = ["q", "v", "z"].map(|name| at.argument(name)).concat();
    let derivative = at.one("state_derivative", &[("y", &state)]);
    let rates = [&at.one("coordinate_rates", &[])[..], a].concat();
    let of_states = at.graph(Quantity::StateRates);
    assert_eq!(derivative[..rates.len()], rates);
    assert_close(&derivative[rates.len()..], &of_states, 1e-12);
    let full = at.one("mass_matrix_full", &[]);
    let rates = [&rates[..], lambda].concat();
    assert_close(&product(&full, &rates), &at.one("forcing_full", &[]), 1e-9);
    // Near a singular state differences tell nothing.
    let size = a
        .iter()
        .chain(lambda)
        .fold(0.0_f64, |most, x| most.max(x.abs()));
    if size > 1e2 {
        return;
    }
    assert_close(&unchecked, a, 1e-7);
    if sizes.constraints > 0 {
        let jacobian = at.graph(Quantity::ConstraintJacobian);
        let forces = (0..n).map(|i| {
            (0..sizes.constraints)
                .map(|k| jacobian[k * n + i] * lambda[k])
                .sum()
        });
        let forces: Vec<f64> = forces.collect();
        assert_close(&at.one("constraint_forces", &[]), &forces, 1e-9);
    }
    let derivatives = at
        .results("acceleration_derivatives", &[])
        .expect("derivatives");
    let differentiated = at
        .routines
        .method("private differentiated")
        .expect("a routine");
    let careful = at
        .run(&by_fallback(&differentiated), &[])
        .expect("derivatives");
    for (quick, careful) in derivatives.iter().zip(&careful) {
        assert_close(quick, careful, 1e-6);
    }
    let linear = at.results("linearize", &[]).expect("a linearization");
    let free = at
        .results("linearize_unchecked", &[])
        .expect("a linearization");
    assert_close(&free[0], &linear[0], 1e-6);
    let weights: Vec<f64> = (0..n).map(|i| (i as f64 + 0.5).sin()).collect();
    let gradient = at.results("vjp", &[("w", &weights)]).expect("a gradient");
    for (by, matrix) in gradient.iter().zip(&derivatives) {
        let columns = by.len();
        let sums = (0..columns).map(|j| (0..n).map(|i| weights[i] * matrix[i * columns + j]).sum());
        assert_close(by, &sums.collect::<Vec<f64>>(), 1e-6);
    }
    let direction: Vec<f64> = (0..n).map(|i| (i as f64 + 1.0).cos()).collect();
    let still = vec![0.0; n];
    let along = |d: &[f64], w: &[f64]| {
        rate(|h| {
            let (q, v) = at.moved(d, w, h * 1e-2);
            at.one("acceleration", &[("q", &q), ("v", &v)])
        })
        .into_iter()
        .map(|x| x * 1e2)
        .collect::<Vec<f64>>()
    };
    assert_close(
        &product(&derivatives[0], &direction),
        &along(&direction, &still),
        1e-4,
    );
    assert_close(
        &product(&derivatives[1], &direction),
        &along(&still, &direction),
        1e-4,
    );
    let rows = linear[0].chunks(width).skip(n).take(n);
    let lower: Vec<f64> = rows.flatten().copied().collect();
    let of_inputs = derivatives.len() - 1;
    assert_eq!(lower, beside(&derivatives[..of_inputs], n));
    assert_eq!(linear[1][n * k..2 * n * k], derivatives[of_inputs]);
    if at.routines.method("linearize_fixed_axes").is_some() {
        let fixed = at
            .results("linearize_fixed_axes", &[])
            .expect("a linearization");
        check_axes(at, [&linear[0], &linear[1]], [&fixed[0], &fixed[1]]);
    }
    check_step(at);
}

/// A_fixed S = S A + S', B_fixed = S B, for S of the rotation matrices R, and ones elsewhere; S' = [R w0]x R.
fn check_axes(at: &At, linear: [&[f64]; 2], fixed: [&[f64]; 2]) {
    let sizes = at.dynamics.sizes();
    let (n, size) = (sizes.velocities, 2 * sizes.velocities + sizes.states);
    let (q, v) = (at.argument("q"), at.argument("v"));
    let ones = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
    let mut turn: Vec<f64> = (0..size * size)
        .map(|at| ones(at / size, at % size))
        .collect();
    let mut rate = vec![0.0; size * size];
    for rotation in at.dynamics.kinematics().rotations() {
        let [x, y, z, w] = [0, 1, 2, 3].map(|i| q[rotation.coordinate + i]);
        let r = [
            [
                w * w + x * x - y * y - z * z,
                2.0 * (x * y - w * z),
                2.0 * (x * z + w * y),
            ],
            [
                2.0 * (x * y + w * z),
                w * w - x * x + y * y - z * z,
                2.0 * (y * z - w * x),
            ],
            [
                2.0 * (x * z - w * y),
                2.0 * (y * z + w * x),
                w * w - x * x - y * y + z * z,
            ],
        ];
        let first = rotation.velocity;
        let spin = [0, 1, 2].map(|i| (0..3).map(|j| r[i][j] * v[first + j]).sum::<f64>());
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            let (next, last) = ((i + 1) % 3, (i + 2) % 3);
            let rates = spin[next] * r[last][j] - spin[last] * r[next][j];
            for half in [0, n] {
                let place = (half + first + i) * size + half + first + j;
                (turn[place], rate[place]) = (r[i][j], rates);
            }
        }
    }
    let times = |left: &[f64], right: &[f64], columns: usize| -> Vec<f64> {
        let entry = |i: usize, j: usize| {
            (0..size)
                .map(|k| left[i * size + k] * right[k * columns + j])
                .sum()
        };
        (0..size)
            .flat_map(|i| (0..columns).map(move |j| (i, j)))
            .map(|(i, j)| entry(i, j))
            .collect()
    };
    let moved = times(&turn, linear[0], size);
    let moved: Vec<f64> = moved.iter().zip(&rate).map(|(a, b)| a + b).collect();
    assert_close(&times(fixed[0], &turn, size), &moved, 1e-12);
    assert_close(fixed[1], &times(&turn, linear[1], sizes.inputs), 1e-12);
}

/// Matrices of `rows` rows beside each other.
pub(crate) fn beside(parts: &[Vec<f64>], rows: usize) -> Vec<f64> {
    let row = |i: usize| {
        let parts = parts.iter();
        parts
            .flat_map(move |part| part[i * part.len() / rows..(i + 1) * part.len() / rows].to_vec())
    };
    (0..rows).flat_map(row).collect()
}

/// The step of the Runge-Kutta method, whose displacement by h is the velocity.
fn check_step(at: &At) {
    let q = at.argument("q");
    let speeds = rate(|h| {
        let end = at
            .results("rk4_step", &[("h", &[1e-2 * h])])
            .expect("a step");
        let moved = at.one("difference", &[("q0", &q), ("q1", &end[0])]);
        moved
            .into_iter()
            .chain(end[1..].concat())
            .map(|x| 1e2 * x)
            .collect()
    });
    let expected = [
        at.argument("v"),
        at.one("acceleration", &[]),
        at.graph(Quantity::StateRates),
    ];
    let expected = expected.concat();
    assert_close(&speeds, &expected, 1e-6);
}

fn check_momenta(at: &At) {
    if !at.dynamics.is_quadratic() {
        return;
    }
    let p = at.one("momenta", &[]);
    let Ok(velocity) = at.results("velocity", &[("p", &p)]) else {
        return;
    };
    assert_close(&velocity[0], &at.argument("v"), 1e-6);
    if at.dynamics.energy_is_jacobi_integral() {
        let hamiltonian = at.one("hamiltonian", &[("p", &p)]);
        assert_close(&hamiltonian, &at.one("energy", &[]), 1e-6);
    }
    let equations = at.results("hamilton_equations", &[("p", &p)]);
    if let (Ok(equations), Ok(a)) = (equations, at.results("acceleration", &[])) {
        let rates = at.one("coordinate_rates", &[]);
        assert_close(&equations[0], &rates, 1e-6);
        if a[0].iter().all(|a| a.abs() < 1e2) {
            let along = rate(|h| {
                let (q, v) = at.moved(&at.argument("v"), &a[0], h * 1e-2);
                let t = [at.argument("t")[0] + h * 1e-2];
                let p = at.one("momenta", &[("t", &t), ("q", &q), ("v", &v)]);
                p.into_iter().map(|x| 1e2 * x).collect()
            });
            assert_close(&equations[1], &along, 1e-4);
        }
    }
}

fn check_displacements(at: &At) {
    let neutral = at.one("neutral", &[]);
    let d: Vec<f64> = at.argument("v");
    let moved = at.one("integrate", &[("q", &neutral), ("d", &d)]);
    let back = at.one("difference", &[("q0", &neutral), ("q1", &moved)]);
    assert_close(&back, &d, 1e-14);
}

fn check(at: &At) {
    check_quantities(at);
    check_displacements(at);
    check_motion(at);
    check_momenta(at);
    check_states(at);
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn routines_of_maps(plan in maps::plans(), seed in 1_u32..1000) {
        for mass in [Mass::Definite, Mass::Any] {
            let system = maps::build(&plan, mass);
            let value = maps::state(seed);
            let (states, inputs) = choice(seed);
            let with_states = stateful(system.clone(), states, inputs);
            for system in [reacting(with_states.clone()), with_states, reacting(system.clone()), system] {
                let dynamics = Dynamics::new(system);
                check(&At::new(&dynamics, &value));
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn routines_of_trees(plan in trees::plans(), seed in 1_u32..1000) {
        for attitudes in [Attitudes::None, Attitudes::Some] {
            let system = trees::build(&plan, attitudes);
            let (states, inputs) = choice(seed);
            for system in [stateful(system.clone(), states, inputs), system] {
                let dynamics = Dynamics::new(system);
                let value = trees::state(seed);
                check(&At::new(&dynamics, &value));
            }
        }
    }
}

/// The system with each constraint once more, in another unit.
fn doubled(mut system: System) -> System {
    for constraint in system.constraints.clone() {
        let residual = system.graph.scale(Number::integer(3), constraint.residual);
        system.constraints.push(Constraint {
            name: format!("{} again", constraint.name),
            residual,
            ..constraint
        });
    }
    system
}

/// A of the independent displacements by those of all coordinates, diag(Z, Z, 1) A diag(Z, Z, 1)^T, which does not depend
/// on the choice of the basis Z.
fn lifted(reduced: &[Vec<f64>], n: usize) -> Vec<f64> {
    let [a, _, basis] = [0, 1, 2].map(|at| &reduced[at]);
    let r = basis.len() / n;
    let width = (0..)
        .find(|width| width * width == a.len())
        .expect("a square");
    let states = width - 2 * r;
    // First-order states are all free.
    let z = |i: usize, k: usize| match (i / n, k.checked_div(r).unwrap_or(2)) {
        (left, right) if left < 2 && left == right => basis[i % n * r + k % r],
        (left, right) if left >= 2 && right >= 2 && i - 2 * n == k - 2 * r => 1.0,
        _ => 0.0,
    };
    let terms = |i: usize, j: usize| {
        let pairs = (0..width).flat_map(|k| (0..width).map(move |l| (k, l)));
        pairs
            .map(move |(k, l)| z(i, k) * a[k * width + l] * z(j, l))
            .sum()
    };
    let all = 2 * n + states;
    let places = (0..all).flat_map(|i| (0..all).map(move |j| (i, j)));
    places.map(|(i, j)| terms(i, j)).collect()
}

proptest! {
    #![proptest_config(cases(24))]

    /// Rows that are written twice change neither the motion nor its derivatives, and share the forces.
    #[test]
    fn routines_of_redundant_rows(plan in maps::plans(), seed in 1_u32..1000) {
        let (states, inputs) = choice(seed);
        let system = maps::build(&plan, Mass::Definite);
        let system = if seed % 3 == 0 { system } else { stateful(system, states, inputs) };
        let (once, twice) = (Dynamics::new(system.clone()), Dynamics::new(doubled(system)));
        let value = maps::state(seed);
        let at = At::new(&once, &value);
        let redundant = At {
            routines: Routines::new(&twice).with_redundant_rows(true),
            ..At::new(&twice, &value)
        };
        if once.sizes().constraints == 0 {
            return Ok(());
        }
        let Ok(on) = at.results("project", &[]) else {
            return Ok(());
        };
        let on: [(&str, &[f64]); 2] = [("q", &on[0]), ("v", &on[1])];
        let Ok(expected) = at.results("solve", &on) else {
            return Ok(());
        };
        if expected.iter().flatten().any(|x| x.abs() > 1e2) {
            return Ok(());
        }
        let found = redundant.results("solve", &on).expect("a motion");
        assert_close(&found[0], &expected[0], 1e-9);
        let shares = [0.1, 0.3].map(|share| expected[1].iter().map(move |l| share * l));
        assert_close(&found[1], &shares.into_iter().flatten().collect::<Vec<f64>>(), 1e-9);
        assert_eq!(found[2], [once.sizes().constraints as f64]);
        for method in ["acceleration", "acceleration_unchecked", "constraint_forces", "acceleration_derivatives"] {
            let [found, expected] = [&redundant, &at].map(|at| at.results(method, &on).expect("a motion"));
            for (found, expected) in found.iter().zip(&expected) {
                assert_close(found, expected, 1e-7);
            }
        }
        assert_eq!(redundant.results("project", &on).expect("on the constraints").len(), 2);
        if once.sizes().holonomic < once.sizes().constraints {
            return Ok(());
        }
        let [found, expected] = [&redundant, &at].map(|at| at.results("linearize_reduced", &on));
        let n = once.sizes().velocities;
        assert_close(&lifted(&found.expect("a motion"), n), &lifted(&expected.expect("a motion"), n), 1e-6);
    }
}

/// A block of 2 kg with the momentum p slides on the floor y = 0, with friction.
#[test]
fn friction_changes_momenta() {
    let text = "coordinates x y\nnode %0 = velocity 0\nnode %1 = velocity 1\nnode %2 = product %0^2\n\
                node %3 = product %1^2\nnode %4 = sum 0 1*%2 1*%3\nkinetic %4\nnode %5 = coordinate 1\n\
                node %6 = sum 0 20*%5\npotential %6\nholonomic floor %5\nnode %7 = number -1/4\nnode %8 = number 0\n\
                multiplier_force %7 %8\n";
    let dynamics = Dynamics::new(text.parse().expect("a system"));
    let routines = Routines::new(&dynamics);
    let state = [vec![0.0, 0.0], vec![2.0, 0.0]];
    assert_eq!(
        routines.evaluate("hamilton_equations", &state, &[]),
        Ok(vec![vec![1.0, 0.0], vec![-5.0, 0.0]])
    );
    let full = vec![
        [
            [1.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 2.0, 0.0, 0.25],
            [0.0, 0.0, 0.0, 2.0, -1.0],
            [0.0, 0.0, 0.0, 1.0, 0.0],
        ]
        .concat(),
    ];
    assert_eq!(routines.evaluate("mass_matrix_full", &state, &[]), Ok(full));
}

#[test]
fn errors_of_routines() {
    let free = "coordinates x y\nparameters m\nnode %0 = velocity 0\nnode %1 = parameter 0\n\
                node %2 = product %0^2 %1^1\nnode %3 = velocity 1\nnode %4 = product %3^2\nnode %5 = sum 0 1*%2 1*%4\nkinetic %5\n";
    let held = format!(
        "{free}node %6 = coordinate 0\nholonomic here %6\nnode %7 = coordinate 0\nnode %8 = product %7^2\nholonomic there %8\n"
    );
    let [free, held] = [free, &held].map(|text| Dynamics::new(text.parse().expect("a system")));
    let solve = |dynamics: &Dynamics, q: f64, m: f64| {
        let arguments = [vec![q, 0.0], vec![0.0, 0.0]];
        Routines::new(dynamics).evaluate("solve", &arguments, &[m])
    };
    assert_eq!(
        solve(&free, 1.0, 2.0).map(|results| results[0].clone()),
        Ok(vec![0.0, 0.0])
    );
    assert_eq!(
        solve(&free, 1.0, 0.0),
        Err(RoutineError::SingularMassMatrix)
    );
    assert_eq!(solve(&free, f64::NAN, 2.0), Err(RoutineError::NotFinite));
    assert_eq!(
        solve(&free, 1.0, f64::INFINITY),
        Err(RoutineError::NotFinite)
    );
    assert_eq!(
        solve(&held, 1.0, 2.0),
        Err(RoutineError::DependentConstraints)
    );
    assert!(Routines::new(&free).method("constraint_forces").is_none());
}
