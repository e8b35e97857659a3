//! Derivatives of the acceleration in one program with the acceleration itself, if the program is not too long.
//! Common subexpressions are computed once, and M, or with constraints `[M J^T; J 0]`, is factored once.
//!
//! ```text
//! fn __sensitivities(&self, q, v, u, __by_state: &mut [[S; 4]; 4], __by_input: &mut [[S; 4]; 1])
//!     -> ([[S; 2]; 2], [S; 2], [S; 2], [S; 2])
//! {
//!     ..; *__by_state_0_2 = __t7; ..
//! }
//! fn __linearized(&self, q, v, u, __by_state: &mut [[S; 4]; 4], __by_input: &mut [[S; 4]; 1]) -> bool {
//!     let (__l, __d, __s, __a) = self.__sensitivities(q, v, u, __by_state, __by_input);
//!     are_finite(&[q, v, u]) && AcceptanceTest::of_mass(Pivots { .. }, __a).accepts()
//!         && differentiate_by_factors(&__l, &__d, __by_state, __by_input)
//! }
//! ```
//!
//! The solution is judged like that of `acceleration`, and so are the factors, which serve all columns. With
//! constraints each column is judged by its residual in the constraints, as a is by `J a = gamma`. The derivatives
//! of lambda have their own places. If the program itself solves for columns, their residuals are among its
//! results:
//!
//! ```text
//! fn __linearized(&self, q, v, u, .., __rates_by_state: &mut [[S; 2]; 4], __rates_by_input: &mut [[S; 2]; 1]) -> bool {
//!     let (__x, __y, __z, __d, __s, __r, __w, __a) = self.__sensitivities(q, v, u, ..);
//!     are_finite(&[q, v, u]) && AcceptanceTest { mass: Pivots { .. }, residual: &__r, .. }.accepts()
//!         && all_met(&__x, &__y) & all_finite(&__z)
//! }
//! ```
//!
//! Otherwise L is given by blocks, and the places for the derivatives of lambda first hold the derivatives of
//! `J a - gamma`:
//!
//! ```text
//! let (__l, __b, __c, __j, __d, __s, __r, __w, __a) = self.__sensitivities(q, v, u, ..);
//! .. && differentiate_with_constraints(&Factors { mass: &__l, .. }, ..)
//! ```

use std::ops::Range;

use lagrange_engine::{
    Factorization, Operand, Operations, SensitivityProgram, Shape, lower_triangle,
};

use super::acceptance_call::Trust;
use super::assembly::{are_finite, arguments, call_with_places, matrix, ok, only_if, zeros_of};
use super::body::{Body, by_columns};
use super::context::Context;
use super::function::{Code, Function, INLINED};
use super::parts::{Part, Returned};
use super::pivoted_solve;
use super::terms::{Terms, inlining};
use crate::generated::{LINEARIZED, SENSITIVITIES};
use crate::methods::Layout;

/// The generated derivative code and its operation count.
#[derive(Default)]
pub(super) struct Sensitivities {
    pub(super) linearized: Option<Linearized>,
    /// Code that returns from `vjp` if the result can be trusted.
    pub(super) adjoint: Option<(String, Operations)>,
}

/// The code shared by `linearize`, `acceleration_derivatives`, `multiplier_derivatives` and `linearize_unchecked`.
pub(super) struct Linearized {
    /// The private methods.
    pub(super) functions: [Function; 3],
    pub(super) operations: Operations,
    /// The additional work, for the documentation.
    pub(super) beyond: &'static str,
    /// The same without a check, followed by code for small pivots.
    unchecked: Unchecked,
}

impl Sensitivities {
    /// Only if the solution itself is unrolled, and rows of J do not depend on each other.
    pub(super) fn new(context: &Context, terms: &Terms) -> Self {
        let layout = &context.skeleton.layout;
        if !terms.unrolled || layout.has_redundant_rows() || layout.reacts() || layout.states > 0 {
            return Self::default();
        }
        let linearized = context.dynamics.sensitivity_program();
        let adjoint = linearized
            .as_ref()
            .and_then(|_| context.dynamics.adjoint_program());
        Sensitivities {
            linearized: linearized.map(|program| Linearized::new(context, &program)),
            adjoint: adjoint
                .map(|program| (adjoint_by(context, &program), program.schedule.operations())),
        }
    }
}

