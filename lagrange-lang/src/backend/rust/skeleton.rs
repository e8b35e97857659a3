//! The parts that all items of a system share, with or without errors.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Attribute;

use super::assembly::parsed;
use crate::attributes::conditions;
use crate::methods::Layout;
use crate::model::Head;

const ALLOWED: &str = "#[allow(dead_code, deprecated, non_local_definitions, non_snake_case, unreachable_pub, \
                       unused_imports, unused_qualifications, unused_variables, clippy::all, clippy::nursery, \
                       clippy::pedantic, rustdoc::broken_intra_doc_links)]";

/// The head, and the names that generated code uses.
pub(crate) struct Skeleton<'a> {
    pub(crate) head: &'a Head,
    pub(crate) layout: Layout,
    /// The struct in generated code: its name, or an alias if its name equals that of the type parameter.
    pub(super) system: Ident,
    /// The struct in the implementations. It is an alias, so that rustc reports a name clash only once.
    pub(super) own: Ident,
    /// The private module of the facade in the implementations.
    pub(super) rt: Ident,
    /// The path of this module, for code outside of the implementations.
    pub(super) runtime: TokenStream,
    /// The `#[cfg(..)]` attributes of the struct, for the other items.
    pub(super) conditions: Vec<&'a Attribute>,
}

impl<'a> Skeleton<'a> {
    pub(crate) fn new(head: &'a Head, layout: Layout) -> Self {
        let runtime = match &head.options.crate_path {
            Some(path) => quote!(#path::__private),
            None => quote!(::lagrangian::__private),
        };
        Skeleton {
            head,
            layout,
            system: if hides_scalar(&head.name) {
                format_ident!("__{}", head.name)
            } else {
                head.name.clone()
            },
            own: format_ident!("__Own"),
            rt: format_ident!("__rt"),
            runtime,
            conditions: conditions(&head.attributes),
        }
    }

    /// The attributes of every generated item except the struct.
    pub(super) fn item_attributes(&self) -> TokenStream {
        let conditions = &self.conditions;
        let allowed = parsed(ALLOWED);
        quote!(#(#conditions)* #allowed)
    }
}

/// Returns whether the type parameter `S` hides a type of this name.
pub(super) fn hides_scalar(name: &Ident) -> bool {
    name == "S" || name == "r#S"
}

/// The name of a parameter as an argument of `new`. Only the field has the user's token, for editors.
pub(super) fn argument(parameter: &Ident) -> Ident {
    let mut name = parameter.clone();
    name.set_span(Span::call_site());
    name
}
