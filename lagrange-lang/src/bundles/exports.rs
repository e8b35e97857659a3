//! Resolution of the names in exports to routines.

use std::collections::HashSet;

use lagrange_engine::{BundlePart, Shape, casadi};
use proc_macro2::Ident;

use super::candidates::Candidates;
use super::{Bundle, Part};
use crate::errors::{Code, Errors};
use crate::generated::{
    ASK_FOR_HESSIAN, AssociatedConstant, Beside, CAST, INTEGRATE_UNCHECKED, Method, NEW,
};
use crate::methods::{Argument, Layout, METHODS, Row};
use crate::model::{ExportItem, Language};
use crate::suggest;
use crate::syntax::ast::text;
use crate::tables::{OutputEntry, Tables};

/// An `export` and its functions.
pub(crate) struct Export {
    pub(crate) language: Language,
    pub(crate) routines: Vec<Exported>,
}

/// A function of the exported text.
pub(crate) enum Exported {
    /// A generated method, or that of a sensitivity.
    Method(String),
    /// A method that searches for the modes of contacts. Only the texts in C and CUDA have this method.
    Searching(&'static str),
    /// Several quantities together: those of an output, a regressor, a symmetry or a bundle.
    Computed {
        name: String,
        arguments: Vec<Argument>,
        parts: Vec<BundlePart>,
    },
}

/// The integration step of the runtime, which is exported beside the generated methods.
pub(super) const STEP: &str = "rk4_step";

/// Functions that search for the modes of contacts. Systems have both or none.
pub(super) const MODES: [&str; 2] = ["resolve", "contact_step"];

/// The exports of a declaration. Mistakes are reported at the token of the item.
pub(crate) fn resolve(
    tables: &Tables,
    shape: &dyn Fn(&OutputEntry) -> Option<Shape>,
    (system, layout, bundles): (&Ident, &Layout, &[Bundle]),
    errors: &mut Errors,
) -> Vec<Export> {
    if tables.exports.is_empty() {
        return Vec::new();
    }
    let resolver = Resolver {
        candidates: Candidates::new(tables, shape, layout),
        tables,
        system,
        layout,
        bundles,
    };
    tables
        .exports
        .iter()
        .map(|item| resolver.resolve(item, errors))
        .collect()
}

/// What the names in exports may stand for.
struct Resolver<'a> {
    candidates: Candidates<'a>,
    tables: &'a Tables,
    system: &'a Ident,
    layout: &'a Layout,
    bundles: &'a [Bundle],
}

