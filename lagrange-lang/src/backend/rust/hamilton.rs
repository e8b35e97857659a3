//! Hamilton's equations: velocities from momenta, the Hamiltonian, and the rates of both.
//!
//! ```text
//! pub fn velocity(&self, q, p) -> Result<SVector<S, 2>, Error> {
//!     check_finite(&[("q", q), ("p", p)])?;
//!     let mut __m = self.mass_matrix(q); let __m = &mut __m.data.0;
//!     let (__d, __s, __a) = { .. };  // pivots, diagonal, v
//!     if are_regular(&__d, &__s) && all_finite(&__a) { return Ok(__a); }
//!     solve_in_place(__m, &p.data.0[0]).map_err(|__error| self.__blame(__error))
//! }
//! ```
//!
//! If the momenta at rest are not zero, they are subtracted from `p`. A large M is written to its place by the
//! method `__inertia`, whose frame is released before the solution.

use lagrange_engine::{Operand, Operations, Quantity, Symbol};

use super::acceptance_call::Trust;
use super::assembly::{
    blamed, call, call_by_name, finite, finite_behind, invoke, list, ok, only_if, unless, vector_of,
};
use super::body::{Body, is_large};
use super::context::Context;
use super::forms::of_parts;
use super::function::{Definition, Details};
use super::solve::Solver;
use super::symbols::Parameters;
use crate::backend::rust::cost_model::MOST_UNROLLED_MOMENTA;
use crate::generated::{INERTIA, Method};
use crate::methods::{Argument, Layout};

/// Returns whether M is small enough to be returned by value.
fn is_returned(layout: &Layout) -> bool {
    !is_large(layout.velocities * layout.velocities)
}

/// The velocities of momenta.
pub(super) fn velocity(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let finite = finite(&layout.arguments(&[Argument::Q, Argument::P]));
    let mass_matrix = mass_matrix(layout);
    let (kinetic, subtractions) = kinetic_momenta(context);
    let (attempt, factorization) = attempt(context);
    let solution = ok(vector_of("__a"));
    let blamed = blamed();
    Definition {
        body: format!(
            "{finite}
             {mass_matrix}
             {kinetic}
             {attempt}
             let __a = __rt::linalg::solve_in_place(__m, &p.data.0[0]){blamed}?;
             {solution}"
        )
        .into(),
        details: Details {
            operations: factorization.unwrap_or_default() + subtractions,
            beyond: if factorization.is_some() {
                " beyond those of `mass_matrix`"
            } else {
                " beyond those of `mass_matrix`, and a factorization of M"
            },
            ..Details::default()
        },
    }
}

/// `__m`, with M at rest if its method takes velocities.
fn mass_matrix(layout: &Layout) -> String {
    let n = layout.velocities;
    let zero = "__rt::math::constant::<S>(0.0)".to_owned();
    let rest = only_if(layout.by_lagrangian, || {
        let zeros = vector_of(format!("[{zero}; {n}]"));
        format!("let __rest = {zeros};")
    });
    let arguments = layout.arguments(&[Argument::Q, Argument::MassV]);
    let at_rest = |argument: &Argument| match argument {
        Argument::V => "&__rest".to_owned(),
        other => other.name().to_owned(),
    };
    let matrix = if is_returned(layout) {
        let call = invoke(Method::MassMatrix.name(), &arguments, at_rest);
        format!(
            "let mut __m = {call};
             let __m = &mut __m.data.0;"
        )
    } else {
        let arguments: String = arguments
            .iter()
            .map(|argument| at_rest(argument) + ", ")
            .collect();
        format!(
            "let mut __m = [[{zero}; {n}]; {n}];
             self.{INERTIA}({arguments}&mut __m);
             let __m = &mut __m;"
        )
    };
    rest + &matrix
}

/// `let p = ..;`, the momenta minus those at rest, unless the latter are zero.
fn kinetic_momenta(context: &Context) -> (String, Operations) {
    let program = context.dynamics.program(&[Quantity::KineticMomenta]);
    let results = program.results(0);
    let mut momenta = results.iter().enumerate();
    if momenta.all(|(i, entry)| *entry == Operand::Symbol(Symbol::Momentum(i as u32))) {
        return (String::new(), Operations::default());
    }
    let mut body = Body::new(&program.schedule, &[results], &context.parameters);
    body.array(results);
    let values = body.finish();
    let kinetic = vector_of(format!("{{ {values} }}"));
    let binding = format!(
        "let __kinetic = {kinetic};
         let p = &__kinetic;"
    );
    (binding, program.operations())
}

/// The unrolled solution, which is returned if it can be trusted, and its operation count.
fn attempt(context: &Context) -> (String, Option<Operations>) {
    let n = context.skeleton.layout.velocities;
    let Some((schedule, factors)) = context.dynamics.inverse_program(MOST_UNROLLED_MOMENTA) else {
        return (String::new(), None);
    };
    let entries = Parameters::lower_triangle(n);
    let results = [&factors.pivots, &factors.diagonal, &factors.solution].map(Vec::as_slice);
    let mut body = Body::new(&schedule, &results, &entries);
    body.push("(");
    for result in results {
        body.array(result);
        body.push(", ");
    }
    body.push(")");
    let values = body.finish();
    let trusted = Trust::of(&factors).of_inverse("__a");
    let result = ok(vector_of("__a"));
    let attempt = format!(
        "let (__d, __s, __a) = {{ {values} }};
         if {trusted} {{
             return {result};
         }}"
    );
    (attempt, Some(schedule.operations()))
}

