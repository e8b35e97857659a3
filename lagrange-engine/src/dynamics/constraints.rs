//! The constraint terms, rows of holonomic ones first, each kind in order of declaration.
//!
//! - residual: g(q, t) of the holonomic rows
//! - velocity level: dg/dt = J v + dg/dt|_q, or the nonholonomic residual r(q, v, t)
//! - J = dg/dq, or dr/dv
//! - acceleration level: J a = gamma, with gamma = -(d/dt of the velocity level at a = 0)

use super::terms::Derivation;
use crate::{Constraint, ConstraintKind, NodeId};

/// What the constraints of a system give; empty vectors where there are none.
#[derive(Clone, Default, Debug)]
pub struct ConstraintTerms {
    /// The names of the c rows.
    pub names: Vec<String>,
    /// g: one for each of the h holonomic rows.
    pub residual: Vec<NodeId>,
    /// J v + dg/dt, or r: c entries.
    pub velocity: Vec<NodeId>,
    /// J, row by row: c x n entries.
    pub jacobian: Vec<NodeId>,
    /// gamma: c entries.
    pub gamma: Vec<NodeId>,
}

impl ConstraintTerms {
    /// The number c of rows.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no constraint.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The columns of J: n lists of c entries.
    pub(crate) fn columns(&self, n: usize) -> Vec<Vec<NodeId>> {
        let column = |j| self.jacobian.iter().skip(j).step_by(n).copied().collect();
        (0..n).map(column).collect()
    }

    /// Row `i` of J.
    pub fn row(&self, i: usize) -> &[NodeId] {
        let n = self.jacobian.len() / self.len().max(1);
        &self.jacobian[i * n..(i + 1) * n]
    }
}

impl Derivation {
    pub(super) fn constraint_terms(&mut self, constraints: &[Constraint]) -> ConstraintTerms {
        let of_kind = |kind| constraints.iter().filter(move |c| c.kind == kind);
        let mut terms = ConstraintTerms::default();
        for constraint in of_kind(ConstraintKind::Holonomic) {
            let jacobian = self.gradient_in_q(constraint.residual);
            terms.residual.push(constraint.residual);
            let velocity = self.rates_at_constant_velocity(&[constraint.residual]);
            terms.velocity.extend(velocity);
            terms.jacobian.extend(jacobian);
            terms.names.push(constraint.name.clone());
        }
        for constraint in of_kind(ConstraintKind::Nonholonomic) {
            let jacobian = self.momenta(constraint.residual);
            terms.velocity.push(constraint.residual);
            terms.jacobian.extend(jacobian);
            terms.names.push(constraint.name.clone());
        }
        let rates = self.rates_at_constant_velocity(&terms.velocity);
        terms.gamma = rates.into_iter().map(|rate| self.graph.neg(rate)).collect();
        terms
    }

    /// What the constraints' velocity level has beside J v: where it is not zero, the constraint
    /// forces do work.
    pub(super) fn work_of_constraints(&mut self, terms: &ConstraintTerms) -> Vec<NodeId> {
        self.at_rest(&terms.velocity)
    }
}
