//! Long and deep expressions through the whole pipeline, on a small stack and in linear size.
//!
//! Structures that a loop of the language can make deep: products and sums of many operands, compositions of every
//! function, nested `if`s, unrolled iterations, towers of powers.

use crate::cases::cases;
use crate::common::{names, system};
use lagrange_engine::{
    Answer, Binary, Comparison, Dynamics, Energy, Graph, NodeId, Number, Program, Quantity, Symbol,
    System, Unary, constraint_defects, degeneracy, is_identically_zero, plain_names,
    velocity_degree,
};
use proptest::prelude::*;

/// Half a megabyte: less than any thread has by default, for a build without optimisation.
const STACK: usize = 512 << 10;

fn on_a_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
    match thread.unwrap().join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// One step of an iteration `a -> f(a, y)` over the loop variable `i`.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// c (y + i)
    Product,
    /// c (y + i x), as a product of two symbols in each factor
    ProductOfBoth,
    /// All factors in one product.
    WideProduct,
    /// s + i sin(y + i)
    Sum,
    /// All terms in one sum.
    WideSum,
    /// f(a)
    Unary(Unary),
    /// f(a / 2 + y)
    ShiftedUnary(Unary),
    /// f(a, y)
    Binary(Binary),
    /// f(y, a)
    BinaryFromTheRight(Binary),
    /// if y > i { a } else { a + y }
    If,
    /// a - (a^2 - y) / (2 a)
    Newton,
    /// y a (1 - a)
    Logistic,
    /// sin(a) + a y
    SinePlusProduct,
    /// sin(a) + y
    SinePlus,
    /// y^a
    Tower,
    /// a^2 + y
    Squares,
    /// (y^2 + 1) - a
    Alternating,
}

fn shapes() -> Vec<Shape> {
    let mut all = vec![
        Shape::Product,
        Shape::ProductOfBoth,
        Shape::WideProduct,
        Shape::Sum,
        Shape::WideSum,
        Shape::If,
        Shape::Newton,
        Shape::Logistic,
        Shape::SinePlusProduct,
        Shape::SinePlus,
        Shape::Tower,
        Shape::Squares,
        Shape::Alternating,
    ];
    all.extend(Unary::ALL.map(Shape::Unary));
    all.extend(Unary::ALL.map(Shape::ShiftedUnary));
    all.extend(Binary::ALL.map(Shape::Binary));
    all.extend(Binary::ALL.map(Shape::BinaryFromTheRight));
    all
}

/// The iteration after so many steps, from `y`.
fn build(graph: &mut Graph, shape: Shape, steps: u32, [x, y]: [NodeId; 2]) -> NodeId {
    match shape {
        Shape::WideProduct => {
            let factors = (0..steps).map(|i| (shifted(graph, y, i), 1)).collect();
            return graph.product(factors);
        }
        Shape::WideSum => {
            let terms: Vec<NodeId> = (0..steps)
                .map(|i| {
                    let inside = shifted(graph, y, i);
                    graph.unary(Unary::Sin, inside)
                })
                .collect();
            return graph.total(terms);
        }
        _ => {}
    }
    (0..steps).fold(y, |a, i| step(graph, shape, i, a, [x, y]))
}

/// y / 1000 + (1 + i / 10000), which keeps long products moderate.
fn shifted(graph: &mut Graph, y: NodeId, i: u32) -> NodeId {
    let constant = Number::rational(10_000 + i64::from(i), 10_000).unwrap();
    let slope = Number::rational(1, 1000).unwrap();
    graph.sum(constant, vec![(slope, y)])
}

fn step(graph: &mut Graph, shape: Shape, i: u32, a: NodeId, [x, y]: [NodeId; 2]) -> NodeId {
    let one = graph.integer(1);
    match shape {
        Shape::Product | Shape::WideProduct => {
            let factor = shifted(graph, y, i);
            graph.mul(a, factor)
        }
        Shape::ProductOfBoth => {
            let scaled = graph.scale(Number::rational(1, 5000 + i64::from(i)).unwrap(), x);
            let factor = shifted(graph, y, i);
            let factor = graph.add(factor, scaled);
            graph.mul(a, factor)
        }
        Shape::Sum | Shape::WideSum => {
            let inside = shifted(graph, y, i);
            let sine = graph.unary(Unary::Sin, inside);
            graph.sum(
                Number::ZERO,
                vec![(Number::ONE, a), (Number::integer(i64::from(i)), sine)],
            )
        }
        Shape::Unary(function) => graph.unary(function, a),
        Shape::ShiftedUnary(function) => {
            let inside = graph.sum(Number::ZERO, vec![(Number::HALF, a), (Number::ONE, y)]);
            graph.unary(function, inside)
        }
        Shape::Binary(function) => graph.binary(function, a, y),
        Shape::BinaryFromTheRight(function) => graph.binary(function, y, a),
        Shape::If => {
            let bound = graph.integer(i64::from(i));
            let longer = graph.add(a, y);
            graph.select(Comparison::Less, bound, y, a, longer)
        }
        Shape::Newton => {
            let square = graph.powi(a, 2);
            let off = graph.sub(square, y);
            let slope = graph.scale(Number::integer(2), a);
            let correction = graph.div(off, slope);
            graph.sub(a, correction)
        }
        Shape::Logistic => {
            let rest = graph.sub(one, a);
            graph.product(vec![(y, 1), (a, 1), (rest, 1)])
        }
        Shape::SinePlusProduct => {
            let (sine, product) = (graph.unary(Unary::Sin, a), graph.mul(a, y));
            graph.add(sine, product)
        }
        Shape::SinePlus => {
            let sine = graph.unary(Unary::Sin, a);
            graph.add(sine, y)
        }
        Shape::Tower => graph.binary(Binary::Pow, y, a),
        Shape::Squares => {
            let square = graph.powi(a, 2);
            graph.add(square, y)
        }
        Shape::Alternating => {
            let square = graph.powi(y, 2);
            let first = graph.sum(Number::ONE, vec![(Number::ONE, square)]);
            graph.sub(first, a)
        }
    }
}

