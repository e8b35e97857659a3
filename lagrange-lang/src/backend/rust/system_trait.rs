//! The traits `System` and `Unchecked`, or `Stateful` of a system with states, and `Contacts` and `Frictional`: the same
//! methods with uniform arguments, for generic code.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::assembly::{Text, call, list, local, parse_code};
use super::constants::Constants;
use super::skeleton::Skeleton;
use crate::generated::{INTEGRATE_UNCHECKED, Method};
use crate::methods::{Argument, Layout, METHODS, Row, Size, Value};

/// The methods that the trait requires. The trait has default bodies for methods of constraints if there are none.
const OF_TRAIT: [Method; 31] = [
    Method::StateRates,
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
    Method::MidpointTerms,
    Method::MidpointVjp,
    Method::ConstraintBounds,
];

/// The methods of `Contacts`.
const OF_CONTACTS: [Method; 8] = [
    Method::Gaps,
    Method::GapRates,
    Method::ContactJacobian,
    Method::ContactGamma,
    Method::SolveActive,
    Method::Impact,
    Method::Delassus,
    Method::ImpactDerivatives,
];

/// The methods of `Unchecked`, with the names that they have there.
const UNCHECKED: [(Method, &str); 2] = [
    (Method::AccelerationUnchecked, "acceleration_unchecked"),
    (Method::Integrate, INTEGRATE_UNCHECKED),
];

