//! The constants of a system, once for `Name<f64>` and once for the trait.

use lagrange_engine::Facts;
use proc_macro2::TokenStream;
use quote::quote;

use super::assembly::{Text, parse_code};
use super::equations::Written;
use super::skeleton::Skeleton;
use crate::generated::AssociatedConstant;
use crate::model::{Declared, Head, Language, RegressorItem, element_names};

const BOOL: &str = "__rt::core::primitive::bool";
const USIZE: &str = "__rt::core::primitive::usize";

pub(super) struct Constants<'a> {
    coordinates: Vec<String>,
    velocities: Vec<String>,
    parameters: Vec<String>,
    states: Vec<String>,
    inputs: Vec<String>,
    units: Vec<(&'a str, &'a str)>,
    constraints: Vec<String>,
    contacts: Vec<String>,
    angular: Vec<bool>,
    facts: &'a Facts,
    equations: Written,
    exports: Vec<(Language, String)>,
    regressors: Vec<&'a RegressorItem>,
}

struct Entry {
    name: &'static str,
    ty: String,
    value: String,
    docs: &'static str,
    of_trait: OfTrait,
}

/// The form of a constant in the trait.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OfTrait {
    Same,
    /// A slice, because the trait is generic over the other lengths.
    Slice,
    No,
}

impl<'a> Constants<'a> {
    /// The names are the names of the rows.
    pub(super) fn new(
        head: &'a Head,
        [constraints, contacts]: [Vec<String>; 2],
        facts: &'a Facts,
        equations: Written,
        exports: Vec<(Language, String)>,
        regressors: impl Iterator<Item = &'a RegressorItem>,
    ) -> Self {
        Constants {
            coordinates: element_names(&head.coordinates),
            velocities: head
                .coordinates
                .iter()
                .flat_map(Declared::velocity_names)
                .collect(),
            parameters: element_names(&head.parameters),
            states: element_names(&head.states),
            inputs: element_names(&head.inputs),
            units: head
                .units
                .iter()
                .map(|(name, unit)| (&name[..], unit.as_deref().unwrap_or("?")))
                .collect(),
            constraints,
            contacts,
            angular: head
                .coordinates
                .iter()
                .flat_map(Declared::angular)
                .collect(),
            facts,
            equations,
            exports,
            regressors: regressors.collect(),
        }
    }

    /// ```text
    /// impl CartPole<f64> { pub const COORDINATES: [&'static str; 2] = ["x", "theta"]; .. }
    /// ```
    ///
    /// The `impl` is for one scalar type, so that `CartPole::COORDINATES` resolves.
    pub(super) fn write_inherent(&self, skeleton: &Skeleton) -> TokenStream {
        let Skeleton { own, rt, .. } = skeleton;
        let attributes = skeleton.item_attributes();
        let mut text = Text::default();
        for constant in self.list(skeleton) {
            text.push_str("#[doc = ");
            text.push_literal(constant.docs);
            text.push_str("] pub const ");
            text.push_str(constant.name);
            text.push_str(": ");
            text.push_str(&constant.ty);
            text.push_str(" = ");
            text.push_str(&constant.value);
            text.push_str(";\n");
        }
        for (language, exported) in &self.exports {
            text.push_str("#[doc = \"The exported functions in ");
            text.push_str(language.constant());
            text.push_str(": one self-contained text.\"] pub const ");
            text.push_str(language.constant());
            text.push_str(": &'static __rt::core::primitive::str = ");
            text.push_literal(exported);
            text.push_str(";\n");
        }
        if !self.contacts.is_empty() {
            let (ty, value) = strings(&self.contacts);
            text.push_str("#[doc = \"The names of the contacts, in the order of their declaration.\"] pub const CONTACTS: ");
            text.push_str(&ty);
            text.push_str(" = ");
            text.push_str(&value);
            text.push_str(";\n");
        }
        write_joints(skeleton.head, &mut text);
        for item in &self.regressors {
            text.push_str("#[doc = ");
            text.push_literal(&describe_rank(item));
            text.push_str("] pub const ");
            text.push_str(&RegressorItem::constant(&item.name));
            text.push_str(&format!(": {USIZE} = {};\n", count_combinations(item)));
        }
        let constants = parse_code(&text.read());
        quote! {
            #attributes
            impl #own<#rt::core::primitive::f64> { #constants }
        }
    }

