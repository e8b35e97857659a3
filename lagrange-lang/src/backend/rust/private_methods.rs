//! Steps that call methods, the private methods that routines call, and the method that names a parameter that is not
//! finite.

use lagrange_engine::{Array, Routine, Shape, Step, View};

use super::assembly::{Text, list, map_error, vector_of};
use super::context::Context;
use super::function::{APART, COLD, Function, INLINED};
use super::library::array_form;
use super::places::{Form, Place};
use super::signature::find_signature;
use super::skeleton::Skeleton;
use super::steps::{CHANGED, Printer, constant, define_routine, name_of};
use super::terms::{choose_inlining, is_in_place};
use crate::generated::{BLAME, INERTIA, Method, PIVOTED_UNCHECKED, ROWS, SENSITIVITIES};
use crate::methods::{Argument, Layout, Value};
use crate::model::Declared;

/// The private methods of the system.
pub(super) fn write_methods(context: &Context) -> Vec<Function> {
    let layout = &context.skeleton.layout;
    let linearized = "private linearized";
    let linearized_unchecked = write_method(context, "private linearized_unchecked", |_| INLINED);
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
    apart.chain(derivatives.into_iter().flatten()).collect()
}

/// The method of a routine, with attributes by its number of operations; nothing if the system has no such routine.
fn write_method(
    context: &Context,
    routine: &str,
    attributes: impl FnOnce(u32) -> &'static str,
) -> Option<Function> {
    let layout = &context.skeleton.layout;
    let signature = find_signature(routine, layout)?;
    let routine = context.routines().method(routine)?;
    let (places, returned) = match (signature.has_places(), signature.fallible) {
        (true, true) => (
            declare_places(&routine),
            "__rt::core::result::Result<(), __rt::Error>".to_owned(),
        ),
        (true, false) => (declare_places(&routine), "()".to_owned()),
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
        real: signature.fallible || !signature.has_places() && signature.name != PIVOTED_UNCHECKED,
        body: definition.body,
        arguments: signature.arguments,
        ..Function::default()
    })
}

/// The method that several routines call in place of steps, from one of these routines: writes results of the routine to
/// places of zeros, and returns local arrays.
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
    printer.body();
    let locals = results
        .iter()
        .filter(|view| matches!(view.array, Array::Local(_)));
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
        places: declare_places(&routine),
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

