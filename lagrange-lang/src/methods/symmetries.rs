//! The methods of `symmetry`s: arguments and wording.

use syn::ext::IdentExt;

use super::signature::Argument;
use crate::model::SymmetryItem;

/// All arguments that the method may take.
pub(crate) const ARGUMENTS: [Argument; 2] = [Argument::Q, Argument::V];

/// The first sentence of the documentation.
pub(crate) fn summary(item: &SymmetryItem) -> String {
    let name = item.name.unraw();
    format!("The Noether quantity p . xi of the symmetry `{name}`.")
}
