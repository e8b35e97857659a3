//! Statements with a name, an `=` and a value: `let`, assignments, energies and generalized forces. Functions are in
//! `functions.rs`.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenTree};
use syn::Visibility;

use super::ast::{AssignOp, EnergyTerm, Expr, ExprKind, Part, StatementKind};
use super::cursor::Cursor;
use super::head::place_of_group;
use super::keywords::{assignment, is_rust_keyword};
use super::parser::{Parse, Parser, Reported};
use super::statements::is_assignment;
use crate::errors::{Code, SpanRange};

impl Parser<'_> {
    pub(super) fn parse_let_statement(
        &mut self,
        public: Option<Visibility>,
    ) -> Parse<Vec<StatementKind>> {
        self.cursor.take_word("let");
        let mutable = self.cursor.take_word("mut").is_some();
        for delimiter in [Delimiter::Parenthesis, Delimiter::Bracket] {
            if let Some(group) = self.cursor.take_group(delimiter) {
                return Ok(self.parse_broken_pattern(&group, &public, mutable));
            }
        }
        let Ok(name) = self.parse_declared_name("a name") else {
            self.skip_nameless();
            return Err(Reported);
        };
        if let Some(function) = self.parse_function(&name, (public.is_some(), mutable)) {
            return Ok(vec![function]);
        }
        self.refuse_type();
        Ok(vec![self.parse_let_of(name, public, mutable)])
    }

    /// Reads the value of a `let` whose name has been read, and declares the name.
    pub(super) fn parse_let_of(
        &mut self,
        name: Ident,
        public: Option<Visibility>,
        mutable: bool,
    ) -> StatementKind {
        let value = self.parse_value_of(&name);
        self.declare(&name);
        StatementKind::Let {
            public,
            hessian: None,
            mutable,
            name,
            value,
        }
    }

    /// Skips the tokens after a missing name.
    fn skip_nameless(&mut self) {
        if !self.cursor.begins_line() {
            self.cursor.advance();
            self.skip_statement();
        }
    }

    /// `let (a, b) = ..` is refused, but its names are declared, so that their uses cause no further messages.
    fn parse_broken_pattern(
        &mut self,
        group: &Group,
        public: &Option<Visibility>,
        mutable: bool,
    ) -> Vec<StatementKind> {
        let message = "a `let` has one name\n\nhelp: write one `let` for each name";
        self.error(place_of_group(group), Code::LetForm, message);
        self.skip_statement();
        let value_at = |span| Expr::new(ExprKind::Error, span, span);
        group
            .stream()
            .into_iter()
            .filter_map(|token| match token {
                TokenTree::Ident(name) if name != "_" && !is_rust_keyword(&name.to_string()) => {
                    Some(name)
                }
                _ => None,
            })
            .map(|name| StatementKind::Let {
                public: public.clone(),
                hessian: None,
                mutable,
                value: value_at(name.span()),
                name,
            })
            .collect()
    }

    /// True if an `=` follows the next token. After other parentheses the `=` is missing.
    fn is_before_arguments(&self) -> bool {
        matches!(self.cursor.operator_at(1), Some("=" | ":" | "+="))
    }

    fn refuse_arguments(&mut self, name: &Ident) {
        if !self.is_before_arguments() {
            return;
        }
        if let Some(group) = self.cursor.take_group(Delimiter::Parenthesis) {
            let message = format!(
                "`{name}` takes no arguments: it is an expression of whatever names it uses\n\n\
                 help: write `{name} = ..;`"
            );
            self.error(place_of_group(&group), Code::LetForm, message);
        }
    }

    /// `: f64` after the name of a `let`.
    pub(super) fn refuse_type(&mut self) {
        let first = self.cursor.span();
        if self.cursor.take_operator(":").is_none() {
            return;
        }
        while !self.cursor.is_empty() && !matches!(self.cursor.operator(), Some("=" | "==" | ";")) {
            self.cursor.advance();
        }
        let last = self.cursor.previous_span();
        let message = "a `let` has no type: it is found from the value\n\nhelp: remove it";
        self.error(SpanRange { first, last }, Code::LetForm, message);
    }

    /// `|a, b| e;`, a closure as a value.
    fn refuse_closure(&mut self, name: &Ident) -> Parse<()> {
        let first = self.cursor.span();
        if self.cursor.operator() != Some("|") {
            return Ok(());
        }
        let is_argument = |ahead: &usize| {
            let is_mark = matches!(self.cursor.operator_at(*ahead), Some("," | ":"));
            is_mark || self.cursor.ident_at(*ahead).is_some()
        };
        let end = 1 + (1..).take_while(is_argument).count();
        let is_body = self.cursor.ident_at(end + 1).is_some()
            || self.cursor.literal_at(end + 1).is_some()
            || self.cursor.any_group_at(end + 1);
        if self.cursor.operator_at(end) != Some("|") || !is_body {
            return Ok(());
        }
        for _ in 0..=end {
            self.cursor.advance();
        }
        let last = self.cursor.previous_span();
        let message = format!(
            "a function has its arguments in parentheses\n\nhelp: write `let {name}(..) = ..;`"
        );
        self.fail(SpanRange { first, last }, Code::LetForm, message)
    }

    /// `= e;` after the name of a `let` or a frame.
    pub(super) fn parse_value_of(&mut self, name: &Ident) -> Expr {
        let form = format!("\n\nhelp: write `{name} = ..;`");
        match self.parse_assign_op(&form) {
            Ok((AssignOp::Set, _)) => {
                let first = self.cursor.span();
                match self.refuse_closure(name) {
                    Ok(()) => self.parse_value(),
                    Err(Reported) => {
                        self.skip_statement();
                        self.make_error_expression(first)
                    }
                }
            }
            Ok((_, span)) => {
                let message = format!("a new name has no value to change{form}");
                self.error(span, Code::LetForm, message);
                self.parse_value()
            }
            Err(Reported) => {
                let first = self.cursor.span();
                // In `let n; e;` on one line, the first `;` is in the place of the `=`.
                let is_ended = self.cursor.take_operator(";").is_some()
                    && (self.cursor.begins_line() || self.is_at_statement());
                if !is_ended {
                    self.skip_statement();
                }
                self.make_error_expression(first)
            }
        }
    }

    /// `e;`. Returns an error expression if it is broken.
    pub(super) fn parse_value(&mut self) -> Expr {
        let first = self.cursor.span();
        match self.parse_expression() {
            Ok(value) => self.end_value(value),
            Err(Reported) => {
                self.skip_statement();
                self.make_error_expression(first)
            }
        }
    }

    /// `=`, `+=` and the like, with the place of the first character.
    pub(super) fn parse_assign_op(&mut self, help: &str) -> Parse<(AssignOp, Span)> {
        let place = self.cursor.next_place();
        if let Some(operator) = self.cursor.operator()
            && let Some(op) = assignment(operator)
        {
            self.cursor.take_operator(operator);
            return Ok((op, place.first));
        }
        if self.cursor.take_operator("==").is_some() {
            self.error(
                place,
                Code::AnotherMark,
                "expected `=`, found `==`\n\nhelp: write `=`",
            );
            return Ok((AssignOp::Set, place.first));
        }
        self.fail_expected_as(Code::AnotherMark, "`=`", help)
    }

    pub(super) fn assign(&mut self) -> Parse<StatementKind> {
        let target = self.parse_name_here("a name")?;
        let (op, op_span) = self.parse_assign_op("")?;
        let value = self.parse_value();
        Ok(StatementKind::Assign {
            target,
            op,
            op_span,
            value,
        })
    }

    /// `T = e;` and the like. The statement is kept whatever follows the letter, so that the term does not count as
    /// missing.
    pub(super) fn parse_energy(&mut self, term: EnergyTerm) -> Parse<StatementKind> {
        let keyword = self.parse_name_here("a name")?;
        let again = self.cursor.peek_ident().cloned();
        if let Some(again) = again.filter(|again| *again == keyword && !self.cursor.begins_line()) {
            self.pass_doubled(&again);
        }
        self.refuse_arguments(&keyword);
        let help = format!("\n\nhelp: write `{keyword} = ..;`");
        let (op, op_span, value) = self.parse_op_and_value(&help);
        Ok(StatementKind::Energy {
            term,
            keyword,
            op,
            op_span,
            value,
        })
    }

    fn parse_op_and_value(&mut self, help: &str) -> (AssignOp, Span, Expr) {
        let start = self.cursor.span();
        match self.parse_assign_op(help) {
            Ok((op, span)) => (op, span, self.parse_value()),
            Err(Reported) => {
                self.skip_statement();
                (AssignOp::Add, start, self.make_error_expression(start))
            }
        }
    }

    /// `Q.c = e;`, `Q.r.x = e;`, `Q.r[i] = e;`
    pub(super) fn parse_generalized_force(&mut self) -> Parse<StatementKind> {
        let keyword = self.parse_name_here("a name")?;
        if self.cursor.take_operator(".").is_none() {
            let message = "a generalized force acts on a coordinate\n\n\
                           help: write `Q.x = ..;` for the coordinate `x`";
            return self.fail(&keyword, Code::ForceTarget, message);
        }
        self.refuse_force_on_velocity()?;
        let Ok(coordinate) = self.parse_name("the name of a coordinate") else {
            self.skip_nameless();
            return Err(Reported);
        };
        let part = self.parse_part()?;
        let help = format!("\n\nhelp: write `Q.{coordinate} = ..;`");
        let (op, op_span, value) = self.parse_op_and_value(&help);
        Ok(StatementKind::GeneralizedForce {
            keyword,
            coordinate,
            part,
            op,
            op_span,
            value,
        })
    }

    /// True if `der(..)` and an assignment follow, with a name or a part of it between the parentheses.
    pub(super) fn begins_rate(&self) -> bool {
        let cursor = &self.cursor;
        let is_der = cursor.peek_ident().is_some_and(|word| word == "der");
        let group = cursor.group_at(1, Delimiter::Parenthesis);
        let Some(group) =
            group.filter(|_| is_der && cursor.operator_at(2).is_some_and(is_assignment))
        else {
            return false;
        };
        let inner = Cursor::inside(group, group.stream());
        let is_part = |ahead: usize| {
            inner.operator_at(ahead) == Some(".")
                || inner.group_at(ahead, Delimiter::Bracket).is_some()
                || (inner.operator_at(ahead - 1) == Some(".") && inner.ident_at(ahead).is_some())
        };
        inner.ident_at(0).is_some() && (1..inner.left()).all(is_part)
    }

    /// `der(z) = e;`, `der(z[i]) = e;`, `der(z.x) = e;`
    pub(super) fn parse_rate(&mut self) -> Parse<StatementKind> {
        let keyword = self.parse_name_here("a name")?;
        let Some(group) = self.cursor.take_group(Delimiter::Parenthesis) else {
            return self.fail_found("a state");
        };
        let (state, part) = self.parse_inside(&group, |parser| {
            let state = parser.parse_name_here("the name of a state")?;
            Ok((state, parser.parse_part()?))
        })??;
        let help = format!("\n\nhelp: write `der({state}) = ..;`");
        let (op, op_span, value) = self.parse_op_and_value(&help);
        Ok(StatementKind::Rate {
            keyword,
            state,
            part,
            op,
            op_span,
            value,
        })
    }

    /// The parts after the name of a coordinate, if there are any.
    pub(super) fn parse_part(&mut self) -> Parse<Option<Part>> {
        let Some(first) = self.parse_one_part()? else {
            return Ok(None);
        };
        let mut parts = vec![first];
        while !self.cursor.begins_line()
            && let Some(next) = self.parse_one_part()?
        {
            parts.push(next);
        }
        Ok(match parts.len() {
            1 => parts.pop(),
            _ => Some(Part::Path(parts)),
        })
    }

    fn parse_one_part(&mut self) -> Parse<Option<Part>> {
        if self.cursor.take_operator(".").is_some() {
            return Ok(Some(Part::Field(self.parse_name("a component")?)));
        }
        self.parse_indices_in_brackets()
    }

    /// `[i]`, `[i, j]`
    pub(super) fn parse_indices_in_brackets(&mut self) -> Parse<Option<Part>> {
        let Some(group) = self.cursor.take_group(Delimiter::Bracket) else {
            return Ok(None);
        };
        let (indices, _) = self.parse_inside(&group, Parser::parse_indices)?;
        let span = group.span();
        Ok(Some(Part::Index { indices, span }))
    }
}
