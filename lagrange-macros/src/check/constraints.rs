//! Constraints that restrict nothing by themselves or beside the others, and what kind they are.

use std::collections::HashSet;

use lagrange_engine::{
    ConstraintDefect, ConstraintKind, System, constraint_defects, integrable_constraints,
};

use super::words::enumeration;
use crate::errors::{Code, Errors};
use crate::model::Warning;
use crate::syntax::ast::text;
use crate::tables::Tables;

/// Each constraint restricts what the others leave free; one word on each statement that does not.
/// Of each whether it has no mistake, neither this one nor another.
pub(crate) fn defects(system: &System, tables: &Tables, errors: &mut Errors) -> Vec<bool> {
    let constraints = &tables.constraints;
    let mut is_sound: Vec<bool> = constraints.iter().map(|c| c.is_sound).collect();
    if system.constraints.is_empty() {
        return is_sound;
    }
    let defects = constraint_defects(system);
    let mut rows = system.constraints.iter().zip(&defects);
    let mut is_surplus_known = false;
    // Of a statement in a loop the first iteration with a mistake counts.
    let mut reported: HashSet<Vec<usize>> = HashSet::new();
    for (constraint, is_sound) in constraints.iter().zip(&mut is_sound) {
        let mut of_statement = rows.by_ref().take(constraint.rows);
        let first = of_statement.by_ref().find_map(|(row, defect)| {
            let defect = defect.as_ref()?;
            Some((row, defect))
        });
        // The rows behind the first mistake are not looked at, but they are passed.
        of_statement.for_each(drop);
        let Some((row, defect)) = first.filter(|_| *is_sound) else {
            continue;
        };
        *is_sound = false;
        let is_surplus = *defect == ConstraintDefect::Surplus;
        if is_surplus && std::mem::replace(&mut is_surplus_known, true) {
            continue;
        }
        if !reported.insert(constraint.statement.clone()) {
            continue;
        }
        let message = message(system, &row.name, row.kind, defect);
        errors.error(&constraint.item.name, code(defect), message);
    }
    is_sound
}

fn code(defect: &ConstraintDefect) -> Code {
    match defect {
        ConstraintDefect::Trivial | ConstraintDefect::Constant | ConstraintDefect::Piecewise => {
            Code::RestrictsNothing
        }
        ConstraintDefect::Contradictory | ConstraintDefect::Contradicts(_) => Code::Contradictory,
        ConstraintDefect::WithoutVelocities => Code::NoVelocityInNonholonomic,
        ConstraintDefect::Repeated(_) | ConstraintDefect::Dependent(_) => Code::Dependent,
        ConstraintDefect::Derivative(_) => Code::DerivativeOfAnother,
        ConstraintDefect::Surplus => Code::Surplus,
    }
}

fn message(system: &System, name: &str, kind: ConstraintKind, defect: &ConstraintDefect) -> String {
    let other = |row: &usize| format!("`{}`", system.constraints[*row].name);
    match defect {
        ConstraintDefect::Trivial => format!(
            "the constraint `{name}` is trivially true: both sides are equal at every point\n\n\
             help: remove it"
        ),
        ConstraintDefect::Contradictory => format!(
            "the constraint `{name}` is contradictory: its sides differ by the same number at \
             every point"
        ),
        ConstraintDefect::Constant => {
            format!("the constraint `{name}` restricts nothing: it does not depend on a coordinate")
        }
        ConstraintDefect::Piecewise => format!(
            "the constraint `{name}` restricts no motion: it jumps from one number to another and \
             stays constant between"
        ),
        ConstraintDefect::WithoutVelocities => format!(
            "the constraint `{name}` is `nonholonomic` but contains no velocity\n\n\
             help: use `holonomic` for a constraint on coordinates"
        ),
        ConstraintDefect::Repeated(base) => format!(
            "the constraint `{name}` repeats {}: one is a multiple of the other\n\n\
             help: remove one of them",
            other(base)
        ),
        ConstraintDefect::Contradicts(base) => format!(
            "the constraint `{name}` contradicts {}: wherever one holds, the sides of the other one differ by a \
             number\n\nhelp: remove one of them",
            other(base)
        ),
        ConstraintDefect::Derivative(base) => {
            let (name, base) = (format!("`{name}`"), other(base));
            let (rate, of) = match kind {
                ConstraintKind::Nonholonomic => (&name, &base),
                ConstraintKind::Holonomic => (&base, &name),
            };
            format!(
                "the constraint {rate} is the time derivative of {of}, which implies it\n\n\
                 help: remove {rate}"
            )
        }
        ConstraintDefect::Dependent(on) => {
            let others: Vec<String> = on.iter().map(other).collect();
            format!(
                "the constraint `{name}` depends on {} at every point: it adds nothing to them, or \
                 contradicts them\n\nhelp: {}",
                enumeration(&others),
                remedy(system, name, on).unwrap_or("remove it")
            )
        }
        ConstraintDefect::Surplus => {
            let kinematics = system.names.kinematics();
            let what = if kinematics.is_trivial() {
                "coordinates"
            } else {
                "velocities"
            };
            format!(
                "more independent constraints than {what} ({}): `{name}` is the first surplus \
                 one\n\nhelp: {}",
                kinematics.velocity_count(),
                remedy(system, name, &[]).unwrap_or("remove it, or constrain less")
            )
        }
    }
}

