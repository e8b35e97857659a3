//! Routines as one self-contained text in C99.
//!
//! The text needs only `math.h`, allocates nothing and has no globals. It is also valid C++. All functions return 0 or
//! the number of a [`RoutineError`](crate::RoutineError).

mod conditions;
pub(super) mod names;
mod schedules;
mod steps;

use std::fmt::Write;

pub use names::snake_case;

use super::{helpers, replaced, section};
use crate::Shape;
use crate::codegen::{Routine, Routines, Step};
use names::Names;

/// The names of a system and its parameters in the text.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// The name of the system; the C type is [`snake_case`] of it.
    pub name: String,
    /// The parameters, in the order of their numbers.
    pub parameters: Vec<Parameter>,
}

/// A parameter: a field of the C type.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// A number, a vector or a matrix.
    pub shape: Shape,
}

/// The text of these routines and of all routines that they call.
///
/// ```
/// use lagrange_engine::{Dynamics, Routines, System, c99};
/// // A mass on a spring: 2 a = -2 x.
/// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
///             node %2 = coordinate 0\nnode %3 = product %2^2\npotential %3\n";
/// let dynamics = Dynamics::new(text.parse::<System>()?);
/// let routines = Routines::new(&dynamics);
/// let energy = routines.method("energy").expect("every system has energy");
/// let declaration = c99::Declaration { name: "Oscillator".to_owned(), parameters: Vec::new() };
/// let text = c99::text(&declaration, &routines, vec![energy]);
/// assert!(text.contains("int oscillator_energy(const oscillator *self, const OSCILLATOR_REAL q[1], "));
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
pub fn text(declaration: &Declaration, routines: &Routines, exported: Vec<Routine>) -> String {
    let public: Vec<String> = exported
        .iter()
        .map(|routine| routine.name.clone())
        .collect();
    let all = routines.with_called(exported);
    let mut printer = Printer {
        dialect: Dialect::C99,
        names: Names::new(declaration, &public, &[]),
        routines: &all,
        text: String::new(),
        small_angles: false,
    };
    printer.head(declaration);
    let is_public = |routine: &&Routine| public.contains(&routine.name);
    for routine in all.iter().filter(is_public) {
        printer.prototype(routine, "");
        printer.text.push_str(";\n");
    }
    printer.middle();
    let head = std::mem::take(&mut printer.text);
    for routine in &all {
        let linkage = if is_public(&routine) { "" } else { "static " };
        printer.definition(routine, linkage);
    }
    let body = std::mem::take(&mut printer.text);
    printer.text = head + &printer.helpers(&body) + &body;
    printer.tail();
    printer.text
}

/// The languages that this printer knows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    C99,
    /// Static members of a template: sines and quotients are functions of their own there.
    Cuda,
}

/// The text under construction.
pub(super) struct Printer<'a> {
    pub(super) dialect: Dialect,
    pub(super) names: Names,
    pub(super) routines: &'a [Routine],
    pub(super) text: String,
    /// Whether sines are those of small angles, and the text notes large ones.
    pub(super) small_angles: bool,
}

/// The helper functions, each between its two marks.
const HELPERS: &str = include_str!("c99/helpers.c");

/// The helpers in their order, each with a call that shows that it is needed. Helpers call only those above them.
const SECTIONS: [(&str, &str); 35] = [
    ("functions", "MACRO_F1("),
    ("functions_of_two", "MACRO_F2("),
    ("divided", "NAME_helper_divided("),
    ("sin_cos", "NAME_helper_sin_cos"),
    ("sign", "NAME_helper_sign("),
    ("powi", "NAME_helper_powi("),
    ("epsilon", "NAME_helper_epsilon("),
    ("sum", "NAME_helper_sum("),
    ("finite", "NAME_helper_all_finite("),
    ("met", "NAME_helper_met("),
    ("pivots", "NAME_helper_pivots("),
    ("accepted", "NAME_helper_accepted("),
    ("accepted_motion", "NAME_helper_accepted_motion("),
    ("regular", "NAME_helper_regular("),
    ("significant", "NAME_helper_significant("),
    ("limits", "NAME_helper_limits("),
    ("within", "NAME_helper_within("),
    ("equal", "NAME_helper_equal("),
    ("changes", "NAME_helper_changes("),
    ("remaining", "NAME_helper_remaining("),
    ("product", "NAME_helper_quaternion_product("),
    ("normalised", "NAME_helper_normalised("),
    ("length", "NAME_helper_length("),
    ("moved", "NAME_helper_moved("),
    ("difference", "NAME_helper_quaternion_difference("),
    ("matrix", "NAME_helper_rotation_matrix("),
    ("dense", "NAME_helper_dense"),
    ("solve", "NAME_helper_dense_solve("),
    ("rows", "NAME_helper_rows"),
    ("null_space", "NAME_helper_null_space("),
    ("none", "NAME_helper_rows_that_are_none("),
    ("independent", "NAME_helper_scaled_rows("),
    ("is_clear", "NAME_helper_is_clear("),
    ("agreement", "NAME_helper_agreement("),
    ("redundant", "NAME_helper_redundant_solve("),
];

/// The helpers of pivoted solutions. Compilers for GPUs shall not unroll their loops: that makes rare code long.
const ROLLED: [&str; 9] = [
    "dense",
    "solve",
    "rows",
    "null_space",
    "none",
    "independent",
    "is_clear",
    "agreement",
    "redundant",
];

