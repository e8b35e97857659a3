//! The documentation of the struct, its fields and its constructor.

use lagrange_engine::{Facts, Shape};
use proc_macro2::TokenStream;
use quote::quote;
use syn::Attribute;
use syn::ext::IdentExt;

use crate::attributes::doc_lines;
use crate::backend::rust::equations::Written;
use crate::lower::in_words;
use crate::methods::Layout;
use crate::model::{ConstraintItem, ContactItem, Declared, Head, SymmetryItem, element_names};
use crate::syntax::ast::ConstraintKind;

/// A statement with the names of its rows.
pub(in super::super) struct ConstraintRows<'a> {
    pub(in super::super) item: &'a ConstraintItem,
    pub(in super::super) names: &'a [String],
}

/// The statements in the order of their rows: holonomic ones first.
pub(in super::super) fn order_rows<'a>(
    items: &'a [ConstraintItem],
    mut names: &'a [String],
) -> Vec<ConstraintRows<'a>> {
    let of_kind = |kind| items.iter().filter(move |item| item.kind == kind);
    of_kind(ConstraintKind::Holonomic)
        .chain(of_kind(ConstraintKind::Nonholonomic))
        .map(|item| {
            let (row_names, remaining_names) = names.split_at(item.rows.min(names.len()));
            names = remaining_names;
            ConstraintRows {
                item,
                names: row_names,
            }
        })
        .collect()
}

/// The documentation of the struct, after the user's own.
pub(in super::super) fn describe_struct(
    head: &Head,
    constraints: &[ConstraintRows],
    notes: &str,
    equations: &Written,
) -> TokenStream {
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
        ("States", &head.states),
        ("Inputs", &head.inputs),
    ] {
        let items = declared.iter().map(|item| {
            let names = element_names(std::slice::from_ref(item));
            let unit = names
                .first()
                .map_or_else(String::new, |name| head.label(name));
            write_list_item(&names, &unit, &item.attributes)
        });
        text.push_str(&write_section(title, items.collect()));
    }
    let items = constraints.iter().map(|constraint| {
        let item = constraint.item;
        let unit = constraint
            .names
            .first()
            .map_or_else(String::new, |name| head.label(name));
        write_list_item(
            constraint.names,
            &(unit + &describe_kind(item)),
            &item.attributes,
        )
    });
    text.push_str(&write_section("Constraints", items.collect()));
    if !constraints.is_empty() {
        text.push_str(
            "\nTheir multipliers lambda are forces on the right, M a = f + J^T lambda, in this order.\n",
        );
    }
    text.push_str(notes);
    if equations.text.is_empty() {
        return quote!(#[doc = #text]);
    }
    text.push_str("\n# Equations\n");
    let (hover, page) = (fence(&equations.text), write_formulas(equations));
    // Rustdoc gets formulas. The hover of an editor, which cannot draw them, gets text.
    quote! {
        #[doc = #text]
        #[cfg_attr(not(doc), doc = #hover)]
        #[cfg_attr(doc, doc = #page)]
    }
}

/// The contacts with the user's documentation, or nothing.
pub(in super::super) fn list_contacts(items: &[ContactItem], names: &[String]) -> String {
    let items = items.iter().zip(names).map(|(item, name)| {
        let remark = match item.slips {
            0 => "",
            1 => " (with friction)",
            _ => " (with friction in two directions)",
        };
        write_list_item(std::slice::from_ref(name), remark, &item.attributes)
    });
    write_section("Contacts", items.collect())
}

/// The section on a method that is left out because of its length, or nothing.
pub(in super::super) fn explain_left_out(layout: &Layout) -> &'static str {
    if layout.lacks_coriolis_matrix() {
        "\n# Left out\n\n\
         `coriolis_matrix` takes more than 20,000 operations here: write \
         `#[lagrangian(coriolis_matrix)]` on the struct to have it.\n"
    } else {
        ""
    }
}

/// The equations in a form that browsers draw. For a long system this is the general form. The full equations are
/// then folded, as text with names for repeated parts.
fn write_formulas(equations: &Written) -> String {
    // Markdown ends a block of HTML at the first empty line, and does not interpret the text before it.
    let formulas = format!(
        "\n<div style=\"overflow-x:auto\">{}</div>\n",
        equations.mathml
    );
    if !equations.is_long {
        return formulas;
    }
    let text = fence(&equations.text);
    format!("{formulas}\n<details><summary>Written out</summary>\n{text}\n</details>\n")
}

