//! The private methods that routines call, and the method that names a parameter that is not finite.

use lagrange_engine::{Array, Routine, Shape, Step, View};

use super::assembly::{Text, list};
use super::context::Context;
use super::function::{APART, COLD, Function, INLINED};
use super::library::{array_form, is_large_matrix};
use super::places::{Form, Place};
use super::printer::{Printer, name_of};
use super::signature::{Signature, find_signature};
use super::skeleton::Skeleton;
use super::steps::define_routine;
use super::terms::choose_inlining;
use crate::generated::{BLAME, PIVOTED_UNCHECKED, SENSITIVITIES};
use crate::methods::{METHODS, Value};
use crate::model::Declared;

/// The private methods of the system.
pub(super) fn write_methods(context: &Context) -> Vec<Function> {
    let layout = &context.skeleton.layout;
    let linearized = "private linearized";
    let linearized_unchecked =
        write_method(
            context,
            "private linearized_unchecked",
            |_| match Value::Linearization.is_large(layout) {
                true => "",
                false => INLINED,
            },
        );
    let is_unrolled = linearized_unchecked.is_some();
    let differentiated = write_method(context, "private differentiated", |_| {
        if is_unrolled { "#[cold] " } else { "" }
    });
    let touching = (layout.contacts > 0).then_some("private touching_rows");
    let is_redundant = layout.has_redundant_rows();
    let is_solved_quickly =
        !layout.reacts() && context.routines().solve_program().factorization.is_some();
    let pivoted = (is_redundant || is_solved_quickly).then(|| {
        write_method(context, "private solve_pivoted", |_| {
            if is_redundant { APART } else { COLD }
        })
    });
    let pivoted_unchecked = is_solved_quickly
        .then(|| write_method(context, "private solve_pivoted_unchecked", |_| COLD));
    let apart = touching
        .into_iter()
        .chain(is_redundant.then_some("private clear"))
        .filter_map(|routine| write_method(context, routine, |_| APART));
    let derivatives = [
        pivoted.flatten(),
        pivoted_unchecked.flatten(),
        write_method(context, linearized, |operations| {
            choose_inlining(operations, layout)
        }),
        linearized_unchecked,
        differentiated,
        write_shared_method(context, linearized, "sensitivities"),
    ];
    apart
        .chain(derivatives.into_iter().flatten())
        .chain(write_writers(context))
        .collect()
}

/// The method of a routine, with attributes by its number of operations; nothing if the system has no such routine.
fn write_method(
    context: &Context,
    routine: &str,
    attributes: impl FnOnce(u32) -> &'static str,
) -> Option<Function> {
    let layout = &context.skeleton.layout;
    let signature = find_signature(routine, layout)?;
    write_signed_method(context, routine, signature, attributes)
}

/// The method of a routine with this signature.
fn write_signed_method(
    context: &Context,
    routine: &str,
    signature: Signature,
    attributes: impl FnOnce(u32) -> &'static str,
) -> Option<Function> {
    let layout = &context.skeleton.layout;
    let routine = context.routines().method(routine)?;
    let has_places = signature.has_places() || signature.has_value_place(layout);
    let written = match signature.has_value_place(layout) {
        true => format!(
            "__value: &mut {}",
            signature.value.write_return_type(false, layout)
        ),
        false => declare_places(&routine),
    };
    let (places, returned) = match (has_places, signature.fallible) {
        (true, true) => (
            written,
            "__rt::core::result::Result<(), __rt::Error>".to_owned(),
        ),
        (true, false) => (written, "()".to_owned()),
        (false, fallible) => (
            String::new(),
            signature.value.write_return_type(fallible, layout),
        ),
    };
    let definition = define_routine(context, routine, &signature);
    Some(Function {
        attributes: attributes(definition.details.operations.total()).into(),
        name: signature.name.into(),
        places,
        returned,
        real: signature.fallible || !has_places && signature.name != PIVOTED_UNCHECKED,
        body: definition.body,
        arguments: signature.arguments,
        ..Function::default()
    })
}

/// The methods that write large values of public methods to places.
fn write_writers(context: &Context) -> impl Iterator<Item = Function> {
    METHODS.iter().filter_map(|row| {
        let signature = Signature::of_writer(row, &context.skeleton.layout)?;
        write_signed_method(context, row.name(), signature, |_| "")
    })
}

