//! The documentation of generated items.

use lagrange_engine::{Facts, Graph, Names, NodeId, Shape, Symbol};
use proc_macro2::Ident;
use syn::Attribute;
use syn::ext::IdentExt;

use super::attributes::doc_lines;
use super::function::Details;
use super::row::Row;
use super::signature::{Argument, Layout, Value};
use crate::bundles::Bundle;
use crate::generated::{Beside, Method};
use crate::lower::in_words;
use crate::model::{
    ConstraintItem, Declared, Head, OutputItem, OutputKind, SymmetryItem, element_names,
};
use crate::syntax::ast::ConstraintKind;

/// Formulas of more nodes, written out, are left to `EQUATIONS`.
const MAX_FORMULA: u64 = 400;

/// Summary, formula, shapes, operations and errors.
pub(super) fn method(row: &Row, layout: &Layout, details: &Details) -> String {
    let mut text = format!("{}\n", row.summary);
    let is_constrained = layout.constraints > 0;
    for note in row.notes(is_constrained) {
        text.push_str(&format!("\n{note}\n"));
    }
    text.push_str(&signature(&row.arguments(layout), row.value, layout));
    text.push_str(&code(details));
    if row.fallible {
        text.push_str("\n# Errors\n\n");
        text.push_str(&errors(row.method, is_constrained).join(";\n"));
        text.push_str(".\n");
    }
    text
}

/// One item of a list for each way to fail.
fn errors(method: Method, is_constrained: bool) -> Vec<&'static str> {
    let from_momenta = matches!(
        method,
        Method::Velocity | Method::Hamiltonian | Method::HamiltonEquations
    );
    let solves = !from_momenta || method == Method::HamiltonEquations;
    let mut errors =
        vec!["- `NotFinite`: an argument, or what follows from it, is NaN or infinite"];
    if is_constrained && solves {
        errors.push(
            "- `DependentConstraints`: a constraint adds nothing to those above it at this state, to \
             working precision",
        );
    }
    if is_constrained && !from_momenta {
        errors.push(
            "- `SingularMassMatrix`: a motion that the constraints leave free has no inertia at this \
             state, to working precision",
        );
    } else {
        errors.push("- `SingularMassMatrix`: M is singular at this state, to working precision");
    }
    if method == Method::Project {
        errors.push("- `NotConverged`: no way to the constraints was found from this state");
    }
    errors
}

/// What a method of an output gives, to follow the user's own words on the output itself.
pub(super) fn output_method(item: &OutputItem, beside: Option<Beside>, layout: &Layout) -> String {
    let is_documented = beside.is_none() && !doc_lines(&item.attributes).is_empty();
    let separator = if is_documented { "\n" } else { "" };
    format!("{separator}{}", output_summary(item, beside, layout))
}

/// What a method of an output gives.
pub(crate) fn output_summary(item: &OutputItem, beside: Option<Beside>, layout: &Layout) -> String {
    let name = item.name.unraw();
    // The whole derivative by time, in terms of v.
    let rate = if layout.time {
        "J v + (partial derivative by t)"
    } else {
        "J v"
    };
    let is_frame = item.kind == OutputKind::Frame;
    let Some(method) = beside else {
        return if is_frame {
            format!(
                "The pose of the frame `{name}` in the world: its origin, and the matrix whose columns \
                 are its axes."
            )
        } else {
            format!("The output `{name}`.")
        };
    };
    match method {
        Beside::Velocity => format!(
            "The velocity of the frame `{name}` in the world: that of its origin, then its angular \
             velocity."
        ),
        Beside::Jacobian if is_frame => {
            let moves = if layout.time {
                ", plus what t moves"
            } else {
                ""
            };
            format!("The Jacobian J of the frame `{name}`: `{name}_velocity` is J v{moves}.")
        }
        Beside::Jacobian => {
            format!("The Jacobian J = d{name}/dq of the output `{name}`, one row for each entry.")
        }
        Beside::Rate => format!("The rate d{name}/dt = {rate} of the output `{name}`."),
        Beside::Bias => {
            let rate = if is_frame { "velocity" } else { "rate" };
            format!(
                "The rate of `{name}_{rate}` at a = 0: along any motion its rate is J a + this bias, \
                 with J of `{name}_jacobian`."
            )
        }
        Beside::Derivatives => format!(
            "The derivatives of the output `{name}` by the displacement of q, by v and by u, one row \
             for each entry."
        ),
        Beside::Hessian => format!(
            "The Hessian H of the output `{name}` by the displacement of q, by v and by u, in this \
             order: symmetric. By q it is that of the value at `integrate(q, d)`, at d = 0."
        ),
    }
}

