//! The state of a printer of steps: the values that hold the arrays of a routine, and the text so far.

use std::borrow::Cow;
use std::fmt::{Display, Write};

use lagrange_engine::{Array, Equations, Kernel, Routine, Shape, Step, View};

use super::assembly::{call_with_places, list, matrix, ok, vector_of};
use super::context::Context;
use super::places::{Form, Place};
use super::signature::Signature;
use crate::methods::{Layout, Value};

pub(super) struct Printer<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) signature: &'a Signature,
    pub(super) routine: &'a Routine,
    /// The values that hold arrays; the last one of an array counts.
    pub(super) places: Vec<(Array, Place)>,
    /// The arrays that later steps of the block write.
    pub(super) written_later: Vec<Array>,
    /// The number of variables that hold no array.
    other_names: usize,
    pub(super) text: String,
}

impl<'a> Printer<'a> {
    pub(super) fn new(
        context: &'a Context<'a>,
        signature: &'a Signature,
        routine: &'a Routine,
    ) -> Self {
        let mut places = Vec::new();
        for (index, argument) in routine.arguments.iter().enumerate() {
            let place = Place::of_argument(argument, &signature.arguments);
            places.push((Array::Argument(index), place));
        }
        Printer {
            context,
            signature,
            routine,
            places,
            written_later: Vec::new(),
            other_names: 0,
            text: String::new(),
        }
    }

    pub(super) fn layout(&self) -> &'a Layout {
        &self.context.skeleton.layout
    }

    /// Code that does not compile, for steps that no printed method has.
    pub(super) fn unprinted(&mut self, what: &str) {
        self.push(format!(
            "compile_error!(\"{what} is not printed: this is a bug of the `lagrangian` crate\");"
        ));
    }

    pub(super) fn push(&mut self, text: impl Display) {
        let _ = writeln!(self.text, "{text}");
    }

    /// Returns whether a place for the second array would only repeat the first one.
    pub(super) fn is_alias(&self, from: View, to: View) -> bool {
        self.is_whole(from)
            && self.is_whole(to)
            && !self.is_defined(to.array)
            && (!self.wants_matrix(to.array) || self.place(from.array).typed.is_some())
            && !self.written_later.contains(&from.array)
            && !self.written_later.contains(&to.array)
    }

    pub(super) fn is_whole(&self, view: View) -> bool {
        view.offset == 0 && view.len() == self.length(view.array)
    }

    pub(super) fn length(&self, array: Array) -> usize {
        match array {
            Array::Argument(index) => self.routine.arguments[index].length,
            Array::Result(index) => self.routine.results[index].shape.len(),
            Array::Local(index) => self.routine.locals[index],
        }
    }

    pub(super) fn is_defined(&self, array: Array) -> bool {
        self.places.iter().any(|(held, _)| *held == array)
    }

    /// The place of an array; for one that no step has written, an array without entries.
    pub(super) fn place(&self, array: Array) -> Cow<'_, Place> {
        let mut places = self.places.iter().rev();
        match places.find(|(held, _)| *held == array) {
            Some((_, place)) => Cow::Borrowed(place),
            None => Cow::Owned(Place::entries(Vec::new())),
        }
    }

    pub(super) fn is_new_matrix(&self, view: View) -> bool {
        !self.is_defined(view.array) && self.is_whole(view) && self.wants_matrix(view.array)
    }

    /// Binds a reference to a matrix of zeros.
    pub(super) fn define_zeros(&mut self, view: View) {
        let (name, zero) = (name_of(view.array), constant(0.0));
        let (rows, columns) = (view.rows, view.columns);
        self.push(format!("let {name} = &mut [[{zero}; {rows}]; {columns}];"));
        self.define(view.array, Place::fresh(&name, Form::Columns, columns));
    }

    pub(super) fn define(&mut self, array: Array, place: Place) {
        self.places.push((array, place));
    }

    /// `__x3`, with `mut` if later steps write the array.
    pub(super) fn bound_name(&self, array: Array) -> String {
        let is_written = self.written_later.contains(&array) || self.uses(array).0;
        let mutable = if is_written { "mut " } else { "" };
        format!("{mutable}{}", name_of(array))
    }

    /// A further variable, for a value that holds several arrays or a part of one.
    pub(super) fn other_name(&mut self) -> String {
        self.other_names += 1;
        format!("__s{}", self.other_names)
    }

    /// Returns whether a solution writes over a matrix, of which it reads a triangle, and whether other steps read the
    /// matrix.
    pub(super) fn uses(&self, matrix: Array) -> (bool, bool) {
        let (mut is_overwritten, mut is_read) = (false, false);
        self.routine.for_each_step(&mut |step| {
            let mut views = step.reads().into_iter().map(|view| view.array == matrix);
            let overwrites = match step {
                Step::Kernel { kernel, .. } => {
                    kernel.equations() != Some(Equations::Reacting)
                        && (!matches!(kernel, Kernel::SolveUnchecked(_))
                            || self.is_read_once(matrix))
                }
                Step::Library { function, .. } => matches!(
                    *function,
                    "differentiate"
                        | "differentiate_redundant"
                        | "by_parameters"
                        | "by_parameters_redundant"
                ),
                _ => false,
            };
            if overwrites {
                is_overwritten |= views.next().unwrap_or_default();
            }
            is_read |= views.any(|reads_it| reads_it);
        });
        (is_overwritten, is_read)
    }

    /// Returns whether a single step reads an array.
    pub(super) fn is_read_once(&self, array: Array) -> bool {
        let mut count = 0;
        self.routine.for_each_step(&mut |step| {
            count += usize::from(step.reads().iter().any(|view| view.array == array));
        });
        count == 1
    }

    /// The entry at a row and a column, given as numbers or variables.
    pub(super) fn entry(&self, view: View, i: &str, j: &str) -> String {
        self.place(view.array).entry(view, i, j)
    }

    /// All entries in order.
    pub(super) fn elements(&self, view: View) -> String {
        let place = self.place(view.array);
        let places = (0..view.rows).flat_map(|i| (0..view.columns).map(move |j| (i, j)));
        list(places.map(|(i, j)| place.entry(view, &i.to_string(), &j.to_string())))
    }

    /// A reference to an array of the entries.
    pub(super) fn array(&self, view: View) -> String {
        match self.place(view.array) {
            place if place.form == Form::Array && self.is_whole(view) => {
                let is_reference =
                    matches!(view.array, Array::Argument(_)) && place.typed.is_none();
                let sign = if is_reference { "" } else { "&" };
                format!("{sign}{}", place.value)
            }
            _ => format!("&[{}]", self.elements(view)),
        }
    }

    /// A reference to a matrix of columns that is changed.
    pub(super) fn reference(&self, view: View) -> String {
        match view.columns {
            0 => "&mut []".to_owned(),
            _ => self.place(view.array).value.clone(),
        }
    }

    /// A slice of the entries, in any order.
    pub(super) fn slice(&self, view: View) -> String {
        match self.place(view.array) {
            place if matches!(place.form, Form::Rows | Form::Columns) && self.is_whole(view) => {
                format!("{}.as_flattened()", place.value)
            }
            _ => self.array(view),
        }
    }

    /// A reference to a vector of the entries.
    pub(super) fn vector(&self, view: View) -> String {
        let place = self.place(view.array);
        match &place.typed {
            Some(typed) if self.is_whole(view) => match view.array {
                Array::Argument(_) if !typed.contains('.') => typed.clone(),
                _ => format!("&{typed}"),
            },
            _ => format!("&{}", vector_of(self.owned(view))),
        }
    }

    /// An array of the entries.
    pub(super) fn owned(&self, view: View) -> String {
        let array = self.array(view);
        match array.strip_prefix('&') {
            Some(array) => array.to_owned(),
            None => format!("*{array}"),
        }
    }
}