impl Printer<'_> {
    /// A call of a method. If the call is tried, an error leaves the results as they were.
    pub(super) fn call(
        &mut self,
        routine: &str,
        is_tried: bool,
        arguments: &[View],
        results: &[View],
    ) {
        let layout = self.layout();
        let Some(called) = find_signature(routine, layout) else {
            return self.unprinted(routine);
        };
        let pairs = called.arguments.iter().zip(arguments);
        let passed: Vec<String> = pairs
            .clone()
            .map(|(argument, view)| match argument {
                Argument::T => self.entry(*view, "0", "0"),
                Argument::Active | Argument::Restitution => self.array(*view),
                // The multipliers are the last argument.
                Argument::Motion => {
                    let multipliers = arguments.last().unwrap_or(view);
                    let [a, lambda] = [view, multipliers].map(|view| vector_of(self.owned(*view)));
                    format!("&__rt::Motion {{ acceleration: {a}, multipliers: {lambda} }}")
                }
                _ => self.vector(*view),
            })
            .collect();
        if called.has_places() {
            for view in results {
                if !view.is_empty() && !self.is_defined(view.array) {
                    self.define_zeros(*view);
                }
            }
            let places = results.iter().map(|view| self.reference(*view));
            let failure = if called.fallible { "?" } else { "" };
            let passed = list(passed.into_iter().chain(places));
            return self.push(format!("self.{}({passed}){failure};", called.name));
        }
        if let Some(writer) = called.method.and_then(|method| find_writer(method, layout))
            && !self.wants_matrix(results[0].array)
        {
            let (to, name) = (results[0], name_of(results[0].array));
            let zero = constant(0.0);
            let zeros = format!("[[{zero}; {}]; {}]", to.columns, to.rows);
            let passed = list(passed.into_iter().chain([format!("&mut {name}")]));
            self.push(format!(
                "let mut {name} = {zeros};\nself.{writer}({passed});"
            ));
            if writer == INERTIA && self.uses(to.array).1 {
                self.push(format!("__rt::linalg::mirror(&mut {name});"));
            }
            self.define(to.array, Place::new(name, Form::Rows, to.columns));
            return;
        }
        // An error names an argument: one of the method, a part of the state y, or none.
        let has_same_name = |(argument, view): (&Argument, &View)| match view.array {
            Array::Argument(index) => self.routine.arguments[index].name == argument.name(),
            _ => false,
        };
        let is_argument = |view: &View| matches!(view.array, Array::Argument(_));
        let have_same_names = pairs.clone().all(has_same_name);
        let mut arrays = results.iter().map(|view| &view.array);
        let is_changed = arrays.any(|array| self.written_later.contains(array));
        if called.fallible && have_same_names && is_changed && called.value == self.signature.value
        {
            // The value is changed where the method returns it. The compiler would copy a value in a local out and back.
            let call = format!("self.{}({})", called.name, list(passed));
            self.push(format!(
                "let mut __result = {call};
                 if let __rt::core::result::Result::Ok(__value) = &mut __result {{"
            ));
            return self.define_parts(results, called.value, CHANGED);
        }
        let failure = match called.fallible {
            false => String::new(),
            true if is_tried => format!(".unwrap_or({})", self.compose(results, called.value)),
            true if have_same_names => "?".to_owned(),
            true if arguments.iter().all(is_argument) => {
                ".map_err(__rt::Error::of_state)?".to_owned()
            }
            true => map_error() + "?",
        };
        let call = format!("self.{}({}){failure}", called.name, list(passed));
        self.bind(results, (called.value, ""), &call);
    }

    /// The value of these parts.
    fn compose(&self, parts: &[View], value: Value) -> String {
        let mut parts = parts.iter().map(|view| vector_of(self.owned(*view)));
        value.construct(&mut parts, self.layout())
    }

    /// Binds a value, whose parts are the results. The type of the value is `: T`, or nothing where the compiler knows
    /// the type.
    pub(super) fn bind(&mut self, results: &[View], (value, of_type): (Value, &str), text: &str) {
        let parts = value.parts(self.layout());
        let is_changed = results
            .iter()
            .any(|view| self.is_differentiated(view.array));
        let binds = |view: View| self.is_whole(view) && !self.is_defined(view.array);
        let (pattern, bound) = match (results, &parts[..]) {
            ([view], [_]) if binds(*view) => (self.bound_name(view.array), name_of(view.array)),
            _ => {
                let name = self.other_name();
                let mutable = if is_changed { "mut " } else { "" };
                (format!("{mutable}{name}"), name)
            }
        };
        self.push(format!("let {pattern}{of_type} = {text};"));
        self.define_parts(results, value, &bound);
    }

    fn define_parts(&mut self, results: &[View], value: Value, bound: &str) {
        let parts = value.parts(self.layout());
        for (view, (path, shape)) in results.iter().zip(parts) {
            let place = Place::typed(format!("{bound}{path}"), shape);
            if self.is_whole(*view) && !self.is_defined(view.array) {
                self.define(view.array, place);
            } else {
                self.assign(*view, "=", &|_, i, j| {
                    let whole = View::matrix(view.array, view.rows, view.columns);
                    place.entry(whole, i, j)
                });
            }
        }
    }
}

/// The method that writes a large matrix to its place.
fn find_writer(method: Method, layout: &Layout) -> Option<&'static str> {
    match method {
        Method::MassMatrix if is_in_place(layout) => Some(INERTIA),
        Method::ConstraintJacobian if is_in_place(layout) => Some(ROWS),
        _ => None,
    }
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
