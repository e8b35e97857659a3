//! All methods of a system without mistakes, as items of one list.

use lagrange_engine::Shape;

use super::candidates::list_declared;
use super::exports::{Exported, MODES, STEP, is_refused, of_bundle, of_part};
use super::{Bundle, Part};
use crate::attributes::doc_lines;
use crate::generated::Method;
use crate::methods::{Argument, Layout, METHODS, Size, Value, sensitivities};
use crate::model::{Model, SensitivityItem};
use crate::syntax::ast::text;

/// How arrays of numbers have the modes of `Resolved`.
const MODES_AS_NUMBERS: &str = "`modes` has 0 for a contact that opens, 1 for one that sticks and 2 for one that slides, `held` 1 \
                                for a joint that friction holds and 0 for others.";

/// The documentation of `contact_step`.
const CONTACT_STEP: &str = "The state after a step of length h by the method of Moreau and Jean, with u constant: contacts whose \
                            gaps at the middle of the step are closed have Newton's law of impact and Coulomb's law of \
                            friction.\n\n`impulses` are those of the contacts in the step, `friction_impulses` those along \
                            their sliding velocities, and `residual` is the largest rate of a row that is held.";

/// A method with its signature, its words and its routine.
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) arguments: Vec<Argument>,
    /// True if the length of a step is the last argument.
    pub(crate) has_step: bool,
    /// The values, each with a name. A single value has the name of the method, one that is made of fields has none.
    pub(crate) values: Vec<(String, Value)>,
    pub(crate) is_fallible: bool,
    /// True for a `pub let` or a `pub frame`.
    pub(crate) is_output: bool,
    pub(crate) is_exportable: bool,
    pub(crate) doc: String,
    pub(crate) exported: Exported,
}

impl Item {
    /// The generated methods, then outputs with the methods beside them, regressors and symmetries, then
    /// sensitivities, then bundles.
    pub(crate) fn all(
        model: &Model,
        bundles: &[Bundle],
        shape: &dyn Fn(usize) -> Shape,
        layout: &Layout,
    ) -> Vec<Self> {
        let rows = METHODS.iter().filter(|row| row.exists(layout));
        // `rhs` writes the value of `state_derivative` to an array. `resolve` is among the methods that search for modes.
        let rows = rows
            .filter(|row| !matches!(row.method, Method::Rhs | Method::Resolve))
            .map(|row| Item {
                name: row.name().to_owned(),
                arguments: row.arguments(layout),
                has_step: false,
                values: named(row.name(), row.value(layout), layout),
                is_fallible: row.fallible,
                is_output: false,
                is_exportable: !is_refused(row),
                doc: [&[row.summary], row.notes(layout)].concat().join("\n\n"),
                exported: Exported::Method(row.name().to_owned()),
            });
        let step = Item {
            name: STEP.to_owned(),
            arguments: layout.arguments(&[Argument::Q, Argument::V, Argument::States, Argument::U]),
            has_step: true,
            values: [("q", Size::Coordinates), ("v", Size::N), ("z", Size::States)]
                .into_iter()
                .filter(|(name, _)| *name != "z" || layout.states > 0)
                .map(|(name, size)| (name.to_owned(), Value::Vector(size)))
                .collect(),
            is_fallible: true,
            is_output: false,
            is_exportable: true,
            doc: "The state after a step of length h by the classical Runge-Kutta method of order 4, with u constant."
                .to_owned(),
            exported: Exported::Method(STEP.to_owned()),
        };
        let parts = list_declared(model, shape, layout);
        let parts = parts.iter().map(|part| Item {
            is_output: model.outputs.iter().any(|output| output.name == part.name),
            ..Item::of_part(part, layout)
        });
        let bundles = bundles.iter().map(|bundle| Item::of_bundle(bundle, layout));
        let sensitivities = model
            .sensitivities
            .iter()
            .map(|item| Item::of_sensitivity(item, layout));
        let declared: Vec<Item> = parts.chain(sensitivities).chain(bundles).collect();
        // A declaration may call an item of its own `contact_step`, which is a function of the runtime in Rust.
        let is_free = |name: &str| declared.iter().all(|item| item.name != name);
        let searching: Vec<Item> = MODES
            .iter()
            .filter(|name| layout.has_friction() && is_free(name))
            .map(|name| Item::of_search(name, layout))
            .collect();
        rows.chain([step])
            .chain(searching)
            .chain(declared)
            .collect()
    }

    /// `resolve` or `contact_step`, with the fields that their structs have in Rust.
    fn of_search(name: &'static str, layout: &Layout) -> Self {
        let (n, p, m) = (Size::N, Size::Contacts, Size::DryJoints);
        let vector = |name: &str, size| (name.to_owned(), Value::Vector(size));
        let of_slips = |name: &str| (name.to_owned(), Value::Matrix(p, Size::Known(2)));
        let row = METHODS.iter().find(|row| row.name() == name);
        let (arguments, values, doc) = match row {
            Some(row) => (
                row.arguments(layout),
                vec![
                    vector("acceleration", n),
                    vector("multipliers", Size::Constraints),
                    vector("contact_forces", p),
                    of_slips("friction_forces"),
                    vector("modes", p),
                    vector("joint_forces", m),
                    vector("held", m),
                ],
                [&[row.summary], row.notes(layout), &[MODES_AS_NUMBERS]]
                    .concat()
                    .join("\n\n"),
            ),
            None => (
                layout.arguments(&[Argument::Q, Argument::V, Argument::U]),
                vec![
                    vector("q", Size::Coordinates),
                    vector("v", n),
                    vector("impulses", p),
                    of_slips("friction_impulses"),
                    ("residual".to_owned(), Value::Scalar),
                ],
                CONTACT_STEP.to_owned(),
            ),
        };
        Item {
            name: name.to_owned(),
            arguments,
            has_step: row.is_none(),
            values,
            is_fallible: true,
            is_output: false,
            is_exportable: true,
            doc,
            exported: Exported::Searching(name),
        }
    }

    fn of_part(part: &Part, layout: &Layout) -> Self {
        let name = text(&part.name);
        Item {
            arguments: layout.arguments(&part.arguments),
            has_step: false,
            values: named(&name, part.value, layout),
            name,
            is_fallible: false,
            is_output: false,
            is_exportable: true,
            doc: part.summary.clone(),
            exported: of_part(part, layout),
        }
    }

    fn of_sensitivity(item: &SensitivityItem, layout: &Layout) -> Self {
        let name = text(&item.name);
        Item {
            arguments: layout.arguments(&sensitivities::ARGUMENTS),
            has_step: false,
            values: named(&name, sensitivities::value(item), layout),
            exported: Exported::Method(name.clone()),
            name,
            is_fallible: true,
            is_output: false,
            is_exportable: true,
            doc: sensitivities::summary(item),
        }
    }

    fn of_bundle(bundle: &Bundle, layout: &Layout) -> Self {
        let parts = bundle.parts.iter();
        let doc = doc_lines(&bundle.attributes).join("\n");
        Item {
            name: text(&bundle.name),
            arguments: bundle.arguments(layout),
            has_step: false,
            values: parts.map(|part| (text(&part.name), part.value)).collect(),
            is_fallible: false,
            is_output: false,
            is_exportable: true,
            doc: doc.trim().to_owned(),
            exported: of_bundle(bundle, layout),
        }
    }
}

fn named(name: &str, value: Value, layout: &Layout) -> Vec<(String, Value)> {
    let is_single = value.parts(layout).len() == 1;
    let name = if is_single { name } else { "" };
    vec![(name.to_owned(), value)]
}
