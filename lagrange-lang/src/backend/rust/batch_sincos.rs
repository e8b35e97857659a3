//! Selects the angles whose sines and cosines are computed in one batch.

use crate::backend::rust::cost_model::{MOST_ANGLES, MOST_BEFORE_ANGLE};
use lagrange_engine::{Instruction, Operand, Schedule};

/// Sines and cosines of angles that do not depend on other sines and cosines, such as the coordinates.
#[derive(Default)]
pub(super) struct Abreast {
    /// The instructions that compute the angles, in order.
    pub(super) before: Vec<usize>,
    /// The instructions of the sines and cosines.
    pub(super) angles: Vec<usize>,
    /// For each instruction, true if it is in one of these lists. Empty if there is no batch.
    is_chosen: Vec<bool>,
}

impl Abreast {
    pub(super) fn of(schedule: &Schedule) -> Self {
        let instructions = &schedule.instructions[..];
        let mut makers = Vec::with_capacity(instructions.len());
        let mut turns = vec![false; instructions.len()];
        let mut angles = Vec::new();
        for (at, instruction) in instructions.iter().enumerate() {
            let mut turned = false;
            for_each_maker(instruction, &makers, |maker| turned |= turns[maker]);
            let is_angle = matches!(instruction, Instruction::SinCos(_));
            if is_angle && !turned {
                angles.push(at);
            }
            turns[at] = turned || is_angle;
            for _ in 0..instruction.results() {
                makers.push(at);
            }
        }
        if angles.len() % MOST_ANGLES == 1 {
            angles.pop();
        }
        let mut is_chosen = vec![false; instructions.len()];
        let mut before = Vec::new();
        let mut open = angles.clone();
        while let Some(at) = open.pop() {
            for_each_maker(&instructions[at], &makers, |maker| {
                if !is_chosen[maker] {
                    is_chosen[maker] = true;
                    before.push(maker);
                    open.push(maker);
                }
            });
        }
        if before.len() > MOST_BEFORE_ANGLE * angles.len() {
            return Self::default();
        }
        before.sort_unstable();
        for at in &angles {
            is_chosen[*at] = true;
        }
        Self {
            before,
            angles,
            is_chosen,
        }
    }

    /// Returns whether an instruction is in the batch.
    pub(super) fn has(&self, at: usize) -> bool {
        self.is_chosen.get(at).is_some_and(|chosen| *chosen)
    }
}

/// Visits the instructions that compute its operands.
fn for_each_maker(instruction: &Instruction, makers: &[usize], mut visit: impl FnMut(usize)) {
    instruction.for_each_operand(|operand| {
        if let Operand::Temporary(index) = operand {
            visit(makers[index as usize]);
        }
    });
}