/// The part on an output that follows the user's own words.
pub(super) fn output(
    summary: &str,
    arguments: &[Argument],
    value: Value,
    layout: &Layout,
    details: &Details,
) -> String {
    let interface = interface(summary, arguments, value, layout);
    interface + &code(details)
}

/// The same of a stub.
pub(super) fn interface(
    summary: &str,
    arguments: &[Argument],
    value: Value,
    layout: &Layout,
) -> String {
    format!("{summary}\n{}", signature(arguments, value, layout))
}

fn signature(arguments: &[Argument], value: Value, layout: &Layout) -> String {
    let words: Vec<String> = arguments.iter().map(|a| a.in_words(layout)).collect();
    let words = if words.is_empty() {
        "none".to_owned()
    } else {
        words.join(", ")
    };
    format!("\nArguments: {words}. Value: {}.\n", value.in_words(layout))
}

fn code(details: &Details) -> String {
    let operations = &details.operations;
    let formula = fenced(&details.formula);
    format!("{formula}\nOperations: {operations}{}.\n", details.beyond)
}

/// A block of text, or nothing.
fn fenced(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("\n```text\n{}\n```\n", text.trim_end())
    }
}

/// The entries of a value, `M[0, 1] = ..`, where they are short enough to be read.
pub(super) fn formula(graph: &Graph, names: &Names, entries: &[(String, NodeId)]) -> String {
    let roots: Vec<NodeId> = entries.iter().map(|(_, root)| *root).collect();
    if graph.written_size(&roots) > MAX_FORMULA {
        return String::new();
    }
    let names = |symbol| symbol_name(names, symbol);
    let lines = entries
        .iter()
        .map(|(label, root)| format!("{label} = {}\n", graph.text(*root, &names)));
    lines.collect()
}

/// Symbols as plain text has them: velocities and accelerations are the names of their coordinates with
/// primes, or `omega_att.x` of a rotation.
pub(super) fn symbol_name(names: &Names, symbol: Symbol) -> String {
    let name = match symbol {
        Symbol::Velocity(i) => return velocity_name(names, i as usize),
        Symbol::Acceleration(i) => return velocity_name(names, i as usize) + "'",
        Symbol::Coordinate(i) => names.coordinates.get(i as usize),
        Symbol::Parameter(i) => names.parameters.get(i as usize),
        Symbol::Input(i) => names.inputs.get(i as usize),
        Symbol::Time => names.time.as_ref(),
        Symbol::Multiplier(_) | Symbol::Momentum(_) | Symbol::Weight(_) => None,
    };
    name.cloned().unwrap_or_default()
}

fn velocity_name(names: &Names, velocity: usize) -> String {
    let kinematics = names.kinematics();
    let name = |coordinate: usize| names.coordinates.get(coordinate).cloned();
    let own = match kinematics.rotation_of_velocity(velocity) {
        Some(rotation) => {
            let own = name(rotation.coordinate + velocity - rotation.velocity);
            own.map(|own| format!("omega_{own}"))
        }
        None => {
            let own = kinematics.coordinate_of_velocity(velocity);
            own.and_then(name).map(|own| own + "'")
        }
    };
    own.unwrap_or_default()
}

