//! Expressions, by kind. Every part is evaluated before an error is returned, so that all mistakes are reported.

use lagrange_engine::{Comparison as Relation, NodeId, Number, Shape};
use proc_macro2::Span;

use super::algebra::Operand;
use super::evaluator::Evaluator;
use super::value::{Value, in_words};
use crate::errors::Code;
use crate::syntax::ast::{AddOp, CompareOp, Comparison, Expr, ExprKind, MulOp};

/// A scalar that may be a sum.
pub(super) struct ScalarAndTerms {
    pub(super) whole: Option<NodeId>,
    /// The terms without mistakes.
    pub(super) terms: Vec<NodeId>,
}

impl Evaluator<'_> {
    pub(super) fn evaluate(&mut self, expr: &Expr) -> Option<Value> {
        self.afford(expr, 1)?;
        if let Some(value) = self.evaluate_robot(expr) {
            return value;
        }
        match &expr.kind {
            ExprKind::Number(text) => self.evaluate_literal(expr, text),
            ExprKind::Labelled(number, label) => {
                let value = self.evaluate(number)?;
                Some(value.map(|entry| self.symbolize_with_label(entry, Some(label))))
            }
            ExprKind::Text(_) => {
                let message = "expected a number, found a string";
                self.refuse(expr, Code::Number, message)
            }
            ExprKind::Tuple(comma) => {
                let message = "there are no tuples\n\nhelp: write a vector as `[a, b]`";
                self.refuse(*comma, Code::RustForm, message)
            }
            ExprKind::Name { name, dots: 0 } => self.evaluate_name(name),
            ExprKind::Name { name, dots } => self.evaluate_dotted(name, *dots),
            ExprKind::Neg(inner) => {
                let value = self.evaluate(inner)?;
                Some(value.map(|entry| self.graph.neg(entry)))
            }
            ExprKind::Sum {
                first,
                further_terms,
            } => {
                let first = self.evaluate(first);
                let operands = self.evaluate_operands(further_terms);
                self.add_all(expr, first, operands)
            }
            ExprKind::Product {
                first,
                further_factors,
            } => {
                let value = self.evaluate(first);
                let operands = self.evaluate_operands(further_factors);
                let divides = |operand: &&Operand<'_, MulOp>| operand.op == MulOp::Div;
                let factors = operands
                    .iter()
                    .filter(|operand| !divides(operand))
                    .map(|operand| (operand.expr, operand.value.as_ref()));
                let factors = std::iter::once((&**first, value.as_ref())).chain(factors);
                self.note_zero_factors(factors);
                self.multiply_all(expr, value, operands)
            }
            ExprKind::Power {
                base,
                op_span,
                exponent,
            } => {
                let (x, y) = (self.evaluate(base), self.evaluate(exponent));
                self.raise_to_power(*op_span, (base, &x?), (exponent, &y?))
            }
            ExprKind::Field { base, name } => self.evaluate_component(base, name),
            ExprKind::Index {
                base,
                indices,
                span,
            } => self.evaluate_element(base, indices, *span),
            ExprKind::Range { .. } => {
                self.pass_over(expr);
                let message = "a range is no value\n\nhelp: it stands in an index, `v[a..b]`, or for the places of a curve, `table(x, a..b, ys)`";
                self.refuse(expr, Code::RangeForm, message)
            }
            ExprKind::Call {
                function,
                arguments,
                close,
            } => {
                let arguments: Vec<&Expr> = arguments.iter().collect();
                self.evaluate_call(function, &arguments, 0, *close)
            }
            ExprKind::Method {
                receiver,
                function,
                arguments,
                close,
            } if self.is_frame_method(receiver, function) => {
                self.evaluate_frame_method(expr, receiver, function, (arguments, *close))
            }
            ExprKind::Method {
                receiver,
                function,
                arguments,
                close,
            } => self.evaluate_method(receiver, function, arguments, *close),
            ExprKind::List(elements) => self.evaluate_list(expr, elements),
            ExprKind::If { arms, otherwise } => self.evaluate_conditional(arms, otherwise),
            ExprKind::SumOver { head, body } => self.evaluate_sum_over(head, body),
            ExprKind::Bars(inner) => self.evaluate_bars(expr, inner),
            ExprKind::Cut(inner) => {
                self.complete = false;
                self.evaluate(inner)?;
                None
            }
            ExprKind::Error => {
                self.complete = false;
                None
            }
        }
    }

    /// `|e|`, which has a different name for each shape.
    fn evaluate_bars(&mut self, whole: &Expr, inner: &Expr) -> Option<Value> {
        let shape = self.evaluate(inner).map(|value| value.shape);
        self.refuse_bars(whole, inner, shape)
    }

    fn refuse_bars_in(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Bars(inner) => {
                let _refused: Option<Value> = self.refuse_bars(expr, inner, None);
            }
            ExprKind::SumOver { body, .. } => self.refuse_bars_in(body),
            _ => {
                for part in expr.parts() {
                    self.refuse_bars_in(part);
                }
            }
        }
    }

    fn refuse_bars<T>(&mut self, whole: &Expr, inner: &Expr, shape: Option<Shape>) -> Option<T> {
        let written = inner.written().unwrap_or_else(|| "..".to_owned());
        let help = match shape {
            Some(Shape::Scalar) => format!("write `abs({written})`"),
            Some(Shape::Vector(_)) => format!("write `norm({written})`"),
            Some(Shape::Matrix(..)) => {
                "a determinant is written out; of three rows it is `dot(a, cross(b, c))`".to_owned()
            }
            None => "the size of a number is `abs(x)`, the length of a vector `norm(v)`".to_owned(),
        };
        self.complete = false;
        let message = format!("`|` is not an operator of the language\n\nhelp: {help}");
        self.refuse(whole.first, Code::ForeignOperator, message)
    }

    fn evaluate_operands<'x, Op: Copy>(
        &mut self,
        rest: &'x [(Op, Span, Expr)],
    ) -> Vec<Operand<'x, Op>> {
        rest.iter()
            .map(|(op, op_span, expr)| Operand::new(*op, *op_span, expr, self.evaluate(expr)))
            .collect()
    }

    /// The value of a whole scalar, and the value of each top-level term with its sign.
    pub(super) fn evaluate_scalar_and_terms(&mut self, expr: &Expr, rule: &str) -> ScalarAndTerms {
        let (whole, terms) = match &expr.kind {
            ExprKind::Sum {
                first,
                further_terms,
            } => {
                let first = self.evaluate(first);
                let operands = self.evaluate_operands(further_terms);
                let mut terms = vec![first.as_ref().and_then(Value::as_scalar)];
                for operand in &operands {
                    let node = operand.value.as_ref().and_then(Value::as_scalar);
                    terms.push(node.map(|node| match operand.op {
                        AddOp::Add => node,
                        AddOp::Sub => self.graph.neg(node),
                    }));
                }
                (self.add_all(expr, first, operands), terms)
            }
            _ => {
                let value = self.evaluate(expr);
                let node = value.as_ref().and_then(Value::as_scalar);
                (value, vec![node])
            }
        };
        ScalarAndTerms {
            whole: whole.and_then(|whole| self.expect_scalar(expr, &whole, rule)),
            terms: terms.into_iter().flatten().collect(),
        }
    }

    fn evaluate_literal(&mut self, expr: &Expr, text: &str) -> Option<Value> {
        match Number::parse(text) {
            Some(number) => Some(Value::scalar(self.graph.number(number))),
            None => self.refuse(expr, Code::Overflow, "literal out of range"),
        }
    }

    /// If a condition compares numbers, evaluates only the chosen branch. The other one may have no value there,
    /// such as the neighbour of the first element.
    fn evaluate_conditional(
        &mut self,
        arms: &[(Comparison, Expr)],
        otherwise: &Expr,
    ) -> Option<Value> {
        let mut conditions = Vec::new();
        let mut branches: Vec<(&Expr, Option<Value>)> = Vec::new();
        let mut last = Some(otherwise);
        let mut is_open = false;
        for (comparison, branch) in arms {
            if last.is_none() {
                self.pass_over_comparison(comparison);
                self.pass_over(branch);
                continue;
            }
            let condition = self.evaluate_condition(comparison);
            // When a function body is checked without arguments, the condition stays open.
            if condition.is_none() && self.outlined.is_some() {
                self.pass_over(branch);
                (is_open, last) = (true, None);
                continue;
            }
            match condition.and_then(|condition| self.decide(condition)) {
                Some(false) => self.pass_over(branch),
                Some(true) => {
                    branches.push((branch, self.evaluate(branch)));
                    last = None;
                }
                None => {
                    conditions.push(condition);
                    branches.push((branch, self.evaluate(branch)));
                }
            }
        }
        match last {
            Some(otherwise) => branches.push((otherwise, self.evaluate(otherwise))),
            None => self.pass_over(otherwise),
        }
        self.check_branches(&branches)?;
        if is_open {
            return None;
        }
        self.select_branches(conditions, branches)
    }

    /// The value of the first branch whose condition holds, or of the last branch. It is a separate function, so that
    /// an `if` in an `if` takes less stack.
    fn select_branches(
        &mut self,
        conditions: Vec<Option<(Relation, NodeId, NodeId)>>,
        branches: Vec<(&Expr, Option<Value>)>,
    ) -> Option<Value> {
        let noted = self.count_facts();
        for pair in branches.windows(2) {
            if let [(first, Some(a)), (second, Some(b))] = pair {
                self.note_equal_units((*first, a), (*second, b));
            }
        }
        let mut values = branches.into_iter().rev();
        let (last, value) = values.next()?;
        let mut value = value?;
        for (condition, (_, then)) in conditions.into_iter().rev().zip(values) {
            let ((relation, left, right), then) = (condition?, then?);
            self.afford(last, then.entries.len())?;
            let pairs = then.entries.iter().zip(&value.entries);
            let select = |(then, otherwise): (&NodeId, &NodeId)| {
                let graph = &mut self.graph;
                graph.select(relation, left, right, *then, *otherwise)
            };
            value = Value {
                shape: value.shape,
                entries: pairs.map(select).collect(),
            };
        }
        self.note_results(noted, &value.entries);
        Some(value)
    }

    /// Returns whether a condition between numbers holds.
    fn decide(&mut self, (relation, left, right): (Relation, NodeId, NodeId)) -> Option<bool> {
        let left = self.find_constant_number(left)?;
        let right = self.find_constant_number(right)?;
        Some(relation.holds(left.to_f64(), right.to_f64()))
    }

    fn pass_over_comparison(&mut self, comparison: &Comparison) {
        self.pass_over(&comparison.left);
        self.pass_over(&comparison.right);
    }

    /// Notes the names of an expression that is not evaluated.
    pub(super) fn pass_over(&mut self, expr: &Expr) {
        self.refuse_bars_in(expr);
        expr.for_each_name(&mut |name| {
            if let Some(binding) = self.scope.find_mut(name) {
                binding.read = true;
            }
        });
        expr.for_each_call(&mut |name| {
            self.scope.find_function(name);
        });
    }

    fn check_branches(&mut self, branches: &[(&Expr, Option<Value>)]) -> Option<()> {
        let mut known = branches
            .iter()
            .filter_map(|(expr, value)| Some((*expr, value.as_ref()?.shape)));
        let (_, shape) = known.next()?;
        match known.find(|(_, other)| *other != shape) {
            None => Some(()),
            Some((expr, other)) => {
                let (first, second) = (in_words(shape), in_words(other));
                let message =
                    format!("mismatched shapes: this branch is {second}, the first one {first}");
                self.refuse(expr, Code::UnequalShapes, message)
            }
        }
    }

    fn evaluate_condition(
        &mut self,
        comparison: &Comparison,
    ) -> Option<(Relation, NodeId, NodeId)> {
        let left = self.compare(&comparison.left);
        let right = self.compare(&comparison.right);
        let (left, right) = (left?, right?);
        self.note_compared((&comparison.left, left), (&comparison.right, right));
        Some(match comparison.op {
            CompareOp::Less => (Relation::Less, left, right),
            CompareOp::LessEqual => (Relation::LessEqual, left, right),
            CompareOp::Greater => (Relation::Less, right, left),
            CompareOp::GreaterEqual => (Relation::LessEqual, right, left),
            CompareOp::Equal => (Relation::Equal, left, right),
            CompareOp::NotEqual => (Relation::NotEqual, left, right),
        })
    }

    fn compare(&mut self, side: &Expr) -> Option<NodeId> {
        let value = self.evaluate(side)?;
        self.expect_scalar(side, &value, "only scalars can be compared")
    }

    /// The node of a scalar. Otherwise reports an error that begins with `rule`.
    pub(super) fn expect_scalar(
        &mut self,
        expr: &Expr,
        value: &Value,
        rule: &str,
    ) -> Option<NodeId> {
        match value.as_scalar() {
            Some(node) => Some(node),
            None => self.refuse(
                expr,
                Code::WrongShape,
                format!("{rule}, found {}", in_words(value.shape)),
            ),
        }
    }
}
