//! The role after the `:` of a field, and wrong tokens in its place.

use proc_macro2::{Delimiter, Ident, TokenTree};

use super::ast::{FieldDef, Role};
use super::head::place_of_group;
use super::keywords::{ROLES, is_rust_type, role};
use super::parser::{Parse, Parser};
use crate::errors::{Code, SpanRange};
use crate::suggest::foreign::{Place, advice};
use crate::suggest::{self};

impl Parser<'_> {
    /// The role. An unknown role sets the most likely role for the stub.
    pub(super) fn parse_role(&mut self, field: &mut FieldDef) -> Parse<Role> {
        let Some(word) = self.cursor.peek_ident().cloned() else {
            return self.fail_without_word(field);
        };
        let Some(role) = role(&word.to_string()) else {
            return self.fail_at_unknown_role(&word, field);
        };
        self.cursor.advance();
        field.meant = role;
        let again = self.cursor.peek_ident().cloned();
        let again = again.filter(|again| *again == word && self.cursor.operator_at(1) != Some(":"));
        if let Some(again) = again.filter(|_| !self.cursor.begins_line()) {
            self.pass_doubled(&again);
        }
        self.refuse_behind_role(&word, role, field)?;
        Ok(role)
    }

    /// Fails at a token that is not a word, in the place of the role.
    fn fail_without_word<T>(&mut self, field: &FieldDef) -> Parse<T> {
        let name = last_name(field);
        if let Some(group) = self.cursor.take_group(Delimiter::Bracket) {
            let message = format!(
                "the size of a field follows its role\n\nhelp: write `{name}: coordinate[3]` or `{name}: parameter[3]`"
            );
            self.skip_type();
            return self.fail(place_of_group(&group), Code::SizeForm, message);
        }
        if let Some(literal) = self.cursor.literal_at(0).cloned() {
            let place = self.skip_type();
            let message = format!(
                "expected a role, found `{literal}`\n\nhelp: write `{name}: parameter = {literal}`"
            );
            return self.fail(place, Code::FieldForm, message);
        }
        let failed = match self.cursor.begins_line() {
            true => self.fail_expected("a role"),
            false => {
                let help = format!("\n\n{}", list_roles(name));
                self.fail_found_as(Code::FieldForm, "a role", &help)
            }
        };
        self.skip_type();
        failed
    }

    fn fail_at_unknown_role<T>(&mut self, word: &Ident, field: &mut FieldDef) -> Parse<T> {
        let text = word.to_string();
        if let Some(group) = self.cursor.group_at(1, Delimiter::Bracket).cloned() {
            field.dimensions = self.parse_inside(&group, Parser::parse_indices)?.0;
        }
        let place = self.skip_type();
        let name = last_name(field).clone();
        if is_rust_type(&text) {
            let message = format!(
                "expected a role, found a Rust type\n\n\
                 help: write `{name}: parameter`, or `coordinate`, `rotation`, `state`, `input` or `time`"
            );
            return self.fail(place, Code::UnknownRole, message);
        }
        if let Some(advice) = advice(Place::Role, &text) {
            let advice = advice.replace("{n}", &name.to_string());
            let is_meant = |row: &&(&str, Role)| advice.contains(&format!(": {}`", row.0));
            if let Some((_, meant)) = ROLES.iter().find(is_meant) {
                field.meant = *meant;
            }
            return self.fail(
                word,
                Code::UnknownRole,
                format!("unknown role `{word}`\n\nhelp: {advice}"),
            );
        }
        let roles = || ROLES.iter().map(|(role, _)| *role);
        if let Some(nearest) = suggest::nearest(&text, roles()).and_then(role) {
            field.meant = nearest;
        }
        let help = suggest::help_or_list(&text, roles());
        self.fail(
            word,
            Code::UnknownRole,
            format!("unknown role `{word}`{help}"),
        )
    }

    /// `coordinate(3)`, `parameter(9.81)`, `coordinate<3>`, `coordinate 3`, `parameter: 9.81`
    fn refuse_behind_role(&mut self, word: &Ident, role: Role, field: &FieldDef) -> Parse<()> {
        let place = match self.cursor.group_at(0, Delimiter::Parenthesis) {
            Some(group) => place_of_group(group),
            None => self.cursor.next_place(),
        };
        let is_refused = match self.cursor.peek() {
            Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
            Some(TokenTree::Punct(punct)) => ['<', ':'].contains(&punct.as_char()),
            token => matches!(token, Some(TokenTree::Literal(_))),
        };
        if !is_refused {
            return Ok(());
        }
        let message = match role {
            Role::Parameter => format!(
                "the size of a field is in brackets, its default after `=`\n\n\
                 help: write `{word}[3]` or `{word} = 1.5`"
            ),
            Role::Coordinate | Role::State | Role::Input => {
                format!("the size of a field is in brackets\n\nhelp: write `{word}[3]`")
            }
            Role::Robot => {
                let name = last_name(field);
                format!(
                    "a robot has a file\n\nhelp: write `{name}: robot = \"models/{name}.urdf\"`"
                )
            }
            _ => format!("nothing of this kind may follow `{word}`\n\nhelp: remove it"),
        };
        self.skip_field_rest();
        self.fail(place, Code::SizeForm, message)
    }

    /// `coordinate x`, `parameter Real m = 1`, `state x`: reports and skips the role before the name.
    pub(super) fn parse_role_before_name(&mut self) -> Option<Role> {
        /// Words that are unlikely to be names.
        const FOREIGN: &str = "dof constant param control variable Parameter";
        let word = self.cursor.peek_ident()?.clone();
        let text = word.to_string();
        let is_type = |text: &str| ["Real", "real", "double"].contains(&text) || is_rust_type(text);
        let role = match role(&text) {
            // Other languages call coordinates states, so that it is unknown what is meant.
            Some(Role::State) => Role::Unknown,
            Some(known) => known,
            None if is_type(&text) || FOREIGN.split(' ').any(|word| word == text) => Role::Unknown,
            None => return None,
        };
        let name = self.cursor.ident_at(1)?.clone();
        if self.cursor.begins_line_at(1) {
            return None;
        }
        self.cursor.advance();
        let name = match self
            .cursor
            .ident_at(1)
            .filter(|_| is_type(&name.to_string()))
        {
            Some(behind) if !self.cursor.begins_line_at(1) => {
                let behind = behind.clone();
                self.cursor.advance();
                behind
            }
            _ => name,
        };
        let help = match role {
            Role::Unknown if text == "state" => format!(
                "write `{name}: coordinate`, or `{name}: state` for a quantity without inertia whose rate is given"
            ),
            Role::Unknown => format!("write `{name}: coordinate`"),
            _ => format!("write `{name}: {text}`"),
        };
        let message = format!("the role of a field follows its name\n\nhelp: {help}");
        self.error(&word, Code::FieldForm, message);
        Some(role)
    }

    /// Skips a Rust type. It works like `skip_field_rest`, but a `,` between angle brackets belongs to the type.
    fn skip_type(&mut self) -> SpanRange {
        let first = self.cursor.span();
        let mut last = first;
        let mut angles = 0_usize;
        while let Some(token) = self.cursor.peek() {
            if let TokenTree::Punct(punct) = token {
                match punct.as_char() {
                    '<' => angles += 1,
                    '>' => angles = angles.saturating_sub(1),
                    ',' | ';' if angles == 0 => break,
                    '=' if angles == 0 => break,
                    _ => {}
                }
            }
            if self.begins_next_field() {
                break;
            }
            self.cursor.advance();
            last = self.cursor.previous_span();
        }
        if self.cursor.operator() == Some("=") {
            self.skip_field_rest();
        }
        SpanRange { first, last }
    }
}

pub(super) fn list_roles(name: &Ident) -> String {
    format!("help: write for example `{name}: coordinate`")
}

fn last_name(field: &FieldDef) -> &Ident {
    // Every field has at least one name.
    &field.names[field.names.len() - 1]
}
