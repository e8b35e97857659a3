//! Arithmetic on values and its shape rules.
//!
//! | operation | shapes |
//! | --- | --- |
//! | `a + b`, `a - b` | equal shapes |
//! | `s * a`, `a / s` | a scalar and anything |
//! | `A * B` | r x n and n x c; a vector is n x 1 on the left, and on the right of a matrix |
//! | `a^n` | scalars; `v^2` is `dot(v, v)` |
//!
//! A 1 x n matrix times a vector is a scalar, so that `transpose(v) * w` is `dot(v, w)`.

use lagrange_engine::{Binary, Graph, NodeId, Number, Shape};
use proc_macro2::Span;

use super::evaluator::Evaluator;
use super::value::{Value, in_words};
use crate::errors::Code;
use crate::syntax::ast::{AddOp, AssignOp, Expr, MulOp};

/// One term or factor: its value, and the operator before it with its span.
pub(super) struct Operand<'x, Op> {
    pub(super) op: Op,
    pub(super) op_span: Span,
    pub(super) expr: &'x Expr,
    pub(super) value: Option<Value>,
}

/// The factors collected so far.
#[derive(Default)]
struct Factors {
    scalars: Vec<(NodeId, i32)>,
    shaped: Option<Value>,
    /// Some factor has a mistake.
    poisoned: bool,
}

impl Factors {
    fn push(&mut self, factor: Option<Value>) {
        match factor {
            None => self.poisoned = true,
            Some(value) => match value.as_scalar() {
                Some(node) => self.scalars.push((node, 1)),
                None => self.shaped = Some(value),
            },
        }
    }
}

impl<'x, Op> Operand<'x, Op> {
    pub(super) fn new(op: Op, op_span: Span, expr: &'x Expr, value: Option<Value>) -> Self {
        Operand {
            op,
            op_span,
            expr,
            value,
        }
    }
}

