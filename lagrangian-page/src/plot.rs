//! Line plots over the page's times, or over their own axis.

use lagrange_runtime::System;
use lagrange_runtime::nalgebra::SVector;

use crate::{Ink, Recording, json};

/// One diagram: lines that share their axes.
#[must_use]
pub struct Plot {
    title: String,
    unit: String,
    log: bool,
    /// Unit and values of a horizontal axis other than time.
    axis: Option<(String, Vec<f64>)>,
    lines: Vec<Line>,
}

struct Line {
    name: String,
    ink: Ink,
    values: Vec<f64>,
    /// The reason why it ends before the others.
    ending: String,
}

impl Plot {
    /// An empty diagram; `unit` is the label of its vertical axis.
    pub fn new(title: &str, unit: &str) -> Self {
        Self {
            title: title.into(),
            unit: unit.into(),
            log: false,
            axis: None,
            lines: Vec::new(),
        }
    }

    /// The coordinates of a motion, by their names and units.
    pub fn coordinates<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        _system: &M,
        motion: &Recording<NQ, N>,
    ) -> Self
    where
        M: System<f64, NQ, N, K, C>,
    {
        let values = motion.map(|state| state.q);
        Self::of_names("Coordinates", (M::COORDINATES, M::UNITS), values)
    }

    /// The velocities of a motion, by their names and units.
    pub fn velocities<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        _system: &M,
        motion: &Recording<NQ, N>,
    ) -> Self
    where
        M: System<f64, NQ, N, K, C>,
    {
        let values = motion.map(|state| state.v);
        Self::of_names("Velocities", (M::VELOCITIES, M::UNITS), values)
    }

    /// Lines by names of a system. One unit of all labels the axis; several units follow the names.
    fn of_names<const COUNT: usize>(
        title: &str,
        (names, units): ([&str; COUNT], &[(&str, &str)]),
        values: impl IntoIterator<Item = impl Into<[f64; COUNT]>>,
    ) -> Self {
        let unit = |name: &str| {
            units
                .iter()
                .find(|(of, unit)| *of == name && *unit != "?")
                .map(|(_, unit)| *unit)
        };
        let units = names.map(unit);
        let shared = units.first().copied().flatten();
        if units.iter().all(|unit| *unit == shared) {
            return Self::new(title, shared.unwrap_or_default()).lines(names, values);
        }
        let named = names.map(|name| match unit(name) {
            Some(unit) => format!("{name} [{unit}]"),
            None => name.to_owned(),
        });
        Self::new(title, "").lines(named.each_ref().map(String::as_str), values)
    }

    /// The energy T + V of a motion; if the system conserves it, its deviation from the initial value.
    pub fn energy<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
        system: &M,
        motion: &Recording<NQ, N>,
    ) -> Self
    where
        M: System<f64, NQ, N, K, C>,
    {
        let none = SVector::zeros();
        let energy = motion.map(|state| system.energy(state.t, &state.q, &state.v, &none));
        if !M::CONSERVES_ENERGY {
            return Self::new("Energy", "J").line("energy", Ink::Body, energy);
        }
        let energy: Vec<f64> = energy.collect();
        let start = energy.first().copied().unwrap_or_default();
        let errors = energy.iter().map(|energy| (energy - start).abs());
        Self::new("Energy error", "J")
            .log()
            .line("error", Ink::Body, errors)
    }

    /// A logarithmic vertical axis; values that are not positive are left out.
    pub fn log(mut self) -> Self {
        self.log = true;
        self
    }

    /// A horizontal axis other than time: the places of the values, in increasing order.
    pub fn over(mut self, unit: &str, places: impl IntoIterator<Item = f64>) -> Self {
        self.axis = Some((unit.into(), places.into_iter().collect()));
        self
    }

    /// A line with one value for each time of the page, or for each place of the axis; a NaN interrupts it.
    pub fn line(mut self, name: &str, ink: Ink, values: impl IntoIterator<Item = f64>) -> Self {
        self.lines.push(Line {
            name: name.into(),
            ink,
            values: values.into_iter().collect(),
            ending: String::new(),
        });
        self
    }

    /// Several lines from vectors or arrays of their values, each with its own ink.
    pub fn lines<const COUNT: usize>(
        self,
        names: [&str; COUNT],
        values: impl IntoIterator<Item = impl Into<[f64; COUNT]>>,
    ) -> Self {
        let values: Vec<[f64; COUNT]> = values.into_iter().map(Into::into).collect();
        let drawn = self.lines.len();
        names.into_iter().enumerate().fold(self, |plot, (k, name)| {
            let ink = Ink::of_line(drawn + k);
            plot.line(name, ink, values.iter().map(|values| values[k]))
        })
    }

    /// Adds to the end of the last line the reason why it ends before the others, for example a fall. The values after
    /// that are NaN.
    pub fn ends(mut self, because: &str) -> Self {
        if let Some(line) = self.lines.last_mut() {
            line.ending = because.into();
        }
        self
    }

    /// The first part that does not fit a page with this number of times.
    pub(crate) fn problem(&self, times: usize) -> Option<String> {
        let places = self.axis.as_ref().map(|(_, places)| places);
        let increase = |places: &Vec<f64>| {
            let pairs = places.windows(2).all(|pair| pair[0] < pair[1]);
            pairs && places.len() > 1 && places.iter().all(|place| place.is_finite())
        };
        if !places.is_none_or(increase) {
            return Some(format!(
                "plot `{}`: the places of its axis do not increase",
                self.title
            ));
        }
        let count = places.map_or(times, Vec::len);
        let wrong = self.lines.iter().find(|line| line.values.len() != count)?;
        Some(format!(
            "line `{}` of plot `{}`: {} values for {count} places",
            wrong.name,
            self.title,
            wrong.values.len()
        ))
    }

    pub(crate) fn json(&self) -> String {
        let numbers = |values: &[f64]| json::array(values.iter().map(|&value| json::number(value)));
        let line = |line: &Line| {
            json::object(&[
                ("name", json::string(&line.name)),
                ("ink", line.ink.json()),
                ("values", numbers(&line.values)),
                ("ending", json::string(&line.ending)),
            ])
        };
        let axis = |(unit, places): &(String, Vec<f64>)| {
            json::object(&[("unit", json::string(unit)), ("places", numbers(places))])
        };
        json::object(&[
            ("title", json::string(&self.title)),
            ("unit", json::string(&self.unit)),
            ("log", self.log.to_string()),
            ("axis", self.axis.as_ref().map_or("null".into(), axis)),
            ("lines", json::array(self.lines.iter().map(line))),
        ])
    }
}
