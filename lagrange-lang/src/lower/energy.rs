//! `T`, `V`, `L` and `D`.

use lagrange_engine::{Dependence, NodeId};
use proc_macro2::{Ident, Span};

use super::dependence_errors::{CONSERVATIVE, Forbidden, POTENTIAL};
use super::evaluator::Source;
use super::expression::ScalarAndTerms;
use super::lowering::Lowering;
use super::quoted::quoted;
use super::value::Value;
use crate::errors::{Code, SpanRange};
use crate::syntax::ast::{AssignOp, EnergyTerm, Expr, ExprKind, text};
use crate::tables::{KineticHint, PartKind};

impl Lowering<'_> {
    pub(super) fn lower_energy(
        &mut self,
        term: EnergyTerm,
        keyword: &Ident,
        (op, op_span): (AssignOp, Span),
        expr: &Expr,
    ) {
        if term == EnergyTerm::Lagrangian && is_difference(expr) {
            let message = "`L = T - V` is understood: `T` and `V` give the Lagrangian\n\n\
                           help: remove this statement";
            self.evaluator
                .errors
                .error(keyword, Code::TwoLagrangians, message);
            return;
        }
        if let Some(other) = self.energies.conflict(term) {
            let message = format!(
                "`{keyword}` beside `{other}`\n\n\
                 help: give either `L`, or `T` and `V`: L = T - V"
            );
            self.evaluator
                .errors
                .error(keyword, Code::TwoLagrangians, message);
        }
        if let Err(misplaced) = self.energies.term(term).give(op) {
            let (place, message) = misplaced.report(&keyword.to_string(), keyword.into(), op_span);
            self.evaluator
                .errors
                .error(place, Code::GivenTwice, message);
        }
        if let Some((value, terms)) = self.evaluate_energy(term, keyword, expr) {
            let place = SpanRange {
                first: keyword.span(),
                last: expr.last,
            };
            match term {
                EnergyTerm::Kinetic => self.note_hints(expr, value),
                EnergyTerm::Lagrangian => self.note_lost_rates(expr),
                EnergyTerm::Potential | EnergyTerm::Dissipation => {}
            }
            self.record(term, place, value, terms);
        } else {
            self.energies.term(term).broken = true;
        }
    }

    /// An energy without mistakes, and its terms.
    fn evaluate_energy(
        &mut self,
        term: EnergyTerm,
        keyword: &Ident,
        expr: &Expr,
    ) -> Option<(NodeId, Vec<NodeId>)> {
        let evaluator = &mut self.evaluator;
        let rule = format!("`{keyword}` is a scalar");
        let ScalarAndTerms { whole, terms } = evaluator.evaluate_scalar_and_terms(expr, &rule);
        let forbidden: &[Forbidden] = match term {
            EnergyTerm::Dissipation => &[],
            EnergyTerm::Potential => &POTENTIAL,
            EnergyTerm::Kinetic | EnergyTerm::Lagrangian => &CONSERVATIVE,
        };
        // Terms may cancel in the sum. If one has a mistake, the others are judged separately.
        let nodes: &[NodeId] = match &whole {
            Some(whole) => std::slice::from_ref(whole),
            None => &terms,
        };
        evaluator.refuse_dependence(0, nodes, forbidden, &format!("`{keyword}`"))?;
        let whole = whole?;
        evaluator.note_energy(expr, whole, term == EnergyTerm::Dissipation);
        Some((whole, terms))
    }

    /// Notes possible reasons why this statement gives no inertia.
    fn note_hints(&mut self, expr: &Expr, value: NodeId) {
        self.note_lost_rates(expr);
        let evaluator = &mut self.evaluator;
        let value = Value::scalar(value);
        if value
            .dependence(&evaluator.graph)
            .intersects(Dependence::VELOCITY)
        {
            let rates = find_rates_of_powers(expr);
            self.energies.hints.extend(rates);
            return;
        }
        if let Some((place, Source::Declared(name) | Source::Let(name))) =
            evaluator.find_first_mention(Dependence::COORDINATE)
        {
            self.energies
                .hints
                .push(KineticHint::Coordinate { place, name });
        }
    }

    /// Notes the velocities in this statement, and their factors if these are zero.
    fn note_lost_rates(&mut self, expr: &Expr) {
        let zero = self
            .evaluator
            .zero_factors()
            .iter()
            .cloned()
            .map(|(place, others)| KineticHint::ZeroFactor { place, others });
        self.energies.hints.extend(zero);
        let rates = self.evaluator.collect_mentioned_rates();
        if !rates.is_empty() {
            let place = expr.into();
            self.energies
                .hints
                .push(KineticHint::Mentioned { place, rates });
        }
    }

    fn record(&mut self, term: EnergyTerm, place: SpanRange, value: NodeId, terms: Vec<NodeId>) {
        self.energies.term(term).values.push(value);
        match term {
            EnergyTerm::Potential => self.note_part(PartKind::Potential, place.first, value),
            EnergyTerm::Dissipation => self.note_part(PartKind::Dissipation, place.first, value),
            EnergyTerm::Kinetic | EnergyTerm::Lagrangian => {}
        }
        let written = self.written(place.first);
        // A sum counts as a whole and term by term.
        let parts: Vec<NodeId> = std::iter::once(value).chain(terms).collect();
        let energies = &mut self.energies;
        match term {
            EnergyTerm::Kinetic => energies.kinetic_statements.push((place, value)),
            EnergyTerm::Potential => {
                energies.potential_parts.extend(&parts);
                energies.potential_statements.push((written, parts));
            }
            EnergyTerm::Dissipation => energies.dissipation_statements.push((written, parts)),
            EnergyTerm::Lagrangian => {}
        }
    }
}

/// Returns whether this consists of `T` and `V` alone, like the definition of L.
fn is_difference(expr: &Expr) -> bool {
    let (mut kinetic, mut others) = (false, false);
    expr.for_each_name(&mut |name| match text(name).as_str() {
        "T" => kinetic = true,
        "V" => {}
        _ => others = true,
    });
    kinetic && !others
}

/// Each `der(x^2)` in the expression.
fn find_rates_of_powers(expr: &Expr) -> Vec<KineticHint> {
    let mut hints = Vec::new();
    if let ExprKind::Call {
        function,
        arguments,
        ..
    } = &expr.kind
        && let [
            Expr {
                kind: ExprKind::Power { base, .. },
                ..
            },
        ] = &arguments[..]
        && text(function) == "der"
    {
        hints.push(KineticHint::RateOfPower {
            place: expr.into(),
            of: quoted(base).unwrap_or_else(|| "x".to_owned()),
        });
    }
    for part in expr.parts() {
        hints.extend(find_rates_of_powers(part));
    }
    hints
}
