//! What every part of the parser shares: the position, the collector, the nesting limit.

use std::collections::HashSet;
use std::fmt::Display;
use std::mem;

use proc_macro2::{Group, Ident, Span, TokenStream};
use syn::ext::IdentExt;

use super::ast::{Expr, ExprKind, MAX_NESTING};
use super::cursor::Cursor;
use super::keywords::{is_rust_keyword, may_be_raw};
use crate::errors::{Code, Errors, SpanRange};

/// A mistake that has been noted: what could not be parsed is given up without another word.
pub(super) struct Reported;

pub(super) type Parse<T> = Result<T, Reported>;

pub(super) struct Parser<'e> {
    /// The level of the token tree that is being read.
    pub(super) cursor: Cursor,
    errors: &'e mut Errors,
    /// Names of fields, `let`s, frames and loop variables so far. They decide what a contextual
    /// word or a letter with dots means where both readings are possible.
    declared: HashSet<String>,
    depth: usize,
    /// Whether the nesting limit was exceeded in this statement or field already.
    too_deep: bool,
    /// Whether the names of an equation are read, where `x = 1` at the start of a line is no statement.
    pub(super) in_equation: bool,
    /// Whether a declaration lacks its name, which may be any of those that are unknown.
    pub(super) lacks_names: bool,
    /// Whether a statement could not be read at all.
    pub(super) has_lost: bool,
    /// Whether each field is read as one that begins and ends on its line.
    pub(super) by_lines: bool,
    /// The names of fields whose role stands on a later line.
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
            has_lost: false,
            by_lines: false,
            carried: Vec::new(),
        };
        let tokens = parser.without_comments(tokens);
        parser.cursor = Cursor::new(tokens);
        parser
    }

    /// Parses the inside of a group, one level deeper.
    pub(super) fn inside<T>(
        &mut self,
        group: &Group,
        parse: impl FnOnce(&mut Self) -> T,
    ) -> Parse<T> {
        self.check_depth(1, group.span_open())?;
        let tokens = self.without_comments(group.stream());
        let outer = mem::replace(&mut self.cursor, Cursor::inside(group, tokens));
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        self.cursor = outer;
        Ok(parsed)
    }

    /// Parses something that lies `levels` deeper, though on the same level of tokens.
    pub(super) fn nested<T>(
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

    /// A new statement or field has its own nesting to report.
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

    /// Fails at the next token: `expected {what}, found ..`. At the end of a line what is missing is missing
    /// there, whatever the next line holds.
    pub(super) fn fail_expected<T>(&mut self, what: &str) -> Parse<T> {
        if self.cursor.begins_line() {
            let place = self.cursor.previous_span();
            return self.fail(place, Code::LineEnds, format!("expected {what} after this"));
        }
        self.fail_found(what)
    }

    /// The same for what may well begin a line.
    pub(super) fn fail_found<T>(&mut self, what: &str) -> Parse<T> {
        let place = self.cursor.next_place();
        let found = self.cursor.found();
        self.fail(
            place,
            Code::Unexpected,
            format!("expected {what}, found {found}"),
        )
    }

    /// A name that Rust accepts as one; where the next line begins with a statement it is none.
    pub(super) fn name(&mut self, what: &str) -> Parse<Ident> {
        let is_name = self.cursor.peek_ident().is_some() && !self.begins_next_statement();
        if !is_name && self.cursor.begins_line() {
            return self.fail_expected(what);
        }
        self.name_here(what)
    }

    /// The same for what may well begin a line.
    pub(super) fn name_here(&mut self, what: &str) -> Parse<Ident> {
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

    /// The name of a declaration: without it any name may be the one that was meant.
    pub(super) fn declared_name(&mut self, what: &str) -> Parse<Ident> {
        // What follows the name is what follows the target of an assignment.
        let is_next = self.begins_next_statement() && self.cursor.operator_at(1) != Some("=");
        let name = match is_next || self.begins_energy() {
            true if self.cursor.begins_line() => self.fail_expected(what),
            _ => self.name_here(what),
        };
        self.lacks_names |= name.is_err();
        name
    }

    pub(super) fn declare(&mut self, name: &Ident) {
        self.declared.insert(name.unraw().to_string());
    }

    /// Ends what [`Parser::declare`] began.
    pub(super) fn end_of_name(&mut self, name: &Ident) {
        self.declared.remove(&name.unraw().to_string());
    }

    pub(super) fn is_declared(&self, name: &Ident) -> bool {
        self.declared.contains(&name.unraw().to_string())
    }

    /// An expression for what could not be parsed, from `first` to the last token read.
    pub(super) fn error_expression(&self, first: Span) -> Expr {
        Expr {
            kind: ExprKind::Error,
            first,
            last: self.cursor.previous_span(),
        }
    }
}