impl Linearized {
    fn new(context: &Context, program: &SensitivityProgram) -> Self {
        let layout = &context.skeleton.layout;
        let parts = parts(program, layout);
        let factors = &program.factorization;
        let solution = Solution {
            layout,
            columns: factors.columns.is_some(),
            inputs: factors.columns.is_some() || factors.by_input.is_some(),
        };
        let operations = program.schedule.operations();
        let inlining = inlining(operations.total(), layout);
        Linearized {
            functions: [
                sensitivities_by(context, program, &parts),
                judged_by(context, &parts, &Trust::of(factors), &solution, inlining),
                pivoted_solve::function(context),
            ],
            operations,
            beyond: if solution.columns {
                ", factorization included"
            } else {
                ", factorization included, and a substitution for each column"
            },
            unchecked: Unchecked {
                locals: binding(&parts, |part| match part {
                    Part::Pivots | Part::Diagonal => true,
                    Part::LowerOfMass | Part::Coupling | Part::Complement | Part::Jacobian => {
                        !solution.columns
                    }
                    _ => false,
                }),
                solved: solution.by_factors("_unchecked"),
            },
        }
    }

    /// Writes a linearization to `__a` and `__b`. If any lane has a small pivot, runs the code `careful`.
    ///
    /// ```text
    /// let __regular = {
    ///     let (__by_state, __by_input) = (&mut *__a, &mut *__b);
    ///     let (__l, __d, __s, _) = self.__sensitivities(q, v, u, __by_state, __by_input);
    ///     differentiate_by_factors_unchecked(&__l, &__d, __by_state, __by_input);
    ///     regular_lanes(&__d, &__s)
    /// };
    /// if !__regular { .. }
    /// ```
    pub(super) fn unchecked(&self, careful: &str, layout: &Layout) -> String {
        let (n, c, k) = (layout.velocities, layout.constraints, layout.inputs);
        let [by_state, by_input] = [zeros_of(c, 2 * n), zeros_of(c, k)];
        let rates = only_if(c > 0, || {
            format!(
                "let (__rates_by_state, __rates_by_input) = (&mut {by_state}, &mut {by_input});"
            )
        });
        let sensitivities = call_with_places(SENSITIVITIES, &arguments(layout), &columns(layout));
        let Unchecked { locals, solved } = &self.unchecked;
        let solved = solved.as_ref().map(|solved| format!("{solved};"));
        let solved = solved.unwrap_or_default();
        format!(
            "let __regular = {{
                 let (__by_state, __by_input) = (&mut *__a, &mut *__b);
                 {rates}
                 let {locals} = {sensitivities};
                 {solved}
                 __rt::linalg::regular_lanes(&__d, &__s)
             }};
             if !__regular {{
                 {careful}
             }}"
        )
    }
}

/// The code that completes the results of `__sensitivities` to a linearization without a check.
struct Unchecked {
    /// The pattern for the results that are read.
    locals: String,
    /// The substitution for the remaining columns.
    solved: Option<String>,
}

/// The derivatives for which the program itself solves.
struct Solution<'a> {
    layout: &'a Layout,
    columns: bool,
    inputs: bool,
}

impl Solution<'_> {
    /// The substitution for the remaining columns, if there are any. `behind` is a suffix of the function name.
    fn by_factors(&self, behind: &str) -> Option<String> {
        if self.columns {
            return None;
        }
        if self.layout.constraints > 0 {
            return Some(with_constraints(self.layout, behind));
        }
        let by_input = match self.inputs {
            true => "&mut []".to_owned(),
            false => "__by_input".to_owned(),
        };
        Some(format!(
            "__rt::linalg::differentiate_by_factors{behind}(&__l, &__d, __by_state, {by_input})"
        ))
    }
}

/// The pattern for the results of `__sensitivities`, with names for the used ones.
fn binding(parts: &[Returned], is_used: impl Fn(Part) -> bool) -> String {
    let locals = parts.iter().map(|part| match is_used(part.part) {
        true => format!("{},", part.part.name()),
        false => "_,".to_owned(),
    });
    format!("({})", locals.collect::<String>())
}

