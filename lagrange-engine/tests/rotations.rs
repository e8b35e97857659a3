//! Coordinates that are rotations: quasi-velocities, against Euler's equations and by differences
//! along the motion.

use crate::numeric::{assert_close, rate};
use lagrange_engine::{
    Constraint, ConstraintKind, Dynamics, Energy, Graph, Kinematics, Multibody, Names, NodeId,
    Number, Quantity, Symbol, System,
};

/// A state of a system, with rotations of unit length.
#[derive(Clone)]
struct Point {
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
}

impl Point {
    fn of(dynamics: &Dynamics, phase: f64) -> Self {
        let sizes = dynamics.sizes();
        let wave = |n: usize, by: f64| (0..n).map(|i| (1.7 * i as f64 + by).sin()).collect();
        let mut point = Self {
            q: wave(sizes.coordinates, phase),
            v: wave(sizes.velocities, phase + 0.8),
            a: wave(sizes.velocities, phase + 2.1),
        };
        point.normalise(dynamics.kinematics());
        point
    }

    fn normalise(&mut self, kinematics: &Kinematics) {
        for rotation in kinematics.rotations() {
            let own = &mut self.q[rotation.coordinate..rotation.coordinate + 4];
            let length = own.iter().map(|x| x * x).sum::<f64>().sqrt();
            own.iter_mut().for_each(|x| *x /= length);
        }
    }

    fn value(&self, symbol: Symbol) -> f64 {
        match symbol {
            Symbol::Coordinate(i) => self.q[i as usize],
            Symbol::Velocity(i) => self.v[i as usize],
            Symbol::Acceleration(i) => self.a[i as usize],
            Symbol::Parameter(i) => [1.5, 0.4, 0.9, 1.3, 9.81, 0.2][i as usize],
            Symbol::State(_)
            | Symbol::StateRate(_)
            | Symbol::Input(_)
            | Symbol::Time
            | Symbol::Multiplier(_)
            | Symbol::Weight(_) => 0.0,
            Symbol::Momentum(i) => 0.2 - 0.3 * f64::from(i),
        }
    }

    /// The state after a displacement along the velocities `d`: the midpoint rule, in small steps.
    fn moved(&self, dynamics: &Dynamics, d: &[f64]) -> Self {
        let rates = dynamics.expressions(Quantity::CoordinateRates);
        let rate = |q: &[f64]| {
            let at = Point {
                q: q.to_vec(),
                v: d.to_vec(),
                a: self.a.clone(),
            };
            dynamics
                .graph()
                .evaluate(&rates, &|symbol| at.value(symbol))
        };
        let ahead = |q: &[f64], dq: &[f64], s: f64| -> Vec<f64> {
            q.iter().zip(dq).map(|(q, dq)| q + s * dq).collect()
        };
        let mut q = self.q.clone();
        let steps = 8;
        for _ in 0..steps {
            let s = 1.0 / f64::from(steps);
            let middle = ahead(&q, &rate(&q), s / 2.0);
            q = ahead(&q, &rate(&middle), s);
        }
        Self { q, ..self.clone() }
    }

    /// The state a time `s` later, at the accelerations a.
    fn later(&self, dynamics: &Dynamics, s: f64) -> Self {
        let mean: Vec<f64> = self
            .v
            .iter()
            .zip(&self.a)
            .map(|(v, a)| s * (v + s * a / 2.0))
            .collect();
        let mut later = self.moved(dynamics, &mean);
        later.v = self.v.iter().zip(&self.a).map(|(v, a)| v + s * a).collect();
        later
    }
}

fn values(dynamics: &Dynamics, quantity: Quantity, at: &Point) -> Vec<f64> {
    let entries = dynamics.expressions(quantity);
    let interpreted = dynamics
        .graph()
        .evaluate(&entries, &|symbol| at.value(symbol));
    for program in dynamics.programs(&[quantity]) {
        let scheduled = program.schedule.evaluate(&|symbol| at.value(symbol));
        assert_close(&scheduled, &interpreted, 1e-12);
    }
    interpreted
}

fn cross(a: &[f64], b: &[f64]) -> Vec<f64> {
    (0..3)
        .map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            a[j] * b[k] - a[k] * b[j]
        })
        .collect()
}

