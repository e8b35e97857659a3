//! The private methods that all accelerations use. The methods compute the terms of the equations of motion and, if it
//! is unrolled, the solution.
//!
//! ```text
//! fn __terms(&self, q, v, u) -> ([S; 3], [S; 2], [S; 2], [S; 2])  // M, f, pivots, a
//! ```
//!
//! A large system has no space on its stack for copies of M and J, and the recursive elimination has no M. In these
//! cases a separate method writes the matrices to their places, and only the pivoted solve calls it. `__terms`
//! exists if the solution is unrolled, and then returns only vectors. With many constraints `__terms::<true>`
//! refines a solution that has lost digits (`parts.rs`).
//!
//! ```text
//! fn __equations(&self, q, v, u, __m: &mut [[S; 99]; 99], __f: &mut [S; 99], ..)
//! ```

use lagrange_engine::{
    Correction, Dynamics, Factorization, Operations, Program, Quantity, SolveProgram, lower_of,
};

use super::acceptance_call::{AcceptanceCall, find_angles, find_unreached_arguments};
use super::assembly::{arguments, call, call_by_name, call_with_places, list, only_if};
use super::body::{Body, place_by_rows};
use super::context::Context;
use super::function::{APART, Function, INLINED};
use super::parts::{self, Part};
use crate::backend::rust::cost_model::{
    FEW_VELOCITIES, MOST_COPIED, MOST_COPIED_OF_FEW, MOST_RETURNED, MOST_TWICE,
};
use crate::generated::{EQUATIONS, INERTIA, Method, ROWS, TERMS};
use crate::methods::{Argument, Layout};

/// The methods, and the data that other methods need to read their results.
pub(super) struct Terms {
    pub(super) functions: Vec<Function>,
    pub(super) operations: Operations,
    /// True if the results of `__terms` include the solution.
    pub(super) unrolled: bool,
    /// True if the pivoted solve is a separate method.
    pub(super) is_apart: bool,
    /// True if M and J are written in place by a separate method, and not returned by `__terms`.
    pub(super) in_place: bool,
    /// The acceptance test of the unrolled solution.
    pub(super) acceptance: AcceptanceCall,
    /// True if `__terms` can refine the solution on request.
    has_correction: bool,
    /// The results of `__terms` in order.
    parts: Vec<Part>,
}

/// Short terms are inlined into their callers. A call would write its many results one by one, and the caller would
/// read several results at once immediately after. Processors cannot forward these stores.
pub(super) fn choose_inlining(operations: u32, layout: &Layout) -> &'static str {
    let most = if layout.velocities <= FEW_VELOCITIES {
        MOST_COPIED_OF_FEW
    } else {
        MOST_COPIED
    };
    if operations <= most {
        INLINED
    } else {
        "#[inline] "
    }
}

impl Terms {
    pub(super) fn new(context: &Context) -> Self {
        let layout = &context.skeleton.layout;
        let TermsCode {
            program,
            factors,
            correction,
            has_mass_matrix,
        } = choose_code(context);
        let correction = correction.as_ref();
        let in_place = !has_mass_matrix || is_in_place(layout);
        let unrolled = factors.is_some();
        let parts = parts::list_parts(&program, factors.as_ref(), layout, in_place);
        let mut operations = program.operations();
        if layout.reacts() {
            let forces = context.dynamics.program(&[Quantity::MultiplierForces]);
            operations = operations + forces.operations();
        }
        let is_apart =
            unrolled && !in_place && correction.is_none() && operations.total() <= MOST_TWICE;
        let mut angles = Vec::new();
        if is_apart {
            angles = find_angles(&program.schedule);
        }
        let is_within = !angles.is_empty();
        let acceptance = factors.as_ref().map(|factors| {
            let unreached =
                find_unreached_arguments(&program.schedule, factors, correction, layout);
            AcceptanceCall::new(factors, unreached, angles)
        });
        let mut functions = Vec::new();
        if unrolled || !in_place && !layout.reacts() {
            functions.push(Function {
                attributes: match correction {
                    // `solve` and the method without a check each have a copy, and the latter needs only half of
                    // it.
                    Some(_) => INLINED.into(),
                    None => choose_inlining(program.operations().total(), layout).into(),
                },
                docs: parts::summarize_results(unrolled, layout, in_place),
                generics: match (correction, is_within) {
                    (Some(_), _) => "<const __CORRECTED: __rt::core::primitive::bool>",
                    (None, true) => "<const __WITHIN: __rt::core::primitive::bool>",
                    (None, false) => "",
                },
                returned: parts::write_return_type(&parts),
                body: parts::write_terms_body(
                    &program.schedule,
                    &parts,
                    correction,
                    is_within,
                    &context.parameters,
                )
                .into(),
                ..private_method(layout)
            });
        }
        if in_place && !layout.reacts() {
            functions.push(write_equations(context, unrolled));
        }
        Terms {
            functions,
            operations,
            unrolled,
            is_apart,
            in_place,
            acceptance: acceptance.unwrap_or_default(),
            has_correction: correction.is_some(),
            parts: parts.iter().map(|part| part.part).collect(),
        }
    }

