//! What is known of a system without evaluating it, once for `Name<f64>` and once for the trait.

use lagrange_engine::Facts;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::equations::Written;
use super::skeleton::Skeleton;
use crate::generated::AssociatedConstant;
use crate::model::{Declared, Head, element_names};

pub(super) struct Constants<'a> {
    coordinates: Vec<String>,
    velocities: Vec<String>,
    parameters: Vec<String>,
    inputs: Vec<String>,
    constraints: Vec<String>,
    angular: Vec<bool>,
    facts: &'a Facts,
    equations: Written,
}

struct Entry {
    name: Ident,
    ty: TokenStream,
    value: TokenStream,
    docs: &'static str,
    of_trait: OfTrait,
}

/// How the trait has a constant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OfTrait {
    Same,
    /// As a slice: the trait is generic over the other lengths.
    Slice,
    No,
}

impl<'a> Constants<'a> {
    /// `constraints` are the names of the rows.
    pub(super) fn new(
        head: &Head,
        constraints: Vec<String>,
        facts: &'a Facts,
        equations: Written,
    ) -> Self {
        Constants {
            coordinates: element_names(&head.coordinates),
            velocities: head
                .coordinates
                .iter()
                .flat_map(Declared::velocity_names)
                .collect(),
            parameters: element_names(&head.parameters),
            inputs: element_names(&head.inputs),
            constraints,
            angular: head
                .coordinates
                .iter()
                .flat_map(Declared::angular)
                .collect(),
            facts,
            equations,
        }
    }

    /// ```text
    /// impl CartPole<f64> { pub const COORDINATES: [&'static str; 2] = ["x", "theta"]; .. }
    /// ```
    ///
    /// In an `impl` for one scalar type, so that `CartPole::COORDINATES` resolves.
    pub(super) fn inherent(&self, skeleton: &Skeleton) -> TokenStream {
        let Skeleton { head, rt, .. } = skeleton;
        let name = &head.name;
        let attributes = skeleton.item_attributes();
        let constants = self.list(skeleton).into_iter().map(|constant| {
            let Entry {
                name,
                ty,
                value,
                docs,
                ..
            } = constant;
            quote! {
                #[doc = #docs]
                pub const #name: #ty = #value;
            }
        });
        quote! {
            #attributes
            impl #name<#rt::core::primitive::f64> { #(#constants)* }
        }
    }

    /// The constants of the trait, which are the same.
    pub(super) fn of_trait(&self, skeleton: &Skeleton) -> TokenStream {
        let Skeleton { system, rt, .. } = skeleton;
        let constants = self.list(skeleton).into_iter();
        let constants = constants.filter(|constant| constant.of_trait != OfTrait::No);
        let constants = constants.map(|constant| {
            let Entry {
                name, ty, of_trait, ..
            } = constant;
            let inherent = quote!(#system::<#rt::core::primitive::f64>::#name);
            if of_trait == OfTrait::Slice {
                let text = quote!(&'static #rt::core::primitive::str);
                quote!(const #name: &'static [#text] = &#inherent;)
            } else {
                quote!(const #name: #ty = #inherent;)
            }
        });
        constants.collect()
    }

    fn list(&self, skeleton: &Skeleton) -> Vec<Entry> {
        let rt = &skeleton.rt;
        let names = |names: &[String]| strings(names, rt);
        let Written {
            text,
            latex,
            mathml,
            ..
        } = &self.equations;
        let degrees = self.velocities.len().saturating_sub(self.constraints.len());
        let [degrees, holonomic] =
            [degrees, skeleton.layout.holonomic].map(Literal::usize_unsuffixed);
        let facts = self.facts;
        vec![
            entry(
                AssociatedConstant::Coordinates,
                names(&self.coordinates),
                "The names of the coordinates, in the order of q.",
            ),
            entry(
                AssociatedConstant::Velocities,
                names(&self.velocities),
                "The names of the velocities, in the order of v.",
            ),
            Entry {
                of_trait: OfTrait::Slice,
                ..entry(
                    AssociatedConstant::Parameters,
                    names(&self.parameters),
                    "The names of the parameters, in the order of their declaration.",
                )
            },
            entry(
                AssociatedConstant::Inputs,
                names(&self.inputs),
                "The names of the inputs, in the order of u.",
            ),
            entry(
                AssociatedConstant::Constraints,
                names(&self.constraints),
                "The names of the constraints, in the order of their rows: holonomic ones first.",
            ),
            entry(
                AssociatedConstant::HolonomicConstraints,
                (quote!(#rt::core::primitive::usize), quote!(#holonomic)),
                "How many of the rows of the constraints are holonomic; they come first.",
            ),
            entry(
                AssociatedConstant::DegreesOfFreedom,
                (quote!(#rt::core::primitive::usize), quote!(#degrees)),
                "The number of degrees of freedom: velocities less constraints.",
            ),
            entry(
                AssociatedConstant::Angular,
                bools(&self.angular, rt),
                "Which velocities are angular velocities of rotations.",
            ),
            entry(
                AssociatedConstant::Cyclic,
                bools(&facts.cyclic, rt),
                "Which coordinates are cyclic: L does not change along these directions of v.",
            ),
            entry(
                AssociatedConstant::ConservedMomenta,
                bools(&facts.conserved_momenta, rt),
                "Which momenta are conserved: the coordinate is cyclic, and neither a generalized force \
                 nor a constraint acts on it.",
            ),
            entry(
                AssociatedConstant::ConservesEnergy,
                bool(facts.conserves_energy, rt),
                "Whether the energy is conserved, as far as the structure of the system shows.",
            ),
            entry(
                AssociatedConstant::ConstantMassMatrix,
                bool(facts.constant_mass_matrix, rt),
                "Whether the mass matrix depends on neither the state nor the time.",
            ),
            entry(
                AssociatedConstant::Equations,
                (
                    quote!(#rt::Equations),
                    quote!(#rt::Equations { text: #text, latex: #latex }),
                ),
                "The energies and the equations of motion, written out: M a + h = Q, with J^T lambda on the \
                 right and the constraints below where there are any; of a long system the energies and \
                 constraints, and the general form.",
            ),
            Entry {
                of_trait: OfTrait::No,
                ..entry(
                    AssociatedConstant::EquationsMathml,
                    (quote!(&'static #rt::core::primitive::str), quote!(#mathml)),
                    "The same as a `math` element of HTML, which browsers draw; of a long system the general \
                     form.",
                )
            },
        ]
    }
}

fn entry(
    constant: AssociatedConstant,
    (ty, value): (TokenStream, TokenStream),
    docs: &'static str,
) -> Entry {
    Entry {
        name: Ident::new(constant.name(), Span::call_site()),
        ty,
        value,
        docs,
        of_trait: OfTrait::Same,
    }
}

fn strings(values: &[String], rt: &Ident) -> (TokenStream, TokenStream) {
    let length = Literal::usize_unsuffixed(values.len());
    (
        quote!([&'static #rt::core::primitive::str; #length]),
        quote!([#(#values),*]),
    )
}

fn bools(values: &[bool], rt: &Ident) -> (TokenStream, TokenStream) {
    let length = Literal::usize_unsuffixed(values.len());
    (
        quote!([#rt::core::primitive::bool; #length]),
        quote!([#(#values),*]),
    )
}

fn bool(value: bool, rt: &Ident) -> (TokenStream, TokenStream) {
    (quote!(#rt::core::primitive::bool), quote!(#value))
}
