//! Which instructions are written where their values are read, without a name.
//!
//! Those whose value the next one alone reads: what is computed, and in which order, stays the same. A name takes five
//! tokens, and rustc some checks; more than half of the instructions of arms need none.

use lagrange_engine::{Instruction, Operand};

/// So many are written within each other, since rustc checks expressions by recursion.
const MOST: usize = 8;

#[derive(Default)]
pub(super) struct Nested {
    /// Per temporary: the position of its instruction among these and 1, or 0.
    places: Vec<u32>,
    instructions: Vec<Instruction>,
}

impl Nested {
    /// Of sequences that are written one instruction after the other, each with the number of its first temporary.
    pub(super) fn of(sequences: &[&[(usize, &Instruction)]], uses: &[u32]) -> Self {
        let mut nested = Nested {
            places: vec![0; uses.len()],
            instructions: Vec::new(),
        };
        for sequence in sequences {
            let mut depth = 0;
            for pair in sequence.windows(2) {
                let [(first, instruction), (_, next)] = *pair else {
                    continue;
                };
                let is_nested = depth < MOST
                    && uses[first] == 1
                    && instruction.results() == 1
                    && reads(next, first);
                depth = if is_nested { depth + 1 } else { 0 };
                if is_nested {
                    nested.instructions.push(*instruction);
                    nested.places[first] = nested.instructions.len() as u32;
                }
            }
        }
        nested
    }

    /// How many of the first so many temporaries have names.
    pub(super) fn names(&self, temporaries: usize) -> usize {
        let places = self.places.iter().take(temporaries);
        places.filter(|place| **place == 0).count()
    }

    /// The instruction of a temporary that has no name.
    pub(super) fn get(&self, temporary: usize) -> Option<Instruction> {
        match self.places.get(temporary) {
            None | Some(0) => None,
            Some(place) => Some(self.instructions[*place as usize - 1]),
        }
    }
}

/// How often instructions and results read each of so many temporaries.
pub(super) fn uses(
    count: usize,
    instructions: [&[Instruction]; 2],
    results: &[&[Operand]],
) -> Vec<u32> {
    let mut uses = vec![0; count];
    let mut read = |operand| {
        if let Operand::Temporary(index) = operand {
            uses[index as usize] += 1;
        }
    };
    for instruction in instructions.into_iter().flatten() {
        instruction.for_each_operand(&mut read);
    }
    for result in results.iter().copied().flatten() {
        read(*result);
    }
    uses
}

fn reads(instruction: &Instruction, temporary: usize) -> bool {
    let mut found = false;
    instruction.for_each_operand(|operand| {
        found |= matches!(operand, Operand::Temporary(index) if index as usize == temporary);
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// t0 = x + x; t1 = t0 x; t2 = t1 + t1; t3 = t2 + t0 .. : a value that the next one alone reads.
    #[test]
    fn what_is_read_once_and_next_has_no_name() {
        let x = Operand::Symbol(lagrange_engine::Symbol::Time);
        let [t0, t1, t2] = [0, 1, 2].map(Operand::Temporary);
        let code = [
            Instruction::Add(x, x),
            Instruction::Mul(t0, x),
            Instruction::Add(t1, t1),
            Instruction::Neg(t2),
        ];
        let sequence: Vec<(usize, &Instruction)> = code.iter().enumerate().collect();
        let all = [&code[..], &[]];
        let nested = |results: &[Operand]| {
            let nested = Nested::of(&[&sequence], &uses(4, all, &[results]));
            [0, 1, 2, 3].map(|temporary| nested.get(temporary).is_some())
        };
        assert_eq!(nested(&[Operand::Temporary(3)]), [true, false, true, false]);
        assert_eq!(nested(&[t0, t2]), [false; 4]);
    }

    #[test]
    fn chains_are_cut() {
        let x = Operand::Symbol(lagrange_engine::Symbol::Time);
        let mut code = vec![Instruction::Neg(x)];
        code.extend((0..99).map(|index| Instruction::Add(Operand::Temporary(index), x)));
        let sequence: Vec<(usize, &Instruction)> = code.iter().enumerate().collect();
        let last = [Operand::Temporary(99)];
        let nested = Nested::of(&[&sequence], &uses(100, [&code, &[]], &[&last]));
        let named: Vec<usize> = (0..100).filter(|at| nested.get(*at).is_none()).collect();
        assert_eq!(named[..3], [MOST, 2 * MOST + 1, 3 * MOST + 2]);
        assert_eq!(nested.names(100), named.len());
    }
}
