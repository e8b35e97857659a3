//! Checks for constraints that restrict nothing, alone or beside the others, and for the kind of constraints.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use lagrange_engine::{
    ConstraintDefect, ConstraintKind, Surplus, System, constraint_defects, integrable_constraints,
    surplus_rows,
};

use super::words::enumeration;
use crate::errors::{Code, Errors};
use crate::methods::Reacting;
use crate::model::Warning;
use crate::syntax::ast::text;
use crate::tables::Tables;

/// Checks that each constraint restricts motions that the others leave free. Each statement that does not is reported
/// once. Returns for each constraint true if it has no mistake of any kind.
///
/// In a system whose rows may be `redundant`, those that depend on others or restrict nothing become warnings.
pub(crate) fn defects(
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
        let mut own = rows.of(position);
        let first = own.find_map(|row| Some((row, rows.defects[row].as_ref()?)));
        let Some((row, defect)) = first.filter(|_| is_sound[position]) else {
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

/// True for rows that the others imply. They may have the solution of the others.
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
    /// The rows of each statement, in a loop those of all iterations. They can only be removed together.
    groups: Vec<Vec<usize>>,
    /// The number of the statement for each constraint.
    group_of: Vec<usize>,
}

impl<'a> Rows<'a> {
    fn new(system: &'a System, tables: &'a Tables) -> Self {
        let (mut first, mut groups, mut group_of) =
            (Vec::new(), Vec::<Vec<usize>>::new(), Vec::new());
        let mut statements: HashMap<&[usize], usize> = HashMap::new();
        let mut next = 0;
        for constraint in &tables.constraints {
            let group = *statements.entry(&constraint.statement).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].extend(next..next + constraint.rows);
            group_of.push(group);
            first.push(next);
            next += constraint.rows;
        }
        Rows {
            system,
            tables,
            defects: constraint_defects(system),
            first,
            groups,
            group_of,
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
        let names = rows.into_iter();
        let names = names.map(|row| format!("`{}`", self.system.constraints[row].name));
        enumeration(&names.collect::<Vec<_>>())
    }

    /// True if a row can be removed alone.
    fn is_alone(&self, constraint: usize) -> bool {
        let entry = &self.tables.constraints[constraint];
        entry.texts.is_none() && entry.statement.len() == 1
    }

    fn message(&self, constraint: usize, row: usize, defect: &ConstraintDefect) -> String {
        let name = &self.system.constraints[row].name;
        let other = |row: &usize| self.quoted([*row]);
        match defect {
            ConstraintDefect::Trivial => {
                let all = self.of(constraint);
                let all = all.filter(|row| self.defects[*row].as_ref() == Some(defect));
                let all: Vec<usize> = all.collect();
                let subject = match all.len() {
                    1 => format!("the constraint `{name}` is"),
                    _ => format!("the constraints {} are", self.quoted(all)),
                };
                let help = self
                    .without(constraint)
                    .unwrap_or_else(|| "remove it".to_owned());
                format!(
                    "{subject} trivially true: both sides are equal at every point\n\nhelp: {help}"
                )
            }
            ConstraintDefect::Contradictory => format!(
                "the constraint `{name}` is contradictory: its sides differ by the same number at \
                 every point"
            ),
            ConstraintDefect::Constant => {
                let help = self.without(constraint);
                format!(
                    "the constraint `{name}` restricts nothing: it does not depend on a coordinate{}",
                    help.map_or(String::new(), |help| format!("\n\nhelp: {help}"))
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
                self.without(constraint)
                    .unwrap_or_else(|| "remove one of them".to_owned())
            ),
            ConstraintDefect::Contradicts(base) => format!(
                "the constraint `{name}` contradicts {}: wherever one holds, the sides of the other one \
                 differ by a number\n\nhelp: {}",
                other(base),
                self.without(constraint)
                    .unwrap_or_else(|| "remove one of them".to_owned())
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
        let mut out = vec![rate];
        if !self.is_alone(constraint) {
            let defect = |row: &usize| *row == rate || self.defects[*row].is_some();
            out = self.of(constraint).filter(defect).collect();
        }
        let (rate, of) = (self.quoted([rate]), self.quoted([of]));
        let help = match self.is_alone(constraint) {
            true => format!("remove {rate}"),
            false => self.rows_written(constraint, &out),
        };
        format!(
            "the constraint {rate} is the time derivative of {of}, which implies it\n\nhelp: {help}"
        )
    }

    /// The message for a row that is a combination of other rows.
    fn dependent(&self, constraint: usize, row: usize, on: &[usize]) -> String {
        let own = self.of(constraint);
        let name = &self.system.constraints[row].name;
        let surplus = self.surplus(constraint);
        let (out, help) = match &surplus {
            Some(Surplus::Rows(rows)) => {
                let out: Vec<usize> = rows
                    .iter()
                    .copied()
                    .filter(|row| own.contains(row))
                    .collect();
                let out = if out.is_empty() { vec![row] } else { out };
                (out, self.rows_written(constraint, rows))
            }
            Some(Surplus::Group(group)) => {
                let is_own = *group == self.group_of[constraint];
                let out = if is_own {
                    own.clone().collect()
                } else {
                    vec![row]
                };
                (out, self.removed(constraint, *group))
            }
            None => {
                let help = match (axes_agree(self.system, name, on), self.is_alone(constraint)) {
                    (Some(axes), _) => axes.to_owned(),
                    (None, true) => "remove it".to_owned(),
                    (None, false) => self.rows_written(constraint, &[row]),
                };
                (vec![row], help)
            }
        };
        let adds = "at every point: it adds nothing to them, or contradicts them";
        if let [out] = out[..] {
            // Among dependent rows, any one of them depends on the rest.
            let rest = on.iter().chain([&row]).copied().filter(|row| *row != out);
            let mut rest: Vec<usize> = rest.collect();
            rest.sort_unstable();
            let out = self.quoted([out]);
            return format!(
                "the constraint {out} depends on {} {adds}\n\nhelp: {help}",
                self.quoted(rest)
            );
        }
        let total = own.len();
        let defects = self.defects[own.clone()].iter().flatten();
        let others = defects.flat_map(|defect| match defect {
            ConstraintDefect::Dependent(on) => on.clone(),
            ConstraintDefect::Repeated(base) | ConstraintDefect::Contradicts(base) => vec![*base],
            _ => Vec::new(),
        });
        let others: BTreeSet<usize> = others.filter(|row| !own.contains(row)).collect();
        if out.len() == total {
            return format!(
                "the rows {} depend on {} at every point: they add nothing to them, or contradict them\n\n\
                 help: {help}",
                self.quoted(out),
                self.quoted(others)
            );
        }
        let and = match others.is_empty() {
            true => String::new(),
            false => format!(", or on {},", self.quoted(others)),
        };
        format!(
            "of the {total} rows of `{}` {} depend on the others{and} at every point: they add nothing to \
             them, or contradict them\n\nhelp: {help}",
            text(&self.tables.constraints[constraint].item.name),
            out.len()
        )
    }

    fn surplus(&self, constraint: usize) -> Option<Surplus> {
        surplus_rows(
            self.system,
            &self.groups,
            &self.defects,
            self.group_of[constraint],
        )
    }

    /// Advice for rows that cannot be removed alone. `None` if the row can.
    fn without(&self, constraint: usize) -> Option<String> {
        if self.is_alone(constraint) {
            return None;
        }
        let wrong = self.of(constraint);
        let wrong = wrong.filter(|row| self.defects[*row].is_some());
        let wrong: Vec<usize> = wrong.collect();
        Some(match self.surplus(constraint) {
            Some(Surplus::Rows(rows)) => self.rows_written(constraint, &rows),
            Some(Surplus::Group(group)) => self.removed(constraint, group),
            None => self.rows_written(constraint, &wrong),
        })
    }

    fn removed(&self, constraint: usize, group: usize) -> String {
        if group == self.group_of[constraint] {
            return "remove it".to_owned();
        }
        let other = self.group_of.iter().position(|other| *other == group);
        let name = other.map(|other| text(&self.tables.constraints[other].item.name));
        format!(
            "remove `{}`, which the others imply",
            name.unwrap_or_default()
        )
    }

    /// The positions of these rows within the constraint, counted from its first row.
    fn positions(&self, constraint: usize, rows: &[usize]) -> Vec<usize> {
        let own = self.of(constraint);
        let own = own.filter(|row| rows.contains(row));
        own.map(|row| row - self.first[constraint]).collect()
    }

    /// The statement without these rows, in a loop for all iterations.
    fn rows_written(&self, constraint: usize, out: &[usize]) -> String {
        const MOST: usize = 160;
        const MOST_NAMES: usize = 3;
        let entry = &self.tables.constraints[constraint];
        let own = self.of(constraint);
        let names = match out.len() {
            ..=MOST_NAMES => self.quoted(out.iter().copied()),
            count => format!("{count} rows from {} on", self.quoted([out[0]])),
        };
        let positions = self.positions(constraint, out);
        let mut iterations = (0..self.first.len())
            .filter(|other| self.group_of[*other] == self.group_of[constraint]);
        let is_same = iterations.all(|other| self.positions(other, out) == positions);
        let texts = entry.texts.as_ref();
        let Some(texts) = texts.filter(|_| is_same && positions.len() < own.len()) else {
            return match entry.statement.len() > 1 {
                true => format!("leave {names} out by the bounds of the loop"),
                false => "remove it".to_owned(),
            };
        };
        let kept = own
            .clone()
            .zip(&texts.rows)
            .filter(|(row, _)| !out.contains(row));
        let kept: Vec<&[String; 2]> = kept.map(|(_, row)| row).collect();
        let side = |number: usize| match kept[..] {
            [row] => row[number].clone(),
            _ => {
                let entries: Vec<&str> = kept.iter().map(|row| row[number].as_str()).collect();
                format!("[{}]", entries.join(", "))
            }
        };
        let keyword = match entry.item.kind {
            crate::syntax::ast::ConstraintKind::Holonomic => "holonomic",
            crate::syntax::ast::ConstraintKind::Nonholonomic => "nonholonomic",
        };
        let name = text(&entry.item.name);
        let statement = format!("{keyword} {name}: {} = {};", side(0), side(1));
        let before: Vec<String> = texts.lets.iter().map(|text| format!("`{text}`")).collect();
        let before = match before.is_empty() {
            true => String::new(),
            false => format!(", with {} before it", enumeration(&before)),
        };
        if statement.len() + before.len() > MOST {
            return format!(
                "a row cannot be removed by itself: write the others out, without {names}"
            );
        }
        format!("a row cannot be removed by itself: write `{statement}`{before}")
    }
}

/// For each statement, the rows of a `nonholonomic` that are in fact holonomic. The system must have no mistakes.
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

/// Advice for a dependent row among rows that make the axes of two frames agree. Three equations suffice for this, and
/// equations of matrices or vectors have more.
fn axes_agree(system: &System, name: &str, others: &[usize]) -> Option<&'static str> {
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

/// Warns of `nonholonomic` constraints with integrable rows.
pub(crate) fn integrability(tables: &Tables, integrable: &[Vec<String>]) -> Vec<Warning> {
    let constraints = &tables.constraints;
    let mut warnings = Vec::new();
    let mut warned: HashSet<&[usize]> = HashSet::new();
    for constraint in constraints {
        let statement = &constraint.statement[..];
        // A statement in a loop yields one warning for all iterations.
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