/// The method that several routines call in place of steps, from one of these routines: writes results of the routine and
/// large local matrices to places of zeros, and returns the other local arrays.
fn write_shared_method(context: &Context, routine: &str, function: &str) -> Option<Function> {
    let mut signature = find_signature(routine, &context.skeleton.layout)?;
    signature.fallible = false;
    let mut routine = context.routines().method(routine)?;
    let steps = std::mem::take(&mut routine.steps);
    let (mut steps, results) = steps.into_iter().find_map(|step| match step {
        Step::Library {
            function: name,
            steps,
            results,
            ..
        } => (name == function).then_some((steps, results)),
        _ => None,
    })?;
    for step in &mut steps {
        if let Step::Compute(compute) = step {
            let is_result = |view: View| results.iter().any(|result| result.array == view.array);
            compute.writes.retain(|write| is_result(write.to));
        }
    }
    routine.steps = steps;
    let mut printer = Printer::new(context, &signature, &routine);
    let locals = results
        .iter()
        .filter(|view| matches!(view.array, Array::Local(_)));
    let (large, locals): (Vec<&View>, Vec<&View>) =
        locals.partition(|view| is_large_matrix(**view));
    let mut places = vec![declare_places(&routine)];
    for view in large {
        let (name, columns) = (name_of(view.array), view.columns);
        places.push(format!("{name}: &mut [[S; {columns}]; {}]", view.rows));
        printer.define(view.array, Place::fresh(&name, Form::Rows, columns));
    }
    printer.print_body();
    let names = list(locals.iter().map(|view| name_of(view.array)));
    let types = locals.iter().map(|view| match array_form(**view) {
        Form::Rows => format!("[[S; {}]; {}]", view.columns, view.rows),
        _ => format!("[S; {}]", view.len()),
    });
    let types = list(types);
    let body = format!("{}\n({names},)", printer.text);
    Some(Function {
        attributes: INLINED.into(),
        name: SENSITIVITIES.into(),
        places: list(places),
        returned: format!("({types},)"),
        body: body.into(),
        arguments: signature.arguments,
        ..Function::default()
    })
}

/// `__r0: &mut [[S; 4]; 4], __r1: &mut [[S; 4]; 1]`
fn declare_places(routine: &Routine) -> String {
    let places = routine
        .results
        .iter()
        .enumerate()
        .filter_map(|(index, result)| match result.shape {
            Shape::Matrix(rows, columns) => {
                let name = name_of(Array::Result(index));
                Some(format!("{name}: &mut [[S; {rows}]; {columns}]"))
            }
            _ => None,
        });
    list(places)
}

pub(super) fn write_parameter_blame(skeleton: &Skeleton) -> Function {
    Function {
        attributes: "#[cold] #[inline(never)] ".into(),
        docs: "The error for a result that is not finite although the arguments are.".to_owned(),
        name: BLAME.into(),
        places: "__error: __rt::Error, ".to_owned(),
        returned: "__rt::Error".to_owned(),
        real: true,
        body: write_blame_body(&skeleton.head.parameters).into(),
        ..Function::default()
    }
}

fn write_blame_body(parameters: &[Declared]) -> String {
    let mut text = Text::default();
    text.push_str("__rt::linalg::blame::<S>(__error, &[");
    let is_scalar = |parameter: &Declared| parameter.shape == Shape::Scalar;
    // Adjacent scalars form one array.
    for group in parameters.chunk_by(|a, b| is_scalar(a) && is_scalar(b)) {
        text.push_str("(");
        match group {
            [array] if !is_scalar(array) => {
                let is_matrix = matches!(array.shape, Shape::Matrix(..));
                text.push_str(if is_matrix { "self." } else { "&self." });
                text.push_str(&array.name.to_string());
                if is_matrix {
                    text.push_str(".as_flattened()");
                }
            }
            scalars => {
                text.push_str("&[");
                for scalar in scalars {
                    text.push_str("self.");
                    text.push_str(&scalar.name.to_string());
                    text.push_str(", ");
                }
                text.push_str("]");
            }
        }
        text.push_str(", &[");
        for parameter in group {
            for name in parameter.element_names() {
                text.push_literal(&format!("self.{name}"));
                text.push_str(", ");
            }
        }
        text.push_str("]), ");
    }
    text.push_str("])\n");
    text.finish()
}
