//! Checks for constraints that restrict nothing, alone or beside the others, and for the kind of constraints.

use std::collections::HashSet;
use std::ops::Range;

use lagrange_engine::{
    ConstraintDefect, ConstraintKind, System, constraint_defects, integrable_constraints,
};

use super::words::enumerate_words;
use crate::errors::{Code, Errors};
use crate::methods::Reacting;
use crate::model::Warning;
use crate::syntax::ast::text;
use crate::tables::Tables;

/// Checks that each constraint restricts motions that the others leave free. Each statement that does not is reported
/// once. Returns for each constraint true if it has no mistake of any kind.
///
/// In a system whose rows may be `redundant`, those that depend on others or restrict nothing become warnings.
pub(crate) fn find_defects(
    system: &System,
    tables: &Tables,
    mut redundant: Option<&mut Vec<Warning>>,
    errors: &mut Errors,
) -> Vec<bool> {
    let constraints = &tables.constraints;
    let mut is_sound: Vec<bool> = constraints.iter().map(|c| c.is_sound).collect();
    if system.constraints.is_empty() {
        return is_sound;
    }
    let rows = Rows::new(system, tables);
    let may_be_kept = !Reacting::of(system).is_some_and(|reacting| reacting.constraints);
    let mut is_surplus_known = false;
    // For a statement in a loop, only the first iteration with a mistake is reported.
    let mut reported: HashSet<&[usize]> = HashSet::new();
    for (position, constraint) in constraints.iter().enumerate() {
        let first_defect = rows
            .of(position)
            .find_map(|row| Some((row, rows.defects[row].as_ref()?)))
            .filter(|_| is_sound[position]);
        let Some((row, defect)) = first_defect else {
            continue;
        };
        let warnings = redundant.as_mut().filter(|_| is_redundant(defect));
        is_sound[position] = warnings.is_some();
        let is_surplus = *defect == ConstraintDefect::Surplus;
        if is_surplus && std::mem::replace(&mut is_surplus_known, true) {
            continue;
        }
        if !reported.insert(&constraint.statement) {
            continue;
        }
        let message = rows.message(position, row, defect);
        let Some(warnings) = warnings else {
            let is_implied = matches!(code(defect), Code::Dependent | Code::DerivativeOfAnother)
                && is_redundant(defect);
            let message = match is_implied && may_be_kept && message.contains(REMOVE) {
                true => message + KEEP,
                false => message,
            };
            errors.error(&constraint.item.name, code(defect), message);
            continue;
        };
        let (message, _) = message.split_once("\n\n").unwrap_or((&message, ""));
        warnings.push(Warning {
            span: constraint.item.name.span(),
            code: code(defect),
            name: "redundant_constraint",
            message: message.to_owned(),
            attributes: constraint.item.attributes.clone(),
        });
    }
    is_sound
}

/// The start of the advice for rows that can be removed.
const REMOVE: &str = "\n\nhelp: remove ";

/// The other advice for rows that the others imply.
const KEEP: &str = "; `#[lagrangian(redundant)]` on the struct accepts rows that agree";

/// True for rows that other rows imply. A system with such rows may have the solution of the system without them.
fn is_redundant(defect: &ConstraintDefect) -> bool {
    matches!(
        defect,
        ConstraintDefect::Trivial
            | ConstraintDefect::Repeated(_)
            | ConstraintDefect::Dependent(_)
            | ConstraintDefect::Derivative(_)
            | ConstraintDefect::Surplus
    )
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

/// The rows of all constraints by statement, and the defects of each row.
struct Rows<'a> {
    system: &'a System,
    tables: &'a Tables,
    defects: Vec<Option<ConstraintDefect>>,
    /// The first row of each constraint.
    first: Vec<usize>,
}

impl<'a> Rows<'a> {
    fn new(system: &'a System, tables: &'a Tables) -> Self {
        let (mut first, mut next) = (Vec::new(), 0);
        for constraint in &tables.constraints {
            first.push(next);
            next += constraint.rows;
        }
        Rows {
            system,
            tables,
            defects: constraint_defects(system),
            first,
        }
    }

    fn of(&self, constraint: usize) -> Range<usize> {
        let first = self.first[constraint];
        first..first + self.tables.constraints[constraint].rows
    }

