//! A bundle and its parts.

use crate::methods::{Argument, Field, Layout, Shell, Value};
use lagrange_engine::Quantity;
use proc_macro2::Ident;
use syn::Attribute;

/// A `bundle` with what it holds.
pub(crate) struct Bundle {
    pub(crate) name: Ident,
    pub(crate) attributes: Vec<Attribute>,
    /// The name of the struct that its method returns.
    pub(crate) structure: Ident,
    /// After mistakes, what may have been meant.
    pub(crate) parts: Vec<Part>,
}

/// A field.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) name: Ident,
    pub(crate) content: Content,
    pub(crate) value: Value,
    /// All arguments that the method of this name may have.
    pub(crate) arguments: Vec<Argument>,
    /// The first sentence of its documentation.
    pub(crate) summary: String,
}

/// How its value comes to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// From quantities.
    Computed(Shell, Vec<Field>),
    /// The solution of the equations of motion, unchecked.
    Acceleration,
    /// By its own method, apart from the others, with these arguments.
    Called(Vec<Argument>),
}

impl Content {
    pub(super) fn quantity(quantity: Quantity) -> Self {
        let field = Field {
            name: "",
            quantity,
            symbol: String::new(),
        };
        Self::Computed(Shell::None, vec![field])
    }

    pub(super) fn pair(quantities: [Quantity; 2]) -> Self {
        let fields = quantities.map(|quantity| Field {
            name: "",
            quantity,
            symbol: String::new(),
        });
        Self::Computed(Shell::Pair, fields.into())
    }
}

impl Bundle {
    /// The arguments of its method: all that its parts need, each once.
    pub(crate) fn arguments(&self, layout: &Layout) -> Vec<Argument> {
        let parts = self.parts.iter();
        let taken: Vec<Argument> = parts
            .flat_map(|part| layout.arguments(&part.arguments))
            .collect();
        let all = [Argument::Q, Argument::V, Argument::U, Argument::A];
        let needed = all.iter().filter(|argument| taken.contains(argument));
        layout.arguments(&needed.copied().collect::<Vec<Argument>>())
    }
}
