//! Statements about the whole system: bundles, exports, regressors, sensitivities and symmetries.

use proc_macro2::{Delimiter, Ident};

use super::ast::{ListItem, ListingKind, Move, Part, StatementKind};
use super::head::place_of_group;
use super::mechanics::write_help;
use super::parser::{Parse, Parser, Reported};
use crate::errors::Code;

impl Parser<'_> {
    /// `bundle name { a, b }`, `regressor name { a, b }`, `sensitivity name { a, b[0] }`, `export c99 { a, b }`
    pub(super) fn parse_listing(
        &mut self,
        keyword: Ident,
        kind: ListingKind,
    ) -> Parse<StatementKind> {
        let help = write_help(&keyword);
        let name = match self.cursor.peek_group(Delimiter::Brace) {
            true => None,
            false if kind == ListingKind::Export => Some(self.parse_name("a language")?),
            false => Some(self.parse_name(&format!("the name of the {keyword}"))?),
        };
        let Some(group) = self.cursor.take_group(Delimiter::Brace) else {
            return self.fail_expected_as(Code::Unexpected, "`{`", &help);
        };
        let (items, is_complete) =
            self.parse_inside(&group, |inner| inner.parse_listed_items(kind))?;
        if name.is_none() {
            self.has_lost = true;
            let message = match kind {
                ListingKind::Export => format!("an export names a language{help}"),
                _ => format!("a {keyword} has a name{help}"),
            };
            self.error(&keyword, Code::MissingName, message);
        }
        Ok(StatementKind::Listing {
            keyword,
            kind,
            name,
            items,
            is_complete,
        })
    }

    /// The items, and true if all could be read.
    fn parse_listed_items(&mut self, kind: ListingKind) -> (Vec<ListItem>, bool) {
        let mut items: Vec<ListItem> = Vec::new();
        let mut indexed: Vec<Ident> = Vec::new();
        let mut are_all = true;
        while !self.cursor.is_empty() {
            match self.parse_listed_item(kind, &mut indexed) {
                // The message for the index of an array is enough for all its elements.
                Ok(item) if indexed.contains(&item.name) => {
                    if !items.iter().any(|listed| listed.name == item.name) {
                        items.push(item);
                    }
                }
                Ok(item) => items.push(item),
                Err(Reported) => {
                    are_all = false;
                    self.skip_to_comma();
                }
            }
            self.cursor.take_operator(",");
        }
        (items, are_all)
    }

    /// An item up to the comma. It is kept even if something unexpected follows it, such as an index: then the name joins
    /// `indexed`.
    fn parse_listed_item(
        &mut self,
        kind: ListingKind,
        indexed: &mut Vec<Ident>,
    ) -> Parse<ListItem> {
        self.cursor.open_invisible();
        let mut name = self.parse_name("a name")?;
        if self.cursor.operator() == Some(".") && self.is_declared(&name) {
            name = self.parse_parameters_of_link(name)?;
        }
        let part = match kind {
            ListingKind::Sensitivity => self.parse_indices_in_brackets()?,
            _ => None,
        };
        if self.cursor.is_empty() || self.cursor.operator() == Some(",") {
            return Ok(ListItem { name, part });
        }
        let place = self.cursor.next_place();
        let next = self.cursor.peek_ident().cloned();
        if let Some(again) = next.as_ref().filter(|next| **next == name) {
            self.pass_doubled(again);
        } else if next.is_some() && self.cursor.ident_at(1).is_some() {
            self.report_found(Code::AnotherMark, "`,`", "\n\nhelp: write `,`");
            self.cursor.advance();
        } else if next.is_some() {
            self.error(
                self.cursor.previous_span(),
                Code::MissingMark,
                "missing `,` after this",
            );
        } else if self.cursor.take_operator(";").is_some() {
            self.error(
                place,
                Code::MissingMark,
                "names are separated by `,`\n\nhelp: write `,`",
            );
        } else if let Some(group) = self.cursor.take_group(Delimiter::Bracket) {
            if !indexed.contains(&name) {
                let message = format!("an array is listed as a whole\n\nhelp: write `{name}`");
                self.error(place_of_group(&group), Code::Listed, message);
                indexed.push(name.clone());
            }
            self.skip_to_comma();
        } else {
            self.report_found(Code::AnotherMark, "`,`", "");
            self.skip_to_comma();
        }
        Ok(ListItem { name, part })
    }

    /// `name: x -> e, r.x -> e;`
    pub(super) fn parse_symmetry(&mut self, keyword: Ident) -> StatementKind {
        // `symmetry` or `symmetry name`, followed by the next statement.
        let is_bare = self.cursor.begins_line();
        let is_cut =
            self.cursor.operator_at(1) != Some(":") && (is_bare || self.cursor.begins_line_at(1));
        let name = self.parse_symmetry_name(&keyword, is_cut);
        let mut moves = Vec::new();
        let is_complete = loop {
            if is_cut {
                break false;
            }
            match self.parse_move(&keyword) {
                Ok((moved, is_last)) => {
                    moves.push(moved);
                    if is_last {
                        break true;
                    }
                }
                Err(Reported) => {
                    self.skip_statement();
                    break false;
                }
            }
        };
        StatementKind::Symmetry {
            keyword,
            name,
            moves,
            is_complete,
        }
    }

    /// `name:`. Returns `None` after a mistake and leaves the cursor at the first move.
    fn parse_symmetry_name(&mut self, keyword: &Ident, is_cut: bool) -> Option<Ident> {
        if self.cursor.operator_at(1) == Some(":") {
            let name = self.parse_name("the name of the symmetry").ok();
            if name.is_none() {
                self.cursor.advance();
            }
            self.cursor.take_operator(":");
            return name;
        }
        let message = format!("a symmetry has a name{}", write_help(keyword));
        if is_cut && !self.cursor.begins_line() && self.cursor.peek_ident().is_some() {
            let name = self.parse_name("the name of the symmetry").ok();
            let message = format!("missing `:` after this{}", write_help(keyword));
            self.error(self.cursor.previous_span(), Code::MissingMark, message);
            return name;
        }
        // A bundle may list it.
        self.has_lost = true;
        if is_cut {
            self.error(keyword, Code::MissingName, message);
            return None;
        }
        let place = self.cursor.next_place();
        self.error(place, Code::MissingName, message);
        // `symmetry name x -> 1;`
        if self.cursor.ident_at(1).is_some() {
            self.cursor.advance();
        }
        self.cursor.take_operator(":");
        None
    }

    /// `x -> e`, and true if it is the last move. Then the statement is read to its end.
    fn parse_move(&mut self, keyword: &Ident) -> Parse<(Move, bool)> {
        let (coordinate, part) = self.parse_target_of_move(keyword)?;
        let first = self.cursor.span();
        let moved = |value| Move {
            coordinate,
            part,
            value,
        };
        let Ok(value) = self.parse_expression() else {
            self.skip_statement();
            let value = self.make_error_expression(first);
            return Ok((moved(value), true));
        };
        let goes_on = self.cursor.take_operator(",").is_some() || self.is_missing_comma();
        let is_last = !goes_on || self.cursor.operator() == Some(";");
        let value = match is_last {
            true => self.end_value(value),
            false => value,
        };
        Ok((moved(value), is_last))
    }

    /// True if another move follows without a comma. The missing comma is reported.
    fn is_missing_comma(&mut self) -> bool {
        let is_missing =
            self.cursor.peek_ident().is_some() && self.cursor.operator_at(1) == Some("->");
        if is_missing {
            self.error(
                self.cursor.previous_span(),
                Code::MissingMark,
                "missing `,` after this",
            );
        }
        is_missing
    }

    /// The coordinate, or a part of it, and the arrow.
    fn parse_target_of_move(&mut self, keyword: &Ident) -> Parse<(Ident, Option<Part>)> {
        self.cursor.open_invisible();
        let coordinate = self.parse_name("the name of a coordinate")?;
        let part = self.parse_part()?;
        let place = self.cursor.next_place();
        if self.cursor.take_operator("->").is_some() {
            return Ok((coordinate, part));
        }
        let help = write_help(keyword);
        if self.cursor.begins_line() {
            // The line is incomplete, so the tokens after it are not a mistake.
            let place = self.cursor.previous_span();
            return self.fail(
                place,
                Code::MissingMark,
                format!("missing `->` after this{help}"),
            );
        }
        for operator in ["=>", "=", ":", "+="] {
            if self.cursor.take_operator(operator).is_some() {
                let message = format!("expected `->`, found `{operator}`\n\nhelp: write `->`");
                self.error(place, Code::Unexpected, message);
                return Ok((coordinate, part));
            }
        }
        self.fail_found_as(Code::AnotherMark, "`->`", &help)
    }
}
