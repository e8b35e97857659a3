//! Calls of functions, including calls as methods.

use lagrange_engine::{Binary, Complex, Dependence, NodeId, Shape, Unary};
use proc_macro2::{Ident, Span};

use super::evaluator::Evaluator;
use super::functions::{self, Function, Meaning, is_frame_function};
use super::multipliers;
use super::quoted::quoted;
use super::scope::BindingKind;
use super::value::{Value, in_words};
use crate::errors::{Code, SpanRange};
use crate::suggest::foreign::{self, Place};
use crate::suggest::{self};
use crate::syntax::ast::{Expr, ExprKind, text};

/// `diff(x, t, 2)`, `diff(x, t, t)`, `diff(x, 2)`
fn is_of_second_order(arguments: &[&Expr]) -> bool {
    let is_two = |expr: &&Expr| matches!(&expr.kind, ExprKind::Number(number) if number == "2");
    match arguments {
        [_, first, second] if is_time(first) && is_time(second) => true,
        [_, rest @ ..] => rest.iter().any(is_two),
        [] => false,
    }
}

/// Number of roundings of a constant to allow in addition to its first-order bound.
const ROUNDING: f64 = 16.0;

/// A call whose arguments have values.
pub(super) struct Call<'x> {
    pub(super) name: &'x Ident,
    pub(super) arguments: &'x [(&'x Expr, Value)],
}

