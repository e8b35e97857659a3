//! The expressions of a request, and those that a search begins with.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use super::Program;
use crate::forms::{Derived, Mark};
use crate::{NodeId, Quantity};

/// The entries of several quantities, and the quantity of each.
#[derive(Clone, Default, Debug)]
pub(super) struct Entries {
    pub(super) nodes: Vec<NodeId>,
    pub(super) parts: Vec<Range<usize>>,
}

impl Entries {
    pub(super) fn of(program: &Program) -> Self {
        Self {
            nodes: program.expressions.clone(),
            parts: program.parts.clone(),
        }
    }
}

/// Derived quantities, apart from those of analyses.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(super) derived: RefCell<Derived>,
    /// The state in which each request begins.
    pub(super) mark: Mark,
    /// The candidates of the equations of motion and of each shared quantity.
    pub(super) likely: HashMap<Vec<Quantity>, Vec<Entries>>,
}
