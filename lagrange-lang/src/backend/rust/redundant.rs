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
//! ```
//!
//! The unrolled solution leaves out the rows that are zero by structure. It is accepted only if the others are clearly
//! independent. Otherwise rows may depend on each other on the constraints, but no longer at a state beside them, as in
//! the stages of an integrator. So the solution is that of the state moved onto the constraints.

use super::assembly::{call, ok, only_if, vector_of};
use super::terms::Terms;
use crate::generated::CAREFUL;
use crate::methods::Layout;

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