impl Evaluator<'_> {
    /// `receiver.f(arguments)`
    pub(super) fn evaluate_method(
        &mut self,
        receiver: &Expr,
        name: &Ident,
        arguments: &[Expr],
        close: Span,
    ) -> Option<Value> {
        if let Some(module) = self.find_module(receiver) {
            arguments
                .iter()
                .for_each(|argument| self.pass_over(argument));
            let message = format!(
                "unknown name `{module}`\n\nhelp: functions are called by their names alone: `{name}(..)`"
            );
            return self.refuse(&module, Code::UnknownName, message);
        }
        let arguments: Vec<&Expr> = std::iter::once(receiver).chain(arguments).collect();
        self.evaluate_call(name, &arguments, 1, close)
    }

    /// `f(arguments)`. For a method, the first arguments are the `receivers` before the name.
    pub(super) fn evaluate_call(
        &mut self,
        name: &Ident,
        arguments: &[&Expr],
        receivers: usize,
        close: Span,
    ) -> Option<Value> {
        if let Some(number) = self.scope.find_function(name) {
            return self.call_own_function(number, name, (arguments, receivers), close);
        }
        let Some(function) = functions::function(&text(name)) else {
            return match arguments {
                [of] if text(name) == multipliers::FUNCTION => self.evaluate_multiplier(name, of),
                [of] if is_frame_function(&text(name)) => match self.explain_not_of_frame(name, of)
                {
                    Some(message) => self.refuse(name, Code::NotAFrame, message),
                    None => self.evaluate_frame_velocity(name, of),
                },
                _ => self.refuse_unknown_function(name, arguments),
            };
        };
        if let (Meaning::Derivative, [of]) = (function.meaning, arguments)
            && let Some(rates) = self.find_rates_of_rotation(name, of)
        {
            return rates;
        }
        if matches!(function.meaning, Meaning::Curve(_) | Meaning::Column) {
            return self.evaluate_data(name, function, (arguments, receivers), close);
        }
        let mark = self.mark();
        // Surplus arguments have to be removed, so they are not evaluated: `der(x, t)`.
        let (_, most) = function.arguments;
        for surplus in arguments.iter().skip(most) {
            self.pass_over(surplus);
        }
        let wanted = arguments.iter().take(most);
        let values: Vec<Option<Value>> = wanted.map(|wanted| self.evaluate(wanted)).collect();
        // The length of a list with a mistake is unknown.
        if self.are_broken(arguments.iter().copied()) {
            return None;
        }
        let is_known = values.iter().take(receivers).all(Option::is_some);
        self.check_count(name, function, (arguments, receivers), (is_known, close))?;
        let values = values.into_iter().collect::<Option<Vec<Value>>>()?;
        let arguments: Vec<(&Expr, Value)> = arguments.iter().copied().zip(values).collect();
        let call = Call {
            name,
            arguments: &arguments,
        };
        let value = match function.meaning {
            Meaning::Derivative => self.evaluate_derivative(&call, mark),
            meaning => self.apply(meaning, &call),
        }?;
        self.require_finite(name, value)
    }

    /// A call of a function of data. Its points may be a range, and its file a string.
    fn evaluate_data(
        &mut self,
        name: &Ident,
        function: &Function,
        (arguments, receivers): (&[&Expr], usize),
        close: Span,
    ) -> Option<Value> {
        if self.are_broken(arguments.iter().copied()) {
            arguments.iter().for_each(|part| self.pass_over(part));
            return None;
        }
        let value = match (function.meaning, arguments) {
            (Meaning::Curve(kind), [x, xs, ys]) => self.curve(kind, name, [x, xs, ys]),
            (Meaning::Column, [path, column]) => self.column(name, [path, column]),
            _ => {
                arguments.iter().for_each(|part| self.pass_over(part));
                self.check_count(name, function, (arguments, receivers), (true, close))?;
                None
            }
        };
        self.require_finite(name, value?)
    }

    fn refuse_unknown_function(&mut self, name: &Ident, arguments: &[&Expr]) -> Option<Value> {
        let written = text(name);
        if let Some((code, message)) = self.find_function_out_of_sight(name, &written) {
            arguments
                .iter()
                .for_each(|argument| self.pass_over(argument));
            return self.refuse(name, code, message);
        }
        if arguments.iter().any(|argument| self.is_frame(argument)) {
            return self.refuse_unknown_frame_function(name, arguments);
        }
        if self.is_mistaken(name) {
            arguments
                .iter()
                .for_each(|argument| self.pass_over(argument));
            return None;
        }
        if let Some(message) = self.explain_call_of_value(name, &written, arguments) {
            arguments
                .iter()
                .for_each(|argument| self.pass_over(argument));
            return self.refuse(name, Code::NotAFunction, message);
        }
        self.complete = false;
        if let Some(advice) = foreign::advice(Place::Function, &written) {
            let of = arguments.first().and_then(|of| quoted(of));
            let advice = match of {
                _ if !advice.contains("der(x)") => advice,
                _ if is_of_second_order(arguments) => foreign::ACCELERATION.to_owned(),
                Some(of) => advice.replace("der(x)", &format!("der({of})")),
                None => advice,
            };
            // Arguments of a foreign function need not be declared here: `diff(x, t)`.
            arguments
                .iter()
                .for_each(|argument| self.pass_over(argument));
            return self.refuse(
                name,
                Code::UnknownFunction,
                format!("unknown function `{written}`\n\nhelp: {advice}"),
            );
        }
        let values: Vec<Option<Value>> = arguments.iter().map(|a| self.evaluate(a)).collect();
        // If an argument is unknown, the call may mean any function.
        values.into_iter().collect::<Option<Vec<Value>>>()?;
        let help = if self.errors.is_full() {
            String::new()
        } else {
            let own_functions = self.scope.functions();
            let mut known: Vec<&str> = functions::names().collect();
            known.extend(own_functions.iter().map(String::as_str));
            let help = suggest::help(&written, known);
            if help.is_empty() {
                format!("\n\nhelp: declare it before this, `let {written}(a) = ..;`")
            } else {
                help
            }
        };
        self.refuse(
            name,
            Code::UnknownFunction,
            format!("unknown function `{written}`{help}"),
        )
    }

    /// Returns whether the declaration of a name has a mistake, so that a function may be meant.
    fn is_mistaken(&self, name: &Ident) -> bool {
        let is_let = |kind| matches!(kind, BindingKind::Let { .. } | BindingKind::Mistaken { .. });
        let binding = self.scope.find(name);
        binding.is_some_and(|binding| is_let(binding.kind) && binding.value.is_none())
    }

    /// The name of a module of another language, if the expression is only that name.
    pub(super) fn find_module(&mut self, expr: &Expr) -> Option<Ident> {
        let ExprKind::Name { name, dots: 0 } = &expr.kind else {
            return None;
        };
        let name_of_module = text(name);
        let is_module = foreign::MODULES
            .split(' ')
            .any(|word| word == name_of_module);
        if !is_module || self.scope.find(name).is_some() {
            return None;
        }
        self.complete = false;
        Some(name.clone())
    }

    /// The explanation for `velocity(x)` of a coordinate or another value.
    fn explain_not_of_frame(&mut self, name: &Ident, of: &Expr) -> Option<String> {
        let (value, indices) = match &of.kind {
            ExprKind::Name { name, .. } => (name, None),
            _ => of.indexed()?,
        };
        let binding = self.scope.find_mut(value)?;
        let is_value = matches!(
            binding.kind,
            BindingKind::Coordinate(_) | BindingKind::Rotation(..) | BindingKind::Let { .. }
        );
        // An element of an array of rotations is not a value, unlike elements of other arrays.
        let is_one = indices.is_some() && matches!(binding.kind, BindingKind::Rotation(..));
        if !is_value || binding.value.is_none() || indices.is_some() != is_one {
            return None;
        }
        binding.read = true;
        let (of, is) = match is_one {
            true => (of.written()?, "a rotation"),
            false => (text(value), binding.kind.in_words()),
        };
        Some(format!(
            "`{name}` is that of a frame, but `{of}` is {is}\n\nhelp: the velocity of `{of}` is `der({of})`"
        ))
    }

    /// `x(t)`, `q(1)`, `m(a + b)`
    fn explain_call_of_value(
        &mut self,
        name: &Ident,
        written: &str,
        arguments: &[&Expr],
    ) -> Option<String> {
        let binding = self.scope.find_mut(name)?;
        binding.read = true;
        let (is, shape) = (
            binding.kind.in_words(),
            binding.value.as_ref().map(|v| v.shape),
        );
        let help = match arguments {
            [only] if is_time(only) => {
                format!("`{written}` depends on time by itself: write `{written}`")
            }
            _ if !matches!(shape, None | Some(Shape::Scalar)) => {
                format!("an element is `{written}[0]`, counted from 0")
            }
            _ => format!("a product is written `{written} * (..)`"),
        };
        Some(format!(
            "`{written}` is {is}, not a function\n\nhelp: {help}"
        ))
    }

    fn check_count(
        &mut self,
        name: &Ident,
        function: &Function,
        (arguments, receivers): (&[&Expr], usize),
        (is_known, close): (bool, Span),
    ) -> Option<()> {
        let (least, most) = function.arguments;
        if (least..=most).contains(&arguments.len()) {
            return Some(());
        }
        self.complete = false;
        // A receiver with a mistake may be meant as a module: `mylib.sin(x)`.
        if receivers > 0 && !is_known {
            return None;
        }
        if let ("dot", [of]) = (text(name).as_str(), arguments) {
            let of = quoted(of).unwrap_or_else(|| "x".to_owned());
            let message = format!(
                "`dot` is a product of two vectors\n\n\
                 help: the derivative by time is `der({of})`; a product is `dot(a, b)`"
            );
            return self.refuse(name, Code::ArgumentCount, message);
        }
        let count = arguments.len() - receivers;
        let expected = match least - receivers {
            0 => "no argument".to_owned(),
            _ if most > least => "at least 1 argument".to_owned(),
            1 => "1 argument".to_owned(),
            least => format!("{least} arguments"),
        };
        let nested = nested(&text(name), arguments);
        let help = match (name.to_string().as_str(), arguments.len()) {
            _ if nested.is_some() => nested.as_deref().unwrap_or_default(),
            ("der", 2..) => {
                "\n\nhelp: `der(x)` is the derivative by time; accelerations follow from the equations of motion"
            }
            ("cross" | "outer", 1) => "\n\nhelp: it is a product of two vectors",
            ("atan", 2) => "\n\nhelp: the angle of a direction is `atan2(y, x)`",
            ("identity", 2..) => "\n\nhelp: it is square: `identity(3)`",
            _ => "",
        };
        let help = match (help, count) {
            ("", 0) => format!("\n\nhelp: write the argument of `{name}` between the parentheses"),
            ("", _) if arguments.len() > most && least == receivers => format!(
                "\n\nhelp: the value before its dot is its argument: write `{}.{name}()`",
                quoted(arguments[0]).as_deref().unwrap_or("x")
            ),
            ("", _) if arguments.len() > most => "\n\nhelp: remove the others".to_owned(),
            _ => help.to_owned(),
        };
        let message = format!("`{name}` takes {expected}, found {count}{help}");
        // With too many arguments, the place is the first surplus one. With too few, it is the place of the next
        // one.
        let place = match arguments.get(most) {
            Some(surplus) => SpanRange::from(*surplus),
            None => close.into(),
        };
        self.refuse(place, Code::ArgumentCount, message)
    }

    fn apply(&mut self, meaning: Meaning, call: &Call<'_>) -> Option<Value> {
        match meaning {
            Meaning::Unary(function) => {
                let x = self.expect_scalar_argument(call, 0)?;
                self.check_domain(function, call, x)?;
                if matches!(function, Unary::Sin | Unary::Cos | Unary::Tan) {
                    self.warn_of_degrees(call.arguments[0].0, x);
                }
                if !matches!(function, Unary::Sqrt | Unary::Abs | Unary::Sign) {
                    let (expr, value) = &call.arguments[0];
                    self.note_pure(expr, value, &format!("the argument of `{}`", call.name));
                }
                Some(Value::scalar(self.graph.unary(function, x)))
            }
            Meaning::Binary(function) => self.apply_binary(function, call),
            Meaning::Power => {
                let [(base, x), (exponent, y)] = call.arguments else {
                    return None;
                };
                self.raise_to_power(call.name.span(), (base, x), (exponent, y))
            }
            Meaning::IntegerPower => self.apply_integer_power(call),
            Meaning::Reciprocal => {
                let x = self.expect_scalar_argument(call, 0)?;
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
            // The parser handles `sum(..)` itself, so that only `a.sum(b)` comes here.
            Meaning::Sum => self.refuse(
                call.name,
                Code::RangeForm,
                "a sum is written `sum(i in a..b, e)`",
            ),
            Meaning::Derivative | Meaning::Curve(_) | Meaning::Column => None,
        }
    }

    /// The logarithm, root or tangent of a constant outside of its domain is a mistake, not a limit.
    fn check_domain(&mut self, function: Unary, call: &Call<'_>, x: NodeId) -> Option<()> {
        let values = self.estimate_constant(x);
        let is_outside = values.is_some_and(|x| x.iter().all(|x| !function.value(*x).is_finite()));
        // The cosine of a multiple of pi / 2 is exact.
        let is_pole = function == Unary::Tan && {
            let cosine = self.graph.unary(Unary::Cos, x);
            self.graph.is_zero(cosine)
        };
        if !is_outside && !is_pole {
            return Some(());
        }
        let (name, argument) = (call.name, call.arguments[0].0);
        let iteration = self.blocks.iteration(argument);
        self.refuse(
            argument,
            Code::OutsideDomain,
            format!("`{name}` has no finite value here{iteration}"),
        )
    }

    /// The value of a constant, and its bounds after rounding.
    pub(super) fn estimate_constant(&self, node: NodeId) -> Option<[f64; 3]> {
        if let Some(number) = self.graph.as_number(node) {
            return Some([number.to_f64(); 3]);
        }
        if self.graph.dependence(node) != Dependence::NONE {
            return None;
        }
        let probe = self.graph.evaluate_complex(&[node], &|_| Complex::ZERO)[0];
        let rounding = ROUNDING * f64::EPSILON * probe.scale;
        let value = probe.value.re;
        (probe.real && probe.is_known()).then_some([value - rounding, value, value + rounding])
    }

    fn apply_binary(&mut self, function: Binary, call: &Call<'_>) -> Option<Value> {
        let (x, y) = (
            self.expect_scalar_argument(call, 0),
            self.expect_scalar_argument(call, 1),
        );
        let (x, y) = (x?, y?);
        let noted = self.count_facts();
        if let [(first, a), (second, b)] = call.arguments {
            self.note_equal_units((first, a), (second, b));
        }
        let value = self.graph.binary(function, x, y);
        self.note_results(noted, &[value]);
        Some(Value::scalar(value))
    }

    fn apply_integer_power(&mut self, call: &Call<'_>) -> Option<Value> {
        let [(base, x), (exponent, y)] = call.arguments else {
            return None;
        };
        let is_integer = y
            .as_scalar()
            .and_then(|node| self.find_constant_number(node))
            .is_some_and(|n| n.to_ratio().is_none_or(|(_, den)| den == 1));
        if !is_integer {
            let message = "the exponent of `powi` is a constant integer\n\nhelp: use `powf`";
            return self.refuse(*exponent, Code::ConstantInteger, message);
        }
        self.raise_to_power(call.name.span(), (base, x), (exponent, y))
    }

    pub(super) fn expect_scalar_argument(
        &mut self,
        call: &Call<'_>,
        position: usize,
    ) -> Option<NodeId> {
        let (expr, value) = &call.arguments[position];
        let help = match value.shape {
            Shape::Vector(_) if call.name == "abs" => "\n\nhelp: the length is `norm(v)`",
            _ => "",
        };
        match value.as_scalar() {
            Some(node) => Some(node),
            None => {
                let (name, actual) = (call.name, in_words(value.shape));
                let message =
                    format!("mismatched shapes: `{name}` takes a scalar, found {actual}{help}");
                self.refuse(*expr, Code::WrongShape, message)
            }
        }
    }
}

/// The nested form of a function of two arguments that was called with more. Lists the arguments if they are short.
fn nested(function: &str, arguments: &[&Expr]) -> Option<String> {
    if arguments.len() < 3 {
        return None;
    }
    match function {
        "min" | "max" => {
            let written: Option<Vec<String>> = arguments.iter().map(|of| of.written()).collect();
            let mut written = written
                .filter(|_| Expr::listed(arguments.iter().copied()).is_some())
                .unwrap_or_else(|| ["a", "b", "c"].map(str::to_owned).to_vec())
                .into_iter()
                .rev();
            let last = written.next()?;
            let nested = written.fold(last, |inner, of| format!("{function}({of}, {inner})"));
            Some(format!("\n\nhelp: nest them: `{nested}`"))
        }
        "hypot" => {
            let list =
                Expr::listed(arguments.iter().copied()).unwrap_or_else(|| "a, b, c".to_owned());
            Some(format!("\n\nhelp: write `norm([{list}])`"))
        }
        _ => None,
    }
}

/// `t` or `time`: other systems write it as the argument of time-dependent quantities.
fn is_time(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name { name, .. } => ["t", "time"].contains(&text(name).as_str()),
        _ => false,
    }
}
