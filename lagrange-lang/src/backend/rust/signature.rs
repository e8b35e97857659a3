//! Arguments and values of generated methods as Rust types.

use proc_macro2::{Ident, Span};

use super::text::Text;
use crate::methods::{Argument, Layout, Size, Value};

impl Layout {
    /// `__rt::SVector<S, 2>`
    fn write(&self, generic: &str, sizes: &[Size], text: &mut Text) {
        text.push_str("__rt::");
        text.push_str(generic);
        text.push_str("<S");
        for size in sizes {
            text.push_number(b", ", self.size(*size));
        }
        text.push_str(">");
    }
}

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
                layout.write("SVector", &[size], text);
            }
            (_, None) => text.push_str(": S"),
        }
        text.push_str(", ");
    }
}

impl Value {
    fn write(self, layout: &Layout, text: &mut Text) {
        let (n, inputs) = (Size::N, Size::Inputs);
        let pair = |[first, second]: [Self; 2], text: &mut Text| {
            text.push_str("(");
            first.write(layout, text);
            text.push_str(", ");
            second.write(layout, text);
            text.push_str(")");
        };
        match self {
            Self::Nothing => text.push_str("()"),
            Self::Scalar => text.push_str("S"),
            Self::Vector(size) => layout.write("SVector", &[size], text),
            Self::Matrix(rows, columns) => layout.write("SMatrix", &[rows, columns], text),
            Self::Pair(first, second) => pair([first, second].map(Self::Vector), text),
            Self::Matrices(size) => pair([Self::Matrix(size, size); 2], text),
            Self::Motion => layout.write("Motion", &[n, Size::Constraints], text),
            Self::RedundantMotion => {
                layout.write("RedundantMotion", &[n, Size::Constraints], text);
            }
            Self::ActiveMotion => {
                layout.write(
                    "ActiveMotion",
                    &[n, Size::Constraints, Size::Contacts],
                    text,
                );
            }
            Self::Impact => layout.write("Impact", &[n, Size::Constraints, Size::Contacts], text),
            Self::Derivatives(rows) => layout.write("Derivatives", &[rows, n, inputs], text),
            Self::DerivativePair(first, second) => {
                pair([first, second].map(Self::Derivatives), text);
            }
            Self::Linearization => {
                let state = Size::Known(2 * layout.velocities);
                layout.write("Linearization", &[state, inputs], text);
            }
            Self::ReducedLinearization => {
                let degrees = layout.degrees();
                let sizes = [degrees, 2 * degrees].map(Size::Known);
                let sizes = [n, sizes[0], sizes[1], inputs];
                layout.write("ReducedLinearization", &sizes, text);
            }
            Self::Gradient => layout.write("Gradient", &[n, inputs], text),
            Self::MidpointTerms => layout.write("MidpointTerms", &[n], text),
            Self::Pose => layout.write("Pose", &[], text),
        }
    }

    /// `__rt::SVector<S, 2>`, or a `Result` with it.
    pub(super) fn returned(self, fallible: bool, layout: &Layout) -> String {
        let mut text = Text::default();
        if fallible {
            text.push_str("__rt::core::result::Result<");
        }
        self.write(layout, &mut text);
        if fallible {
            text.push_str(", __rt::Error>");
        }
        text.finish()
    }
}