/// A statement with the names of its rows.
pub(super) struct ConstraintRows<'a> {
    pub(super) item: &'a ConstraintItem,
    pub(super) names: &'a [String],
}

/// The statements in the order of their rows: holonomic ones first.
pub(super) fn by_rows<'a>(
    items: &'a [ConstraintItem],
    mut names: &'a [String],
) -> Vec<ConstraintRows<'a>> {
    let of_kind = |kind| items.iter().filter(move |item| item.kind == kind);
    let ordered = of_kind(ConstraintKind::Holonomic).chain(of_kind(ConstraintKind::Nonholonomic));
    let rows = ordered.map(|item| {
        let (own, others) = names.split_at(item.rows.min(names.len()));
        names = others;
        ConstraintRows { item, names: own }
    });
    rows.collect()
}

/// The documentation of the struct, to follow the user's own.
pub(super) fn structure(
    head: &Head,
    constraints: &[ConstraintRows],
    conserved: &str,
    equations: &str,
) -> String {
    let mut text = String::new();
    if doc_lines(&head.attributes).is_empty() {
        text.push_str(&format!(
            "The equations of motion of the system `{}`.\n",
            head.name
        ));
    }
    for (title, declared) in [
        ("Coordinates", &head.coordinates),
        ("Parameters", &head.parameters),
        ("Inputs", &head.inputs),
    ] {
        let items = declared.iter().map(|item| {
            let names = element_names(std::slice::from_ref(item));
            list_item(&names, "", &item.attributes)
        });
        text.push_str(&section(title, items.collect()));
    }
    let items = constraints.iter().map(|constraint| {
        let item = constraint.item;
        list_item(constraint.names, &kind(item), &item.attributes)
    });
    text.push_str(&section("Constraints", items.collect()));
    if !constraints.is_empty() {
        text.push_str(
            "\nTheir multipliers lambda are forces on the right, M a = f + J^T lambda, in this order.\n",
        );
    }
    text.push_str(conserved);
    if !equations.is_empty() {
        text.push_str("\n# Equations\n");
        text.push_str(&fenced(equations));
    }
    text
}

/// What is constant along every motion: the section of it, or nothing.
pub(super) fn conserved(head: &Head, facts: &Facts, symmetries: &[SymmetryItem]) -> String {
    let mut items = Vec::new();
    if facts.conserves_energy {
        items.push("- `energy`\n".to_owned());
    }
    let velocities = head.coordinates.iter().flat_map(Declared::velocity_names);
    for (number, velocity) in velocities.enumerate() {
        if facts.conserved_momenta[number] {
            items.push(format!(
                "- `momenta`, entry {number}, that of `{velocity}`\n"
            ));
        }
    }
    for (symmetry, is_conserved) in symmetries.iter().zip(&facts.conserved_symmetries) {
        if *is_conserved {
            let name = symmetry.name.unraw().to_string();
            items.push(list_item(&[name], "", &symmetry.attributes));
        }
    }
    section("Conserved quantities", items)
}

/// The documentation of the method of a bundle, to follow the user's own.
pub(super) fn bundle(bundle: &Bundle, layout: &Layout, details: &Details) -> String {
    let arguments = bundle.arguments(layout);
    let words: Vec<String> = arguments.iter().map(|a| a.in_words(layout)).collect();
    format!(
        "Quantities of one state, computed together: what they have in common is computed once.\n\n\
         Arguments: {}. Value: a `{}` with {}.\n{}",
        words.join(", "),
        bundle.structure,
        fields(bundle),
        code(details)
    )
}

/// The documentation of the struct that it returns.
pub(super) fn bundle_structure(system: &Ident, bundle: &Bundle) -> String {
    format!(
        "What `{system}::{}` returns: quantities of one state, computed together.",
        bundle.name.unraw()
    )
}

fn fields(bundle: &Bundle) -> String {
    let names = bundle.parts.iter();
    let names: Vec<String> = names
        .map(|part| format!("`{}`", part.name.unraw()))
        .collect();
    names.join(", ")
}

