//! Where a `nonholonomic` constraint is not affine in the velocities.

use lagrange_engine::{NodeId, velocity_degree};

use super::Side;
use crate::lower::evaluator::Evaluator;
use crate::syntax::ast::Expr;

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
        for part in expr.parts() {
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
