//! The rejected constraints, and the facts that constraints determine.

use lagrange_engine::{
    Constraint, ConstraintDefect, ConstraintKind, Degeneracy, Dynamics, Energy, Graph, Names,
    NodeId, Number, Symbol, System, Unary, constraint_defects, degeneracy, integrable_constraints,
    rank,
};

type Residual = fn(&mut Graph) -> NodeId;

/// Coordinates x, y, z, of which only x has inertia.
fn constrained(constraints: &[(ConstraintKind, Residual)]) -> System {
    let mut graph = Graph::new();
    let (v, zero) = (graph.symbol(Symbol::Velocity(0)), graph.integer(0));
    let mut system = System {
        energy: Energy::Lagrangian(graph.powi(v, 2)),
        multibody: lagrange_engine::Multibody::default(),
        graph,
        names: Names {
            coordinates: ["x", "y", "z"].map(String::from).to_vec(),
            ..Names::default()
        },
        dissipation: zero,
        forces: vec![zero; 3],
        constraints: Vec::new(),
        outputs: Vec::new(),
        regressors: Vec::new(),
        sensitivities: Vec::new(),
        state_rates: Vec::new(),
        multiplier_forces: Vec::new(),
        symmetries: Vec::new(),
        contacts: Vec::new(),
        dry_joints: Vec::new(),
    };
    for (kind, residual) in constraints {
        let residual = residual(&mut system.graph);
        system.constraints.push(Constraint {
            name: format!("c{}", system.constraints.len()),
            kind: *kind,
            residual,
        });
    }
    system
}

fn coordinate(graph: &mut Graph, i: u32) -> NodeId {
    graph.symbol(Symbol::Coordinate(i))
}

/// y - x^2
fn parabola(graph: &mut Graph) -> NodeId {
    let (x, y) = (coordinate(graph, 0), coordinate(graph, 1));
    let square = graph.powi(x, 2);
    graph.sub(y, square)
}

/// y' - 2 x x'
fn rate_of_parabola(graph: &mut Graph) -> NodeId {
    let residual = parabola(graph);
    let direction = [0, 1].map(|i| {
        let rate = graph.symbol(Symbol::Velocity(i));
        (Symbol::Coordinate(i), rate)
    });
    graph.directional(&[residual], &direction)[0]
}

/// z - |x|
fn kink(graph: &mut Graph) -> NodeId {
    let (x, z) = (coordinate(graph, 0), coordinate(graph, 2));
    let size = graph.unary(Unary::Abs, x);
    graph.sub(z, size)
}

/// y + z - x
fn plane(graph: &mut Graph) -> NodeId {
    let [x, y, z] = [0, 1, 2].map(|i| coordinate(graph, i));
    let sum = graph.add(y, z);
    graph.sub(sum, x)
}

const HOLONOMIC: ConstraintKind = ConstraintKind::Holonomic;
const NONHOLONOMIC: ConstraintKind = ConstraintKind::Nonholonomic;

#[test]
fn constraints_determine_massless_coordinates() {
    let found = |constraints: &[(ConstraintKind, Residual)]| {
        degeneracy(&Dynamics::new(constrained(constraints)), false)
    };
    assert_eq!(found(&[]), Some(Degeneracy::Massless(vec![1, 2])));
    assert_eq!(
        found(&[(HOLONOMIC, parabola)]),
        Some(Degeneracy::Massless(vec![2]))
    );
    assert_eq!(
        found(&[(HOLONOMIC, plane)]),
        Some(Degeneracy::SingularSystem)
    );
    assert_eq!(found(&[(HOLONOMIC, parabola), (HOLONOMIC, kink)]), None);
    // As many constraints as coordinates.
    let all: [(_, Residual); 3] = [(HOLONOMIC, parabola), (HOLONOMIC, kink), (HOLONOMIC, plane)];
    assert_eq!(found(&all), None);
    assert_eq!(
        found(&[(HOLONOMIC, parabola), (HOLONOMIC, parabola)]),
        Some(Degeneracy::Massless(vec![2]))
    );
}

#[test]
fn the_later_of_two_dependent_constraints_is_refused() {
    let found =
        |constraints: &[(ConstraintKind, Residual)]| constraint_defects(&constrained(constraints));
    assert_eq!(
        found(&[(HOLONOMIC, parabola), (NONHOLONOMIC, rate_of_parabola)]),
        [None, Some(ConstraintDefect::Derivative(0))]
    );
    assert_eq!(
        found(&[
            (NONHOLONOMIC, rate_of_parabola),
            (HOLONOMIC, kink),
            (HOLONOMIC, parabola)
        ]),
        [None, None, Some(ConstraintDefect::Derivative(0))]
    );
    assert_eq!(
        found(&[
            (HOLONOMIC, parabola),
            (HOLONOMIC, plane),
            (HOLONOMIC, kink),
            (HOLONOMIC, |graph| coordinate(graph, 2)),
            (HOLONOMIC, plane),
        ]),
        [
            None,
            None,
            None,
            Some(ConstraintDefect::Surplus),
            Some(ConstraintDefect::Repeated(1))
        ]
    );
    // 3 parabola + 1, and a difference that depends on time.
    assert_eq!(
        found(&[
            (HOLONOMIC, parabola),
            (HOLONOMIC, |graph| {
                let (one, parabola) = (graph.integer(1), parabola(graph));
                let thrice = graph.scale(Number::integer(3), parabola);
                graph.add(thrice, one)
            }),
            (HOLONOMIC, |graph| {
                let (time, parabola) = (graph.symbol(Symbol::Time), parabola(graph));
                graph.add(time, parabola)
            }),
        ]),
        [
            None,
            Some(ConstraintDefect::Contradicts(0)),
            Some(ConstraintDefect::Dependent(vec![0]))
        ]
    );
    assert_eq!(
        found(&[
            (HOLONOMIC, |graph| graph.integer(0)),
            (HOLONOMIC, |graph| graph.integer(2)),
            (HOLONOMIC, |graph| graph.symbol(Symbol::Time)),
            (NONHOLONOMIC, |graph| coordinate(graph, 0)),
            // It holds where x = |x|, and so not everywhere.
            (HOLONOMIC, kink),
            (HOLONOMIC, |graph| {
                let (x, z) = (coordinate(graph, 0), coordinate(graph, 2));
                graph.sub(z, x)
            }),
        ]),
        [
            Some(ConstraintDefect::Trivial),
            Some(ConstraintDefect::Contradictory),
            Some(ConstraintDefect::Constant),
            Some(ConstraintDefect::WithoutVelocities),
            None,
            None
        ]
    );
}

