//! Reports the part of a `nonholonomic` constraint that is not affine in the velocities.

use lagrange_engine::{NodeId, velocity_degree};

use super::Side;
use crate::errors::Code;
use crate::lower::evaluator::Evaluator;
use crate::syntax::ast::Expr;

const NOT_AFFINE: &str = "not affine in the velocities: a `nonholonomic` constraint is \
     `A v + b = 0`, where A and b depend on positions and time only";

impl Evaluator<'_> {
    /// If the residual is not affine, reports the first smallest part of the sides that is not. The others are
    /// terms of the same constraint.
    pub(super) fn refuse_non_affine(
        &mut self,
        entries: &[NodeId],
        sides: &[Side<'_>; 2],
    ) -> Option<()> {
        let expr = sides
            .iter()
            .find(|side| {
                let value = side.value.as_ref();
                value.is_some_and(|value| !self.are_affine(&value.entries))
            })
            .unwrap_or(&sides[0])
            .expr;
        self.refuse_curved(entries, (expr, NOT_AFFINE))
    }

    /// If the entries are not affine, reports the first smallest part of the expression that is not.
    pub(in crate::lower) fn refuse_curved(
        &mut self,
        entries: &[NodeId],
        (expr, message): (&Expr, &str),
    ) -> Option<()> {
        if self.are_affine(entries) {
            return Some(());
        }
        let place = self.find_smallest_non_affine(expr);
        self.refuse(place, Code::NotAffine, message)
    }

    fn are_affine(&self, entries: &[NodeId]) -> bool {
        let degree = |entry: &NodeId| velocity_degree(&self.graph, *entry);
        entries
            .iter()
            .all(|entry| degree(entry).is_some_and(|degree| degree <= 1))
    }

    fn find_smallest_non_affine<'x>(&mut self, expr: &'x Expr) -> &'x Expr {
        for part in expr.parts() {
            let value = self.evaluate(part);
            if value.is_some_and(|value| !self.are_affine(&value.entries)) {
                return self.find_smallest_non_affine(part);
            }
        }
        expr
    }
}
