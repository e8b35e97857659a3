//! Refuses a declaration at the place where it grows too large, before its compilation takes too long.

use super::evaluator::Evaluator;
use crate::errors::{Code, SpanRange};
use crate::syntax::ast::{Statement, StatementKind};

impl Evaluator<'_> {
    /// Counts work, and stops once a declaration becomes too large. Called before the work is done.
    pub(super) fn afford(&mut self, place: impl Into<SpanRange>, operations: usize) -> Option<()> {
        if self.budget.exhausted {
            return None;
        }
        match self.budget.spend(operations, &self.graph) {
            Some(limit) => self.exceed(place, &limit),
            None => Some(()),
        }
    }

    /// Estimates how long the derivatives of a statement's new expressions take.
    pub(super) fn afford_derivatives(&mut self, statement: &Statement) {
        if self.budget.exhausted {
            return;
        }
        let coordinates = self.names.coordinates.len();
        let limit = self.budget.judge_derivatives(&self.graph, coordinates);
        if let (Some(limit), Some(place)) = (limit, place(statement)) {
            let _reported: Option<()> = self.exceed(place, &limit);
        }
    }

    fn exceed<T>(&mut self, place: impl Into<SpanRange>, limit: &str) -> Option<T> {
        let subject = self.subject();
        let message = format!("{subject} makes the system too large: more than {limit}");
        self.exhaust(place, Code::TooLarge, message)
    }

    /// Reports why nothing is evaluated from here on.
    pub(super) fn exhaust<T>(
        &mut self,
        place: impl Into<SpanRange>,
        code: Code,
        message: impl std::fmt::Display,
    ) -> Option<T> {
        if self.budget.exhausted {
            return None;
        }
        self.budget.exhausted = true;
        self.complete = false;
        self.refuse(place, code, message)
    }

    pub(super) fn is_exhausted(&self) -> bool {
        self.budget.exhausted
    }
}

/// The keyword that names a statement. Statements of a loop are judged one by one.
fn place(statement: &Statement) -> Option<SpanRange> {
    let ident = match &statement.kind {
        StatementKind::For { .. } => return None,
        StatementKind::Let { name, .. }
        | StatementKind::Constraint { name, .. }
        | StatementKind::Contact { name, .. }
        | StatementKind::Frame { name, .. } => name,
        StatementKind::Assign { target, .. } => target,
        StatementKind::Function(function) => &function.name,
        StatementKind::Energy { keyword, .. }
        | StatementKind::GeneralizedForce { keyword, .. }
        | StatementKind::Rate { keyword, .. }
        | StatementKind::Force { keyword, .. }
        | StatementKind::Torque { keyword, .. }
        | StatementKind::Listing { keyword, .. }
        | StatementKind::Symmetry { keyword, .. }
        | StatementKind::Gravity { keyword, .. }
        | StatementKind::Place { keyword, .. }
        | StatementKind::Block { keyword, .. } => keyword,
    };
    Some(ident.into())
}
