//! Where a `nonholonomic` constraint is not affine in the velocities.

use lagrange_engine::{NodeId, velocity_degree};

use super::Side;
use crate::lower::evaluator::Evaluator;
use crate::syntax::ast::{Expr, ExprKind};

const NOT_AFFINE: &str = "not affine in the velocities: a `nonholonomic` constraint is \
     `A v + b = 0`, where A and b depend on positions and time only";

impl Evaluator<'_> {
    /// Reports each smallest part of the sides that is not affine, if the residual is not.
    pub(super) fn refuse_non_affine(
        &mut self,
        entries: &[NodeId],
        sides: &[Side<'_>; 2],
    ) -> Option<()> {
        if self.are_affine(entries) {
            return Some(());
        }
        for side in sides {
            let value = side.value.as_ref();
            if value.is_some_and(|value| !self.are_affine(&value.entries)) {
                self.report_non_affine(side.expr);
            }
        }
        None
    }

    fn are_affine(&self, entries: &[NodeId]) -> bool {
        let degree = |entry: &NodeId| velocity_degree(&self.graph, *entry);
        entries
            .iter()
            .all(|entry| degree(entry).is_some_and(|degree| degree <= 1))
    }

    fn report_non_affine(&mut self, expr: &Expr) {
        let mut is_smallest = true;
        for part in parts(expr) {
            let value = self.evaluate(part);
            if value.is_some_and(|value| !self.are_affine(&value.entries)) {
                is_smallest = false;
                self.report_non_affine(part);
            }
        }
        if is_smallest {
            self.errors.error(expr, NOT_AFFINE);
        }
    }
}

/// The expressions that an expression is made of and that have a value for themselves.
fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Number(_)
        | ExprKind::Name { .. }
        | ExprKind::SumOver { .. }
        | ExprKind::Error => Vec::new(),
        ExprKind::Neg(inner) => vec![inner],
        ExprKind::Sum { first, rest } => {
            let rest = rest.iter().map(|(_, _, term)| term);
            std::iter::once(&**first).chain(rest).collect()
        }
        ExprKind::Product { first, rest } => {
            let rest = rest.iter().map(|(_, _, factor)| factor);
            std::iter::once(&**first).chain(rest).collect()
        }
        ExprKind::Power { base, exponent, .. } => vec![base, exponent],
        ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => vec![base],
        ExprKind::Call { arguments, .. } => arguments.iter().collect(),
        ExprKind::Method {
            receiver,
            arguments,
            ..
        } => std::iter::once(&**receiver).chain(arguments).collect(),
        ExprKind::List(elements) => elements.iter().collect(),
        ExprKind::If { arms, otherwise } => {
            let arms = arms
                .iter()
                .flat_map(|(condition, branch)| [&condition.left, &condition.right, branch]);
            arms.chain([&**otherwise]).collect()
        }
    }
}
