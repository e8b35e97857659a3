//! Names in expressions: their meanings, and suggestions for unknown names.

use lagrange_engine::Shape;
use proc_macro2::Ident;

use super::access::{Part, picked};
use super::evaluator::{Evaluator, Source};
use super::functions::{self, is_frame_function};
use super::head::{DEFAULT, OPTION};
use super::multipliers::PLACES;
use super::scope::BindingKind;
use super::value::Value;
use crate::errors::Code;
use crate::suggest::derivatives::{self, Derivative};
use crate::suggest::foreign::{self, ACCELERATION, MULTIPLIER, Place};
use crate::suggest::{self};
use crate::syntax::ast::{Statement, StatementKind, text};

impl Evaluator<'_> {
    pub(super) fn evaluate_name(&mut self, name: &Ident) -> Option<Value> {
        let written = text(name);
        let Some(binding) = self.scope.find_mut(name) else {
            return self.refuse_undeclared(name, &written);
        };
        binding.read = true;
        let source = source(binding.kind, written);
        match binding.kind {
            BindingKind::Frame { .. } => {
                let message = write_not_a_value(&text(name));
                return self.refuse(name, Code::NotAValue, message);
            }
            BindingKind::Robot(robot) if binding.value.is_none() => {
                return self.refuse_vector(robot, name);
            }
            BindingKind::Rotation(_, count) => {
                let message = rotation_is_no_value(&text(name), count.is_some());
                return self.refuse(name, Code::NotAValue, message);
            }
            _ => {}
        }
        let value = binding.value.clone()?;
        self.afford(name, value.entries.len())?;
        self.mention(name.span(), source, &value);
        Some(value)
    }

    /// The shape of a name with a value. Marks the name as read.
    pub(super) fn find_shape_of(&mut self, name: &Ident) -> Option<Shape> {
        let binding = self.scope.find_mut(name)?;
        let shape = binding.value.as_ref()?.shape;
        // Names of other kinds report their own error.
        if matches!(
            binding.kind,
            BindingKind::Frame { .. } | BindingKind::Rotation(..)
        ) {
            return None;
        }
        binding.read = true;
        Some(shape)
    }

    /// The word for the role of a name of the head that may have a size.
    pub(super) fn find_sized_role(&self, name: &Ident) -> Option<&'static str> {
        let kind = self.scope.find(name)?.kind;
        let has_size = matches!(
            kind,
            BindingKind::Coordinate(_)
                | BindingKind::Parameter
                | BindingKind::State(_)
                | BindingKind::Input
        );
        kind.in_words().split(' ').nth(1).filter(|_| has_size)
    }

    /// A part of a name with a value.
    pub(super) fn evaluate_entries_of(&mut self, name: &Ident, part: &Part) -> Option<Value> {
        let binding = self.scope.find(name)?;
        let source = source(binding.kind, text(name));
        let value = picked(binding.value.as_ref()?, part)?;
        self.afford(name, value.entries.len())?;
        self.mention(name.span(), source, &value);
        Some(value)
    }

    /// `θ̇` and similar characters: the velocity of a coordinate.
    pub(super) fn evaluate_dotted(&mut self, name: &Ident, dots: u8) -> Option<Value> {
        let written = text(name);
        let Some(binding) = self.scope.find_mut(name) else {
            let is_coordinate =
                |kind| matches!(kind, BindingKind::Coordinate(_) | BindingKind::Rotation(..));
            return self.refuse_unknown(name, &written, is_coordinate, &[]);
        };
        binding.read = true;
        let kind = binding.kind;
        let coordinates = binding.value.clone()?;
        if !matches!(kind, BindingKind::Coordinate(_) | BindingKind::Rotation(..)) {
            let is = kind.in_words();
            self.misused.push(written.clone());
            let help = match kind {
                BindingKind::Let { .. } | BindingKind::State(_) => {
                    format!("\n\nhelp: write `der({written})`")
                }
                _ => String::new(),
            };
            let message =
                format!("a dot makes the velocity of a coordinate, but `{written}` is {is}{help}");
            return self.refuse(name, Code::WrongRole, message);
        }
        if dots > 1 {
            let message = format!(
                "acceleration: more than one dot above `{written}`\n\nhelp: {ACCELERATION}"
            );
            return self.refuse(name, Code::Acceleration, message);
        }
        let velocities = match kind {
            BindingKind::Rotation(..) => coordinates,
            _ => self.differentiate(&coordinates, 0),
        };
        self.mention(name.span(), Source::Declared(written), &velocities);
        Some(velocities)
    }

    /// A name that is not declared, or that the language reserves.
    fn refuse_undeclared(&mut self, name: &Ident, written: &str) -> Option<Value> {
        match written {
            "pi" => return Some(Value::scalar(self.graph.pi())),
            "T" | "V" | "L" | "D" | "Q" => {
                let method = match written {
                    "T" => {
                        "; as an output there is the method `kinetic_energy`, of `T + V` `energy`"
                    }
                    "V" => {
                        "; as an output there is the method `potential_energy`, of `T + V` `energy`"
                    }
                    "L" => "; as an output there is the method `lagrangian`",
                    _ => "",
                };
                let message = format!(
                    "`{written}` cannot be read\n\n\
                     help: name the expression with `let` and use that name in both places{method}"
                );
                // Reports once for `T + V` or `T - V`.
                for energy in ["T", "V"] {
                    if ["T", "V"].contains(&written) {
                        self.scope
                            .declare_mistaken(&Ident::new(energy, name.span()));
                    }
                }
                return self.refuse(name, Code::EnergyRead, message);
            }
            "world" => return self.refuse(name, Code::NotAValue, write_not_a_value(written)),
            _ => {}
        }
        if let Some(is) = self.find_row_kind(written) {
            let message = format!(
                "`{written}` is a {is}, not a value\n\n\
                 help: its multiplier is `multiplier({written})`; {PLACES}"
            );
            self.complete = false;
            self.scope.declare_mistaken(name);
            return self.refuse(name, Code::WrongRole, message);
        }
        let is_function = functions::function(written).is_some()
            || is_frame_function(written)
            || self.scope.find_function(name).is_some();
        if is_function && !self.lacks_names {
            let message = format!("`{written}` is a function\n\nhelp: write `{written}(..)`");
            return self.refuse(name, Code::FunctionForm, message);
        }
        self.refuse_unknown(name, written, |_| true, &["pi"])
    }

    /// Suggests the nearest declared name. If there is none, the declaration is missing. This is one mistake, even
    /// if the name is used often.
    fn refuse_unknown(
        &mut self,
        name: &Ident,
        written: &str,
        wanted: impl Fn(BindingKind) -> bool,
        other_names: &[&str],
    ) -> Option<Value> {
        if self.is_excused(name) {
            return None;
        }
        if self.errors.is_full() {
            return self.refuse_unknown_without_help(name, written);
        }
        if let Some(keyword) = self.blocks.declared_later(written) {
            return self.refuse(
                name,
                Code::OutOfSight,
                write_too_early_message(written, keyword),
            );
        }
        if let Some(kind) = self.scope.ended(written) {
            self.scope.declare_unknown(name);
            return self.refuse(name, Code::OutOfSight, write_ended_message(written, kind));
        }
        let of_constant = match self.subject() {
            DEFAULT => Some("a default"),
            OPTION => Some("an option of a robot"),
            _ => None,
        };
        if let Some(constant) = of_constant {
            let message = format!(
                "unknown name `{written}`\n\n\
                 help: write the number: {constant} is constant, and the macro does not see Rust's constants"
            );
            return self.refuse(name, Code::UnknownName, message);
        }
        let names = self.scope.names(&wanted);
        let is_like = suggest::nearest(written, names.iter().map(String::as_str)).is_some();
        if !is_like && self.is_missing_name(name) {
            return None;
        }
        if let Some(advice) = self.explain_foreign_value(written) {
            self.scope.declare_mistaken(name);
            return self.refuse(
                name,
                Code::UnknownName,
                format!("unknown name `{written}`\n\nhelp: {advice}"),
            );
        }
        let in_sight = self.scope.names(&wanted);
        let candidates = in_sight
            .iter()
            .map(String::as_str)
            .chain(other_names.iter().copied());
        let nearest = suggest::nearest(written, candidates);
        if !nearest.is_some_and(|nearest| self.is_mentioned(nearest)) {
            self.scope.declare_unknown(name);
        }
        let help = match written {
            "t" | "time" if nearest.is_none() && self.names.time.is_none() => {
                format!("\n\nhelp: explicit time is a field: `{written}: time`")
            }
            _ => match nearest {
                Some(nearest) => format!("\n\nhelp: did you mean `{nearest}`?"),
                None if wanted(BindingKind::Parameter) => {
                    format!(
                        "\n\nhelp: {}",
                        advise_undeclared(written, self.needs_integer)
                    )
                }
                None => format!("\n\nhelp: declare it among the fields: `{written}: coordinate`"),
            },
        };
        self.refuse(
            name,
            Code::UnknownName,
            format!("unknown name `{written}`{help}"),
        )
    }

    /// The kind of statement that gives a constraint or a contact of this name, here or further down.
    pub(super) fn find_row_kind(&self, written: &str) -> Option<&'static str> {
        row_kind(self.statements, &|name| text(name) == written)
    }

    /// Returns whether a constraint or a contact of this name is declared outside of loops.
    pub(super) fn is_outside_of_loops(&self, written: &str) -> bool {
        self.statements
            .iter()
            .any(|statement| match &statement.kind {
                StatementKind::Constraint { name, .. } | StatementKind::Contact { name, .. } => {
                    text(name) == written
                }
                _ => false,
            })
    }

    /// Returns whether some statement is a contact, here or further down.
    pub(super) fn has_contact(&self) -> bool {
        has_contact(self.statements)
    }

    /// Returns whether some statement is a contact or an actuator with dry friction that sticks, here or further down.
    pub(super) fn has_friction(&self) -> bool {
        has_friction(self.statements)
    }

    /// The replacement for a name that other systems know, or that is derived from declared names.
    fn explain_foreign_value(&self, written: &str) -> Option<String> {
        if let Some(body) = self.block_in_words(written) {
            return Some(body);
        }
        let stem =
            written.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '_');
        if MULTIPLIERS.contains(&stem) && row_kind(self.statements, &|_| true).is_some() {
            return Some(MULTIPLIER.to_owned());
        }
        let coordinates = self
            .scope
            .names(|kind| matches!(kind, BindingKind::Coordinate(_) | BindingKind::Rotation(..)));
        let lets = self
            .scope
            .names(|kind| matches!(kind, BindingKind::Let { .. }));
        // For a `let`, the word `dot` marks a derivative, a single letter does not.
        let bases = coordinates
            .iter()
            .chain(lets.iter().filter(|_| written.contains("dot")))
            .map(String::as_str);
        if let Some(Derivative { of, order }) = derivatives::derivative(written, bases) {
            return Some(match order {
                1 => format!("the velocity of `{of}` is `der({of})`"),
                _ => ACCELERATION.to_owned(),
            });
        }
        let states = self
            .scope
            .names(|kind| matches!(kind, BindingKind::State(_)));
        let rate = derivatives::derivative(written, states.iter().map(String::as_str));
        if let Some(Derivative { of, order: 1 }) = rate {
            return Some(format!("the rate of `{of}` is `der({of})`"));
        }
        let only = match &coordinates[..] {
            [only] => only.as_str(),
            _ => "x",
        };
        match foreign::advice(Place::Value, written) {
            Some(advice) if advice.contains("der(x)") => {
                return Some(advice.replace("der(x)", &format!("der({only})")));
            }
            Some(advice) => return Some(advice),
            None => {}
        }
        match derivatives::looks_like_derivative(written)? {
            Derivative { of, order: 1 } => Some(format!(
                "a velocity is `der({of})`, of a coordinate `{of}` among the fields"
            )),
            _ => Some(ACCELERATION.to_owned()),
        }
    }
}

