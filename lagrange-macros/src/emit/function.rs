//! A method and how it is written.

use lagrange_engine::Operations;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::assembly::arithmetic;
use super::signature::{Argument, Value};
use super::skeleton::Skeleton;

/// A method, written out but for its signature's types.
pub(super) struct Function {
    /// The user's own attributes, or `#[inline]`.
    pub(super) attributes: TokenStream,
    pub(super) visibility: TokenStream,
    pub(super) docs: String,
    pub(super) name: Ident,
    /// `<const __CORRECTED: bool>`, or nothing.
    pub(super) generics: TokenStream,
    pub(super) arguments: Vec<Argument>,
    /// What follows the arguments: places for results that are too large to be returned.
    pub(super) places: TokenStream,
    pub(super) returned: TokenStream,
    /// Whether it branches on values, so that it asks for `RealField`.
    pub(super) real: bool,
    pub(super) body: Code,
}

/// A body: straight-line arithmetic is text, which a debug build of the macro writes many times faster
/// than tokens; what is put together from other methods is tokens.
pub(super) enum Code {
    Text(String),
    Tokens(TokenStream),
}

impl From<String> for Code {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<TokenStream> for Code {
    fn from(tokens: TokenStream) -> Self {
        Self::Tokens(tokens)
    }
}

/// The code of a method and what its documentation says of it.
pub(super) struct Definition {
    pub(super) body: Code,
    pub(super) details: Details,
}

/// What the documentation of a method says of its code.
#[derive(Default)]
pub(super) struct Details {
    /// The value's entries, written out.
    pub(super) formula: String,
    pub(super) operations: Operations,
    /// What the method does beyond these operations.
    pub(super) beyond: &'static str,
}

/// One `impl` for what serves every scalar and one for what branches on values.
pub(super) fn implementations(skeleton: &Skeleton, functions: &[Function]) -> TokenStream {
    let Skeleton { system, rt, .. } = skeleton;
    let attributes = skeleton.item_attributes();
    let written = |real: bool| -> Vec<TokenStream> {
        let chosen = functions.iter().filter(|function| function.real == real);
        chosen.map(|function| write(skeleton, function)).collect()
    };
    let (lanes, real) = (written(false), written(true));
    quote! {
        #attributes
        impl<S: #rt::SimdRealField + #rt::core::marker::Copy> #system<S> { #(#lanes)* }

        #attributes
        impl<S: #rt::RealField + #rt::core::marker::Copy> #system<S> { #(#real)* }
    }
}

fn write(skeleton: &Skeleton, function: &Function) -> TokenStream {
    let Skeleton { layout, rt, .. } = skeleton;
    let Function {
        attributes,
        visibility,
        docs,
        name,
        generics,
        places,
        returned,
        ..
    } = function;
    let arguments = function
        .arguments
        .iter()
        .map(|argument| argument.declaration(layout, rt));
    let body = match &function.body {
        Code::Text(text) => arithmetic(text),
        Code::Tokens(tokens) => tokens.clone(),
    };
    quote! {
        #attributes
        #[doc = #docs]
        #visibility fn #name #generics(&self, #(#arguments,)* #places) -> #returned {
            #body
        }
    }
}

/// A method with a body that is never reached.
pub(super) fn stub(
    skeleton: &Skeleton,
    name: Ident,
    arguments: Vec<Argument>,
    value: Value,
    fallible: bool,
) -> Function {
    Function {
        attributes: TokenStream::new(),
        visibility: TokenStream::new(),
        docs: String::new(),
        name,
        generics: TokenStream::new(),
        arguments,
        places: TokenStream::new(),
        returned: value.returned(fallible, &skeleton.layout, &skeleton.rt),
        real: fallible,
        body: "loop {}".to_owned().into(),
    }
}
