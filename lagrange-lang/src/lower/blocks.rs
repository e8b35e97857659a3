//! Where the evaluation is: which statement of which block, and in which iteration of its loops.

use std::collections::HashMap;

use crate::syntax::ast::{BlockKind, Expr, Statement, StatementKind, text};
use crate::syntax::name_scopes::called;

/// The blocks around the statement that is evaluated, the outermost one first.
#[derive(Default)]
pub(crate) struct Blocks {
    blocks: Vec<Block>,
    indices: Vec<LoopIndex>,
    /// How many iterations all loops made so far.
    pub(super) iterations: usize,
}

struct Block {
    /// The last statement that declares each name, and its keyword.
    declarations: HashMap<String, (usize, &'static str)>,
    /// The number of the statement.
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

    /// Notes which statement of the innermost block is next.
    pub(super) fn reach(&mut self, position: usize) {
        if let Some(block) = self.blocks.last_mut() {
            block.position = position;
        }
    }

    /// The keyword of a statement further down that declares this name, of a function as [`called`].
    pub(super) fn declared_later(&self, name: &str) -> Option<&'static str> {
        let mut blocks = self.blocks.iter();
        blocks.find_map(|block| {
            let (position, keyword) = block.declarations.get(name)?;
            (*position > block.position).then_some(*keyword)
        })
    }

    /// The number of the statement in each block: the same in every iteration.
    pub(super) fn statement(&self) -> Vec<usize> {
        self.blocks.iter().map(|block| block.position).collect()
    }

    pub(super) fn begin_iteration(&mut self, name: String, value: Option<i64>) {
        self.indices.push(LoopIndex { name, value });
    }

    pub(super) fn end_iteration(&mut self) {
        self.indices.pop();
    }

    /// `[i]` or `[i, j]`, with values, behind a name that each iteration gives to something else;
    /// nothing outside of loops.
    pub(super) fn subscript(&self) -> String {
        let values = self.values().into_iter();
        let values: Vec<String> = values.map(|value| value.to_string()).collect();
        if values.is_empty() {
            return String::new();
        }
        format!("[{}]", values.join(", "))
    }

    /// The values of the loops' variables, as far as they are known.
    pub(super) fn values(&self) -> Vec<i64> {
        let values = self.indices.iter().filter_map(|index| index.value);
        values.collect()
    }

    /// ` (i = 3, j = 0)` for a message on a value that the iteration may decide.
    pub(super) fn iteration(&self, expr: &Expr) -> String {
        let is_fixed = expr.first_name().is_none();
        let indices = self.indices.iter();
        let known = indices.filter_map(|index| Some(format!("{} = {}", index.name, index.value?)));
        let known: Vec<String> = known.collect();
        if is_fixed || known.is_empty() {
            return String::new();
        }
        format!(" ({})", known.join(", "))
    }
}

/// Where each name is last declared, by a `let`, a `frame` or an `actuator`.
fn declarations(statements: &[Statement]) -> HashMap<String, (usize, &'static str)> {
    let numbered = statements.iter().enumerate();
    let names = numbered.filter_map(|(position, statement)| match &statement.kind {
        StatementKind::Let { name, .. } => Some((text(name), (position, "let"))),
        StatementKind::Frame { name, .. } => Some((text(name), (position, "frame"))),
        StatementKind::Block {
            kind: BlockKind::Actuator,
            name: Some(name),
            ..
        } => Some((text(name), (position, "actuator"))),
        StatementKind::Function(function) => Some((called(&function.name), (position, "let"))),
        _ => None,
    });
    names.collect()
}
