//! Bundles, exports, regressors and sensitivities, which list names; and symmetries, which move coordinates.

use std::collections::HashSet;

use lagrange_engine::{Node, NodeId, Symbol};
use proc_macro2::Ident;
use syn::Attribute;

use super::access::{Target, picked};
use super::dependence_errors::POSITIONAL;
use super::evaluator::Evaluator;
use super::forces::Turns;
use super::listed::LoweredSymmetry;
use super::lowering::Lowering;
use super::scope::BindingKind;
use super::value::in_words;
use crate::errors::Code;
use crate::model::{
    BundleItem, ExportItem, Language, Listed, RegressorItem, SensitivityItem, SymmetryItem,
};
use crate::suggest;
use crate::syntax::ast::{ListItem, ListingKind, Move, Part, text};
use crate::syntax::field_of;
use crate::tables::{RegressorEntry, SensitivityEntry};

/// Maximum number of entries of a regressor or a sensitivity: the number in the largest mass matrix.
const MAX_ENTRIES: usize = 256 * 256;

/// The name of a statement, if it has one, and its attributes.
type Heading<'x> = (Option<&'x Ident>, &'x [Attribute]);

impl Lowering<'_> {
    /// `bundle n { .. }`, `regressor n { .. }`, `sensitivity n { .. }`
    pub(super) fn lower_listing(
        &mut self,
        kind: ListingKind,
        (name, attributes): Heading<'_>,
        (items, is_complete): (&[ListItem], bool),
    ) {
        let parameters = match kind {
            ListingKind::Bundle => None,
            ListingKind::Regressor | ListingKind::Sensitivity => {
                Some(self.evaluator.find_parameters(kind, items))
            }
            ListingKind::Export => {
                if let Some(name) = name {
                    self.lower_export(name, items, is_complete);
                }
                return;
            }
        };
        let Some(name) = name else { return };
        if !self.declare_method(kind.in_words(), name) {
            return;
        }
        if kind == ListingKind::Regressor && !self.declare_rank(name) {
            return;
        }
        if is_complete && items.is_empty() {
            let (what, form) = match kind {
                ListingKind::Regressor => ("parameters", "{ m, k }"),
                ListingKind::Sensitivity => ("parameters", "{ m, k[0] }"),
                _ => ("methods and outputs", "{ mass_matrix, bias }"),
            };
            let kind = kind.in_words();
            let message = format!(
                "the {kind} `{name}` is empty\n\nhelp: list {what}: `{kind} {name} {form}`"
            );
            self.evaluator.errors.error(name, Code::Listed, message);
        }
        let attributes = attributes.to_vec();
        let Some((parameters, are_known)) = parameters else {
            let items = self.with_kinds(items);
            let name = name.clone();
            return self.bundles.push(BundleItem {
                name,
                attributes,
                items,
            });
        };
        let is_small = self.check_size(kind, name, &parameters);
        let is_known = is_complete && are_known && is_small && !items.is_empty();
        let name = name.clone();
        if kind == ListingKind::Regressor {
            let item = RegressorItem {
                name,
                attributes,
                parameters,
                identification: None,
            };
            self.regressors.push(RegressorEntry { item, is_known });
        } else {
            let item = SensitivityItem {
                name,
                attributes,
                parameters,
                are_idle: Vec::new(),
            };
            self.sensitivities.push(SensitivityEntry { item, is_known });
        }
    }

    /// Each name with the kind of the value that has this name, if there is one.
    fn with_kinds(&self, items: &[ListItem]) -> Vec<(Ident, Option<&'static str>)> {
        let scope = &self.evaluator.scope;
        let is = |item: &Ident| scope.find(item).map(|binding| binding.kind.in_words());
        items
            .iter()
            .map(|item| &item.name)
            .map(|name| (name.clone(), is(name)))
            .collect()
    }

    /// `export c99 { .. }`
    fn lower_export(&mut self, name: &Ident, items: &[ListItem], is_complete: bool) {
        let written = text(name);
        let known = Language::ALL
            .iter()
            .find(|language| language.name() == written);
        let refusal = if self.evaluator.blocks.is_in_loop() {
            let message =
                "an export cannot be declared in a loop\n\nhelp: declare it after the loop";
            Some((Code::MethodPlace, message.to_owned()))
        } else {
            match known {
                None => Some((Code::Export, unknown_language(&written))),
                Some(language) if self.exports.iter().any(|item| item.language == *language) => {
                    let message = format!(
                        "`{written}` is exported already\n\nhelp: list all items in one `export {written} {{ .. }}`"
                    );
                    Some((Code::Export, message))
                }
                Some(_) if is_complete && items.is_empty() => {
                    let message = format!(
                        "the export is empty\n\nhelp: list methods and outputs: `export {written} {{ acceleration }}`"
                    );
                    Some((Code::Export, message))
                }
                Some(_) => None,
            }
        };
        if let Some((code, message)) = refusal {
            self.evaluator.errors.error(name, code, message);
        }
        let is_first =
            |language: &Language| self.exports.iter().all(|item| item.language != *language);
        if let Some(language) = known.copied().filter(is_first) {
            let items = self.with_kinds(items);
            self.exports.push(ExportItem { language, items });
        }
    }

    /// Reserves the name of the constant beside a regressor.
    fn declare_rank(&mut self, name: &Ident) -> bool {
        let constant = RegressorItem::constant(name);
        let is_of_robot = self
            .evaluator
            .robots
            .iter()
            .any(|robot| text(&robot.name).to_uppercase() == constant);
        if is_of_robot || self.output_names.contains_key(&constant) {
            let message = format!(
                "duplicate name: the rank of `{name}` becomes the constant `{constant}`, which is there already\n\n\
                 help: choose another name"
            );
            self.evaluator
                .errors
                .error(name, Code::DuplicateName, message);
            return false;
        }
        self.name_output(
            "constant of a regressor",
            &Ident::new(&constant, name.span()),
        );
        true
    }

    fn check_size(&mut self, kind: ListingKind, name: &Ident, parameters: &[Listed]) -> bool {
        let entries = Listed::columns(parameters) * self.evaluator.names.velocity_count();
        let is_small = entries <= MAX_ENTRIES;
        if !is_small {
            let kind = kind.in_words();
            let message = format!(
                "the {kind} `{name}` has {entries} entries, more than {MAX_ENTRIES}\n\n\
                 help: list fewer parameters, or make two of it",
            );
            self.evaluator.errors.error(name, Code::TooMany, message);
        }
        is_small
    }

    /// `symmetry n: x -> e;`
    pub(super) fn lower_symmetry(
        &mut self,
        (name, attributes): Heading<'_>,
        (moves, is_complete): (&[Move], bool),
    ) {
        let along = self.evaluator.evaluate_along(moves).filter(|_| is_complete);
        let Some(name) = name else { return };
        if self.declare_method("symmetry", name) {
            self.symmetries.push(LoweredSymmetry {
                item: SymmetryItem {
                    name: name.clone(),
                    attributes: attributes.to_vec(),
                },
                along,
            });
        }
    }
}