/// Three coordinates of a place and a rotation.
fn names() -> Names {
    let coordinates = ["x", "y", "z", "att.x", "att.y", "att.z", "att.w"];
    let parameters = ["m", "ix", "iy", "iz", "g", "c"];
    Names {
        coordinates: coordinates.map(String::from).to_vec(),
        rotations: vec![3],
        parameters: parameters.map(String::from).to_vec(),
        ..Names::default()
    }
}

fn half_sum(graph: &mut Graph, terms: &[(NodeId, NodeId)]) -> NodeId {
    let terms = terms.iter().map(|(factor, x)| {
        let square = graph.powi(*x, 2);
        (Number::HALF, graph.mul(*factor, square))
    });
    let terms = terms.collect();
    graph.sum(Number::ZERO, terms)
}

/// A body with its centre of mass at `c` along its own x axis, in uniform gravity.
fn body(off_centre: bool) -> System {
    let mut graph = Graph::new();
    let names = names();
    let kinematics = names.kinematics();
    let [m, ix, iy, iz, g, c] = [0, 1, 2, 3, 4, 5].map(|i| graph.symbol(Symbol::Parameter(i)));
    let v: [NodeId; 6] = std::array::from_fn(|i| graph.symbol(Symbol::Velocity(i as u32)));
    let rotation = kinematics.rotations().next().unwrap();
    let matrix = Kinematics::rotation_matrix(&mut graph, rotation);
    let direction = kinematics.along_the_motion(&mut graph);
    let place: [NodeId; 3] = std::array::from_fn(|i| {
        let own = graph.symbol(Symbol::Coordinate(i as u32));
        if !off_centre {
            return own;
        }
        let way = graph.mul(matrix[i][0], c);
        graph.add(own, way)
    });
    let velocity = graph.directional(&place, &direction);
    let translation = half_sum(
        &mut graph,
        &velocity.iter().map(|x| (m, *x)).collect::<Vec<_>>(),
    );
    let turning = half_sum(&mut graph, &[(ix, v[3]), (iy, v[4]), (iz, v[5])]);
    let kinetic = graph.add(translation, turning);
    let potential = graph.product(vec![(m, 1), (g, 1), (place[2], 1)]);
    let zero = graph.integer(0);
    System {
        graph,
        names,
        energy: Energy::Natural { kinetic, potential },
        multibody: Multibody::default(),
        dissipation: zero,
        forces: vec![zero; 6],
        constraints: Vec::new(),
        outputs: Vec::new(),
        regressors: Vec::new(),
        sensitivities: Vec::new(),
        state_rates: Vec::new(),
        multiplier_forces: Vec::new(),
        symmetries: Vec::new(),
        contacts: Vec::new(),
        dry_joints: Vec::new(),
    }
}

