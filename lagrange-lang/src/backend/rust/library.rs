//! Steps of routines that are functions of the runtime: the table of their calls.

use lagrange_engine::{Array, Kernel, Shape, Step, View};

use super::assembly::{list, map_error, matrix, vector_of};
use super::body::is_large;
use super::places::{Form, Place};
use super::printer::{Printer, constant, name_of, zeros};
use crate::generated::{BLAME, SENSITIVITIES};
use crate::methods::{Layout, Size, Value};

/// The value of a function of the runtime, and its call with the values of the arguments; nothing for a statement that
/// changes these.
fn call(
    function: &str,
    (views, values): (&[View], &[String]),
    layout: &Layout,
) -> Option<(Value, String)> {
    let (n, c, p, k) = (
        layout.velocities,
        layout.constraints,
        layout.contacts,
        layout.inputs,
    );
    let sizes = format!("::<S, {n}, {c}, {p}, {}, {}", n + p, c + p);
    Some(match (function, values) {
        ("weighted", [by_q, .., weights]) => (
            Value::Gradient,
            format!("linalg::weighted(&{}, &({weights}).data.0[0])", by_q.trim_end_matches(".q")),
        ),
        // A and B are the fields of a linearization, which need not be copied.
        ("reduced", [a, _, jacobian, rates]) => (
            Value::ReducedLinearization,
            format!("linalg::reduced(&{}, &{jacobian}, &{rates})", a.trim_end_matches(".a")),
        ),
        ("to_fixed_axes", [a, _, quaternion, w]) => {
            let first = views[3].offset;
            (
                Value::Nothing,
                format!(
                    "rotation::to_fixed_axes::<S, {n}, {}, {k}, {first}>(
                         &mut {}, &({quaternion}).data.0[0], &({w}).data.0[0],
                     );",
                    2 * n + layout.states, a.trim_end_matches(".a")
                ),
            )
        }
        ("solve_active", [m, j, j_c, active, f, gamma, of_contacts, forces @ ..]) => (
            Value::ActiveMotion,
            format!(
                "contacts::solve_active{sizes}>({}, &{f}, &{gamma}, &{of_contacts}, &{active})",
                touching([m, j, j_c], forces, layout)
            ),
        ),
        ("impact", [m, j, j_c, active, restitution, v, rates]) => (
            Value::Impact,
            format!(
                "contacts::impact{sizes}>({}, &{v}, &{rates}, &{active}, &{restitution})",
                touching([m, j, j_c], &[], layout)
            ),
        ),
        ("delassus", [m, j, j_c]) => (
            Value::Matrix(Size::Contacts, Size::Contacts),
            format!("contacts::delassus({})", touching([m, j, j_c], &[], layout)),
        ),
        ("linearize_active" | "linearize_reacting", [m, j, j_c, active, by_q, by_v, others @ ..]) => {
            let (equations, sums) = others.split_at_checked(6)?;
            let (sums, forces) = sums.split_at(sums.len() - usize::from(function == "linearize_reacting"));
            let derivatives = |parts: &[String], sums: &[String]| {
                let mut fields = String::new();
                for (index, (name, part)) in ["q", "v", "u"].iter().zip(parts).enumerate() {
                    fields += &match sums.get(index) {
                        Some(sum) => format!("{name}: {part} + {sum}, "),
                        None => format!("{name}: {part}, "),
                    };
                }
                format!("__rt::Derivatives {{ {fields}z: __rt::SMatrix::zeros() }}")
            };
            let (of_forces, of_rates) = equations.split_at(3);
            let (of_forces, of_rates) = (derivatives(of_forces, sums), derivatives(of_rates, &[]));
            (
                Value::Derivatives(Size::N),
                format!(
                    "contacts::{function}{sizes}, {k}>({}, &{active}, {of_forces}, &{of_rates}, [&{by_q}, &{by_v}])",
                    touching([m, j, j_c], forces, layout)
                ),
            )
        }
        ("impact_derivatives", [m, j, j_c, active, restitution, by_q, by_v, rows, changes, rates]) => (
            Value::Matrices(Size::N),
            format!(
                "contacts::impact_derivatives{sizes}>(
                     {}, &{active}, &{restitution}, [{by_q}, {by_v}], &{rows}, [&{changes}, &{rates}],
                 )",
                touching([m, j, j_c], &[], layout)
            ),
        ),
        _ => return None,
    })
}

