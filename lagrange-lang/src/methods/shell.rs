//! The container of a result and the quantities in it.

use lagrange_engine::Quantity;

/// A field of a struct, and its symbol in formulas.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) quantity: Quantity,
    pub(crate) symbol: String,
}

impl Field {
    /// A value outside any struct.
    pub(crate) fn alone(quantity: Quantity, symbol: &str) -> Self {
        Field {
            name: "",
            quantity,
            symbol: symbol.to_owned(),
        }
    }
}

/// The container of several values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shell {
    /// No container: a single value.
    None,
    /// A struct of the runtime.
    Struct(&'static str),
    /// A tuple of two.
    Pair,
}
