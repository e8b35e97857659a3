//! What the items of a system have in common, whether it is sound or not.

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

/// The head and what generated code calls things.
pub(crate) struct Skeleton<'a> {
    pub(crate) head: &'a Head,
    pub(crate) layout: Layout,
    /// How generated code calls the struct: by its name, or where that is the name of the type parameter of
    /// generated code, by an alias.
    pub(super) system: Ident,
    /// How the implementations call it: by an alias, so that rustc says once that another type has the name.
    pub(super) own: Ident,
    /// How the implementations call the facade's private module.
    pub(super) rt: Ident,
    /// Its path, for what stands beside them.
    pub(super) runtime: TokenStream,
    /// `#[cfg(..)]` of the struct, for the other items.
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

    /// The attributes of every generated item but the struct.
    pub(super) fn item_attributes(&self) -> TokenStream {
        let conditions = &self.conditions;
        let allowed = parsed(ALLOWED);
        quote!(#(#conditions)* #allowed)
    }
}

/// Whether a type of this name is out of sight where `S` is the scalar.
pub(super) fn hides_scalar(name: &Ident) -> bool {
    name == "S" || name == "r#S"
}

/// The name of a parameter as an argument of `new`. The token of the user's is the field alone, for editors.
pub(super) fn argument(parameter: &Ident) -> Ident {
    let mut name = parameter.clone();
    name.set_span(Span::call_site());
    name
}