/// Names of multipliers in other systems.
const MULTIPLIERS: [&str; 8] = [
    "lambda",
    "lambdas",
    "lam",
    "λ",
    "Lambda",
    "multiplier",
    "multipliers",
    "reaction",
];

fn has_contact(statements: &[Statement]) -> bool {
    has(statements, &|kind| {
        matches!(kind, StatementKind::Contact { .. })
    })
}

fn has_friction(statements: &[Statement]) -> bool {
    has(statements, &|kind| match kind {
        StatementKind::Contact { .. } => true,
        StatementKind::Block { fields, .. } => {
            let is_given = |name: &str| fields.iter().any(|field| field.name == name);
            is_given("coulomb") && !is_given("smooth")
        }
        _ => false,
    })
}

/// Returns whether some statement is of a kind, also in loops.
fn has(statements: &[Statement], is_it: &dyn Fn(&StatementKind) -> bool) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::For { body, .. } => has(body, is_it),
        kind => is_it(kind),
    })
}

/// The kind of the first constraint or contact whose name satisfies the condition, also in loops.
fn row_kind(statements: &[Statement], fits: &dyn Fn(&Ident) -> bool) -> Option<&'static str> {
    statements
        .iter()
        .find_map(|statement| match &statement.kind {
            StatementKind::Constraint {
                name, named: true, ..
            } => fits(name).then_some("constraint"),
            StatementKind::Contact {
                name, named: true, ..
            } => fits(name).then_some("contact"),
            StatementKind::For { body, .. } => row_kind(body, fits),
            _ => None,
        })
}