    /// `let (__m, __f, __d, __a) = self.__terms(q, v, u);`, with a pattern for each result. The flags select
    /// whether the solution is refined, and whether the range of angles is left to the caller.
    pub(super) fn bind_results(
        &self,
        layout: &Layout,
        [corrected, within]: [bool; 2],
        pattern: impl Fn(Part) -> String,
    ) -> String {
        let patterns = list(self.parts.iter().map(|part| pattern(*part)));
        let chosen = match (self.has_correction, !self.acceptance.angles.is_empty()) {
            (true, _) => format!("::<{corrected}>"),
            (false, true) => format!("::<{within}>"),
            (false, false) => String::new(),
        };
        let call = call(&format!("{TERMS}{chosen}"), layout);
        format!("let ({patterns}) = {call};")
    }

    /// The same for a large system: writes M and J to their places.
    pub(super) fn write_to_places(&self, layout: &Layout) -> String {
        let is_constrained = layout.constraints > 0;
        let (n, c) = (layout.velocities, layout.constraints);
        let mut zeros = format!(
            "let __zero = __rt::math::constant::<S>(0.0);
             let mut __m = [[__zero; {n}]; {n}];
             let mut __f = [__zero; {n}];"
        );
        let mut places = vec!["&mut __m".to_owned(), "&mut __f".to_owned()];
        if is_constrained {
            zeros += &format!(
                "let mut __j = [[__zero; {n}]; {c}];
                 let mut __g = [__zero; {c}];"
            );
            places.extend(["&mut __j".to_owned(), "&mut __g".to_owned()]);
        }
        let call = call_with_places(EQUATIONS, &arguments(layout), &places);
        format!("{zeros} {call};")
    }
}

/// Returns whether M and J are too large to be returned.
pub(super) fn is_in_place(layout: &Layout) -> bool {
    let (n, c) = (layout.velocities, layout.constraints);
    n * (n + c) > MOST_RETURNED
}

/// A private method that takes the whole state.
fn private_method(layout: &Layout) -> Function {
    Function {
        name: TERMS.into(),
        arguments: arguments(layout),
        returned: "()".to_owned(),
        ..Function::default()
    }
}

/// The code for the terms, which may include M. A short system also has their solution, and with many constraints a
/// refinement step.
struct TermsCode {
    program: Program,
    factors: Option<Factorization>,
    correction: Option<Correction>,
    has_mass_matrix: bool,
}

fn choose_code(context: &Context) -> TermsCode {
    let (dynamics, layout) = (context.dynamics, &context.skeleton.layout);
    let is_redundant = layout.has_redundant_rows();
    let pivoted = || TermsCode {
        program: dynamics.program(&SolveProgram::TERMS),
        factors: None,
        correction: None,
        has_mass_matrix: true,
    };
    // The matrix is not symmetric.
    if layout.reacts() {
        return pivoted();
    }
    let solution = context.routines().solve_program().clone();
    if solution.factorization.is_none() {
        return pivoted();
    }
    let may_lose_digits = !is_redundant && solution.may_lose_digits();
    TermsCode {
        correction: may_lose_digits.then(|| solution.correction()).flatten(),
        has_mass_matrix: solution.has_mass_matrix(),
        program: solution.terms,
        factors: solution.factorization,
    }
}

/// The method that writes the lower triangle of M, f, J and gamma, without entries that are zero, to places that
/// hold zeros. It is never inlined, so that its frame is released before the solution.
///
/// The values come from the separate methods if only the pivoted solve needs them, or if they have no common
/// subexpressions. In the first case the common subexpressions are not worth separate code.
fn write_equations(context: &Context, unrolled: bool) -> Function {
    let layout = &context.skeleton.layout;
    let body = if unrolled || !have_common_parts(context.dynamics) {
        call_each_method(layout).into()
    } else {
        compute_together(context).into()
    };
    let (n, c) = (layout.velocities, layout.constraints);
    let mut places = format!("__m: &mut [[S; {n}]; {n}], __f: &mut [S; {n}]");
    if c > 0 {
        places += &format!(", __j: &mut [[S; {n}]; {c}], __g: &mut [S; {c}]");
    }
    Function {
        attributes: APART.into(),
        docs: parts::summarize_results(false, layout, false),
        name: EQUATIONS.into(),
        places,
        body,
        ..private_method(layout)
    }
}

