//! Warnings at the user's tokens, by lints of rustc: stable Rust has no other way.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Attribute;

use crate::attributes::sets_level;
use crate::lints::{DEPRECATED, UNUSED};
use crate::model::{Head, Model, Unused, Warning};

/// All warnings of the model.
pub(super) fn warnings(model: &Model) -> TokenStream {
    let levels = levels(&model.head.attributes, &DEPRECATED);
    let warnings = model.warnings.iter();
    warnings.map(|warning| warn(warning, &levels)).collect()
}

/// The unused names, if there are any, and the attributes of the item that holds them.
///
/// ```text
/// mod unused { struct __Value; fn names() { #[allow(unused_variables)] let damping = __Value; } }
/// ```
///
/// Inside the module the user's constants are not in scope; otherwise a `let` of the same name would match them.
/// The separate type prevents rustc from suggesting constants with similar names.
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

/// A use of a deprecated macro at the token. The deprecation note is the warning, and the name of the macro names
/// the lint.
fn warn(warning: &Warning, levels: &[&Attribute]) -> TokenStream {
    let own = self::levels(&warning.attributes, &DEPRECATED);
    let note = warning.shown();
    // At the token, but with the hygiene of this call site: the token may come from a macro of the user.
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
