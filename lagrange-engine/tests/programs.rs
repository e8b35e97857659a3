//! The choices of programs: the products to multiply out, the form of sums, the reuse of known parts.

use crate::cases::sample;
use crate::common;
use crate::maps::{self, Mass};
use crate::schedules::lines;
use crate::trees::{self, Attitudes};
use lagrange_engine::{
    Dynamics, Energy, Factorization, Graph, Instruction, NodeId, Number, Output, Program, Quantity,
    Shape, SolveProgram, Symbol, System, Unary,
};

const COORDINATES: usize = 54;

/// Outputs, a vector each, of these many coordinates.
fn outputs(build: impl Fn(&mut Graph, [NodeId; COORDINATES]) -> Vec<Vec<NodeId>>) -> Dynamics {
    let mut graph = Graph::new();
    let symbols = std::array::from_fn(|i| graph.symbol(Symbol::Coordinate(i as u32)));
    let outputs = build(&mut graph, symbols);
    let energy = Energy::Lagrangian(graph.integer(0));
    let mut system = common::system(graph, common::names(COORDINATES), energy);
    let outputs = outputs
        .into_iter()
        .zip(0..)
        .map(|(entries, number)| Output {
            name: format!("output{number}"),
            shape: Shape::Vector(entries.len()),
            entries,
        });
    system.outputs = outputs.collect();
    Dynamics::new(system)
}

/// 1.5, 2.5, .. for the coordinates: sums of few products are exact.
fn value(symbol: Symbol) -> f64 {
    match symbol {
        Symbol::Coordinate(i) => 1.5 + f64::from(i),
        _ => 0.0,
    }
}

/// The program of the first output, which has its values.
fn program(build: impl Fn(&mut Graph, [NodeId; COORDINATES]) -> Vec<NodeId>) -> Program {
    let dynamics = outputs(|graph, q| vec![build(graph, q)]);
    let program = dynamics.program(&[Quantity::Output(0)]);
    let mut graph = Graph::new();
    let symbols = std::array::from_fn(|i| graph.symbol(Symbol::Coordinate(i as u32)));
    let roots = build(&mut graph, symbols);
    let expected = graph.evaluate(&roots, &value);
    assert_eq!(program.schedule.evaluate(&value), expected);
    program
}

/// Six of the coordinates.
fn six(q: [NodeId; COORDINATES], group: usize) -> [NodeId; 6] {
    std::array::from_fn(|i| q[6 * group + i])
}

/// `l (a x + b y) + c` and `l b y + d`; the parts of the first one: `a x + b y`, and that times l.
struct KnownInPart {
    sums: [NodeId; 2],
    parts: [NodeId; 2],
}

impl KnownInPart {
    fn new(graph: &mut Graph, [l, a, b, x, y, c]: [NodeId; 6], d: NodeId) -> Self {
        let inner = graph.dot(&[a, b], &[x, y]);
        let outer = graph.mul(l, inner);
        let known = graph.product(vec![(l, 1), (b, 1), (y, 1)]);
        Self {
            sums: [graph.add(outer, c), graph.add(known, d)],
            parts: [inner, outer],
        }
    }
}

#[test]
fn a_factor_is_multiplied_in_where_the_product_is_there() {
    let count = |d: usize| {
        let short = program(|graph, q| KnownInPart::new(graph, six(q, 0), q[d]).sums.to_vec());
        short.operations().to_string()
    };
    // l b y + c is the half of both.
    assert_eq!(count(5), "2 add, 4 mul");
    assert_eq!(count(6), "3 add, 4 mul");
}

/// Products that should be multiplied out behind others that should not: all of these together make the code longer,
/// and so does each of the first ones, which are all that are tried.
#[test]
fn what_is_used_elsewhere_stays() {
    let count = |others: fn(&KnownInPart) -> Vec<NodeId>| {
        let short = program(|graph, q| {
            let stay = (0..8).map(|group| {
                let six = six(q, group);
                KnownInPart::new(graph, six, six[3])
            });
            let stay: Vec<KnownInPart> = stay.collect();
            let mut roots: Vec<NodeId> = stay.iter().flat_map(others).collect();
            roots.extend(KnownInPart::new(graph, six(q, 8), q[53]).sums);
            roots
        });
        short.operations().to_string()
    };
    // The product is nowhere else.
    assert_eq!(count(|it| vec![it.sums[0]]), "18 add, 28 mul");
    // The product that would be multiplied out is needed unchanged.
    let with = [
        count(|it| [it.sums, it.parts].concat()),
        count(|it| vec![it.sums[0], it.sums[1], it.parts[0]]),
        count(|it| vec![it.sums[0], it.sums[1], it.parts[1]]),
    ];
    assert_eq!(with, ["26 add, 36 mul"; 3]);
}

#[test]
fn a_product_that_stands_by_itself_too_is_computed_once() {
    let short = program(|graph, q| {
        let [x, y, z] = [0, 1, 2].map(|i| q[i]);
        let [sine, cosine] = [Unary::Sin, Unary::Cos].map(|function| graph.unary(function, x));
        let half = graph.scale(Number::HALF, cosine);
        let [first, second] = [graph.mul(x, y), graph.mul(y, z)];
        vec![
            graph.add(half, y),
            graph.sub(z, half),
            graph.neg(half),
            graph.add(first, z),
            graph.sub(sine, first),
            first,
            graph.add(second, x),
        ]
    });
    let expected = [
        "sin, cos q0",
        "-0.5 t1",
        "q1 - t2",
        "q2 + t2",
        "q0 q1",
        "q2 + t5",
        "t0 - t5",
        "q1 q2 + q0",
    ];
    assert_eq!(lines(&short.schedule), expected);
}

