//! The derived terms against their definitions, by finite differences of L.

use crate::common::{names, pendulum, system};
use crate::numeric::{assert_close, rate};
use lagrange_engine::{
    Binary, Degeneracy, Dynamics, Energy, Graph, NodeId, Number, Quantity, Symbol, System, Unary,
    degeneracy, lower_of,
};

/// A state and everything else that expressions read.
#[derive(Clone)]
struct Point {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    t: f64,
}

impl Point {
    fn new(n: usize) -> Self {
        let wave = |phase: f64| (0..n).map(|i| (1.7 * i as f64 + phase).sin()).collect();
        Self {
            q: wave(0.3),
            v: wave(1.1),
            a: wave(2.3),
            t: 0.4,
        }
    }

    fn value(&self, symbol: Symbol) -> f64 {
        match symbol {
            Symbol::Coordinate(i) => self.q[i as usize],
            Symbol::Velocity(i) => self.v[i as usize],
            Symbol::Acceleration(i) => self.a[i as usize],
            Symbol::Parameter(i) => 0.8 + 0.1 * f64::from(i),
            Symbol::Input(i) => 0.3 + f64::from(i),
            Symbol::Time => self.t,
            Symbol::State(_) | Symbol::StateRate(_) | Symbol::Multiplier(_) | Symbol::Weight(_) => {
                f64::NAN
            }
            Symbol::Momentum(i) => 0.2 - 0.3 * f64::from(i),
        }
    }

    /// The state a little later: q + s v, v + s a, t + s.
    fn later(&self, s: f64) -> Self {
        let ahead = |x: &[f64], dx: &[f64]| x.iter().zip(dx).map(|(x, dx)| x + s * dx).collect();
        Self {
            q: ahead(&self.q, &self.v),
            v: ahead(&self.v, &self.a),
            a: self.a.clone(),
            t: self.t + s,
        }
    }
}

/// The entries of a quantity: the same by every program, and by the expressions themselves.
fn evaluate(dynamics: &Dynamics, quantity: Quantity, at: &Point) -> Vec<f64> {
    let entries = dynamics.expressions(quantity);
    let interpreted = interpret(dynamics, &entries, at);
    for program in dynamics.programs(&[quantity]) {
        let scheduled = program.schedule.evaluate(&|symbol| at.value(symbol));
        assert_close(&scheduled, &interpreted, 1e-12);
    }
    interpreted
}

fn interpret(dynamics: &Dynamics, entries: &[NodeId], at: &Point) -> Vec<f64> {
    let graph = dynamics.graph();
    graph.evaluate(entries, &|symbol| at.value(symbol))
}

/// The derivatives of one entry by each x that `nudge` moves.
fn gradient(
    dynamics: &Dynamics,
    (quantity, entry): (Quantity, usize),
    at: &Point,
    nudge: fn(&mut Point, usize, f64),
) -> Vec<f64> {
    let entries = dynamics.expressions(quantity);
    (0..dynamics.sizes().velocities)
        .map(|i| {
            rate(|s| {
                let mut moved = at.clone();
                nudge(&mut moved, i, s);
                interpret(dynamics, &entries, &moved)
            })[entry]
        })
        .collect()
}

fn rows(entries: &[f64], n: usize) -> Vec<Vec<f64>> {
    entries.chunks(n).map(<[f64]>::to_vec).collect()
}

