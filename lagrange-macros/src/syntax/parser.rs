//! What every part of the parser shares: the position, the collector, the nesting limit.

use std::collections::HashSet;
use std::fmt::Display;
use std::mem;

use proc_macro2::{Group, Ident, Span, TokenStream};
use syn::ext::IdentExt;

use super::ast::{Expr, ExprKind, MAX_NESTING};
use super::cursor::Cursor;
use super::keywords::{is_rust_keyword, may_be_raw};
use crate::errors::{Errors, SpanRange};

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
}

impl<'e> Parser<'e> {
    pub(super) fn new(tokens: TokenStream, errors: &'e mut Errors) -> Self {
        Parser {
            cursor: Cursor::new(tokens),
            errors,
            declared: HashSet::new(),
            depth: 0,
            too_deep: false,
        }
    }

    /// Parses the inside of a group, one level deeper.
    pub(super) fn inside<T>(
        &mut self,
        group: &Group,
        parse: impl FnOnce(&mut Self) -> T,
    ) -> Parse<T> {
        self.check_depth(1, group.span_open())?;
        let outer = mem::replace(&mut self.cursor, Cursor::inside(group));
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
            format!(
                "nested more than {MAX_NESTING} levels deep\n\n\
                 help: name a part of it with `let`"
            ),
        )
    }

    pub(super) fn error(&mut self, place: impl Into<SpanRange>, message: impl Display) {
        self.errors.error(place, message);
    }

    pub(super) fn fail<T>(
        &mut self,
        place: impl Into<SpanRange>,
        message: impl Display,
    ) -> Parse<T> {
        self.error(place, message);
        Err(Reported)
    }

    /// Fails at the next token: `expected {what}, found ..`.
    pub(super) fn fail_expected<T>(&mut self, what: &str) -> Parse<T> {
        let place = self.cursor.next_place();
        let found = self.cursor.found();
        self.fail(place, format!("expected {what}, found {found}"))
    }

    /// A name that Rust accepts as one.
    pub(super) fn name(&mut self, what: &str) -> Parse<Ident> {
        let Some(ident) = self.cursor.peek_ident().cloned() else {
            return self.fail_expected(what);
        };
        let word = ident.to_string();
        if word == "_" {
            return self.fail_expected(what);
        }
        if is_rust_keyword(&word) {
            let help = if may_be_raw(&word) {
                format!("\n\nhelp: write `r#{word}` to use the word as a name")
            } else {
                String::new()
            };
            let message = format!("expected {what}, found the Rust keyword `{word}`{help}");
            return self.fail(&ident, message);
        }
        self.cursor.advance();
        Ok(ident)
    }

    pub(super) fn declare(&mut self, name: &Ident) {
        self.declared.insert(name.unraw().to_string());
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
