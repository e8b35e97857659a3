//! The struct at the start: attributes, visibility, name, fields.

use proc_macro2::{Delimiter, Group, Ident, TokenTree};

use super::ast::{FieldDef, SystemDef};
use super::parser::{Parse, Parser};
use crate::errors::{Code, SpanRange};
use crate::files::Folder;

/// The Rust keywords of items other than `struct`. The tokens after them are not a list of fields.
const OTHER_ITEMS: &str =
    "enum union trait impl fn mod use const static type let extern unsafe macro_rules";

impl Parser<'_> {
    /// The head of the declaration, without statements. Returns `None` if the name is missing.
    pub(super) fn parse_head(&mut self) -> Option<SystemDef> {
        let mut attributes = self.parse_attributes();
        self.cursor.open_invisible();
        let visibility = self.parse_visibility();
        let options = self.take_options(&mut attributes);
        self.refuse_default(&mut attributes);
        let is_struct = self.parse_struct_keyword().ok()?;
        let name = self.parse_name("a name for the system").ok()?;
        let fields = if is_struct {
            self.parse_fields_of_struct(&name)
        } else {
            self.skip_all();
            None
        };
        // Without fields every name in the statements would be unknown.
        self.lacks_names |= fields.is_none();
        Some(SystemDef {
            attributes,
            options,
            visibility,
            name,
            fields: fields.unwrap_or_default(),
            statements: Vec::new(),
            lacks_names: false,
            has_labels: false,
            has_lost: false,
            carried: Vec::new(),
            folder: Folder::default(),
        })
    }

    /// True if a struct follows: the keyword, or the tokens after a missing or wrong keyword.
    fn parse_struct_keyword(&mut self) -> Parse<bool> {
        if self.cursor.take_word("struct").is_some() {
            return Ok(true);
        }
        let Some(word) = self.cursor.peek_ident().cloned() else {
            return self.fail_expected("`struct`");
        };
        // After a lone `pub`.
        if self.cursor.begins_line() {
            return self.fail_expected("`struct`");
        }
        let is_other = OTHER_ITEMS.split(' ').any(|item| word == item);
        let message = if is_other {
            format!("expected `struct`, found `{word}`\n\nhelp: a system is `struct Name {{ .. }}`")
        } else {
            format!("expected `struct`, found `{word}`")
        };
        if self.cursor.ident_at(1).is_some() {
            self.error(&word, Code::NotAStruct, message);
            self.cursor.advance();
            let has_keyword = self.cursor.take_word("struct").is_some();
            return Ok(has_keyword || !is_other);
        }
        if is_other || self.cursor.group_at(1, Delimiter::Brace).is_none() {
            return self.fail(&word, Code::NotAStruct, message);
        }
        self.error(
            &word,
            Code::NotAStruct,
            format!("missing `struct` before `{word}`"),
        );
        Ok(true)
    }

    /// The tokens after the name. Returns `None` if there are no fields in braces.
    fn parse_fields_of_struct(&mut self, name: &Ident) -> Option<Vec<FieldDef>> {
        self.refuse_generics(name);
        if let Some(group) = self.cursor.take_group(Delimiter::Brace) {
            return self.parse_inside(&group, Parser::parse_fields).ok();
        }
        let form = format!("help: write `struct {name} {{ x: coordinate, .. }}`");
        let place = self.cursor.next_place();
        if let Some(group) = self.cursor.take_group(Delimiter::Parenthesis) {
            let place = place_of_group(&group);
            self.error(
                place,
                Code::NotAStruct,
                format!("the fields of a system have names\n\n{form}"),
            );
        } else if self.cursor.operator() == Some(";") {
            self.error(
                place,
                Code::NotAStruct,
                format!("a system has fields\n\n{form}"),
            );
        } else if self.cursor.begins_line() {
            self.error(
                name,
                Code::NotAStruct,
                format!("expected `{{` after this\n\n{form}"),
            );
        } else {
            self.report_found(Code::NotAStruct, "`{`", &format!("\n\n{form}"));
            return self.find_fields_further_on();
        }
        None
    }

    /// The fields after unexpected tokens.
    fn find_fields_further_on(&mut self) -> Option<Vec<FieldDef>> {
        while !self.cursor.is_empty() && self.cursor.operator() != Some(";") {
            if let Some(group) = self.cursor.take_group(Delimiter::Brace) {
                return self.parse_inside(&group, Parser::parse_fields).ok();
            }
            self.cursor.advance();
        }
        None
    }

    /// Reports `<..>` and `where ..` before the fields.
    fn refuse_generics(&mut self, name: &Ident) {
        if self.cursor.operator() == Some("<") {
            let place = self.skip_to_fields();
            let message = format!(
                "a system has no generic parameters of its own: the macro adds the scalar type\n\n\
                 help: write `struct {name} {{`"
            );
            self.error(place, Code::NotAStruct, message);
        } else if self.cursor.peek_word("where") {
            let place = self.skip_to_fields();
            self.error(
                place,
                Code::NotAStruct,
                "a system has no `where` clause\n\nhelp: remove it",
            );
        }
    }

    fn skip_to_fields(&mut self) -> SpanRange {
        let first = self.cursor.span();
        while let Some(token) = self.cursor.peek() {
            let stop = match token {
                TokenTree::Group(_) => true,
                TokenTree::Punct(punct) => punct.as_char() == ';',
                _ => false,
            };
            if stop {
                break;
            }
            self.cursor.advance();
        }
        let last = self.cursor.previous_span();
        SpanRange { first, last }
    }

    pub(super) fn skip_all(&mut self) {
        while self.cursor.advance().is_some() {}
    }
}

pub(super) fn place_of_group(group: &Group) -> SpanRange {
    SpanRange {
        first: group.span_open(),
        last: group.span_close(),
    }
}