/// Entries that are zero are not written.
fn sensitivities_by(
    context: &Context,
    program: &SensitivityProgram,
    parts: &[Returned],
) -> Function {
    let layout = &context.skeleton.layout;
    let (n, k) = (layout.velocities, layout.inputs);
    let factors = &program.factorization;
    let no_inputs = Vec::new();
    let [mut by_position, mut by_velocity, mut by_input] = program.derivatives.each_ref();
    let [mut rates_by_position, mut rates_by_velocity] = program.rates.each_ref();
    let mut rates_by_input = &no_inputs;
    if let Some(inputs) = &factors.by_input {
        by_input = &inputs.entries;
    }
    if let Some(columns) = &factors.columns {
        [by_position, by_velocity, by_input] = columns.accelerations.each_ref();
        [rates_by_position, rates_by_velocity, rates_by_input] = columns.multipliers.each_ref();
    }
    let mut results: Vec<&[Operand]> = parts.iter().map(|part| &part.entries[..]).collect();
    results.extend([&by_position[..], by_velocity, by_input]);
    results.extend([&rates_by_position[..], rates_by_velocity, rates_by_input]);
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    let both = |one: Vec<_>, other: Vec<_>| [one, other].concat();
    let state = both(
        by_columns(by_position, n, (0, n)),
        by_columns(by_velocity, n, (n, n)),
    );
    let rates = both(
        by_columns(rates_by_position, n, (0, 0)),
        by_columns(rates_by_velocity, n, (n, 0)),
    );
    let places = [
        ("__by_state", state),
        ("__by_input", by_columns(by_input, k, (0, n))),
        ("__rates_by_state", rates),
        ("__rates_by_input", by_columns(rates_by_input, k, (0, 0))),
    ];
    for (name, entries) in places {
        body.assign(name, &entries);
    }
    body.push("(");
    for part in parts {
        part.write(&mut body);
        body.push(", ");
    }
    body.push(")");
    let types = parts.iter().map(|part| part.ty() + ", ");
    Function {
        attributes: INLINED.into(),
        visibility: Code::NONE,
        docs: "Writes the derivatives of a and lambda, or the right-hand sides for them, to columns of zeros: by q and v, \
               and by u, below as many rows as there are velocities. With constraints, those of lambda have columns of \
               their own. Returns the factors for the solution, and the terms of its test."
            .to_owned(),
        name: SENSITIVITIES.into(),
        generics: "",
        arguments: arguments(layout),
        places: places_of(layout),
        returned: format!("({})", types.collect::<String>()),
        real: false,
        body: body.finish().into(),
    }
}

/// Tests whether all results of `__sensitivities` can be trusted, after the substitution for the remaining columns.
fn judged_by(
    context: &Context,
    parts: &[Returned],
    trust: &Trust,
    solution: &Solution,
    attributes: &'static str,
) -> Function {
    let layout = &context.skeleton.layout;
    let finite = are_finite(&arguments(layout));
    // The sum of each column tests whether the columns of the program are finite. It is judged with the solution.
    let trusted = if layout.constraints > 0 {
        trust.of_motion(["&__r", "&__w"], "__a", "[]")
    } else {
        trust.of_inverse("__a")
    };
    let met = only_if(layout.constraints > 0, || {
        "__rt::linalg::all_met(&__x, &__y) &".to_owned()
    });
    let solved = solution
        .by_factors("")
        .unwrap_or_else(|| format!("({met} __rt::linalg::all_finite(&__z))"));
    let locals = binding(parts, |_| true);
    let sensitivities = call_with_places(SENSITIVITIES, &arguments(layout), &columns(layout));
    Function {
        attributes: attributes.into(),
        visibility: Code::NONE,
        docs: "Writes the derivatives of a to columns by q and v, and by u, that hold zeros, below as many rows \
               as there are velocities, with constraints those of lambda to columns of their own; whether they can \
               be trusted."
            .to_owned(),
        name: LINEARIZED.into(),
        generics: "",
        arguments: arguments(layout),
        places: places_of(layout),
        returned: "__rt::core::primitive::bool".to_owned(),
        real: true,
        body: format!(
            "let {locals} = {sensitivities};
             {finite} && {trusted} && {solved}"
        )
        .into(),
    }
}

/// The references to the columns, which have the same names in both functions.
fn columns(layout: &Layout) -> Vec<String> {
    let mut columns = vec!["__by_state".to_owned(), "__by_input".to_owned()];
    if layout.constraints > 0 {
        columns.extend(["__rates_by_state".to_owned(), "__rates_by_input".to_owned()]);
    }
    columns
}

/// The columns that both functions write.
fn places_of(layout: &Layout) -> String {
    let (states, c, k) = (2 * layout.velocities, layout.constraints, layout.inputs);
    let mut places = format!(
        "__by_state: &mut [[S; {states}]; {states}], __by_input: &mut [[S; {states}]; {k}]"
    );
    if c > 0 {
        places += &format!(
            ", __rates_by_state: &mut [[S; {c}]; {states}], __rates_by_input: &mut [[S; {c}]; {k}]"
        );
    }
    places
}

