//! Random programs, evaluated next to the graph that is built from them, without any of its
//! simplifications.

pub(crate) mod dual;
pub(crate) mod expr;

use dual::Dual;
use lagrange_engine::{Binary, Comparison, Graph, NodeId, Number, Symbol, Unary};
use proptest::prelude::*;

/// The symbols of a random program.
pub(crate) const SYMBOLS: [Symbol; 3] = [
    Symbol::Coordinate(0),
    Symbol::Velocity(0),
    Symbol::Parameter(0),
];

/// One operation on earlier results. An index counts back from the operation, and wraps around.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Number(i64, i64),
    Pi,
    Symbol(usize),
    Add(usize, usize),
    Sub(usize, usize),
    Neg(usize),
    Mul(usize, usize),
    Div(usize, usize),
    Powi(usize, i32),
    Unary(Unary, usize),
    Binary(Binary, usize, usize),
    Select(Comparison, [usize; 4]),
}

/// A random program: every operation, with much sharing.
pub(crate) fn programs() -> impl Strategy<Value = Vec<Step>> {
    let back = 0..6_usize;
    let step = prop_oneof![
        2 => (-6..7_i64, 1..5_i64).prop_map(|(num, den)| Step::Number(num, den)),
        1 => Just(Step::Pi),
        4 => (0..SYMBOLS.len()).prop_map(Step::Symbol),
        4 => (back.clone(), back.clone()).prop_map(|(a, b)| Step::Add(a, b)),
        4 => (back.clone(), back.clone()).prop_map(|(a, b)| Step::Sub(a, b)),
        1 => back.clone().prop_map(Step::Neg),
        5 => (back.clone(), back.clone()).prop_map(|(a, b)| Step::Mul(a, b)),
        3 => (back.clone(), back.clone()).prop_map(|(a, b)| Step::Div(a, b)),
        3 => (back.clone(), -3..5_i32).prop_map(|(a, n)| Step::Powi(a, n)),
        6 => (prop::sample::select(Unary::ALL.to_vec()), back.clone())
            .prop_map(|(f, a)| Step::Unary(f, a)),
        3 => (prop::sample::select(Binary::ALL.to_vec()), back.clone(), back.clone())
            .prop_map(|(f, a, b)| Step::Binary(f, a, b)),
        2 => (comparisons(), [back.clone(), back.clone(), back.clone(), back])
            .prop_map(|(comparison, sides)| Step::Select(comparison, sides)),
    ];
    prop::collection::vec(step, 1..30)
}

fn comparisons() -> impl Strategy<Value = Comparison> {
    prop::sample::select(vec![
        Comparison::Less,
        Comparison::LessEqual,
        Comparison::Equal,
        Comparison::NotEqual,
    ])
}

/// Values for the symbols of a program.
pub(crate) fn points() -> impl Strategy<Value = [f64; 3]> {
    [-2.0..2.0, -2.0..2.0, 0.1..2.0]
}

/// The value of a symbol at a point.
pub(crate) fn at(point: [f64; 3]) -> impl Fn(Symbol) -> f64 {
    move |symbol| {
        let position = SYMBOLS.iter().position(|s| *s == symbol);
        position.map_or(f64::NAN, |position| point[position])
    }
}

/// Builds the program with the smart constructors: a node for each step.
pub(crate) fn build(graph: &mut Graph, program: &[Step]) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = SYMBOLS.iter().map(|s| graph.symbol(*s)).collect();
    for step in program {
        let get = |back: &usize| nodes[earlier(nodes.len(), *back)];
        let node = match step {
            Step::Number(num, den) => graph.number(Number::rational(*num, *den).unwrap()),
            Step::Pi => graph.pi(),
            Step::Symbol(position) => graph.symbol(SYMBOLS[*position]),
            Step::Add(a, b) => graph.add(get(a), get(b)),
            Step::Sub(a, b) => graph.sub(get(a), get(b)),
            Step::Neg(a) => graph.neg(get(a)),
            Step::Mul(a, b) => graph.mul(get(a), get(b)),
            Step::Div(a, b) => graph.div(get(a), get(b)),
            Step::Powi(a, n) => graph.powi(get(a), *n),
            Step::Unary(function, a) => graph.unary(*function, get(a)),
            Step::Binary(function, a, b) => graph.binary(*function, get(a), get(b)),
            Step::Select(comparison, [a, b, c, d]) => {
                graph.select(*comparison, get(a), get(b), get(c), get(d))
            }
        };
        nodes.push(node);
    }
    nodes
}

