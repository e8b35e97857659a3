//! Line plots over the page's times, or over an axis of their own.

use super::{Ink, json};

/// One diagram: lines that share their axes.
pub(crate) struct Plot {
    title: String,
    unit: String,
    log: bool,
    /// Unit and places of a horizontal axis that is not time.
    axis: Option<(String, Vec<f64>)>,
    lines: Vec<(String, Ink, Vec<f64>)>,
}

impl Plot {
    /// An empty diagram; `unit` stands at its vertical axis.
    pub(crate) fn new(title: &str, unit: &str) -> Self {
        Self {
            title: title.into(),
            unit: unit.into(),
            log: false,
            axis: None,
            lines: Vec::new(),
        }
    }

    /// A logarithmic vertical axis; values that are not positive are left out.
    pub(crate) fn log(mut self) -> Self {
        self.log = true;
        self
    }

    /// A horizontal axis of its own instead of time: the places of the values, in increasing order.
    pub(crate) fn over(mut self, unit: &str, places: Vec<f64>) -> Self {
        self.axis = Some((unit.into(), places));
        self
    }

    /// A line with one value per time of the page, or per place of the axis; a value that is not a number interrupts it.
    pub(crate) fn line(
        mut self,
        name: &str,
        ink: Ink,
        values: impl IntoIterator<Item = f64>,
    ) -> Self {
        self.lines
            .push((name.into(), ink, values.into_iter().collect()));
        self
    }

    pub(super) fn check(&self, times: usize) {
        let times = self.axis.as_ref().map_or(times, |(_, places)| places.len());
        for (name, _, values) in &self.lines {
            assert_eq!(
                values.len(),
                times,
                "line `{name}` of plot `{}`: one value per place",
                self.title
            );
        }
    }

    pub(super) fn json(&self) -> String {
        let line = |(name, ink, values): &(String, Ink, Vec<f64>)| {
            json::object(&[
                ("name", json::string(name)),
                ("ink", ink.json()),
                (
                    "values",
                    json::array(values.iter().map(|&value| json::number(value))),
                ),
            ])
        };
        let axis = |(unit, places): &(String, Vec<f64>)| {
            json::object(&[
                ("unit", json::string(unit)),
                (
                    "places",
                    json::array(places.iter().map(|&place| json::number(place))),
                ),
            ])
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