/// The value of a called method that is changed and returned.
pub(super) const CHANGED: &str = "(*__value)";

/// The variable of an array.
pub(super) fn name_of(array: Array) -> String {
    match array {
        Array::Argument(index) => format!("__given{index}"),
        Array::Result(index) => format!("__r{index}"),
        Array::Local(index) => format!("__x{index}"),
    }
}

/// A constant of the scalar type.
pub(super) fn constant(value: f64) -> String {
    format!("__rt::math::constant::<S>({value:?})")
}

/// Zeros of the type of a part.
pub(super) fn zeros(shape: Shape) -> String {
    let zero = constant(0.0);
    match shape {
        Shape::Scalar => zero,
        Shape::Vector(length) => vector_of(format!("[{zero}; {length}]")),
        Shape::Matrix(rows, columns) => matrix(format!("[[{zero}; {rows}]; {columns}]")),
    }
}

/// The text of a value. A large one comes from a closure: debug builds keep every step of an expression in the frame of
/// its function until the function returns.
pub(super) fn made_apart(value: Value, layout: &Layout, text: String) -> String {
    match value.is_large(layout) {
        true => format!("(|| {text})()"),
        false => text,
    }
}

/// Zeros of the type of a value, the parts of a large one in frames of their own.
pub(super) fn zeros_of(value: Value, layout: &Layout) -> String {
    let parts = value.parts(layout);
    let is_large = parts.len() > 1 && value.is_large(layout);
    let mut zeros = parts
        .into_iter()
        .map(|(_, shape)| match is_large && !shape.is_empty() {
            true => format!("(|| {})()", zeros(shape)),
            false => zeros(shape),
        });
    value.construct(&mut zeros, layout)
}

/// The body of a method that returns what another method writes to a place.
pub(super) fn call_writer(writer: &str, signature: &Signature, layout: &Layout) -> String {
    let zeros = zeros_of(signature.value, layout);
    let call = |place: &str| call_with_places(writer, &signature.arguments, &[place.to_owned()]);
    match signature.fallible {
        true => format!(
            "let mut __result = {};
             if let __rt::core::result::Result::Ok(__value) = &mut __result {{
                 {}?;
             }}
             __result",
            made_apart(signature.value, layout, ok(zeros)),
            call("__value"),
        ),
        false => format!(
            "let mut __result = {};\n{};\n__result",
            made_apart(signature.value, layout, zeros),
            call("&mut __result"),
        ),
    }
}
