//! The trait of systems with friction.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::assembly::parsed;
use super::skeleton::Skeleton;
use super::system_trait::method;
use super::text::Text;
use crate::generated::Method;
use crate::methods::METHODS;

/// The methods of `Frictional`.
const OF_FRICTIONAL: [Method; 2] = [Method::FrictionTerms, Method::Resolve];

/// The trait `Frictional`, if there are contacts or dry joints; without contacts the trait `Contacts`, too.
pub(super) fn implementation(skeleton: &Skeleton, sizes: &[Literal]) -> Option<TokenStream> {
    let Skeleton {
        own, layout, rt, ..
    } = skeleton;
    if !layout.has_friction() {
        return None;
    }
    let [usize, bool] = ["usize", "bool"].map(|name| format!("__rt::core::primitive::{name}"));
    let numbers = |numbers: &[usize]| {
        let numbers = numbers.iter().map(usize::to_string);
        numbers.collect::<Vec<String>>().join(", ")
    };
    let (p, m) = (layout.contacts, layout.dry_joints.len());
    let (slips, joints) = (numbers(&layout.slips), numbers(&layout.dry_joints));
    let is_redundant = layout.redundant;
    let mut text = Text::default();
    text.push_str(&format!(
        "const SLIPS: [{usize}; {p}] = [{slips}];
         const DRY_JOINTS: [{usize}; {m}] = [{joints}];
         const REDUNDANT: {bool} = {is_redundant};\n"
    ));
    for row in METHODS
        .iter()
        .filter(|row| OF_FRICTIONAL.contains(&row.method))
    {
        method(skeleton, row, row.name(), &mut text);
    }
    let items = parsed(&text.read());
    let attributes = skeleton.item_attributes();
    let contacts = (p == 0).then(|| without_contacts(skeleton, sizes));
    let [p, m] = [p, m].map(Literal::usize_unsuffixed);
    Some(quote! {
        #contacts
        #attributes
        #[automatically_derived]
        impl<S: #rt::RealField + #rt::core::marker::Copy> #rt::Frictional<S, #(#sizes),*, #p, #m> for #own<S> {
            #items
        }
    })
}

/// The trait `Contacts` of a system that has dry joints alone.
fn without_contacts(skeleton: &Skeleton, sizes: &[Literal]) -> TokenStream {
    let Skeleton { own, rt, .. } = skeleton;
    let attributes = skeleton.item_attributes();
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
    quote! {
        #attributes
        #[automatically_derived]
        impl<S: #rt::RealField + #rt::core::marker::Copy> #rt::Contacts<S, #m, #n, #k, #c, 0> for #own<S> {
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
        }
    }
}
