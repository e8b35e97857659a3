//! Expressions: chains, signs, powers and postfix operators.
//!
//! Precedence, highest first: `.name`, `[i]`, calls; `^`, right-associative; unary `-`; `*` and `/`; `+` and `-`.

use proc_macro2::{Delimiter, Group, Ident, Span};

use super::ast::{AddOp, Expr, ExprKind, MAX_NESTING, MulOp, text};
use super::keywords::{DATA, is_rust_keyword};
use super::operators::explain_no_such_operator;
use super::parser::{Parse, Parser, Reported};
use super::robots::string;
use crate::errors::Code;

/// An expression and its height: the nesting depth of groups, signs, exponents and postfix operators. A postfix chain
/// grows around an expression that has been read, so only its height limits it.
///
/// It is boxed, which halves the stack use of a nesting level in debug builds.
pub(super) struct Tall {
    pub(super) expr: Box<Expr>,
    pub(super) height: usize,
}

impl Tall {
    pub(super) fn new(kind: ExprKind, first: Span, last: Span, height: usize) -> Self {
        let expr = Box::new(Expr::new(kind, first, last));
        Tall { expr, height }
    }

    pub(super) fn leaf(expr: Expr) -> Self {
        let expr = Box::new(expr);
        Tall { expr, height: 0 }
    }
}

