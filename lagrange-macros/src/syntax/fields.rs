//! The fields of the struct: `names: role = default`.

use proc_macro2::{Delimiter, Ident, Span, TokenTree};
use syn::Attribute;

use super::ast::{Expr, FieldDef, Role};
use super::attributes::{Bearer, place_of_visibility};
use super::head::place_of_group;
use super::keywords::{ROLES, is_rust_type, role};
use super::parser::{Parse, Parser, Reported};
use crate::errors::SpanRange;
use crate::suggest;

impl Parser<'_> {
    /// All fields up to the closing brace; a broken one does not keep the others from being read.
    pub(super) fn fields(&mut self) -> Vec<FieldDef> {
        let mut fields = Vec::new();
        while !self.cursor.is_empty() {
            let attributes = self.attributes();
            if self.cursor.is_empty() {
                let _reported = self.refuse_dangling(&attributes, "a field");
                break;
            }
            match self.field(attributes) {
                Ok(field) => {
                    fields.push(field);
                    self.end_of_field();
                }
                Err(Reported) => self.skip_field(),
            }
        }
        fields
    }

    fn field(&mut self, attributes: Vec<Attribute>) -> Parse<FieldDef> {
        self.begin_item();
        self.refuse_visibility();
        let names = self.field_names()?;
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
            default: None,
        };
        // The names are declared whatever their role, so that their uses are silent.
        let _reported = self.role_of(&mut field);
        let of = match field.role {
            Role::Coordinate => ("a coordinate", Bearer::Nothing),
            Role::Rotation => ("a rotation", Bearer::Nothing),
            Role::Input => ("an input", Bearer::Nothing),
            Role::Time => ("time", Bearer::Nothing),
            Role::Parameter | Role::Unknown => ("a parameter", Bearer::Item),
        };
        field.attributes = self.kept_attributes(field.attributes, of);
        Ok(field)
    }

    fn refuse_visibility(&mut self) {
        self.cursor.open_invisible();
        let visibility = self.visibility();
        if let Some(place) = place_of_visibility(&visibility) {
            let message = "fields have no visibility of their own: parameters are public\n\n\
                           help: remove `pub`";
            self.error(place, message);
        }
    }

    fn field_names(&mut self) -> Parse<Vec<Ident>> {
        let mut names = vec![self.name("the name of a field")?];
        while self.cursor.operator() == Some(",") {
            if self.cursor.ident_at(1).is_none() {
                break;
            }
            self.cursor.advance();
            names.push(self.name("the name of a field")?);
        }
        Ok(names)
    }

    /// `: role[dimensions] = default`
    fn role_of(&mut self, field: &mut FieldDef) -> Parse<()> {
        if self.cursor.take_operator(":").is_none() {
            return self.missing_role(&field.names);
        }
        field.role_span = self.cursor.span();
        let found = self.role(&mut field.meant)?;
        field.meant = found;
        field.dimensions = self.dimensions(found)?;
        field.role = found;
        if let Some(equals) = self.cursor.take_operator("=") {
            field.default = self.default(equals, found);
        }
        Ok(())
    }

    fn missing_role<T>(&mut self, names: &[Ident]) -> Parse<T> {
        if let Some(group) = self.cursor.take_group(Delimiter::Bracket) {
            let place = place_of_group(&group);
            self.skip_field_rest();
            let message = "the size belongs to the role\n\nhelp: write `r: coordinate[3]`";
            return self.fail(place, message);
        }
        let ends = self.cursor.is_empty() || matches!(self.cursor.operator(), Some("," | ";"));
        match names.last() {
            Some(name) if ends => {
                let message = format!("`{name}` has no role\n\n{}", roles_help(name));
                self.fail(name, message)
            }
            _ => {
                let failed = self.fail_expected("`:` and a role");
                self.skip_field_rest();
                failed
            }
        }
    }

    /// The role; an unknown one changes `meant` to the nearest.
    fn role(&mut self, meant: &mut Role) -> Parse<Role> {
        let Some(word) = self.cursor.peek_ident().cloned() else {
            let failed = self.fail_expected("a role");
            self.skip_type();
            return failed;
        };
        let text = word.to_string();
        if let Some(role) = role(&text) {
            self.cursor.advance();
            return Ok(role);
        }
        let place = self.skip_type();
        if is_rust_type(&text) {
            let message = "expected a role, found a Rust type\n\n\
                           help: write `parameter`, `coordinate`, `input` or `time`";
            return self.fail(place, message);
        }
        if is_attitude(&text) {
            *meant = Role::Rotation;
            let message = format!("unknown role `{word}`\n\nhelp: an orientation is a `rotation`");
            return self.fail(place, message);
        }
        let roles = || ROLES.iter().map(|(role, _)| *role);
        if let Some(nearest) = suggest::nearest(&text, roles()).and_then(role) {
            *meant = nearest;
        }
        let help = suggest::help(&text, roles());
        self.fail(&word, format!("unknown role `{word}`{help}"))
    }

    /// `[n]` or `[r, c]`, as many sizes as the role takes.
    fn dimensions(&mut self, role: Role) -> Parse<Vec<Expr>> {
        let Some(group) = self.cursor.take_group(Delimiter::Bracket) else {
            return Ok(Vec::new());
        };
        let (most, message) = match role {
            Role::Coordinate | Role::Parameter | Role::Unknown => (
                2,
                "a field has at most two sizes: a scalar, vector or matrix",
            ),
            Role::Input => (1, "an input is a scalar or a vector"),
            Role::Rotation => (
                0,
                "a rotation is four numbers of q by itself, and has no size\n\n\
                 help: declare each by a name of its own: `a, b: rotation`",
            ),
            Role::Time => (0, "time is a scalar"),
        };
        let surplus_group = self.cursor.take_group(Delimiter::Bracket);
        let failed = if let Some(surplus) = surplus_group {
            let message = "the sizes of a matrix stand in one pair of brackets\n\n\
                           help: write `[r, c]`";
            Some((place_of_group(&surplus), message))
        } else if most == 0 {
            Some((place_of_group(&group), message))
        } else {
            None
        };
        if let Some((place, message)) = failed {
            self.skip_field_rest();
            return self.fail(place, message);
        }
        let (sizes, _) = self.inside(&group, Parser::indices)?;
        if let Some(surplus) = sizes.get(most) {
            let failed = self.fail(surplus, message);
            self.skip_field_rest();
            return failed;
        }
        Ok(sizes)
    }

    fn default(&mut self, equals: Span, role: Role) -> Option<Expr> {
        let first = self.cursor.span();
        let value = self.expression().unwrap_or_else(|Reported| {
            self.skip_field_rest();
            self.error_expression(first)
        });
        if role == Role::Parameter {
            return Some(value);
        }
        let place = SpanRange {
            first: equals,
            last: value.last,
        };
        let message = "only parameters have defaults\n\nhelp: remove the default";
        self.error(place, message);
        None
    }

    /// The `,` behind a field, which the last one need not have.
    fn end_of_field(&mut self) {
        if self.cursor.take_operator(",").is_some() || self.cursor.is_empty() {
            return;
        }
        let place = self.cursor.next_place();
        if self.cursor.take_operator(";").is_some() {
            self.error(place, "fields are separated by `,`\n\nhelp: write `,`");
            return;
        }
        if self.begins_field() {
            let place = self.cursor.previous_span();
            self.error(place, "missing `,` after this");
            return;
        }
        let _reported: Parse<()> = self.fail_unexpected("`,`");
        self.skip_field();
    }

    fn begins_field(&self) -> bool {
        let cursor = &self.cursor;
        cursor.operator() == Some("#")
            || (cursor.peek_ident().is_some() && matches!(cursor.operator_at(1), Some(":" | ",")))
    }

    fn skip_field(&mut self) {
        self.skip_field_rest();
        self.cursor.advance();
    }

    /// Skips up to the `,` that ends a field, or a `;` written for it.
    fn skip_field_rest(&mut self) {
        while !self.cursor.is_empty() && !matches!(self.cursor.operator(), Some("," | ";")) {
            self.cursor.advance();
        }
    }

    /// Skips a Rust type: as `skip_field_rest`, but a `,` between angle brackets belongs to it.
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
            self.cursor.advance();
            last = self.cursor.previous_span();
        }
        if self.cursor.operator() == Some("=") {
            self.skip_field_rest();
        }
        SpanRange { first, last }
    }
}

fn roles_help(name: &Ident) -> String {
    format!("help: write for example `{name}: coordinate`")
}

/// What other tools call a rotation.
fn is_attitude(role: &str) -> bool {
    const NAMES: [&str; 9] = [
        "attitude",
        "free_flyer",
        "orientation",
        "quat",
        "quaternion",
        "rotation_matrix",
        "so3",
        "spherical",
        "unitquaternion",
    ];
    NAMES.contains(&role.to_lowercase().as_str())
}
