//! Values of parameters, inputs, coordinates, velocities and states, by name.

use lagrange_lang::unknown;
use lagrangian_live::motion::elements;
use lagrangian_live::{Error, Model, RoutineError, State, Variable};

use crate::arguments::Choices;
use crate::failure::Failure;

/// Values by element, some of them not given yet.
struct Table {
    names: Vec<String>,
    values: Vec<Option<f64>>,
}

/// A name without blanks.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|letter| !letter.is_whitespace())
        .collect()
}

impl Table {
    fn new(variables: &[Variable]) -> Self {
        let names: Vec<String> = variables.iter().flat_map(elements).collect();
        let defaults = variables
            .iter()
            .flat_map(|variable| match &variable.default {
                Some(values) => values.iter().copied().map(Some).collect(),
                None => vec![None; variable.shape.len()],
            });
        Self {
            values: defaults.collect(),
            names,
        }
    }

    /// The places that a name means: an element, or all elements of an array.
    fn places(&self, name: &str) -> Vec<usize> {
        let name = plain(name);
        let is_it = |entry_name: &str| {
            let entry_name = plain(entry_name);
            let suffix = entry_name.strip_prefix(&name);
            // `r` means `r[0]`, `att` means `att.x`, `der(r)` means `der(r)[0]`.
            suffix.is_some_and(|suffix| suffix.is_empty() || suffix.starts_with(['[', '.']))
        };
        self.names
            .iter()
            .enumerate()
            .filter(|(_, entry_name)| is_it(entry_name))
            .map(|(index, _)| index)
            .collect()
    }
}

/// A number, or a list of numbers, also of lists.
fn numbers(text: &str) -> Option<Vec<f64>> {
    let is_list = text.starts_with('[') && text.ends_with(']');
    let inner = match is_list {
        true => text.replace(['[', ']'], ""),
        false => text.to_owned(),
    };
    let numbers = inner
        .split(',')
        .map(|number| number.trim().parse::<f64>().ok());
    let numbers: Option<Vec<f64>> = numbers.collect();
    numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()))
}

/// Puts values into the first table that has their names.
fn set(
    option: &str,
    tables: &mut [&mut Table],
    values: &[(String, String)],
) -> Result<(), Failure> {
    for (name, text) in values {
        let matching = tables.iter_mut().find_map(|table| {
            let places = table.places(name);
            (!places.is_empty()).then_some((table, places))
        });
        let Some((table, places)) = matching else {
            let names: Vec<&str> = tables
                .iter()
                .flat_map(|table| &table.names)
                .map(String::as_str)
                .collect();
            let message = unknown(name, names.iter().copied());
            let hint = match names.is_empty() {
                true => "there is none".to_owned(),
                false => format!("the names are {}", names.join(", ")),
            };
            let hint = if message.contains("expected") {
                String::new()
            } else {
                format!("\n\n{hint}")
            };
            return Err(Failure::usage(format!("`{option}`: {message}{hint}")));
        };
        let Some(numbers) = numbers(text) else {
            let message =
                format!("`{option} {name}={text}`: expected a number, or a list as `[1, 2]`");
            return Err(Failure::usage(message));
        };
        if numbers.len() != places.len() {
            let (expected, found) = (places.len(), numbers.len());
            let message =
                format!("`{option} {name}={text}`: expected {expected} numbers, found {found}");
            return Err(Failure::usage(message));
        }
        for (place, number) in places.into_iter().zip(numbers) {
            table.values[place] = Some(number);
        }
    }
    Ok(())
}

/// The numbers of a simulation.
pub(crate) struct Values {
    pub(crate) parameters: Vec<f64>,
    pub(crate) inputs: Vec<f64>,
    /// The start.
    pub(crate) state: State,
}

impl Values {
    /// Each parameter is given or has a default, or is `otherwise`. All other numbers are 0 unless they are given, and a
    /// rotation is the identity.
    pub(crate) fn read(
        model: &Model,
        choices: &Choices,
        otherwise: Option<f64>,
    ) -> Result<Self, Failure> {
        let [mut parameters, mut inputs, mut q, mut v, mut z] = [
            model.parameters(),
            model.inputs(),
            model.coordinates(),
            model.velocities(),
            model.states(),
        ]
        .map(Table::new);
        set("--set", &mut [&mut parameters, &mut inputs], &choices.set)?;
        set("--start", &mut [&mut q, &mut v, &mut z], &choices.start)?;
        for value in &mut parameters.values {
            *value = value.or(otherwise);
        }
        let missing: Vec<&str> = parameters
            .names
            .iter()
            .zip(&parameters.values)
            .filter(|(_, value)| value.is_none())
            .map(|(name, _)| &name[..])
            .collect();
        if !missing.is_empty() {
            let message = format!(
                "parameters without a value: {}; write `--set {}=1`",
                missing.join(", "),
                missing[0]
            );
            return Err(Failure::usage(message));
        }
        let mut neutral = vec![0.0; q.names.len()];
        let parameters = or_zero(&parameters);
        model
            .call("neutral", &parameters, &[], &mut [&mut neutral])
            .map_err(Failure::run)?;
        let q = q
            .values
            .iter()
            .zip(neutral)
            .map(|(value, neutral)| value.unwrap_or(neutral))
            .collect();
        let state = State::new(model, &parameters, 0.0, q, or_zero(&v), or_zero(&z));
        let state = state.map_err(|error| match error {
            Error::State {
                reason: RoutineError::NotFinite,
                ..
            } => Failure::usage("`--start`: the quaternion of a rotation is not 0"),
            other => Failure::run(other),
        })?;
        Ok(Self {
            parameters,
            inputs: or_zero(&inputs),
            state,
        })
    }
}

fn or_zero(table: &Table) -> Vec<f64> {
    table
        .values
        .iter()
        .map(|value| value.unwrap_or(0.0))
        .collect()
}
