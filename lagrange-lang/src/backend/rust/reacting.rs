//! Solutions of systems whose forces depend on multipliers: `[M -(J^T + B); J 0]`.
//!
//! ```text
//! pub fn solve(&self, q, v, u) -> Result<Motion<S, 2, 1>, Error> {
//!     check_finite(&[("q", q), ("v", v), ("u", u)])?;
//!     let __m = &mut self.mass_matrix(q).data.0;
//!     let __j = &self.constraint_jacobian(q).transpose().data.0;
//!     let __jb = &reactions(__j, &self.multiplier_forces(q, v, u));
//!     let (__f, __g) = (self.forcing(q, v, u), self.constraint_gamma(q, v));
//!     let __work = &mut Bordered::zeros();
//!     let __solution = Reacting::factor(__m, __jb, __j, __work).and_then(|__s| __s.solve(&__f.data.0[0], &__g.data.0[0]));
//!     let (__a, __l) = __solution.map_err(|__error| self.__blame(__error))?;
//!     Ok(Motion { acceleration: vector(__a), multipliers: vector(__l) })
//! }
//! ```
//!
//! The matrix is not symmetric, so that its solution is never unrolled.

use super::assembly::{arguments, blamed, call, call_by_name, finite, ok, only_if, vector_of};
use super::terms;
use crate::generated::Method;
use crate::methods::{Argument, Layout};

/// The body of `solve`.
pub(super) fn solve(layout: &Layout) -> String {
    let finite = finite(&arguments(layout));
    let (matrices, right) = (matrices(layout), right(layout));
    let blamed = blamed();
    let [a, lambda] = ["__a", "__l"].map(vector_of);
    let result = ok(format!(
        "__rt::Motion {{ acceleration: {a}, multipliers: {lambda} }}"
    ));
    format!(
        "{finite}
         {matrices}
         {right}
         let __work = &mut __rt::linalg::Bordered::zeros();
         let __solution = __rt::linalg::Reacting::factor(__m, __jb, __j, __work)
             .and_then(|__s| __s.solve(&__f.data.0[0], &__g.data.0[0]));
         let (__a, __l) = __solution{blamed}?;
         {result}"
    )
}

/// The body of `acceleration_unchecked`.
pub(super) fn unchecked(layout: &Layout) -> String {
    let (matrices, right) = (matrices(layout), right(layout));
    let acceleration = vector_of(format!("{UNCHECKED}.0"));
    format!("{matrices} {right} {acceleration}")
}

/// The solution a and lambda without a check, from the matrices and the right-hand side.
const UNCHECKED: &str =
    "__rt::linalg::reacting_unchecked(__m, __jb, __j, &__f.data.0[0], &__g.data.0[0])";

/// The motion without a check, for code that has the matrices.
pub(super) fn motion_unchecked(layout: &Layout) -> String {
    let right = right(layout);
    let [a, lambda] = ["__a", "__l"].map(vector_of);
    format!(
        "{{
             {right}
             let (__a, __l) = {UNCHECKED};
             __rt::Motion {{ acceleration: {a}, multipliers: {lambda} }}
         }}"
    )
}

/// References `__m` to M and `__j` to J by rows. If forces depend on multipliers, M has both triangles, and `__jb`
/// refers to J^T + B by rows.
pub(super) fn matrices(layout: &Layout) -> String {
    let matrices = terms::matrices(layout);
    if !layout.reacts() {
        return matrices;
    }
    let mirrored = only_if(terms::is_in_place(layout), || {
        "__rt::linalg::mirror(__m);".to_owned()
    });
    let forces = call(Method::MultiplierForces.name(), layout);
    format!(
        "{matrices}
         {mirrored}
         let __jb = &__rt::linalg::reactions(__j, &{forces});"
    )
}

fn right(layout: &Layout) -> String {
    let forcing = call(Method::Forcing.name(), layout);
    let moving = layout.arguments(&[Argument::Q, Argument::V]);
    let gamma = call_by_name(Method::ConstraintGamma.name(), &moving);
    format!("let (__f, __g) = ({forcing}, {gamma});")
}