#[test]
fn a_rate_of_a_function_is_integrable() {
    let system = constrained(&[(HOLONOMIC, kink), (NONHOLONOMIC, rate_of_parabola)]);
    assert_eq!(integrable_constraints(&system), [false, true]);
    // z' = y x'
    let system = constrained(&[(NONHOLONOMIC, |graph| {
        let [dx, dz] = [0, 2].map(|i| graph.symbol(Symbol::Velocity(i)));
        let y = coordinate(graph, 1);
        let along = graph.mul(y, dx);
        graph.sub(dz, along)
    })]);
    assert_eq!(integrable_constraints(&system), [false]);
}

/// A generator of Knuth's, for samples that are the same everywhere.
struct Sample(u64);

impl Sample {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

/// Three independent equations, as the rates that `nonholonomic` constraints state.
fn rates(graph: &mut Graph) -> Vec<NodeId> {
    let [x, y, z, w] = [0, 1, 2, 3].map(|i| coordinate(graph, i));
    let (square, product) = (graph.powi(x, 2), graph.mul(x, y));
    let sine = graph.unary(Unary::Sin, z);
    let residuals = [
        graph.add(square, y),
        graph.sub(z, product),
        graph.sub(w, sine),
    ];
    let direction: Vec<(Symbol, NodeId)> = (0..4)
        .map(|i| (Symbol::Coordinate(i), graph.symbol(Symbol::Velocity(i))))
        .collect();
    residuals
        .map(|residual| graph.directional(&[residual], &direction)[0])
        .to_vec()
}

/// Rows that are combinations of the rates.
fn redundant(sample: &mut Sample) -> System {
    let mut system = constrained(&[]);
    system.names.coordinates.push("w".to_owned());
    system.forces.push(system.dissipation);
    let rates = rates(&mut system.graph);
    for statement in 0..2 + sample.below(3) {
        let size = 1 + sample.below(3);
        for row in 0..size {
            let graph = &mut system.graph;
            let terms = rates.iter().map(|rate| {
                let number = sample.below(5) as i64 - 2;
                let by = coordinate(graph, sample.below(4) as u32);
                let scaled = graph.scale(Number::integer(number), *rate);
                match sample.below(3) {
                    0 => graph.mul(by, scaled),
                    _ => scaled,
                }
            });
            let terms: Vec<NodeId> = terms.collect();
            let residual = graph.total(terms);
            system.constraints.push(Constraint {
                name: format!("c{statement}[{row}]"),
                kind: ConstraintKind::Nonholonomic,
                residual,
            });
        }
    }
    system
}

/// The rank of J.
fn rank_of(system: &System) -> usize {
    let mut graph = system.graph.clone();
    let velocities: Vec<Symbol> = (0..4).map(Symbol::Velocity).collect();
    let rows = system.constraints.iter();
    let rows: Vec<Vec<NodeId>> = rows
        .map(|row| graph.gradient(row.residual, &velocities))
        .collect();
    rank(&graph, &rows).rank
}

/// Removal of one row of each reported relation, the reported one or another one, leaves independent rows with the same
/// restriction.
#[test]
fn what_is_left_out_adds_nothing() {
    let mut sample = Sample(1);
    let mut others = 0;
    for number in 0..300 {
        let mut system = redundant(&mut sample);
        let wanted = rank_of(&system);
        for _ in 0..20 {
            let defects = constraint_defects(&system);
            let mut rows = defects.iter().enumerate();
            let first = rows.find_map(|(row, defect)| Some((row, defect.as_ref()?)));
            let Some((row, defect)) = first else {
                break;
            };
            let out = match defect {
                ConstraintDefect::Dependent(on) if number % 2 == 0 => on[number % on.len()],
                _ => row,
            };
            others += usize::from(out != row);
            system.constraints.remove(out);
        }
        let defects = constraint_defects(&system);
        assert!(defects.iter().all(Option::is_none), "{number}: {defects:?}");
        assert_eq!(rank_of(&system), wanted, "{number}");
        assert_eq!(system.constraints.len(), wanted, "{number}");
    }
    assert!(others > 50, "{others}");
}
