//! Solutions of systems whose rows of J may depend on each other.
//!
//! ```text
//! pub fn solve(&self, q, v, u) -> Result<RedundantMotion<S, 3, 5>, Error> {
//!     let (ref __m, .., ref __l) = self.__terms(q, v, u);
//!     if are_clear(&__d[3..], &__s[3..]) && AcceptanceTest { .. }.accepts() {
//!         return Ok(RedundantMotion { acceleration: vector(*__a), multipliers: vector(*__l), rank: 2 });
//!     }
//!     self.__careful(q, v, u)
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

use super::assembly::{call, call_by_name, ok, only_if, vector_of};
use super::function::{APART, Code, Function};
use super::skeleton::Skeleton;
use super::terms::{Terms, matrices};
use crate::generated::{CAREFUL, CLEAR, Method};
use crate::methods::{Argument, Layout, Size, Value};

/// The body of `solve`.
pub(super) fn solve(terms: &Terms, layout: &Layout) -> String {
    let quick = only_if(terms.unrolled, || {
        let bindings = terms.binding(layout, [true, true], |part| format!("ref {}", part.name()));
        let (n, rank) = (layout.velocities, layout.rank);
        let are_clear = format!("__rt::linalg::are_clear(&__d[{n}..], &__s[{n}..])");
        let [a, lambda] = ["*__a", "*__l"].map(vector_of);
        let found = ok(format!(
            "__rt::RedundantMotion {{ acceleration: {a}, multipliers: {lambda}, rank: {rank} }}"
        ));
        let accepted = terms.trust.returned(layout, &found, Some(are_clear), true);
        format!("{bindings} {accepted}")
    });
    quick + &call(CAREFUL, layout)
}

/// The state, moved onto the constraints if the rank of J is not clear beside them.
pub(super) fn clear(skeleton: &Skeleton) -> Function {
    let layout = &skeleton.layout;
    let moving = layout.arguments(&[Argument::Q, Argument::V]);
    let method = |method: Method| call_by_name(method.name(), &moving);
    let matrices = matrices(layout);
    let (rates, projected) = (method(Method::ConstraintVelocity), method(Method::Project));
    let body = format!(
        "{matrices}
         if __rt::linalg::is_clear(__m, __j, &v.data.0[0], &{rates}.data.0[0]) {{
             return (*q, *v);
         }}
         {projected}.unwrap_or((*q, *v))"
    );
    Function {
        attributes: APART.into(),
        visibility: Code::NONE,
        docs: String::new(),
        name: CLEAR.into(),
        generics: "",
        returned: Value::Pair(Size::Coordinates, Size::N).returned(false, layout),
        arguments: moving,
        places: String::new(),
        real: true,
        body: body.into(),
    }
}
