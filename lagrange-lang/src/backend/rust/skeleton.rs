//! The names and attributes that all items of a system share, with or without errors, and the block that holds the items.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Attribute;
use syn::ext::IdentExt;

use super::assembly::{local, parse_code};
use crate::attributes::conditions;
use crate::methods::{Argument, Layout};
use crate::model::Head;
use crate::spans::SpanKey;

const ALLOWED: &str = "#[allow(dead_code, deprecated, non_local_definitions, non_snake_case, unreachable_pub, \
                       unused_imports, unused_qualifications, unused_variables, clippy::all, clippy::nursery, \
                       clippy::pedantic, clippy::same_name_method, rustdoc::broken_intra_doc_links)]";

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
        let allowed = parse_code(ALLOWED);
        quote!(#(#conditions)* #allowed)
    }
}

/// Returns whether the type parameter `S` hides a type of this name.
pub(super) fn hides_scalar(name: &Ident) -> bool {
    name == "S" || name == "r#S"
}

/// The name of a parameter as an argument of `new`. Only the field has the user's token, for editors.
pub(super) fn argument_name(parameter: &Ident) -> Ident {
    let mut name = parameter.clone();
    name.set_span(Span::call_site());
    name
}

/// The implementations, if the name of the struct stands for the struct of this system.
///
/// ```text
/// macro_rules! __CartPole_7 {
///     ($why:literal __CartPole_7 $items:tt { $($structures:tt)* }) => {
///         const _: () = $items;
///         $($structures)*
///     };
///     ($why:literal $other:tt $items:tt $structures:tt) => {};
/// }
/// use __CartPole_7 as CartPole;
/// CartPole! {
///     "the system .." __CartPole_7
///     { use lagrangian::__private as __rt; type __Own<S> = CartPole<S>; fn q() {} fn v() {} impl __Own { .. } }
///     { struct CartPoleControl .. }
/// }
/// ```
///
/// The name of a struct resolves to the first one in its module, and so does the name of the macro. The
/// implementations of a second struct therefore go to the macro of the first struct, which drops them. The second import
/// of the macro is not a separate error, because the import has the name and the place of the struct.
///
/// The disadvantage: rustc first finds a `macro_rules!` of the user with the same name. It receives a text that
/// explains this, and rustc reports that no rule expected the text.
///
/// A function for each argument hides anything else with this name. Otherwise an argument with the name of a
/// constant in scope would be a pattern that matches the constant.
pub(super) fn place_once(
    skeleton: &Skeleton,
    implementations: &TokenStream,
    structures: &TokenStream,
) -> TokenStream {
    let (name, conditions) = (&skeleton.head.name, &skeleton.conditions);
    let attributes = skeleton.item_attributes();
    let arguments = list_arguments(skeleton);
    let (rt, runtime) = (&skeleton.rt, &skeleton.runtime);
    let (own, system) = (&skeleton.own, &skeleton.system);
    let alias = quote!(type #own<S> = #system<S>;);
    let items = quote!({ use #runtime as #rt; #alias #(fn #arguments() {})* #implementations });
    if !may_name_a_macro(name) {
        return quote!(#attributes const _: () = #items; #structures);
    }
    let place = item_span(skeleton);
    let tag = tag(name, place.0);
    let mut why = Literal::string(&format!(
        "the system `{name}`, whose name no macro in sight may have"
    ));
    why.set_span(name.span());
    let import = quote_spanned!(place.1=> use #tag as #name;);
    quote! {
        #(#conditions)*
        #[doc(hidden)]
        #[allow(unused_macros, non_snake_case, clippy::all, clippy::nursery, clippy::pedantic)]
        macro_rules! #tag {
            ($why:literal #tag $items:tt { $($structures:tt)* }) => {
                #attributes const _: () = $items;
                $($structures)*
            };
            ($why:literal $other:tt $items:tt $structures:tt) => {};
        }
        #(#conditions)*
        #[doc(hidden)]
        #[allow(unused_imports, clippy::all, clippy::nursery, clippy::pedantic)]
        #import
        #(#conditions)*
        #name! { #why #tag #items { #structures } }
    }
}

/// The start and the end of the struct for rustc: from its visibility to its name.
pub(super) fn item_span(skeleton: &Skeleton) -> (Span, Span) {
    let (visibility, name) = (&skeleton.head.visibility, &skeleton.head.name);
    let last = name.span();
    let visibility = quote!(#visibility).into_iter().next();
    (visibility.map_or(last, |token| token.span()), last)
}

/// Returns whether a name is in the style of types. Other names may belong to macros in use.
fn may_name_a_macro(name: &Ident) -> bool {
    name.unraw().to_string().starts_with(char::is_uppercase)
}

/// A name that no other system has, at any place. Its span is the start of the struct, so that
/// `use __CartPole_7 as CartPole` is at the place of the struct.
fn tag(name: &Ident, place: Span) -> Ident {
    let number = if proc_macro::is_available() {
        SpanKey::of(name.span()).as_word()
    } else {
        String::new()
    };
    format_ident!("__{}_{number}", name.unraw(), span = place)
}

/// The arguments of all functions, without repetition.
fn list_arguments(skeleton: &Skeleton) -> Vec<Ident> {
    let taken = skeleton
        .head
        .parameters
        .iter()
        .filter(|parameter| parameter.default.is_none());
    let mut names: Vec<Ident> = Argument::all_names().collect();
    if skeleton.layout.contacts > 0 || skeleton.layout.has_friction() {
        let of_contacts = [Argument::Active, Argument::Restitution];
        names.extend(of_contacts.map(|argument| local(argument.name())));
    }
    for parameter in taken {
        let name = parameter.name.unraw();
        if names.iter().all(|other| other.unraw() != name) {
            names.push(argument_name(&parameter.name));
        }
    }
    names
}