/// The section on quantities that are constant along every motion, or nothing.
pub(in super::super) fn list_conserved(
    head: &Head,
    facts: &Facts,
    symmetries: &[SymmetryItem],
) -> String {
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
            items.push(write_list_item(&[name], "", &symmetry.attributes));
        }
    }
    write_section("Conserved quantities", items)
}

/// Maximum number of elements of a default that are written out.
const MAX_DEFAULT: usize = 9;

/// The documentation of the field of a parameter, after the user's own.
pub(in super::super) fn describe_parameter(parameter: &Declared, head: &Head) -> String {
    let lines = doc_lines(&parameter.attributes);
    let separator = if lines.is_empty() { "" } else { "\n" };
    let default = describe_default(parameter).map(|text| format!(" Default: {text}."));
    let unit = parameter
        .element_names()
        .first()
        .and_then(|name| head.unit(name));
    let unit = unit.map_or_else(String::new, |unit| format!(", in {unit}"));
    format!(
        "{separator}A parameter: {}{unit}.{}",
        in_words(parameter.shape),
        default.unwrap_or_default()
    )
}

/// The default of a parameter, if it has one that is short enough.
fn describe_default(parameter: &Declared) -> Option<String> {
    let values = parameter.default.as_ref()?;
    let first = values.first()?;
    match parameter.shape {
        Shape::Scalar => Some(format!("`{first}`")),
        _ if values.iter().all(|value| value == first) => Some(format!("`{first}` in each entry")),
        _ if values.len() > MAX_DEFAULT => None,
        Shape::Vector(_) => Some(format!("`{}`", write_list(values))),
        Shape::Matrix(_, columns) => {
            let rows: Vec<String> = values.chunks(columns.max(1)).map(write_list).collect();
            Some(format!("`[{}]`", rows.join(", ")))
        }
    }
}

fn write_list(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(f64::to_string).collect();
    format!("[{}]", values.join(", "))
}

/// The documentation of `new`, with its arguments as a call.
pub(in super::super) fn describe_constructor(head: &Head) -> String {
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
        write_list_item(
            &[parameter.name.unraw().to_string()],
            &remark,
            &parameter.attributes,
        )
    });
    text.push_str(&write_section("Arguments", items.collect()));
    text
}

/// The type of a field in readable form.
fn field_type(shape: Shape) -> String {
    match shape {
        Shape::Scalar => "S".to_owned(),
        Shape::Vector(length) => format!("[S; {length}]"),
        Shape::Matrix(rows, columns) => format!("[[S; {columns}]; {rows}]"),
    }
}

/// A title and a list, or nothing.
fn write_section(title: &str, items: Vec<String>) -> String {
    if items.is_empty() {
        String::new()
    } else {
        format!("\n# {title}\n\n{}", items.concat())
    }
}

/// ` (holonomic)`, and the actual kind of a `nonholonomic` constraint.
fn describe_kind(item: &ConstraintItem) -> String {
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
fn write_list_item(names: &[String], remark: &str, attributes: &[Attribute]) -> String {
    let names = match names {
        [first, .., last] => format!("`{first}` .. `{last}`"),
        [name] => format!("`{name}`"),
        [] => String::new(),
    };
    let words = doc_lines(attributes).join(" ");
    let separator = if words.is_empty() { "" } else { ": " };
    format!("- {names}{remark}{separator}{words}\n")
}

/// A block of text, or nothing.
pub(super) fn fence(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("\n```text\n{}\n```\n", text.trim_end())
    }
}

/// The section on parts of the files that are not used, or nothing.
pub(in super::super) fn list_unused_of_robots(head: &Head) -> String {
    let mut text = String::new();
    for robot in &head.robots {
        if robot.notes.is_empty() {
            continue;
        }
        text.push_str(&format!(
            "\n# Not used of `{}`\n\nThe file of the robot `{}` has more than these equations:\n\n",
            robot.path, robot.name
        ));
        for note in &robot.notes {
            text.push_str(&format!("- {note}\n"));
        }
    }
    text
}
