//! Products that occur in a multiply-add and alone: `a b + c` beside `a b` is one more addition, not another product.

use crate::codegen::ir::{Builder, Instruction, Operand, Schedule, operand_word};
use crate::graph::{Mix, Table};

/// The words of two operands, in either order, and without the signs of constants.
type Product = [u64; 2];

/// The products that occur alone.
#[derive(Default)]
struct Products {
    known: Table,
    factors: Vec<(Product, [Operand; 2])>,
}

impl Products {
    /// Adds a product, or replaces one that differs only in its sign.
    fn insert(&mut self, factors: [Operand; 2]) {
        let product = key_of(factors);
        match self.position(&product) {
            Some(index) => self.factors[index as usize].1 = factors,
            None => {
                self.known.insert(hash(&product), self.factors.len() as u32);
                self.factors.push((product, factors));
            }
        }
    }

    fn get(&self, factors: [Operand; 2]) -> Option<[Operand; 2]> {
        let index = self.position(&key_of(factors))?;
        Some(self.factors[index as usize].1)
    }

    fn position(&self, product: &Product) -> Option<u32> {
        let factors = &self.factors[..];
        let is_same = |index: u32| factors[index as usize].0 == *product;
        self.known.find(hash(product), is_same)
    }
}

fn hash(product: &Product) -> u32 {
    let mut mix = Mix(0);
    mix.mix(product[0]);
    mix.mix(product[1]);
    mix.hash()
}

/// The same code with each product computed once. `None` if no product is computed twice.
pub(super) fn share_products(schedule: &Schedule) -> Option<Schedule> {
    let instructions = &schedule.instructions;
    let mut products = Products::default();
    for instruction in instructions {
        if let Instruction::Mul(a, b) = *instruction {
            products.insert([a, b]);
        }
    }
    let shared = |instruction: &Instruction| {
        let (factors, other, is_subtracted) = split_multiply_add(instruction)?;
        let known = products.get(factors)?;
        let has_same_sign = is_negative(factors) == is_negative(known);
        Some((known, other, is_subtracted == has_same_sign))
    };
    if !instructions
        .iter()
        .any(|instruction| shared(instruction).is_some())
    {
        return None;
    }
    let mut copy = Copy::default();
    for instruction in instructions {
        match shared(instruction) {
            Some((factors, other, is_subtracted)) => {
                let [a, b] = factors.map(|factor| copy.operand(factor));
                let other = copy.operand(other);
                let product = copy.builder.mul(a, b);
                let sum = if is_subtracted {
                    copy.builder.sub(other, product)
                } else {
                    copy.builder.add(other, product)
                };
                copy.new.push(sum);
            }
            None => copy.append(instruction),
        }
    }
    let roots = schedule
        .roots
        .iter()
        .map(|root| copy.operand(*root))
        .collect();
    Some(copy.builder.finish(roots))
}

/// The factors of a multiply-add, its summand, and whether their product is subtracted.
fn split_multiply_add(instruction: &Instruction) -> Option<([Operand; 2], Operand, bool)> {
    match *instruction {
        Instruction::MulAdd(a, b, c) => Some(([a, b], c, false)),
        Instruction::NegMulAdd(a, b, c) => Some(([a, b], c, true)),
        _ => None,
    }
}

fn key_of(factors: [Operand; 2]) -> Product {
    let unsigned = |operand| match operand {
        Operand::Constant(value) => Operand::Constant(value.abs()),
        other => other,
    };
    let [a, b] = factors;
    let (a, b) = (operand_word(unsigned(a)), operand_word(unsigned(b)));
    if a > b { [b, a] } else { [a, b] }
}

/// Returns whether the constant among the factors is negative.
fn is_negative(factors: [Operand; 2]) -> bool {
    let is_negative = |factor: &Operand| matches!(factor, Operand::Constant(value) if *value < 0.0);
    factors.iter().filter(|factor| is_negative(factor)).count() == 1
}

/// The new code.
#[derive(Default)]
struct Copy {
    builder: Builder,
    /// The new operand of each temporary.
    new: Vec<Operand>,
}

impl Copy {
    fn operand(&self, old: Operand) -> Operand {
        match old {
            Operand::Temporary(index) => self.new[index as usize],
            other => other,
        }
    }

    fn append(&mut self, instruction: &Instruction) {
        let copied = instruction.with_operands(|operand| self.operand(operand));
        let first = self.builder.push(copied);
        self.new.push(first);
        if let (Instruction::SinCos(_), Operand::Temporary(sine)) = (instruction, first) {
            self.new.push(Operand::Temporary(sine + 1));
        }
    }
}
