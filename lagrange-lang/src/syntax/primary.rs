//! Operands: numbers, names, calls, lists, groups, `sum` and `if`.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenTree};
use syn::ext::IdentExt;

use super::ast::{Comparison, Expr, ExprKind, LoopHead};
use super::expr::Tall;
use super::keywords::comparison;
use super::names::{split_dots, split_dots_before_index};
use super::numbers::decimal;
use super::operators::explain_no_such_operator;
use super::parser::{Parse, Parser, Reported};
use crate::errors::{Code, SpanRange};

/// `i in a..b`
pub(super) fn index_of(head: &LoopHead) -> String {
    let bound = |of: &Expr| of.written().unwrap_or_else(|| "n".to_owned());
    format!(
        "{} in {}..{}",
        head.variable,
        bound(&head.from),
        bound(&head.to)
    )
}

impl Parser<'_> {
    pub(super) fn parse_primary(&mut self) -> Parse<Tall> {
        let is_field =
            self.cursor.peek_ident().is_some() && self.cursor.operator_at(1) == Some(":");
        if (is_field && self.cursor.begins_line()) || self.begins_next_statement() {
            return self.fail_expected("an expression");
        }
        match self.cursor.peek().cloned() {
            Some(TokenTree::Literal(literal)) => Ok(Tall::leaf(self.parse_number(&literal))),
            Some(TokenTree::Ident(ident)) if ident == "if" => self.parse_conditional(),
            Some(TokenTree::Ident(_)) => self.parse_word(),
            Some(TokenTree::Group(group)) => match group.delimiter() {
                // A macro's `$e:expr` binds like parentheses.
                Delimiter::Parenthesis | Delimiter::None => self.parse_parenthesized(&group),
                Delimiter::Bracket => self.parse_vector(&group),
                Delimiter::Brace => self.fail_operand(),
            },
            _ => match self.cursor.operator() {
                Some(bar @ ("|" | "||")) => self.parse_bars(bar),
                _ => self.fail_operand(),
            },
        }
    }

    fn parse_number(&mut self, literal: &Literal) -> Expr {
        self.cursor.advance();
        let (text, span) = (literal.to_string(), literal.span());
        // A literal from a procedural macro may have a sign.
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.as_str()),
        };
        let number = match decimal(digits) {
            Ok(number) => Expr::new(ExprKind::Number(number), span, span),
            Err(message) => {
                self.error(span, Code::Number, message);
                Expr::new(ExprKind::Error, span, span)
            }
        };
        if negative {
            Expr::new(ExprKind::Neg(Box::new(number)), span, span)
        } else {
            number
        }
    }

    fn parse_word(&mut self) -> Parse<Tall> {
        if let Some(told) = self.refuse_path().or_else(|| self.refuse_dotted_product()) {
            return Ok(told);
        }
        match self.refuse_foreign_call() {
            Some(told) => told,
            None => self.parse_name_or_call(),
        }
    }

    fn parse_name_or_call(&mut self) -> Parse<Tall> {
        let name = self.parse_name("an expression")?;
        if self.cursor.operator() == Some("!") && self.cursor.any_group_at(1) {
            let is_list = ["vec", "array", "vector", "matrix", "dvector", "dmatrix"]
                .iter()
                .any(|list| name == list);
            let help = match is_list {
                true => "a vector is written `[a, b]`, a matrix `[[a, b], [c, d]]`",
                false => "write it out",
            };
            let message = format!("macros are not part of the language\n\nhelp: {help}");
            return self.fail(&name, Code::RustForm, message);
        }
        match self.cursor.take_group(Delimiter::Parenthesis) {
            Some(group) if name.unraw() == "sum" => self.parse_sum_over(name, &group),
            Some(group) => self.parse_call(name, &group),
            None => Ok(Tall::leaf(self.parse_name_expression(name))),
        }
    }

    /// A name that was declared with its dots is that name. Any other name with dots is a velocity.
    pub(super) fn parse_name_expression(&mut self, written: Ident) -> Expr {
        let span = written.span();
        let (name, dots) = self.resolve_dotted_name(written);
        Expr::new(ExprKind::Name { name, dots }, span, span)
    }

    fn resolve_dotted_name(&self, written: Ident) -> (Ident, u8) {
        if self.is_declared(&written) {
            return (written, 0);
        }
        let before_index = split_dots_before_index(&written);
        if self.is_declared(&before_index.0) {
            return before_index;
        }
        split_dots(&written)
    }

    fn parse_call(&mut self, function: Ident, group: &Group) -> Parse<Tall> {
        let (arguments, height) = self.parse_arguments_of(&function, group)?;
        let (first, close) = (function.span(), group.span_close());
        let kind = ExprKind::Call {
            function,
            arguments,
            close,
        };
        Ok(Tall::new(kind, first, close, height + 1))
    }

    fn parse_parenthesized(&mut self, group: &Group) -> Parse<Tall> {
        self.cursor.advance();
        let mut inner = self.parse_inside(group, Parser::parse_only_expression)?;
        inner.expr.first = group.span_open();
        inner.expr.last = group.span_close();
        inner.height += 1;
        Ok(inner)
    }

    fn parse_vector(&mut self, group: &Group) -> Parse<Tall> {
        self.cursor.advance();
        let (first, last) = (group.span_open(), group.span_close());
        let (elements, height) = self.parse_inside(group, Parser::parse_elements)?;
        let kind = if elements.is_empty() {
            self.error(
                SpanRange { first, last },
                Code::IndexCount,
                "a vector has at least one element",
            );
            ExprKind::Error
        } else {
            ExprKind::List(elements)
        };
        Ok(Tall::new(kind, first, last, height + 1))
    }

    fn parse_sum_over(&mut self, keyword: Ident, group: &Group) -> Parse<Tall> {
        let (first, last) = (keyword.span(), group.span_close());
        let parsed = self.parse_inside(group, |inner| inner.parse_sum_parts(keyword))?;
        let (kind, height) = parsed.unwrap_or((ExprKind::Error, 0));
        Ok(Tall::new(kind, first, last, height + 1))
    }

    /// `|e|` or `||e||`
    fn parse_bars(&mut self, bar: &'static str) -> Parse<Tall> {
        let place = self.cursor.next_place();
        self.cursor.take_operator(bar);
        let inner = self.parse_nested(1, place.first, Self::parse_sum)?;
        if self.cursor.take_operator(bar).is_none() {
            return self.fail(place, Code::ForeignOperator, explain_no_such_operator(bar));
        }
        let last = self.cursor.previous_span();
        let kind = ExprKind::Bars(inner.expr);
        Ok(Tall::new(kind, place.first, last, inner.height + 1))
    }

    /// `i in a..b, e`
    fn parse_sum_parts(&mut self, keyword: Ident) -> Parse<(ExprKind, usize)> {
        if self.cursor.peek_ident().is_none() || self.cursor.ident_at(1).is_none_or(|w| w != "in") {
            let place = self.cursor.next_place();
            return self.fail(
                place,
                Code::RangeForm,
                "a sum is written `sum(i in a..b, e)`",
            );
        }
        let variable = self.parse_name("a name for the index")?;
        self.cursor.take_word("in");
        let (from, to) = self.parse_range()?;
        if self.cursor.take_operator(",").is_none() {
            return self.fail_expected("`,` and the expression to add up");
        }
        self.declare(&variable);
        let (other_heads, place) = self.parse_surplus_indices(&keyword)?;
        if !other_heads.is_empty() && self.cursor.take_operator(",").is_none() {
            return self.fail_expected("`,` and the expression to add up");
        }
        let body = self.parse_tall()?;
        self.cursor.take_operator(",");
        if !self.cursor.is_empty() {
            return self.fail_unexpected("an operator");
        }
        let mut height = from.height.max(to.height).max(body.height);
        let head = LoopHead {
            keyword,
            variable,
            from: *from.expr,
            to: *to.expr,
        };
        if !other_heads.is_empty() {
            let heads: Vec<String> = [&head]
                .into_iter()
                .chain(&other_heads)
                .map(index_of)
                .map(|head| format!("sum({head}, "))
                .collect();
            let message = format!(
                "a sum has one index\n\nhelp: nest one in the other: `{}{}{}`",
                heads.concat(),
                body.expr.written().unwrap_or_else(|| "..".to_owned()),
                ")".repeat(heads.len())
            );
            self.error(place, Code::RangeForm, message);
        }
        let sum = |head, body| ExprKind::SumOver {
            head: Box::new(head),
            body,
        };
        let mut body = body.expr;
        for head in other_heads.into_iter().rev() {
            height += 1;
            let (first, last) = (body.first, body.last);
            body = Box::new(Expr::new(sum(head, body), first, last));
        }
        Ok((sum(head, body), height))
    }

    /// `, j in a..b` after the range of an index, with its place. A loop has only one index.
    pub(super) fn parse_surplus_indices(
        &mut self,
        keyword: &Ident,
    ) -> Parse<(Vec<LoopHead>, SpanRange)> {
        let mut indices = Vec::new();
        let is_index = |parser: &Self, ahead: usize| {
            let word = parser.cursor.ident_at(ahead + 1);
            parser.cursor.ident_at(ahead).is_some() && word.is_some_and(|word| word == "in")
        };
        // In a sum the comma has been read.
        let first = match self.cursor.operator() {
            Some(",") => self
                .cursor
                .token_at(1)
                .map_or(self.cursor.span(), TokenTree::span),
            _ => self.cursor.span(),
        };
        loop {
            let comma = usize::from(self.cursor.operator() == Some(","));
            if !is_index(self, comma) || (comma == 0 && !indices.is_empty()) {
                break;
            }
            self.cursor.take_operator(",");
            let variable = self.parse_name("a name for the index")?;
            self.cursor.take_word("in");
            let (from, to) = self.parse_range()?;
            self.declare(&variable);
            indices.push(LoopHead {
                keyword: keyword.clone(),
                variable,
                from: *from.expr,
                to: *to.expr,
            });
        }
        let last = self.cursor.previous_span();
        Ok((indices, SpanRange { first, last }))
    }

    /// `a..b`, without the end.
    pub(super) fn parse_range(&mut self) -> Parse<(Tall, Tall)> {
        self.cursor.open_range();
        let from = self.parse_sum()?;
        let place = self.cursor.next_place();
        match self.cursor.operator() {
            Some("..") => {}
            Some("..=" | "...") => {
                self.error(
                    place,
                    Code::RangeForm,
                    "a range is written `a..b`, with `b` excluded",
                );
            }
            _ => return self.fail_expected("`..`"),
        }
        if let Some(operator) = self.cursor.operator() {
            self.cursor.take_operator(operator);
        }
        let to = self.parse_sum()?;
        self.refuse_operator()?;
        Ok((from, to))
    }

    fn parse_conditional(&mut self) -> Parse<Tall> {
        let first = self.cursor.span();
        let mut arms = Vec::new();
        let mut height = 0;
        let mut broken = false;
        while let Some(keyword) = self.cursor.take_word("if") {
            let condition = self.parse_nested(1, keyword.span(), Self::parse_condition);
            if condition.is_err() && self.is_too_deep() {
                return Err(Reported);
            }
            if condition.is_err() && !self.cursor.peek_group(Delimiter::Brace) {
                return Err(Reported);
            }
            let branch = self.parse_branch()?;
            height = height.max(branch.height);
            match condition {
                Ok((comparison, tallest)) => {
                    height = height.max(tallest);
                    arms.push((comparison, *branch.expr));
                }
                Err(Reported) => broken = true,
            }
            if self.cursor.take_word("else").is_none() {
                let message = "an `if` is an expression and needs an `else`\n\n\
                               help: add `else { 0 }` or another value";
                return self.fail(&keyword, Code::Condition, message);
            }
        }
        let otherwise = self.parse_branch()?;
        let last = self.cursor.previous_span();
        let height = height.max(otherwise.height) + 1;
        let otherwise = otherwise.expr;
        let kind = if broken {
            ExprKind::Error
        } else {
            ExprKind::If { arms, otherwise }
        };
        Ok(Tall::new(kind, first, last, height))
    }

    /// A comparison, with or without parentheses around it. After a mistake the branch comes next.
    fn parse_condition(&mut self) -> Parse<(Comparison, usize)> {
        if self.cursor.group_at(1, Delimiter::Brace).is_some()
            && let Some(group) = self.cursor.take_group(Delimiter::Parenthesis)
        {
            return self.parse_inside(&group, Parser::parse_only_comparison)?;
        }
        let compared = self.parse_comparison();
        if compared.is_err() {
            while !self.cursor.is_empty()
                && self.cursor.operator() != Some(";")
                && !self.cursor.peek_group(Delimiter::Brace)
                && !self.begins_next_statement()
            {
                self.cursor.advance();
            }
        }
        compared
    }

    fn parse_only_comparison(&mut self) -> Parse<(Comparison, usize)> {
        let compared = self.parse_comparison()?;
        if self.cursor.is_empty() {
            Ok(compared)
        } else {
            self.fail_unexpected("an operator")
        }
    }

    fn parse_comparison(&mut self) -> Parse<(Comparison, usize)> {
        let joins = matches!(self.cursor.operator_at(1), Some("&&" | "||"));
        if joins && self.cursor.take_group(Delimiter::Parenthesis).is_some() {
            // In `(a < b) && (c < d)` the mistake is not the comparison in parentheses.
            self.refuse_operator()?;
        }
        let left = self.parse_sum()?;
        let Some((operator, op)) = self
            .cursor
            .operator()
            .and_then(|operator| Some((operator, comparison(operator)?)))
        else {
            return self.fail_comparison(&left.expr);
        };
        self.cursor.take_operator(operator);
        let right = self.parse_sum()?;
        if self.cursor.operator().and_then(comparison).is_some() {
            let place = self.cursor.next_place();
            let message = "comparisons cannot be chained\n\n\
                           help: put one `if` into a branch of another";
            return self.fail(place, Code::Condition, message);
        }
        self.refuse_operator()?;
        let height = left.height.max(right.height);
        let compared = Comparison {
            left: *left.expr,
            op,
            right: *right.expr,
        };
        Ok((compared, height))
    }

    fn fail_comparison<T>(&mut self, left: &Expr) -> Parse<T> {
        if let Some(span) = self.cursor.take_operator("=") {
            return self.fail(
                span,
                Code::Condition,
                "expected a comparison, found `=`\n\nhelp: write `==`",
            );
        }
        self.refuse_operator()?;
        if self.cursor.peek_group(Delimiter::Brace) {
            let message = "the condition of an `if` is a comparison\n\n\
                           help: write for example `x > 0`";
            return self.fail(left, Code::Condition, message);
        }
        self.fail_unexpected("a comparison")
    }

    fn parse_branch(&mut self) -> Parse<Tall> {
        let Some(group) = self.cursor.take_group(Delimiter::Brace) else {
            return self.fail_expected("`{` and an expression");
        };
        self.parse_inside(&group, Parser::parse_only_expression)
    }
}
