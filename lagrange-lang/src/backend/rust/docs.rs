//! The documentation of generated items.

mod structure;

use lagrange_engine::{Graph, Names, NodeId};
use proc_macro2::Ident;
use structure::fence;
pub(super) use structure::{
    describe_constructor, describe_parameter, describe_struct, explain_left_out, list_conserved,
    list_contacts, list_unused_of_robots, order_rows,
};
use syn::ext::IdentExt;

use super::equations::name_symbol;
use super::function::Details;
use super::skeleton::Skeleton;
use crate::attributes::doc_lines;
use crate::bundles::{Bundle, Content, Part};
use crate::generated::{Beside, Method};
use crate::methods::outputs::summary;
use crate::methods::{Argument, Layout, Row, Size, Value};
use crate::model::{Declared, OutputItem};

/// Maximum number of nodes of a formula that is written out. Longer formulas appear only in `EQUATIONS`.
const MAX_FORMULA: u64 = 400;

/// Summary, formula, shapes, operations and errors.
pub(super) fn describe_method(row: &Row, skeleton: &Skeleton, details: Option<&Details>) -> String {
    let layout = &skeleton.layout;
    let mut text = format!("{}\n", row.summary);
    for note in row.notes(layout) {
        text.push_str(&format!("\n{note}\n"));
    }
    text.push_str(&describe_signature(
        &row.arguments(layout),
        row.value(layout),
        skeleton,
    ));
    if let Some(details) = details {
        text.push_str(&describe_code(details));
    }
    if row.fallible {
        text.push_str(&write_errors(row.method, layout));
    }
    text
}

/// The errors of methods that solve the equations of motion.
pub(super) fn describe_errors_of_solution(layout: &Layout) -> String {
    write_errors(Method::AccelerationDerivatives, layout)
}

fn write_errors(method: Method, layout: &Layout) -> String {
    let list = list_errors(method, layout).join(";\n");
    format!("\n# Errors\n\n{list}.\n")
}

/// One list item for each way to fail.
fn list_errors(method: Method, layout: &Layout) -> Vec<&'static str> {
    let is_constrained = layout.constraints > 0;
    let from_momenta = matches!(
        method,
        Method::Velocity | Method::Hamiltonian | Method::HamiltonEquations
    );
    let solves = !from_momenta || method == Method::HamiltonEquations;
    let mut errors = vec![
        "- `NotFinite { argument }`: this argument, else this parameter, else the result is NaN or infinite",
    ];
    if is_constrained && solves && method != Method::Resolve {
        errors.push(
            "- `DependentConstraints`: a constraint adds nothing to those above it at this state, to \
             working precision",
        );
    }
    let reacts = match method {
        Method::Resolve => false,
        Method::SolveActive | Method::LinearizeActive => layout.reacting.is_some(),
        Method::Impact | Method::ImpactDerivatives | Method::Delassus | Method::Project => false,
        _ => solves && layout.reacts(),
    };
    if reacts {
        errors.push(
            "- `SingularMassMatrix`: the matrix of the equations is singular at this state, to working precision, \
             by a motion without inertia or by friction (Painleve's paradox)",
        );
    } else if is_constrained && !from_momenta {
        errors.push(
            "- `SingularMassMatrix`: a motion that the constraints leave free has no inertia at this \
             state, to working precision",
        );
    } else {
        errors.push("- `SingularMassMatrix`: M is singular at this state, to working precision");
    }
    if !is_constrained
        && matches!(
            method,
            Method::SolveActive
                | Method::LinearizeActive
                | Method::Impact
                | Method::ImpactDerivatives
        )
    {
        errors.insert(
            1,
            "- `DependentConstraints`: an active contact adds nothing to those above it at this state, to \
             working precision",
        );
    }
    if method == Method::Resolve {
        if !layout.redundant {
            errors.push(
                "- `DependentConstraints`: a constraint or a closed contact adds nothing to those above it at this state, to \
                 working precision; `row` counts the constraints first, then all contacts",
            );
        }
        errors.push(
            "- `NoContactSolution`: no forces agree with the friction at this state (Painleve's paradox)",
        );
    }
    if method == Method::Project {
        errors.push("- `NotConverged`: no way to the constraints was found from this state");
    }
    errors
}

/// The result of a method of an output. It follows the user's documentation of the output itself.
pub(super) fn output_method(item: &OutputItem, beside: Option<Beside>, layout: &Layout) -> String {
    let is_documented = beside.is_none() && !doc_lines(&item.attributes).is_empty();
    let separator = if is_documented { "\n" } else { "" };
    format!("{separator}{}", summary(item, beside, layout))
}

/// The documentation of an output after the user's own.
pub(super) fn output(
    summary: &str,
    arguments: &[Argument],
    value: Value,
    skeleton: &Skeleton,
    details: &Details,
) -> String {
    let interface = interface(summary, arguments, value, skeleton);
    interface + &describe_code(details)
}

/// The same for a stub.
pub(super) fn interface(
    summary: &str,
    arguments: &[Argument],
    value: Value,
    skeleton: &Skeleton,
) -> String {
    format!(
        "{summary}\n{}",
        describe_signature(arguments, value, skeleton)
    )
}