/// Of each statement, the rows of a `nonholonomic` that are holonomic in kind. To be called on a
/// system without mistakes.
pub(crate) fn integrable(system: &System, tables: &Tables) -> Vec<Vec<String>> {
    let integrable = match &system.constraints[..] {
        [] => Vec::new(),
        _ => integrable_constraints(system),
    };
    let mut rows = system.constraints.iter().zip(integrable);
    let names = tables.constraints.iter().map(|constraint| {
        let own = rows.by_ref().take(constraint.rows);
        let own = own.filter(|(_, integrable)| *integrable);
        own.map(|(row, _)| row.name.clone()).collect()
    });
    names.collect()
}

/// What to do about a row among others of its statement where bodies turn. The axes of two frames agree by three numbers, and
/// matrices or vectors of them have more.
fn remedy(system: &System, name: &str, others: &[usize]) -> Option<&'static str> {
    let statement = |name: &str| name.split('[').next().unwrap_or_default().to_owned();
    let own = statement(name);
    let of_one = others
        .iter()
        .all(|row| statement(&system.constraints[*row].name) == own);
    let of_axes = of_one && name.contains('[') && !system.names.rotations.is_empty();
    of_axes.then_some(
        "axes agree by three rows at most: write dot products of axes that are at right angles, \
         `dot(A.vector([1, 0, 0]), B.vector([0, 1, 0])) = 0`",
    )
}

/// Warns of the `nonholonomic` constraints that have integrable rows.
pub(crate) fn integrability(tables: &Tables, integrable: &[Vec<String>]) -> Vec<Warning> {
    let constraints = &tables.constraints;
    let mut warnings = Vec::new();
    let mut warned: HashSet<&[usize]> = HashSet::new();
    for constraint in constraints {
        let statement = &constraint.statement[..];
        // In a loop one word on all iterations.
        let parts = constraints.iter().zip(integrable);
        let parts = parts.filter(|(part, _)| part.statement == statement);
        let names: Vec<&String> = parts.clone().flat_map(|(_, names)| names).collect();
        if names.is_empty() || !warned.insert(statement) {
            continue;
        }
        let all = names.len() == parts.map(|(part, _)| part.rows).sum::<usize>();
        let subject = if all {
            format!("`{}` is", text(&constraint.item.name))
        } else {
            let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let verb = if names.len() == 1 { "is" } else { "are" };
            format!("{} {verb}", enumeration(&quoted))
        };
        warnings.push(Warning {
            span: constraint.item.name.span(),
            code: Code::Integrable,
            name: "integrable_nonholonomic",
            message: format!(
                "the constraint {subject} integrable, and thereby holonomic in kind: a `holonomic` \
                 constraint on the coordinates says the same and is kept without drift"
            ),
            attributes: constraint.item.attributes.clone(),
        });
    }
    warnings
}
