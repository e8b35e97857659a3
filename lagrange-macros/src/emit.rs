//! The last stage: schedules and names to tokens.
//!
//! Generated code names nothing but paths through the facade's private module, so that no prelude, no
//! trait in scope and no shadowed `core` or `f64` matters.

mod assembly;
mod body;
mod calls;
mod constants;
mod constraints;
mod constructor;
mod docs;
mod equations;
mod fallback;
mod forms;
mod functions;
pub(crate) mod guess;
mod lints;
pub(crate) mod methods;
mod once;
mod outputs;
pub(crate) mod signature;
mod solve;
mod system_trait;
mod terms;
mod types;

use lagrange_engine::{Dynamics, Shape};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Attribute;

use self::constants::Constants;
pub(crate) use self::fallback::{StubOutput, fallback};
use self::functions::Function;
use self::methods::METHODS;
use self::signature::Layout;
use crate::model::{Declared, Head, Model};

/// What the items of a system have in common, sound or not.
pub(crate) struct Skeleton<'a> {
    pub(crate) head: &'a Head,
    pub(crate) layout: Layout,
    /// How generated code calls the struct: by its name, or where that is the name of the type parameter of
    /// generated code, by an alias.
    system: Ident,
    /// The path of the facade's private module.
    rt: TokenStream,
    /// `#[cfg(..)]` of the struct, for the other items.
    conditions: Vec<&'a Attribute>,
}

impl<'a> Skeleton<'a> {
    pub(crate) fn new(head: &'a Head, layout: Layout) -> Self {
        let rt = match &head.crate_path {
            Some(path) => quote!(#path::__private),
            None => quote!(::lagrangian::__private),
        };
        Skeleton {
            head,
            layout,
            system: if hides_scalar(&head.name) {
                format_ident!("__{}", head.name)
            } else {
                head.name.clone()
            },
            rt,
            conditions: conditions(&head.attributes),
        }
    }

    /// The attributes of every generated item but the struct.
    fn item_attributes(&self) -> TokenStream {
        let conditions = &self.conditions;
        quote! {
            #(#conditions)*
            #[allow(
                dead_code,
                deprecated,
                non_local_definitions,
                non_snake_case,
                unreachable_pub,
                unused_imports,
                unused_qualifications,
                unused_variables,
                clippy::all,
                clippy::nursery,
                clippy::pedantic
            )]
        }
    }
}

/// A system with its equations, ready to be written out.
struct Context<'a> {
    skeleton: Skeleton<'a>,
    model: &'a Model,
    dynamics: &'a Dynamics,
    /// How generated code reads each element of the parameters: `self.m`, `self.k[2]`.
    parameters: Vec<String>,
}

/// Everything a sound declaration stands for.
pub(crate) fn emit(model: &Model, dynamics: &Dynamics) -> TokenStream {
    let sizes = dynamics.sizes();
    let layout = Layout {
        coordinates: sizes.coordinates,
        velocities: sizes.velocities,
        inputs: model.head.input_count(),
        constraints: sizes.constraints,
        holonomic: sizes.holonomic,
        time: model.head.time.is_some(),
        by_lagrangian: !dynamics.is_natural(),
    };
    let context = Context {
        skeleton: Skeleton::new(&model.head, layout),
        model,
        dynamics,
        parameters: model.head.parameters.iter().flat_map(accessors).collect(),
    };
    let skeleton = &context.skeleton;
    dynamics.prepare(
        &METHODS
            .iter()
            .filter_map(|row| row.quantity)
            .collect::<Vec<_>>(),
    );
    let equations = equations::equations(dynamics);
    let mut functions = functions::functions(&context);
    functions.extend(outputs::functions(&context));
    let names = dynamics.constraint_names();
    let rows = constraints::by_rows(&model.constraints, &names);
    let docs = docs::structure(skeleton.head, &rows, &equations.text);
    let constants = Constants::new(skeleton.head, names.clone(), dynamics.facts(), equations);

    let mut tokens = types::definition(skeleton, &docs);
    tokens.extend(implementations(skeleton, &functions, &constants));
    tokens.extend(lints::lints(model));
    tokens
}

/// Whether a type of this name is out of sight where `S` is the scalar.
fn hides_scalar(name: &Ident) -> bool {
    name == "S" || name == "r#S"
}

/// Everything but the struct, sound or not.
fn implementations(
    skeleton: &Skeleton,
    functions: &[Function],
    constants: &Constants,
) -> TokenStream {
    let parts = [
        types::default(skeleton),
        constructor::constructor(skeleton),
        functions::implementations(skeleton, functions),
        constants.inherent(skeleton),
        system_trait::implementation(skeleton, constants),
    ];
    once::once(skeleton, &parts.into_iter().collect())
}

/// `#[cfg(..)]` of an item, for those that come with it.
fn conditions(attributes: &[Attribute]) -> Vec<&Attribute> {
    let attributes = attributes.iter();
    attributes
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .collect()
}

/// The expressions of a parameter's elements.
fn accessors(parameter: &Declared) -> Vec<String> {
    let name = &parameter.name;
    match parameter.shape {
        Shape::Scalar => vec![format!("self.{name}")],
        Shape::Vector(length) => (0..length).map(|i| format!("self.{name}[{i}]")).collect(),
        Shape::Matrix(rows, columns) => (0..rows * columns)
            .map(|i| format!("self.{name}[{}][{}]", i / columns, i % columns))
            .collect(),
    }
}

/// The names of all elements: `m`, `r[0]`, `R[0, 1]`.
fn element_names(declared: &[Declared]) -> Vec<String> {
    declared.iter().flat_map(Declared::element_names).collect()
}

/// The text of `#[doc]` attributes, line by line.
fn doc_lines(attributes: &[Attribute]) -> Vec<String> {
    let texts = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(text),
                    ..
                }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        });
    texts
        .flat_map(|text| {
            text.lines()
                .map(|line| line.trim().to_owned())
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Whether the attribute sets the level of this lint.
fn sets_level(attribute: &Attribute, lints: &[&str]) -> bool {
    let levels = ["allow", "warn", "deny", "forbid", "expect"];
    levels.iter().any(|level| attribute.path().is_ident(level))
        && attribute
            .meta
            .to_token_stream()
            .into_iter()
            .any(|token| match token {
                proc_macro2::TokenTree::Group(group) => group
                    .stream()
                    .into_iter()
                    .any(|word| lints.contains(&word.to_string().as_str())),
                _ => false,
            })
}