fn describe_signature(arguments: &[Argument], value: Value, skeleton: &Skeleton) -> String {
    format!(
        "\nArguments: {}. Value: {}.{}\n",
        arguments_in_words(arguments, skeleton),
        value.in_words(&skeleton.layout),
        order_of_rows(value)
    )
}

fn describe_code(details: &Details) -> String {
    let operations = &details.operations;
    let formula = fence(&details.formula);
    format!("{formula}\nOperations: {operations}{}.\n", details.beyond)
}

/// The entries of a value, `M[0, 1] = ..`, if they are short enough to read.
pub(super) fn formula(graph: &Graph, names: &Names, entries: &[(String, NodeId)]) -> String {
    let roots: Vec<NodeId> = entries.iter().map(|(_, root)| *root).collect();
    if graph.written_size(&roots) > MAX_FORMULA {
        return String::new();
    }
    let names = |symbol| name_symbol(names, symbol);
    entries
        .iter()
        .map(|(label, root)| format!("{label} = {}\n", graph.text(*root, &names)))
        .collect()
}

/// The documentation of the method of a bundle, after the user's own.
pub(super) fn bundle(bundle: &Bundle, skeleton: &Skeleton, details: &Details) -> String {
    let arguments = bundle.arguments(&skeleton.layout);
    format!(
        "Quantities of one state, computed together: common parts are computed once.{}\n\n\
         Arguments: {}. Value: a `{}` with {}.\n{}",
        name_called(bundle),
        arguments_in_words(&arguments, skeleton),
        bundle.structure,
        list_names(&bundle.parts.iter().collect::<Vec<&Part>>()),
        describe_code(details)
    )
}

/// The items that are calls of their methods. Their operations are not counted here.
fn name_called(bundle: &Bundle) -> String {
    let is_called = |part: &&Part| matches!(part.content, Content::Called(_));
    let called: Vec<&Part> = bundle.parts.iter().filter(is_called).collect();
    match called[..] {
        [] => String::new(),
        _ => format!(
            " Apart from the others, by a call: {}.",
            list_names(&called)
        ),
    }
}

/// The documentation of the struct that this method returns.
pub(super) fn bundle_structure(system: &Ident, bundle: &Bundle) -> String {
    format!(
        "The result of `{system}::{}`: quantities of one state, computed together.",
        bundle.name.unraw()
    )
}

fn list_names(parts: &[&Part]) -> String {
    let names: Vec<String> = parts
        .iter()
        .map(|part| format!("`{}`", part.name.unraw()))
        .collect();
    names.join(", ")
}

/// Maximum number of entries that are named. More entries are only counted.
const MOST_NAMED: usize = 16;

/// Maximum number of elements that are all named. For longer vectors and matrices, only the first and last element
/// are.
const MOST_ELEMENTS: usize = 4;

/// The arguments, in order.
fn arguments_in_words(arguments: &[Argument], skeleton: &Skeleton) -> String {
    let words: Vec<String> = arguments
        .iter()
        .map(|argument| argument_in_words(*argument, skeleton))
        .collect();
    if words.is_empty() {
        "none".to_owned()
    } else {
        words.join(", ")
    }
}

fn argument_in_words(argument: Argument, skeleton: &Skeleton) -> String {
    let head = skeleton.head;
    let elements = Declared::element_names;
    let names = match argument {
        Argument::Q | Argument::Q0 | Argument::Q1 => entry_names(&head.coordinates, elements),
        Argument::V | Argument::MassV => entry_names(&head.coordinates, Declared::velocity_names),
        Argument::States => entry_names(&head.states, elements),
        Argument::U | Argument::InputArray => entry_names(&head.inputs, elements),
        _ => None,
    };
    match names {
        Some(names) => format!("`{} = [{names}]`", argument.name()),
        None => argument.in_words(&skeleton.layout),
    }
}

/// `r[0], .., r[8], theta`; nothing if that is too long to read, or if there is no name.
fn entry_names(
    declared: &[Declared],
    elements: impl Fn(&Declared) -> Vec<String>,
) -> Option<String> {
    let mut names = Vec::new();
    for item in declared {
        let elements = elements(item);
        match &elements[..] {
            [first, .., last] if elements.len() > MOST_ELEMENTS => {
                names.extend([first.clone(), "..".to_owned(), last.clone()]);
            }
            _ => names.extend(elements),
        }
    }
    (1..=MOST_NAMED)
        .contains(&names.len())
        .then(|| names.join(", "))
}

/// For a value with one entry per constraint, the order of the entries.
fn order_of_rows(value: Value) -> &'static str {
    match value {
        Value::Motion
        | Value::ActiveMotion
        | Value::Impact
        | Value::Vector(Size::Constraints | Size::Holonomic)
        | Value::Matrix(Size::Constraints, _)
        | Value::DerivativePair(_, Size::Constraints)
        | Value::Derivatives(Size::Constraints) => " Constraints in the order of `CONSTRAINTS`.",
        _ => "",
    }
}