/// Every term against its definition.
fn check(system: System) {
    let dynamics = Dynamics::new(system);
    let n = dynamics.sizes().velocities;
    let at = Point::new(n);
    let eval = |quantity| evaluate(&dynamics, quantity, &at);
    let in_v = |root| gradient(&dynamics, root, &at, |p, i, s| p.v[i] += s);
    let p = eval(Quantity::Momenta);
    assert_close(&p, &in_v((Quantity::Lagrangian, 0)), 1e-9);
    let mass = rows(&eval(Quantity::MassMatrix), n);
    for (i, row) in mass.iter().enumerate() {
        assert_close(row, &in_v((Quantity::Momenta, i)), 1e-9);
    }
    // M a + h = dp/dt - dL/dq along any motion.
    let in_q = gradient(&dynamics, (Quantity::Lagrangian, 0), &at, |p, i, s| {
        p.q[i] += s
    });
    let momenta = dynamics.expressions(Quantity::Momenta);
    let momentum_rate = rate(|s| interpret(&dynamics, &momenta, &at.later(s)));
    let inverse: Vec<f64> = (0..n).map(|i| momentum_rate[i] - in_q[i]).collect();
    assert_close(&eval(Quantity::InverseDynamics), &inverse, 1e-9);
    let bias = eval(Quantity::Bias);
    let again: Vec<f64> = (0..n)
        .map(|i| bias[i] + (0..n).map(|j| mass[i][j] * at.a[j]).sum::<f64>())
        .collect();
    assert_close(&again, &inverse, 1e-9);
    let forces = eval(Quantity::GeneralizedForces);
    let forcing: Vec<f64> = (0..n).map(|i| forces[i] - bias[i]).collect();
    assert_close(&eval(Quantity::Forcing), &forcing, 1e-12);
    let power: f64 = (0..n).map(|i| p[i] * at.v[i]).sum();
    let jacobi = power - eval(Quantity::Lagrangian)[0];
    assert_close(&eval(Quantity::JacobiIntegral), &[jacobi], 1e-12);
    check_natural(&dynamics, &at, &mass);
    check_solve(&dynamics, &at, &mass, &forcing);
    check_hamilton(&dynamics, &at, &p);
}

fn check_natural(dynamics: &Dynamics, at: &Point, mass: &[Vec<f64>]) {
    if !dynamics.is_natural() {
        return;
    }
    let n = mass.len();
    let potential = (Quantity::PotentialEnergy, 0);
    let gradient_of_v = gradient(dynamics, potential, at, |p, i, s| p.q[i] += s);
    let derived = evaluate(dynamics, Quantity::PotentialGradient, at);
    assert_close(&derived, &gradient_of_v, 1e-9);
    let mass = dynamics.expressions(Quantity::MassMatrix);
    // dM/dq by finite differences, and C by Christoffel's formula from it.
    let slopes: Vec<Vec<Vec<f64>>> = (0..n)
        .map(|k| {
            let slope = rate(|s| {
                let mut moved = at.clone();
                moved.q[k] += s;
                interpret(dynamics, &mass, &moved)
            });
            rows(&slope, n)
        })
        .collect();
    let mut coriolis = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let symbols = (0..n).map(|k| slopes[k][i][j] + slopes[j][i][k] - slopes[i][j][k]);
            coriolis.push(symbols.zip(&at.v).map(|(s, v)| 0.5 * s * v).sum());
        }
    }
    let derived = evaluate(dynamics, Quantity::CoriolisMatrix, at);
    assert_close(&derived, &coriolis, 1e-9);
}

fn check_solve(dynamics: &Dynamics, at: &Point, mass: &[Vec<f64>], forcing: &[f64]) {
    let code = dynamics.solve_program();
    let Some(factorization) = code.factorization else {
        return;
    };
    let mut solution = code.terms.schedule.clone();
    solution.roots = factorization.solution;
    let a = solution.evaluate(&|symbol| at.value(symbol));
    let product: Vec<f64> = mass
        .iter()
        .map(|row| row.iter().zip(&a).map(|(m, a)| m * a).sum())
        .collect();
    assert_close(&product, forcing, 1e-10);
}

