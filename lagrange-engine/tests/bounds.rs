//! Running error bounds: they hold for random programs, computed in single precision beside double, and are not many
//! times too large.

use crate::cases::{cases, sample};
use crate::random::{Step, at, build, interpret, moderate, points, programs};
use lagrange_engine::{
    Binary, Graph, Instruction, Number, Operand, Schedule, Symbol, Unary, schedule,
};
use proptest::prelude::*;

/// Half of the distance from 1 to the next single number.
const UNIT: f64 = 1.0 / (1_u64 << 24) as f64;

/// The values of the roots, each operation rounded by `rounded`; and which way each comparison went.
fn evaluate(
    code: &Schedule,
    value: &dyn Fn(Symbol) -> f64,
    rounded: fn(f64) -> f64,
) -> (Vec<f64>, Vec<bool>) {
    let mut temporaries: Vec<f64> = Vec::new();
    let mut decisions = Vec::new();
    let read = |operand, temporaries: &[f64]| match operand {
        Operand::Temporary(index) => temporaries[index as usize],
        Operand::Symbol(symbol) => value(symbol),
        Operand::Constant(constant) => rounded(constant),
    };
    for instruction in &code.instructions {
        let get = |operand| read(operand, &temporaries);
        match *instruction {
            Instruction::Select(comparison, [a, b, ..]) => {
                decisions.push(comparison.holds(get(a), get(b)));
            }
            Instruction::Binary(Binary::Min | Binary::Max, a, b) => {
                decisions.push(get(a) <= get(b));
            }
            Instruction::Binary(Binary::Atan2, a, _)
            | Instruction::Unary(Unary::Abs | Unary::Sign, a) => decisions.push(get(a) < 0.0),
            _ => {}
        }
        // A schedule of one instruction on constants.
        let operands = instruction.operands().into_iter().map(get);
        let operands: Vec<f64> = operands.collect();
        match *instruction {
            // Two roundings.
            Instruction::MulAdd(..) => {
                temporaries.push(rounded(rounded(operands[0] * operands[1]) + operands[2]));
            }
            Instruction::NegMulAdd(..) => {
                temporaries.push(rounded(operands[2] - rounded(operands[0] * operands[1])));
            }
            _ => {
                let alone = Schedule {
                    instructions: vec![with_values(instruction, &operands)],
                    roots: (0..instruction.results()).map(Operand::Temporary).collect(),
                };
                let results = alone.evaluate(&|_| f64::NAN);
                temporaries.extend(results.into_iter().map(rounded));
            }
        }
    }
    let roots = code.roots.iter().map(|root| read(*root, &temporaries));
    (roots.collect(), decisions)
}

/// The instruction on constants.
fn with_values(instruction: &Instruction, values: &[f64]) -> Instruction {
    let value = |at: usize| Operand::Constant(values[at]);
    match *instruction {
        Instruction::Add(..) => Instruction::Add(value(0), value(1)),
        Instruction::Sub(..) => Instruction::Sub(value(0), value(1)),
        Instruction::Neg(_) => Instruction::Neg(value(0)),
        Instruction::Mul(..) => Instruction::Mul(value(0), value(1)),
        Instruction::Div(..) => Instruction::Div(value(0), value(1)),
        Instruction::Recip(_) => Instruction::Recip(value(0)),
        Instruction::MulAdd(..) => Instruction::MulAdd(value(0), value(1), value(2)),
        Instruction::NegMulAdd(..) => Instruction::NegMulAdd(value(0), value(1), value(2)),
        Instruction::Powi(_, n) => Instruction::Powi(value(0), n),
        Instruction::SinCos(_) => Instruction::SinCos(value(0)),
        Instruction::Unary(function, _) => Instruction::Unary(function, value(0)),
        Instruction::Binary(function, ..) => Instruction::Binary(function, value(0), value(1)),
        Instruction::Select(comparison, _) => {
            Instruction::Select(comparison, [0, 1, 2, 3].map(value))
        }
        Instruction::Curve(ref of, ref operands) => {
            Instruction::Curve(of.clone(), (0..operands.len()).map(value).collect())
        }
    }
}

fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

fn double(x: f64) -> f64 {
    x
}

/// Uniform between -1 and 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 ^ (self.0 >> 29)) >> 11) as f64 * 2.0_f64.powi(-52) - 1.0
    }
}

/// Code for the bounds alone.
fn bounds(code: &Schedule) -> Schedule {
    let bounds = code.error_bounds(&code.roots);
    let instructions = code.instructions.iter().chain(&bounds.instructions);
    Schedule {
        instructions: instructions.cloned().collect(),
        roots: bounds.roots,
    }
}