impl Evaluator<'_> {
    /// `first + t - u ..`, with one sum per component, so that the cost of a long chain is linear in its length.
    pub(super) fn add_all(
        &mut self,
        whole: &Expr,
        first: Option<Value>,
        operands: Vec<Operand<'_, AddOp>>,
    ) -> Option<Value> {
        let mut poisoned = first.is_none();
        let noted = self.count_facts();
        self.note_terms(whole, first.as_ref(), &operands);
        let mut terms: Vec<(Number, Value)> = first.map(|v| (Number::ONE, v)).into_iter().collect();
        for operand in operands {
            let Some(value) = operand.value else {
                poisoned = true;
                continue;
            };
            match terms.first() {
                Some((_, first)) if first.shape != value.shape => {
                    let (left, right) = (in_words(first.shape), in_words(value.shape));
                    let message = match operand.op {
                        AddOp::Add => format!("mismatched shapes: {left} plus {right}"),
                        AddOp::Sub => format!("mismatched shapes: {left} minus {right}"),
                    };
                    return self.refuse(operand.op_span, Code::OperatorShapes, message);
                }
                _ => {}
            }
            let sign = match operand.op {
                AddOp::Add => Number::ONE,
                AddOp::Sub => Number::MINUS_ONE,
            };
            terms.push((sign, value));
        }
        let shape = terms.first().filter(|_| !poisoned)?.1.shape;
        self.afford(whole, terms.len().saturating_mul(shape.len()))?;
        let component = |graph: &mut Graph, i: usize| {
            let terms = terms
                .iter()
                .map(|(sign, v)| (*sign, v.entries[i]))
                .collect();
            graph.sum(Number::ZERO, terms)
        };
        let entries = (0..shape.len())
            .map(|i| component(&mut self.graph, i))
            .collect();
        let value = self.require_finite(whole, Value { shape, entries })?;
        self.note_results(noted, &value.entries);
        Some(value)
    }

    /// `first * f / g ..`. Scalars commute, so they are collected into one product. Vectors and matrices are
    /// multiplied from the left.
    pub(super) fn multiply_all(
        &mut self,
        whole: &Expr,
        first: Option<Value>,
        operands: Vec<Operand<'_, MulOp>>,
    ) -> Option<Value> {
        let mut factors = Factors::default();
        factors.push(first);
        for operand in operands {
            match operand.op {
                MulOp::Mul => self.multiply_by(&mut factors, operand)?,
                MulOp::Div => self.divide_by(&mut factors, operand)?,
            }
        }
        if factors.poisoned {
            return None;
        }
        self.afford(whole, factors.scalars.len())?;
        let scale = self.graph.product(factors.scalars);
        let value = match factors.shaped {
            None => Value::scalar(scale),
            Some(shaped) => self.scale(whole, scale, &shaped)?,
        };
        self.require_finite(whole, value)
    }

    fn multiply_by(&mut self, factors: &mut Factors, operand: Operand<'_, MulOp>) -> Option<()> {
        let is_shaped = |value: &Value| value.as_scalar().is_none();
        match (factors.shaped.take(), operand.value) {
            // After a mistake further left, the shape of the product is unknown.
            (Some(left), Some(right)) if is_shaped(&right) && !factors.poisoned => {
                let product = self.multiply(operand.op_span, &left, &right)?;
                factors.push(Some(product));
            }
            (left, value) => {
                factors.shaped = left;
                factors.push(value);
            }
        }
        Some(())
    }

    fn divide_by(&mut self, factors: &mut Factors, operand: Operand<'_, MulOp>) -> Option<()> {
        let Some(value) = operand.value else {
            factors.poisoned = true;
            return Some(());
        };
        let Some(node) = value.as_scalar() else {
            let message = format!("cannot divide by {}", in_words(value.shape));
            return self.refuse(operand.op_span, Code::NoSuchOperation, message);
        };
        factors.poisoned |= self.is_zero_divisor(operand.expr, node);
        factors.scalars.push((node, -1));
        Some(())
    }

    fn scale(&mut self, whole: &Expr, scale: NodeId, value: &Value) -> Option<Value> {
        self.afford(whole, value.entries.len())?;
        Some(value.map(|entry| self.graph.mul(scale, entry)))
    }

    /// Reports a divisor that is the number 0.
    pub(super) fn is_zero_divisor(&mut self, divisor: &Expr, node: NodeId) -> bool {
        let is_zero = self.graph.is_zero(node);
        if is_zero {
            let iteration = self.blocks.iteration(divisor);
            self.errors.error(
                divisor,
                Code::DivisionByZero,
                format!("division by zero{iteration}"),
            );
        }
        is_zero
    }

    /// The matrix product of two values that are not scalars.
    fn multiply(&mut self, op_span: Span, left: &Value, right: &Value) -> Option<Value> {
        let mismatch = || {
            let shapes = (in_words(left.shape), in_words(right.shape));
            let help = match (left.shape, right.shape) {
                (Shape::Vector(_), Shape::Vector(_)) => {
                    "\n\nhelp: write `dot(a, b)`, `cross(a, b)` or `outer(a, b)`"
                }
                _ => "",
            };
            format!("mismatched shapes: {} times {}{help}", shapes.0, shapes.1)
        };
        let (rows, inner) = match left.shape {
            Shape::Matrix(rows, columns) => (rows, columns),
            Shape::Vector(length) => (length, 1),
            Shape::Scalar => (1, 1),
        };
        let (height, columns) = match (left.shape, right.shape) {
            (Shape::Vector(_), Shape::Vector(_)) => {
                return self.refuse(op_span, Code::OperatorShapes, mismatch());
            }
            (_, Shape::Matrix(rows, columns)) => (rows, columns),
            (_, Shape::Vector(length)) => (length, 1),
            (_, Shape::Scalar) => (1, 1),
        };
        if inner != height {
            return self.refuse(op_span, Code::OperatorShapes, mismatch());
        }
        let operations = rows.saturating_mul(columns).saturating_mul(inner);
        self.afford(op_span, operations)?;
        let mut entries = Vec::with_capacity(rows * columns);
        let noted = self.count_facts();
        for row in 0..rows {
            for column in 0..columns {
                let of_right: Vec<NodeId> = (0..inner)
                    .map(|k| right.entries[k * columns + column])
                    .collect();
                let of_left = &left.entries[row * inner..(row + 1) * inner];
                self.note_products(op_span, of_left, &of_right);
                entries.push(self.graph.dot(of_left, &of_right));
            }
        }
        self.note_results(noted, &entries);
        let shape = match right.shape {
            Shape::Vector(_) if rows == 1 => Shape::Scalar,
            Shape::Vector(_) => Shape::Vector(rows),
            Shape::Scalar | Shape::Matrix(..) => Shape::Matrix(rows, columns),
        };
        self.require_finite(op_span, Value { shape, entries })
    }

    /// `base^exponent`; `place` is the operator or the function's name.
    pub(super) fn raise_to_power(
        &mut self,
        place: Span,
        base: (&Expr, &Value),
        exponent: (&Expr, &Value),
    ) -> Option<Value> {
        let Some(y) = exponent.1.as_scalar() else {
            let actual = in_words(exponent.1.shape);
            return self.refuse(
                exponent.0,
                Code::WrongShape,
                format!("an exponent is a scalar, found {actual}"),
            );
        };
        match base.1.shape {
            Shape::Scalar => {}
            Shape::Vector(_) => return self.square_vector(exponent.0, base, y),
            Shape::Matrix(..) => {
                let message = "a matrix has no powers\n\nhelp: write the product `A * A`";
                return self.refuse(place, Code::NoSuchOperation, message);
            }
        }
        let x = base.1.as_scalar()?;
        let y = self.replace_symbols_of_numbers(&[y])[0];
        let constant = self.graph.as_number(y);
        self.note_pure(exponent.0, exponent.1, "an exponent");
        if constant.is_some_and(Number::is_negative) && self.is_zero_divisor(base.0, x) {
            return None;
        }
        if constant.is_some_and(|n| is_integer(n) && to_i32(n).is_none()) {
            let message = format!("the exponent is out of range\n\nhelp: {}", EXPONENTS);
            return self.refuse(exponent.0, Code::Overflow, message);
        }
        let is_real = |x: f64| constant.is_none_or(|y| !x.powf(y.to_f64()).is_nan());
        if self
            .estimate_constant(x)
            .is_some_and(|x| !x.into_iter().any(is_real))
        {
            return self.refuse(place, Code::OutsideDomain, "this power has no real value");
        }
        let node = self.graph.binary(Binary::Pow, x, y);
        // The base is an expression, so the exponent is the part that is out of range.
        let is_expression = self.graph.as_number(x).is_none() && !self.is_overflow(x);
        if is_expression && self.is_overflow(node) {
            let message = format!("the exponent is out of range\n\nhelp: {}", EXPONENTS);
            return self.refuse(exponent.0, Code::Overflow, message);
        }
        self.require_finite(place, Value::scalar(node))
    }

    fn square_vector(
        &mut self,
        exponent: &Expr,
        (base, vector): (&Expr, &Value),
        y: NodeId,
    ) -> Option<Value> {
        let noted = self.count_facts();
        self.note_one_unit(base, &vector.entries);
        if self.find_constant_number(y) != Some(Number::integer(2)) {
            let message = "a vector has no power but its square\n\n\
                           help: `v^2` is `dot(v, v)`, and `norm(v)` its root";
            return self.refuse(exponent, Code::NoSuchOperation, message);
        }
        let square = self.graph.dot(&vector.entries, &vector.entries);
        self.note_results(noted, &[square]);
        Some(Value::scalar(square))
    }

    /// `[a, b, c]`: a vector of scalars, or a matrix of rows.
    pub(super) fn evaluate_list(&mut self, whole: &Expr, elements: &[Expr]) -> Option<Value> {
        let values: Vec<Option<Value>> = elements.iter().map(|e| self.evaluate(e)).collect();
        if self.are_broken(elements) {
            return None;
        }
        let mut known = elements
            .iter()
            .zip(&values)
            .filter_map(|(expr, value)| Some((expr, value.as_ref()?)));
        let (first_expr, first) = known.next()?;
        if let Shape::Matrix(..) = first.shape {
            let message = format!(
                "a list holds scalars or vectors, found {}",
                in_words(first.shape)
            );
            return self.refuse(first_expr, Code::WrongShape, message);
        }
        if let Some((expr, other)) = known.find(|(_, value)| value.shape != first.shape) {
            let message = format!(
                "mismatched shapes in a list: {} after {}",
                in_words(other.shape),
                in_words(first.shape)
            );
            return self.refuse(expr, Code::UnequalShapes, message);
        }
        let shape = match first.shape {
            Shape::Vector(columns) => Shape::Matrix(values.len(), columns),
            Shape::Scalar | Shape::Matrix(..) => Shape::Vector(values.len()),
        };
        self.afford(whole, shape.len())?;
        let rows: Vec<Value> = values.into_iter().collect::<Option<_>>()?;
        let entries = rows.into_iter().flat_map(|row| row.entries).collect();
        Some(self.symbolize_all(Value { shape, entries }))
    }

    /// The new value of `n` after `n op= value`; `=` keeps the shape.
    pub(super) fn combine_assigned(
        &mut self,
        op: (AssignOp, Span),
        old: Value,
        expr: &Expr,
        value: Value,
    ) -> Option<Value> {
        let (op, op_span) = op;
        let shape = old.shape;
        let value = Some(value);
        let new = match op {
            AssignOp::Set => value,
            AssignOp::Add => {
                let operands = vec![Operand::new(AddOp::Add, op_span, expr, value)];
                self.add_all(expr, Some(old), operands)
            }
            AssignOp::Sub => {
                let operands = vec![Operand::new(AddOp::Sub, op_span, expr, value)];
                self.add_all(expr, Some(old), operands)
            }
            AssignOp::Mul => {
                let operands = vec![Operand::new(MulOp::Mul, op_span, expr, value)];
                self.multiply_all(expr, Some(old), operands)
            }
            AssignOp::Div => {
                let operands = vec![Operand::new(MulOp::Div, op_span, expr, value)];
                self.multiply_all(expr, Some(old), operands)
            }
        }?;
        if new.shape != shape {
            let (is, was) = (in_words(new.shape), in_words(shape));
            let message = format!("mismatched shapes: the new value is {is}, the old one {was}");
            return self.refuse(expr, Code::UnequalShapes, message);
        }
        Some(new)
    }
}

const EXPONENTS: &str = "integer exponents lie between -2147483645 and 2147483645";

/// Also true for doubles that are too large for an exact rational.
fn is_integer(number: Number) -> bool {
    match number.to_ratio() {
        Some((_, denominator)) => denominator == 1,
        None => number.to_f64().fract() == 0.0,
    }
}

fn to_i32(number: Number) -> Option<i32> {
    i32::try_from(number.to_integer()?).ok()
}
