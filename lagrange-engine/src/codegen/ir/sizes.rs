//! The size of a result: of the lengths that it is computed from, so that its rounding errors are a share of it.
//!
//! A running error bound multiplies along a chain of rotations, `|c| e + |s| e`, and errors do not: a rotated error is as
//! long as before. Sizes do not multiply either. Those of sines and cosines are 1, that of a product is the product of the
//! sizes, and that of a sum is the largest size of its terms. So the size of an entry of a rotation is 1, and that of a rotated
//! vector is the largest length on its way.

use super::builder::Builder;
use super::{Instruction, Operand};
use crate::{Binary, Piecewise, Unary};

const ONE: Operand = Operand::Constant(1.0);

/// A constant factor from here to 1 may be an entry of a rotation, beside which others are small. It counts as 1.
const LEAST_ENTRY: f64 = 0.25;

/// Appends code for the sizes of these results, which depend on the `contained` ones of some instructions.
pub(super) fn append(
    builder: &mut Builder,
    instructions: &[Instruction],
    contained: &[bool],
    results: &[Operand],
) -> Vec<Operand> {
    let mut code = Sizes {
        builder,
        sizes: Vec::new(),
    };
    for (instruction, is_contained) in instructions.iter().zip(contained) {
        let size = match is_contained {
            true => code.size_of_result(instruction),
            false => ONE,
        };
        let count = instruction.results() as usize;
        code.sizes.extend(std::iter::repeat_n(size, count));
    }
    results.iter().map(|result| code.of(*result)).collect()
}

struct Sizes<'a> {
    builder: &'a mut Builder,
    /// The sizes of the temporaries so far.
    sizes: Vec<Operand>,
}

impl Sizes<'_> {
    fn of(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Temporary(index) => self.sizes[index as usize],
            other => self.value(other),
        }
    }

    /// |x|
    fn value(&mut self, x: Operand) -> Operand {
        match x {
            Operand::Constant(value) => Operand::Constant(value.abs()),
            _ => self.builder.unary(Unary::Abs, x),
        }
    }

    fn size_of_result(&mut self, instruction: &Instruction) -> Operand {
        let z = Operand::Temporary(self.sizes.len() as u32);
        match *instruction {
            Instruction::Add(a, b) | Instruction::Sub(a, b) => {
                let terms = [a, b].map(|x| self.of(x));
                self.sum(terms)
            }
            Instruction::Neg(a) => self.of(a),
            Instruction::Mul(a, b) => self.product(a, b),
            Instruction::MulAdd(a, b, c) | Instruction::NegMulAdd(a, b, c) => {
                let terms = [self.product(a, b), self.of(c)];
                self.sum(terms)
            }
            Instruction::Div(a, b) => self.quotient(a, b),
            Instruction::Recip(b) => self.quotient(ONE, b),
            Instruction::Powi(a, n) if n >= 0 => {
                let size = self.of(a);
                self.builder.powi(size, n.unsigned_abs())
            }
            Instruction::Powi(a, _) => self.relative(z, a),
            Instruction::SinCos(_) => ONE,
            Instruction::Unary(function, a) => self.unary(function, z, a),
            Instruction::Binary(Binary::Min | Binary::Max | Binary::Hypot, a, b) => {
                let terms = [a, b].map(|x| self.of(x));
                self.larger(terms)
            }
            Instruction::Curve(ref of, ref operands) => self.curve(of, z, operands),
            Instruction::Binary(Binary::Atan2, ..) => ONE,
            Instruction::Binary(Binary::Pow, a, _) => self.relative(z, a),
            Instruction::Select(_, [.., then, otherwise]) => {
                let values = [then, otherwise].map(|x| self.of(x));
                self.larger(values)
            }
        }
    }

    fn larger(&mut self, [a, b]: [Operand; 2]) -> Operand {
        match (a, b) {
            _ if a == b => a,
            (Operand::Constant(a), Operand::Constant(b)) => Operand::Constant(a.max(b)),
            _ => self.builder.binary(Binary::Max, a, b),
        }
    }

    /// The size of a sum of two terms of these sizes.
    fn sum(&mut self, terms: [Operand; 2]) -> Operand {
        match terms {
            [Operand::Constant(a), Operand::Constant(b)] => {
                Operand::Constant((a + b).min(a.max(b).max(1.0)))
            }
            _ => self.larger(terms),
        }
    }

    fn product(&mut self, a: Operand, b: Operand) -> Operand {
        let [a, b] = [a, b].map(|x| match x {
            Operand::Constant(value) if (LEAST_ENTRY..=1.0).contains(&value.abs()) => ONE,
            _ => self.of(x),
        });
        self.builder.mul(a, b)
    }

    /// The size of a / b. Its relative error is the sum of the relative errors of a and b.
    fn quotient(&mut self, a: Operand, b: Operand) -> Operand {
        let (divisor, [of_a, of_b]) = (self.value(b), [a, b].map(|x| self.of(x)));
        let size = self.builder.div(of_a, divisor);
        if of_b == divisor {
            return size;
        }
        let by_divisor = self.builder.div(of_b, divisor);
        self.builder.mul(size, by_divisor)
    }

    /// |z| times the size of a in units of |a|.
    fn relative(&mut self, z: Operand, a: Operand) -> Operand {
        let ([value, divisor], size) = ([z, a].map(|x| self.value(x)), self.of(a));
        if size == divisor {
            return value;
        }
        let ratio = self.builder.div(size, divisor);
        self.builder.mul(value, ratio)
    }

    /// By the slope.
    fn curve(&mut self, of: &Piecewise, z: Operand, operands: &[Operand]) -> Operand {
        let slope = self.builder.curve(of.derivative(), operands);
        let [value, slope] = [z, slope].map(|x| self.value(x));
        let size = operands.first().map_or(ONE, |x| self.of(*x));
        self.builder.mul_add(slope, size, value)
    }

    fn unary(&mut self, function: Unary, z: Operand, a: Operand) -> Operand {
        match function {
            Unary::Sin
            | Unary::Cos
            | Unary::Asin
            | Unary::Acos
            | Unary::Atan
            | Unary::Tanh
            | Unary::Sign => ONE,
            Unary::Abs => self.of(a),
            Unary::Tan => self.builder.mul_add(z, z, ONE),
            // By the derivative, which is z or near it.
            Unary::Exp | Unary::Sinh | Unary::Cosh => {
                let (value, size) = (self.value(z), self.of(a));
                self.builder.mul_add(value, size, value)
            }
            Unary::Ln => {
                let (value, divisor, size) = (self.value(z), self.value(a), self.of(a));
                let ratio = self.builder.div(size, divisor);
                self.larger([value, ratio])
            }
            Unary::Sqrt => self.relative(z, a),
        }
    }
}