/// M a + h against the rate of the momenta along the motion, and against differences of L.
fn check(system: System) {
    let dynamics = Dynamics::new(system);
    let n = dynamics.sizes().velocities;
    for phase in [0.3, 1.9, 4.4] {
        let at = Point::of(&dynamics, phase);
        let eval = |quantity| values(&dynamics, quantity, &at);
        let p = eval(Quantity::Momenta);
        let p_rate = rate(|s| values(&dynamics, Quantity::Momenta, &at.later(&dynamics, s)));
        let in_q: Vec<f64> = (0..n)
            .map(|j| {
                rate(|s| {
                    let mut d = vec![0.0; n];
                    d[j] = s;
                    values(&dynamics, Quantity::Lagrangian, &at.moved(&dynamics, &d))
                })[0]
            })
            .collect();
        let mut expected: Vec<f64> = (0..n).map(|j| p_rate[j] - in_q[j]).collect();
        for rotation in dynamics.kinematics().rotations() {
            let own = rotation.velocity..rotation.velocity + 3;
            for (at, turned) in own.clone().zip(cross(&at.v[own.clone()], &p[own])) {
                expected[at] += turned;
            }
        }
        assert_close(&eval(Quantity::InverseDynamics), &expected, 1e-7);
        let (mass, bias) = (eval(Quantity::MassMatrix), eval(Quantity::Bias));
        let product = |matrix: &[f64], x: &[f64]| -> Vec<f64> {
            let rows = matrix.chunks(n);
            rows.map(|row| row.iter().zip(x).map(|(m, x)| m * x).sum())
                .collect()
        };
        let again: Vec<f64> = product(&mass, &at.a)
            .iter()
            .zip(&bias)
            .map(|(a, b)| a + b)
            .collect();
        assert_close(&again, &eval(Quantity::InverseDynamics), 1e-12);
        // dL/dq - w x p is the difference between the bias and the rate of the momenta at a = 0.
        let given = |symbol: Symbol| match symbol {
            Symbol::Momentum(i) => p[i as usize],
            other => at.value(other),
        };
        let still = Point {
            a: vec![0.0; n],
            ..at.clone()
        };
        let convective = rate(|s| values(&dynamics, Quantity::Momenta, &still.later(&dynamics, s)));
        let expected: Vec<f64> = convective.iter().zip(&bias).map(|(c, h)| c - h).collect();
        for program in dynamics.programs(&[Quantity::MomentumRate]) {
            assert_close(&program.schedule.evaluate(&given), &expected, 1e-7);
        }
        // C v + dV/dq = h, and dM/dt - 2 C is skew.
        let coriolis = eval(Quantity::CoriolisMatrix);
        let slope = eval(Quantity::PotentialGradient);
        let by_matrix: Vec<f64> = product(&coriolis, &at.v)
            .iter()
            .zip(&slope)
            .map(|(a, b)| a + b)
            .collect();
        assert_close(&by_matrix, &bias, 1e-12);
        let mass_rate = rate(|s| values(&dynamics, Quantity::MassMatrix, &at.later(&dynamics, s)));
        let skew = |i: usize, j: usize| mass_rate[i * n + j] - 2.0 * coriolis[i * n + j];
        for i in 0..n {
            for j in 0..=i {
                assert!((skew(i, j) + skew(j, i)).abs() < 1e-8, "{i} {j}");
            }
        }
    }
}

#[test]
fn a_free_body_obeys_euler() {
    let dynamics = Dynamics::new(body(false));
    let at = Point::of(&dynamics, 0.7);
    let w = &at.v[3..6];
    let inertia = [0.4, 0.9, 1.3];
    let momentum: Vec<f64> = w.iter().zip(inertia).map(|(w, i)| w * i).collect();
    let bias = values(&dynamics, Quantity::Bias, &at);
    assert_close(&bias[..3], &[0.0, 0.0, 1.5 * 9.81], 1e-14);
    assert_close(&bias[3..], &cross(w, &momentum), 1e-14);
    // The quaternion is in no term.
    let program = dynamics.program(&[Quantity::MassMatrix, Quantity::Bias]);
    assert_eq!(program.operations().total(), 10);
    let facts = dynamics.facts();
    assert_eq!(facts.cyclic, [true, true, false, true, true, true]);
    assert_eq!(
        facts.conserved_momenta,
        [true, true, false, false, false, false]
    );
    assert!(facts.conserves_energy && facts.constant_mass_matrix);
    check(body(false));
}

#[test]
fn a_body_off_its_centre_of_mass() {
    check(body(true));
    let dynamics = Dynamics::new(body(true));
    // Turning about the vertical is no single direction of v.
    assert_eq!(dynamics.facts().cyclic[..2], [true; 2]);
    assert_eq!(
        dynamics.facts().cyclic[2..],
        [false, false, false, false][..]
    );
}

