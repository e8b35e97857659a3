//! The symbols that pass NaN and infinity on to results: if such a symbol is not finite, a result is not finite either.
//!
//! A test of the results covers these symbols too.

use std::collections::HashSet;

use super::{Instruction, Operand, Schedule};
use crate::{Symbol, Unary};

impl Schedule {
    /// The symbols that show in some operands: if one of them is NaN or infinite, one of the operands is too.
    ///
    /// Sums, products and sines hide nothing, and quotients do not hide the dividend. An infinite value that may become
    /// finite, as in a divisor or in a comparison, counts as hidden.
    pub fn shown_by(&self, operands: &[Operand]) -> HashSet<Symbol> {
        let count: u32 = self.instructions.iter().map(Instruction::results).sum();
        let mut shown = Shown {
            temporaries: vec![false; count as usize],
            symbols: HashSet::new(),
        };
        operands.iter().for_each(|operand| shown.insert(*operand));
        let mut end = count as usize;
        for instruction in self.instructions.iter().rev() {
            let start = end - instruction.results() as usize;
            if shown.temporaries[start..end].contains(&true) {
                operands_that_show(instruction)
                    .into_iter()
                    .for_each(|operand| shown.insert(operand));
            }
            end = start;
        }
        shown.symbols
    }
}

struct Shown {
    temporaries: Vec<bool>,
    symbols: HashSet<Symbol>,
}

impl Shown {
    fn insert(&mut self, operand: Operand) {
        match operand {
            Operand::Temporary(index) => self.temporaries[index as usize] = true,
            Operand::Symbol(symbol) => {
                self.symbols.insert(symbol);
            }
            Operand::Constant(_) => {}
        }
    }
}

/// The operands that make every result NaN or infinite if they are so themselves.
fn operands_that_show(instruction: &Instruction) -> Vec<Operand> {
    match *instruction {
        Instruction::Div(dividend, _) => vec![dividend],
        Instruction::Powi(base, exponent) if exponent > 0 => vec![base],
        Instruction::Unary(function, argument) if is_finite_only_at_finite(function) => {
            vec![argument]
        }
        Instruction::Curve(_, ref operands) => operands.iter().take(1).copied().collect(),
        Instruction::Recip(_)
        | Instruction::Powi(..)
        | Instruction::Unary(..)
        | Instruction::Binary(..)
        | Instruction::Select(..) => Vec::new(),
        ref other => other.operands(),
    }
}

/// Returns whether a function is finite only at finite arguments.
fn is_finite_only_at_finite(function: Unary) -> bool {
    matches!(
        function,
        Unary::Sin | Unary::Cos | Unary::Tan | Unary::Sqrt | Unary::Abs
    )
}
