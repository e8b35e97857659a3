//! The names of a field, and wrong tokens between them.

use proc_macro2::{Ident, TokenTree};

use super::keywords::{is_rust_keyword, role};
use super::parser::{Parse, Parser, Reported};
use crate::errors::Code;

impl Parser<'_> {
    /// `a, b, c` up to the `:`. Wrong tokens between names are reported once, and the other names are still read.
    pub(super) fn parse_field_names(&mut self) -> Parse<Vec<Ident>> {
        let mut names = Vec::new();
        let mut is_sound = true;
        loop {
            match self.parse_field_name(&names, is_sound) {
                Ok(name) => names.push(name),
                Err(Reported) => is_sound = false,
            }
            if self.cursor.operator() == Some(",") && (self.has_further_name() || names.is_empty())
            {
                if self.cursor.begins_line_at(1) {
                    if self.by_lines {
                        // Names are missing on this line.
                        self.lacks_names = true;
                        break;
                    }
                    self.carried.extend(names.iter().cloned());
                }
                self.cursor.advance();
            } else if !self.lacks_mark_between_names() {
                break;
            } else {
                if std::mem::replace(&mut is_sound, false) {
                    self.fail_between_names(&names);
                }
                self.cursor.take_operator(":");
            }
        }
        self.lacks_names |= !is_sound;
        if names.is_empty() {
            return Err(Reported);
        }
        Ok(names)
    }

    fn parse_field_name(&mut self, names: &[Ident], is_sound: bool) -> Parse<Ident> {
        let next = self.cursor.peek_ident();
        let is_name = next.is_some_and(|name| name != "_" && !is_rust_keyword(&name.to_string()));
        // The cursor may be here because of a mistake that is already reported.
        let is_again = !is_sound && next.is_some_and(|next| names.contains(next));
        if is_name && !is_again {
            return self.parse_name_here("the name of a field");
        }
        let failed = match is_sound {
            true => self.parse_name_here("the name of a field"),
            false => Err(Reported),
        };
        let is_mark = matches!(self.cursor.operator(), Some("," | ":" | ";"));
        if !is_mark {
            self.cursor.advance();
        }
        failed
    }

    /// True if a name, or a token meant as a name, follows the comma.
    fn has_further_name(&self) -> bool {
        let is_mark = |ahead| matches!(self.cursor.operator_at(ahead), Some("," | ":"));
        match self.cursor.token_at(1) {
            Some(TokenTree::Ident(_)) => true,
            // `a, , b`, `a, : role`
            Some(_) => {
                let commas = (1..)
                    .take_while(|ahead| self.cursor.operator_at(*ahead) == Some(","))
                    .count();
                let next = 1 + commas;
                let is_name = self.cursor.ident_at(next).is_some() && is_mark(next + 1);
                is_mark(next) || (next > 1 && is_name) || (next == 1 && is_mark(2))
            }
            None => false,
        }
    }

    /// True if the `,` before a name is missing: `a b: role`, `a b, ..`, `a: b: role`, but not `a role`.
    fn lacks_mark_between_names(&self) -> bool {
        let colon = usize::from(self.cursor.operator() == Some(":"));
        let Some(word) = self.cursor.ident_at(colon) else {
            return false;
        };
        // `a b role`: the word is in the place of the `:`.
        let behind = self.cursor.ident_at(colon + 1);
        if colon == 0 && behind.is_some_and(|behind| role(&behind.to_string()).is_some()) {
            return false;
        }
        let is_followed = match self.cursor.operator_at(colon + 1) {
            Some(":") => true,
            Some(",") => colon == 0,
            _ => colon == 0 && self.cursor.ident_at(1).is_some(),
        };
        is_followed && role(&word.to_string()).is_none() && !self.cursor.begins_line_at(colon)
    }

    fn fail_between_names(&mut self, names: &[Ident]) {
        let again = self.cursor.peek_ident().filter(|next| names.contains(next));
        // `a b c: role`: the word is in the place of the `,`.
        let is_mark = self.cursor.operator() != Some(":") && self.cursor.ident_at(1).is_some();
        if is_mark {
            let help = "\n\nhelp: names of one role are separated by `,`";
            self.report_found(Code::FieldForm, "`,`", help);
            self.cursor.advance();
        } else if self.cursor.operator() == Some(":") || again.is_some() {
            let help = "\n\nhelp: a field is `names: role`";
            self.report_found(Code::FieldForm, "`,`", help);
        } else {
            let place = self.cursor.previous_span();
            self.error(place, Code::MissingMark, "missing `,` after this");
        }
    }
}
