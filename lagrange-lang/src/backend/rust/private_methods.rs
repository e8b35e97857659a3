//! Private methods of routines that only others call.

use lagrange_engine::{Array, Routine, Shape, Step, View};

use super::assembly::list;
use super::context::Context;
use super::function::{APART, COLD, Function, INLINED};
use super::library::array_form;
use super::places::Form;
use super::signature::called;
use super::steps::{Printer, definition_of, name_of};
use super::terms::inlining;
use crate::generated::{PIVOTED_UNCHECKED, SENSITIVITIES};

/// The private methods of the system.
pub(super) fn methods(context: &Context) -> Vec<Function> {
    let layout = &context.skeleton.layout;
    let linearized = "private linearized";
    let linearized_unchecked = method(context, "private linearized_unchecked", |_| INLINED);
    let is_unrolled = linearized_unchecked.is_some();
    let differentiated = method(context, "private differentiated", |_| {
        if is_unrolled { "#[cold] " } else { "" }
    });
    let touching = (layout.contacts > 0).then_some("private touching_rows");
    let is_redundant = layout.has_redundant_rows();
    let quick = !layout.reacts() && context.routines().solve_program().factorization.is_some();
    let pivoted = (is_redundant || quick).then(|| {
        method(context, "private solve_pivoted", |_| {
            if is_redundant { APART } else { COLD }
        })
    });
    let unchecked = quick.then(|| method(context, "private solve_pivoted_unchecked", |_| COLD));
    let clear = is_redundant.then_some("private clear");
    let apart = touching.into_iter().chain(clear);
    let apart = apart.filter_map(|routine| method(context, routine, |_| APART));
    let derivatives = [
        pivoted.flatten(),
        unchecked.flatten(),
        method(context, linearized, |operations| {
            inlining(operations, layout)
        }),
        linearized_unchecked,
        differentiated,
        shared(context, linearized, "sensitivities"),
    ];
    apart.chain(derivatives.into_iter().flatten()).collect()
}

/// The method of a routine, with attributes by its number of operations; nothing if the system has no such routine.
fn method(
    context: &Context,
    routine: &str,
    attributes: impl FnOnce(u32) -> &'static str,
) -> Option<Function> {
    let layout = &context.skeleton.layout;
    let signature = called(routine, layout)?;
    let routine = context.routines().method(routine)?;
    let (places, returned) = match (signature.has_places(), signature.fallible) {
        (true, true) => (
            places_of(&routine),
            "__rt::core::result::Result<(), __rt::Error>".to_owned(),
        ),
        (true, false) => (places_of(&routine), "()".to_owned()),
        (false, fallible) => (String::new(), signature.value.returned(fallible, layout)),
    };
    let definition = definition_of(context, routine, &signature);
    Some(Function {
        attributes: attributes(definition.details.operations.total()).into(),
        name: signature.name.into(),
        places,
        returned,
        real: signature.fallible || !signature.has_places() && signature.name != PIVOTED_UNCHECKED,
        body: definition.body,
        arguments: signature.arguments,
        ..Function::private()
    })
}

/// The method that several routines call in place of steps, from one of these routines: writes results of the routine to
/// places of zeros, and returns local arrays.
fn shared(context: &Context, routine: &str, function: &str) -> Option<Function> {
    let mut signature = called(routine, &context.skeleton.layout)?;
    signature.fallible = false;
    let mut routine = context.routines().method(routine)?;
    let steps = std::mem::take(&mut routine.steps);
    let (mut steps, results) = steps.into_iter().find_map(|step| match step {
        Step::Library {
            function: known,
            steps,
            results,
            ..
        } => (known == function).then_some((steps, results)),
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
    printer.body();
    let locals = results.iter();
    let locals = locals.filter(|view| matches!(view.array, Array::Local(_)));
    let names = list(locals.clone().map(|view| name_of(view.array)));
    let types = locals.map(|view| match array_form(*view) {
        Form::Rows => format!("[[S; {}]; {}]", view.columns, view.rows),
        _ => format!("[S; {}]", view.len()),
    });
    let types = list(types);
    let body = format!("{}\n({names},)", printer.text);
    Some(Function {
        attributes: INLINED.into(),
        name: SENSITIVITIES.into(),
        places: places_of(&routine),
        returned: format!("({types},)"),
        body: body.into(),
        arguments: signature.arguments,
        ..Function::private()
    })
}

/// `__r0: &mut [[S; 4]; 4], __r1: &mut [[S; 4]; 1]`
fn places_of(routine: &Routine) -> String {
    let results = routine.results.iter().enumerate();
    let places = results.filter_map(|(at, result)| match result.shape {
        Shape::Matrix(rows, columns) => {
            let name = name_of(Array::Result(at));
            Some(format!("{name}: &mut [[S; {rows}]; {columns}]"))
        }
        _ => None,
    });
    list(places)
}
