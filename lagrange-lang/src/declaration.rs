//! A declaration as data, for programs that evaluate it without a compiler of Rust.

use std::sync::{Mutex, MutexGuard, PoisonError};

use lagrange_engine::{Argument, Dynamics, Quantity, Routines, Shape, Tape};
use proc_macro2::TokenStream;
use syn::Attribute;

use crate::attributes::doc_lines;
use crate::backend::rust;
use crate::bundles::{Bundle, Exported, Item, has_search, refused_by_casadi, refused_search};
use crate::errors::{Errors, Message, Severity};
use crate::expand::{Sound, read_in};
use crate::files::Folder;
use crate::lints::{of_unused, of_warning};
use crate::methods::{Argument as Taken, Layout, Size};
use crate::model::{Declared, Language, Model, element_names};
use crate::sketch::{Plan, Sketch};
use crate::suggest;
use crate::syntax::ast::{ConstraintKind, text};

/// A declaration without mistakes, as data. It holds no tokens.
///
/// ```
/// use lagrange_lang::{Declaration, Folder};
///
/// let text = "
///     struct Oscillator { x: coordinate, m, k: parameter }
///     T = m * der(x)^2 / 2;
///     V = k * x^2 / 2;
/// ";
/// let (declaration, warnings) = Declaration::read(text.parse().unwrap(), &Folder::None).unwrap();
/// assert!(declaration.parameters[1].name == "k" && warnings.is_empty());
/// let (q, v, parameters, mut a) = ([3.0], [0.0], [2.0, 4.0], [0.0]);
/// let acceleration = declaration.tape("acceleration").unwrap();
/// acceleration.evaluate(1, &parameters, &[&q, &v], &mut [&mut a]).unwrap();
/// assert_eq!(a, [-6.0]);
/// ```
pub struct Declaration {
    /// The name of the struct.
    pub name: String,
    /// The documentation of the struct.
    pub doc: String,
    /// The coordinates, by element.
    pub coordinates: Vec<Variable>,
    /// The velocities, by element.
    pub velocities: Vec<Variable>,
    /// The states of first order, by element.
    pub states: Vec<Variable>,
    /// The parameters, in the order of their declaration.
    pub parameters: Vec<Variable>,
    /// The inputs, in the order of their declaration.
    pub inputs: Vec<Variable>,
    /// The constraints, by row: holonomic ones first.
    pub constraints: Vec<Variable>,
    /// The contacts.
    pub contacts: Vec<Variable>,
    /// The generated methods, the outputs with the methods beside them, regressors, symmetries and bundles.
    pub methods: Vec<Method>,
    /// Each method as a routine.
    exported: Vec<Exported>,
    /// Quantities are derived when they are needed.
    dynamics: Mutex<Dynamics>,
    /// As they were read: the order of terms in formulas depends on what was derived before.
    read: Mutex<Dynamics>,
    /// True if rows of J may depend on each other.
    is_redundant: bool,
    plan: Option<Plan>,
}

/// A name of a declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The shape of its value.
    pub shape: Shape,
    /// The default of a parameter, row by row.
    pub default: Option<Vec<f64>>,
    /// Its unit, if a label or the equations tell it.
    pub unit: Option<String>,
    /// Its documentation.
    pub doc: String,
}

/// A method of a system.
#[derive(Clone, PartialEq, Debug)]
pub struct Method {
    /// The name.
    pub name: String,
    /// The arguments in order, without those of no entries.
    pub arguments: Vec<Argument>,
    /// The results in order, without those of no entries. A method with one value has one result of its name; the others
    /// have the names of fields.
    pub results: Vec<(String, Shape)>,
    /// The results in order, and those of no entries too, such as `b` of `linearize` without inputs.
    pub fields: Vec<(String, Shape)>,
    /// True if the method can end with an error.
    pub is_fallible: bool,
    /// True for a `pub let` or a `pub frame`.
    pub is_output: bool,
    /// True if texts in other languages may contain it.
    pub is_exportable: bool,
    /// The documentation.
    pub doc: String,
}

/// The equations of motion, written out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equations {
    /// As text.
    pub text: String,
    /// As LaTeX, for an environment such as `align`.
    pub latex: String,
    /// As a `math` element of HTML.
    pub mathml: String,
}

impl Declaration {
    /// Reads a declaration: the tokens inside `lagrangian! { .. }`. Returns its warnings, too.
    ///
    /// # Errors
    ///
    /// All mistakes, and the warnings if attributes make them errors.
    pub fn read(
        tokens: TokenStream,
        folder: &Folder,
    ) -> Result<(Self, Vec<Message>), Vec<Message>> {
        let mut errors = Errors::default();
        match read_in(tokens, folder, &mut errors) {
            Some((_, Ok(sound))) => Self::of(sound),
            _ => Err(errors.into_messages()),
        }
    }

