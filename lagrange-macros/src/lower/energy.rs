//! `T`, `V`, `L` and `D`.

use lagrange_engine::NodeId;
use proc_macro2::{Ident, Span};

use super::blame::Forbidden;
use super::expression::ScalarAndTerms;
use super::lowering::Lowering;
use crate::errors::SpanRange;
use crate::syntax::ast::{AssignOp, EnergyTerm, Expr};

impl Lowering<'_> {
    pub(super) fn energy(
        &mut self,
        term: EnergyTerm,
        keyword: &Ident,
        (op, op_span): (AssignOp, Span),
        expr: &Expr,
    ) {
        if let Some(other) = self.energies.conflict(term) {
            let message = format!(
                "`{keyword}` beside `{other}`\n\n\
                 help: give either `L`, or `T` and `V`: L = T - V"
            );
            self.evaluator.errors.error(keyword, message);
        }
        if let Err(misplaced) = self.energies.term(term).give(op) {
            let (place, message) = misplaced.report(&keyword.to_string(), keyword.into(), op_span);
            self.evaluator.errors.error(place, message);
        }
        if let Some((value, terms)) = self.energy_value(term, keyword, expr) {
            let place = SpanRange {
                first: keyword.span(),
                last: expr.last,
            };
            self.record(term, place, value, terms);
        } else {
            self.energies.term(term).broken = true;
        }
    }

    /// A sound energy and its terms.
    fn energy_value(
        &mut self,
        term: EnergyTerm,
        keyword: &Ident,
        expr: &Expr,
    ) -> Option<(NodeId, Vec<NodeId>)> {
        let evaluator = &mut self.evaluator;
        let rule = format!("`{keyword}` is a scalar");
        let ScalarAndTerms { whole, terms } = evaluator.scalar_and_terms(expr, &rule);
        let forbidden: &[Forbidden] = match term {
            EnergyTerm::Dissipation => &[],
            EnergyTerm::Potential => &[Forbidden::Input, Forbidden::Velocity],
            EnergyTerm::Kinetic | EnergyTerm::Lagrangian => &[Forbidden::Input],
        };
        // Terms may cancel; where one has a mistake, the others are judged alone.
        let judged: &[NodeId] = match &whole {
            Some(whole) => std::slice::from_ref(whole),
            None => &terms,
        };
        evaluator.refuse_dependence(0, judged, forbidden, &format!("`{keyword}`"))?;
        Some((whole?, terms))
    }

    fn record(&mut self, term: EnergyTerm, place: SpanRange, value: NodeId, terms: Vec<NodeId>) {
        self.energies.term(term).values.push(value);
        match term {
            EnergyTerm::Kinetic => self.energies.kinetic_statements.push((place, value)),
            EnergyTerm::Potential => {
                // A sum counts as a whole and by its terms.
                self.energies.potential_parts.push(value);
                self.energies.potential_parts.extend(terms);
            }
            EnergyTerm::Lagrangian | EnergyTerm::Dissipation => {}
        }
    }
}