    fn constraint_of(&self, row: usize) -> usize {
        self.first
            .partition_point(|first| *first <= row)
            .saturating_sub(1)
    }

    fn quoted(&self, rows: impl IntoIterator<Item = usize>) -> String {
        let names = rows
            .into_iter()
            .map(|row| format!("`{}`", self.system.constraints[row].name))
            .collect::<Vec<_>>();
        enumerate_words(&names)
    }

    /// True if a row can be removed alone.
    fn is_alone(&self, constraint: usize) -> bool {
        let entry = &self.tables.constraints[constraint];
        entry.rows == 1 && entry.statement.len() == 1
    }

    fn message(&self, constraint: usize, row: usize, defect: &ConstraintDefect) -> String {
        let name = &self.system.constraints[row].name;
        let other = |row: &usize| self.quoted([*row]);
        match defect {
            ConstraintDefect::Trivial => {
                let trivial_rows: Vec<usize> = self
                    .of(constraint)
                    .filter(|row| self.defects[*row].as_ref() == Some(defect))
                    .collect();
                let subject = match trivial_rows.len() {
                    1 => format!("the constraint `{name}` is"),
                    _ => format!("the constraints {} are", self.quoted(trivial_rows)),
                };
                let help = self.without(constraint, row);
                format!(
                    "{subject} trivially true: both sides are equal at every point\n\nhelp: {help}"
                )
            }
            ConstraintDefect::Contradictory => format!(
                "the constraint `{name}` is contradictory: its sides differ by the same number at \
                 every point"
            ),
            ConstraintDefect::Constant => {
                let help = match self.is_alone(constraint) {
                    true => String::new(),
                    false => format!("\n\nhelp: {}", self.without(constraint, row)),
                };
                format!(
                    "the constraint `{name}` restricts nothing: it does not depend on a coordinate{help}"
                )
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
                "the constraint `{name}` repeats {}: one is a multiple of the other\n\nhelp: {}",
                other(base),
                self.without_one(constraint, row, *base)
            ),
            ConstraintDefect::Contradicts(base) => format!(
                "the constraint `{name}` contradicts {}: wherever one holds, the sides of the other one \
                 differ by a number\n\nhelp: {}",
                other(base),
                self.without_one(constraint, row, *base)
            ),
            ConstraintDefect::Derivative(base) => self.derivative(row, *base),
            ConstraintDefect::Dependent(on) => self.dependent(constraint, row, on),
            ConstraintDefect::Surplus => {
                let kinematics = self.system.names.kinematics();
                let what = if kinematics.is_trivial() {
                    "coordinates"
                } else {
                    "velocities"
                };
                let help = match (
                    axes_agree(self.system, name, &[]),
                    self.is_alone(constraint),
                ) {
                    (Some(axes), _) => axes,
                    (None, true) => "remove it, or constrain less",
                    (None, false) => "constrain less",
                };
                format!(
                    "more independent constraints than {what} ({}): `{name}` is the first surplus \
                     one\n\nhelp: {help}",
                    kinematics.velocity_count(),
                )
            }
        }
    }

    /// The message for a row that is the time derivative of another row.
    fn derivative(&self, row: usize, base: usize) -> String {
        let (rate, of) = match self.system.constraints[row].kind {
            ConstraintKind::Nonholonomic => (row, base),
            ConstraintKind::Holonomic => (base, row),
        };
        let constraint = self.constraint_of(rate);
        let help = match self.is_alone(constraint) {
            true => format!("remove {}", self.quoted([rate])),
            false => self.without(constraint, rate),
        };
        let (rate, of) = (self.quoted([rate]), self.quoted([of]));
        format!(
            "the constraint {rate} is the time derivative of {of}, which implies it\n\nhelp: {help}"
        )
    }

    /// The message for a row that is a combination of other rows. Each of these depends on the rest.
    fn dependent(&self, constraint: usize, row: usize, on: &[usize]) -> String {
        let name = &self.system.constraints[row].name;
        let mut rows: Vec<usize> = on.iter().copied().chain([row]).collect();
        rows.sort_unstable();
        rows.retain(|row| self.is_alone(self.constraint_of(*row)));
        let help = match (axes_agree(self.system, name, on), &rows[..]) {
            (Some(axes), _) => axes.to_owned(),
            (None, []) => self.without(constraint, row),
            (None, [only]) => format!("remove {}", self.quoted([*only])),
            (None, _) => format!("remove one of {}", self.quoted(rows)),
        };
        format!(
            "the constraint `{name}` depends on {} at every point: it adds nothing to them, or contradicts them\n\n\
             help: {help}",
            self.quoted(on.iter().copied())
        )
    }

