//! Arguments of generated methods as Rust types.

use proc_macro2::{Ident, Span};

use super::text::Text;
use crate::methods::{Argument, Layout, Value};

impl Argument {
    /// All names of arguments of generated methods.
    pub(crate) fn all_names() -> impl Iterator<Item = Ident> {
        let names = [
            "t", "q", "v", "u", "a", "p", "d", "q0", "q1", "y", "dy", "w", "z", "motion", "l",
        ]
        .into_iter();
        names.map(|name| Ident::new(name, Span::call_site()))
    }

    /// `q: &__rt::SVector<S, 2>, `
    pub(super) fn declare(self, layout: &Layout, text: &mut Text) {
        text.push_str(self.name());
        match (self, self.size()) {
            (Self::Motion, _) => {
                text.push_str(": &");
                Value::Motion.write(layout, text);
            }
            (Self::Active, Some(size)) => {
                text.push_str(": &[__rt::core::primitive::bool");
                text.push_number(b"; ", layout.size(size));
                text.push_str("]");
            }
            (Self::StateArray | Self::InputArray | Self::Restitution, Some(size)) => {
                text.push_number(b": &[S; ", layout.size(size));
                text.push_str("]");
            }
            (Self::RateArray, Some(size)) => {
                text.push_number(b": &mut [S; ", layout.size(size));
                text.push_str("]");
            }
            (_, Some(size)) => {
                text.push_str(": &");
                Value::Vector(size).write(layout, text);
            }
            (_, None) => text.push_str(": S"),
        }
        text.push_str(", ");
    }
}
