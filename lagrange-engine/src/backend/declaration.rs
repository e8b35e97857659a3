//! The names of a system and of its parameters in an exported text.

use crate::Shape;

/// The names of a system and its parameters in the text.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The name of the system; the C type is [`snake_case`](crate::c99::snake_case) of it.
    pub name: String,
    /// The parameters, in the order of their numbers.
    pub parameters: Vec<Parameter>,
}

/// A parameter: a field of the C type.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// A number, a vector or a matrix.
    pub shape: Shape,
}