/// Returns whether code for M, f, J and gamma together takes fewer operations than separate code.
fn have_common_parts(dynamics: &Dynamics) -> bool {
    let total = |quantities: &[Quantity]| dynamics.program(quantities).operations().total();
    let parts = SolveProgram::TERMS.iter().map(|part| total(&[*part]));
    total(&SolveProgram::TERMS) < parts.sum()
}

/// Code that computes M, f, J and gamma together.
fn compute_together(context: &Context) -> String {
    let n = context.skeleton.layout.velocities;
    let program = context.dynamics.program(&SolveProgram::TERMS);
    let [mass, forcing, jacobian, gamma] = [0, 1, 2, 3].map(|index| program.results(index));
    let mass = lower_of(mass, n);
    let results = [&mass[..], forcing, jacobian, gamma];
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    body.assign_triangle(Part::Mass.name(), &mass, n);
    body.assign_vector(Part::Forcing.name(), forcing);
    body.assign(Part::Jacobian.name(), &place_by_rows(jacobian, n));
    body.assign_vector(Part::Gamma.name(), gamma);
    body.finish()
}

/// The same by a method for each.
fn call_each_method(layout: &Layout) -> String {
    let mass = write_mass_matrix(layout, "__m");
    let forcing = call(Method::Forcing.name(), layout);
    let constrained = only_if(layout.constraints > 0, || {
        let rows = write_rows(layout, "__j");
        let arguments = layout.arguments(&[Argument::Q, Argument::V]);
        let gamma = call_by_name(Method::ConstraintGamma.name(), &arguments);
        format!(
            "{rows}
             *__g = {gamma}.data.0[0];"
        )
    });
    format!(
        "{mass}
         *__f = {forcing}.data.0[0];
         {constrained}"
    )
}

/// `self.__inertia(q, __m);`: writes the lower triangle of M to a place of zeros, given by an expression.
pub(super) fn write_mass_matrix(layout: &Layout, place: &str) -> String {
    let arguments = layout.arguments(&[Argument::Q, Argument::MassV]);
    if is_in_place(layout) {
        let call = call_with_places(INERTIA, &arguments, &[place.to_owned()]);
        return format!("{call};");
    }
    let call = call_by_name(Method::MassMatrix.name(), &arguments);
    format!("*{place} = {call}.data.0;")
}

/// The same for J by rows.
pub(super) fn write_rows(layout: &Layout, place: &str) -> String {
    let arguments = layout.arguments(&[Argument::Q]);
    if is_in_place(layout) {
        let call = call_with_places(ROWS, &arguments, &[place.to_owned()]);
        return format!("{call};");
    }
    let call = call_by_name(Method::ConstraintJacobian.name(), &arguments);
    format!("*{place} = {call}.transpose().data.0;")
}

/// The methods that write a single large matrix.
pub(super) fn write_matrix_methods(context: &Context) -> Vec<Function> {
    let layout = &context.skeleton.layout;
    let mut functions = Vec::new();
    if is_in_place(layout) {
        functions.push(write_inertia_method(context));
        if layout.constraints > 0 {
            functions.push(write_rows_method(context));
        }
    }
    functions
}

/// J by rows.
fn write_rows_method(context: &Context) -> Function {
    let layout = &context.skeleton.layout;
    let program = context.dynamics.program(&[Quantity::ConstraintJacobian]);
    let jacobian = program.results(0);
    let mut body = Body::new(&program.schedule, &[jacobian], &context.parameters);
    body.assign(
        Part::Jacobian.name(),
        &place_by_rows(jacobian, layout.velocities),
    );
    let (n, c) = (layout.velocities, layout.constraints);
    Function {
        attributes: APART.into(),
        docs: "J by rows.".to_owned(),
        name: ROWS.into(),
        arguments: layout.arguments(&[Argument::Q]),
        places: format!("__j: &mut [[S; {n}]; {c}]"),
        body: body.finish().into(),
        ..private_method(layout)
    }
}

/// The lower triangle of M.
fn write_inertia_method(context: &Context) -> Function {
    let layout = &context.skeleton.layout;
    let program = context.dynamics.program(&[Quantity::MassMatrix]);
    let mass = lower_of(program.results(0), layout.velocities);
    let mut body = Body::new(&program.schedule, &[&mass], &context.parameters);
    body.assign_triangle(Part::Mass.name(), &mass, layout.velocities);
    let n = layout.velocities;
    Function {
        attributes: APART.into(),
        docs: "The lower triangle of M by rows.".to_owned(),
        name: INERTIA.into(),
        arguments: layout.arguments(&[Argument::Q, Argument::MassV]),
        places: format!("__m: &mut [[S; {n}]; {n}]"),
        body: body.finish().into(),
        ..private_method(layout)
    }
}