/// If L is quadratic: velocities from momenta, and the rates of momenta from the bias.
fn check_hamilton(dynamics: &Dynamics, at: &Point, p: &[f64]) {
    if !dynamics.is_quadratic() {
        return;
    }
    let value = |symbol: Symbol| match symbol {
        Symbol::Momentum(i) => p[i as usize],
        other => at.value(other),
    };
    let kinetic = dynamics.expressions(Quantity::KineticMomenta);
    let kinetic = dynamics.graph().evaluate(&kinetic, &value);
    let mass = lower_of(&evaluate(dynamics, Quantity::MassMatrix, at), p.len());
    let (mut solution, factorization) = dynamics.inverse_program(4000).expect("a short system");
    solution.roots = factorization.solution;
    let velocities = solution.evaluate(&|symbol| match symbol {
        Symbol::Parameter(i) => mass[i as usize],
        Symbol::Momentum(i) => kinetic[i as usize],
        _ => f64::NAN,
    });
    assert_close(&velocities, &at.v, 1e-10);
    // dp/dt = (dp/dq) v + dp/dt - h + Q at a = 0.
    let momenta = dynamics.expressions(Quantity::Momenta);
    let still = Point {
        a: vec![0.0; p.len()],
        ..at.clone()
    };
    let convective = rate(|s| interpret(dynamics, &momenta, &still.later(s)));
    let bias = evaluate(dynamics, Quantity::Bias, at);
    let forces = evaluate(dynamics, Quantity::GeneralizedForces, at);
    let expected: Vec<f64> = (0..p.len())
        .map(|i| convective[i] - bias[i] + forces[i])
        .collect();
    let rate = evaluate(dynamics, Quantity::MomentumRate, at);
    assert_close(&rate, &expected, 1e-9);
}

#[test]
fn pendulum_chains() {
    for n in [1, 2, 3, 5, 8] {
        check(pendulum(n));
    }
}

/// q0, q1 with time and velocity-linear terms in T, and a potential with every kind of function.
fn rheonomic() -> System {
    let mut graph = Graph::new();
    let [q0, q1, v0, v1, t, m] = [
        Symbol::Coordinate(0),
        Symbol::Coordinate(1),
        Symbol::Velocity(0),
        Symbol::Velocity(1),
        Symbol::Time,
        Symbol::Parameter(0),
    ]
    .map(|symbol| graph.symbol(symbol));
    let drive = graph.mul(t, q1);
    let moving = graph.add(v0, drive);
    let (a, b, cross) = (graph.powi(moving, 2), graph.powi(v1, 2), graph.mul(v0, v1));
    let angle = graph.mul(q0, q1);
    let cosine = graph.unary(Unary::Cos, angle);
    let swing = graph.mul(cosine, cross);
    let twice = graph.sum(
        Number::ZERO,
        vec![
            (Number::ONE, a),
            (Number::integer(2), b),
            (Number::ONE, swing),
        ],
    );
    let kinetic = graph.mul(m, twice);
    let distance = graph.binary(Binary::Hypot, q0, q1);
    let inverse = graph.powi(distance, -1);
    let exponential = graph.unary(Unary::Exp, q0);
    let larger = graph.binary(Binary::Max, exponential, q1);
    let terms = graph.add(inverse, larger);
    let potential = graph.mul(t, terms);
    system(graph, names(2), Energy::Natural { kinetic, potential })
}

#[test]
fn explicit_time_and_velocity_linear_terms() {
    check(rheonomic());
    let dynamics = Dynamics::new(rheonomic());
    let facts = dynamics.facts();
    assert!(!facts.conserves_energy && !facts.constant_mass_matrix);
}

/// T = sum (1 + sin 2 q_i - 2 sin q_i cos q_i) v_i^2 / 2 of many, with q_i^2 in the place of the sines for none or one: that M
/// is constant shows in no entry's structure, and that it is not in one of them alone.
#[test]
fn mass_matrices_that_are_constant_by_no_structure() {
    const MANY: u32 = 30;
    for varying in [None, Some(0), Some(13), Some(MANY - 1)] {
        let mut graph = Graph::new();
        let mut kinetic = graph.integer(0);
        for i in 0..MANY {
            let [q, v] = [Symbol::Coordinate(i), Symbol::Velocity(i)].map(|s| graph.symbol(s));
            let twice = graph.add(q, q);
            let [sine, cosine] = [Unary::Sin, Unary::Cos].map(|f| graph.unary(f, q));
            let product = graph.mul(sine, cosine);
            let (of_twice, doubled) = (graph.unary(Unary::Sin, twice), graph.add(product, product));
            let hidden = graph.sub(of_twice, doubled);
            assert!(!graph.is_zero(hidden));
            let added = if varying == Some(i) {
                graph.powi(q, 2)
            } else {
                hidden
            };
            let one = graph.integer(1);
            let mass = graph.add(one, added);
            let square = graph.powi(v, 2);
            let energy = graph.mul(mass, square);
            kinetic = graph.sum(
                Number::ZERO,
                vec![(Number::ONE, kinetic), (Number::HALF, energy)],
            );
        }
        let potential = graph.integer(0);
        let energy = Energy::Natural { kinetic, potential };
        let dynamics = Dynamics::new(system(graph, names(MANY as usize), energy));
        assert_eq!(dynamics.facts().constant_mass_matrix, varying.is_none());
        assert_eq!(degeneracy(&dynamics, false), None);
    }
}

