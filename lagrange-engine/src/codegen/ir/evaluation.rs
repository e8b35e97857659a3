//! Operation counts and the interpreter of schedules.

use std::fmt;
use std::ops::Add;

use crate::{Instruction, Operand, Schedule, Symbol, Unary};

/// The number of operations of a schedule. A multiply-add counts as both.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Operations {
    /// Additions, subtractions and changes of sign.
    pub additions: u32,
    /// Multiplications.
    pub multiplications: u32,
    /// Divisions and reciprocals.
    pub divisions: u32,
    /// Square roots.
    pub roots: u32,
    /// Other elementary functions; sine and cosine of one angle count as one.
    pub functions: u32,
    /// Selections by a comparison.
    pub selections: u32,
}

impl Operations {
    /// All together.
    pub fn total(&self) -> u32 {
        self.additions
            + self.multiplications
            + self.divisions
            + self.roots
            + self.functions
            + self.selections
    }
}

impl Add for Operations {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            additions: self.additions + other.additions,
            multiplications: self.multiplications + other.multiplications,
            divisions: self.divisions + other.divisions,
            roots: self.roots + other.roots,
            functions: self.functions + other.functions,
            selections: self.selections + other.selections,
        }
    }
}

impl fmt::Display for Operations {
    /// For example `3 add, 5 mul, 1 sin/cos ..`; `none` for nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.additions, "add"),
            (self.multiplications, "mul"),
            (self.divisions, "div"),
            (self.roots, "sqrt"),
            (self.functions, "function"),
            (self.selections, "select"),
        ];
        let mut separator = "";
        for (count, name) in parts.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, "{separator}{count} {name}")?;
            separator = ", ";
        }
        if separator.is_empty() {
            write!(f, "none")?;
        }
        Ok(())
    }
}

impl Schedule {
    /// The operations it takes.
    pub fn operations(&self) -> Operations {
        let mut count = Operations::default();
        for instruction in &self.instructions {
            match instruction {
                Instruction::Add(..) | Instruction::Sub(..) | Instruction::Neg(_) => {
                    count.additions += 1;
                }
                Instruction::Mul(..) => count.multiplications += 1,
                Instruction::Div(..) | Instruction::Recip(_) => count.divisions += 1,
                Instruction::MulAdd(..) | Instruction::NegMulAdd(..) => {
                    count.additions += 1;
                    count.multiplications += 1;
                }
                Instruction::Unary(Unary::Sqrt, _) => count.roots += 1,
                Instruction::Unary(Unary::Abs, _) => count.additions += 1,
                Instruction::Unary(Unary::Sign, _) | Instruction::Select(..) => {
                    count.selections += 1;
                }
                Instruction::Powi(..)
                | Instruction::SinCos(_)
                | Instruction::Unary(..)
                | Instruction::Binary(..)
                | Instruction::Curve(..) => count.functions += 1,
            }
        }
        count
    }

    /// The values of the roots, by interpreting the instructions in order.
    pub fn evaluate(&self, value: &dyn Fn(Symbol) -> f64) -> Vec<f64> {
        let mut temporaries: Vec<f64> = Vec::new();
        for instruction in &self.instructions {
            let get = |operand| read(operand, &temporaries, value);
            let result = match *instruction {
                Instruction::Add(a, b) => get(a) + get(b),
                Instruction::Sub(a, b) => get(a) - get(b),
                Instruction::Neg(a) => -get(a),
                Instruction::Mul(a, b) => get(a) * get(b),
                Instruction::Div(a, b) => get(a) / get(b),
                Instruction::Recip(a) => 1.0 / get(a),
                Instruction::MulAdd(a, b, c) => get(a) * get(b) + get(c),
                Instruction::NegMulAdd(a, b, c) => get(c) - get(a) * get(b),
                Instruction::Powi(a, n) => get(a).powi(n),
                Instruction::Unary(function, a) => function.value(get(a)),
                Instruction::Binary(function, a, b) => function.value(get(a), get(b)),
                Instruction::Select(comparison, [a, b, then, otherwise]) => {
                    get(if comparison.holds(get(a), get(b)) {
                        then
                    } else {
                        otherwise
                    })
                }
                Instruction::Curve(ref of, ref operands) => {
                    let values: Vec<f64> = operands.iter().map(|operand| get(*operand)).collect();
                    values
                        .split_first()
                        .map_or(f64::NAN, |(x, controls)| of.value(*x, controls))
                }
                Instruction::SinCos(a) => {
                    let (sine, cosine) = get(a).sin_cos();
                    temporaries.push(sine);
                    cosine
                }
            };
            temporaries.push(result);
        }
        self.roots
            .iter()
            .map(|root| read(*root, &temporaries, value))
            .collect()
    }
}

fn read(operand: Operand, temporaries: &[f64], value: &dyn Fn(Symbol) -> f64) -> f64 {
    match operand {
        Operand::Temporary(index) => temporaries[index as usize],
        Operand::Symbol(symbol) => value(symbol),
        Operand::Constant(constant) => constant,
    }
}
