//! The fields of a block: each field at most once, and no unknown ones.

use proc_macro2::Ident;

use crate::errors::Code;
use crate::lower::evaluator::Evaluator;
use crate::suggest::foreign::{self, Place};
use crate::suggest::{self};
use crate::syntax::ast::{BlockField, Expr, text};

/// The values by name.
pub(in crate::lower) struct Fields<'x> {
    values: Vec<(&'x Ident, &'x Expr)>,
    /// True if every field is known and occurs once.
    pub(in crate::lower) are_sound: bool,
}

impl<'x> Fields<'x> {
    pub(in crate::lower) fn get(&self, name: &str) -> Option<&'x Expr> {
        self.field(name).map(|(_, value)| value)
    }

    /// The name as written, and the value.
    pub(in crate::lower) fn field(&self, name: &str) -> Option<(&'x Ident, &'x Expr)> {
        self.values
            .iter()
            .find(|(field, _)| text(field) == name)
            .copied()
    }
}

impl Evaluator<'_> {
    /// The fields of a block: all of them, or those that could be parsed.
    pub(in crate::lower) fn read_block_fields<'x>(
        &mut self,
        (fields, are_all): (&'x [BlockField], bool),
        names: &[&str],
    ) -> Fields<'x> {
        let mut known = Fields {
            values: Vec::new(),
            are_sound: are_all,
        };
        for field in fields {
            let name = &field.name;
            let written = text(name);
            let message = if !names.contains(&written.as_str()) {
                let place = match names {
                    ["frame", ..] => Place::OfBody,
                    ["joint", ..] => Place::OfActuator,
                    ["slip", ..] => Place::OfContact,
                    _ => Place::OfLink,
                };
                let help = match foreign::advice(place, &written) {
                    Some(advice) => format!("\n\nhelp: {advice}"),
                    None => match suggest::nearest(&written, names.iter().copied()) {
                        Some(nearest) => format!("\n\nhelp: did you mean `{nearest}`?"),
                        None => format!("\n\nhelp: the fields are {}", suggest::all_of(names)),
                    },
                };
                format!("unknown field `{written}`{help}")
            } else if known.get(&written).is_some() {
                format!("the field `{written}` is given twice\n\nhelp: remove one of them")
            } else {
                known.values.push((name, &field.value));
                continue;
            };
            // The names in its value may belong to another field.
            self.complete = false;
            known.are_sound = false;
            self.errors.error(name, Code::BlockField, message);
            self.pass_over(&field.value);
        }
        known
    }

    /// The value of a field that has no default. If some field has a wrong name, that one may be meant.
    pub(super) fn require_field<'x>(
        &mut self,
        keyword: &Ident,
        fields: &Fields<'x>,
        name: &str,
    ) -> Option<&'x Expr> {
        let value = fields.get(name);
        if value.is_none() && fields.are_sound {
            let message = format!("this {keyword} has no `{name}`\n\nhelp: add `{name}: ..`");
            self.errors.error(keyword, Code::BlockField, message);
        }
        value
    }
}
