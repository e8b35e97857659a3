//! Which angles have their sines and cosines computed at once.

use std::collections::BTreeSet;

use lagrange_engine::{Instruction, Operand, Schedule};

/// The most at once; a single one is left where it stands.
pub(super) const MOST: usize = 8;

/// So many instructions that an angle is computed by are moved to the front with it, on average.
const MOST_BEFORE: usize = 4;

/// Sines and cosines of angles that do not depend on others, as those of all coordinates do not.
#[derive(Default)]
pub(super) struct Abreast {
    /// The instructions that the angles are computed by.
    pub(super) before: BTreeSet<usize>,
    /// Those of the sines and cosines.
    pub(super) angles: BTreeSet<usize>,
}

impl Abreast {
    pub(super) fn of(schedule: &Schedule) -> Self {
        let mut makers = Vec::new();
        let mut turns = Vec::new();
        let mut angles = BTreeSet::new();
        for (at, instruction) in schedule.instructions.iter().enumerate() {
            let turned = makers_of(instruction, &makers).any(|maker: usize| turns[maker]);
            let is_angle = matches!(instruction, Instruction::SinCos(_));
            if is_angle && !turned {
                angles.insert(at);
            }
            turns.push(turned || is_angle);
            makers.extend((0..instruction.results()).map(|_| at));
        }
        if angles.len() % MOST == 1 {
            angles.pop_last();
        }
        let mut before = BTreeSet::new();
        let mut open: Vec<usize> = angles.iter().copied().collect();
        while let Some(at) = open.pop() {
            let of_angle = schedule.instructions.get(at);
            for maker in of_angle.into_iter().flat_map(|i| makers_of(i, &makers)) {
                if before.insert(maker) {
                    open.push(maker);
                }
            }
        }
        if before.len() > MOST_BEFORE * angles.len() {
            return Self::default();
        }
        Self { before, angles }
    }
}

/// The instructions that compute its operands.
fn makers_of(instruction: &Instruction, makers: &[usize]) -> impl Iterator<Item = usize> {
    let operands = instruction.operands().into_iter();
    operands.filter_map(|operand| match operand {
        Operand::Temporary(index) => makers.get(index as usize).copied(),
        _ => None,
    })
}