/// A reference to the matrices of a state with contacts.
fn touching([m, j, j_c]: [&String; 3], forces: &[String], layout: &Layout) -> String {
    let (n, c, p) = (layout.velocities, layout.constraints, layout.contacts);
    let (all, are_redundant) = (c + p, layout.redundant);
    let forces = match forces {
        [forces] => {
            format!("Some(__rt::linalg::parted_columns::<S, {n}, {all}, {c}, {p}>(&{forces}))")
        }
        _ => "None".to_owned(),
    };
    format!(
        "&__rt::contacts::Touching {{
             mass: {m},
             jacobian: {j},
             contact_jacobian: {j_c},
             are_redundant: {are_redundant},
             multiplier_forces: __rt::core::option::Option::{forces},
         }}"
    )
}

/// The form of a local array that a method returns.
pub(super) fn array_form(view: View) -> Form {
    match view.rows == 1 || view.columns == 1 {
        true => Form::Array,
        false => Form::Rows,
    }
}

/// Returns whether a local array is a matrix that the shared method of derivatives writes to a place.
pub(super) fn is_large_matrix(view: View) -> bool {
    array_form(view) == Form::Rows && is_large(view.len())
}

/// Returns whether a step is a function that takes vectors and matrices of nalgebra.
pub(super) fn is_function(step: &Step) -> bool {
    let kernel = Kernel::Significant;
    matches!(step, Step::Library { .. })
        || matches!(step, Step::Kernel { kernel: called, .. } if *called == kernel)
}

