//! Warnings at the user's tokens, by lints that rustc has: stable Rust offers no other way.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Attribute;

use crate::attributes::sets_level;
use crate::model::{Head, Model, Unused, Warning};

const UNUSED: [&str; 3] = ["unused_variables", "unused", "warnings"];
const DEPRECATED: [&str; 2] = ["deprecated", "warnings"];

/// What deserves a warning.
pub(super) fn warnings(model: &Model) -> TokenStream {
    let levels = levels(&model.head.attributes, &DEPRECATED);
    let warnings = model.warnings.iter();
    warnings.map(|warning| warn(warning, &levels)).collect()
}

/// What is unused, if anything is, and the attributes of the item that holds it.
///
/// ```text
/// mod unused { struct __Value; fn names() { #[allow(unused_variables)] let damping = __Value; } }
/// ```
///
/// The module keeps the user's constants out of sight, which a `let` of the same name would match, and
/// the type of its own keeps rustc from proposing constants of similar names.
pub(super) fn unused<'h>(
    head: &'h Head,
    names: &[Unused],
) -> (Vec<&'h Attribute>, Option<TokenStream>) {
    if names.is_empty() {
        return (Vec::new(), None);
    }
    let names = names.iter().map(unused_name);
    let module = quote! {
        #[no_implicit_prelude]
        #[allow(dead_code)]
        mod unused {
            struct __Value;
            #[allow(non_snake_case, clippy::all, clippy::pedantic)]
            fn names() { #(#names)* }
        }
    };
    (levels(&head.attributes, &UNUSED), Some(module))
}

fn levels<'a>(attributes: &'a [Attribute], lints: &[&str]) -> Vec<&'a Attribute> {
    attributes
        .iter()
        .filter(|attribute| sets_level(attribute, lints))
        .collect()
}

fn unused_name(unused: &Unused) -> TokenStream {
    let name = &unused.name;
    let levels = levels(&unused.attributes, &UNUSED);
    quote!(#(#levels)* let #name = __Value;)
}

/// A use, at the token, of a macro that is deprecated for the reason that is to be told; its name tells the lint.
fn warn(warning: &Warning, levels: &[&Attribute]) -> TokenStream {
    let own = self::levels(&warning.attributes, &DEPRECATED);
    let note = warning.shown();
    // At the token, but with no other meaning than here: the token may come from a macro of the user's.
    let place = warning.span.resolved_at(Span::call_site());
    let [name, used] = [Span::call_site(), place].map(|span| Ident::new(warning.name, span));
    quote! {
        #(#levels)*
        #(#own)*
        const _: () = {
            #[deprecated(note = #note)]
            macro_rules! #name { () => {}; }
            #used! {}
        };
    }
}