/// The factors, the judged part of the solution, and the values that judge both.
fn parts(program: &SensitivityProgram, layout: &Layout) -> Vec<Returned> {
    let (n, c) = (layout.velocities, layout.constraints);
    let factors = &program.factorization;
    let array = |part, entries: &[Operand]| Returned::array(part, entries);
    let matrix = |part, entries: &[Operand], columns| Returned::matrix(part, entries, columns);
    let block = |rows, columns| unit_lower(factors, rows, columns);
    let mut parts = Vec::new();
    if let Some(columns) = &factors.columns {
        if c > 0 {
            parts.extend([
                array(Part::ColumnResiduals, &columns.residual),
                array(Part::ColumnTerms, &columns.terms),
            ]);
        }
        parts.push(array(Part::ColumnSums, &columns.sums));
    } else {
        parts.push(matrix(Part::LowerOfMass, &block(0..n, 0..n), n));
        if c > 0 {
            parts.extend([
                matrix(Part::Coupling, &block(n..n + c, 0..n), n),
                matrix(Part::Complement, &block(n..n + c, n..n + c), c),
                matrix(Part::Jacobian, &program.jacobian, n),
            ]);
        }
    }
    parts.extend([
        array(Part::Pivots, &factors.pivots),
        array(Part::Diagonal, &factors.diagonal),
    ]);
    if c > 0 {
        let unseen = factors.judged.unseen.iter();
        let unseen: Vec<Operand> = unseen.map(|&i| factors.solution[i]).collect();
        parts.extend([
            array(Part::Residual, &factors.residual),
            array(Part::Terms, &factors.terms),
            array(Part::Accelerations, &unseen),
        ]);
    } else {
        let sum = factors.by_input.iter().map(|inputs| inputs.sum);
        let judged = factors.solution.iter().copied().chain(sum);
        let judged: Vec<Operand> = judged.collect();
        parts.push(array(Part::Accelerations, &judged));
    }
    parts
}

/// The substitution for all columns. `behind` is a suffix of the function name.
fn with_constraints(layout: &Layout, behind: &str) -> String {
    let (n, c) = (layout.velocities, layout.constraints);
    let [mass, complement] = [0..n, n..n + c].map(|range| Part::Pivots.elements(range));
    format!(
        "__rt::linalg::differentiate_with_constraints{behind}(
             &__rt::linalg::Factors {{
                 mass: &__l, coupling: &__b, complement: &__c, jacobian: &__j
             }},
             (&[{mass}], &[{complement}]),
             (__by_state, __rates_by_state),
             (__by_input, __rates_by_input),
         )"
    )
}

/// A block of L by rows, including zeros and ones.
fn unit_lower(factors: &Factorization, rows: Range<usize>, columns: Range<usize>) -> Vec<Operand> {
    let places = rows.flat_map(|i| columns.clone().map(move |k| (i, k)));
    let entry = |(i, k)| match k < i {
        true => factors.unit_lower[lower_triangle(i, k)],
        false => Operand::Constant(0.0),
    };
    places.map(entry).collect()
}

/// Columns of `__zero` for A and B.
pub(super) fn zeros(layout: &Layout) -> [String; 2] {
    let states = 2 * layout.velocities;
    [zeros_of(states, states), zeros_of(states, layout.inputs)]
}

/// `let (mut __a, mut __b) = ..;`
pub(super) fn linearization_of_zeros(layout: &Layout) -> String {
    let [a, b] = zeros(layout);
    let mutable = if layout.inputs > 0 { "mut " } else { "" };
    format!(
        "let __zero = __rt::math::constant::<S>(0.0);
         let (mut __a, {mutable}__b) = ({a}, {b});"
    )
}

/// Columns of `__zero` for the derivatives of lambda, if there are constraints:
/// `let (mut __rates_by_state, mut __rates_by_input) = ..;`
pub(super) fn rates_of_zeros(layout: &Layout) -> String {
    let (n, c, k) = (layout.velocities, layout.constraints, layout.inputs);
    let [by_state, by_input] = [zeros_of(c, 2 * n), zeros_of(c, k)];
    let by_input = only_if(k > 0, || format!("let mut __rates_by_input = {by_input};"));
    only_if(c > 0, || {
        format!("let mut __rates_by_state = {by_state}; {by_input}")
    })
}

/// `self.__linearized(q, v, u, __a, __b)` with references. With constraints, the references to the columns of
/// lambda follow.
pub(super) fn call_linearized(layout: &Layout, [a, b]: [String; 2]) -> String {
    let mut places = vec![a, b];
    if layout.constraints > 0 {
        places.push("&mut __rates_by_state".to_owned());
        places.push(match layout.inputs {
            0 => "&mut []".to_owned(),
            _ => "&mut __rates_by_input".to_owned(),
        });
    }
    call_with_places(LINEARIZED, &arguments(layout), &places)
}