    fn of(sound: Sound) -> Result<(Self, Vec<Message>), Vec<Message>> {
        let Sound {
            model,
            bundles,
            dynamics,
            plan,
            ..
        } = sound;
        let warnings = warnings(&model);
        if warnings
            .iter()
            .any(|warning| warning.severity == Severity::Error)
        {
            return Err(warnings);
        }
        let layout = rust::layout(&model, &dynamics);
        let (methods, exported) = methods(&model, &bundles, &dynamics, &layout);
        let Model {
            head,
            constraints,
            contacts,
            ..
        } = &model;
        let of_names = |names: Vec<String>, attributes: &[Attribute]| {
            let doc = doc(attributes);
            let variable = |name: String| Variable {
                unit: head.unit(&name).map(str::to_owned),
                name,
                shape: Shape::Scalar,
                default: None,
                doc: doc.clone(),
            };
            names.into_iter().map(variable).collect::<Vec<_>>()
        };
        let of_declared = |declared: &Declared| {
            let first = element_names(std::slice::from_ref(declared))
                .into_iter()
                .next();
            Variable {
                name: declared.text(),
                shape: declared.shape,
                default: declared.default.clone(),
                unit: first.and_then(|name| head.unit(&name).map(str::to_owned)),
                doc: doc(&declared.attributes),
            }
        };
        let mut names = dynamics.constraint_names().into_iter();
        let of_kind = |kind| constraints.iter().filter(move |item| item.kind == kind);
        let rows = of_kind(ConstraintKind::Holonomic)
            .chain(of_kind(ConstraintKind::Nonholonomic))
            .flat_map(|item| {
                let own_names = names.by_ref().take(item.rows).collect();
                of_names(own_names, &item.attributes)
            })
            .collect();
        let gaps = contacts
            .iter()
            .zip(dynamics.contact_names())
            .flat_map(|(item, name)| of_names(vec![name], &item.attributes));
        let declaration = Self {
            name: text(&head.name),
            doc: doc(&head.attributes),
            coordinates: head
                .coordinates
                .iter()
                .flat_map(|d| of_names(d.element_names(), &d.attributes))
                .collect(),
            velocities: head
                .coordinates
                .iter()
                .flat_map(|d| of_names(d.velocity_names(), &d.attributes))
                .collect(),
            states: head
                .states
                .iter()
                .flat_map(|d| of_names(d.element_names(), &d.attributes))
                .collect(),
            parameters: head.parameters.iter().map(of_declared).collect(),
            inputs: head.inputs.iter().map(of_declared).collect(),
            contacts: gaps.collect(),
            constraints: rows,
            methods,
            exported,
            is_redundant: layout.redundant,
            read: Mutex::new(dynamics.clone()),
            dynamics: Mutex::new(dynamics),
            plan,
        };
        Ok((declaration, warnings))
    }

    fn dynamics(&self) -> MutexGuard<'_, Dynamics> {
        // Quantities are complete or absent, whatever ended the thread that derived them.
        self.dynamics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The method of this name, ready to run; `None` for an unknown name.
    pub fn tape(&self, name: &str) -> Option<Tape> {
        let index = self.methods.iter().position(|method| method.name == name)?;
        let dynamics = self.dynamics();
        let routines = Routines::new(&dynamics).with_redundant_rows(self.is_redundant);
        let routine = self.exported.get(index)?.routine(&routines)?;
        Some(Tape::new(&routines, routine))
    }

    /// These methods in another language, as one self-contained text. C and CUDA alone have `resolve` and `contact_step`.
    ///
    /// # Errors
    ///
    /// A message about a name that is no method, or that no text can contain.
    pub fn text(&self, language: Language, methods: &[&str]) -> Result<String, String> {
        let dynamics = self.dynamics();
        let routines = Routines::new(&dynamics).with_redundant_rows(self.is_redundant);
        let mut exported = Vec::new();
        for (index, name) in methods.iter().enumerate() {
            let known = self.methods.iter().position(|method| method.name == *name);
            let routine = match known {
                Some(known) if !self.methods[known].is_exportable => {
                    return Err(format!("`{name}` cannot be exported"));
                }
                Some(known) => match &self.exported[known] {
                    Exported::Searching(_) if !has_search(language) => {
                        return Err(refused_search(name, language));
                    }
                    exported => exported.routine(&routines),
                },
                None => {
                    let names = self
                        .methods
                        .iter()
                        .filter(|method| method.is_exportable)
                        .map(|method| &method.name[..]);
                    return Err(unknown(name, names));
                }
            };
            if language == Language::Casadi
                && let Some(refused) = refused_by_casadi(&self.name, name, methods)
            {
                return Err(refused.replace("\n\nhelp: ", ": "));
            }
            // A repeated name adds nothing.
            if !methods[..index].contains(name) {
                exported.extend(routine);
            }
        }
        let parameters = self
            .parameters
            .iter()
            .map(|parameter| (parameter.name.clone(), parameter.shape))
            .collect();
        let system = (&self.name[..], parameters);
        Ok(rust::text(language, system, &routines, exported))
    }

