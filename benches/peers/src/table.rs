//! Tables in Markdown.

use crate::case::{Times, ratio, typical};

/// A table whose first column is text and whose others are numbers.
pub struct Table {
    columns: Vec<&'static str>,
}

impl Table {
    /// Prints the head.
    pub fn new(title: &str, columns: &[&'static str]) -> Self {
        println!("\n{title}\n");
        println!("| {} |", columns.join(" | "));
        let rules: Vec<&str> = (0..columns.len())
            .map(|i| if i == 0 { "---" } else { "---:" })
            .collect();
        println!("| {} |", rules.join(" | "));
        Self {
            columns: columns.to_vec(),
        }
    }

    /// Prints a row, as soon as it is known.
    pub fn row(&self, name: &str, cells: &[String]) {
        assert_eq!(
            cells.len() + 1,
            self.columns.len(),
            "a cell for each column"
        );
        println!("| {name} | {} |", cells.join(" | "));
    }
}

/// The times of a candidate, if there is one of this label.
pub fn find<'a>(times: &'a [Times], label: &str) -> Option<&'a Times> {
    times.iter().find(|times| times.label == label)
}

/// Nanoseconds per state.
pub fn time(times: Option<&Times>) -> String {
    times.map_or_else(String::new, |times| {
        let time = typical(&times.throughput);
        if time < 1000.0 {
            format!("{time:.1}")
        } else {
            format!("{time:.0}")
        }
    })
}

/// The time of one as a multiple of the other's.
pub fn throughput(times: Option<&Times>, other: Option<&Times>) -> String {
    times.zip(other).map_or_else(String::new, |(times, other)| {
        format!("{:.2}", ratio(&times.throughput, &other.throughput))
    })
}

/// The same for calls that wait for the one before.
pub fn latency(times: Option<&Times>, other: Option<&Times>) -> String {
    times.zip(other).map_or_else(String::new, |(times, other)| {
        format!("{:.2}", ratio(&times.latency, &other.latency))
    })
}

/// The fastest one of these.
pub fn best<'a>(times: &'a [Times], labels: &[&str]) -> Option<&'a Times> {
    times
        .iter()
        .filter(|times| labels.contains(&times.label))
        .min_by(|a, b| typical(&a.throughput).total_cmp(&typical(&b.throughput)))
}