/// The advice for a name that resembles no other.
fn advise_undeclared(written: &str, needs_integer: bool) -> String {
    if needs_integer {
        return "write the number: it is needed at compile time, and the macro does not see Rust's constants"
            .to_owned();
    }
    let is_constant = written.starts_with(char::is_uppercase)
        && written
            .chars()
            .all(|letter| letter.is_uppercase() || letter.is_ascii_digit() || letter == '_');
    if is_constant {
        format!("declare it, `{written}: parameter`: the macro does not see Rust's constants")
    } else {
        format!(
            "declare it among the fields, `{written}: parameter`, or before this by `let {written} = ..;`"
        )
    }
}

fn source(kind: BindingKind, written: String) -> Source {
    match kind {
        BindingKind::Let { .. } => Source::Let(written),
        _ => Source::Declared(written),
    }
}

impl Evaluator<'_> {
    /// Reports an unknown name without a suggestion. The message is not shown after so many mistakes. A suggestion
    /// would compare all names for each of them.
    pub(super) fn refuse_unknown_without_help<T>(
        &mut self,
        name: &Ident,
        written: &str,
    ) -> Option<T> {
        self.scope.declare_unknown(name);
        self.refuse(name, Code::UnknownName, format!("unknown name `{written}`"))
    }
}

