//! The current position of the evaluation: the statement of each block, and the iteration of each loop.

use std::collections::HashMap;

use crate::syntax::ast::{BlockKind, Expr, Statement, StatementKind, text};
use crate::syntax::name_scopes::called;

/// The blocks around the current statement, the outermost one first.
#[derive(Default)]
pub(crate) struct Blocks {
    blocks: Vec<Block>,
    indices: Vec<LoopIndex>,
    /// The number of iterations of all loops so far.
    pub(super) iterations: usize,
}

struct Block {
    /// The last statement that declares each name, and its keyword.
    declarations: HashMap<String, (usize, &'static str)>,
    /// Index of the current statement.
    position: usize,
}

/// The variable of a loop and its value, unless that has a mistake.
struct LoopIndex {
    name: String,
    value: Option<i64>,
}

impl Blocks {
    pub(super) fn enter(&mut self, statements: &[Statement]) {
        self.blocks.push(Block {
            declarations: declarations(statements),
            position: 0,
        });
    }

    pub(super) fn leave(&mut self) {
        self.blocks.pop();
    }

    pub(super) fn is_in_loop(&self) -> bool {
        !self.indices.is_empty()
    }

    /// Sets the current statement of the innermost block.
    pub(super) fn reach(&mut self, position: usize) {
        if let Some(block) = self.blocks.last_mut() {
            block.position = position;
        }
    }

    /// The keyword of a later statement that declares this name. The name of a function is written as [`called`].
    pub(super) fn declared_later(&self, name: &str) -> Option<&'static str> {
        self.blocks.iter().find_map(|block| {
            let (position, keyword) = block.declarations.get(name)?;
            (*position > block.position).then_some(*keyword)
        })
    }

    /// The index of the current statement in each block. It is the same in every iteration.
    pub(super) fn statement(&self) -> Vec<usize> {
        self.blocks.iter().map(|block| block.position).collect()
    }

    pub(super) fn begin_iteration(&mut self, name: String, value: Option<i64>) {
        self.indices.push(LoopIndex { name, value });
    }

    pub(super) fn end_iteration(&mut self) {
        self.indices.pop();
    }

    /// `[i]` or `[i, j]`, with values: the suffix of a name that each iteration assigns to something else. Empty
    /// outside of loops.
    pub(super) fn subscript(&self) -> String {
        let values: Vec<String> = self
            .values()
            .into_iter()
            .map(|value| value.to_string())
            .collect();
        if values.is_empty() {
            return String::new();
        }
        format!("[{}]", values.join(", "))
    }

    /// The suffixes of names that were assigned in a loop around this one or in this one, the innermost first.
    pub(super) fn subscripts(&self) -> Vec<String> {
        let values: Vec<String> = self.values().iter().map(i64::to_string).collect();
        (1..=values.len())
            .rev()
            .map(|count| format!("[{}]", values[..count].join(", ")))
            .collect()
    }

    /// The values of the loop variables, as far as they are known.
    pub(super) fn values(&self) -> Vec<i64> {
        self.indices
            .iter()
            .filter_map(|index| index.value)
            .collect()
    }

    /// ` (i = 3, j = 0)` for a message about a value that may depend on the iteration.
    pub(super) fn iteration(&self, expr: &Expr) -> String {
        let is_fixed = expr.first_name().is_none();
        let known: Vec<String> = self
            .indices
            .iter()
            .filter_map(|index| Some(format!("{} = {}", index.name, index.value?)))
            .collect();
        if is_fixed || known.is_empty() {
            return String::new();
        }
        format!(" ({})", known.join(", "))
    }
}

/// The last declaration of each name, by a `let`, a `frame` or an `actuator`.
fn declarations(statements: &[Statement]) -> HashMap<String, (usize, &'static str)> {
    statements
        .iter()
        .enumerate()
        .filter_map(|(position, statement)| match &statement.kind {
            StatementKind::Let { name, .. } => Some((text(name), (position, "let"))),
            StatementKind::Frame { name, .. } => Some((text(name), (position, "frame"))),
            StatementKind::Block {
                kind: BlockKind::Actuator,
                name: Some(name),
                ..
            } => Some((text(name), (position, "actuator"))),
            StatementKind::Function(function) => Some((called(&function.name), (position, "let"))),
            _ => None,
        })
        .collect()
}
