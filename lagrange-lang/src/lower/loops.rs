//! `for` and `sum`: the body is evaluated for each value of the variable.

use std::ops::Range;

use lagrange_engine::Number;
use proc_macro2::Ident;

use super::evaluator::Evaluator;
use super::lowering::Lowering;
use super::names;
use super::scope::{Binding, BindingKind};
use super::value::{Value, in_words};
use crate::errors::{Code, SpanRange};
use crate::syntax::ast::{Expr, LoopHead, Statement, text};

/// Maximum number of iterations of all loops of a declaration together.
pub(super) const MAX_ITERATIONS: usize = 32_768;

impl LoopHead {
    fn bounds(&self) -> SpanRange {
        SpanRange {
            first: self.from.first,
            last: self.to.last,
        }
    }
}

impl Lowering<'_> {
    pub(super) fn lower_loop(&mut self, head: &LoopHead, body: &[Statement]) {
        let values = self.evaluator.evaluate_loop_values(head);
        self.all_known &= !values.contains(&None);
        self.evaluator.blocks.enter(body);
        let mut pass = self.evaluator.scope.open_body();
        for value in values {
            let outer = self.evaluator.begin_iteration(&head.variable, value);
            for (position, statement) in body.iter().enumerate() {
                self.evaluator.blocks.reach(position);
                self.lower_statement(statement);
            }
            self.evaluator.end_iteration(outer);
            self.evaluator.scope.end_pass(&mut pass);
            if self.evaluator.is_exhausted() {
                break;
            }
        }
        self.evaluator.blocks.leave();
    }
}

impl Evaluator<'_> {
    /// `sum(i in a..b, body)`, with one sum per component, like the terms written out.
    pub(super) fn evaluate_sum_over(&mut self, head: &LoopHead, body: &Expr) -> Option<Value> {
        let values = self.evaluate_loop_values(head);
        let mut terms = Vec::new();
        let mut pass = self.scope.open_body();
        for value in values {
            let outer = self.begin_iteration(&head.variable, value);
            let term = self.evaluate(body);
            let term = self.require_fitting_term(body, term, terms.first());
            if let (Some(Some(first)), Some(term)) = (terms.first(), &term) {
                self.note_equal_units((body, first), (body, term));
            }
            terms.push(term);
            self.end_iteration(outer);
            self.scope.end_pass(&mut pass);
            if self.is_exhausted() {
                return None;
            }
        }
        let terms: Vec<Value> = terms.into_iter().collect::<Option<_>>()?;
        let shape = terms.first()?.shape;
        self.afford(&head.keyword, terms.len().saturating_mul(shape.len()))?;
        let component = |i: usize| {
            let terms = terms
                .iter()
                .map(|term| (Number::ONE, term.entries[i]))
                .collect();
            self.graph.sum(Number::ZERO, terms)
        };
        let entries = (0..shape.len()).map(component).collect();
        self.require_finite(&head.keyword, Value { shape, entries })
    }

    /// The term, unless its shape differs from that of the first one.
    fn require_fitting_term(
        &mut self,
        body: &Expr,
        term: Option<Value>,
        first: Option<&Option<Value>>,
    ) -> Option<Value> {
        let term = term?;
        let Some(Some(first)) = first else {
            return Some(term);
        };
        if first.shape == term.shape {
            return Some(term);
        }
        let (is, was) = (in_words(term.shape), in_words(first.shape));
        let iteration = self.blocks.iteration(body);
        self.refuse(
            body,
            Code::UnequalShapes,
            format!("mismatched shapes: this term is {is}, the first one {was}{iteration}"),
        )
    }

    /// The values of the variable in order. After a mistake in the bounds there is a single `None`, so that the
    /// body is still checked.
    fn evaluate_loop_values(&mut self, head: &LoopHead) -> Vec<Option<i64>> {
        match self.evaluate_loop_range(head) {
            Some(range) => range.map(Some).collect(),
            None => {
                self.complete = false;
                vec![None]
            }
        }
    }

    fn evaluate_loop_range(&mut self, head: &LoopHead) -> Option<Range<i64>> {
        let bounds = [&head.from, &head.to];
        let [from, to] =
            bounds.map(|expr| self.evaluate_constant_integer(expr, "the bound of a loop"));
        let (from, to) = (from?, to?);
        if from >= to {
            let iteration = self.name_iteration_of(&bounds);
            let message = format!(
                "no number lies in this range: it runs from {from} to {to}, exclusive{iteration}\n\n\
                 help: a range `a..b` has b > a"
            );
            return self.refuse(head.bounds(), Code::EmptyRange, message);
        }
        self.afford_iterations(head, from.abs_diff(to))?;
        Some(from..to)
    }

    fn name_iteration_of(&self, exprs: &[&Expr]) -> String {
        exprs
            .iter()
            .map(|expr| self.blocks.iteration(expr))
            .max_by_key(String::len)
            .unwrap_or_default()
    }

    /// Refuses loops that would take too long to compile, before they are unrolled.
    fn afford_iterations(&mut self, head: &LoopHead, count: u64) -> Option<()> {
        let LoopHead {
            keyword, variable, ..
        } = head;
        let most = MAX_ITERATIONS;
        let Some(count) = usize::try_from(count).ok().filter(|count| *count <= most) else {
            let message = format!(
                "`{keyword}` over `{variable}` is too long to unroll: it has {count} iterations, all \
                 loops of a declaration together at most {most}"
            );
            return self.refuse(head.bounds(), Code::TooManyIterations, message);
        };
        self.blocks.iterations += count;
        if self.blocks.iterations > most {
            let message = format!(
                "the loops are too long to unroll: with this `{keyword}` over `{variable}` they have \
                 more than {most} iterations together"
            );
            return self.exhaust(head.bounds(), Code::TooManyIterations, message);
        }
        Some(())
    }

    /// Declares the variable. Returns the mark that [`Evaluator::end_iteration`] needs.
    fn begin_iteration(&mut self, variable: &Ident, value: Option<i64>) -> usize {
        let outer = self.errors.begin_pass();
        self.blocks.begin_iteration(text(variable), value);
        if names::check(variable, BindingKind::Index, &self.scope, self.errors) {
            self.scope.declare(Binding {
                name: variable.clone(),
                kind: BindingKind::Index,
                value: value.map(|value| Value::scalar(self.graph.integer(value))),
                read: false,
                attributes: Vec::new(),
            });
        } else {
            self.complete = false;
            self.scope.declare_mistaken(variable);
        }
        outer
    }

    fn end_iteration(&mut self, outer: usize) {
        self.blocks.end_iteration();
        self.errors.end_pass(outer);
    }
}
