//! Prints schedules and names as Rust tokens.
//!
//! Generated code refers only to paths through the private module of the facade. Preludes, traits in scope, and a
//! shadowed `core` or `f64` therefore do not affect it.

mod assembly;
mod assignments;
mod body;
mod bundles;
mod calls;
mod conditions;
mod constants;
mod constraints;
mod context;
mod cost_model;
mod docs;
mod editor;
mod equations;
mod function;
mod functions;
pub(crate) mod guess;
mod kernels;
mod library;
mod lists;
mod outputs;
mod passes;
mod places;
mod printer;
mod private_methods;
mod results;
mod signature;
mod skeleton;
mod steps;
mod symbols;
mod system_trait;
mod terms;
mod types;
mod values;

use std::collections::HashSet;

use lagrange_engine::{Dynamics, Facts};
use proc_macro2::TokenStream;

use self::assembly::{Text, parse_code};
use self::constants::Constants;
use self::context::Context;
pub(crate) use self::context::layout;
use self::equations::Written;
pub(crate) use self::equations::equations;
use self::function::{Code, Function};
pub(crate) use self::outputs::StubOutput;
pub(crate) use self::skeleton::Skeleton;
use super::exports;
pub(crate) use super::exports::text;
use crate::bundles::{Bundle, Export};
use crate::editor::Names;
use crate::host::Purpose;
use crate::methods::METHODS;
use crate::model::{Head, Model, RegressorItem, SensitivityItem, SymmetryItem};
use crate::tables::Tables;

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
    let head = skeleton.head;
    let equations = equations(dynamics);
    let functions = match purpose {
        Purpose::Code => write_methods(&context, bundles),
        Purpose::Signatures => {
            let lists = Lists {
                regressors: model.regressors.iter().collect(),
                sensitivities: model.sensitivities.iter().collect(),
                symmetries: model.symmetries.iter().collect(),
            };
            write_stubs(skeleton, &outputs::describe(&context), &lists, bundles)
        }
    };
    let row_names = dynamics.constraint_names();
    let facts = dynamics.facts();
    let notes = [
        docs::list_contacts(&model.contacts, &dynamics.contact_names()),
        docs::list_conserved(head, facts, &model.symmetries),
        docs::explain_left_out(&skeleton.layout).to_owned(),
        docs::list_unused_of_robots(head),
    ];
    let rows = docs::order_rows(&model.constraints, &row_names);
    let docs = docs::describe_struct(head, &rows, &notes.concat(), &equations);
    let exported = exports.iter().map(|export| {
        let text = match purpose {
            Purpose::Signatures => String::new(),
            Purpose::Code => exports::write_export(head, context.routines(), export),
        };
        (export.language, text)
    });
    let constants = Constants::new(
        head,
        [row_names.clone(), dynamics.contact_names()],
        facts,
        equations,
        exported.collect(),
        model.regressors.iter(),
    );
    let mut tokens = types::define_struct(skeleton, docs);
    let tables = parse_code(&context.parameters.write_tables());
    let structures = bundles::write_structures(skeleton, bundles);
    tokens.extend(assemble_items(
        skeleton,
        &functions,
        &constants,
        tables,
        &structures,
    ));
    tokens.extend(editor::write_items(
        skeleton,
        names,
        &functions,
        &model.unused,
    ));
    tokens.extend(editor::write_warnings(model));
    tokens
}

/// All methods with their bodies.
fn write_methods(context: &Context, bundles: &[Bundle]) -> Vec<Function> {
    let mut methods = functions::write_methods(context);
    methods.extend(outputs::write_methods(context));
    methods.extend(lists::write_methods(context));
    methods.extend(
        bundles
            .iter()
            .map(|bundle| bundles::write_method(context, bundle)),
    );
    methods
}

