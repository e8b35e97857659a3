//! A bundle and its parts.

use lagrange_engine::{BundlePart, Quantity};
use proc_macro2::Ident;
use syn::Attribute;

use crate::generated::Method;
use crate::methods::{Argument, Field, Layout, Shell, Value};
use crate::syntax::ast::text;

/// A `bundle` and its parts.
pub(crate) struct Bundle {
    pub(crate) name: Ident,
    pub(crate) attributes: Vec<Attribute>,
    /// The name of the struct that its method returns.
    pub(crate) structure: Ident,
    /// The parts. After mistakes they may include the items that were probably meant.
    pub(crate) parts: Vec<Part>,
}

/// A field of the bundle's struct.
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

/// The way in which the value is computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// The value consists of quantities.
    Computed(Shell, Vec<Field>),
    /// The solution of the equations of motion, without checks.
    Acceleration,
    /// The value comes from a separate call of its own method with these arguments.
    Called(Vec<Argument>),
}

impl Part {
    /// The part in the form of the engine. In a bundle its quantities have unique names.
    pub(crate) fn of_routine(&self, is_in_bundle: bool) -> BundlePart {
        let name = text(&self.name);
        match &self.content {
            Content::Acceleration => {
                BundlePart::Call(Method::AccelerationUnchecked.name().to_owned())
            }
            Content::Called(_) => BundlePart::Call(name),
            Content::Computed(_, fields) => {
                let named = fields.iter().enumerate().map(|(index, field)| {
                    let unique_name = match (field.name, fields.len()) {
                        ("", 1) => name.clone(),
                        ("", _) => format!("{name}_{index}"),
                        (field_name, _) if is_in_bundle => format!("{name}_{field_name}"),
                        (field_name, _) => format!("by_{field_name}"),
                    };
                    (unique_name, field.quantity)
                });
                BundlePart::Quantities(named.collect())
            }
        }
    }
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
    /// The arguments of the bundle's method: all arguments of its parts, without duplicates.
    pub(crate) fn arguments(&self, layout: &Layout) -> Vec<Argument> {
        let taken: Vec<Argument> = self
            .parts
            .iter()
            .flat_map(|part| layout.arguments(&part.arguments))
            .collect();
        let needed = [
            Argument::Q,
            Argument::V,
            Argument::States,
            Argument::U,
            Argument::A,
        ]
        .iter()
        .filter(|argument| taken.contains(argument));
        layout.arguments(&needed.copied().collect::<Vec<Argument>>())
    }
}