/// Returns the derivatives of a if the unrolled ones can be trusted.
pub(super) fn derivatives(layout: &Layout) -> String {
    let n = layout.velocities;
    let columns = [
        format!("__a[__j][{n} + __i]"),
        format!("__a[{n} + __j][{n} + __i]"),
        format!("__b[__j][{n} + __i]"),
    ];
    attempt(layout, layout.velocities, columns)
}

/// The same for lambda.
pub(super) fn derivatives_of_multipliers(layout: &Layout) -> String {
    let n = layout.velocities;
    let columns = [
        "__rates_by_state[__j][__i]".to_owned(),
        format!("__rates_by_state[{n} + __j][__i]"),
        "__rates_by_input[__j][__i]".to_owned(),
    ];
    attempt(layout, layout.constraints, columns)
}

/// Returns this number of rows of the columns by q, v and u. The strings give an entry from `__i` and `__j`.
fn attempt(layout: &Layout, rows: usize, [of_q, of_v, of_u]: [String; 3]) -> String {
    let (n, k) = (layout.velocities, layout.inputs);
    let (zeros, rates) = (linearization_of_zeros(layout), rates_of_zeros(layout));
    let b = match k {
        0 => "&mut []".to_owned(),
        _ => "&mut __b".to_owned(),
    };
    let linearized = call_linearized(layout, ["&mut __a".to_owned(), b]);
    let [by_state, by_input] = [zeros_of(rows, n), zeros_of(rows, k)];
    let [q, v, u] = ["__q", "__v", "__u"].map(matrix);
    let result = ok(format!(
        "__rt::Derivatives {{ q: {q}, v: {v}, z: __rt::SMatrix::zeros(), u: {u} }}"
    ));
    let inputs = only_if(k > 0, || {
        format!(
            "for __j in 0..{k} {{
                 for __i in 0..{rows} {{
                     __u[__j][__i] = {of_u};
                 }}
             }}"
        )
    });
    let mutable = if k > 0 { "mut " } else { "" };
    format!(
        "{zeros}
         {rates}
         if {linearized} {{
             let (mut __q, mut __v, {mutable}__u) = ({by_state}, {by_state}, {by_input});
             for __j in 0..{n} {{
                 for __i in 0..{rows} {{
                     __q[__j][__i] = {of_q};
                     __v[__j][__i] = {of_v};
                 }}
             }}
             {inputs}
             return {result};
         }}"
    )
}

/// ```text
/// let y = w;
/// let (__d, __s, __a, __q, __v, __u) = { .. };
/// if are_finite(&[q, v, u]) && are_regular(&__d, &__s) { return Ok(Gradient { .. }); }
/// ```
///
/// The program contains the solutions for the weights of the accelerations in the place of the weights of the
/// equations.
fn adjoint_by(context: &Context, program: &SensitivityProgram) -> String {
    let layout = &context.skeleton.layout;
    let (n, k) = (layout.velocities, layout.inputs);
    let factors = &program.factorization;
    let [by_position, by_velocity, by_input] = program.derivatives.each_ref().map(Vec::as_slice);
    let results = [
        &factors.pivots,
        &factors.diagonal,
        &factors.solution,
        by_position,
        by_velocity,
        by_input,
    ];
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    body.push("(");
    for entries in &results[..3] {
        body.array(entries);
        body.push(", ");
    }
    // The derivatives of M a + h - Q.
    for entries in [by_position, by_velocity] {
        body.push("-");
        body.value(Shape::Vector(n), entries);
        body.push(", ");
    }
    body.value(Shape::Vector(k), by_input);
    body.push(")");
    let code = body.finish();
    let finite = are_finite(&arguments(layout));
    let trusted = Trust::of(factors).of_inverse("__a");
    let gradient =
        ok("__rt::Gradient { q: __by_q, v: __by_v, z: __rt::SMatrix::zeros(), u: __by_u }");
    format!(
        "let (__d, __s, __a, __by_q, __by_v, __by_u) = {{
             let y = w;
             {code}
         }};
         if {finite} && {trusted}
             && __rt::linalg::are_finite(&[
                 &__by_q.data.0[0], &__by_v.data.0[0], &__by_u.data.0[0],
             ])
         {{
             return {gradient};
         }}"
    )
}
