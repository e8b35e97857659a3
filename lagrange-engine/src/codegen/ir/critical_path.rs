//! The critical path of code: the least time that it takes, because instructions wait for their operands.

use super::{Instruction, Operand, Schedule};
use crate::codegen::cost_model::{FUNCTION_CYCLES, QUOTIENT_CYCLES, SUM_OR_PRODUCT_CYCLES};

impl Schedule {
    /// The cycles until the last of these operands is ready, if an instruction waits only for its own operands.
    pub(crate) fn critical_path(&self, operands: &[Operand]) -> u32 {
        let mut known: Vec<u32> = Vec::with_capacity(self.instructions.len());
        for instruction in &self.instructions {
            let end = end(&known, instruction);
            known.extend((0..instruction.results()).map(|_| end));
        }
        latest(&known, operands)
    }
}

/// The time when the results of an instruction are ready, from the times of the temporaries.
pub(in crate::codegen) fn end(known: &[u32], instruction: &Instruction) -> u32 {
    let mut last = 0;
    instruction.for_each_operand(|operand| last = last.max(start(known, operand)));
    last + cycles(instruction)
}

/// Returns whether a quotient is ready no later than a product with the reciprocal.
pub(in crate::codegen) fn is_sooner_divided(
    known: &[u32],
    dividend: Operand,
    divisor: Operand,
) -> bool {
    let [dividend, divisor] = [dividend, divisor].map(|operand| start(known, operand));
    let product = dividend.max(divisor + QUOTIENT_CYCLES) + SUM_OR_PRODUCT_CYCLES;
    dividend.max(divisor) + QUOTIENT_CYCLES <= product
}

/// The time when an operand is ready.
pub(in crate::codegen) fn start(known: &[u32], operand: Operand) -> u32 {
    match operand {
        Operand::Temporary(i) => known[i as usize],
        Operand::Symbol(_) | Operand::Constant(_) => 0,
    }
}

fn latest(known: &[u32], operands: &[Operand]) -> u32 {
    operands
        .iter()
        .map(|operand| start(known, *operand))
        .max()
        .unwrap_or(0)
}

fn cycles(instruction: &Instruction) -> u32 {
    match instruction {
        Instruction::Neg(_) | Instruction::Select(..) => 1,
        Instruction::Add(..) | Instruction::Sub(..) | Instruction::Mul(..) => SUM_OR_PRODUCT_CYCLES,
        Instruction::MulAdd(..) | Instruction::NegMulAdd(..) => SUM_OR_PRODUCT_CYCLES,
        Instruction::Div(..) | Instruction::Recip(_) => QUOTIENT_CYCLES,
        Instruction::Powi(..)
        | Instruction::SinCos(_)
        | Instruction::Unary(..)
        | Instruction::Binary(..)
        | Instruction::Curve(..) => FUNCTION_CYCLES,
    }
}
