//! The trait `System`: the same methods with uniform arguments, for generic code.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::Skeleton;
use super::constants::Constants;
use super::names::{METHODS, Method, Row};
use super::signature::Argument;

/// The methods that the trait asks for.
const OF_TRAIT: [Method; 11] = [
    Method::MassMatrix,
    Method::Forcing,
    Method::Momenta,
    Method::Bias,
    Method::GeneralizedForces,
    Method::Lagrangian,
    Method::Energy,
    Method::JacobiIntegral,
    Method::InverseDynamics,
    Method::Acceleration,
    Method::Solve,
];

/// ```text
/// impl<S: RealField + Copy> System<S, 2, 1, 0> for CartPole<S> {
///     fn mass_matrix(&self, t: S, q: .., v: .., u: ..) -> SMatrix<S, 2, 2> { Self::mass_matrix(self, q) }
/// }
/// ```
///
/// `Self::mass_matrix` is the inherent method: those go before the ones of traits.
pub(super) fn implementation(skeleton: &Skeleton, constants: &Constants) -> TokenStream {
    let Skeleton {
        head, layout, rt, ..
    } = skeleton;
    let name = &head.name;
    let attributes = skeleton.item_attributes();
    let sizes = [layout.coordinates, layout.inputs, layout.constraints];
    let sizes = sizes.map(Literal::usize_unsuffixed);
    let constants = constants.of_trait(skeleton);
    let rows = METHODS.iter().filter(|row| OF_TRAIT.contains(&row.method));
    let methods = rows.map(|row| method(skeleton, row));
    quote! {
        #attributes
        #[automatically_derived]
        impl<S: #rt::RealField + #rt::core::marker::Copy> #rt::System<S, #(#sizes),*> for #name<S> {
            #constants
            #(#methods)*
        }
    }
}

fn method(skeleton: &Skeleton, row: &Row) -> TokenStream {
    let Skeleton { layout, rt, .. } = skeleton;
    let mut uniform = vec![Argument::T, Argument::Q, Argument::V, Argument::U];
    if row.method == Method::InverseDynamics {
        uniform.push(Argument::A);
    }
    let declarations = uniform
        .iter()
        .map(|argument| argument.declaration(layout, rt));
    let returned = row.value.returned(row.fallible, layout, rt);
    let name = Ident::new(row.name, Span::call_site());
    let passed = row.arguments(layout);
    let passed = passed
        .iter()
        .map(|argument| Ident::new(argument.name(), Span::call_site()));
    let tests = if row.fallible {
        unread(skeleton)
    } else {
        TokenStream::new()
    };
    quote! {
        fn #name(&self, #(#declarations),*) -> #returned {
            #tests
            Self::#name(self, #(#passed),*)
        }
    }
}

/// The inherent method tests the arguments that it takes; the time may not be among them.
fn unread(skeleton: &Skeleton) -> TokenStream {
    let Skeleton { layout, rt, .. } = skeleton;
    if layout.time {
        return TokenStream::new();
    }
    quote! {
        if !#rt::linalg::all_finite(&[t]) {
            return #rt::core::result::Result::Err(#rt::Error::NotFinite);
        }
    }
}
