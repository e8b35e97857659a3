//! `new`, which takes the parameters without default, and `cast`, which converts the scalars of a system.

use lagrange_engine::Shape;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::skeleton::{Skeleton, argument};
use super::{docs, types};
use crate::generated::{CAST, NEW};

/// ```text
/// impl<S: SimdRealField + Copy> CartPole<S> {
///     pub fn new(m_c: S, m_p: S, l: S) -> Self { Self { m_c: m_c, .., g: constant(9.81) } }
///     pub fn cast<T: SimdRealField + Copy>(&self) -> CartPole<T> where S: Cast<T> { CartPole { m_c: self.m_c.cast(), .. } }
/// }
/// ```
pub(super) fn constructor(skeleton: &Skeleton) -> TokenStream {
    let Skeleton { head, own, rt, .. } = skeleton;
    let visibility = &head.visibility;
    let scalar = format_ident!("S");
    let parameters = &head.parameters;
    let taken = parameters.iter().filter(|p| p.default.is_none());
    let arguments = taken.map(|parameter| {
        let name = argument(&parameter.name);
        let ty = types::field_type(parameter.shape, &scalar);
        quote!(#name: #ty)
    });
    let fields = parameters.iter().map(|parameter| {
        types::default_field(parameter, rt).unwrap_or_else(|| {
            let field = &parameter.name;
            let name = argument(field);
            quote!(#field: #name,)
        })
    });
    let converted = parameters.iter().map(|parameter| {
        let field = argument(&parameter.name);
        let value = match parameter.shape {
            Shape::Scalar => quote!(#rt::Cast::cast(self.#field)),
            Shape::Vector(_) => quote!(self.#field.map(#rt::Cast::cast)),
            Shape::Matrix(..) => quote!(self.#field.map(|row| row.map(#rt::Cast::cast))),
        };
        quote!(#field: #value,)
    });
    let marker = types::default_marker(skeleton);
    let attributes = skeleton.item_attributes();
    let [name, cast] = [NEW, CAST].map(|name| Ident::new(name, Span::call_site()));
    let docs = docs::constructor(head);
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
