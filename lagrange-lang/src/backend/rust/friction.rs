//! The solution for all contacts.

use super::assembly::{blamed, finite};
use super::context::Context;
use super::function::{Definition, Details};
use crate::methods::Argument;

/// `contacts::resolve(self, t, q, v, u, active)`, which calls the methods of the trait.
pub(super) fn resolve(context: &Context) -> Definition {
    let layout = &context.skeleton.layout;
    let given = layout.arguments(&[Argument::Q, Argument::V, Argument::U]);
    let finite = finite(&given);
    let time = match layout.time {
        true => "t",
        false => "__rt::math::constant::<S>(0.0)",
    };
    let inputs = match layout.inputs {
        0 => "&__rt::SVector::<S, 0>::zeros()",
        _ => "u",
    };
    let blamed = blamed();
    let body = format!(
        "{finite}
         __rt::contacts::resolve(self, {time}, q, v, {inputs}, active){blamed}"
    );
    Definition {
        body: body.into(),
        details: Details {
            beyond: " beyond those of `mass_matrix`, `forcing`, the terms of constraints and contacts, a \
                     factorization, a substitution for each closed contact and sliding velocity, and the search \
                     for the modes"
                .into(),
            ..Details::default()
        },
    }
}
