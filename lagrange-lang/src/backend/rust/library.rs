//! Steps of routines that are functions of the runtime: the table of their calls.

use lagrange_engine::{Array, Kernel, Shape, Step, View};

use super::assembly::{blamed, list, matrix, vector_of};
use super::places::Form;
use super::steps::{Printer, zeros};
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
                    "rotation::to_fixed_axes::<S, {}, {k}, {first}>(
                         &mut {}, &({quaternion}).data.0[0], &({w}).data.0[0],
                     );",
                    2 * n, a.trim_end_matches(".a")
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
                let fields = ["q", "v", "u"].iter().zip(parts).enumerate();
                let fields = fields.map(|(at, (name, part))| match sums.get(at) {
                    Some(sum) => format!("{name}: {part} + {sum}"),
                    None => format!("{name}: {part}"),
                });
                format!("__rt::Derivatives {{ {}, z: __rt::SMatrix::zeros() }}", list(fields))
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

/// Returns whether a step is a function that takes vectors and matrices of nalgebra.
pub(super) fn is_function(step: &Step) -> bool {
    let kernel = Kernel::Significant;
    matches!(step, Step::Library { .. })
        || matches!(step, Step::Kernel { kernel: known, .. } if *known == kernel)
}

impl Printer<'_> {
    pub(super) fn library(&mut self, function: &str, arguments: &[View], results: &[View]) {
        let values = arguments.iter().map(|view| self.value(*view));
        let values: Vec<String> = values.collect();
        let Some((value, call)) = call(function, (arguments, &values), self.layout()) else {
            return self.unprinted(function);
        };
        if value == Value::Nothing {
            return self.push(format!("__rt::{call}"));
        }
        let failure = match self.routine.is_fallible {
            true => blamed() + "?",
            false => String::new(),
        };
        // The sizes of the value may determine those within the function.
        let of_type = format!(": {}", value.returned(false, self.layout()));
        self.bind(
            results,
            (value, &of_type),
            &format!("__rt::{call}{failure}"),
        );
    }

    /// J with zeros for rows of rounding errors.
    pub(super) fn significant(&mut self, arguments: &[View], result: View) {
        let values = arguments
            .iter()
            .map(|view| format!("&{}", self.value(*view)));
        let [rows, columns] = [result.rows, result.columns].map(Size::Known);
        let value = Value::Matrix(rows, columns);
        let of_type = format!(": {}", value.returned(false, self.layout()));
        let call = format!("__rt::linalg::significant({})", list(values));
        self.bind(&[result], (value, &of_type), &call);
    }

    /// Returns whether an array is a matrix of columns: a result, or an argument of such a function.
    pub(super) fn wants_matrix(&self, array: Array) -> bool {
        let mut is_read = match array {
            Array::Result(at) => matches!(self.routine.results[at].shape, Shape::Matrix(..)),
            _ => false,
        };
        self.routine.for_each_step(&mut |step| {
            is_read |= is_function(step) && step.reads().iter().any(|view| view.array == array);
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
