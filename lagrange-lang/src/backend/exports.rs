//! The texts of exports in other languages.

use lagrange_engine::{Routine, Routines, Shape, c99, casadi, cuda, wgsl};

use super::routines::build_routine;
use crate::bundles::{Export, Exported};
use crate::model::{Head, Language};
use crate::syntax::ast::text as text_of;

/// The text of an export.
pub(super) fn write_export(head: &Head, routines: &Routines, export: &Export) -> String {
    let exported = export
        .routines
        .iter()
        .filter_map(|exported| exported.routine(routines));
    let parameters = head
        .parameters
        .iter()
        .map(|declared| (text_of(&declared.name), declared.shape));
    let system = (&text_of(&head.name)[..], parameters.collect());
    text(export.language, system, routines, exported.collect())
}

/// These routines of a system in another language. The system has a name and parameters.
pub(crate) fn text(
    language: Language,
    (name, parameters): (&str, Vec<(String, Shape)>),
    routines: &Routines,
    exported: Vec<Routine>,
) -> String {
    let parameters = parameters.into_iter();
    let declaration = c99::Declaration {
        name: name.to_owned(),
        parameters: parameters
            .map(|(name, shape)| c99::Parameter { name, shape })
            .collect(),
    };
    match language {
        Language::C99 => c99::text(&declaration, routines, exported),
        Language::Cuda => cuda::text(&declaration, routines, exported),
        Language::Wgsl => wgsl::text(&declaration, routines, exported),
        Language::Casadi => casadi::text(&declaration, routines, exported),
    }
}

impl Exported {
    /// The routine of the function.
    pub(crate) fn routine(&self, routines: &Routines) -> Option<Routine> {
        match self {
            Exported::Method(name) => routines.method(name),
            Exported::Searching(name) => routines.searching(name),
            Exported::Computed {
                name,
                arguments,
                parts,
            } => Some(build_routine(routines, name, arguments, parts)),
        }
    }
}
