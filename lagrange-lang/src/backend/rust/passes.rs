//! What is decided on a schedule before it is printed: which sines and cosines are computed in one batch, and which
//! instructions are written inside the expression that reads them, without a name.
//!
//! An instruction needs no name if its value is read once, and only instructions without a name are between the
//! instruction and the reader. The computation and its order stay the same. A name takes five tokens and some checks of
//! rustc. More than half of the instructions of arms need no name.

use lagrange_engine::{Instruction, Operand, Schedule};

use super::cost_model::{MOST_ANGLES, MOST_BEFORE_ANGLE, MOST_NESTED, MOST_WAITING};

/// Sines and cosines of angles that do not depend on other sines and cosines, such as the coordinates.
#[derive(Default)]
pub(super) struct Abreast {
    /// The instructions that compute the angles, in order.
    pub(super) before: Vec<usize>,
    /// The instructions of the sines and cosines.
    pub(super) angles: Vec<usize>,
    /// For each instruction, true if `before` or `angles` has the instruction. Empty if there is no batch.
    is_chosen: Vec<bool>,
}

impl Abreast {
    pub(super) fn of(schedule: &Schedule) -> Self {
        let instructions = &schedule.instructions[..];
        let mut sources = Vec::with_capacity(instructions.len());
        let mut turns = vec![false; instructions.len()];
        let mut angles = Vec::new();
        for (index, instruction) in instructions.iter().enumerate() {
            let mut turned = false;
            for_each_source(instruction, &sources, |source| turned |= turns[source]);
            let is_angle = matches!(instruction, Instruction::SinCos(_));
            if is_angle && !turned {
                angles.push(index);
            }
            turns[index] = turned || is_angle;
            for _ in 0..instruction.results() {
                sources.push(index);
            }
        }
        if angles.len() % MOST_ANGLES == 1 {
            angles.pop();
        }
        let mut is_chosen = vec![false; instructions.len()];
        let mut before = Vec::new();
        let mut open = angles.clone();
        while let Some(index) = open.pop() {
            for_each_source(&instructions[index], &sources, |source| {
                if !is_chosen[source] {
                    is_chosen[source] = true;
                    before.push(source);
                    open.push(source);
                }
            });
        }
        if before.len() > MOST_BEFORE_ANGLE * angles.len() {
            return Self::default();
        }
        before.sort_unstable();
        for index in &angles {
            is_chosen[*index] = true;
        }
        Self {
            before,
            angles,
            is_chosen,
        }
    }

    /// Returns whether an instruction is in the batch.
    pub(super) fn has(&self, index: usize) -> bool {
        self.is_chosen.get(index).is_some_and(|chosen| *chosen)
    }
}

/// Visits the instructions that compute the operands of an instruction.
fn for_each_source(instruction: &Instruction, sources: &[usize], mut visit: impl FnMut(usize)) {
    instruction.for_each_operand(|operand| {
        if let Operand::Temporary(index) = operand {
            visit(sources[index as usize]);
        }
    });
}

#[derive(Default)]
pub(super) struct Nested {
    /// For each temporary, the position of its instruction in `instructions` plus 1, or 0.
    places: Vec<u32>,
    instructions: Vec<Instruction>,
}

impl Nested {
    /// The nested instructions of consecutive sequences. Each instruction has the index of its first temporary.
    pub(super) fn of(sequences: &[&[(usize, &Instruction)]], uses: &[u32]) -> Self {
        let mut nested = Nested {
            places: vec![0; uses.len()],
            instructions: Vec::new(),
        };
        for sequence in sequences {
            // The values that wait to be read. No instruction with a name has come after them.
            let mut waiting: Vec<Waiting> = Vec::new();
            for (first, instruction) in *sequence {
                let depth = nested.take(&mut waiting, instruction);
                if uses[*first] == 1 && instruction.results() == 1 && depth < MOST_NESTED {
                    if waiting.len() == MOST_WAITING {
                        waiting.drain(..MOST_WAITING / 2);
                    }
                    waiting.push(Waiting {
                        temporary: *first,
                        instruction: (*instruction).clone(),
                        depth,
                    });
                } else {
                    waiting.clear();
                }
            }
        }
        nested
    }

