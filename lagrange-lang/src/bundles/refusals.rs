//! Messages for names that are not items of a bundle, with replacements.

use crate::generated::{ASK_FOR_CORIOLIS, Beside, MOST_CORIOLIS, Method};
use crate::methods::{Layout, METHODS, Row};

/// The message for a method of this system.
pub(super) fn of_method(row: &Row) -> String {
    let name = row.name();
    let instead = match row.method {
        Method::Acceleration | Method::Solve | Method::StateDerivative | Method::Rhs => {
            "list `acceleration_unchecked`, which solves the same equations without a check"
        }
        Method::Project => {
            "call it before, and the method of the bundle at the state that it returns"
        }
        Method::StateDerivativeUnchecked => "list `coordinate_rates` and `acceleration_unchecked`",
        _ => "call it beside the method of the bundle",
    };
    if row.fallible {
        format!("`{name}` may fail, and the methods of a bundle cannot\n\nhelp: {instead}")
    } else {
        format!("`{name}` is no quantity of q, v, u and a\n\nhelp: {instead}")
    }
}

/// The message for a method of other systems.
pub(super) fn of_missing(row: &Row, layout: &Layout) -> String {
    if row.method == Method::CoriolisMatrix && layout.lacks_coriolis_matrix() {
        return format!(
            "the Coriolis matrix of this system takes more than {MOST_CORIOLIS} operations, and is generated only on request\n\nhelp: write `{ASK_FOR_CORIOLIS}` on the struct"
        );
    }
    let (name, systems) = (row.name(), row.systems_in_words());
    format!("this system has no `{name}`: it is a method of systems {systems}\n\nhelp: remove it")
}

pub(super) fn of_bundle(name: &str) -> String {
    format!("`{name}` is a bundle, and no bundle contains another one\n\nhelp: list its items")
}

pub(super) fn of_sensitivity(name: &str) -> String {
    format!(
        "`{name}` may fail, and the methods of a bundle cannot\n\nhelp: call it beside the method of the bundle"
    )
}

/// The message for a method that exists only beside other outputs.
pub(super) fn of_beside(name: &str, method: Beside) -> String {
    let (what, owners) = match method {
        Beside::Velocity => ("a velocity", "a frame"),
        Beside::Jacobian => (
            "a Jacobian",
            "a frame, or a scalar or vector of q and t alone",
        ),
        Beside::Rate => ("a rate", "a scalar or vector of q and t alone"),
        Beside::Bias => ("a bias", "a frame, or a scalar or vector of q and t alone"),
        Beside::Derivatives => ("derivatives", "a scalar or vector of v or u"),
        Beside::Hessian => ("a Hessian", "a scalar with `#[hessian]`"),
    };
    format!("there is no `{name}`: only {owners} has {what}\n\nhelp: remove it")
}

/// The message for a name that denotes a value.
pub(super) fn of_value(name: &str, is: &str) -> String {
    let help = match is {
        "a `let`" => format!("make it an output: `pub let {name} = ..;`"),
        _ => "a bundle holds generated methods and outputs".to_owned(),
    };
    format!("`{name}` is {is}, and no method\n\nhelp: {help}")
}

pub(super) fn too_early(name: &str, of: &str) -> String {
    format!(
        "`{name}` is used before its declaration\n\nhelp: move the declaration of `{of}` up to before this"
    )
}

pub(super) fn unknown(name: &str, nearest: Option<&str>) -> String {
    let help = match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "a bundle holds generated methods, such as `mass_matrix`, and outputs".to_owned(),
    };
    format!("unknown item `{name}`\n\nhelp: {help}")
}

/// The message for the target of a statement that gives an energy or forces.
pub(super) fn of_target(name: &str, layout: &Layout) -> Option<String> {
    let (is, method) = match name {
        "T" => ("the kinetic energy", "kinetic_energy"),
        "V" => ("the potential energy", "potential_energy"),
        "L" => ("the Lagrangian", "lagrangian"),
        "D" | "Q" => ("a part of the forces", "generalized_forces"),
        _ => return None,
    };
    let mut methods = METHODS.iter().filter(|row| row.exists(layout));
    methods.find(|row| row.name() == method)?;
    Some(format!(
        "`{name}` is {is}, and no method\n\nhelp: list `{method}`"
    ))
}