/// L = sqrt(1 + v0^2 + v1^2) + q0 v1
#[test]
fn lagrangians_that_are_not_quadratic() {
    let mut graph = Graph::new();
    let [q0, v0, v1] = [
        Symbol::Coordinate(0),
        Symbol::Velocity(0),
        Symbol::Velocity(1),
    ]
    .map(|symbol| graph.symbol(symbol));
    let squares = vec![
        (Number::ONE, graph.powi(v0, 2)),
        (Number::ONE, graph.powi(v1, 2)),
    ];
    let inside = graph.sum(Number::ONE, squares);
    let root = graph.unary(Unary::Sqrt, inside);
    let gyroscopic = graph.mul(q0, v1);
    let lagrangian = graph.add(root, gyroscopic);
    let system = system(graph, names(2), Energy::Lagrangian(lagrangian));
    let dynamics = Dynamics::new(system.clone());
    let facts = dynamics.facts();
    assert_eq!(facts.cyclic, [false, true]);
    assert!(facts.conserves_energy && !facts.constant_mass_matrix);
    assert!(!dynamics.is_quadratic());
    check(system);
}

/// L = (v0^2 + exp(q0) v1^2)/2 + q0 v1 - q1^2, as it is and with a factor exp(v0) exp(-v0).
#[test]
fn lagrangians_that_are_quadratic() {
    for disguised in [false, true] {
        let mut graph = Graph::new();
        let [q0, q1, v0, v1] = [
            Symbol::Coordinate(0),
            Symbol::Coordinate(1),
            Symbol::Velocity(0),
            Symbol::Velocity(1),
        ]
        .map(|symbol| graph.symbol(symbol));
        let inertia = graph.unary(Unary::Exp, q0);
        let second = graph.powi(v1, 2);
        let terms = vec![
            (Number::HALF, graph.powi(v0, 2)),
            (Number::HALF, graph.mul(inertia, second)),
            (Number::ONE, graph.mul(q0, v1)),
            (-Number::ONE, graph.powi(q1, 2)),
        ];
        let mut lagrangian = graph.sum(Number::ZERO, terms);
        if disguised {
            let minus = graph.neg(v0);
            let (up, down) = (graph.unary(Unary::Exp, v0), graph.unary(Unary::Exp, minus));
            let one = graph.mul(up, down);
            lagrangian = graph.mul(one, lagrangian);
        }
        let system = system(graph, names(2), Energy::Lagrangian(lagrangian));
        assert!(Dynamics::new(system.clone()).is_quadratic());
        check(system);
    }
}

fn velocity(graph: &mut Graph, i: u32) -> NodeId {
    graph.symbol(Symbol::Velocity(i))
}

#[test]
fn degenerate_systems_are_told_apart() {
    let free = |square: fn(&mut Graph) -> NodeId| {
        let mut graph = Graph::new();
        let kinetic = square(&mut graph);
        let potential = graph.integer(0);
        let energy = Energy::Natural { kinetic, potential };
        degeneracy(&Dynamics::new(system(graph, names(2), energy)), false)
    };
    assert_eq!(
        free(|graph| {
            let v = velocity(graph, 0);
            graph.powi(v, 2)
        }),
        Some(Degeneracy::Massless(vec![1]))
    );
    assert_eq!(
        free(|graph| {
            let (v, w) = (velocity(graph, 0), velocity(graph, 1));
            let sum = graph.add(v, w);
            graph.powi(sum, 2)
        }),
        Some(Degeneracy::SingularMassMatrix)
    );
    assert_eq!(
        free(|graph| {
            let (v, w) = (velocity(graph, 0), velocity(graph, 1));
            graph.mul(v, w)
        }),
        None
    );
}
