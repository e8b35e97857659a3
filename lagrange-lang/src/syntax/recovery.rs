//! Recovery after a broken statement: the start of the next one, and the tokens that are skipped.

use proc_macro2::{Delimiter, Ident};

use super::ast::{Expr, ExprKind, StatementKind};
use super::keywords::{self, is_rust_keyword};
use super::parser::{Parse, Parser, Reported};
use super::statements::{is_assignment, is_kept};
use crate::errors::Code;

impl Parser<'_> {
    /// The `;` after a value. If it is missing, parsing continues with the next token, and more than the `;` may be
    /// missing.
    pub(super) fn end_value(&mut self, value: Expr) -> Expr {
        let first = value.first;
        match self.expect_semicolon() {
            Ok(()) => value,
            Err(Reported) if self.is_at_statement() => value.cut(),
            Err(Reported) => {
                self.skip_statement();
                self.make_error_expression(first)
            }
        }
    }

    pub(super) fn is_at_statement(&self) -> bool {
        self.cursor.is_empty() || self.begins_statement() || self.begins_assignment()
    }

    fn expect_semicolon(&mut self) -> Parse<()> {
        if self.cursor.take_operator(";").is_some() {
            return Ok(());
        }
        if self.is_at_statement() {
            let place = self.cursor.previous_span();
            return self.fail(place, Code::MissingMark, "missing `;` after this");
        }
        self.fail_unexpected("an operator or `;`")
    }

    pub(super) fn begins_assignment(&self) -> bool {
        self.cursor.peek_ident().is_some() && self.is_assigned()
    }

    /// True if the next token begins a new line and a statement.
    pub(super) fn begins_next_statement(&self) -> bool {
        let begins = || {
            let is_assignment = !self.in_equation && self.begins_assignment();
            is_assignment || self.begins_statement() || self.begins_with_keyword()
        };
        // The words are checked first, because line numbers cost more to read.
        begins() && self.cursor.begins_line()
    }

    /// `T = ..`
    pub(super) fn begins_energy(&self) -> bool {
        let word = self.cursor.peek_ident();
        word.is_some_and(|word| keywords::energy(&word.to_string()).is_some())
            && self.cursor.operator_at(1).is_some_and(is_assignment)
    }

    /// True if the next word begins statements and is not a declared name, whatever follows it.
    fn begins_with_keyword(&self) -> bool {
        let word = self.cursor.peek_ident();
        word.is_some_and(|word| {
            keywords::statement(&word.to_string()).is_some() && !self.is_declared(word)
        })
    }

    /// True if the next tokens can only begin a statement.
    pub(super) fn begins_statement(&self) -> bool {
        let cursor = &self.cursor;
        if cursor.operator() == Some("#") {
            return cursor.group_at(1, Delimiter::Bracket).is_some();
        }
        let Some(word) = cursor.peek_ident() else {
            return false;
        };
        let next = cursor.operator_at(1);
        let text = word.to_string();
        match text.as_str() {
            "let" => cursor.ident_at(1).is_some() || cursor.any_group_at(1) || cursor.begins_line(),
            "for" | "pub" => true,
            "Q" => next == Some("."),
            "der" => !self.in_equation && cursor.begins_line() && self.begins_rate(),
            _ if keywords::energy(&text).is_some() => next.is_some_and(is_assignment),
            _ => {
                // `force[0]` is an element if `force` is a declared name.
                let indexed = self.is_declared(word);
                keywords::statement(&text).is_some()
                    && (cursor.ident_at(1).is_some()
                        || (!indexed && cursor.group_at(1, Delimiter::Bracket).is_some())
                        || cursor.group_at(1, Delimiter::Brace).is_some())
            }
        }
    }

    /// Skips the rest of a statement with its `;`. If the `;` is missing, it stops at the next statement.
    pub(super) fn skip_statement(&mut self) {
        while !self.cursor.is_empty() && !self.begins_statement() && !self.begins_next_statement() {
            let is_ended = self.cursor.take_operator(";").is_some();
            if is_ended && (self.cursor.begins_line() || self.is_at_statement()) {
                return;
            }
            // A `;` within a line replaces some other token.
            if !is_ended {
                self.cursor.advance();
            }
        }
    }

    /// Skips to a `;` or past a block like those of Rust's `if` and `fn`. It skips at least one of the `left` tokens.
    /// Names that the block seems to declare are declared without a value, so that their uses cause no further
    /// messages.
    pub(super) fn skip_block(&mut self, left: usize) -> Vec<StatementKind> {
        let mut declared = Vec::new();
        while !self.cursor.is_empty() {
            let moved = self.cursor.left() < left;
            if moved && self.cursor.is_behind_semicolon() {
                break;
            }
            if moved && (self.begins_statement() || self.begins_next_statement()) {
                break;
            }
            if self.cursor.take_operator(";").is_some() {
                break;
            }
            if self.begins_assignment() {
                declared.extend(self.cursor.peek_ident().cloned());
            }
            let is_block = self.cursor.peek_group(Delimiter::Brace);
            self.cursor.advance();
            if is_block && !self.cursor.peek_word("else") && self.cursor.operator().is_none() {
                break;
            }
        }
        let unknown: Vec<Ident> = declared
            .into_iter()
            .filter(|name| {
                let word = name.to_string();
                !self.is_declared(name) && !is_rust_keyword(&word) && !is_kept(&word)
            })
            .collect();
        unknown
            .into_iter()
            .map(|name| self.parse_broken_let(name))
            .collect()
    }

    /// A `let` with a known name and an unknown value.
    pub(super) fn parse_broken_let(&mut self, name: Ident) -> StatementKind {
        self.declare(&name);
        let span = name.span();
        StatementKind::Let {
            public: None,
            hessian: None,
            mutable: true,
            value: Expr::new(ExprKind::Error, span, span),
            name,
        }
    }

    /// Reports and skips a word that is repeated by mistake.
    pub(super) fn refuse_doubled(&mut self, word: &Ident) {
        let again = self
            .cursor
            .peek_ident()
            .filter(|next| *next == word)
            .cloned();
        let is_name = matches!(self.cursor.operator_at(1), Some(":" | "=" | "," | ";"))
            || self.cursor.group_at(1, Delimiter::Brace).is_some()
            || self.is_declared(word)
            || self.cursor.begins_line();
        if let Some(again) = again.filter(|_| !is_name) {
            self.pass_doubled(&again);
        }
    }

    /// Reports and skips the second occurrence of a word.
    pub(super) fn pass_doubled(&mut self, again: &Ident) {
        let message = format!("`{again}` is here twice\n\nhelp: remove one of them");
        self.error(again, Code::Doubled, message);
        self.cursor.advance();
    }
}
