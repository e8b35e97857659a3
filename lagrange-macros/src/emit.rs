//! The last stage: schedules and names to tokens.
//!
//! Generated code names nothing but paths through the facade's private module, so that no prelude, no
//! trait in scope and no shadowed `core` or `f64` matters.

mod assembly;
mod attributes;
mod body;
mod constants;
mod constraints;
mod constructor;
mod context;
mod derivatives;
mod displacements;
mod docs;
mod equations;
mod fallback;
mod forms;
mod function;
mod functions;
pub(crate) mod guess;
mod hamilton;
mod items;
mod lints;
pub(crate) mod methods;
mod once;
mod outputs;
pub(crate) mod row;
pub(crate) mod signature;
mod skeleton;
mod solve;
mod system_trait;
mod terms;
mod types;

use lagrange_engine::Dynamics;
use proc_macro2::TokenStream;

use self::constants::Constants;
use self::context::Context;
pub(crate) use self::fallback::{StubOutput, fallback};
use self::items::items;
use self::methods::METHODS;
pub(crate) use self::skeleton::Skeleton;
use crate::model::Model;

/// Everything a sound declaration stands for.
pub(crate) fn emit(model: &Model, dynamics: &Dynamics) -> TokenStream {
    let context = Context::new(model, dynamics);
    let skeleton = &context.skeleton;
    dynamics.prepare(
        &METHODS
            .iter()
            .filter_map(|row| row.quantity())
            .collect::<Vec<_>>(),
    );
    let equations = equations::equations(dynamics);
    let mut functions = functions::functions(&context);
    functions.extend(outputs::functions(&context));
    let names = dynamics.constraint_names();
    let rows = docs::by_rows(&model.constraints, &names);
    let docs = docs::structure(skeleton.head, &rows, &equations.text);
    let constants = Constants::new(skeleton.head, names.clone(), dynamics.facts(), equations);

    let mut tokens = types::definition(skeleton, &docs);
    tokens.extend(items(skeleton, &functions, &constants));
    tokens.extend(lints::lints(model));
    tokens
}
