//! All possible items of bundles, by name.

use std::collections::HashMap;

use lagrange_engine::{Quantity, Shape};
use proc_macro2::{Ident, Span};

use super::{Content, Part, refusals};
use crate::attributes::doc_lines;
use crate::errors::Code;
use crate::generated::{Beside, Method};
use crate::methods::{Argument, Layout, METHODS, Row, Value, outputs, regressors, symmetries};
use crate::model::{Model, OutputItem, OutputKind, RegressorItem, SymmetryItem};
use crate::suggest;
use crate::syntax::ast::text;
use crate::tables::{OutputEntry, Tables};

/// The possible names of items and their meaning.
pub(super) struct Candidates<'a> {
    tables: &'a Tables,
    layout: &'a Layout,
    by_name: HashMap<String, Candidate>,
    /// The names in order, for suggestions.
    names: Vec<String>,
}

struct Candidate {
    /// `None` if a mistake hides its meaning.
    part: Option<Part>,
    /// The declaration to which the item belongs.
    of: Option<String>,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(
        tables: &'a Tables,
        shape: &dyn Fn(&OutputEntry) -> Option<Shape>,
        layout: &'a Layout,
    ) -> Self {
        let mut candidates = Candidates {
            tables,
            layout,
            by_name: HashMap::new(),
            names: Vec::new(),
        };
        let rows = METHODS.iter().filter(|row| row.exists(layout));
        for part in rows.filter_map(|row| list_row_of_lanes(row, layout)) {
            candidates.add(None, text(&part.name), Some(part));
        }
        let numbers = outputs::numbers(tables.outputs.iter().map(|output| &output.item));
        for (number, output) in numbers.into_iter().zip(&tables.outputs) {
            let of = text(&output.item.name);
            for (name, part) in list_output(number, &output.item, shape(output), layout) {
                candidates.add(Some(of.clone()), name, part);
            }
        }
        let regressors = tables.regressors.iter().map(|entry| &entry.item);
        let symmetries = tables.symmetries.iter().map(|entry| &entry.item);
        for part in list_requested(regressors, symmetries) {
            let name = text(&part.name);
            candidates.add(Some(name.clone()), name, Some(part));
        }
        candidates
    }

    fn add(&mut self, of: Option<String>, name: String, part: Option<Part>) {
        self.names.push(name.clone());
        self.by_name.insert(name, Candidate { part, of });
    }

    /// The output, the method beside an output, the regressor or the symmetry of this name.
    pub(super) fn find_requested(&self, name: &str) -> Option<&Part> {
        self.by_name
            .get(name)
            .filter(|candidate| candidate.of.is_some())?
            .part
            .as_ref()
    }

    /// True if an item has this name, even one with a mistake.
    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The names of all items.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The item of this name. A suggestion for an unknown name compares all names, so it is skipped if the message is
    /// not shown.
    pub(super) fn find(
        &self,
        bundle: &Ident,
        (name, is): (&Ident, Option<&str>),
        is_shown: bool,
    ) -> Resolved {
        let written = text(name);
        let Some(Candidate { part, of }) = self.by_name.get(&written) else {
            return self.refuse(&written, is, is_shown);
        };
        let order = |name: &str| self.tables.named.get(name).map(|named| named.order);
        let later = of.as_ref().filter(|of| order(of) > order(&text(bundle)));
        let name = name.clone();
        Resolved {
            part: part.clone().map(|part| Part { name, ..part }),
            refusal: later.map(|of| (Code::OutOfSight, refusals::too_early(&written, of))),
        }
    }

    /// The message for a name that is not an item, and the item that was probably meant.
    fn refuse(&self, name: &str, is: Option<&str>, is_shown: bool) -> Resolved {
        let has_name = |row: &&Row| row.name() == name;
        if let Some(row) = METHODS.iter().find(has_name) {
            return if row.exists(self.layout) {
                Resolved::instead_of(list_row(row, self.layout), refusals::of_method(row))
            } else {
                let item =
                    list_row(row, self.layout).filter(|_| self.layout.lacks_coriolis_matrix());
                Resolved::instead_of(item, refusals::of_missing(row, self.layout))
            };
        }
        if let Some(named) = self.tables.named.get(name) {
            return match named.what {
                "bundle" => Resolved::without_item(refusals::of_bundle(name)),
                "sensitivity" => Resolved::without_item(refusals::of_sensitivity(name)),
                _ => Resolved::default(),
            };
        }
        for method in Beside::ALL {
            let base = name.strip_suffix(&method.of(""));
            if base.is_some_and(|base| self.by_name.contains_key(base)) {
                return Resolved::without_item(refusals::of_beside(name, *method));
            }
        }
        if is.is_none()
            && let Some(message) = refusals::of_target(name, self.layout)
        {
            return Resolved::without_item(message);
        }
        match is {
            // A `pub let` without a method has its own mistake.
            Some("an output" | "a name") => Resolved::default(),
            Some(is) => Resolved::without_item(refusals::of_value(name, is)),
            None if is_shown => self.refuse_unknown(name),
            None if !self.tables.known.items => Resolved::default(),
            None => Resolved::without_item(refusals::unknown(name, None)),
        }
    }

    fn refuse_unknown(&self, name: &str) -> Resolved {
        let nearest = suggest::nearest(name, self.names());
        let candidate = nearest.and_then(|nearest| self.by_name.get(nearest));
        let is_like = nearest.is_some_and(|nearest| are_of_like_names(name, nearest));
        let is_lost = !is_like && !self.tables.known.items;
        Resolved {
            part: candidate.and_then(|candidate| candidate.part.clone()),
            refusal: (!is_lost).then(|| (Code::Listed, refusals::unknown(name, nearest))),
        }
    }
}

