//! User-defined functions: `let f(a, b) = e;`

use std::rc::Rc;

use proc_macro2::{Delimiter, Ident};

use super::ast::{Function, StatementKind};
use super::parser::{Parse, Parser, Reported};
use crate::errors::{Code, SpanRange};

impl Parser<'_> {
    /// The function of this name, if its arguments come next.
    pub(super) fn parse_function(
        &mut self,
        name: &Ident,
        (is_public, is_mutable): (bool, bool),
    ) -> Option<StatementKind> {
        // Other parentheses mean that the `=` is missing.
        if !matches!(self.cursor.operator_at(1), Some("=" | ":" | "+=")) {
            return None;
        }
        let group = self.cursor.take_group(Delimiter::Parenthesis)?;
        if is_public {
            let message = format!(
                "a function is no output\n\nhelp: make a value of it one: `pub let y = {name}(..);`"
            );
            self.error(name, Code::MethodPlace, message);
        }
        if is_mutable {
            let message = format!(
                "a function cannot be `mut`\n\nhelp: write `let {name}(..) = ..;`, and declare another one for \
                 another value"
            );
            self.error(name, Code::LetForm, message);
        }
        let parsed = self.parse_inside(&group, Parser::parse_arguments);
        let (arguments, is_whole) = parsed.unwrap_or((Vec::new(), false));
        self.refuse_type();
        let new: Vec<Ident> = arguments
            .iter()
            .filter(|name| !self.is_declared(name))
            .cloned()
            .collect();
        arguments.iter().for_each(|argument| self.declare(argument));
        let body = self.parse_value_of(name);
        new.iter().for_each(|argument| self.end_name(argument));
        Some(StatementKind::Function(Rc::new(Function {
            name: name.clone(),
            arguments,
            is_whole,
            body,
        })))
    }

    /// The arguments, and true if all could be read.
    fn parse_arguments(&mut self) -> (Vec<Ident>, bool) {
        let mut arguments = Vec::new();
        let mut are_all = true;
        while !self.cursor.is_empty() {
            match self.parse_argument() {
                Ok(name) => arguments.push(name),
                Err(Reported) => {
                    are_all = false;
                    self.skip_to_comma();
                }
            }
            self.cursor.take_operator(",");
        }
        (arguments, are_all)
    }

    /// A name up to the comma.
    fn parse_argument(&mut self) -> Parse<Ident> {
        self.cursor.open_invisible();
        let name = self.parse_name("the name of an argument")?;
        if self.cursor.is_empty() || self.cursor.operator() == Some(",") {
            return Ok(name);
        }
        let (what, help) = match self.cursor.operator() {
            Some(":") => ("type", "remove it: an argument is whatever a call gives"),
            Some("=") => ("default", "remove it: every call gives all arguments"),
            _ => return self.fail_unexpected("`,`"),
        };
        let first = self.cursor.span();
        self.skip_to_comma();
        let last = self.cursor.previous_span();
        let message = format!("an argument has no {what}\n\nhelp: {help}");
        self.error(SpanRange { first, last }, Code::LetForm, message);
        Ok(name)
    }
}
