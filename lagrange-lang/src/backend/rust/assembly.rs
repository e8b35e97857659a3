//! Pieces that bodies of more than arithmetic are made of, as tokens.

use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote;

use crate::generated::BLAME;
use crate::methods::{Argument, Layout};

/// The arguments of everything that depends on the whole state.
pub(super) fn arguments(layout: &Layout) -> Vec<Argument> {
    layout.arguments(&[Argument::Q, Argument::V, Argument::U])
}

/// `self.method(t, q, v, u)`
pub(super) fn call(method: &str, layout: &Layout) -> TokenStream {
    call_by_name(method, &arguments(layout))
}

/// The call of a method by the arguments that it takes, each by its own name.
pub(super) fn call_by_name(method: &str, arguments: &[Argument]) -> TokenStream {
    invoke(method, arguments, |argument| argument.tokens())
}

/// The call of a method with an expression of its own for each argument.
pub(super) fn invoke(
    method: &str,
    arguments: &[Argument],
    value: impl Fn(&Argument) -> TokenStream,
) -> TokenStream {
    let method = local(method);
    let arguments = arguments.iter().map(value);
    quote!(self.#method(#(#arguments),*))
}

/// The call of a method with places for its results after its arguments.
pub(super) fn call_with_places(
    method: &str,
    arguments: &[Argument],
    places: &[TokenStream],
) -> TokenStream {
    let method = local(method);
    let arguments = arguments.iter().map(|argument| argument.tokens());
    let all = arguments.chain(places.iter().cloned());
    quote!(self.#method(#(#all),*))
}

/// A name of generated code.
pub(super) fn local(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Code that was written as text, among what is put together.
pub(super) fn parsed(text: &str) -> TokenStream {
    // In the compiler by its own parser: `proc_macro2` would read the text with another one before.
    let tokens = if proc_macro::is_available() {
        let tokens = text.parse::<proc_macro::TokenStream>();
        tokens.map(TokenStream::from).ok()
    } else {
        text.parse().ok()
    };
    tokens.unwrap_or_else(|| {
        let message = "generated code is no Rust: this is a bug of the `lagrangian` crate";
        quote!(::core::compile_error!(#message))
    })
}

/// The same for what stands beside the implementations, where the facade is called by its path.
pub(super) fn parsed_beside(text: &str, runtime: &TokenStream) -> TokenStream {
    with_path(parsed(text), runtime)
}

fn with_path(tokens: TokenStream, runtime: &TokenStream) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(name) if name == "__rt" => runtime.clone(),
        TokenTree::Group(group) => {
            let inner = with_path(group.stream(), runtime);
            TokenTree::from(Group::new(group.delimiter(), inner)).into()
        }
        other => other.into(),
    });
    tokens.collect()
}

/// Leaves the method if one of the arguments is not finite, with the first such one.
pub(super) fn finite(arguments: &[Argument]) -> TokenStream {
    let named = named(arguments);
    quote!(__rt::linalg::check_finite(#named)?;)
}

/// The same, where the first ones are looked at further on: one of those behind them may be told of only if these are
/// finite.
pub(super) fn finite_behind(tested: &[Argument], arguments: &[Argument]) -> TokenStream {
    let (are_finite, named) = (are_finite(tested), named(arguments));
    quote! {
        if !(#are_finite) {
            return __rt::core::result::Result::Err(__rt::linalg::first_not_finite(#named));
        }
    }
}

/// `&[("t", &[t]), ("q", &q.data.0[0])]`
fn named(arguments: &[Argument]) -> TokenStream {
    let arguments = arguments.iter().map(|argument| {
        let (name, array) = (argument.name(), entries(*argument));
        quote!((#name, #array))
    });
    quote!(&[#(#arguments),*])
}

/// `.map_err(..)`: a `Result` of what is computed of finite arguments, whose error blames a parameter or the result.
pub(super) fn blamed() -> TokenStream {
    let blame = local(BLAME);
    quote!(.map_err(|__error| self.#blame(__error)))
}

/// Whether all arguments are finite.
pub(super) fn are_finite(arguments: &[Argument]) -> TokenStream {
    let arrays = arguments.iter().map(|argument| entries(*argument));
    let arrays: Vec<TokenStream> = arrays.collect();
    match &arrays[..] {
        [array] => quote!(__rt::linalg::all_finite(#array)),
        arrays => quote!(__rt::linalg::are_finite(&[#(#arrays),*])),
    }
}

/// The entries of an argument as a slice.
fn entries(argument: Argument) -> TokenStream {
    match argument {
        Argument::T => quote!(&[t]),
        Argument::Restitution => quote!(restitution),
        other => {
            let name = other.tokens();
            quote!(&#name.data.0[0])
        }
    }
}

/// `Ok(value)`
pub(super) fn ok(value: TokenStream) -> TokenStream {
    quote!(__rt::core::result::Result::Ok(#value))
}

/// Leaves the method unless what was computed of finite arguments is finite.
pub(super) fn unless(condition: TokenStream) -> TokenStream {
    let blame = local(BLAME);
    quote! {
        if !(#condition) {
            return __rt::core::result::Result::Err(self.#blame(__rt::Error::NOT_FINITE));
        }
    }
}

/// The vector of these entries, each with its comma.
pub(super) fn vector(entries: TokenStream) -> TokenStream {
    vector_of(quote!([#entries]))
}

/// The vector of an array.
pub(super) fn vector_of(array: TokenStream) -> TokenStream {
    quote!(__rt::linalg::vector(#array))
}

/// `array[from], .., array[to - 1],`
pub(super) fn elements(array: &str, range: std::ops::Range<usize>) -> TokenStream {
    let array = local(array);
    let indices = range.map(Literal::usize_unsuffixed);
    quote!(#(#array[#indices],)*)
}

/// An array of columns, all of them zero.
pub(super) fn zeros_of(rows: usize, columns: usize) -> TokenStream {
    let [rows, columns] = [rows, columns].map(Literal::usize_unsuffixed);
    quote!([[__zero; #rows]; #columns])
}

/// The matrix of an array of columns.
pub(super) fn matrix(columns: TokenStream) -> TokenStream {
    quote!(__rt::linalg::matrix(#columns))
}
