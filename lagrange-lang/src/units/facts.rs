//! The record of the conditions on units that the text of a declaration states.

use lagrange_engine::{NodeId, Number, Symbol};

use super::unit::Unit;
use crate::errors::SpanRange;

/// A unit beside a declaration or a number.
#[derive(Clone)]
pub(crate) struct Label {
    pub(crate) unit: Unit,
    /// As written, without blanks.
    pub(crate) text: String,
    pub(crate) place: SpanRange,
}

/// Two sides that have one unit.
pub(crate) struct Fact {
    /// The smallest term that can be wrong.
    pub(crate) place: SpanRange,
    pub(crate) sides: [Side; 2],
    /// The values that have no unit if the sides disagree: those of the smallest expression with both.
    pub(crate) results: Vec<NodeId>,
}

/// A product of powers, and its name in messages.
#[derive(Clone)]
pub(crate) struct Side {
    pub(crate) factors: Vec<(Factor, i32)>,
    pub(crate) words: String,
}

#[derive(Clone, Copy)]
pub(crate) enum Factor {
    Node(NodeId),
    /// The unit of T and V.
    Energy,
    /// The unit of positions in space.
    Length,
    Second,
}

impl Side {
    pub(crate) fn new(factors: Vec<(Factor, i32)>, words: impl Into<String>) -> Self {
        Side {
            factors,
            words: words.into(),
        }
    }

    pub(crate) fn node(node: NodeId, words: impl Into<String>) -> Self {
        Self::new(vec![(Factor::Node(node), 1)], words)
    }

    pub(crate) fn pure(words: &str) -> Self {
        Self::new(Vec::new(), words)
    }
}

/// The first number of the symbols that stand for numbers. Parameters have smaller ones.
const FIRST_LITERAL: u32 = 1 << 24;

/// A number that may have a unit of its own.
pub(crate) struct Literal {
    pub(crate) number: Number,
    pub(crate) label: Option<Label>,
}

/// The facts of a declaration in the order of the text, and its numbers.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) all: Vec<Fact>,
    pub(crate) literals: Vec<Literal>,
}

impl Facts {
    /// The symbol that stands for a number of unknown unit.
    pub(crate) fn literal(&mut self, literal: Literal) -> Symbol {
        self.literals.push(literal);
        Self::symbol(self.literals.len() - 1)
    }

    /// The symbol of the literal at this position.
    pub(super) fn symbol(position: usize) -> Symbol {
        Symbol::Parameter(FIRST_LITERAL + position as u32)
    }

    /// The number for which a symbol stands.
    pub(crate) fn literal_of(&self, symbol: Symbol) -> Option<&Literal> {
        match symbol {
            Symbol::Parameter(at) => {
                let position = at.checked_sub(FIRST_LITERAL)?;
                self.literals.get(position as usize)
            }
            _ => None,
        }
    }
}
