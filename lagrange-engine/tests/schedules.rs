//! How schedules are shortened: scales of common parts, numbers beside factors, products that stand twice.

use lagrange_engine::{
    Graph, Instruction, NodeId, Number, Operand, Schedule, Symbol, plain_names, schedule,
};

/// The instructions of a schedule, one a line: the sine of an angle and its cosine count as two.
pub(crate) fn lines(code: &Schedule) -> Vec<String> {
    let text = |operand| match operand {
        Operand::Temporary(index) => format!("t{index}"),
        Operand::Symbol(symbol) => plain_names(symbol),
        Operand::Constant(value) => value.to_string(),
    };
    let line = |instruction: &Instruction| {
        let operands: Vec<String> = instruction.operands().into_iter().map(text).collect();
        match (instruction, &operands[..]) {
            (Instruction::Add(..), [a, b]) => format!("{a} + {b}"),
            (Instruction::Sub(..), [a, b]) => format!("{a} - {b}"),
            (Instruction::Neg(_), [a]) => format!("-{a}"),
            (Instruction::Mul(..), [a, b]) => format!("{a} {b}"),
            (Instruction::MulAdd(..), [a, b, c]) => format!("{a} {b} + {c}"),
            (Instruction::NegMulAdd(..), [a, b, c]) => format!("{c} - {a} {b}"),
            (Instruction::SinCos(_), [a]) => format!("sin, cos {a}"),
            _ => format!("{instruction:?}"),
        }
    };
    code.instructions.iter().map(line).collect()
}

fn symbols<const N: usize>(graph: &mut Graph) -> [NodeId; N] {
    std::array::from_fn(|i| graph.symbol(Symbol::Coordinate(i as u32)))
}

/// The sum of these parts of nodes.
fn sum(graph: &mut Graph, terms: &[(i64, i64, NodeId)]) -> NodeId {
    let terms = terms.iter();
    let terms = terms.map(|(num, den, node)| (Number::rational(*num, *den).unwrap(), *node));
    let terms = terms.collect();
    graph.sum(Number::ZERO, terms)
}

/// The code of these roots, with their values.
fn code(graph: &Graph, roots: &[NodeId]) -> Schedule {
    let code = schedule(graph, roots);
    let value = |symbol| match symbol {
        Symbol::Coordinate(i) => 0.75 + f64::from(i),
        _ => 0.0,
    };
    let expected = graph.evaluate(roots, &value);
    for (found, expected) in code.evaluate(&value).iter().zip(expected) {
        assert!((found - expected).abs() < 1e-14 * expected.abs());
    }
    code
}

#[test]
fn pairs_are_computed_at_one_scale() {
    let mut graph = Graph::new();
    let [x, y, z, w] = symbols(&mut graph);
    let roots = [
        sum(&mut graph, &[(1, 2, x), (-1, 1, y), (1, 1, z)]),
        sum(&mut graph, &[(1, 1, x), (-2, 1, y), (1, 1, w)]),
    ];
    let code = code(&graph, &roots);
    assert_eq!(lines(&code), ["q0 - 2 q1", "0.5 t0 + q2", "q3 + t0"]);
}

#[test]
fn the_factor_that_most_have_takes_the_number() {
    let mut graph = Graph::new();
    let [a, b, c, d, e, y] = symbols(&mut graph);
    let products = [
        (1, 2, [a, b]),
        (-1, 2, [b, c]),
        (1, 2, [c, a]),
        (1, 2, [b, d]),
        (1, 3, [c, e]),
    ];
    let roots = products.map(|(num, den, [first, second])| {
        let product = graph.mul(first, second);
        sum(&mut graph, &[(num, den, product), (1, 1, y)])
    });
    let code = code(&graph, &roots);
    let expected = [
        "0.5 q1",
        "q0 t0 + q5",
        "q5 - t0 q2",
        "0.5 q0",
        "t3 q2 + q5",
        "t0 q3 + q5",
        "0.3333333333333333 q2",
        "t6 q4 + q5",
    ];
    assert_eq!(lines(&code), expected);
}

#[test]
fn a_number_is_multiplied_once() {
    let mut graph = Graph::new();
    let [a, b, c, x, y] = [0, 1, 2, 3, 4].map(|i| graph.symbol(Symbol::Coordinate(i)));
    let roots = [a, b, c].map(|factor| {
        let product = graph.product(vec![(factor, 1), (x, 1)]);
        let scaled = graph.scale(Number::HALF, product);
        graph.add(scaled, y)
    });
    let code = schedule(&graph, &roots);
    assert_eq!(code.operations().to_string(), "3 add, 4 mul");
    let value = |symbol| match symbol {
        Symbol::Coordinate(i) => 1.0 + f64::from(i),
        _ => 0.0,
    };
    assert_eq!(code.evaluate(&value), [7.0, 9.0, 11.0]);
}