/// T = (1 + a^2) x'^2 / 2 + y'^2 / 2, V = a, where a is the iteration.
fn with_energies(shape: Shape, steps: u32) -> System {
    let mut graph = Graph::new();
    let [x, y] = [0, 1].map(|i| graph.symbol(Symbol::Coordinate(i)));
    let [dx, dy] = [0, 1].map(|i| graph.symbol(Symbol::Velocity(i)));
    let iteration = build(&mut graph, shape, steps, [x, y]);
    let square = graph.powi(iteration, 2);
    let mass = graph.sum(Number::ONE, vec![(Number::ONE, square)]);
    let (of_x, of_y) = (graph.product(vec![(mass, 1), (dx, 2)]), graph.powi(dy, 2));
    let terms = vec![(Number::HALF, of_x), (Number::HALF, of_y)];
    let kinetic = graph.sum(Number::ZERO, terms);
    let energy = Energy::Natural {
        kinetic,
        potential: iteration,
    };
    system(graph, names(2), energy)
}

/// Symbols at a point where most functions are defined.
fn value(symbol: Symbol) -> f64 {
    match symbol {
        Symbol::Coordinate(i) => 0.4 + 0.3 * f64::from(i),
        Symbol::Velocity(i) => 0.5 - 0.2 * f64::from(i),
        Symbol::Acceleration(i) => 0.3 + f64::from(i),
        _ => 0.9,
    }
}

/// Derives, schedules and prints; the code computes the values of the graph.
fn check(shape: Shape, steps: u32) {
    let given = with_energies(shape, steps);
    let Energy::Natural { kinetic, potential } = given.energy else {
        unreachable!("made above");
    };
    let energies = given.graph.evaluate(&[kinetic, potential], &value);
    assert_eq!(velocity_degree(&given.graph, kinetic), Some(2), "{shape:?}");
    assert!(constraint_defects(&given).is_empty());
    let printed = given.to_string();
    let again: System = printed.parse().unwrap();
    assert!(again.to_string() == printed, "{shape:?}");
    let dynamics = Dynamics::new(given);
    let simplified = [Quantity::KineticEnergy, Quantity::PotentialEnergy]
        .map(|quantity| dynamics.expressions(quantity)[0]);
    let simplified = dynamics.graph().evaluate(&simplified, &value);
    for (simplified, given) in simplified.iter().zip(energies) {
        assert_close(*simplified, given, 1.0, &format!("{shape:?} simplified"));
    }
    judge(&dynamics, shape);
    write(&dynamics);
}

fn judge(dynamics: &Dynamics, shape: Shape) {
    assert_eq!(degeneracy(dynamics, false), None, "{shape:?}");
    for program in programs(dynamics) {
        let (code, roots, graph) = (program.schedule, program.expressions, program.graph);
        let (of_code, of_graph) = (code.evaluate(&value), graph.evaluate(&roots, &value));
        let scales = graph.evaluate_complex(&roots, &|symbol| {
            lagrange_engine::Complex::real(value(symbol))
        });
        for ((of_code, of_graph), probe) in of_code.iter().zip(of_graph).zip(scales) {
            let scale = if probe.is_known() {
                probe.scale
            } else {
                f64::INFINITY
            };
            assert_close(*of_code, of_graph, scale, &format!("{shape:?} scheduled"));
        }
        assert_eq!(is_identically_zero(&graph, &roots).len(), roots.len());
    }
    let mass_matrix = dynamics.expressions(Quantity::MassMatrix);
    let zero = is_identically_zero(&dynamics.graph(), &mass_matrix);
    assert_ne!(zero[0], Answer::Yes, "{shape:?}");
}

fn programs(dynamics: &Dynamics) -> [Program; 3] {
    [
        dynamics.program(&[Quantity::MassMatrix, Quantity::Forcing]),
        dynamics.program(&[Quantity::InverseDynamics]),
        dynamics.program(&[Quantity::CoriolisMatrix]),
    ]
}