/// ```text
/// impl<S: RealField + Copy> System<S, 2, 2, 1, 0> for CartPole<S> {
///     fn mass_matrix(&self, t: S, q: .., v: .., u: ..) -> .. { Self::mass_matrix(self, q) }
/// }
/// impl<S: SimdRealField + Copy> Unchecked<S, 2, 2, 1> for CartPole<S> {
///     fn integrate_unchecked(&self, q: .., d: ..) -> .. { Self::integrate(self, q, d) }
/// }
/// ```
///
/// `Self::mass_matrix` is the inherent method, which has precedence over the trait method.
pub(super) fn implement_traits(skeleton: &Skeleton, constants: &Constants) -> TokenStream {
    let layout = &skeleton.layout;
    let sizes = [
        layout.coordinates,
        layout.velocities,
        layout.inputs,
        layout.constraints,
    ]
    .map(Literal::usize_unsuffixed);
    let [m, n, k, c] = &sizes;
    let of_trait = match layout.states {
        0 => quote!(System<S, #m, #n, #k, #c>),
        count => {
            let z = Literal::usize_unsuffixed(count);
            quote!(Stateful<S, #m, #n, #z, #k, #c>)
        }
    };
    let mut text = Text::default();
    constants.write_for_trait(skeleton, &mut text);
    if layout.reacts() {
        text.push_str("const REACTING: __rt::core::primitive::bool = true;\n");
        write_multiplier_forces(layout, &mut text);
    }
    if layout.has_redundant_rows() {
        text.push_str("const REDUNDANT: __rt::core::primitive::bool = true;\n");
    }
    write_methods(skeleton, &OF_TRAIT, &mut text);
    let mut traits = implement(skeleton, "RealField", &of_trait, parse_code(&text.read()));
    traits.extend(implement_unchecked(skeleton, &sizes));
    traits.extend(implement_contacts(skeleton, &sizes));
    traits.extend(implement_frictional(skeleton, &sizes));
    traits
}

/// The implementation of a trait of the runtime for scalars with this bound.
fn implement(
    skeleton: &Skeleton,
    bound: &str,
    of_trait: &TokenStream,
    items: TokenStream,
) -> TokenStream {
    let Skeleton { own, rt, .. } = skeleton;
    let attributes = skeleton.item_attributes();
    let bound = local(bound);
    quote! {
        #attributes
        #[automatically_derived]
        impl<S: #rt::#bound + #rt::core::marker::Copy> #rt::#of_trait for #own<S> {
            #items
        }
    }
}

/// Writes these methods, as far as the system has them, in the order of the table.
fn write_methods(skeleton: &Skeleton, methods: &[Method], text: &mut Text) {
    for row in &METHODS {
        if methods.contains(&row.method) && row.exists(&skeleton.layout) {
            write_method(skeleton, row, row.name(), text);
        }
    }
}

/// The trait `Unchecked`, unless there are states.
fn implement_unchecked(skeleton: &Skeleton, sizes: &[Literal]) -> Option<TokenStream> {
    if skeleton.layout.states > 0 {
        return None;
    }
    let mut text = Text::default();
    for (of, name) in UNCHECKED {
        for row in METHODS.iter().filter(|row| row.method == of) {
            write_method(skeleton, row, name, &mut text);
        }
    }
    let state = &sizes[..3];
    let of_trait = quote!(Unchecked<S, #(#state),*>);
    let items = parse_code(&text.read());
    Some(implement(skeleton, "SimdRealField", &of_trait, items))
}

/// The trait `Contacts`, if there are contacts.
fn implement_contacts(skeleton: &Skeleton, sizes: &[Literal]) -> Option<TokenStream> {
    let layout = &skeleton.layout;
    if layout.contacts == 0 || layout.states > 0 {
        return None;
    }
    let mut text = Text::default();
    text.push_str("const CONTACTS: [&'static __rt::core::primitive::str");
    text.push_number(b"; ", layout.contacts);
    text.push_str("] = __Own::<__rt::core::primitive::f64>::CONTACTS;\n");
    write_methods(skeleton, &OF_CONTACTS, &mut text);
    let count = Literal::usize_unsuffixed(layout.contacts);
    let of_trait = quote!(Contacts<S, #(#sizes),*, #count>);
    let items = parse_code(&text.read());
    Some(implement(skeleton, "RealField", &of_trait, items))
}

/// `multiplier_forces` with the columns of the constraints alone.
fn write_multiplier_forces(layout: &Layout, text: &mut Text) {
    let (n, c, r) = (
        layout.velocities,
        layout.constraints,
        layout.constraints + layout.contacts,
    );
    text.push_str("fn multiplier_forces(&self, ");
    for argument in state_arguments(layout) {
        argument.declare(layout, text);
    }
    let call = call(Method::MultiplierForces.name(), layout).replacen("self.", "", 1);
    let (name, arguments) = call.split_once('(').unwrap_or((&call, ")"));
    text.push_str(&format!(
        ") -> __rt::SMatrix<S, {n}, {c}> {{
             __rt::linalg::first_columns::<S, {n}, {r}, {c}>(&Self::{name}(self, {arguments})
         }}\n"
    ));
}

fn write_method(skeleton: &Skeleton, row: &Row, name: &str, text: &mut Text) {
    let layout = &skeleton.layout;
    let uniform = uniform_arguments(row, layout);
    let value = match row.method {
        Method::ConstraintResidual => Value::Vector(Size::Constraints),
        _ => row.value,
    };
    let passed = row.arguments(layout);
    text.push_str("fn ");
    text.push_str(name);
    text.push_str("(&self, ");
    for argument in &uniform {
        argument.declare(layout, text);
    }
    text.push_str(") -> ");
    text.push_str(&value.write_return_type(row.fallible, layout));
    text.push_str(" {\n");
    if row.fallible {
        check_unread(layout, &uniform, &passed, text);
    }
    let is_redundant = layout.has_redundant_rows() && row.method == Method::Solve;
    let is_padded = row.method == Method::ConstraintResidual;
    if is_padded {
        text.push_str("let __residuals = ");
    }
    text.push_str("Self::");
    text.push_str(row.name());
    text.push_str("(self, ");
    for argument in passed {
        text.push_str(argument.name());
        text.push_str(", ");
    }
    text.push_str(")");
    if is_padded {
        pad_residuals(layout, text);
    } else if is_redundant {
        text.push_str(".map(|__motion| __motion.motion())");
    }
    text.push_str("\n}\n");
}

/// The arguments of the trait method: the whole state, except for methods that only move coordinates.
fn uniform_arguments(row: &Row, layout: &Layout) -> Vec<Argument> {
    let state = state_arguments(layout);
    match row.method {
        Method::Integrate | Method::Difference | Method::Neutral => row.all_arguments().to_vec(),
        Method::InverseDynamics | Method::InverseDynamicsDerivatives => {
            [&state[..], &[Argument::A]].concat()
        }
        Method::EquationDerivatives => [&state[..], &[Argument::Motion]].concat(),
        Method::Vjp => [&state[..], &[Argument::W]].concat(),
        Method::MidpointVjp => [&state[..], &[Argument::W, Argument::Z]].concat(),
        Method::SolveActive | Method::Resolve => [&state[..], &[Argument::Active]].concat(),
        Method::Impact | Method::ImpactDerivatives => {
            [&state[..], &[Argument::Active, Argument::Restitution]].concat()
        }
        _ => state,
    }
}

/// The arguments of all methods of the trait.
fn state_arguments(layout: &Layout) -> Vec<Argument> {
    let mut state = vec![Argument::T, Argument::Q, Argument::V];
    state.extend((layout.states > 0).then_some(Argument::States));
    state.push(Argument::U);
    state
}

/// The inherent method tests the arguments that it takes. This code tests the arguments that the inherent method does not
/// take, and all arguments before them, so that the error names the first argument that is not finite.
fn check_unread(layout: &Layout, uniform: &[Argument], passed: &[Argument], text: &mut Text) {
    // An empty list of inputs has no NaN.
    let is_unread = |argument: &Argument| {
        !passed.contains(argument) && (*argument != Argument::U || layout.inputs > 0)
    };
    let Some(last) = uniform.iter().rposition(is_unread) else {
        return;
    };
    text.push_str("__rt::linalg::check_finite(&[");
    for argument in &uniform[..=last] {
        text.push_str("(\"");
        text.push_str(argument.name());
        text.push_str("\", &");
        match argument {
            Argument::T => text.push_str("[t]"),
            other => {
                text.push_str(other.name());
                text.push_str(".data.0[0]");
            }
        }
        text.push_str("), ");
    }
    text.push_str("])?;\n");
}

/// The residuals of the holonomic rows, and 0 for the others.
fn pad_residuals(layout: &Layout, text: &mut Text) {
    text.push_str(";\n__rt::linalg::vector([");
    for row in 0..layout.constraints {
        if row < layout.holonomic {
            text.push_number(b"__residuals.data.0[0][", row);
            text.push_str("], ");
        } else {
            text.push_str("__rt::math::constant::<S>(0.0), ");
        }
    }
    text.push_str("])");
}

/// The methods of `Frictional`.
const OF_FRICTIONAL: [Method; 2] = [Method::FrictionTerms, Method::Resolve];

/// The trait `Frictional`, if there are contacts or dry joints; without contacts the trait `Contacts`, too.
fn implement_frictional(skeleton: &Skeleton, sizes: &[Literal]) -> Option<TokenStream> {
    let layout = &skeleton.layout;
    if !layout.has_friction() {
        return None;
    }
    let [usize, bool] = ["usize", "bool"].map(|name| format!("__rt::core::primitive::{name}"));
    let numbers = |numbers: &[usize]| list(numbers.iter().map(usize::to_string));
    let (p, m) = (layout.contacts, layout.dry_joints.len());
    let (slips, joints) = (numbers(&layout.slips), numbers(&layout.dry_joints));
    let is_redundant = layout.redundant;
    let mut text = Text::default();
    text.push_str(&format!(
        "const SLIPS: [{usize}; {p}] = [{slips}];
         const DRY_JOINTS: [{usize}; {m}] = [{joints}];
         const REDUNDANT: {bool} = {is_redundant};\n"
    ));
    write_methods(skeleton, &OF_FRICTIONAL, &mut text);
    let mut traits = TokenStream::new();
    if p == 0 {
        traits.extend(implement_no_contacts(skeleton, sizes));
    }
    let [p, m] = [p, m].map(Literal::usize_unsuffixed);
    let of_trait = quote!(Frictional<S, #(#sizes),*, #p, #m>);
    let items = parse_code(&text.read());
    traits.extend(implement(skeleton, "RealField", &of_trait, items));
    Some(traits)
}

/// The trait `Contacts` of a system that has dry joints alone.
fn implement_no_contacts(skeleton: &Skeleton, sizes: &[Literal]) -> TokenStream {
    let rt = &skeleton.rt;
    let [m, n, k, c] = sizes else {
        return TokenStream::new();
    };
    let state =
        quote! { t: S, q: &#rt::SVector<S, #m>, v: &#rt::SVector<S, #n>, u: &#rt::SVector<S, #k> };
    let unread = quote! { _t: S, _q: &#rt::SVector<S, #m>, _v: &#rt::SVector<S, #n>, _u: &#rt::SVector<S, #k> };
    let flags = quote!(&[#rt::core::primitive::bool; 0]);
    let result = quote!(#rt::core::result::Result);
    let finite = quote! {
        #rt::linalg::check_finite(&[
            ("t", &[t]), ("q", &q.data.0[0]), ("v", &v.data.0[0]), ("u", &u.data.0[0])
        ])?;
    };
    let items = quote! {
        const CONTACTS: [&'static #rt::core::primitive::str; 0] = [];
        fn gaps(&self, #unread) -> #rt::SVector<S, 0> {
            #rt::SVector::zeros()
        }
        fn gap_rates(&self, #unread) -> #rt::SVector<S, 0> {
            #rt::SVector::zeros()
        }
        fn contact_jacobian(&self, #unread) -> #rt::SMatrix<S, 0, #n> {
            #rt::SMatrix::zeros()
        }
        fn contact_gamma(&self, #unread) -> #rt::SVector<S, 0> {
            #rt::SVector::zeros()
        }
        fn solve_active(&self, #state, _active: #flags)
            -> #result<#rt::ActiveMotion<S, #n, #c, 0>, #rt::Error>
        {
            let __motion = #rt::System::<S, #m, #n, #k, #c>::solve(self, t, q, v, u)?;
            #result::Ok(#rt::ActiveMotion {
                acceleration: __motion.acceleration,
                multipliers: __motion.multipliers,
                contact_forces: #rt::SVector::zeros(),
            })
        }
        fn impact(&self, #state, _active: #flags, _restitution: &[S; 0])
            -> #result<#rt::Impact<S, #n, #c, 0>, #rt::Error>
        {
            #finite
            #result::Ok(#rt::Impact {
                velocity: *v,
                multipliers: #rt::SVector::zeros(),
                impulses: #rt::SVector::zeros(),
            })
        }
        fn delassus(&self, #state) -> #result<#rt::SMatrix<S, 0, 0>, #rt::Error> {
            #finite
            #result::Ok(#rt::SMatrix::zeros())
        }
        fn impact_derivatives(&self, #state, _active: #flags, _restitution: &[S; 0])
            -> #result<(#rt::SMatrix<S, #n, #n>, #rt::SMatrix<S, #n, #n>), #rt::Error>
        {
            #finite
            #result::Ok((#rt::SMatrix::zeros(), #rt::SMatrix::identity()))
        }
    };
    let of_trait = quote!(Contacts<S, #m, #n, #k, #c, 0>);
    implement(skeleton, "RealField", &of_trait, items)
}