/// A point of the body stays on a plane: J is the derivative of the rate by v, and gamma ends the
/// second derivative.
#[test]
fn constraints_along_the_directions_of_the_velocities() {
    let mut held = body(true);
    let kinematics = held.names.kinematics();
    let rotation = kinematics.rotations().next().unwrap();
    let graph = &mut held.graph;
    let matrix = Kinematics::rotation_matrix(graph, rotation);
    let z = graph.symbol(Symbol::Coordinate(2));
    let residual = graph.total([z, matrix[2][0], matrix[2][1]]);
    held.constraints = vec![Constraint {
        name: "touch".into(),
        kind: ConstraintKind::Holonomic,
        residual,
    }];
    let dynamics = Dynamics::new(held);
    let at = Point::of(&dynamics, 1.1);
    let level = rate(|s| {
        values(
            &dynamics,
            Quantity::ConstraintResidual,
            &at.later(&dynamics, s),
        )
    });
    let velocity = values(&dynamics, Quantity::ConstraintVelocity, &at);
    assert_close(&level, &velocity, 1e-8);
    let jacobian = values(&dynamics, Quantity::ConstraintJacobian, &at);
    let dot = |x: &[f64]| jacobian.iter().zip(x).map(|(j, x)| j * x).sum::<f64>();
    assert_close(&[dot(&at.v)], &velocity, 1e-14);
    let second = rate(|s| {
        values(
            &dynamics,
            Quantity::ConstraintVelocity,
            &at.later(&dynamics, s),
        )
    });
    let gamma = values(&dynamics, Quantity::ConstraintGamma, &at);
    assert_close(&[dot(&at.a) - gamma[0]], &second, 1e-7);
}

/// A system of one rotation with these rows.
fn with_rows(rows: impl FnOnce(&mut Graph) -> Vec<(ConstraintKind, NodeId)>) -> System {
    let mut graph = Graph::new();
    let zero = graph.integer(0);
    let constraints = rows(&mut graph).into_iter();
    let constraints = constraints.map(|(kind, residual)| Constraint {
        name: "row".into(),
        kind,
        residual,
    });
    System {
        constraints: constraints.collect(),
        graph,
        names: Names {
            coordinates: ["att.x", "att.y", "att.z", "att.w"]
                .map(str::to_owned)
                .into(),
            rotations: vec![0],
            ..Names::default()
        },
        energy: Energy::Lagrangian(zero),
        multibody: Multibody::default(),
        dissipation: zero,
        forces: vec![zero; 3],
        outputs: vec![],
        regressors: Vec::new(),
        sensitivities: Vec::new(),
        state_rates: Vec::new(),
        multiplier_forces: Vec::new(),
        symmetries: Vec::new(),
        contacts: Vec::new(),
        dry_joints: Vec::new(),
    }
}

/// Rates of a rotation are no derivatives of coordinates; those of its matrix's entries are.
#[test]
fn what_is_integrable_along_a_rotation() {
    let kinematics = Kinematics::new(4, &[0]);
    let rotation = kinematics.rotations().next().unwrap();
    let system = with_rows(|graph| {
        let rate = graph.symbol(Symbol::Velocity(0));
        let tilt = Kinematics::rotation_matrix(graph, rotation)[2][2];
        let along = kinematics.along_the_motion(graph);
        let tilting = graph.directional(&[tilt], &along)[0];
        let scaled = graph.mul(tilting, tilt);
        [rate, tilting, scaled]
            .map(|row| (ConstraintKind::Nonholonomic, row))
            .to_vec()
    });
    let found = lagrange_engine::integrable_constraints(&system);
    assert_eq!(found, [false, true, true]);
}

/// An axis is held by two rows: the third depends on them, and its length is no row at all.
#[test]
fn rows_are_judged_along_the_directions_of_a_rotation() {
    let kinematics = Kinematics::new(4, &[0]);
    let rotation = kinematics.rotations().next().unwrap();
    let system = with_rows(|graph| {
        let matrix = Kinematics::rotation_matrix(graph, rotation);
        let column = matrix.map(|row| row[0]);
        let squares = column.map(|entry| (Number::ONE, graph.powi(entry, 2)));
        let length = graph.sum(-Number::ONE, squares.to_vec());
        let along = kinematics.along_the_motion(graph);
        let rate = graph.directional(&[column[0]], &along)[0];
        let mut rows: Vec<_> = [&column[..], &[length]].concat();
        let holonomic = rows.drain(..).map(|row| (ConstraintKind::Holonomic, row));
        let mut rows: Vec<_> = holonomic.collect();
        rows.push((ConstraintKind::Nonholonomic, rate));
        rows
    });
    use lagrange_engine::ConstraintDefect::{Dependent, Derivative, Trivial};
    let expected = [
        None,
        None,
        Some(Dependent(vec![0, 1])),
        Some(Trivial),
        Some(Derivative(0)),
    ];
    assert_eq!(lagrange_engine::constraint_defects(&system), expected);
}
