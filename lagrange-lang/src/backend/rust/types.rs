//! The struct, its `Default`, `new`, which takes the parameters without default, and `cast`, which converts the scalars
//! of a system.

use lagrange_engine::Shape;
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Attribute;

use super::docs;
use super::skeleton::{self, Skeleton, argument_name, hides_scalar};
use crate::attributes::sets_level;
use crate::generated::{CAST, NEW};
use crate::model::{Declared, Head};

/// ```text
/// pub struct CartPole<S = f64> { pub m_c: S, pub k: [S; 3] }
/// ```
///
/// `docs` follow the user's own. A struct with the name `S` has another type parameter, because derives could not
/// name the struct otherwise, and an alias for the rest of the generated code.
pub(super) fn define_struct(skeleton: &Skeleton, docs: TokenStream) -> TokenStream {
    let Skeleton { head, runtime, .. } = skeleton;
    let (attributes, visibility, name) = (&head.attributes, &head.visibility, &head.name);
    let is_hidden = hides_scalar(name);
    let scalar = format_ident!("{}", if is_hidden { "Scalar" } else { "S" });
    let fields = head
        .parameters
        .iter()
        .map(|item| write_field(item, head, &scalar));
    let alias = is_hidden.then(|| {
        let (alias, attributes) = (&skeleton.system, skeleton.item_attributes());
        quote!(#attributes #[allow(non_camel_case_types)] type #alias<Scalar> = #name<Scalar>;)
    });
    let marker = head.parameters.is_empty().then(|| {
        quote! {
            #[doc(hidden)]
            pub __scalar: #runtime::core::marker::PhantomData<#scalar>,
        }
    });
    let (_, place) = skeleton::item_span(skeleton);
    let keyword = quote_spanned!(place=> struct);
    let mut body = Group::new(Delimiter::Brace, quote!(#(#fields)* #marker));
    body.set_span(place);
    // The copied documentation of coordinates and inputs may have units in brackets, which rustdoc takes for links.
    quote! {
        #(#attributes)*
        #docs
        #[allow(
            dead_code,
            missing_copy_implementations,
            missing_debug_implementations,
            non_camel_case_types,
            non_snake_case,
            unreachable_pub,
            clippy::all,
            clippy::exhaustive_structs,
            clippy::nursery,
            clippy::pedantic,
            rustdoc::broken_intra_doc_links
        )]
        #visibility #keyword #name<#scalar = #runtime::core::primitive::f64> #body
        #alias
    }
}

fn write_field(parameter: &Declared, head: &Head, scalar: &Ident) -> TokenStream {
    let name = &parameter.name;
    let attributes = parameter
        .attributes
        .iter()
        .filter(|attribute| !is_about_unused_names(attribute));
    let docs = docs::describe_parameter(parameter, head);
    let ty = write_field_type(parameter.shape, scalar);
    quote! {
        #(#attributes)*
        #[doc = #docs]
        pub #name: #ty,
    }
}

/// `S`, `[S; 3]`, `[[S; 2]; 3]`
pub(super) fn write_field_type(shape: Shape, scalar: &Ident) -> TokenStream {
    match shape {
        Shape::Scalar => quote!(#scalar),
        Shape::Vector(length) => {
            let length = Literal::usize_unsuffixed(length);
            quote!([#scalar; #length])
        }
        Shape::Matrix(rows, columns) => {
            let [rows, columns] = [rows, columns].map(Literal::usize_unsuffixed);
            quote!([[#scalar; #columns]; #rows])
        }
    }
}

/// Returns whether the attribute sets the level of the lint on unused names, which is raised at another place.
fn is_about_unused_names(attribute: &Attribute) -> bool {
    sets_level(attribute, &["unused_variables", "unused"])
}

/// `Default`, if every parameter has one.
pub(super) fn implement_default(skeleton: &Skeleton) -> TokenStream {
    let Skeleton { head, own, rt, .. } = skeleton;
    let fields: Option<Vec<TokenStream>> = head
        .parameters
        .iter()
        .map(|parameter| write_default(parameter, rt))
        .collect();
    let Some(fields) = fields else {
        return TokenStream::new();
    };
    let marker = write_marker(skeleton);
    let attributes = skeleton.item_attributes();
    quote! {
        #attributes
        #[automatically_derived]
        impl<S: #rt::SimdRealField + #rt::core::marker::Copy> #rt::core::default::Default for #own<S> {
            fn default() -> Self {
                Self { #(#fields)* #marker }
            }
        }
    }
}

/// The value of the marker field, which holds the scalar type if no other field does.
pub(super) fn write_marker(skeleton: &Skeleton) -> Option<TokenStream> {
    let Skeleton { head, rt, .. } = skeleton;
    head.parameters
        .is_empty()
        .then(|| quote!(__scalar: #rt::core::marker::PhantomData,))
}

/// `k: 100.0,`, if the parameter has a default.
pub(super) fn write_default(parameter: &Declared, rt: &Ident) -> Option<TokenStream> {
    let name = &parameter.name;
    let values: Vec<TokenStream> = parameter
        .default
        .as_ref()?
        .iter()
        .map(|value| write_constant(*value, rt))
        .collect();
    let value = match parameter.shape {
        Shape::Scalar => quote!(#(#values)*),
        Shape::Vector(_) => quote!([#(#values),*]),
        Shape::Matrix(_, columns) => {
            let rows = values.chunks(columns.max(1)).map(|row| quote!([#(#row),*]));
            quote!([#(#rows),*])
        }
    };
    Some(quote!(#name: #value,))
}

fn write_constant(value: f64, rt: &Ident) -> TokenStream {
    let mut magnitude: TokenStream = if value.is_finite() {
        TokenTree::from(Literal::f64_unsuffixed(value.abs())).into()
    } else {
        // The checks refuse such a default.
        quote!(<#rt::core::primitive::f64>::NAN)
    };
    if value.is_sign_negative() {
        magnitude = quote!(-#magnitude);
    }
    quote!(#rt::math::constant::<S>(#magnitude)).into_token_stream()
}

/// ```text
/// impl<S: SimdRealField + Copy> CartPole<S> {
///     pub fn new(m_c: S, m_p: S, l: S) -> Self { Self { m_c: m_c, .., g: constant(9.81) } }
///     pub fn cast<T: SimdRealField + Copy>(&self) -> CartPole<T> where S: Cast<T> { CartPole { m_c: self.m_c.cast(), .. } }
/// }
/// ```
pub(super) fn write_constructors(skeleton: &Skeleton) -> TokenStream {
    let Skeleton { head, own, rt, .. } = skeleton;
    let visibility = &head.visibility;
    let scalar = format_ident!("S");
    let parameters = &head.parameters;
    let arguments = parameters
        .iter()
        .filter(|p| p.default.is_none())
        .map(|parameter| {
            let name = argument_name(&parameter.name);
            let ty = write_field_type(parameter.shape, &scalar);
            quote!(#name: #ty)
        });
    let fields = parameters.iter().map(|parameter| {
        write_default(parameter, rt).unwrap_or_else(|| {
            let field = &parameter.name;
            let name = argument_name(field);
            quote!(#field: #name,)
        })
    });
    let converted = parameters.iter().map(|parameter| {
        let field = argument_name(&parameter.name);
        let value = match parameter.shape {
            Shape::Scalar => quote!(#rt::Cast::cast(self.#field)),
            Shape::Vector(_) => quote!(self.#field.map(#rt::Cast::cast)),
            Shape::Matrix(..) => quote!(self.#field.map(|row| row.map(#rt::Cast::cast))),
        };
        quote!(#field: #value,)
    });
    let marker = write_marker(skeleton);
    let attributes = skeleton.item_attributes();
    let [name, cast] = [NEW, CAST].map(|name| Ident::new(name, Span::call_site()));
    let docs = docs::describe_constructor(head);
    quote! {
        #attributes
        impl<S: #rt::SimdRealField + #rt::core::marker::Copy> #own<S> {
            #[doc = #docs]
            #[allow(rustdoc::broken_intra_doc_links)]
            #[must_use]
            #visibility fn #name(#(#arguments),*) -> Self {
                Self { #(#fields)* #marker }
            }

            /// The system with each parameter converted to another scalar, as nalgebra's `cast` does.
            #[must_use]
            pub fn #cast<__T: #rt::SimdRealField + #rt::core::marker::Copy>(&self) -> #own<__T>
            where
                S: #rt::Cast<__T>,
            {
                #own { #(#converted)* #marker }
            }
        }
    }
}