impl Printer<'_> {
    pub(super) fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// The text with `NAME_real`, `NAME_helper_`, `NAME` and `MACRO` replaced by the names of this system, and with
    /// `NAME_apart` by the mark of functions that a GPU shall call.
    pub(super) fn named(&self, text: &str) -> String {
        let upper = self.names.system.to_uppercase();
        let apart = match self.dialect {
            Dialect::C99 => String::new(),
            Dialect::Cuda => format!("{upper}_APART "),
        };
        replaced(
            text,
            &[
                ("NAME_apart ", &apart),
                ("NAME_real", &self.names.real),
                ("NAME_helper_", &self.names.helper),
                ("NAME", &self.names.system),
                ("MACRO", &upper),
            ],
        )
    }

    fn head(&mut self, declaration: &Declaration) {
        let head = "\
/* The equations of motion of NAME, generated by lagrangian.

   Every function returns 0, or
   1  the mass matrix is singular at this state
   2  a constraint adds nothing to those above it at this state
   3  an iteration did not converge
   4  an argument, a parameter or the result is NaN or infinite
   and writes its results only if it returns 0. Results may not overlap arguments. Matrices are row by row.

   `#define MACRO_REAL float` before this text makes it single precision. With MACRO_DECLARATIONS defined it is a
   header: it declares the functions and does not define them. */

#ifndef MACRO_TYPES
#define MACRO_TYPES

#include <math.h>

#ifndef MACRO_REAL
#define MACRO_REAL double
#endif

";
        let head = self.named(head);
        self.line(&head);
        self.line("typedef struct {");
        self.fields(declaration, &self.names.real.clone());
        let open = "} NAME;\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
        let open = self.named(open);
        self.line(&open);
    }

    /// The fields of the struct, of this type.
    pub(super) fn fields(&mut self, declaration: &Declaration, real: &str) {
        let fields = declaration.parameters.iter().zip(&self.names.parameters);
        for (parameter, name) in fields {
            let extent = match parameter.shape {
                Shape::Scalar => String::new(),
                Shape::Vector(length) => format!("[{length}]"),
                Shape::Matrix(rows, columns) => format!("[{rows}][{columns}]"),
            };
            let _ = writeln!(self.text, "    {real} {name}{extent};");
        }
        if declaration.parameters.is_empty() {
            let _ = writeln!(self.text, "    {real} unused;");
        }
    }

    fn middle(&mut self) {
        let text = "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n\n#ifndef MACRO_DECLARATIONS\n";
        let text = self.named(text);
        self.line(&text);
    }

    fn tail(&mut self) {
        self.line("#endif");
    }

    /// The helper functions that a text calls, directly or by others.
    pub(super) fn helpers(&self, called_by: &str) -> String {
        let text = |name: &str| {
            let mark = format!("/* [{name}] */\n");
            let helper = section(HELPERS, &mark, "/* [").trim_end_matches('\n');
            let helper = self.sized(helper) + "\n\n";
            match self.dialect {
                Dialect::Cuda if ROLLED.contains(&name) => self.rolled(&helper),
                _ => helper,
            }
        };
        helpers(&SECTIONS, called_by, |call| self.named(call), text)
    }

    /// The text with a mark before each loop.
    fn rolled(&self, text: &str) -> String {
        let mark = self.named("MACRO_ROLLED for (");
        let lines = text.split_inclusive('\n').map(|line| {
            let code = line.trim_start();
            match code.strip_prefix("for (") {
                Some(rest) => [&line[..line.len() - code.len()], &mark, rest].concat(),
                None => line.to_owned(),
            }
        });
        lines.collect()
    }

    /// The text of a helper with the names and sizes of this system.
    fn sized(&self, text: &str) -> String {
        let (mut n, mut size) = (0, 0);
        for routine in self.routines {
            routine.for_each_step(&mut |step| {
                if let Step::Kernel {
                    kernel, arguments, ..
                } = step
                    && let Some((own, rows)) = kernel.sizes(arguments)
                {
                    n = n.max(own);
                    size = size.max(own + rows);
                }
            });
        }
        let text = text.replace("SIZE_N", &n.to_string());
        self.named(&text.replace("SIZE_S", &size.to_string()))
    }

    /// `int cart_pole_momenta(const cart_pole *self, const CART_POLE_REAL q[2], .., CART_POLE_REAL p[2])`
    pub(super) fn prototype(&mut self, routine: &Routine, linkage: &str) {
        let system = &self.names.system;
        let real = self.names.real.clone();
        let own = match self.dialect {
            Dialect::C99 => system.clone(),
            Dialect::Cuda => format!("::{system}<S>"),
        };
        let mut parts = vec![format!("const {own} *self")];
        let arguments = routine
            .arguments
            .iter()
            .filter(|argument| argument.length > 0);
        parts.extend(arguments.map(|argument| {
            let ty = if argument.is_flags { "int" } else { &real };
            match argument.is_scalar {
                true => format!("const {ty} {}", argument.name),
                false => format!("const {ty} {}[{}]", argument.name, argument.length),
            }
        }));
        let results = routine.results.iter().zip(names::results(routine));
        let results = results.filter(|(result, _)| !result.shape.is_empty());
        parts.extend(results.map(|(result, name)| match result.shape {
            Shape::Scalar if result.is_count => format!("int *{name}"),
            Shape::Scalar => format!("{real} *{name}"),
            shape => format!("{real} {name}[{}]", shape.len()),
        }));
        let function = self.names.function(&routine.name);
        let _ = write!(self.text, "{linkage}int {function}({})", parts.join(", "));
    }
}