    /// Removes the operands of an instruction from the waiting values, the last operand first, because operands are
    /// evaluated in order. Returns the nesting depth of the result.
    fn take(&mut self, waiting: &mut Vec<Waiting>, instruction: &Instruction) -> usize {
        let (mut few, mut count) = ([Operand::Constant(0.0); 4], 0);
        let operands = match instruction {
            Instruction::Curve(_, operands) => &operands[..],
            _ => {
                instruction.for_each_operand(|operand| {
                    few[count] = operand;
                    count += 1;
                });
                &few[..count]
            }
        };
        let mut depth = 0;
        for operand in operands.iter().rev() {
            let Operand::Temporary(index) = *operand else {
                continue;
            };
            let is_operand = |other: &Waiting| other.temporary == index as usize;
            if waiting.last().is_some_and(is_operand) {
                if let Some(last) = waiting.pop() {
                    self.instructions.push(last.instruction);
                    self.places[last.temporary] = self.instructions.len() as u32;
                    depth = depth.max(last.depth + 1);
                }
            } else if let Some(place) = waiting.iter().position(is_operand) {
                // This value and all values that wait before this one must be evaluated first, so all of them get names.
                waiting.drain(..=place);
            }
        }
        depth
    }

    /// The number of named temporaries among the first ones.
    pub(super) fn count_names(&self, temporaries: usize) -> usize {
        self.places
            .iter()
            .take(temporaries)
            .filter(|place| **place == 0)
            .count()
    }

    /// The instruction of a temporary without a name.
    pub(super) fn get(&self, temporary: usize) -> Option<Instruction> {
        match self.places.get(temporary) {
            None | Some(0) => None,
            Some(place) => Some(self.instructions[*place as usize - 1].clone()),
        }
    }
}

/// An instruction whose value is read by a later one.
struct Waiting {
    temporary: usize,
    instruction: Instruction,
    /// Its nesting depth.
    depth: usize,
}

/// The number of reads of each temporary, by instructions and results.
pub(super) fn count_uses(
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

#[cfg(test)]
mod tests {
    use super::*;

    const X: Operand = Operand::Symbol(lagrange_engine::Symbol::Time);

    fn t(index: u32) -> Operand {
        Operand::Temporary(index)
    }

    /// The values of these instructions that have no name.
    fn without_names(code: &[Instruction], results: &[Operand]) -> Vec<usize> {
        let sequence: Vec<(usize, &Instruction)> = code.iter().enumerate().collect();
        let uses = count_uses(code.len(), [code, &[]], &[results]);
        let nested = Nested::of(&[&sequence], &uses);
        let unnamed: Vec<usize> = (0..code.len())
            .filter(|at| nested.get(*at).is_some())
            .collect();
        assert_eq!(nested.count_names(code.len()), code.len() - unnamed.len());
        unnamed
    }

    #[test]
    fn what_is_read_once_and_next_has_no_name() {
        let code = [
            Instruction::Add(X, X),
            Instruction::Mul(t(0), X),
            Instruction::Add(t(1), t(1)),
            Instruction::Neg(t(2)),
        ];
        assert_eq!(without_names(&code, &[t(3)]), [0, 2]);
        assert_eq!(without_names(&code, &[t(0), t(2)]), [0; 0]);
    }

    #[test]
    fn operands_stay_in_order() {
        let squares = [Instruction::Mul(X, X), Instruction::Add(X, X)];
        let followed = |last| [squares[0].clone(), squares[1].clone(), last];
        let in_order = followed(Instruction::Sub(t(0), t(1)));
        assert_eq!(without_names(&in_order, &[t(2)]), [0, 1]);
        let turned = followed(Instruction::Sub(t(1), t(0)));
        assert_eq!(without_names(&turned, &[t(2)]), [1]);
        // The first value is read before the second.
        let apart = [
            squares[0].clone(),
            squares[1].clone(),
            Instruction::Neg(t(0)),
            Instruction::Sub(t(1), t(2)),
        ];
        assert_eq!(without_names(&apart, &[t(3)]), [1, 2]);
    }

    #[test]
    fn chains_are_cut() {
        let mut code = vec![Instruction::Neg(X)];
        code.extend((0..99).map(|index| Instruction::Add(t(index), X)));
        let unnamed = without_names(&code, &[t(99)]);
        let named: Vec<usize> = (0..100).filter(|at| !unnamed.contains(at)).collect();
        assert_eq!(
            named[..3],
            [MOST_NESTED, 2 * MOST_NESTED + 1, 3 * MOST_NESTED + 2]
        );
    }
}
