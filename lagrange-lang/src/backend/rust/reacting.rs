//! Solutions of systems whose forces depend on multipliers: `[M -(J^T + B); J 0]`.
//!
//! The matrix is not symmetric, so that its solution is never unrolled.

use super::assembly::{call, call_by_name, only_if, vector_of};
use super::terms;
use crate::generated::Method;
use crate::methods::{Argument, Layout};

/// The motion without a check, for code that has the matrices.
pub(super) fn motion_unchecked(layout: &Layout) -> String {
    let right = right(layout);
    let [a, lambda] = ["__a", "__l"].map(vector_of);
    format!(
        "{{
             {right}
             let (__a, __l) = __rt::linalg::reacting_unchecked(__m, __jb, __j, &__f.data.0[0], &__g.data.0[0]);
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
