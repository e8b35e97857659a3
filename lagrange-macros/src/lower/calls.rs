//! Calls of functions, also in the form of methods.

use lagrange_engine::{Binary, NodeId, Shape, Unary};
use proc_macro2::{Ident, Span};

use super::evaluator::Evaluator;
use super::functions::{self, Function, Meaning, is_frame_function};
use super::value::{Value, in_words};
use crate::errors::SpanRange;
use crate::suggest;
use crate::syntax::ast::{Expr, text};

/// A call whose arguments have values.
pub(super) struct Call<'x> {
    pub(super) name: &'x Ident,
    pub(super) arguments: &'x [(&'x Expr, Value)],
}

impl Evaluator<'_> {
    /// `receiver.f(arguments)`
    pub(super) fn method(
        &mut self,
        receiver: &Expr,
        name: &Ident,
        arguments: &[Expr],
        close: Span,
    ) -> Option<Value> {
        let all: Vec<&Expr> = std::iter::once(receiver).chain(arguments).collect();
        self.call(name, &all, 1, close)
    }

    /// `f(arguments)`, where the first ones stand before the name as `receivers` of a method.
    pub(super) fn call(
        &mut self,
        name: &Ident,
        arguments: &[&Expr],
        receivers: usize,
        close: Span,
    ) -> Option<Value> {
        let Some(function) = functions::function(&text(name)) else {
            return match arguments {
                [of] if is_frame_function(&text(name)) => self.frame_velocity(name, of),
                _ => self.unknown_function(name, arguments),
            };
        };
        if let (Meaning::Derivative, [of]) = (function.meaning, arguments) {
            if let Some(rates) = self.rates_of_rotation(name, of) {
                return Some(rates);
            }
        }
        let mark = self.mark();
        let values: Vec<Option<Value>> = arguments.iter().map(|a| self.evaluate(a)).collect();
        self.check_count(name, function, (arguments, receivers), close)?;
        let values = values.into_iter().collect::<Option<Vec<Value>>>()?;
        let arguments: Vec<(&Expr, Value)> = arguments.iter().copied().zip(values).collect();
        let call = Call {
            name,
            arguments: &arguments,
        };
        let value = match function.meaning {
            Meaning::Derivative => self.derivative(&call, mark),
            meaning => self.apply(meaning, &call),
        }?;
        self.finite(name, value)
    }

    fn unknown_function(&mut self, name: &Ident, arguments: &[&Expr]) -> Option<Value> {
        let written = text(name);
        if arguments.iter().any(|argument| self.is_frame(argument)) {
            return self.unknown_frame_function(name, arguments);
        }
        let values: Vec<Option<Value>> = arguments.iter().map(|a| self.evaluate(a)).collect();
        if let Some(binding) = self.scope.find_mut(name) {
            binding.read = true;
            let is = binding.kind.in_words();
            let message = format!(
                "`{written}` is {is}, not a function\n\nhelp: a product is written `{written} * (..)`"
            );
            return self.refuse(name, message);
        }
        self.complete = false;
        // A function of what is not known may be any.
        values.into_iter().collect::<Option<Vec<Value>>>()?;
        let help = if self.errors.is_full() {
            String::new()
        } else {
            suggest::help(&written, functions::names())
        };
        self.refuse(name, format!("unknown function `{written}`{help}"))
    }

    fn check_count(
        &mut self,
        name: &Ident,
        function: &Function,
        (arguments, receivers): (&[&Expr], usize),
        close: Span,
    ) -> Option<()> {
        let (least, most) = function.arguments;
        if (least..=most).contains(&arguments.len()) {
            return Some(());
        }
        let found = arguments.len() - receivers;
        let expected = match least - receivers {
            0 => "no argument".to_owned(),
            _ if most > least => "at least 1 argument".to_owned(),
            1 => "1 argument".to_owned(),
            least => format!("{least} arguments"),
        };
        let message = format!("`{name}` takes {expected}, found {found}");
        // Too many: the first surplus one; too few: where the next one is missing.
        let place = match arguments.get(most) {
            Some(surplus) => SpanRange::from(*surplus),
            None => close.into(),
        };
        self.refuse(place, message)
    }

    fn apply(&mut self, meaning: Meaning, call: &Call<'_>) -> Option<Value> {
        match meaning {
            Meaning::Unary(function) => {
                let x = self.scalar_argument(call, 0)?;
                self.check_domain(function, call, x)?;
                Some(Value::scalar(self.graph.unary(function, x)))
            }
            Meaning::Binary(function) => self.binary(function, call),
            Meaning::Power => {
                let [(base, x), (exponent, y)] = call.arguments else {
                    return None;
                };
                self.power(call.name.span(), (base, x), (exponent, y))
            }
            Meaning::IntegerPower => self.integer_power(call),
            Meaning::Reciprocal => {
                let x = self.scalar_argument(call, 0)?;
                if self.is_zero_divisor(call.arguments[0].0, x) {
                    return None;
                }
                Some(Value::scalar(self.graph.powi(x, -1)))
            }
            Meaning::Dot => self.dot(call),
            Meaning::Cross => self.cross(call),
            Meaning::Norm => self.norm(call),
            Meaning::Outer => self.outer(call),
            Meaning::Transpose => self.transpose(call),
            Meaning::Trace => self.trace(call),
            Meaning::Diagonal => self.diagonal(call),
            Meaning::Identity => self.identity(call),
            // The parser reads `sum(..)` itself, so that only `a.sum(b)` comes here.
            Meaning::Sum => self.refuse(call.name, "a sum is written `sum(i in a..b, e)`"),
            Meaning::Derivative => None,
        }
    }

    /// A logarithm or root of a constant that has none is a slip, not a limit.
    fn check_domain(&mut self, function: Unary, call: &Call<'_>, x: NodeId) -> Option<()> {
        let Some(number) = self.graph.as_number(x) else {
            return Some(());
        };
        let value = number.to_f64();
        if function.value(value).is_finite() {
            return Some(());
        }
        let (name, argument) = (call.name, call.arguments[0].0);
        let at = self.blocks.iteration(argument);
        self.refuse(argument, format!("`{name}` has no finite value here{at}"))
    }

    fn binary(&mut self, function: Binary, call: &Call<'_>) -> Option<Value> {
        let (x, y) = (self.scalar_argument(call, 0), self.scalar_argument(call, 1));
        Some(Value::scalar(self.graph.binary(function, x?, y?)))
    }

    fn integer_power(&mut self, call: &Call<'_>) -> Option<Value> {
        let [(base, x), (exponent, y)] = call.arguments else {
            return None;
        };
        let number = y.as_scalar().and_then(|node| self.graph.as_number(node));
        let is_integer = number.is_some_and(|n| n.to_ratio().is_none_or(|(_, den)| den == 1));
        if !is_integer {
            let message = "the exponent of `powi` is a constant integer\n\nhelp: use `powf`";
            return self.refuse(*exponent, message);
        }
        self.power(call.name.span(), (base, x), (exponent, y))
    }

    pub(super) fn scalar_argument(&mut self, call: &Call<'_>, position: usize) -> Option<NodeId> {
        let (expr, value) = &call.arguments[position];
        let help = match value.shape {
            Shape::Vector(_) if call.name == "abs" => "\n\nhelp: the length is `norm(v)`",
            _ => "",
        };
        match value.as_scalar() {
            Some(node) => Some(node),
            None => {
                let (name, found) = (call.name, in_words(value.shape));
                let message =
                    format!("mismatched shapes: `{name}` takes a scalar, found {found}{help}");
                self.refuse(*expr, message)
            }
        }
    }
}
