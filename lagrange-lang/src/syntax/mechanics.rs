//! One-line statements of mechanics: forces, gravity, constraints and frames.

use std::mem;

use proc_macro2::{Delimiter, Ident, Span, TokenTree};
use syn::Visibility;

use super::ast::{ConstraintKind, Expr, ExprKind, StatementKind};
use super::keywords::{comparison, form};
use super::parser::{Parse, Parser, Reported};
use crate::errors::{Code, SpanRange};

impl Parser<'_> {
    pub(super) fn parse_force(&mut self, keyword: Ident) -> StatementKind {
        let (force, point, frame) = self.parse_joined(&keyword, "at", Some("on"));
        StatementKind::Force {
            keyword,
            force,
            point,
            frame,
        }
    }

    pub(super) fn parse_torque(&mut self, keyword: Ident) -> StatementKind {
        let (torque, frame, _) = self.parse_joined(&keyword, "on", None);
        StatementKind::Torque {
            keyword,
            torque,
            frame,
        }
    }

    /// `e at f;`, `e at f on g;` or `e on f;`. Broken parts become error expressions.
    fn parse_joined(
        &mut self,
        keyword: &Ident,
        word: &str,
        last: Option<&str>,
    ) -> (Expr, Expr, Option<Expr>) {
        let start = self.cursor.span();
        let sign = self.take_sign();
        if let Some(sign) = sign.filter(|_| !self.is_ahead(word)) {
            self.refuse_sign(keyword, sign, None);
            return self.parse_end_of_joined(Err(Reported), start);
        }
        let parsed = self.parse_two_expressions(keyword, word);
        if let Some(sign) = sign {
            let form = parsed.as_ref().ok().and_then(|(left, right)| {
                let (left, right) = (left.written()?, right.written()?);
                Some(format!("{keyword} {left} {word} {right};"))
            });
            self.refuse_sign(keyword, sign, form);
        }
        let parsed = parsed.and_then(|(left, right)| {
            // `on = 1;` on the next line is a separate statement.
            let has_last = last.is_some_and(|last| {
                !self.begins_assignment() && self.cursor.take_word(last).is_some()
            });
            let last = if has_last {
                Some(self.parse_expression()?)
            } else {
                None
            };
            Ok((left, right, last))
        });
        self.parse_end_of_joined(parsed, start)
    }

    /// True if the word occurs before the end of the statement.
    fn is_ahead(&self, word: &str) -> bool {
        (0..)
            .map_while(|ahead| self.cursor.token_at(ahead))
            .take_while(|token| !matches!(token, TokenTree::Punct(mark) if mark.as_char() == ';'))
            .any(|token| matches!(token, TokenTree::Ident(ident) if ident == word))
    }

    /// Takes a wrong `=`, `:` or `:=` after a keyword that takes none.
    fn take_sign(&mut self) -> Option<(SpanRange, &'static str)> {
        let sign = self
            .cursor
            .operator()
            .filter(|sign| matches!(*sign, "=" | ":"))?;
        let place = self.cursor.next_place();
        self.cursor.take_operator(sign);
        self.cursor.take_operator("=");
        Some((place, sign))
    }

    /// Reports the sign and shows the statement without it.
    fn refuse_sign(
        &mut self,
        keyword: &Ident,
        (place, sign): (SpanRange, &str),
        form: Option<String>,
    ) {
        let help = match form {
            Some(form) => format!("\n\nhelp: write `{form}`"),
            None => write_help(keyword),
        };
        let message = format!("expected a vector, found `{sign}`{help}");
        self.error(place, Code::Unexpected, message);
    }

    fn parse_two_expressions(&mut self, keyword: &Ident, word: &str) -> Parse<(Expr, Expr)> {
        let left = self.parse_expression()?;
        if self.cursor.take_word(word).is_none() {
            let what = format!("`{word}`");
            return self.fail_expected_as(Code::Unexpected, &what, &write_help(keyword));
        }
        Ok((left, self.parse_expression()?))
    }

    fn parse_end_of_joined(
        &mut self,
        parsed: Parse<(Expr, Expr, Option<Expr>)>,
        start: Span,
    ) -> (Expr, Expr, Option<Expr>) {
        match parsed {
            Ok((left, right, Some(last))) => (left, right, Some(self.end_value(last))),
            Ok((left, right, None)) => (left, self.end_value(right), None),
            Err(Reported) => {
                self.skip_statement();
                (
                    self.make_error_expression(start),
                    self.make_error_expression(start),
                    None,
                )
            }
        }
    }

    pub(super) fn parse_gravity(&mut self, keyword: Ident) -> StatementKind {
        let sign = self.take_sign();
        let value = self.parse_value();
        if let Some(sign) = sign {
            // A number is not a vector. That mistake has its own message.
            let is_vector = matches!(value.kind, ExprKind::List(_) | ExprKind::Name { .. });
            let vector = value.written().filter(|_| is_vector);
            let form = vector.map(|vector| format!("{keyword} {vector};"));
            self.refuse_sign(&keyword, sign, form);
        }
        StatementKind::Gravity { keyword, value }
    }

    /// `name: lhs = rhs;`
    pub(super) fn parse_constraint(
        &mut self,
        keyword: Ident,
        kind: ConstraintKind,
    ) -> Parse<StatementKind> {
        let name = self.parse_constraint_name(&keyword, "constraint");
        let start = self.cursor.span();
        // Without a name the rest may not be an equation either. Both are one mistake.
        let parsed = match name {
            Err(Reported) if !self.is_equation() => Err(Reported),
            _ => self.parse_equation(),
        };
        let parsed = parsed.map(|(left, right)| (left, right, None));
        let (left, right, _) = self.parse_end_of_joined(parsed, start);
        Ok(StatementKind::Constraint {
            kind,
            named: name.is_ok(),
            name: name.unwrap_or(keyword),
            left,
            right,
        })
    }

    /// `name: lhs >= rhs;` or `name: lhs >= rhs { slip: s, friction: mu, restitution: e };`
    pub(super) fn parse_contact(&mut self, keyword: Ident) -> StatementKind {
        let name = self.parse_constraint_name(&keyword, "contact");
        let start = self.cursor.span();
        let parsed = match name {
            Err(Reported) if !self.is_compared() => Err(Reported),
            _ => self.parse_inequality(),
        };
        let block = parsed
            .as_ref()
            .ok()
            .and_then(|_| self.cursor.take_group(Delimiter::Brace))
            .map(|group| self.parse_inside(&group, Parser::parse_block_fields));
        let ((above, below), (fields, is_whole)) = match (parsed, block) {
            (Ok(sides), Some(fields)) => {
                // After braces it may be missing, as after those of other statements.
                self.cursor.take_operator(";");
                (sides, fields.unwrap_or((Vec::new(), false)))
            }
            (parsed, _) => {
                let parsed = parsed.map(|(above, below)| (above, below, None));
                let (above, below, _) = self.parse_end_of_joined(parsed, start);
                ((above, below), (Vec::new(), true))
            }
        };
        StatementKind::Contact {
            named: name.is_ok(),
            name: name.unwrap_or(keyword),
            above,
            below,
            fields,
            is_whole,
        }
    }

    /// `name:` of a constraint or contact. After a mistake the equation comes next.
    fn parse_constraint_name(&mut self, keyword: &Ident, what: &str) -> Parse<Ident> {
        if self.cursor.operator_at(1) == Some(":") {
            let name = self.parse_name(&format!("the name of the {what}"));
            if name.is_err() {
                self.cursor.advance();
            }
            self.cursor.take_operator(":");
            return name;
        }
        if let Some(name) = self.parse_name_with_index(what) {
            return Ok(name);
        }
        if let Some(name) = self.parse_name_and_other_mark(keyword) {
            return Ok(name);
        }
        let place = match self.cursor.begins_line() {
            true => keyword.into(),
            false => self.cursor.next_place(),
        };
        let failed = self.fail(
            place,
            Code::MissingName,
            format!("a {what} has a name{}", write_help(keyword)),
        );
        let lacks_colon = self.cursor.peek_ident().is_some()
            && !self.begins_next_statement()
            && (self.cursor.ident_at(1).is_some() || self.cursor.literal_at(1).is_some());
        if lacks_colon {
            self.cursor.advance();
        }
        self.cursor.take_operator(":");
        failed
    }

    /// `name[i]:`, which is reported.
    fn parse_name_with_index(&mut self, what: &str) -> Option<Ident> {
        let name = self.cursor.peek_ident().cloned()?;
        let place = self.cursor.group_at(1, Delimiter::Bracket)?.span();
        if self.cursor.operator_at(2) != Some(":") {
            return None;
        }
        let message = format!(
            "the name of a {what} has no index\n\n\
             help: remove it: in a loop over `i`, `{name}` is named `{name}[i]` by itself"
        );
        self.error(place, Code::MissingName, message);
        self.cursor.advance();
        self.cursor.advance();
        self.cursor.take_operator(":");
        Some(name)
    }

    /// `name name:`, or a name followed by something other than `:`. Both are reported.
    fn parse_name_and_other_mark(&mut self, keyword: &Ident) -> Option<Ident> {
        let name = self.cursor.peek_ident().cloned()?;
        let next = self.cursor.ident_at(1).cloned();
        if let Some(again) =
            next.filter(|next| *next == name && self.cursor.operator_at(2) == Some(":"))
        {
            self.cursor.advance();
            self.pass_doubled(&again);
            self.cursor.take_operator(":");
            return Some(name);
        }
        let is_mark = match self.cursor.token_at(1) {
            Some(TokenTree::Ident(_) | TokenTree::Literal(_)) => matches!(
                self.cursor.token_at(2),
                Some(TokenTree::Ident(_) | TokenTree::Literal(_))
            ),
            Some(TokenTree::Punct(_)) => self.cursor.operator_at(1) == Some(","),
            _ => false,
        };
        let is_name = is_mark && !self.is_declared(&name) && !self.begins_next_statement();
        if !is_name || self.cursor.begins_line_at(1) {
            return None;
        }
        self.cursor.advance();
        let mark = if keyword == "contact" { ">=" } else { "=" };
        let help = format!("\n\nhelp: write `{name}: lhs {mark} rhs;`");
        self.report_found(Code::AnotherMark, "`:`", &help);
        self.cursor.advance();
        Some(name)
    }

    /// True if an `=` occurs before the end of the statement.
    fn is_equation(&self) -> bool {
        self.has_operator_between_sides(|operator| matches!(operator, "=" | "=="))
    }

    /// True if a comparison or an `=` occurs before the end of the statement.
    fn is_compared(&self) -> bool {
        self.has_operator_between_sides(|operator| {
            operator == "=" || comparison(operator).is_some()
        })
    }

    fn has_operator_between_sides(&self, is_between: impl Fn(&str) -> bool) -> bool {
        if self.begins_next_statement() {
            return false;
        }
        (0..)
            .map_while(|ahead| self.cursor.token_at(ahead).map(|_| ahead))
            .filter_map(|ahead| self.cursor.operator_at(ahead))
            .find(|operator| *operator == ";" || is_between(operator))
            .is_some_and(|operator| operator != ";")
    }

    fn parse_equation(&mut self) -> Parse<(Expr, Expr)> {
        // `x = 1` on the line after the name is not a statement.
        let outer = mem::replace(&mut self.in_equation, true);
        let left = self.parse_sum();
        self.in_equation = outer;
        let left = *left?.expr;
        let place = self.cursor.next_place();
        match self.cursor.operator() {
            Some("=") => {
                self.cursor.take_operator("=");
            }
            Some("==") => {
                self.error(
                    place,
                    Code::AnotherMark,
                    "expected `=`, found `==`\n\nhelp: write `=`",
                );
                self.cursor.take_operator("==");
            }
            Some(operator) if comparison(operator).is_some() => {
                return self.fail(
                    place,
                    Code::EquationForm,
                    "a constraint is an equation, not an inequality",
                );
            }
            Some(";") => {
                let message = "a constraint is an equation\n\nhelp: add `= 0` or a right-hand side";
                return self.fail(&left, Code::EquationForm, message);
            }
            _ => {
                self.refuse_operator()?;
                return self.fail_unexpected("an operator or `=`");
            }
        }
        let right = self.parse_expression()?;
        let span = self.cursor.span();
        if self.cursor.take_operator("=").is_some() {
            return self.fail(
                span,
                Code::EquationForm,
                "an equation has one `=`\n\nhelp: write two constraints",
            );
        }
        Ok((left, right))
    }

    /// `lhs >= rhs` or `lhs <= rhs`. Returns the greater side first.
    fn parse_inequality(&mut self) -> Parse<(Expr, Expr)> {
        let outer = mem::replace(&mut self.in_equation, true);
        let left = self.parse_sum();
        self.in_equation = outer;
        let left = *left?.expr;
        let place = self.cursor.next_place();
        let (operator, is_reversed) = match self.cursor.operator() {
            Some(operator @ (">=" | ">")) => (operator, false),
            Some(operator @ ("<=" | "<")) => (operator, true),
            Some("=" | "==" | "!=") => {
                let message = "a contact is an inequality, not an equation\n\nhelp: write `>=`; an equation that \
                               always holds is `holonomic name: lhs = rhs;`";
                return self.fail(place, Code::EquationForm, message);
            }
            Some(";") => {
                let message =
                    "a contact is an inequality\n\nhelp: add `>= 0` or another right-hand side";
                return self.fail(&left, Code::EquationForm, message);
            }
            _ => {
                self.refuse_operator()?;
                return self.fail_unexpected("an operator or `>=`");
            }
        };
        let whole = if is_reversed { "<=" } else { ">=" };
        if operator != whole {
            let message =
                format!("expected `{whole}`, found `{operator}`\n\nhelp: write `{whole}`");
            self.error(place, Code::AnotherMark, message);
        }
        self.cursor.take_operator(operator);
        let right = *self.parse_sum()?.expr;
        let span = self.cursor.span();
        let next = self.cursor.operator();
        if next.is_some_and(|next| next == "=" || comparison(next).is_some()) {
            let message = "a contact has one comparison\n\nhelp: write two contacts";
            return self.fail(span, Code::EquationForm, message);
        }
        self.refuse_operator()?;
        Ok(match is_reversed {
            false => (left, right),
            true => (right, left),
        })
    }

    /// `name = F;` or `mut name = F;` after `frame`.
    pub(super) fn parse_frame(&mut self, public: Option<Visibility>) -> Parse<StatementKind> {
        let mutable = self.cursor.take_word("mut").is_some();
        let name = self.parse_declared_name("the name of the frame")?;
        let value = self.parse_value_of(&name);
        self.declare(&name);
        Ok(StatementKind::Frame {
            public,
            mutable,
            name,
            value,
        })
    }
}

/// Help that shows the form of the statement with this keyword.
pub(super) fn write_help(keyword: &Ident) -> String {
    match form(&keyword.to_string()) {
        Some(form) => format!("\n\nhelp: write `{form}`"),
        None => String::new(),
    }
}