    /// The parts that a picture shows. `None` if the paths of the declaration are those of a package.
    pub fn sketch(&self) -> Option<Sketch> {
        self.plan.as_ref().map(Plan::sketch)
    }

    /// The energies, the equations of motion and the constraints, written out.
    pub fn equations(&self) -> Equations {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let written = rust::equations(&read);
        Equations {
            text: written.text,
            latex: written.latex,
            mathml: written.mathml,
        }
    }
}

/// A message about a name that is none of these: the most similar one, or all of a few.
///
/// ```
/// use lagrange_lang::unknown;
///
/// let names = ["acceleration", "energy"];
/// assert_eq!(unknown("acelleration", names), "unknown name `acelleration`: did you mean `acceleration`?");
/// assert_eq!(unknown("z", names), "unknown name `z`: expected `acceleration` or `energy`");
/// ```
pub fn unknown<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let help = suggest::help(name, names);
    let help = help
        .strip_prefix("\n\nhelp: ")
        .map_or_else(String::new, |help| format!(": {help}"));
    format!("unknown name `{name}`{help}")
}

fn doc(attributes: &[Attribute]) -> String {
    doc_lines(attributes).join("\n").trim().to_owned()
}

/// The warnings that no attribute silences, in the order of the text.
fn warnings(model: &Model) -> Vec<Message> {
    let of_struct = &model.head.attributes;
    let unused = model
        .unused
        .iter()
        .filter_map(|unused| of_unused(unused, of_struct));
    let written = model
        .warnings
        .iter()
        .filter_map(|warning| of_warning(warning, of_struct));
    let mut warnings: Vec<Message> = unused.chain(written).collect();
    warnings.sort_by_key(|warning| {
        let start = warning.first.start();
        (start.line, start.column)
    });
    warnings
}

/// All methods of a system, and their routines.
fn methods(
    model: &Model,
    bundles: &[Bundle],
    dynamics: &Dynamics,
    layout: &Layout,
) -> (Vec<Method>, Vec<Exported>) {
    let shape = |number| dynamics.shape(Quantity::Output(number));
    Item::all(model, bundles, &shape, layout)
        .into_iter()
        .map(|item| (method(&item, layout), item.exported))
        .unzip()
}

fn method(item: &Item, layout: &Layout) -> Method {
    let arguments = item
        .arguments
        .iter()
        .flat_map(|argument| taken(*argument, layout));
    let step = item.has_step.then(|| scalar("h"));
    let fields: Vec<(String, Shape)> = item
        .values
        .iter()
        .flat_map(|(name, value)| {
            value.parts(layout).into_iter().map(move |(path, shape)| {
                match (&name[..], path.strip_prefix('.')) {
                    ("", Some(path)) => (path.replace('[', "_").replace(']', ""), shape),
                    (_, None) => (name.clone(), shape),
                    (name, Some(path)) => (format!("{name}.{path}"), shape),
                }
            })
        })
        .collect();
    Method {
        name: item.name.clone(),
        arguments: arguments
            .chain(step)
            .filter(|argument| argument.length > 0)
            .collect(),
        results: fields
            .iter()
            .filter(|(_, shape)| !shape.is_empty())
            .cloned()
            .collect(),
        fields,
        is_fallible: item.is_fallible,
        is_output: item.is_output,
        is_exportable: item.is_exportable,
        doc: item.doc.clone(),
    }
}

/// An argument of a method as arrays.
fn taken(argument: Taken, layout: &Layout) -> Vec<Argument> {
    let array = |name: &str, size| Argument {
        name: name.to_owned(),
        length: layout.size(size),
        is_scalar: false,
        is_flags: argument == Taken::Active,
    };
    match (argument, argument.size()) {
        (Taken::Motion, _) => vec![array("a", Size::N), array("lambda", Size::Constraints)],
        (_, Some(size)) => vec![array(argument.name(), size)],
        (_, None) => vec![scalar(argument.name())],
    }
}

fn scalar(name: &str) -> Argument {
    Argument {
        name: name.to_owned(),
        length: 1,
        is_scalar: true,
        is_flags: false,
    }
}
