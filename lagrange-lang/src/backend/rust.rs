//! Prints schedules and names as Rust tokens.
//!
//! Generated code refers only to paths through the private module of the facade. Preludes, traits in scope, and a
//! shadowed `core` or `f64` therefore do not affect it.

mod assembly;
mod assignments;
mod batch_sincos;
mod body;
mod bundles;
mod calls;
mod conditions;
mod constants;
mod constraints;
mod constructor;
mod context;
mod cost_model;
mod docs;
mod editor;
mod equations;
mod exports;
mod expression_nesting;
mod fallback;
mod friction;
mod frictional_trait;
mod function;
mod functions;
pub(crate) mod guess;
mod items;
mod kernels;
mod library;
mod lints;
mod once;
mod outputs;
mod parameter_errors;
mod places;
mod private_methods;
mod regressors;
mod robots;
mod sensitivities;
mod signature;
mod signatures;
mod skeleton;
mod steps;
mod symbols;
mod symmetries;
mod system_trait;
mod terms;
mod text;
mod types;
mod values;

use lagrange_engine::Dynamics;
use proc_macro2::TokenStream;

use self::constants::Constants;
use self::context::Context;
pub(crate) use self::context::layout;
pub(crate) use self::equations::equations;
pub(crate) use self::exports::text;
pub(crate) use self::fallback::fallback;
use self::function::Function;
use self::items::items;
pub(crate) use self::signatures::StubOutput;
use self::signatures::{Lists, signatures};
pub(crate) use self::skeleton::Skeleton;
use crate::bundles::{Bundle, Export};
use crate::editor::Names;
use crate::host::Purpose;
use crate::model::Model;

/// All items of a declaration without errors.
pub(crate) fn emit(
    model: &Model,
    names: &Names,
    (bundles, exports): (&[Bundle], &[Export]),
    dynamics: &Dynamics,
    purpose: Purpose,
) -> TokenStream {
    let context = Context::new(model, dynamics);
    let skeleton = &context.skeleton;
    let equations = equations(dynamics);
    let functions = match purpose {
        Purpose::Code => written(&context, bundles),
        Purpose::Signatures => {
            let outputs = outputs::described(&context);
            let lists = Lists {
                regressors: model.regressors.iter().collect(),
                sensitivities: model.sensitivities.iter().collect(),
                symmetries: model.symmetries.iter().collect(),
            };
            signatures(skeleton, &outputs, &lists, bundles)
        }
    };
    let rows_of_constraints = dynamics.constraint_names();
    let rows = docs::by_rows(&model.constraints, &rows_of_constraints);
    let facts = dynamics.facts();
    let conserved = docs::conserved(skeleton.head, facts, &model.symmetries);
    let notes = conserved + docs::left_out(&skeleton.layout) + &robots::notes(skeleton.head);
    let contacts = docs::contacts(&model.contacts, &dynamics.contact_names());
    let docs = docs::structure(skeleton.head, &rows, &(contacts + &notes), &equations);
    let exported = exports
        .iter()
        .map(|export| exports::constant(&context, export, purpose));
    let exported = exported.collect();
    let constants = Constants::new(
        skeleton.head,
        [rows_of_constraints.clone(), dynamics.contact_names()],
        facts,
        equations,
        exported,
        model.regressors.iter(),
    );

    let mut tokens = types::definition(skeleton, docs);
    let structures = bundles::structures(skeleton, bundles);
    let tables = assembly::parsed(&context.parameters.tables());
    tokens.extend(items(skeleton, &functions, &constants, tables, &structures));
    tokens.extend(editor::editor(skeleton, names, &functions, &model.unused));
    tokens.extend(lints::warnings(model));
    tokens
}

/// All methods with their bodies.
fn written(context: &Context, bundles: &[Bundle]) -> Vec<Function> {
    let mut functions = functions::functions(context);
    functions.extend(outputs::functions(context));
    functions.extend(regressors::functions(context));
    functions.extend(sensitivities::functions(context));
    functions.extend(symmetries::functions(context));
    let of_bundles = bundles.iter();
    functions.extend(of_bundles.map(|bundle| bundles::function(context, bundle)));
    functions
}
