//! The constants of exports, which contain text in other languages.

use lagrange_engine::{Routine, Routines, c99, cuda, wgsl};

use super::context::Context;
use crate::backend::routines::computed;
use crate::bundles::{Export, Exported};
use crate::host::Purpose;
use crate::model::{Declared, Language};
use crate::syntax::ast::text;

/// The language and its text. For an editor the text is empty.
pub(super) fn constant(context: &Context, export: &Export, purpose: Purpose) -> (Language, String) {
    let text = match purpose {
        Purpose::Signatures => String::new(),
        Purpose::Code => written(context, export),
    };
    (export.language, text)
}

fn written(context: &Context, export: &Export) -> String {
    let head = context.skeleton.head;
    let routines = context.routines();
    let exported = export.routines.iter();
    let exported = exported
        .filter_map(|exported| routine(routines, exported))
        .collect();
    let declaration = c99::Declaration {
        name: text(&head.name),
        parameters: head.parameters.iter().map(parameter).collect(),
    };
    match export.language {
        Language::C99 => c99::text(&declaration, routines, exported),
        Language::Cuda => cuda::text(&declaration, routines, exported),
        Language::Wgsl => wgsl::text(&declaration, routines, exported),
    }
}

fn parameter(declared: &Declared) -> c99::Parameter {
    c99::Parameter {
        name: text(&declared.name),
        shape: declared.shape,
    }
}

fn routine(routines: &Routines, exported: &Exported) -> Option<Routine> {
    match exported {
        Exported::Method(name) => routines.method(name),
        Exported::Computed {
            name,
            arguments,
            parts,
        } => Some(computed(routines, name, arguments, parts)),
    }
}
