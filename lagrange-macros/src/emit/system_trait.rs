//! The trait `System`: the same methods with uniform arguments, for generic code.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::constants::Constants;
use super::methods::METHODS;
use super::row::Row;
use super::signature::{Argument, Size, Value};
use super::skeleton::Skeleton;
use crate::generated::Method;

/// The methods that the trait asks for; it has bodies for those on constraints where there are none.
const OF_TRAIT: [Method; 27] = [
    Method::CoordinateRates,
    Method::Integrate,
    Method::Difference,
    Method::Neutral,
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
    Method::ConstraintResidual,
    Method::ConstraintVelocity,
    Method::ConstraintJacobian,
    Method::ConstraintGamma,
    Method::ConstraintForces,
    Method::Project,
    Method::InverseDynamicsDerivatives,
    Method::EquationDerivatives,
    Method::AccelerationDerivatives,
    Method::MultiplierDerivatives,
    Method::ConstraintVelocityDerivatives,
    Method::Vjp,
];

/// ```text
/// impl<S: RealField + Copy> System<S, 2, 2, 1, 0> for CartPole<S> {
///     fn mass_matrix(&self, t: S, q: .., v: .., u: ..) -> .. { Self::mass_matrix(self, q) }
/// }
/// ```
///
/// `Self::mass_matrix` is the inherent method: those go before the ones of traits.
pub(super) fn implementation(skeleton: &Skeleton, constants: &Constants) -> TokenStream {
    let Skeleton {
        system, layout, rt, ..
    } = skeleton;
    let attributes = skeleton.item_attributes();
    let sizes = [
        layout.coordinates,
        layout.velocities,
        layout.inputs,
        layout.constraints,
    ];
    let sizes = sizes.map(Literal::usize_unsuffixed);
    let constants = constants.of_trait(skeleton);
    let of_trait = |row: &&Row| OF_TRAIT.contains(&row.method) && row.exists(layout);
    let rows = METHODS.iter().filter(of_trait);
    let methods = rows.map(|row| method(skeleton, row));
    quote! {
        #attributes
        #[automatically_derived]
        impl<S: #rt::RealField + #rt::core::marker::Copy> #rt::System<S, #(#sizes),*> for #system<S> {
            #constants
            #(#methods)*
        }
    }
}

fn method(skeleton: &Skeleton, row: &Row) -> TokenStream {
    let Skeleton { layout, rt, .. } = skeleton;
    let uniform = uniform(row);
    let declarations = uniform
        .iter()
        .map(|argument| argument.declaration(layout, rt));
    let value = match row.method {
        Method::ConstraintResidual => Value::Vector(Size::Constraints),
        _ => row.value,
    };
    let returned = value.returned(row.fallible, layout, rt);
    let name = Ident::new(row.name(), Span::call_site());
    let passed = row.arguments(layout);
    let tests = if row.fallible {
        unread(skeleton, &uniform, &passed)
    } else {
        TokenStream::new()
    };
    let passed = passed
        .iter()
        .map(|argument| Ident::new(argument.name(), Span::call_site()));
    let call = quote!(Self::#name(self, #(#passed),*));
    let body = if row.method == Method::ConstraintResidual {
        padded(skeleton, call)
    } else {
        call
    };
    quote! {
        fn #name(&self, #(#declarations),*) -> #returned {
            #tests
            #body
        }
    }
}

/// The arguments of the trait's method: those of the whole state, but for what only moves coordinates.
fn uniform(row: &Row) -> Vec<Argument> {
    let state = [Argument::T, Argument::Q, Argument::V, Argument::U];
    match row.method {
        Method::Integrate | Method::Difference | Method::Neutral => row.all_arguments().to_vec(),
        Method::InverseDynamics | Method::InverseDynamicsDerivatives => {
            [&state[..], &[Argument::A]].concat()
        }
        Method::EquationDerivatives => [&state[..], &[Argument::Motion]].concat(),
        Method::Vjp => [&state[..], &[Argument::W]].concat(),
        _ => state.to_vec(),
    }
}

/// The inherent method tests the arguments that it takes, this one the others.
fn unread(skeleton: &Skeleton, uniform: &[Argument], passed: &[Argument]) -> TokenStream {
    let rt = &skeleton.rt;
    let unread = uniform.iter().filter(|argument| !passed.contains(argument));
    let values: Vec<TokenStream> = unread
        .map(|argument| match argument {
            Argument::T => quote!([t]),
            other => {
                let name = Ident::new(other.name(), Span::call_site());
                quote!(#name.data.0[0])
            }
        })
        .collect();
    if values.is_empty() {
        return TokenStream::new();
    }
    quote! {
        if !(#(#rt::linalg::all_finite(&#values))&&*) {
            return #rt::core::result::Result::Err(#rt::Error::NotFinite);
        }
    }
}

/// The residuals of the holonomic rows, and 0 in the others.
fn padded(skeleton: &Skeleton, residuals: TokenStream) -> TokenStream {
    let Skeleton { layout, rt, .. } = skeleton;
    let (all, held) = (layout.constraints, layout.holonomic);
    let zeros = (held..all).map(|_| quote!(#rt::math::constant::<S>(0.0)));
    let indices = (0..held).map(Literal::usize_unsuffixed);
    quote! {
        let __residuals = #residuals;
        #rt::linalg::vector([
            #(__residuals.data.0[0][#indices],)*
            #(#zeros,)*
        ])
    }
}