/// For each root that can be judged the largest error found, in parts of its bound.
fn parts(code: &Schedule, point: [f64; 3], random: &mut Random) -> Vec<f64> {
    let bounds = bounds(code);
    let point = point.map(single);
    let (computed, decisions) = evaluate(code, &at(point), single);
    let (exact, _) = evaluate(&bounds, &at(point), double);
    // Products of errors count where rounding changes the bounds themselves.
    let (rounded, _) = evaluate(&bounds, &at(point), single);
    let is_smooth =
        |i: usize| (rounded[i] - exact[i]).abs() <= 0.02 * exact[i] && exact[i] < 1e-3 / UNIT;
    let count = exact.len();
    let mut parts = vec![f64::NAN; count];
    for _ in 0..32 {
        // Coordinates and velocities are exact to half an ulp, parameters as they are.
        let mut near = point;
        for entry in &mut near[..2] {
            let bits = (*entry as f32).abs().to_bits();
            let ulp = f64::from(f32::from_bits(bits + 1)) - f64::from(f32::from_bits(bits));
            *entry += 0.5 * ulp * random.next().signum();
        }
        let (right, other_decisions) = evaluate(code, &at(near), double);
        if decisions != other_decisions {
            continue;
        }
        for i in (0..count).filter(|i| is_smooth(*i)) {
            let error = (computed[i] - right[i]).abs();
            let bound = UNIT * exact[i];
            let part = if error == 0.0 { 0.0 } else { error / bound };
            parts[i] = parts[i].max(part);
        }
    }
    parts.retain(|part| !part.is_nan());
    parts
}

/// The code of all results of moderate size.
fn code(program: &[Step], point: [f64; 3]) -> Schedule {
    let mut graph = Graph::new();
    let nodes = build(&mut graph, program);
    let values = interpret(program, point, [0.0; 3], None);
    let good = moderate(program, &values).into_iter().zip(&nodes);
    let roots = good.filter_map(|(is_good, node)| is_good.then_some(*node));
    schedule(&graph, &roots.collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn errors_are_within_their_bounds(program in programs(), point in points()) {
        let code = code(&program, point);
        for part in parts(&code, point, &mut Random(1)) {
            prop_assert!(part <= 1.05, "{part} of the bound");
        }
    }
}

/// Half of the results come within a third of their bounds, nine of ten within a twentieth.
#[test]
fn bounds_are_not_many_times_too_large() {
    let mut found = Vec::new();
    for (seed, (program, point)) in (0..).zip(sample(&(programs(), points()), 400)) {
        found.extend(parts(&code(&program, point), point, &mut Random(seed)));
    }
    // An exact result says nothing about the bound.
    found.retain(|part| *part > 0.0);
    found.sort_by(f64::total_cmp);
    let quantile = |part: f64| found[(part * found.len() as f64) as usize];
    assert!(found.len() > 4000, "{}", found.len());
    assert!(quantile(0.5) > 1.0 / 3.0, "{}", quantile(0.5));
    assert!(quantile(0.1) > 1.0 / 20.0, "{}", quantile(0.1));
}

/// Powers of zero have no slope that divides by zero, and exact values have no error.
#[test]
fn powers_of_zero_and_exact_values() {
    let mut graph = Graph::new();
    let [x, y] = [0, 1].map(|i| graph.symbol(Symbol::Coordinate(i)));
    let l = graph.symbol(Symbol::Parameter(0));
    let difference = graph.sub(x, y);
    let exponent = graph.number(Number::rational(3, 2).unwrap());
    let roots = [
        graph.powi(difference, 20),
        graph.binary(Binary::Pow, difference, exponent),
        graph.unary(Unary::Sign, difference),
        graph.powi(l, 2),
        graph.neg(l),
    ];
    let code = schedule(&graph, &roots);
    let bounds = bounds(&code);
    // The factor is exact, so that only the product is rounded.
    assert_eq!(bounds.evaluate(&|_| 3.0), [0.0, 0.0, 0.0, 9.0, 0.0]);
}

/// Code that computes something twice keeps its numbers.
#[test]
fn code_that_computes_something_twice() {
    let x = Operand::Symbol(Symbol::Coordinate(0));
    let square = Instruction::Mul(x, x);
    let [first, second] = [0, 1].map(Operand::Temporary);
    let code = Schedule {
        instructions: vec![square.clone(), square, Instruction::Add(first, second)],
        roots: vec![Operand::Temporary(2)],
    };
    // 3 x^2 of each square, and the sum.
    assert_eq!(bounds(&code).evaluate(&|_| 2.0), [32.0]);
}