/// True if the names are similar without the suffix of a method beside an output.
fn are_of_like_names(name: &str, nearest: &str) -> bool {
    let strip_suffixes = |method: &Beside| {
        let suffix = method.of("");
        Some((name.strip_suffix(&suffix)?, nearest.strip_suffix(&suffix)?))
    };
    Beside::ALL
        .iter()
        .find_map(strip_suffixes)
        .is_none_or(|(name, nearest)| suggest::nearest(name, [nearest]).is_some())
}

/// The result of a search for an item: the item, which the stub also needs after a mistake, and the mistake.
#[derive(Default)]
pub(super) struct Resolved {
    pub(super) part: Option<Part>,
    pub(super) refusal: Option<(Code, String)>,
}

impl Resolved {
    fn without_item(message: String) -> Self {
        Resolved::instead_of(None, message)
    }

    fn instead_of(part: Option<Part>, message: String) -> Self {
        Resolved {
            part,
            refusal: Some((Code::Listed, message)),
        }
    }
}

/// A generated method, if lanes have it too.
fn list_row_of_lanes(row: &Row, layout: &Layout) -> Option<Part> {
    (!row.is_of_reals())
        .then(|| list_row(row, layout))
        .flatten()
}

/// The way in which a method is computed within a bundle.
fn choose_content(row: &Row, layout: &Layout) -> Content {
    if let Some(quantity) = row.quantity() {
        return Content::quantity(quantity);
    }
    match row.method {
        Method::AccelerationUnchecked => Content::Acceleration,
        Method::MassMatrixFull => Content::quantity(Quantity::MassMatrixFull),
        Method::ForcingFull => Content::quantity(Quantity::ForcingFull),
        Method::InverseDynamicsDerivatives => Content::pair([
            Quantity::InverseDynamicsByPosition,
            Quantity::InverseDynamicsByVelocity,
        ]),
        _ => Content::Called(row.arguments(layout)),
    }
}

/// A generated method as an item, if its arguments are only a state and an acceleration.
fn list_row(row: &Row, layout: &Layout) -> Option<Part> {
    use Argument::{A, FullStates, FullU, FullV, MassV, Q, States, U, V};
    const KNOWN: [Argument; 9] = [Q, V, MassV, FullV, States, FullStates, U, FullU, A];
    let mut arguments = row.all_arguments().iter();
    if !arguments.all(|argument| KNOWN.contains(argument)) {
        return None;
    }
    Some(Part {
        name: Ident::new(row.name(), Span::call_site()),
        content: choose_content(row, layout),
        value: row.value(layout),
        arguments: row.all_arguments().to_vec(),
        summary: row.summary.to_owned(),
    })
}

/// An output and the methods beside it. `number` is its number in the engine.
fn list_output(
    number: usize,
    item: &OutputItem,
    shape: Option<Shape>,
    layout: &Layout,
) -> Vec<(String, Option<Part>)> {
    let name = text(&item.name);
    if shape.is_none() && item.kind != OutputKind::Frame {
        let beside = Beside::ALL.iter().map(|method| method.of(&name));
        let names = std::iter::once(name.clone()).chain(beside);
        return names.map(|name| (name, None)).collect();
    }
    outputs::methods(item, shape, layout)
        .into_iter()
        .map(|method| {
            let (shell, fields) = outputs::content(item, number, method.beside, layout);
            let words = doc_lines(&item.attributes);
            let summary = match method.beside {
                None if !words.is_empty() => words.join("\n").trim().to_owned(),
                beside => outputs::summary(item, beside, layout),
            };
            let part = Part {
                name: method.name,
                content: Content::Computed(shell, fields),
                value: method.value,
                arguments: method.arguments,
                summary,
            };
            (text(&part.name), Some(part))
        })
        .collect()
}

/// The outputs with the methods beside them, the regressors and the symmetries of a system without mistakes. `shape` gives
/// the shape of the output of a number.
pub(super) fn list_declared(
    model: &Model,
    shape: &dyn Fn(usize) -> Shape,
    layout: &Layout,
) -> Vec<Part> {
    let outputs = outputs::numbers(model.outputs.iter())
        .into_iter()
        .zip(&model.outputs)
        .flat_map(|(number, item)| {
            list_output(number, item, Some(shape(number)), layout)
                .into_iter()
                .filter_map(|(_, part)| part)
        });
    outputs
        .chain(list_requested(
            model.regressors.iter(),
            model.symmetries.iter(),
        ))
        .collect()
}

/// Regressors and symmetries.
fn list_requested<'a>(
    regressors: impl Iterator<Item = &'a RegressorItem>,
    symmetries: impl Iterator<Item = &'a SymmetryItem>,
) -> Vec<Part> {
    let regressors = regressors.enumerate().map(|(number, item)| Part {
        name: item.name.clone(),
        content: Content::quantity(Quantity::Regressor(number)),
        value: regressors::value(item),
        arguments: regressors::ARGUMENTS.to_vec(),
        summary: regressors::summary(item),
    });
    let symmetries = symmetries.enumerate().map(|(number, item)| Part {
        name: item.name.clone(),
        content: Content::quantity(Quantity::NoetherMomentum(number)),
        value: Value::Scalar,
        arguments: symmetries::ARGUMENTS.to_vec(),
        summary: symmetries::summary(item),
    });
    regressors.chain(symmetries).collect()
}
