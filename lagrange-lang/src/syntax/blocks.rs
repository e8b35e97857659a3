//! Statements with a block: bodies, springs, dampers, actuators, loops.

use proc_macro2::{Delimiter, Ident};

use super::ast::{BlockField, BlockKind, Expr, LoopHead, Statement, StatementKind};
use super::mechanics::write_help;
use super::parser::{Parse, Parser, Reported};
use super::primary::index_of;
use crate::errors::Code;

impl Parser<'_> {
    /// `body name { .. }`, `spring { .. }`, `damper { .. }`, `actuator name { .. }`
    pub(super) fn parse_block(&mut self, keyword: Ident, kind: BlockKind) -> Parse<StatementKind> {
        let mut name = None;
        if self.cursor.peek_ident().is_some() {
            let written = self.parse_name("a name or `{`")?;
            if matches!(kind, BlockKind::Body | BlockKind::Actuator) {
                name = Some(written);
            } else {
                let message = format!("a {keyword} has no name\n\nhelp: remove `{written}`");
                self.error(&written, Code::MissingName, message);
            }
        }
        let Some(group) = self.cursor.take_group(Delimiter::Brace) else {
            return self.fail_expected_as(Code::Unexpected, "`{`", &write_help(&keyword));
        };
        let (fields, is_whole) = self.parse_inside(&group, Parser::parse_block_fields)?;
        Ok(StatementKind::Block {
            keyword,
            kind,
            name,
            fields,
            is_whole,
        })
    }

    /// The fields, and true if all could be read.
    pub(super) fn parse_block_fields(&mut self) -> (Vec<BlockField>, bool) {
        let (mut fields, mut is_whole) = (Vec::new(), true);
        while !self.cursor.is_empty() {
            let left = self.cursor.left();
            match self.parse_block_field() {
                Ok(field) => {
                    // The skipped tokens may contain other fields.
                    is_whole &= !field.value.is_broken();
                    fields.push(field);
                }
                Err(Reported) => {
                    is_whole = false;
                    if self.cursor.left() == left {
                        self.cursor.advance();
                    }
                    self.skip_block_field();
                }
            }
            self.cursor.take_operator(",");
        }
        (fields, is_whole)
    }

    /// `name: value` or `name`, up to the comma.
    fn parse_block_field(&mut self) -> Parse<BlockField> {
        let name = self.parse_name_here("the name of a field")?;
        let place = self.cursor.next_place();
        if self.ends_block_field() {
            let value = self.parse_name_expression(name.clone());
            return Ok(BlockField { name, value });
        }
        if self.begins_next_block_field() {
            self.error(&name, Code::LineEnds, "expected `:` and a value after this");
            let value = self.make_error_expression(name.span());
            return Ok(BlockField { name, value });
        }
        if self.cursor.take_operator("=").is_some() {
            self.error(
                place,
                Code::AnotherMark,
                "expected `:`, found `=`\n\nhelp: write `:`",
            );
        } else if self.cursor.take_operator(":").is_none() {
            return self.fail_expected("`:` or `,`");
        }
        let first = self.cursor.span();
        let parsed = match self.begins_next_block_field() {
            true => self.fail_expected("an expression"),
            false => self.parse_expression(),
        };
        let value = parsed
            .and_then(|value| self.end_block_field(value))
            .unwrap_or_else(|Reported| {
                self.skip_block_field();
                self.make_error_expression(first)
            });
        Ok(BlockField { name, value })
    }

    fn end_block_field(&mut self, value: Expr) -> Parse<Expr> {
        if self.ends_block_field() {
            return Ok(value);
        }
        if self.begins_block_field() {
            let place = self.cursor.previous_span();
            self.error(place, Code::MissingMark, "missing `,` after this");
            return Ok(value.cut());
        }
        let place = self.cursor.next_place();
        if self.cursor.take_operator(";").is_some() {
            self.error(
                place,
                Code::MissingMark,
                "fields are separated by `,`\n\nhelp: write `,`",
            );
            return Ok(value);
        }
        self.fail_unexpected("an operator or `,`")
    }

    fn ends_block_field(&self) -> bool {
        self.cursor.is_empty() || self.cursor.operator() == Some(",")
    }

    fn begins_block_field(&self) -> bool {
        self.cursor.peek_ident().is_some() && self.cursor.operator_at(1) == Some(":")
    }

    /// True if the next token begins a new line and a field.
    fn begins_next_block_field(&self) -> bool {
        self.begins_block_field() && self.cursor.begins_line()
    }

    /// Skips to the `,` after a field, or to the next field if the comma is missing.
    fn skip_block_field(&mut self) {
        while !self.ends_block_field() && !self.begins_next_block_field() {
            self.cursor.advance();
        }
    }

    /// `for i in a..b { .. }`
    pub(super) fn parse_for_loop(&mut self) -> Parse<StatementKind> {
        match self.cursor.take_word("for") {
            Some(keyword) => self.parse_loop_behind_keyword(keyword),
            None => self.fail_expected("`for`"),
        }
    }

    pub(super) fn parse_loop_behind_keyword(&mut self, keyword: Ident) -> Parse<StatementKind> {
        let variable = self.parse_name("a name for the index")?;
        if self.cursor.take_word("in").is_none() {
            let failed = self.fail_expected("`in`");
            if self.cursor.literal_at(0).is_none() {
                return failed;
            }
        }
        let (from, to) = self.parse_range_of_loop();
        self.declare(&variable);
        let (other_heads, place) = self.parse_surplus_indices(&keyword)?;
        let head = LoopHead {
            keyword,
            variable,
            from,
            to,
        };
        if !other_heads.is_empty() {
            let heads: Vec<String> = [&head]
                .into_iter()
                .chain(&other_heads)
                .map(index_of)
                .map(|head| format!("for {head} {{ "))
                .collect();
            let message = format!(
                "a loop has one index\n\nhelp: nest one in the other: `{}..{}`",
                heads.concat(),
                " }".repeat(heads.len())
            );
            self.error(place, Code::RangeForm, message);
        }
        let Some(group) = self.cursor.take_group(Delimiter::Brace) else {
            return self.fail_expected("`{`");
        };
        let mut body = self.parse_inside(&group, Parser::parse_statements)?;
        for head in other_heads.into_iter().rev() {
            let kind = StatementKind::For { head, body };
            let attributes = Vec::new();
            body = vec![Statement { attributes, kind }];
        }
        Ok(StatementKind::For { head, body })
    }

    /// The bounds. After a mistake in them the body still comes next.
    fn parse_range_of_loop(&mut self) -> (Expr, Expr) {
        let start = self.cursor.span();
        match self.parse_range() {
            Ok((from, to)) => (*from.expr, *to.expr),
            Err(Reported) => {
                while !self.cursor.is_empty()
                    && self.cursor.operator() != Some(";")
                    && !self.cursor.peek_group(Delimiter::Brace)
                {
                    self.cursor.advance();
                }
                (
                    self.make_error_expression(start),
                    self.make_error_expression(start),
                )
            }
        }
    }
}
