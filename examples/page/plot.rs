//! Line plots over the page's times.

use super::{Ink, json};

/// One diagram: lines over time that share a vertical axis.
pub(crate) struct Plot {
    title: String,
    unit: String,
    log: bool,
    lines: Vec<(String, Ink, Vec<f64>)>,
}

impl Plot {
    /// An empty diagram; `unit` stands at its vertical axis.
    pub(crate) fn new(title: &str, unit: &str) -> Self {
        Self {
            title: title.into(),
            unit: unit.into(),
            log: false,
            lines: Vec::new(),
        }
    }

    /// A logarithmic vertical axis; values that are not positive are left out.
    pub(crate) fn log(mut self) -> Self {
        self.log = true;
        self
    }

    /// A line with one value per time of the page; a value that is not a number interrupts it.
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
        for (name, _, values) in &self.lines {
            assert_eq!(
                values.len(),
                times,
                "line `{name}` of plot `{}`: one value per time",
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
        json::object(&[
            ("title", json::string(&self.title)),
            ("unit", json::string(&self.unit)),
            ("log", self.log.to_string()),
            ("lines", json::array(self.lines.iter().map(line))),
        ])
    }
}