impl Resolver<'_> {
    fn resolve(&self, item: &ExportItem, errors: &mut Errors) -> Export {
        let mut listed = HashSet::new();
        let mut routines = Vec::new();
        for (name, is) in &item.items {
            let written = text(name);
            let refusal = if listed.insert(written.clone()) {
                match self.find(&written, item.language) {
                    Some(exported) => match self.refuse_name(&written, item) {
                        None => {
                            routines.extend(exported);
                            continue;
                        }
                        refusal => refusal,
                    },
                    None => self.refuse((&written, *is), item.language, !errors.is_full()),
                }
            } else {
                let message = format!("duplicate item: `{written}` is exported already");
                Some(format!("{message}\n\nhelp: remove it"))
            };
            if let Some(message) = refusal {
                errors.error(name, Code::Export, message);
            }
        }
        Export {
            language: item.language,
            routines,
        }
    }

    /// The function of this name. The inner value is `None` if another mistake hides its meaning.
    fn find(&self, name: &str, language: Language) -> Option<Option<Exported>> {
        let searching = MODES
            .iter()
            .find(|method| **method == name)
            .filter(|_| searches_modes(self.layout, language))
            .map(|method| Some(Exported::Searching(method)));
        let row = METHODS
            .iter()
            .find(|row| row.name() == name && row.exists(self.layout));
        if name == STEP || row.is_some_and(|row| !is_refused(row)) {
            return Some(Some(Exported::Method(name.to_owned())));
        }
        if let Some(bundle) = self
            .bundles
            .iter()
            .find(|bundle| text(&bundle.name) == name)
        {
            return Some(Some(of_bundle(bundle, self.layout)));
        }
        if row.is_some() {
            return searching;
        }
        let mut sensitivities = self.tables.sensitivities.iter();
        if sensitivities.any(|entry| text(&entry.item.name) == name) {
            return Some(Some(Exported::Method(name.to_owned())));
        }
        if let Some(part) = self.candidates.find_requested(name) {
            return Some(Some(of_part(part, self.layout)));
        }
        searching.or_else(|| self.candidates.has(name).then_some(None))
    }

    /// The reason why CasADi has no function of this name.
    fn refuse_name(&self, name: &str, export: &ExportItem) -> Option<String> {
        if export.language != Language::Casadi {
            return None;
        }
        let items: Vec<String> = export.items.iter().map(|(item, _)| text(item)).collect();
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        refused_by_casadi(&text(self.system), name, &items)
    }

    /// The reason why a name is not an item.
    fn refuse(
        &self,
        (name, is): (&str, Option<&str>),
        language: Language,
        is_shown: bool,
    ) -> Option<String> {
        let refused = |help: &str| Some(format!("`{name}` cannot be exported\n\nhelp: {help}"));
        if MODES.contains(&name) && self.layout.has_friction() {
            let refused = refused_search(name, language);
            return Some(format!(
                "{refused}\n\n\
                 help: list `friction_terms`, the terms that it solves for, or `solve_active`"
            ));
        }
        if let Some(row) = METHODS.iter().find(|row| row.name() == name) {
            return if row.method == Method::Rhs {
                refused("list `state_derivative`, which has the same value")
            } else if row.is_of_midpoint_rule() && row.exists(self.layout) {
                refused("step in Rust by `midpoint_step`, or list `rk4_step`")
            } else if row.method == Method::CoriolisMatrix && self.layout.lacks_coriolis_matrix() {
                refused("write `#[lagrangian(coriolis_matrix)]` on the struct: it is long")
            } else if row.method == Method::AccelerationHessian {
                refused(&format!("write `{ASK_FOR_HESSIAN}` on the struct"))
            } else {
                let systems = row.systems_in_words();
                let message =
                    format!("this system has no `{name}`: it is a method of systems {systems}");
                Some(format!("{message}\n\nhelp: remove it"))
            };
        }
        match name {
            NEW => return refused("the text has a struct of the parameters: fill its fields"),
            CAST | INTEGRATE_UNCHECKED => return refused("remove it"),
            "midpoint_step" => return refused("list `rk4_step`"),
            "contact_step" => {
                return Some(
                    "this system has no `contact_step`: it is a step of systems with a `contact` or dry joints\n\n\
                     help: list `rk4_step`"
                        .to_owned(),
                );
            }
            _ if AssociatedConstant::ALL
                .iter()
                .any(|constant| constant.name() == name) =>
            {
                return refused("read this constant in Rust: a text has functions");
            }
            _ => {}
        }
        // A bundle with mistakes has its own messages.
        if self.tables.named.contains_key(name) {
            return None;
        }
        for method in Beside::ALL {
            let base = name.strip_suffix(&method.of(""));
            if base.is_some_and(|base| self.candidates.has(base)) {
                return Some(super::refusals::of_beside(name, *method));
            }
        }
        let of_target = || super::refusals::of_target(name, self.layout);
        if let Some(message) = is.is_none().then(of_target).flatten() {
            return Some(message);
        }
        match is {
            Some("an output" | "a name") => None,
            Some(is) => {
                let help = match is {
                    "a `let`" => format!("make it an output: `pub let {name} = ..;`"),
                    "a frame" => format!("make it an output: `pub frame {name} = ..;`"),
                    _ => "an export holds generated methods, outputs, bundles, regressors and sensitivities"
                        .to_owned(),
                };
                Some(format!("`{name}` is {is}, and no method\n\nhelp: {help}"))
            }
            None => {
                let mut names: Vec<String> = Vec::new();
                let rows = METHODS.iter().filter(|row| row.exists(self.layout));
                names.extend(rows.map(|row| row.name().to_owned()));
                names.push(STEP.to_owned());
                if searches_modes(self.layout, language) {
                    names.extend(MODES.map(str::to_owned));
                }
                names.extend(self.candidates.names().map(str::to_owned));
                for entry in &self.tables.sensitivities {
                    names.push(text(&entry.item.name));
                }
                names.extend(self.bundles.iter().map(|bundle| text(&bundle.name)));
                let nearest =
                    suggest::nearest(name, names.iter().map(String::as_str)).filter(|_| is_shown);
                let help = nearest.map_or_else(
                    || {
                        "an export holds generated methods, such as `acceleration`, outputs, bundles, regressors and sensitivities"
                            .to_owned()
                    },
                    |nearest| format!("did you mean `{nearest}`?"),
                );
                (nearest.is_some() || self.tables.known.items)
                    .then(|| format!("unknown item `{name}`\n\nhelp: {help}"))
            }
        }
    }
}