/// `let v = ..;` for bodies that read the velocities.
fn binding_velocities(layout: &Layout) -> String {
    let arguments = layout.arguments(&[Argument::Q, Argument::P]);
    let velocity = call_by_name(Method::Velocity.name(), &arguments);
    format!(
        "let __velocity = {velocity}?;
         let v = &__velocity;"
    )
}

/// p.v - L
pub(super) fn hamiltonian(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let velocities = binding_velocities(layout);
    let state = layout.arguments(&[Argument::Q, Argument::V]);
    let lagrangian = call_by_name(Method::Lagrangian.name(), &state);
    let n = layout.velocities;
    let finite = unless("__rt::linalg::all_finite(&[__h])");
    let result = ok("__h");
    let body = format!(
        "{velocities}
         let (__p, __v) = (&p.data.0[0], &v.data.0[0]);
         let mut __h = -{lagrangian};
         for __i in 0..{n} {{
             __h = __rt::math::mul_add(__p[__i], __v[__i], __h);
         }}
         {finite}
         {result}"
    );
    of_parts(
        body,
        " beyond those of `velocity`, `lagrangian` and a product of vectors",
    )
}

/// dq/dt = N v, and dp/dt = dL/dq + Q + J^T lambda - w x p, with B lambda if forces depend on multipliers.
///
/// ```text
/// let __velocity = self.velocity(q, p)?;
/// let v = &__velocity;
/// let (__rates, __forces) = { .. };
/// let __held = self.constraint_forces(q, v, u)?;
/// let __forces = [__forces[0] + __held.data.0[0][0], ..];
/// ```
pub(super) fn equations(context: &Context, _: &Solver) -> Definition {
    let layout = &context.skeleton.layout;
    let quantities = [Quantity::CoordinateRates, Quantity::MomentumRate];
    let program = context.dynamics.program(&quantities);
    let results = [program.results(0), program.results(1)];
    let mut body = Body::new(&program.schedule, &results, &context.parameters);
    body.push("(");
    body.array(results[0]);
    body.push(", ");
    body.array(results[1]);
    body.push(")");
    let values = body.finish();
    let velocities = binding_velocities(layout);
    // `velocity` tests the other arguments.
    let all = layout.arguments(&[Argument::Q, Argument::P, Argument::U]);
    let inputs = only_if(layout.inputs > 0, || finite_behind(&[Argument::U], &all));
    let held = match layout.reacts() {
        true => adding_reactions(layout),
        false => only_if(layout.constraints > 0, || adding_constraint_forces(layout)),
    };
    let finite =
        unless("__rt::linalg::all_finite(&__rates) && __rt::linalg::all_finite(&__forces)");
    let [rates, forces] = ["__rates", "__forces"].map(vector_of);
    let result = ok(format!("({rates}, {forces})"));
    let (coordinates, velocities_count) = (layout.coordinates, layout.velocities);
    let both = format!("([S; {coordinates}], [S; {velocities_count}])");
    Definition {
        body: format!(
            "{inputs}
             {velocities}
             let (__rates, __forces): {both} = {{ {values} }};
             {held}
             {finite}
             {result}"
        )
        .into(),
        details: Details {
            operations: program.operations(),
            beyond: if layout.reacts() {
                " beyond those of `velocity`, `solve`, `constraint_jacobian`, `multiplier_forces` and a product of \
                 matrix and vector"
            } else if layout.constraints > 0 {
                " beyond those of `velocity` and `constraint_forces`"
            } else {
                " beyond those of `velocity`"
            },
            ..Details::default()
        },
    }
}

/// ```text
/// let __motion = self.solve(q, v, u)?;
/// let __product = || {
///     let __l = &__motion.multipliers.data.0[0];
///     let __jb = reactions(&self.constraint_jacobian(q).transpose().data.0, &self.multiplier_forces(q, v, u));
///     ..
/// };
/// let __forces = __product();
/// ```
///
/// The product is a separate function, so that large matrices are not in the frame that calls `solve`.
fn adding_reactions(layout: &Layout) -> String {
    let solve = call(Method::Solve.name(), layout);
    let jacobian = layout.arguments(&[Argument::Q]);
    let jacobian = call_by_name(Method::ConstraintJacobian.name(), &jacobian);
    let by_multipliers = call(Method::MultiplierForces.name(), layout);
    let blamed = blamed();
    let (n, c) = (layout.velocities, layout.constraints);
    format!(
        "let __motion = {solve} {blamed}?;
         let __product = || {{
             let __l = &__motion.multipliers.data.0[0];
             let __jb = __rt::linalg::reactions(&{jacobian}.transpose().data.0, &{by_multipliers});
             let mut __sums = __forces;
             for __i in 0..{n} {{
                 for __k in 0..{c} {{
                     __sums[__i] = __rt::math::mul_add(__jb[__i][__k], __l[__k], __sums[__i]);
                 }}
             }}
             __sums
         }};
         let __forces = __product();"
    )
}

fn adding_constraint_forces(layout: &Layout) -> String {
    let forces = call(Method::ConstraintForces.name(), layout);
    let entries = (0..layout.velocities).map(|i| format!("__forces[{i}] + __held[{i}]"));
    let blamed = blamed();
    format!(
        "let __held = {forces} {blamed}?;
         let __held = &__held.data.0[0];
         let __forces = [{}];",
        list(entries)
    )
}