    /// Advice to remove one of two rows of which each implies the other.
    fn without_one(&self, constraint: usize, row: usize, base: usize) -> String {
        match [constraint, self.constraint_of(base)].map(|of| self.is_alone(of)) {
            [true, true] => "remove one of them".to_owned(),
            [false, true] => format!("remove {}", self.quoted([base])),
            _ => self.without(constraint, row),
        }
    }

    /// Advice to leave out a row, and others of its statement with a defect.
    fn without(&self, constraint: usize, row: usize) -> String {
        const MOST_NAMES: usize = 3;
        let statement = &self.tables.constraints[constraint].statement;
        let is_wrong = |of: &usize| *of == row || self.defects[*of].is_some();
        let wrong: Vec<usize> = (0..self.first.len())
            .filter(|other| {
                let other = &self.tables.constraints[*other];
                other.statement == *statement
            })
            .flat_map(|of| self.of(of))
            .filter(is_wrong)
            .collect();
        let names = match wrong.len() {
            ..=MOST_NAMES => self.quoted(wrong),
            count => format!("{count} rows from {} on", self.quoted([wrong[0]])),
        };
        match (
            self.of(constraint).all(|row| is_wrong(&row)),
            statement.len(),
        ) {
            (true, 1) => "remove it".to_owned(),
            (true, _) => format!("leave {names} out by the bounds of the loop"),
            _ => {
                format!("a row cannot be removed by itself: write the others out, without {names}")
            }
        }
    }
}

/// For each statement, the rows of a `nonholonomic` that are in fact holonomic. The system must have no mistakes.
pub(crate) fn find_integrable(system: &System, tables: &Tables) -> Vec<Vec<String>> {
    let integrable = match &system.constraints[..] {
        [] => Vec::new(),
        _ => integrable_constraints(system),
    };
    let mut rows = system.constraints.iter().zip(integrable);
    tables
        .constraints
        .iter()
        .map(|constraint| {
            rows.by_ref()
                .take(constraint.rows)
                .filter(|(_, integrable)| *integrable)
                .map(|(row, _)| row.name.clone())
                .collect()
        })
        .collect()
}

/// Advice for a dependent row among rows that make the axes of two frames agree. Three equations suffice for this, and
/// equations of matrices or vectors have more.
fn axes_agree(system: &System, name: &str, other_rows: &[usize]) -> Option<&'static str> {
    let statement = |name: &str| name.split('[').next().unwrap_or_default().to_owned();
    let own_statement = statement(name);
    let are_of_one_statement = other_rows
        .iter()
        .all(|row| statement(&system.constraints[*row].name) == own_statement);
    let are_of_axes =
        are_of_one_statement && name.contains('[') && !system.names.rotations.is_empty();
    are_of_axes.then_some(
        "axes agree by three rows at most: write dot products of axes that are at right angles, \
         `dot(A.vector([1, 0, 0]), B.vector([0, 1, 0])) = 0`",
    )
}

/// Warns of `nonholonomic` constraints with integrable rows.
pub(crate) fn warn_of_integrability(tables: &Tables, integrable: &[Vec<String>]) -> Vec<Warning> {
    let constraints = &tables.constraints;
    let mut warnings = Vec::new();
    let mut warned: HashSet<&[usize]> = HashSet::new();
    for constraint in constraints {
        let statement = &constraint.statement[..];
        // A statement in a loop yields one warning for all iterations.
        let parts = constraints
            .iter()
            .zip(integrable)
            .filter(|(part, _)| part.statement == statement);
        let names: Vec<&String> = parts.clone().flat_map(|(_, names)| names).collect();
        if names.is_empty() || !warned.insert(statement) {
            continue;
        }
        let are_all_rows = names.len() == parts.map(|(part, _)| part.rows).sum::<usize>();
        let subject = if are_all_rows {
            format!("`{}` is", text(&constraint.item.name))
        } else {
            let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let verb = if names.len() == 1 { "is" } else { "are" };
            format!("{} {verb}", enumerate_words(&quoted))
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