/// The function of a bundle.
pub(super) fn of_bundle(bundle: &Bundle, layout: &Layout) -> Exported {
    let parts = bundle.parts.iter();
    Exported::Computed {
        name: text(&bundle.name),
        arguments: bundle.arguments(layout),
        parts: parts.map(|part| part.of_routine(true)).collect(),
    }
}

/// The function of an output, of a method beside one, of a regressor or of a symmetry.
pub(super) fn of_part(part: &Part, layout: &Layout) -> Exported {
    Exported::Computed {
        name: text(&part.name),
        arguments: layout.arguments(&part.arguments),
        parts: vec![part.of_routine(false)],
    }
}

/// True if texts of a system in a language have the methods that search for modes.
fn searches_modes(layout: &Layout, language: Language) -> bool {
    layout.has_friction() && has_search(language)
}

/// True if a language has the search for modes.
pub(crate) fn has_search(language: Language) -> bool {
    matches!(language, Language::C99 | Language::Cuda)
}

/// The reason why CasADi has no function of the name of one of these items, and what to do.
pub(crate) fn refused_by_casadi(system: &str, name: &str, items: &[&str]) -> Option<String> {
    let refused = |why: &str, help: &str| {
        Some(format!(
            "`{name}` cannot be exported to CasADi: {why}\n\nhelp: {help}"
        ))
    };
    match casadi::function_name(system, name) {
        // One message for the struct.
        Err(_) if items.first() != Some(&name) && casadi::function_name(system, "f").is_err() => {
            None
        }
        Err(whole) if whole.contains("__") || whole.starts_with('_') => {
            let is_by_item = casadi::function_name("S", name).is_err();
            let why = format!(
                "names of its functions have a letter first and no two underscores in a row, but this one is `{whole}`"
            );
            refused(
                &why,
                if is_by_item {
                    "rename it"
                } else {
                    "rename the struct"
                },
            )
        }
        Err(whole) => refused(
            &format!("`{whole}` is a word of C or of its library"),
            "rename it, or the struct",
        ),
        Ok(whole) => {
            let mut above = items.iter().take_while(|item| **item != name);
            let is_whole =
                |item: &&&str| casadi::function_name(system, item).as_ref() == Ok(&whole);
            if let Some(other) = above.find(is_whole) {
                let why = format!("its function and that of `{other}` are called `{whole}`");
                return refused(&why, "rename one of them");
            }
            let described = items.iter().find(|item| {
                let ending = name.strip_prefix(**item);
                ending.is_some_and(|ending| casadi::ENDINGS.contains(&ending))
            })?;
            let why = format!("a function of this name describes `{described}`");
            refused(&why, "rename it")
        }
    }
}

/// The reason why a text in a language has no search for modes.
pub(crate) fn refused_search(name: &str, language: Language) -> String {
    let language = language.name();
    format!(
        "`{name}` cannot be exported to `{language}`: the search for the modes of contacts is in C and CUDA only"
    )
}

/// True for methods that not every text contains.
pub(super) fn is_refused(row: &Row) -> bool {
    matches!(row.method, Method::Rhs | Method::Resolve) || row.is_of_midpoint_rule()
}
