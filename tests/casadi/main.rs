//! Systems of several shapes as functions for CasADi, with values of the methods in Rust, which `test_shapes.py` compares:
//! `cargo run -p lagrangian-tests --example casadi -- FOLDER`.

mod shapes;

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

/// A system and its calls, as JSON.
struct Shape {
    text: String,
    /// All but the calls.
    json: String,
    calls: Vec<String>,
    failures: Vec<String>,
}

impl Shape {
    /// The name that functions begin with, the text, the coordinates, the parameters, and the functions without a further
    /// derivative.
    fn new(
        (name, text): (&str, &str),
        coordinates: &[&str],
        parameters: &[f64],
        derivatives: &[&str],
    ) -> Self {
        let json = format!(
            "\"name\": {name:?}, \"coordinates\": {coordinates:?}, \"parameters\": {parameters:?}, \
             \"derivatives\": {derivatives:?}"
        );
        Self {
            text: text.to_owned(),
            json,
            calls: Vec::new(),
            failures: Vec::new(),
        }
    }

    /// A call of a function, and its results column by column.
    fn call(mut self, function: &str, arguments: &[&[f64]], results: &[&[f64]]) -> Self {
        self.calls
            .push(format!("[{function:?}, {arguments:?}, {results:?}]"));
        self
    }

    /// A call of a function that has no result with these parameters.
    fn failure(mut self, function: &str, arguments: &[&[f64]], parameters: &[f64]) -> Self {
        self.failures
            .push(format!("[{function:?}, {arguments:?}, {parameters:?}]"));
        self
    }
}

fn main() {
    let folder = env::args().nth(1).expect("a folder");
    let folder = Path::new(&folder);
    fs::create_dir_all(folder).expect("a folder");
    let mut json = String::new();
    for (number, shape) in shapes::all().into_iter().enumerate() {
        fs::write(folder.join(format!("{number}.c")), shape.text).expect("a text");
        let comma = if number == 0 { "" } else { ",\n" };
        let _ = write!(
            json,
            "{comma}{{{}, \"calls\": [{}], \"failures\": [{}]}}",
            shape.json,
            shape.calls.join(",\n"),
            shape.failures.join(",\n")
        );
    }
    fs::write(folder.join("shapes.json"), format!("[{json}]\n")).expect("a file");
}