/// The sum of these many times the coordinates of their positions.
fn sum(graph: &mut Graph, q: [NodeId; COORDINATES], coefficients: &[i64]) -> NodeId {
    let terms = coefficients.iter().zip(q);
    let terms = terms.map(|(coefficient, node)| (Number::integer(*coefficient), node));
    let terms = terms.collect();
    graph.sum(Number::ZERO, terms)
}

#[test]
fn terms_of_one_size_are_found_in_order() {
    let folded = program(|graph, q| vec![sum(graph, q, &[3, 1, -2, 5, 2, -3])]);
    let expected = ["q0 - q5", "q4 - q2", "5 q3 + q1", "3 t0 + t2", "2 t1 + t3"];
    assert_eq!(lines(&folded.schedule), expected);
}

#[test]
fn folded_sums_are_shorter_and_the_same() {
    let cases = [
        // 2 (x - y) + z
        (&[2, -2, 1][..], "2 add, 1 mul"),
        // -2 (x + y) - 3 z
        (&[-2, -2, -3], "2 add, 2 mul"),
        (&[-1, -1], "2 add"),
        (&[-3, -2], "1 add, 2 mul"),
    ];
    for (coefficients, operations) in cases {
        let folded = program(|graph, q| vec![sum(graph, q, coefficients)]);
        assert_eq!(folded.operations().to_string(), operations);
    }
}

#[test]
fn what_is_known_of_sums_changes_nothing() {
    // `(a x + b x) (a y + b y)`, and its parts.
    let asked = || {
        outputs(|graph, q| {
            let [a, b, x, y] = [0, 1, 2, 3].map(|i| q[i]);
            let [inner, other] = [x, y].map(|z| {
                let terms = [a, b].map(|factor| graph.mul(factor, z));
                graph.total(terms)
            });
            let product = graph.mul(inner, other);
            vec![vec![inner, product], vec![product], vec![inner]]
        })
    };
    let [both, single, part] = [0, 1, 2].map(|number| [Quantity::Output(number)]);
    let of = |dynamics: &Dynamics, quantities: &[Quantity]| {
        let ways = dynamics.programs(quantities).into_iter();
        let ways = ways.map(|way| (way.expressions, way.schedule.instructions));
        ways.collect::<Vec<_>>()
    };
    let alone = of(&asked(), &single);
    let dynamics = asked();
    let first = of(&dynamics, &both);
    assert_eq!(of(&dynamics, &both), first);
    assert_eq!(of(&dynamics, &single), alone);
    // The replacement of a part is kept for further requests.
    let code = |ways: &[(Vec<NodeId>, Vec<Instruction>)]| -> Vec<Vec<Instruction>> {
        ways.iter().map(|(_, code)| code.clone()).collect()
    };
    let dynamics = asked();
    of(&dynamics, &part);
    assert_eq!(code(&of(&dynamics, &single)), code(&alone));
}

/// Operations of the chosen solution and of the shortest of all, if the choice is by these.
fn lengths_of_solutions(system: System) -> Option<(u32, u32)> {
    let dynamics = Dynamics::new(system);
    let chosen = dynamics.solve_program();
    // A partitioned solution also saves the judgement of its rows.
    let factors = chosen.factorization.as_ref();
    if factors.is_none_or(Factorization::is_partitioned) {
        return None;
    }
    let total = |program: &SolveProgram| program.terms.operations().total();
    let all = dynamics.solve_programs();
    let unrolled = all.iter().filter(|program| program.factorization.is_some());
    Some((total(&chosen), unrolled.map(total).min()?))
}

/// Checks the estimated length of C against the derived one, to an eighth: the choice among equally long forms depends
/// on what was derived before. Simplification may leave less of a short form than the estimate.
fn check_length_of_coriolis_matrix(system: System) {
    let text = system.to_string();
    let dynamics = Dynamics::new(system);
    let program = dynamics.program(&[Quantity::CoriolisMatrix]);
    let length = program.operations().total();
    let (above, below) = (length + length / 8, length.saturating_sub(length / 8 + 2));
    let fits = |most| !dynamics.coriolis_matrix_exceeds(most);
    assert!(length < 50 || fits(above), "longer than {above}: {text}");
    assert!(length < 3 || !fits(below), "at most {below}: {text}");
}

fn maps(count: usize) -> impl Iterator<Item = System> {
    let plans = sample(&maps::plans(), count).into_iter();
    plans.map(|plan| maps::build(&plan, Mass::Definite))
}

/// The search skips forms that seem far longer, and a solution of fewer dependent steps may be longer. So this holds for
/// the sample, and for nearly every other system.
#[test]
fn solutions_by_whatever_is_squared_are_short() {
    let lengths: Vec<_> = maps(400).filter_map(lengths_of_solutions).collect();
    assert!(lengths.len() > 300);
    for (chosen, shortest) in lengths {
        assert!(chosen <= shortest + shortest / 4, "{chosen}, {shortest}");
    }
}

/// The longest solution found so far, in comparison with the shortest one of its system.
#[test]
fn the_longest_solution_is_a_third_longer_than_the_shortest() {
    let system = include_str!("found/longer_than_shortest.sys").parse();
    let (chosen, shortest) = lengths_of_solutions(system.unwrap()).unwrap();
    assert!(chosen <= shortest + shortest / 3, "{chosen}, {shortest}");
}

#[test]
fn lengths_of_coriolis_matrices_are_known() {
    maps(192).for_each(check_length_of_coriolis_matrix);
}

#[test]
fn lengths_of_coriolis_matrices_of_trees_are_known() {
    let plans = sample(&trees::plans(), 192).into_iter();
    let systems = plans.map(|plan| trees::build(&plan, Attitudes::Some));
    systems.for_each(check_length_of_coriolis_matrix);
}