/// The stub after errors: the struct with its fields, and every method with an unreachable body, so that code that uses
/// them reports nothing.
pub(crate) fn fallback(
    skeleton: &Skeleton,
    outputs: &[StubOutput],
    (tables, names): (&Tables, &Names),
    bundles: &[Bundle],
) -> TokenStream {
    let (head, layout) = (skeleton.head, &skeleton.layout);
    let n = layout.velocities;
    let facts = Facts {
        cyclic: vec![false; n],
        conserved_momenta: vec![false; n],
        ..Facts::default()
    };
    let lists = Lists {
        regressors: tables.regressors.iter().map(|entry| &entry.item).collect(),
        sensitivities: tables
            .sensitivities
            .iter()
            .map(|entry| &entry.item)
            .collect(),
        symmetries: tables.symmetries.iter().map(|entry| &entry.item).collect(),
    };
    let constants = Constants::new(
        head,
        // Only the number of the names matters here.
        [layout.constraints, layout.contacts].map(|count| vec![String::new(); count]),
        &facts,
        Written::default(),
        tables
            .exports
            .iter()
            .map(|item| (item.language, String::new()))
            .collect(),
        lists.regressors.iter().copied(),
    );
    let mut functions = write_stubs(skeleton, outputs, &lists, bundles);
    // An additional method of an output may have the name of another method. This is then the reported mistake.
    let mut names_in_use = HashSet::new();
    functions.retain(|function| names_in_use.insert(function.unraw()));

    let docs = docs::describe_struct(head, &[], "", &Written::default());
    let mut tokens = types::define_struct(skeleton, docs);
    let (tables, structures) = (
        TokenStream::new(),
        bundles::write_structures(skeleton, bundles),
    );
    tokens.extend(assemble_items(
        skeleton,
        &functions,
        &constants,
        tables,
        &structures,
    ));
    tokens.extend(editor::write_items(skeleton, names, &functions, &[]));
    tokens
}

/// The statements that list parameters or move coordinates.
struct Lists<'a> {
    regressors: Vec<&'a RegressorItem>,
    sensitivities: Vec<&'a SensitivityItem>,
    symmetries: Vec<&'a SymmetryItem>,
}

/// The signatures and documentation of all methods, with unreachable bodies. Used after errors, and for editors,
/// which request only this at every keystroke.
fn write_stubs(
    skeleton: &Skeleton,
    outputs: &[StubOutput],
    lists: &Lists,
    bundles: &[Bundle],
) -> Vec<Function> {
    let layout = &skeleton.layout;
    let mut functions = Vec::new();
    for row in METHODS.iter().filter(|row| row.exists(layout)) {
        let (arguments, value) = (row.arguments(layout), row.value(layout));
        functions.push(Function {
            visibility: Code::PUBLIC,
            docs: docs::describe_method(row, skeleton, None),
            ..function::stub(skeleton, row.name().into(), arguments, value, row.fallible)
        });
    }
    for output in outputs {
        functions.extend(outputs::write_stubs(skeleton, output));
    }
    for item in &lists.regressors {
        functions.push(lists::regressor_stub(skeleton, item));
    }
    for item in &lists.sensitivities {
        functions.push(lists::sensitivity_stub(skeleton, item));
    }
    for item in &lists.symmetries {
        functions.push(lists::symmetry_stub(skeleton, item));
    }
    for bundle in bundles {
        functions.push(bundles::stub(skeleton, bundle));
    }
    functions
}

/// All items except the struct, for systems with and without errors, and the additional structs. Each struct name gets
/// them once.
fn assemble_items(
    skeleton: &Skeleton,
    functions: &[Function],
    constants: &Constants,
    tables: TokenStream,
    structures: &TokenStream,
) -> TokenStream {
    let parts = [
        types::implement_default(skeleton),
        types::write_constructors(skeleton),
        function::write_implementations(skeleton, functions),
        constants.write_inherent(skeleton),
        system_trait::implement_traits(skeleton, constants),
        include_files(skeleton.head),
        tables,
    ];
    skeleton::place_once(skeleton, &parts.into_iter().collect(), structures)
}

/// Makes the build depend on the files.
fn include_files(head: &Head) -> TokenStream {
    let mut text = Text::default();
    let mut included: Vec<&str> = Vec::new();
    let robots = head.robots.iter().map(|robot| &robot.path);
    for path in robots.chain(&head.files) {
        if included.contains(&path.as_str()) {
            continue;
        }
        included.push(path);
        let is_absolute = std::path::Path::new(path).is_absolute();
        let path = match is_absolute {
            true => format!("{path:?}"),
            false => {
                let path = format!("/{path}");
                format!("__rt::core::concat!(__rt::core::env!(\"CARGO_MANIFEST_DIR\"), {path:?})")
            }
        };
        text.push_str(&format!(
            "const _: &[__rt::core::primitive::u8] = __rt::core::include_bytes!({path});\n"
        ));
    }
    parse_code(&text.read())
}
