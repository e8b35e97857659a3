//! The state that all parts of the parser share: position, error collector, nesting depth.

use std::collections::HashSet;
use std::fmt::Display;
use std::mem;

use proc_macro2::{Group, Ident, Span, TokenStream};
use syn::ext::IdentExt;

use super::ast::{Expr, ExprKind, MAX_NESTING};
use super::cursor::Cursor;
use super::keywords::{is_rust_keyword, may_be_raw};
use crate::errors::{Code, Errors, SpanRange};

/// A mistake that has been reported. The unreadable part is dropped without another message.
pub(super) struct Reported;

pub(super) type Parse<T> = Result<T, Reported>;

pub(super) struct Parser<'e> {
    /// The current level of the token tree.
    pub(super) cursor: Cursor,
    errors: &'e mut Errors,
    /// The names of fields, `let`s, frames and loop variables so far. They decide ambiguous readings of a contextual
    /// keyword or of a letter with dots.
    declared: HashSet<String>,
    depth: usize,
    /// True if this statement or field has already exceeded the nesting limit.
    too_deep: bool,
    /// True while an equation is read. There `x = 1` at the start of a line is not a statement.
    pub(super) in_equation: bool,
    /// True if a declaration lacks its name. Any unknown name may be the missing one.
    pub(super) lacks_names: bool,
    /// True if a name or a number has a unit.
    pub(super) has_labels: bool,
    /// True if some statement could not be read.
    pub(super) has_lost: bool,
    /// True if each field is assumed to begin and end on its line.
    pub(super) by_lines: bool,
    /// The names of fields whose role is on a later line.
    pub(super) carried: Vec<Ident>,
}

impl<'e> Parser<'e> {
    pub(super) fn new(tokens: TokenStream, errors: &'e mut Errors) -> Self {
        let mut parser = Parser {
            cursor: Cursor::new(TokenStream::new()),
            errors,
            declared: HashSet::new(),
            depth: 0,
            too_deep: false,
            in_equation: false,
            lacks_names: false,
            has_labels: false,
            has_lost: false,
            by_lines: false,
            carried: Vec::new(),
        };
        let tokens = parser.remove_comments(tokens);
        parser.cursor = Cursor::new(tokens);
        parser
    }

    /// Parses the contents of a group, one level deeper.
    pub(super) fn parse_inside<T>(
        &mut self,
        group: &Group,
        parse: impl FnOnce(&mut Self) -> T,
    ) -> Parse<T> {
        self.check_depth(1, group.span_open())?;
        let tokens = self.remove_comments(group.stream());
        let outer = mem::replace(&mut self.cursor, Cursor::inside(group, tokens));
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        self.cursor = outer;
        Ok(parsed)
    }

    /// Parses something `levels` deeper in the same level of tokens.
    pub(super) fn parse_nested<T>(
        &mut self,
        levels: usize,
        span: Span,
        parse: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        self.check_depth(levels, span)?;
        self.depth += levels;
        let parsed = parse(self);
        self.depth -= levels;
        parsed
    }

    fn check_depth(&mut self, levels: usize, span: Span) -> Parse<()> {
        if self.depth + levels > MAX_NESTING {
            return self.fail_nesting(span);
        }
        Ok(())
    }

    /// Begins a statement or field, which reports its own nesting.
    pub(super) fn begin_item(&mut self) {
        self.too_deep = false;
    }

    pub(super) fn is_too_deep(&self) -> bool {
        self.too_deep
    }

    pub(super) fn fail_nesting<T>(&mut self, span: Span) -> Parse<T> {
        if mem::replace(&mut self.too_deep, true) {
            return Err(Reported);
        }
        self.fail(
            span,
            Code::TooDeep,
            format!(
                "nested more than {MAX_NESTING} levels deep\n\n\
                 help: name a part of it with `let`"
            ),
        )
    }

    pub(super) fn error(&mut self, place: impl Into<SpanRange>, code: Code, message: impl Display) {
        self.errors.error(place, code, message);
    }