impl Evaluator<'_> {
    /// The listed parameters, and whether all of them are known.
    fn find_parameters(&mut self, kind: ListingKind, items: &[ListItem]) -> (Vec<Listed>, bool) {
        let mut parameters: Vec<Listed> = Vec::new();
        let mut are_known = true;
        let (mut whole, mut numbers) = (HashSet::new(), HashSet::new());
        for item in items {
            // A whole parameter is compared by its name, so that an unknown one is reported once.
            if item.part.is_none() && !whole.insert(text(&item.name)) {
                self.refuse_repeated(&item.name, &text(&item.name));
                are_known = false;
                continue;
            }
            let listed = self.find_parameter(kind, item);
            let repeated = listed.as_ref().and_then(|listed| {
                listed
                    .numbers
                    .iter()
                    .zip(&listed.elements)
                    .find(|(number, _)| !numbers.insert(**number))
            });
            if let Some((_, element)) = repeated {
                self.refuse_repeated(&item.name, element);
                are_known = false;
                continue;
            }
            match listed {
                Some(listed) => parameters.push(listed),
                None => are_known = false,
            }
        }
        (parameters, are_known)
    }

    fn refuse_repeated(&mut self, place: &Ident, name: &str) {
        let message =
            format!("duplicate parameter: `{name}` is in the list already\n\nhelp: remove it");
        self.errors.error(place, Code::Listed, message);
    }

    /// Advice for a field of a link whose inertial parameters are constants.
    fn explain_constant_link(&self, field: &str) -> Option<String> {
        let (robot, link) = self
            .robots
            .iter()
            .flat_map(|robot| {
                robot
                    .plan
                    .links
                    .iter()
                    .map(move |link| (&robot.declaration.name, &link.name))
            })
            .find(|(robot, link)| field_of(&[(*robot).clone(), (*link).clone()]) == field)?;
        let option = match syn::parse_str::<Ident>(link) {
            Ok(_) => link.clone(),
            Err(_) => format!("{link:?}"),
        };
        Some(format!(
            "the numbers of the link `{link}` of `{robot}` are constants\n\n\
             help: write `parameters: [{option}]` after its file"
        ))
    }

    fn find_parameter(&mut self, kind: ListingKind, item: &ListItem) -> Option<Listed> {
        let name = &item.name;
        let Some(binding) = self.scope.find(name) else {
            self.complete = false;
            let written = text(name);
            if self.errors.is_full() {
                return self.refuse_unknown_without_help(name, &written);
            }
            if let Some(message) = self.explain_constant_link(&written) {
                return self.refuse(name, Code::RobotOption, message);
            }
            let names = self.scope.names(|kind| kind == BindingKind::Parameter);
            let help = suggest::help(&written, names.iter().map(String::as_str));
            return self.refuse(
                name,
                Code::WrongRole,
                format!("unknown parameter `{written}`{help}"),
            );
        };
        if binding.kind != BindingKind::Parameter {
            let is = binding.kind.in_words();
            if binding.is_mistaken() {
                return None;
            }
            let kind = kind.in_words();
            let message = format!("`{name}` is {is}\n\nhelp: a {kind} lists parameters");
            return self.refuse(name, Code::WrongRole, message);
        }
        let value = binding.value.clone()?;
        let value = match &item.part {
            Some(Part::Index { indices, span }) => {
                let part = self.select_part(Some(value.shape), indices, *span)?;
                picked(&value, &part)?
            }
            _ => value,
        };
        let number = |entry: &NodeId| match self.graph.node(*entry) {
            Node::Symbol(Symbol::Parameter(number)) => Some(*number),
            _ => None,
        };
        let numbers: Vec<u32> = value.entries.iter().filter_map(number).collect();
        let elements = numbers
            .iter()
            .map(|number| self.name_of(Symbol::Parameter(*number)));
        Some(Listed {
            name: name.clone(),
            elements: elements.collect(),
            numbers,
        })
    }

    /// The displacement of each velocity under a symmetry, 0 for those that it does not name.
    fn evaluate_along(&mut self, moves: &[Move]) -> Option<Vec<NodeId>> {
        let count = self.names.velocity_count();
        let mut along: Vec<Option<NodeId>> = vec![None; count];
        let mut sound = Some(());
        for moved in moves {
            sound = self.add_move(moved, &mut along).and(sound);
        }
        let zero = self.graph.integer(0);
        sound.map(|()| {
            along
                .into_iter()
                .map(|entry| entry.unwrap_or(zero))
                .collect()
        })
    }

    fn add_move(&mut self, moved: &Move, along: &mut [Option<NodeId>]) -> Option<()> {
        let Move {
            coordinate,
            part,
            value: expr,
        } = moved;
        let help = "a symmetry moves coordinates";
        let target = self.find_coordinate(coordinate, part.as_ref(), help);
        let mark = self.mark();
        let value = self.evaluate(expr)?;
        let sound = self.refuse_dependence(mark, &value.entries, &POSITIONAL, "a symmetry");
        let Target { velocities, shape } = target?;
        if value.shape != shape {
            let (is, actual) = (in_words(shape), in_words(value.shape));
            let message = match self.rotations_in_words(coordinate, part.as_ref(), shape) {
                Some(Turns::One(rotation)) => format!(
                    "mismatched shapes: {rotation} moves by {is}, found {actual}\n\n\
                     help: write its rates in the turned axes, `[0, 0, 1]`"
                ),
                Some(Turns::Several(rotations)) => format!(
                    "mismatched shapes: {rotations} move by {is}, found {actual}\n\n\
                     help: write one at a time, `{coordinate}[0] -> [0, 0, 1]`, or a row for each"
                ),
                None => {
                    format!("mismatched shapes: `{coordinate}` is {is}, its move {actual}")
                }
            };
            return self.refuse(expr, Code::ForceShapes, message);
        }
        if velocities.iter().any(|number| along[*number].is_some()) {
            let message = format!("`{coordinate}` is moved twice\n\nhelp: remove one of them");
            return self.refuse(coordinate, Code::DuplicateName, message);
        }
        for (number, value) in velocities.into_iter().zip(value.entries) {
            along[number] = Some(value);
        }
        sound
    }
}

/// The message for an unknown language, with the nearest known one.
fn unknown_language(written: &str) -> String {
    let names = Language::ALL.map(Language::name);
    let like = |name: &str| matches!((name, written), ("c99", "c" | "C" | "C99" | "c89" | "c11"));
    let meant = names.into_iter().find(|name| like(name));
    let help = match meant.or_else(|| suggest::nearest(written, names)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("write `export {} {{ .. }}`", names[0]),
    };
    format!("`{written}` is no language that systems are exported to\n\nhelp: {help}")
}