impl Printer<'_> {
    pub(super) fn library(&mut self, function: &str, arguments: &[View], results: &[View]) {
        match function {
            "sensitivities" => return self.call_sensitivities(arguments, results),
            _ if function.contains("_with_constraints") || function.contains("_by_factors") => {
                return self.substitute(function, arguments, results);
            }
            _ if function.starts_with("by_parameters") => {
                return self.by_parameters(function, arguments, results);
            }
            _ if function.starts_with("differentiate") => {
                return self.differentiate(function, arguments);
            }
            _ => {}
        }
        let values: Vec<String> = arguments.iter().map(|view| self.value(*view)).collect();
        let Some((value, call)) = call(function, (arguments, &values), self.layout()) else {
            return self.unprinted(function);
        };
        if value == Value::Nothing {
            return self.push(format!("__rt::{call}"));
        }
        if self.routine.is_fallible && value.is_large(self.layout()) {
            let error = format!("self.{BLAME}(*__error)");
            return self.borrow(results, value, &format!("__rt::{call}"), &error);
        }
        let failure = match self.routine.is_fallible {
            true => map_error() + "?",
            false => String::new(),
        };
        // The sizes of the value may determine those within the function.
        let of_type = format!(": {}", value.write_return_type(false, self.layout()));
        self.bind(
            results,
            (value, &of_type),
            &format!("__rt::{call}{failure}"),
        );
    }

    /// The call of the method that the routines of derivatives share. It writes results and large local matrices to
    /// places, and returns other local arrays.
    fn call_sensitivities(&mut self, arguments: &[View], results: &[View]) {
        let passed = arguments
            .iter()
            .map(|view| match self.place(view.array).form {
                Form::Scalar => self.entry(*view, "0", "0"),
                _ => self.vector(*view),
            });
        let is_result = |view: &&View| matches!(view.array, Array::Result(_));
        let places = results
            .iter()
            .filter(is_result)
            .map(|view| self.reference(*view));
        let mut passed: Vec<String> = passed.chain(places).collect();
        let (mut names, zero) = (Vec::new(), constant(0.0));
        for view in results.iter().filter(|view| !is_result(view)) {
            let name = name_of(view.array);
            match is_large_matrix(*view) {
                true => {
                    let (rows, columns) = (view.rows, view.columns);
                    self.push(format!("let mut {name} = [[{zero}; {columns}]; {rows}];"));
                    passed.push(format!("&mut {name}"));
                }
                false => names.push(name.clone()),
            }
            self.define(
                view.array,
                Place::new(name, array_form(*view), view.columns),
            );
        }
        let (names, passed) = (list(names), list(passed));
        self.push(format!("let ({names},) = self.{SENSITIVITIES}({passed});"));
    }

    /// Columns by factors of generated code, in their places.
    fn substitute(&mut self, function: &str, arguments: &[View], results: &[View]) {
        let references = |views: &[View]| list(views.iter().map(|view| self.reference(*view)));
        let call = match arguments {
            [lower, pivots, places @ ..] if function.contains("_by_factors") => {
                let (lower, pivots) = (self.rows(*lower, false), self.array(*pivots));
                format!("{function}(&{lower}, {pivots}, {})", references(places))
            }
            [
                mass,
                pivots,
                coupling,
                complement,
                jacobian,
                of_rows,
                a,
                b,
                rates @ ..,
            ] => {
                let [mass, coupling, complement, jacobian] =
                    [mass, coupling, complement, jacobian].map(|view| self.rows(*view, false));
                let [pivots, of_rows] = [pivots, of_rows].map(|view| self.array(*view));
                let [by_state, by_input] = [(a, 0), (b, 1)].map(|(view, index)| {
                    let rates = rates.get(index).copied().unwrap_or(*view);
                    references(&[*view, rates])
                });
                format!(
                    "{function}(
                         &__rt::linalg::Factors {{
                             mass: &{mass}, coupling: &{coupling}, complement: &{complement}, jacobian: &{jacobian}
                         }},
                         ({pivots}, {of_rows}), ({by_state}), ({by_input}),
                     )"
                )
            }
            _ => return self.unprinted(function),
        };
        match results.last() {
            Some(is_solved) if matches!(is_solved.array, Array::Local(_)) => {
                let name = name_of(is_solved.array);
                self.push(format!("let {name} = __rt::linalg::{call};"));
                self.define(is_solved.array, Place::typed(name, Shape::Scalar));
            }
            _ => self.push(format!("__rt::linalg::{call};")),
        }
    }

    /// Replaces derivatives of the equations by derivatives of the solution.
    fn differentiate(&mut self, function: &str, arguments: &[View]) {
        // The derivatives by q, by v, by z if there are states, and by u.
        let parts = if self.layout().states > 0 { 4 } else { 3 };
        let matrices = arguments.len().saturating_sub(2 * parts);
        let (matrices, derivatives) = arguments.split_at(matrices);
        let ([mass, jacobian, others @ ..], [by_q, ..], Some(rates)) =
            (matrices, derivatives, derivatives.get(parts))
        else {
            return self.unprinted(function);
        };
        let equations = self.equations(function, (mass, jacobian, others));
        let derivatives = [by_q, rates].map(|view| {
            let place = self.place(view.array);
            let value = place.typed.as_deref().unwrap_or_default();
            format!("&mut {}", value.trim_end_matches(".q"))
        });
        let passed = list(equations.into_iter().chain(derivatives));
        let failure = match self.routine.is_fallible {
            true => map_error() + "?",
            false => String::new(),
        };
        self.push(format!("__rt::linalg::{function}({passed}){failure};"));
    }

    /// The derivatives of the accelerations from the derivatives of the equations, in one matrix each.
    fn by_parameters(&mut self, function: &str, arguments: &[View], results: &[View]) {
        let [mass, jacobian, others @ .., forces, rates] = arguments else {
            return self.unprinted(function);
        };
        let equations = self.equations(function, (mass, jacobian, others));
        let derivatives = [forces, rates].map(|view| self.value(*view));
        let passed = list(equations.into_iter().chain(derivatives));
        let (rows, columns) = (Size::Known(forces.rows), Size::Known(forces.columns));
        let call = format!("__rt::linalg::{function}({passed}){}?", map_error());
        self.bind(results, (Value::Matrix(rows, columns), ""), &call);
    }

    /// References to M, to the forces by multipliers unless J alone gives these forces, and to J.
    fn equations(
        &self,
        function: &str,
        (mass, jacobian, others): (&View, &View, &[View]),
    ) -> Vec<String> {
        let mass = self.rows(*mass, true);
        let mass = match function.contains("_reacting") || function.ends_with("_unchecked") {
            true => format!("&{mass}"),
            false => format!("&mut {mass}"),
        };
        let rows = others
            .iter()
            .chain([jacobian])
            .map(|view| format!("&{}", self.rows(*view, false)));
        [mass].into_iter().chain(rows).collect()
    }

    /// Returns whether a function replaces derivatives of the equations in this array.
    pub(super) fn is_differentiated(&self, array: Array) -> bool {
        let mut is_replaced = false;
        self.routine.for_each_step(&mut |step| {
            if let Step::Library {
                function, results, ..
            } = step
            {
                is_replaced |= function.starts_with("differentiate")
                    && results.iter().any(|view| view.array == array);
            }
        });
        is_replaced
    }

    /// J with zeros for rows of rounding errors.
    pub(super) fn significant(&mut self, arguments: &[View], result: View) {
        let values = arguments
            .iter()
            .map(|view| format!("&{}", self.value(*view)));
        let [rows, columns] = [result.rows, result.columns].map(Size::Known);
        let value = Value::Matrix(rows, columns);
        let of_type = format!(": {}", value.write_return_type(false, self.layout()));
        let call = format!("__rt::linalg::significant({})", list(values));
        self.bind(&[result], (value, &of_type), &call);
    }

    /// Returns whether an array is a matrix of columns: a result, or an argument of a function that takes a matrix of
    /// columns.
    pub(super) fn wants_matrix(&self, array: Array) -> bool {
        let mut is_read = match array {
            Array::Result(index) => matches!(self.routine.results[index].shape, Shape::Matrix(..)),
            _ => false,
        };
        self.routine.for_each_step(&mut |step| {
            let views = step.reads();
            let matrices = match step {
                // M and J are arrays of rows.
                Step::Library { function, .. } if function.starts_with("by_parameters") => {
                    &views[views.len() - 2..]
                }
                Step::Library { function, .. } => {
                    let takes_arrays =
                        function.starts_with("differentiate") || *function == "sensitivities";
                    if takes_arrays { &[] } else { &views[..] }
                }
                _ if is_function(step) => &views[..],
                _ => &[],
            };
            is_read |= matrices.iter().any(|view| view.array == array);
        });
        is_read
    }

    /// The entries as a vector or a matrix; as an array only if an argument of the method is one.
    pub(super) fn value(&self, view: View) -> String {
        let place = self.place(view.array);
        let is_given = matches!(view.array, Array::Argument(_));
        if view.is_empty() {
            return zeros(Shape::Matrix(view.rows, view.columns));
        }
        match (&place.typed, place.form) {
            (Some(typed), _) if self.is_whole(view) && is_given && !typed.contains('.') => {
                format!("*{typed}")
            }
            (Some(typed), _) if self.is_whole(view) => typed.clone(),
            (None, Form::Array) if self.is_whole(view) && is_given => self.owned(view),
            (_, Form::Columns) if self.is_whole(view) => matrix(format!("*{}", place.value)),
            _ => vector_of(self.owned(view)),
        }
    }
}
