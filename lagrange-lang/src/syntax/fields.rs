//! The fields of the struct: `names: role = default`.

use proc_macro2::{Delimiter, Ident, Span};
use syn::Attribute;

use super::ast::{Expr, FieldDef, Role};
use super::attributes::{Bearer, place_of_visibility};
use super::head::place_of_group;
use super::keywords::role;
use super::parser::{Parse, Parser, Reported};
use super::roles::list_roles;
use super::units::is_label;
use crate::errors::{Code, SpanRange};

impl Parser<'_> {
    /// All fields up to the closing brace. A broken field does not prevent the others from being read.
    pub(super) fn parse_fields(&mut self) -> Vec<FieldDef> {
        let mut fields = Vec::new();
        while !self.cursor.is_empty() {
            let attributes = self.parse_attributes();
            if self.cursor.is_empty() {
                let _reported = self.refuse_dangling(&attributes, "a field");
                break;
            }
            let left = self.cursor.left();
            match self.parse_field(attributes) {
                Ok(field) => fields.push(field),
                Err(Reported) => self.skip_field(left),
            }
        }
        fields
    }

    fn parse_field(&mut self, attributes: Vec<Attribute>) -> Parse<FieldDef> {
        self.begin_item();
        self.refuse_visibility();
        self.refuse_keyword_before_name();
        let before = self.parse_role_before_name();
        let names = self.parse_field_names()?;
        for name in &names {
            self.declare(name);
        }
        let mut field = FieldDef {
            attributes,
            role: Role::Unknown,
            meant: Role::Parameter,
            role_span: self.cursor.span(),
            names,
            dimensions: Vec::new(),
            unit: None,
            default: None,
            robot: None,
            in_file: None,
        };
        // The names are declared whatever their role, so that their uses cause no further messages.
        let is_sound = match before {
            None => self.parse_role_of(&mut field).is_ok(),
            Some(role) => {
                field.meant = if role == Role::Unknown {
                    Role::Parameter
                } else {
                    role
                };
                field.role = role;
                self.skip_field_rest();
                true
            }
        };
        if !is_sound {
            self.skip_field_rest();
        }
        self.end_field(&mut field, is_sound);
        let of = match field.role {
            Role::Coordinate => ("a coordinate", Bearer::Nothing),
            Role::Rotation => ("a rotation", Bearer::Nothing),
            Role::State => ("a state", Bearer::Nothing),
            Role::Input => ("an input", Bearer::Nothing),
            Role::Time => ("time", Bearer::Nothing),
            Role::Robot => ("a robot", Bearer::Nothing),
            Role::Parameter | Role::Unknown => ("a parameter", Bearer::Item),
        };
        field.attributes = self.keep_attributes(field.attributes, of);
        Ok(field)
    }

    fn refuse_visibility(&mut self) {
        self.cursor.open_invisible();
        let visibility = self.parse_visibility();
        if let Some(place) = place_of_visibility(&visibility) {
            let message = "fields have no visibility of their own: parameters are public\n\n\
                           help: remove `pub`";
            self.error(place, Code::FieldForm, message);
        }
    }

    /// `let m: parameter`
    fn refuse_keyword_before_name(&mut self) {
        let word = self.cursor.peek_ident().cloned();
        let is_keyword = |word: &Ident| {
            ["let", "const", "static", "mut", "var", "val"]
                .iter()
                .any(|w| word == w)
        };
        let Some(word) = word.filter(|word| is_keyword(word) && self.cursor.ident_at(1).is_some())
        else {
            return;
        };
        if !self.cursor.begins_line_at(1) {
            self.cursor.advance();
            self.error(
                &word,
                Code::FieldForm,
                format!("a field begins with its name\n\nhelp: remove `{word}`"),
            );
        }
    }

    /// `: role[dimensions] = default`
    fn parse_role_of(&mut self, field: &mut FieldDef) -> Parse<()> {
        if self.cursor.take_operator(":").is_none() {
            self.refuse_missing_role(&field.names)?;
        }
        if self.begins_next_field() || self.cursor.is_empty() {
            return self.fail_without_role(&field.names);
        }
        field.role_span = self.cursor.span();
        let role = self.parse_role(field)?;
        field.unit = self.take_label()?;
        if field.unit.is_none() {
            field.dimensions = self.parse_dimensions(role)?;
            field.unit = self.take_label()?;
        }
        if role == Role::Robot {
            field.robot = Some(self.parse_robot_file(&field.names)?);
            field.role = role;
            return Ok(());
        }
        field.role = role;
        if let Some(equals) = self.cursor.take_operator("=") {
            field.default = self.parse_default(equals, role);
            // A field with a broken default causes no further messages.
            if field.default.as_ref().is_some_and(Expr::is_broken) {
                return Err(Reported);
            }
        }
        Ok(())
    }

    /// Reports the token in the place of a `:`. Returns `Ok` if the role comes next.
    fn refuse_missing_role(&mut self, names: &[Ident]) -> Parse<()> {
        if let Some(group) = self.cursor.take_group(Delimiter::Bracket) {
            let place = place_of_group(&group);
            self.skip_field_rest();
            let message = "the size belongs to the role\n\nhelp: write `r: coordinate[3]`";
            return self.fail(place, Code::SizeForm, message);
        }
        let ends = self.cursor.is_empty() || matches!(self.cursor.operator(), Some("," | ";"));
        if ends || self.begins_next_field() {
            return self.fail_without_role(names);
        }
        if let (Some("="), Some(name)) = (self.cursor.operator(), names.last()) {
            let value = self
                .cursor
                .literal_at(1)
                .map(ToString::to_string)
                .unwrap_or_else(|| "1.5".to_owned());
            let message =
                format!("`{name}` has no role\n\nhelp: write `{name}: parameter = {value}`");
            self.lacks_names |= self.cursor.ident_at(1).is_some();
            return self.fail(name, Code::FieldForm, message);
        }
        let is_role = self.cursor.peek_ident();
        if let Some(word) = is_role.filter(|word| role(&word.to_string()).is_some()) {
            let place = self.cursor.previous_span();
            let message = format!(
                "missing `:` after this\n\nhelp: write `{}: {word}`",
                names[names.len() - 1]
            );
            self.error(place, Code::FieldForm, message);
            return Ok(());
        }
        let is_before_role = |word: &Ident| role(&word.to_string()).is_some();
        if self.cursor.ident_at(1).is_some_and(is_before_role) && !self.cursor.begins_line() {
            let help = "\n\nhelp: a field is `names: role`";
            self.report_found(Code::FieldForm, "`:`", help);
            self.cursor.advance();
            self.lacks_names = true;
            return Ok(());
        }
        // Names may follow.
        self.lacks_names = true;
        let failed = match names.last() {
            Some(name) if !self.cursor.begins_line() => {
                let help = format!("\n\n{}", list_roles(name));
                self.fail_found_as(Code::FieldForm, "`:` and a role", &help)
            }
            _ => self.fail_expected("`:` and a role"),
        };
        self.skip_field_rest();
        failed
    }

    fn fail_without_role<T>(&mut self, names: &[Ident]) -> Parse<T> {
        // The line is incomplete, so further names or fields may be missing.
        let is_last = self.cursor.token_at(1).is_none() || self.cursor.begins_line_at(1);
        let is_last = is_last && self.cursor.operator() == Some(",");
        self.lacks_names |= is_last || self.cursor.is_empty() || self.cursor.begins_line();
        match names.last() {
            Some(name) => {
                let message = format!("`{name}` has no role\n\n{}", list_roles(name));
                self.fail(name, Code::FieldForm, message)
            }
            None => self.fail_expected("a role"),
        }
    }

    /// `[n]` or `[r, c]`. The role determines the number of sizes.
    fn parse_dimensions(&mut self, role: Role) -> Parse<Vec<Expr>> {
        let Some(group) = self.cursor.take_group(Delimiter::Bracket) else {
            return Ok(Vec::new());
        };
        let (most, message) = match role {
            Role::Coordinate | Role::Parameter | Role::Unknown => (
                2,
                "a field has at most two sizes: a scalar, vector or matrix",
            ),
            Role::State => (1, "a state is a scalar or a vector"),
            Role::Input => (1, "an input is a scalar or a vector"),
            Role::Rotation => (
                1,
                "a rotation is four numbers of q by itself, and a list of rotations has one size\n\n\
                 help: write `att: rotation[6]` for six of them",
            ),
            Role::Time => (0, "time is a scalar"),
            Role::Robot => (
                0,
                "a robot has no size\n\n\
                 help: declare each by a name of its own: `left, right: robot = \"..\"`",
            ),
        };
        let surplus_group = match self.cursor.group_at(0, Delimiter::Bracket) {
            Some(group) if is_label(group) => None,
            _ => self.cursor.take_group(Delimiter::Bracket),
        };
        let failed = if let Some(surplus) = surplus_group {
            let message = "the sizes of a matrix are in one pair of brackets\n\n\
                           help: write `[r, c]`";
            Some((place_of_group(&surplus), message))
        } else if most == 0 {
            Some((place_of_group(&group), message))
        } else {
            None
        };
        if let Some((place, message)) = failed {
            self.skip_field_rest();
            return self.fail(place, Code::SizeForm, message);
        }
        if group.stream().is_empty() {
            // The size is incomplete, so further fields may be missing.
            self.lacks_names |= self.cursor.is_empty();
            let message = "expected a size, found `]`\n\nhelp: write it between the brackets, such as `[3]`, or \
                           remove them";
            let place = group.span_close();
            self.error(place, Code::SizeForm, message);
            return Ok(vec![self.make_error_expression(place)]);
        }
        let (sizes, _) = self.parse_inside(&group, Parser::parse_indices)?;
        if let Some(surplus) = sizes.get(most) {
            let failed = self.fail(surplus, Code::SizeForm, message);
            self.skip_field_rest();
            return failed;
        }
        Ok(sizes)
    }

    fn parse_default(&mut self, equals: Span, role: Role) -> Option<Expr> {
        let first = self.cursor.span();
        let parsed = match self.begins_next_field() || self.cursor.is_empty() {
            true => self.fail_expected("a number"),
            false => self
                .parse_expression()
                .and_then(|value| self.refuse_unit_of_default().map(|()| value)),
        };
        // The last default is incomplete, so further fields may be missing.
        self.lacks_names |= parsed.is_err() && self.cursor.is_empty();
        let value = parsed.unwrap_or_else(|Reported| {
            self.skip_field_rest();
            self.make_error_expression(first)
        });
        if role == Role::Parameter {
            return Some(value);
        }
        let place = SpanRange {
            first: equals,
            last: value.last,
        };
        let message = "only parameters have defaults\n\nhelp: remove the default";
        self.error(place, Code::SizeForm, message);
        None
    }

    /// The `,` after a field, which is optional after the last one. After a mistake a missing comma is not reported.
    fn end_field(&mut self, field: &mut FieldDef, is_sound: bool) {
        let is_ended = self.cursor.take_operator(",").is_some() || self.cursor.is_empty();
        if is_ended && is_sound {
            return;
        }
        if !is_sound {
            self.skip_marks();
            return;
        }
        let place = self.cursor.next_place();
        if self.cursor.take_operator(";").is_some() {
            self.error(
                place,
                Code::MissingMark,
                "fields are separated by `,`\n\nhelp: write `,`",
            );
            return;
        }
        if self.begins_field() {
            if self.cursor.begins_line() {
                // A size may also be missing.
                field.role = Role::Unknown;
            }
            let place = self.cursor.previous_span();
            self.error(place, Code::MissingMark, "missing `,` after this");
            return;
        }
        // The skipped tokens may contain names.
        self.lacks_names = true;
        let left = self.cursor.left();
        let _reported: Parse<()> = self.fail_unexpected("`,`");
        self.skip_field(left);
    }

    /// True if the next token begins a new line and a field.
    pub(super) fn begins_next_field(&self) -> bool {
        self.begins_field() && self.cursor.begins_line()
    }

    fn begins_field(&self) -> bool {
        let cursor = &self.cursor;
        cursor.operator() == Some("#")
            || (cursor.peek_ident().is_some() && matches!(cursor.operator_at(1), Some(":" | ",")))
    }

    /// Skips a field and the mark after it. It skips at least one of the `left` tokens.
    fn skip_field(&mut self, left: usize) {
        let ends = matches!(self.cursor.operator(), Some("," | ";"));
        if self.cursor.left() == left && !ends {
            self.cursor.advance();
        }
        self.skip_field_rest();
        self.skip_marks();
    }

    /// Skips repeated marks that end a field, and a default that remains after the mistake.
    fn skip_marks(&mut self) {
        loop {
            let is_mark = self.cursor.take_operator(";").is_some()
                || self.cursor.take_operator(",").is_some();
            match is_mark {
                true => {}
                false if self.cursor.operator() == Some("=") => self.skip_field_rest(),
                false => return,
            }
        }
    }

    /// Skips to the `,` that ends a field, or to a `;` in its place.
    pub(super) fn skip_field_rest(&mut self) {
        while !self.cursor.is_empty()
            && !matches!(self.cursor.operator(), Some("," | ";"))
            && !self.begins_next_field()
        {
            self.cursor.advance();
        }
    }
}
