//! Solutions of systems whose rows of J may depend on each other.
//!
//! ```text
//! pub fn solve(&self, q, v, u) -> Result<RedundantMotion<S, 3, 5>, Error> {
//!     let (ref __m, .., ref __l) = self.__terms(q, v, u);
//!     if are_clear(&__d[3..], &__s[3..]) && AcceptanceTest { .. }.accepts() {
//!         return Ok(RedundantMotion { acceleration: vector(*__a), multipliers: vector(*__l), rank: 2 });
//!     }
//!     let (__a, __l, __rank) = self.__careful(q, v, u)?;
//!     Ok(RedundantMotion { acceleration: vector(__a), multipliers: vector(__l), rank: __rank })
//! }
//!
//! fn __careful(&self, q, v, u) -> Result<([S; 3], [S; 5], usize), Error> {
//!     check_finite(&[("q", q), ("v", v), ("u", u)])?;
//!     let (ref q, ref v) = self.__clear(q, v);
//!     redundant_in_place(&mut self.mass_matrix(q), &self.constraint_jacobian(q), ..)
//! }
//!
//! fn __clear(&self, q, v) -> (SVector<S, 3>, SVector<S, 3>) {
//!     if is_clear(&mut self.mass_matrix(q), &self.constraint_jacobian(q), v, &self.constraint_velocity(q, v)) {
//!         return (*q, *v);
//!     }
//!     self.project(q, v).unwrap_or((*q, *v))
//! }
//! ```
//!
//! The unrolled solution leaves out the rows that are zero by structure. It is accepted only if the others are clearly
//! independent. Otherwise rows may depend on each other on the constraints, but no longer at a state beside them, as in
//! the stages of an integrator. So the solution is that of the state moved onto the constraints.

use super::assembly::{arguments, blamed, call, call_by_name, finite, ok, only_if, vector_of};
use super::function::{Code, Function};
use super::skeleton::Skeleton;
use super::terms::{Terms, matrices};
use crate::generated::{CAREFUL, CLEAR, Method};
use crate::methods::{Argument, Layout, Size, Value};

/// The body of `solve`.
pub(super) fn solve(terms: &Terms, layout: &Layout) -> String {
    let motion = |[a, lambda, rank]: [&str; 3]| {
        let [a, lambda] = [a, lambda].map(vector_of);
        ok(format!(
            "__rt::RedundantMotion {{ acceleration: {a}, multipliers: {lambda}, rank: {rank} }}"
        ))
    };
    let quick = only_if(terms.unrolled, || {
        let bindings = terms.binding(layout, [true, true], |part| format!("ref {}", part.name()));
        let n = layout.velocities;
        let are_clear = format!("__rt::linalg::are_clear(&__d[{n}..], &__s[{n}..])");
        let found = motion(["*__a", "*__l", &layout.rank.to_string()]);
        let accepted = terms.trust.returned(layout, &found, Some(are_clear), true);
        format!("{bindings} {accepted}")
    });
    let careful = call(CAREFUL, layout);
    let result = motion(["__a", "__l", "__rank"]);
    format!(
        "{quick}
         let (__a, __l, __rank) = {careful}?;
         {result}"
    )
}

/// The private methods.
pub(super) fn functions(skeleton: &Skeleton) -> [Function; 2] {
    let layout = &skeleton.layout;
    let moving = layout.arguments(&[Argument::Q, Argument::V]);
    let (n, c) = (layout.velocities, layout.constraints);
    let method = |method: Method| call_by_name(method.name(), &moving);
    let finite = finite(&arguments(layout));
    let (moved, matrices, blamed) = (moved(layout), matrices(layout), blamed());
    let forcing = call(Method::Forcing.name(), layout);
    let gamma = method(Method::ConstraintGamma);
    let careful = format!(
        "{finite}
         {moved}
         {matrices}
         let (__f, __g) = ({forcing}, {gamma});
         __rt::linalg::redundant_in_place(__m, __j, &__f.data.0[0], &__g.data.0[0]){blamed}"
    );
    let (rates, projected) = (method(Method::ConstraintVelocity), method(Method::Project));
    let clear = format!(
        "{matrices}
         if __rt::linalg::is_clear(__m, __j, &v.data.0[0], &{rates}.data.0[0]) {{
             return (*q, *v);
         }}
         {projected}.unwrap_or((*q, *v))"
    );
    let function = |name: &'static str, docs: &str, arguments, returned, body: String| Function {
        attributes: "#[inline(never)] ".into(),
        visibility: Code::NONE,
        docs: docs.to_owned(),
        name: name.into(),
        generics: "",
        arguments,
        places: String::new(),
        returned,
        real: true,
        body: body.into(),
    };
    let solution = format!("([S; {n}], [S; {c}], __rt::core::primitive::usize)");
    [
        function(
            CAREFUL,
            "The solution where rows of J may depend on each other.",
            arguments(layout),
            format!("__rt::core::result::Result<{solution}, __rt::Error>"),
            careful,
        ),
        function(
            CLEAR,
            "The state, moved onto the constraints if the rank of J is not clear beside them.",
            moving.clone(),
            Value::Pair(Size::Coordinates, Size::N).returned(false, layout),
            clear,
        ),
    ]
}

/// Replaces q and v by a state with a clear rank of J, in a redundant system.
pub(super) fn moved(layout: &Layout) -> String {
    only_if(layout.has_redundant_rows(), || {
        let moving = layout.arguments(&[Argument::Q, Argument::V]);
        let clear = call_by_name(CLEAR, &moving);
        format!("let (ref q, ref v) = {clear};")
    })
}