/// Interprets the program step by step with dual numbers along `direction`. With a `noise`, each
/// result is off by about as much, relatively: the spread of such runs tells how far rounding, in
/// whatever order, may move a result.
pub(crate) fn interpret(
    program: &[Step],
    point: [f64; 3],
    direction: [f64; 3],
    noise: Option<u64>,
) -> Vec<Dual> {
    let mut random = noise.unwrap_or(0);
    let mut rounded = |exact: Dual| {
        if noise.is_none() {
            return exact;
        }
        let mut factor = || {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            1.0 + NOISE * ((random >> 40) as f64 / (1_u64 << 23) as f64 - 1.0)
        };
        Dual {
            value: exact.value * factor(),
            slope: exact.slope * factor(),
        }
    };
    let symbol = |i: usize| Dual {
        value: point[i],
        slope: direction[i],
    };
    let mut values: Vec<Dual> = (0..SYMBOLS.len()).map(symbol).collect();
    for step in program {
        let get = |back: &usize| values[earlier(values.len(), *back)];
        let exact = match step {
            Step::Number(num, den) => Dual::constant(*num as f64 / *den as f64),
            Step::Pi => Dual::constant(std::f64::consts::PI),
            Step::Symbol(position) => symbol(*position),
            Step::Add(a, b) => get(a) + get(b),
            Step::Sub(a, b) => get(a) - get(b),
            Step::Neg(a) => -get(a),
            Step::Mul(a, b) => get(a) * get(b),
            Step::Div(a, b) => get(a) / get(b),
            Step::Powi(a, n) => get(a).powi(*n),
            Step::Unary(function, a) => get(a).unary(*function),
            Step::Binary(function, a, b) => Dual::binary(*function, get(a), get(b)),
            Step::Select(comparison, [a, b, c, d]) => {
                let holds = comparison.holds(get(a).value, get(b).value);
                if holds { get(c) } else { get(d) }
            }
        };
        // Numbers and symbols have no rounding of their own, so that equal ones stay equal.
        let is_leaf = matches!(step, Step::Number(..) | Step::Pi | Step::Symbol(_));
        values.push(if is_leaf { exact } else { rounded(exact) });
    }
    values
}

const NOISE: f64 = 1e-12;

/// For each result: whether it and all that it is made from are of a moderate size, and no decision
/// on the way hangs on rounding.
pub(crate) fn moderate(program: &[Step], values: &[Dual]) -> Vec<bool> {
    let is_moderate = |dual: &Dual| {
        let size = dual.value.abs();
        (size == 0.0 || size > TINY) && size < 1e4 && dual.slope.abs() < 1e6
    };
    let mut good: Vec<bool> = values.iter().map(is_moderate).collect();
    for (position, step) in program.iter().enumerate() {
        let own = SYMBOLS.len() + position;
        let value = |back: &usize| values[earlier(own, *back)].value;
        good[own] &= !is_undecided(step, value);
        for back in children(step) {
            good[own] &= good[earlier(own, back)];
        }
    }
    good
}

/// Returns whether rounding may decide the result of the step.
fn is_undecided(step: &Step, value: impl Fn(&usize) -> f64) -> bool {
    let tie = |a: &usize, b: &usize| a != b && (value(a) - value(b)).abs() < TINY;
    match step {
        Step::Select(_, [a, b, ..]) | Step::Binary(Binary::Min | Binary::Max, a, b) => tie(a, b),
        Step::Unary(Unary::Abs | Unary::Sign, a) => value(a).abs() < TINY,
        // Its derivative, 1 - tanh^2, is the difference of nearly equal numbers there.
        Step::Unary(Unary::Tanh, a) => value(a).abs() > 3.0,
        Step::Binary(Binary::Atan2, a, b) => value(a).abs() < TINY && value(b) <= 0.0,
        _ => false,
    }
}

const TINY: f64 = 1e-9;

/// How far rounding may move each value and slope, with a wide margin.
pub(crate) fn tolerances(
    program: &[Step],
    point: [f64; 3],
    direction: [f64; 3],
    exact: &[Dual],
) -> Vec<Dual> {
    let mut widest = vec![Dual::constant(0.0); exact.len()];
    for seed in 1..6_u64 {
        let run = interpret(program, point, direction, Some(seed << 32 | 12345));
        for ((widest, noisy), exact) in widest.iter_mut().zip(run).zip(exact) {
            // A value that is not finite in one run is skipped in all.
            let spread = |noisy: f64, exact: f64| {
                let spread = (noisy - exact).abs();
                if spread.is_nan() {
                    f64::INFINITY
                } else {
                    spread
                }
            };
            widest.value = widest.value.max(spread(noisy.value, exact.value));
            widest.slope = widest.slope.max(spread(noisy.slope, exact.slope));
        }
    }
    let margin = |spread: f64, exact: f64| 20.0 * spread + 1e-12 * exact.abs() + 1e-13;
    widest
        .iter()
        .zip(exact)
        .map(|(widest, exact)| Dual {
            value: margin(widest.value, exact.value),
            slope: margin(widest.slope, exact.slope),
        })
        .collect()
}

fn children(step: &Step) -> Vec<usize> {
    match step {
        Step::Number(..) | Step::Pi | Step::Symbol(_) => Vec::new(),
        Step::Neg(a) | Step::Powi(a, _) | Step::Unary(_, a) => vec![*a],
        Step::Add(a, b) | Step::Sub(a, b) | Step::Mul(a, b) | Step::Div(a, b) => vec![*a, *b],
        Step::Binary(_, a, b) => vec![*a, *b],
        Step::Select(_, children) => children.to_vec(),
    }
}

fn earlier(len: usize, back: usize) -> usize {
    len - 1 - back % len
}