fn write(dynamics: &Dynamics) {
    let forcing = dynamics.expressions(Quantity::Forcing);
    let graph = dynamics.graph();
    for root in &forcing {
        assert!(!graph.text(*root, &plain_names).is_empty());
        assert!(!graph.latex(*root, &plain_names).is_empty());
    }
    let labelled: Vec<(&str, NodeId)> = forcing.iter().map(|f| ("f", *f)).collect();
    assert!(graph.text_of_all(&labelled, &plain_names, 2000).len() <= 17_000);
}

/// Equal to rounding of numbers of this size; both may be not finite.
fn assert_close(found: f64, expected: f64, scale: f64, what: &str) {
    if !expected.is_finite() || expected.abs() > 1e100 || !scale.is_finite() {
        return;
    }
    let most = 1e-7 * (scale + expected.abs() + 1e-300);
    let off = (found - expected).abs();
    assert!(off <= most, "{what}: {found} instead of {expected}");
}

#[test]
fn short_iterations_come_through() {
    for shape in shapes() {
        on_a_small_stack(move || {
            for steps in [2, 5] {
                check(shape, steps);
            }
        });
    }
}

#[test]
fn long_iterations_come_through() {
    for shape in shapes() {
        on_a_small_stack(move || check(shape, 64));
    }
}

#[test]
fn roots_and_sizes_of_one_another_are_squared_without_recursion() {
    for function in [Unary::Abs, Unary::Sqrt] {
        on_a_small_stack(move || {
            let mut graph = Graph::new();
            let x = graph.symbol(Symbol::Coordinate(0));
            let mut nested = x;
            for i in 0..10_000 {
                let shifted = graph.sum(Number::ONE, vec![(Number::HALF, nested)]);
                let inside = if i % 3 == 0 { shifted } else { nested };
                nested = graph.unary(function, inside);
            }
            let square = graph.powi(nested, 2);
            let fourth = graph.powi(square, 2);
            let both = graph.evaluate(&[square, fourth], &|_| 0.5);
            assert!(
                both[0].is_nan() || (both[0] * both[0] - both[1]).abs() <= 1e-9 * both[1].abs()
            );
        });
    }
}

/// Nodes and instructions of the whole pipeline.
#[cfg(target_pointer_width = "64")]
fn size_of(shape: Shape, steps: u32) -> usize {
    let dynamics = Dynamics::new(with_energies(shape, steps));
    let code = programs(&dynamics).map(|program| program.schedule.instructions.len());
    let nodes = dynamics.graph().len();
    nodes + code.iter().sum::<usize>()
}

/// Counts do not depend on how wide addresses are, and these take long.
#[cfg(target_pointer_width = "64")]
#[test]
fn sizes_are_linear() {
    for shape in shapes() {
        on_a_small_stack(move || {
            // Beyond the length of a product, where a derivative is quadratic, and whole products.
            let [short, long] = [64, 128].map(|steps| size_of(shape, steps));
            assert!(
                2 * long < 5 * short + 2000,
                "{shape:?}: {short}, then {long}"
            );
        });
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn mixed_iterations_come_through(
        parts in prop::collection::vec((prop::sample::select(shapes()), 1..20_u32), 1..3),
    ) {
        on_a_small_stack(move || {
            let mut graph = Graph::new();
            let [x, y] = [0, 1].map(|i| graph.symbol(Symbol::Coordinate(i)));
            let [dx, dy] = [0, 1].map(|i| graph.symbol(Symbol::Velocity(i)));
            let mut value_so_far = y;
            for (shape, steps) in &parts {
                value_so_far = build(&mut graph, *shape, *steps, [x, value_so_far]);
            }
            let squares = [graph.powi(dx, 2), graph.powi(dy, 2)];
            let kinetic = graph.sum(
                Number::ZERO,
                squares.iter().map(|square| (Number::HALF, *square)).collect(),
            );
            let energy = Energy::Natural { kinetic, potential: value_so_far };
            let given = graph.evaluate(&[value_so_far], &value)[0];
            let dynamics = Dynamics::new(system(graph, names(2), energy));
            let simplified = dynamics.expressions(Quantity::PotentialEnergy);
            let simplified = dynamics.graph().evaluate(&simplified, &value)[0];
            assert_close(simplified, given, 1.0, &format!("{parts:?} simplified"));
            judge(&dynamics, parts[0].0);
            write(&dynamics);
        });
    }
}

#[test]
fn the_seeds_of_the_fuzz_target_come_through() {
    let seeds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    for seed in std::fs::read_dir(seeds).unwrap() {
        let path = seed.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let system: System = text.parse().unwrap();
        on_a_small_stack(move || {
            let dynamics = Dynamics::new(system);
            let program = dynamics.program(&[Quantity::Forcing]);
            let found = program.schedule.evaluate(&value);
            assert_eq!(found.len(), dynamics.sizes().velocities);
        });
    }
}
