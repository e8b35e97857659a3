//! `new`, which takes what has no default.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::skeleton::{Skeleton, argument};
use super::{docs, types};
use crate::generated::NEW;

/// ```text
/// impl<S: SimdRealField + Copy> CartPole<S> {
///     pub fn new(m_c: S, m_p: S, l: S) -> Self { Self { m_c: m_c, .., g: constant(9.81) } }
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
    let marker = types::default_marker(skeleton);
    let attributes = skeleton.item_attributes();
    let name = Ident::new(NEW, Span::call_site());
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
        }
    }
}