    /// The same constants for the trait.
    pub(super) fn write_for_trait(&self, skeleton: &Skeleton, text: &mut Text) {
        let system = format!("{}::<__rt::core::primitive::f64>::", skeleton.own);
        for constant in self.list(skeleton) {
            let (ty, reference) = match constant.of_trait {
                OfTrait::Same => (&constant.ty[..], ""),
                OfTrait::Slice => ("&'static [&'static __rt::core::primitive::str]", "&"),
                OfTrait::No => continue,
            };
            text.push_str("const ");
            text.push_str(constant.name);
            text.push_str(": ");
            text.push_str(ty);
            text.push_str(" = ");
            text.push_str(reference);
            text.push_str(&system);
            text.push_str(constant.name);
            text.push_str(";\n");
        }
    }

    fn list(&self, skeleton: &Skeleton) -> Vec<Entry> {
        let names = |names: &[String]| strings(names);
        let Written {
            text,
            latex,
            mathml,
            ..
        } = &self.equations;
        let degrees = skeleton.layout.degrees();
        let holonomic = skeleton.layout.holonomic;
        let facts = self.facts;
        let states = entry(
            AssociatedConstant::States,
            names(&self.states),
            "The names of the states, in the order of z.",
        );
        let mut entries = vec![
            entry(
                AssociatedConstant::Coordinates,
                names(&self.coordinates),
                "The names of the coordinates, in the order of q.",
            ),
            entry(
                AssociatedConstant::Velocities,
                names(&self.velocities),
                "The names of the velocities, in the order of v.",
            ),
            Entry {
                of_trait: OfTrait::Slice,
                ..entry(
                    AssociatedConstant::Parameters,
                    names(&self.parameters),
                    "The names of the parameters, in the order of their declaration.",
                )
            },
            entry(
                AssociatedConstant::Inputs,
                names(&self.inputs),
                "The names of the inputs, in the order of u.",
            ),
            entry(
                AssociatedConstant::Units,
                (
                    "&'static [(&'static __rt::core::primitive::str, &'static __rt::core::primitive::str)]"
                        .to_owned(),
                    format!("&{:?}", self.units),
                ),
                match self.states.is_empty() {
                    true => {
                        "The name and the unit of each coordinate, velocity, parameter, input, constraint, multiplier \
                         and output; `?` where nothing tells the unit."
                    }
                    false => {
                        "The name and the unit of each coordinate, velocity, state, parameter, input, constraint, \
                         multiplier and output; `?` where nothing tells the unit."
                    }
                },
            ),
            entry(
                AssociatedConstant::Constraints,
                names(&self.constraints),
                "The names of the constraints, in the order of their rows: holonomic ones first.",
            ),
            entry(
                AssociatedConstant::HolonomicConstraints,
                (USIZE.to_owned(), holonomic.to_string()),
                "How many of the rows of the constraints are holonomic; they come first.",
            ),
            entry(
                AssociatedConstant::DegreesOfFreedom,
                (USIZE.to_owned(), degrees.to_string()),
                if skeleton.layout.has_redundant_rows() {
                    "The number of degrees of freedom: velocities less the rank of J at a general state on the constraints."
                } else {
                    "The number of degrees of freedom: velocities less constraints."
                },
            ),
            entry(
                AssociatedConstant::Angular,
                bools(&self.angular),
                "Which velocities are angular velocities of rotations.",
            ),
            entry(
                AssociatedConstant::Cyclic,
                bools(&facts.cyclic),
                "Which coordinates are cyclic: L does not change along these directions of v.",
            ),
            entry(
                AssociatedConstant::ConservedMomenta,
                bools(&facts.conserved_momenta),
                "Which momenta are conserved: the coordinate is cyclic, and neither a generalized force \
                 nor a constraint acts on it.",
            ),
            entry(
                AssociatedConstant::ConservesEnergy,
                bool(facts.conserves_energy),
                "Whether the energy is conserved, as far as the structure of the system shows.",
            ),
            entry(
                AssociatedConstant::ConstantMassMatrix,
                bool(facts.constant_mass_matrix),
                "Whether the mass matrix depends on neither the state nor the time.",
            ),
            entry(
                AssociatedConstant::Equations,
                (
                    "__rt::Equations".to_owned(),
                    format!("__rt::Equations {{ text: {text:?}, latex: {latex:?} }}"),
                ),
                "The energies and the equations of motion, written out: M a + h = Q, with J^T lambda on the \
                 right and the constraints below where there are any; of a long system the energies and \
                 constraints, and the general form.",
            ),
            Entry {
                of_trait: OfTrait::No,
                ..entry(
                    AssociatedConstant::EquationsMathml,
                    (
                        "&'static __rt::core::primitive::str".to_owned(),
                        format!("{mathml:?}"),
                    ),
                    "The same as a `math` element of HTML, which browsers draw; of a long system the general \
                     form.",
                )
            },
        ];
        if !self.states.is_empty() {
            entries.insert(2, states);
        }
        entries
    }
}