impl Parser<'_> {
    /// The longest expression at the cursor. An unsupported operator after it is refused.
    pub(super) fn parse_expression(&mut self) -> Parse<Expr> {
        Ok(*self.parse_tall()?.expr)
    }

    pub(super) fn parse_tall(&mut self) -> Parse<Tall> {
        let parsed = self.parse_sum()?;
        self.refuse_operator()?;
        Ok(parsed)
    }

    /// A chain of `+` and `-`. The caller handles a comparison, `..` or `=` after it.
    pub(super) fn parse_sum(&mut self) -> Parse<Tall> {
        let first = self.parse_product()?;
        let mut height = first.height;
        let mut further_terms = Vec::new();
        while let Some((op, span)) = self.take_add() {
            let term = self.parse_product()?;
            height = height.max(term.height);
            further_terms.push((op, span, *term.expr));
        }
        let Some((.., end)) = further_terms.last() else {
            return Ok(first);
        };
        let (start, last) = (first.expr.first, end.last);
        let first = first.expr;
        let kind = ExprKind::Sum {
            first,
            further_terms,
        };
        Ok(Tall::new(kind, start, last, height))
    }

    fn take_add(&mut self) -> Option<(AddOp, Span)> {
        if let Some(span) = self.cursor.take_operator("+") {
            return Some((AddOp::Add, span));
        }
        let span = self.cursor.take_operator("-")?;
        Some((AddOp::Sub, span))
    }

    fn parse_product(&mut self) -> Parse<Tall> {
        let first = self.parse_unary()?;
        let mut height = first.height;
        let mut further_factors = Vec::new();
        while let Some((op, span)) = self.take_mul() {
            let factor = self.parse_unary()?;
            height = height.max(factor.height);
            further_factors.push((op, span, *factor.expr));
        }
        let Some((.., end)) = further_factors.last() else {
            return Ok(first);
        };
        let (start, last) = (first.expr.first, end.last);
        let first = first.expr;
        let kind = ExprKind::Product {
            first,
            further_factors,
        };
        Ok(Tall::new(kind, start, last, height))
    }

    fn take_mul(&mut self) -> Option<(MulOp, Span)> {
        if let Some(span) = self.cursor.take_operator("*") {
            return Some((MulOp::Mul, span));
        }
        if let Some(span) = self.cursor.take_operator("/") {
            return Some((MulOp::Div, span));
        }
        let span = self.cursor.take_operator("%")?;
        self.error(span, Code::ForeignOperator, explain_no_such_operator("%"));
        Some((MulOp::Div, span))
    }

    /// Any number of signs before a power.
    fn parse_unary(&mut self) -> Parse<Tall> {
        let mut signs = Vec::new();
        while let Some(span) = self.cursor.take_operator("-") {
            signs.push(span);
            if signs.len() > MAX_NESTING {
                return self.fail_nesting(span);
            }
        }
        let Some(innermost) = signs.last().copied() else {
            return self.parse_power();
        };
        let operand = self.parse_nested(signs.len(), innermost, Self::parse_power)?;
        let height = operand.height + signs.len();
        let mut expr = operand.expr;
        for span in signs.into_iter().rev() {
            let last = expr.last;
            expr = Box::new(Expr::new(ExprKind::Neg(expr), span, last));
        }
        self.check_height(height, innermost)?;
        Ok(Tall { expr, height })
    }

    fn parse_power(&mut self) -> Parse<Tall> {
        let base = self.parse_postfix()?;
        let Some(op_span) = self.take_power() else {
            return Ok(base);
        };
        // The exponent is a sign or the next power, so `^` is right-associative.
        let exponent = self.parse_nested(1, op_span, Self::parse_unary)?;
        let height = base.height.max(exponent.height + 1);
        self.check_height(height, op_span)?;
        let (first, last) = (base.expr.first, exponent.expr.last);
        let kind = ExprKind::Power {
            base: base.expr,
            op_span,
            exponent: exponent.expr,
        };
        Ok(Tall::new(kind, first, last, height))
    }

    fn take_power(&mut self) -> Option<Span> {
        let place = self.cursor.next_place();
        if let Some(span) = self.cursor.take_operator("^") {
            return Some(span);
        }
        let span = self.cursor.take_operator("**")?;
        self.error(
            place,
            Code::ForeignOperator,
            "a power is written with `^`\n\nhelp: write `^`",
        );
        Some(span)
    }

    fn parse_postfix(&mut self) -> Parse<Tall> {
        let mut parsed = self.parse_primary()?;
        loop {
            let span = self.cursor.span();
            if self.cursor.take_operator(".").is_some() {
                if self.refuse_componentwise() {
                    return Ok(parsed);
                }
                parsed = self.parse_member(parsed)?;
            } else if self.cursor.any_group_at(0) && self.cursor.begins_line() {
                return Ok(parsed);
            } else if matches!(parsed.expr.kind, ExprKind::Number(_))
                && let Some(label) = self.take_label()?
            {
                let (first, last) = (parsed.expr.first, label.place.last);
                let kind = ExprKind::Labelled(parsed.expr, label);
                parsed = Tall::new(kind, first, last, parsed.height + 1);
            } else if let Some(group) = self.cursor.take_group(Delimiter::Bracket) {
                parsed = self.parse_index(parsed, &group)?;
            } else if self.cursor.peek_group(Delimiter::Parenthesis) {
                return self.fail_unexpected("an operator");
            } else {
                self.refuse_prime(&parsed.expr)?;
                return Ok(parsed);
            }
            self.check_height(parsed.height, span)?;
        }
    }

    fn check_height(&mut self, height: usize, span: Span) -> Parse<()> {
        if height > MAX_NESTING {
            return self.fail_nesting(span);
        }
        Ok(())
    }

    /// The component or method after a `.`.
    fn parse_member(&mut self, base: Tall) -> Parse<Tall> {
        if let Some(literal) = self.cursor.literal_at(0) {
            let span = literal.span();
            let message = "a component is not a number after a dot\n\n\
                           help: write `.x`, `.y`, `.z` or an index such as `[0]`";
            self.error(span, Code::UnknownMember, message);
            self.cursor.advance();
            let expr = Expr::new(ExprKind::Error, base.expr.first, span);
            return Ok(Tall::leaf(expr));
        }
        let name = self.parse_name("a component or a method")?;
        match self.cursor.take_group(Delimiter::Parenthesis) {
            Some(group) => self.parse_method(base, name, &group),
            None => Ok(field(base, name)),
        }
    }

    fn parse_method(&mut self, receiver: Tall, function: Ident, group: &Group) -> Parse<Tall> {
        let (arguments, height) = self.parse_arguments_of(&function, group)?;
        let close = group.span_close();
        let first = receiver.expr.first;
        let kind = ExprKind::Method {
            receiver: receiver.expr,
            function,
            arguments,
            close,
        };
        let height = receiver.height.max(height) + 1;
        Ok(Tall::new(kind, first, close, height))
    }

    fn parse_index(&mut self, base: Tall, group: &Group) -> Parse<Tall> {
        let (indices, height) = self.parse_inside(group, Parser::parse_indices)?;
        let (first, last) = (base.expr.first, group.span_close());
        let kind = ExprKind::Index {
            base: base.expr,
            indices,
            span: group.span(),
        };
        let height = base.height.max(height) + 1;
        Ok(Tall::new(kind, first, last, height))
    }

    /// The elements between brackets after a value. At least one is required.
    pub(super) fn parse_indices(&mut self) -> (Vec<Expr>, usize) {
        if self.cursor.is_empty() {
            let span = self.cursor.span();
            self.error(span, Code::IndexCount, "expected an index, found `]`");
            return (vec![self.make_error_expression(span)], 0);
        }
        if self.cursor.left() == 1
            && let Some(literal) = self.cursor.literal_at(0).cloned()
            && let Some(text) = string(&literal)
        {
            self.cursor.advance();
            let span = literal.span();
            return (vec![Expr::new(ExprKind::Text(text), span, span)], 0);
        }
        self.parse_elements_of(Self::parse_index_or_range)
    }

    /// `i` or `a..b`
    fn parse_index_or_range(&mut self) -> Parse<Tall> {
        self.cursor.open_range();
        let from = match self.cursor.operator() {
            Some(".." | "..=") => return self.fail_open_range(),
            _ => self.parse_sum()?,
        };
        let Some(operator @ (".." | "..=" | "...")) = self.cursor.operator() else {
            self.refuse_operator()?;
            return Ok(from);
        };
        if operator != ".." {
            let place = self.cursor.next_place();
            self.error(
                place,
                Code::RangeForm,
                "a range is written `a..b`, with `b` excluded",
            );
        }
        self.cursor.take_operator(operator);
        if self.cursor.is_empty() || self.cursor.operator() == Some(",") {
            return self.fail_open_range();
        }
        let to = self.parse_tall()?;
        let (first, last) = (from.expr.first, to.expr.last);
        let height = from.height.max(to.height) + 1;
        let (from, to) = (from.expr, to.expr);
        Ok(Tall::new(ExprKind::Range { from, to }, first, last, height))
    }

    /// `..b`, `a..` or `..`
    fn fail_open_range<T>(&mut self) -> Parse<T> {
        let place = match self.cursor.operator() {
            Some(".." | "..=") => self.cursor.next_place(),
            _ => self.cursor.previous_span().into(),
        };
        self.fail(
            place,
            Code::RangeForm,
            "a range has both bounds\n\nhelp: write `a..b`, from the first entry to the one after the last",
        )
    }

    /// `a, b, c` up to the end of this level. A broken element does not prevent the others from being read.
    pub(super) fn parse_elements(&mut self) -> (Vec<Expr>, usize) {
        self.parse_elements_of(Self::parse_tall)
    }

    /// The arguments of a function. Those of data may be ranges and strings.
    pub(super) fn parse_arguments_of(
        &mut self,
        function: &Ident,
        group: &Group,
    ) -> Parse<(Vec<Expr>, usize)> {
        if !DATA.contains(&text(function).as_str()) {
            return self.parse_inside(group, Parser::parse_elements);
        }
        self.parse_inside(group, |inner| inner.parse_elements_of(Self::parse_datum))
    }

    fn parse_datum(&mut self) -> Parse<Tall> {
        let literal = self.cursor.literal_at(0);
        match literal.and_then(|literal| Some((string(literal)?, literal.span()))) {
            Some((text, span)) => {
                self.cursor.advance();
                Ok(Tall::leaf(Expr::new(ExprKind::Text(text), span, span)))
            }
            None => self.parse_index_or_range(),
        }
    }

    fn parse_elements_of(&mut self, parse: fn(&mut Self) -> Parse<Tall>) -> (Vec<Expr>, usize) {
        let mut elements = Vec::new();
        let mut height = 0;
        while !self.cursor.is_empty() {
            let element = self.parse_element(parse);
            height = height.max(element.height);
            let is_broken = matches!(element.expr.kind, ExprKind::Error);
            elements.push(*element.expr);
            while self.cursor.take_operator(",").is_some() && is_broken {}
        }
        (elements, height)
    }

    fn parse_element(&mut self, parse: fn(&mut Self) -> Parse<Tall>) -> Tall {
        let first = self.cursor.span();
        parse(self)
            .and_then(|element| {
                if self.cursor.is_empty() || self.cursor.operator() == Some(",") {
                    Ok(element)
                } else {
                    self.fail_unexpected("an operator or `,`")
                }
            })
            .unwrap_or_else(|Reported| {
                self.skip_to_comma();
                Tall::leaf(self.make_error_expression(first))
            })
    }

    pub(super) fn skip_to_comma(&mut self) {
        while !self.cursor.is_empty() && self.cursor.operator() != Some(",") {
            self.cursor.advance();
        }
    }

    /// The only expression on this level. Anything else becomes an error expression.
    pub(super) fn parse_only_expression(&mut self) -> Tall {
        let first = self.cursor.span();
        let parsed = self.parse_tall().and_then(|parsed| {
            if self.cursor.operator() == Some(",") {
                let comma = self.cursor.span();
                let (first, last) = (parsed.expr.first, comma);
                let tuple = ExprKind::Tuple(comma);
                return Ok(Tall::new(tuple, first, last, parsed.height));
            }
            if !self.cursor.is_empty() {
                return self.fail_unexpected("an operator");
            }
            Ok(parsed)
        });
        parsed.unwrap_or_else(|Reported| Tall::leaf(self.make_error_expression(first)))
    }

    /// Fails at a token that is not an operand.
    pub(super) fn fail_operand<T>(&mut self) -> Parse<T> {
        match self.cursor.operator() {
            Some(operator @ ("&" | "&&" | "|" | "||" | "!")) => {
                let place = self.cursor.next_place();
                self.fail(
                    place,
                    Code::ForeignOperator,
                    explain_no_such_operator(operator),
                )
            }
            _ if self.cursor.peek_group(Delimiter::Brace) => {
                let span = self.cursor.span();
                let message = "expected an expression, found `{`\n\n\
                               help: group with parentheses";
                self.fail(span, Code::Unexpected, message)
            }
            Some("#") => {
                let failed = self.fail_expected("an expression");
                // Tokens after an attribute are not a statement here.
                self.cursor.advance();
                if self.cursor.peek_group(Delimiter::Bracket) {
                    self.cursor.advance();
                }
                failed
            }
            _ => self.fail_expected("an expression"),
        }
    }

    /// Fails at a token that cannot follow an expression.
    pub(super) fn fail_unexpected<T>(&mut self, expected: &str) -> Parse<T> {
        let place = self.cursor.next_place();
        if self.cursor.peek_word("as") {
            let message = "casts are not part of the language: every number is real\n\n\
                           help: remove the cast";
            return self.fail(place, Code::RustForm, message);
        }
        if self.is_unit_behind_number() {
            return self.refuse_unit();
        }
        let is_operand = self.cursor.literal_at(0).is_some()
            || self.cursor.peek_group(Delimiter::Parenthesis)
            || self
                .cursor
                .peek_ident()
                .is_some_and(|word| !is_rust_keyword(&word.to_string()));
        let help = match is_operand {
            true if expected == "`,`" => "\n\nhelp: fields are separated by `,`",
            true if expected.contains("`,`") => {
                "\n\nhelp: a product is written with `*`, and the items of a list are separated by `,`"
            }
            true => "\n\nhelp: a product is written with `*`",
            false => "",
        };
        if self.cursor.begins_line() {
            return self.fail_expected(expected);
        }
        let code = match is_operand && expected != "`,`" {
            true => Code::SideBySide,
            false => Code::Unexpected,
        };
        self.fail_found_as(code, expected, help)
    }
}

fn field(base: Tall, name: Ident) -> Tall {
    let (first, last) = (base.expr.first, name.span());
    let height = base.height + 1;
    let base = base.expr;
    Tall::new(ExprKind::Field { base, name }, first, last, height)
}