pub(super) fn write_too_early_message(name: &str, keyword: &str) -> String {
    format!(
        "`{name}` is used before its declaration\n\nhelp: move its `{keyword}` up to before this"
    )
}

pub(super) fn write_ended_message(name: &str, kind: BindingKind) -> String {
    let help = match kind {
        BindingKind::Let { .. } => "let mut",
        BindingKind::Frame { .. } => "frame mut",
        _ => return format!("`{name}` is the variable of a loop and ends with it"),
    };
    format!(
        "`{name}` was declared in a loop and ended with the iteration\n\n\
         help: declare `{help} {name} = ..;` before the loop, and assign to it there"
    )
}

/// The error for a rotation that is used as a value.
pub(crate) fn rotation_is_no_value(name: &str, is_array: bool) -> String {
    if is_array {
        return format!(
            "`{name}` is an array of rotations, not a value\n\n\
             help: turn a frame by one of them, `frame B = A.rotate({name}[0]);`; `der({name}[0])` are its rates"
        );
    }
    format!(
        "`{name}` is a rotation, not a value\n\n\
         help: turn a frame by it, `frame B = A.rotate({name});`; `der({name})` are its rates"
    )
}

/// The error for a frame that is used as a value.
fn write_not_a_value(name: &str) -> String {
    format!(
        "`{name}` is a frame, not a value\n\n\
         help: values of it are `{name}.origin`, `{name}.rotation` and `{name}.point(v)`"
    )
}