    pub(super) fn fail<T>(
        &mut self,
        place: impl Into<SpanRange>,
        code: Code,
        message: impl Display,
    ) -> Parse<T> {
        self.error(place, code, message);
        Err(Reported)
    }

    /// Fails at the next token: `expected {what}, found ..`. If that token is on a new line, the error is at the end of
    /// the previous line.
    pub(super) fn fail_expected<T>(&mut self, what: &str) -> Parse<T> {
        self.fail_expected_as(Code::Unexpected, what, "")
    }

    /// [`Self::fail_expected`] with a help, and with the code for a token that is not on a new line.
    pub(super) fn fail_expected_as<T>(&mut self, code: Code, what: &str, help: &str) -> Parse<T> {
        if self.cursor.begins_line() {
            let message = format!("expected {what} after this{help}");
            return self.fail(self.cursor.previous_span(), Code::LineEnds, message);
        }
        self.fail_found_as(code, what, help)
    }

    /// Fails at the next token, which may begin a line.
    pub(super) fn fail_found<T>(&mut self, what: &str) -> Parse<T> {
        self.fail_found_as(Code::Unexpected, what, "")
    }

    pub(super) fn fail_found_as<T>(&mut self, code: Code, what: &str, help: &str) -> Parse<T> {
        self.report_found(code, what, help);
        Err(Reported)
    }

    /// `expected {what}, found ..` at the next token.
    pub(super) fn report_found(&mut self, code: Code, what: &str, help: &str) {
        let (place, found) = (self.cursor.next_place(), self.cursor.found());
        self.error(place, code, format!("expected {what}, found {found}{help}"));
    }

    /// A name that is valid in Rust. A statement on the next line does not count as one.
    pub(super) fn parse_name(&mut self, what: &str) -> Parse<Ident> {
        let is_name = self.cursor.peek_ident().is_some() && !self.begins_next_statement();
        if !is_name && self.cursor.begins_line() {
            return self.fail_expected(what);
        }
        self.parse_name_here(what)
    }

    /// [`Self::parse_name`] for a name that may begin a line.
    pub(super) fn parse_name_here(&mut self, what: &str) -> Parse<Ident> {
        let Some(ident) = self.cursor.peek_ident().cloned() else {
            return self.fail_found(what);
        };
        let word = ident.to_string();
        if word == "_" {
            return self.fail_found(what);
        }
        if is_rust_keyword(&word) {
            let help = if may_be_raw(&word) {
                format!("\n\nhelp: write `r#{word}` to use the word as a name")
            } else {
                String::new()
            };
            let message = format!("expected {what}, found the Rust keyword `{word}`{help}");
            return self.fail(&ident, Code::ReservedName, message);
        }
        self.cursor.advance();
        Ok(ident)
    }

    /// The name of a declaration. If it is missing, any unknown name may be the intended one.
    pub(super) fn parse_declared_name(&mut self, what: &str) -> Parse<Ident> {
        // The token after the name is the same as after the target of an assignment.
        let is_next = self.begins_next_statement() && self.cursor.operator_at(1) != Some("=");
        let name = match is_next || self.begins_energy() {
            true if self.cursor.begins_line() => self.fail_expected(what),
            _ => self.parse_name_here(what),
        };
        self.lacks_names |= name.is_err();
        name
    }

    pub(super) fn declare(&mut self, name: &Ident) {
        self.declared.insert(name.unraw().to_string());
    }

    /// Ends the effect of [`Parser::declare`].
    pub(super) fn end_name(&mut self, name: &Ident) {
        self.declared.remove(&name.unraw().to_string());
    }

    pub(super) fn is_declared(&self, name: &Ident) -> bool {
        self.declared.contains(&name.unraw().to_string())
    }

    /// An error expression from `first` to the last token read.
    pub(super) fn make_error_expression(&self, first: Span) -> Expr {
        Expr {
            kind: ExprKind::Error,
            first,
            last: self.cursor.previous_span(),
        }
    }
}