fn entry(constant: AssociatedConstant, (ty, value): (String, String), docs: &'static str) -> Entry {
    Entry {
        name: constant.name(),
        ty,
        value,
        docs,
        of_trait: OfTrait::Same,
    }
}

fn strings(values: &[String]) -> (String, String) {
    let length = values.len();
    (
        format!("[&'static __rt::core::primitive::str; {length}]"),
        format!("{values:?}"),
    )
}

fn bools(values: &[bool]) -> (String, String) {
    let length = values.len();
    (format!("[{BOOL}; {length}]"), format!("{values:?}"))
}

fn bool(value: bool) -> (String, String) {
    (BOOL.to_owned(), value.to_string())
}

/// Adds `pub const ARM: [Joint; 7] = [..];` for each robot.
fn write_joints(head: &Head, text: &mut Text) {
    for robot in head.robots.iter().filter(|robot| robot.has_constant) {
        let count = robot.joints.len();
        text.push_str("#[doc = ");
        text.push_literal(&format!(
            "The joints of `{}` that have coordinates, in the order of the file `{}`, with their limits.",
            robot.name, robot.path
        ));
        text.push_str(&format!(
            "] pub const {}: [__rt::Joint; {count}] = [",
            robot.constant()
        ));
        for (name, limits) in &robot.joints {
            let [lower, upper, velocity, effort] = limits.map(write_literal);
            text.push_str(&format!(
                "__rt::Joint {{ name: {name:?}, lower: {lower}, upper: {upper}, velocity: {velocity}, \
                 effort: {effort} }}, "
            ));
        }
        text.push_str("];\n");
    }
}

fn write_literal(value: f64) -> String {
    if value == f64::INFINITY {
        "__rt::core::primitive::f64::INFINITY".to_owned()
    } else if value == f64::NEG_INFINITY {
        "__rt::core::primitive::f64::NEG_INFINITY".to_owned()
    } else {
        format!("{value:?}")
    }
}

/// The number of combinations that motions tell apart.
fn count_combinations(item: &RegressorItem) -> usize {
    item.identification
        .as_ref()
        .map_or(0, |identification| identification.combinations.len())
}

fn describe_rank(item: &RegressorItem) -> String {
    format!(
        "The number of independent combinations of the parameters of `{}` that motions tell apart, for almost all \
         values of the other parameters.",
        item.name
    )
}