/// Most elements of a default that are written out.
const MAX_DEFAULT: usize = 9;

/// The documentation of the field of a parameter, to follow the user's own.
pub(super) fn parameter(parameter: &Declared) -> String {
    let own = doc_lines(&parameter.attributes);
    let separator = if own.is_empty() { "" } else { "\n" };
    let default = default(parameter).map(|text| format!(" Default: {text}."));
    format!(
        "{separator}A parameter: {}.{}",
        in_words(parameter.shape),
        default.unwrap_or_default()
    )
}

/// A parameter's default, if it has one that is short enough.
fn default(parameter: &Declared) -> Option<String> {
    let values = parameter.default.as_ref()?;
    let first = values.first()?;
    match parameter.shape {
        Shape::Scalar => Some(format!("`{first}`")),
        _ if values.iter().all(|value| value == first) => Some(format!("`{first}` in each entry")),
        _ if values.len() > MAX_DEFAULT => None,
        Shape::Vector(_) => Some(format!("`{}`", listed(values))),
        Shape::Matrix(_, columns) => {
            let rows: Vec<String> = values.chunks(columns.max(1)).map(listed).collect();
            Some(format!("`[{}]`", rows.join(", ")))
        }
    }
}

fn listed(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(f64::to_string).collect();
    format!("[{}]", values.join(", "))
}

/// On `new`: what it takes, as a call.
pub(super) fn constructor(head: &Head) -> String {
    let (taken, filled): (Vec<&Declared>, Vec<&Declared>) =
        head.parameters.iter().partition(|p| p.default.is_none());
    let call: Vec<String> = taken.iter().map(|p| p.name.unraw().to_string()).collect();
    let mut text = "The system with these parameters".to_owned();
    if !filled.is_empty() {
        text.push_str(", and the defaults of the others");
    }
    text.push_str(&format!(
        ".\n\n```text\nlet system = {}::new({});\n```\n",
        head.name,
        call.join(", ")
    ));
    let items = taken.iter().map(|parameter| {
        let remark = format!(", `{}`", field_type(parameter.shape));
        list_item(
            &[parameter.name.unraw().to_string()],
            &remark,
            &parameter.attributes,
        )
    });
    text.push_str(&section("Arguments", items.collect()));
    text
}

/// How the type of a field is written for people.
fn field_type(shape: Shape) -> String {
    match shape {
        Shape::Scalar => "S".to_owned(),
        Shape::Vector(length) => format!("[S; {length}]"),
        Shape::Matrix(rows, columns) => format!("[[S; {columns}]; {rows}]"),
    }
}

/// A title and a list, or nothing.
fn section(title: &str, items: Vec<String>) -> String {
    if items.is_empty() {
        String::new()
    } else {
        format!("\n# {title}\n\n{}", items.concat())
    }
}

/// ` (holonomic)`, and what a `nonholonomic` really is.
fn kind(item: &ConstraintItem) -> String {
    match (item.kind, &item.integrable[..]) {
        (ConstraintKind::Holonomic, _) => " (holonomic)".to_owned(),
        (ConstraintKind::Nonholonomic, []) => " (nonholonomic)".to_owned(),
        (ConstraintKind::Nonholonomic, names) if names.len() == item.rows => {
            " (on velocities, but integrable: holonomic in kind)".to_owned()
        }
        (ConstraintKind::Nonholonomic, names) => format!(
            " (nonholonomic, but for `{}`: integrable, and so holonomic in kind)",
            names.join("`, `")
        ),
    }
}

/// ``- `r[0]` .. `r[2]` (remark): words``
fn list_item(names: &[String], remark: &str, attributes: &[Attribute]) -> String {
    let names = match names {
        [first, .., last] => format!("`{first}` .. `{last}`"),
        [name] => format!("`{name}`"),
        [] => String::new(),
    };
    let words = doc_lines(attributes).join(" ");
    let separator = if words.is_empty() { "" } else { ": " };
    format!("- {names}{remark}{separator}{words}\n")
}
