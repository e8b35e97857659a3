//! The derived terms against their definitions, by finite differences of L.

mod common;

use common::{names, pendulum, system};
use lagrange_engine::{
    Binary, Degeneracy, Dynamics, Energy, Graph, NodeId, Number, Symbol, System, Unary, degeneracy,
    derive, lower_triangle,
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

fn evaluate(dynamics: &Dynamics, roots: &[NodeId], at: &Point) -> Vec<f64> {
    let scheduled = dynamics
        .schedule(roots)
        .evaluate(&|symbol| at.value(symbol));
    let interpreted = dynamics.graph.evaluate(roots, &|symbol| at.value(symbol));
    assert_close(&scheduled, &interpreted, 1e-12);
    scheduled
}

fn assert_close(left: &[f64], right: &[f64], tolerance: f64) {
    assert_eq!(left.len(), right.len());
    let scale = right.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    for (a, b) in left.iter().zip(right) {
        assert!((a - b).abs() <= tolerance * scale, "{left:?} != {right:?}");
    }
}

fn rate(f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let h = 1e-4;
    let (ahead, behind) = (f(h), f(-h));
    let (further, before) = (f(2.0 * h), f(-2.0 * h));
    (0..ahead.len())
        .map(|i| (8.0 * (ahead[i] - behind[i]) - (further[i] - before[i])) / (12.0 * h))
        .collect()
}

/// d root / d x for each x that `nudge` moves.
fn gradient(
    dynamics: &Dynamics,
    root: NodeId,
    at: &Point,
    nudge: fn(&mut Point, usize, f64),
) -> Vec<f64> {
    (0..dynamics.coordinate_count())
        .map(|i| {
            rate(|s| {
                let mut moved = at.clone();
                nudge(&mut moved, i, s);
                evaluate(dynamics, &[root], &moved)
            })[0]
        })
        .collect()
}

fn full(lower: &[f64], n: usize) -> Vec<Vec<f64>> {
    let entry = |i: usize, j: usize| lower[lower_triangle(i.max(j), i.min(j))];
    (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect()
}

/// Every term against its definition.
fn check(system: System) {
    let dynamics = derive(system);
    let n = dynamics.coordinate_count();
    let at = Point::new(n);
    let eval = |roots: &[NodeId]| evaluate(&dynamics, roots, &at);
    let momenta = eval(&dynamics.momenta);
    let in_v = gradient(&dynamics, dynamics.lagrangian, &at, |p, i, s| p.v[i] += s);
    assert_close(&momenta, &in_v, 1e-9);
    let mass = full(&eval(&dynamics.mass_matrix), n);
    for (i, row) in mass.iter().enumerate() {
        let in_v = gradient(&dynamics, dynamics.momenta[i], &at, |p, i, s| p.v[i] += s);
        assert_close(row, &in_v, 1e-9);
    }
    // M a + h = dp/dt - dL/dq along any motion.
    let in_q = gradient(&dynamics, dynamics.lagrangian, &at, |p, i, s| p.q[i] += s);
    let momentum_rate = rate(|s| evaluate(&dynamics, &dynamics.momenta, &at.later(s)));
    let inverse: Vec<f64> = (0..n).map(|i| momentum_rate[i] - in_q[i]).collect();
    assert_close(&eval(&dynamics.inverse_dynamics), &inverse, 1e-9);
    let bias = eval(&dynamics.bias);
    let again: Vec<f64> = (0..n)
        .map(|i| bias[i] + (0..n).map(|j| mass[i][j] * at.a[j]).sum::<f64>())
        .collect();
    assert_close(&again, &inverse, 1e-9);
    let forces = eval(&dynamics.generalized_forces);
    let forcing: Vec<f64> = (0..n).map(|i| forces[i] - bias[i]).collect();
    assert_close(&eval(&dynamics.forcing), &forcing, 1e-12);
    let power: f64 = (0..n).map(|i| momenta[i] * at.v[i]).sum();
    let jacobi = power - eval(&[dynamics.lagrangian])[0];
    assert_close(&eval(&[dynamics.jacobi_integral]), &[jacobi], 1e-12);
    check_natural(&dynamics, &at, &mass);
    check_solve(&dynamics, &at, &mass, &forcing);
}

fn check_natural(dynamics: &Dynamics, at: &Point, mass: &[Vec<f64>]) {
    let Some(terms) = &dynamics.natural else {
        return;
    };
    let n = mass.len();
    let gradient_of_v = gradient(dynamics, terms.potential, at, |p, i, s| p.q[i] += s);
    let derived = evaluate(dynamics, &terms.potential_gradient, at);
    assert_close(&derived, &gradient_of_v, 1e-9);
    // dM/dq by finite differences, and C by Christoffel's formula from it.
    let slopes: Vec<Vec<Vec<f64>>> = (0..n)
        .map(|k| {
            let slope = rate(|s| {
                let mut moved = at.clone();
                moved.q[k] += s;
                evaluate(dynamics, &dynamics.mass_matrix, &moved)
            });
            full(&slope, n)
        })
        .collect();
    let mut coriolis = Vec::new();
    for i in 0..n {
        for j in 0..n {
            let symbols = (0..n).map(|k| slopes[k][i][j] + slopes[j][i][k] - slopes[i][j][k]);
            coriolis.push(symbols.zip(&at.v).map(|(s, v)| 0.5 * s * v).sum());
        }
    }
    assert_close(
        &evaluate(dynamics, &terms.coriolis_matrix, at),
        &coriolis,
        1e-9,
    );
}

fn check_solve(dynamics: &Dynamics, at: &Point, mass: &[Vec<f64>], forcing: &[f64]) {
    let code = dynamics.schedule_solve();
    let Some(factorization) = code.factorization else {
        return;
    };
    let mut solution = code.schedule.clone();
    solution.roots = factorization.solution;
    let a = solution.evaluate(&|symbol| at.value(symbol));
    let product: Vec<f64> = mass
        .iter()
        .map(|row| row.iter().zip(&a).map(|(m, a)| m * a).sum())
        .collect();
    assert_close(&product, forcing, 1e-10);
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
    let facts = derive(rheonomic()).facts;
    assert!(!facts.conserves_energy && !facts.constant_mass_matrix);
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
    let facts = derive(system.clone()).facts;
    assert_eq!(facts.cyclic, [false, true]);
    assert!(facts.conserves_energy && !facts.constant_mass_matrix);
    check(system);
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
        degeneracy(&derive(system(graph, names(2), energy)))
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
