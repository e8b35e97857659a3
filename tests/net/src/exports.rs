//! Exported functions beside the methods in Rust: `.ci/exports`.
//!
//! Arguments and values are known by their `Debug` text alone, so that they may have any type. Methods are called twice, at a
//! state and at one that differs from it by a few roundings: the difference is how much rounding may change a value.

use std::fmt::Debug;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::{env, fs};

use crate::compiled::{Argument, Call, is_integer, program};

/// States of every kind, but for numbers that are very small or very large.
pub const STATES: [usize; 12] = [1, 2, 3, 8, 9, 10, 26, 27, 28, 29, 58, 59];

/// The state of the parameters: all calls have the same.
pub const OF_PARAMETERS: usize = 26;

/// The share by which numbers differ in the second call: 16 eps.
pub const NUDGE: f64 = 16.0 * f64::EPSILON;

/// The errors of `Error` by their numbers.
const ERRORS: [&str; 5] = [
    "SingularMassMatrix",
    "DependentConstraints",
    "NotConverged",
    "NotFinite",
    "NoContactSolution",
];

/// The most characters of a message.
const LONGEST: usize = 600;

static FAILURES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// A system, its text, and the calls of its functions at all states.
pub struct Beside {
    name: &'static str,
    text: &'static str,
    /// The functions in C, by the methods.
    functions: Vec<(String, String)>,
    parameters: Vec<f64>,
    state: usize,
    is_repeated: bool,
    calls: Vec<(usize, Call)>,
    /// The values of the second calls.
    nudged: Vec<Values>,
}

impl Beside {
    /// The system of this name, with these methods and this text.
    pub fn new(name: &'static str, methods: &[&str], text: &'static str) -> Self {
        let system = type_of(text);
        let function = |method: &str| {
            let plain = method.chars().flat_map(|c| match c.is_ascii() {
                true => vec![c],
                false => format!("u{:04X}", u32::from(c)).chars().collect(),
            });
            let plain: String = plain.collect();
            let is_there = |word: &String| text.contains(&format!("int {system}_{word}("));
            [plain.clone(), plain + "_"].into_iter().find(is_there)
        };
        let mut functions = Vec::new();
        for method in methods {
            match function(method) {
                Some(word) => functions.push(((*method).to_owned(), word)),
                None => fail(format!("{name}: there is no function for {method}")),
            }
        }
        Self {
            name,
            text,
            functions,
            parameters: Vec::new(),
            state: 0,
            is_repeated: false,
            calls: Vec::new(),
            nudged: Vec::new(),
        }
    }

    /// Begins the calls of a state, or their repetition nearby, of a system with these fields.
    pub fn begin(&mut self, state: usize, is_repeated: bool, fields: &[&dyn Debug]) {
        (self.state, self.is_repeated) = (state, is_repeated);
        if !is_repeated {
            let fields = fields.iter();
            let parameters = fields.flat_map(|field| groups(&format!("{field:?}"), false));
            self.parameters = parameters.flat_map(Group::numbers).collect();
        }
    }

    /// Notes a call of a method with these arguments, and its value.
    pub fn call(&mut self, method: &str, arguments: &[&dyn Debug], value: &dyn Debug) {
        let Some((_, word)) = self.functions.iter().find(|(known, _)| known == method) else {
            return;
        };
        let value = read(&format!("{value:?}"));
        if self.is_repeated {
            self.nudged.push(value);
            return;
        }
        let arguments = arguments.iter();
        let arguments = arguments.flat_map(|argument| groups(&format!("{argument:?}"), true));
        let call = Call {
            function: Box::leak(word.clone().into_boxed_str()),
            arguments: arguments.map(Group::argument).collect(),
            lengths: match &value {
                Ok(values) => values.iter().map(Vec::len).collect(),
                Err(_) => Vec::new(),
            },
            expected: value,
        };
        self.calls.push((self.state, call));
    }

    /// Makes the calls in C, and compares.
    pub fn finish(&mut self) {
        let calls = std::mem::take(&mut self.calls);
        // A call that fails has the lengths of one that does not; without any they are unknown.
        let lengths_of = |function: &str| {
            let mut others = calls.iter();
            let other = others.find(|(_, call)| call.function == function && call.expected.is_ok());
            other.map(|(_, call)| call.lengths.clone())
        };
        let (mut made, mut known) = (Vec::new(), Vec::new());
        for ((state, call), nudged) in calls.iter().zip(std::mem::take(&mut self.nudged)) {
            if let Some(lengths) = lengths_of(call.function) {
                made.push(Call {
                    lengths,
                    ..call.clone()
                });
                known.push((*state, nudged));
            }
        }
        for (_, word) in &self.functions {
            if lengths_of(word).is_none() {
                println!("{}: {word} has no value at any state", self.name);
            }
        }
        let source = program(self.text, &type_of(self.text), &self.parameters, &made);
        match output(self.name, &source) {
            Ok(output) => {
                let parameters = self.parameters.iter();
                let largest = parameters.fold(1.0, |most, x| x.abs().max(most));
                compare(self.name, (&made, largest), &known, &output);
            }
            Err(messages) => fail(format!("{}: {messages}", self.name)),
        }
    }
}

/// Ends the program, with the failures.
pub fn finish() {
    let failures = FAILURES.lock().expect("no thread has panicked");
    for failure in failures.iter() {
        println!("{}", failure.chars().take(LONGEST).collect::<String>());
    }
    if !failures.is_empty() {
        std::process::exit(1);
    }
}

fn fail(message: String) {
    FAILURES
        .lock()
        .expect("no thread has panicked")
        .push(message);
}

/// The name of the struct in C.
fn type_of(text: &str) -> String {
    let head = text.split("\ntypedef struct {").nth(1).unwrap_or_default();
    let name = head.split("\n} ").nth(1).unwrap_or_default();
    name.split(';').next().unwrap_or_default().to_owned()
}

fn output(name: &str, source: &str) -> Result<String, String> {
    let folder = PathBuf::from(env::var("EXPORTS").unwrap_or_default());
    let (path, made) = (folder.join(format!("{name}.c")), folder.join(name));
    fs::write(&path, source).map_err(|error| error.to_string())?;
    let mut command = Command::new("gcc");
    command.args([
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-pedantic",
        "-O0",
    ]);
    let compiled = command.arg(&path).arg("-o").arg(&made).arg("-lm").output();
    let compiled = compiled.map_err(|error| error.to_string())?;
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let run = Command::new(&made)
        .output()
        .map_err(|error| error.to_string())?;
    let _ = fs::remove_file(&made);
    Ok(String::from_utf8_lossy(&run.stdout).into_owned())
}

type Values = Result<Vec<Vec<f64>>, i32>;

fn size(argument: &Argument) -> f64 {
    match argument {
        Argument::Number(value) => value.abs(),
        Argument::Array(values) => values.iter().fold(0.0, |most, x| x.abs().max(most)),
        Argument::Flags(_) => 0.0,
    }
}

fn compare(
    name: &str,
    (calls, of_parameters): (&[Call], f64),
    known: &[(usize, Values)],
    output: &str,
) {
    if output.lines().count() != calls.len() {
        fail(format!(
            "{name}: {} lines of {}",
            output.lines().count(),
            calls.len()
        ));
        return;
    }
    for ((call, (state, nudged)), line) in calls.iter().zip(known).zip(output.lines()) {
        let place = format!("{name} at {state}: {}", call.function);
        let mut words = line.split(' ');
        let status: i32 = words
            .next()
            .and_then(|word| word.parse().ok())
            .unwrap_or(-1);
        let found: Vec<f64> = words.map(|word| word.parse().unwrap_or(f64::NAN)).collect();
        let (expected, nudged) = match (&call.expected, nudged) {
            (Ok(expected), Ok(nudged)) => (expected, nudged),
            (Err(error), Err(nudged)) => {
                if error == nudged && status != *error {
                    fail(format!("{place}: {status} in place of the error {error}"));
                }
                continue;
            }
            _ => continue,
        };
        if status != 0 {
            fail(format!("{place}: error {status}"));
            continue;
        }
        // Terms that cancel each other have about the size of arguments and parameters.
        let given = call
            .arguments
            .iter()
            .map(size)
            .fold(of_parameters, f64::max);
        let mut rest = &found[..];
        for (at, (values, nudged)) in expected.iter().zip(nudged).enumerate() {
            let (own, others) = rest.split_at(values.len().min(rest.len()));
            rest = others;
            if is_integer(call, at) && own == values {
                continue;
            }
            // Without a check, rounding decides where NaN goes.
            if values.iter().chain(nudged).any(|x| !x.is_finite()) {
                continue;
            }
            let pairs = values.iter().zip(nudged);
            let most = values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let spread = pairs.fold(0.0_f64, |most, (x, y)| most.max((x - y).abs()));
            let limit = 1e-13 * most + 16.0 * spread + 4.0 * f64::EPSILON * given;
            let mut pairs = own.iter().zip(values);
            let is_equal = own.len() == values.len() && pairs.all(|(x, y)| (x - y).abs() <= limit);
            if !is_equal {
                fail(format!(
                    "{place}: result {at}: {own:?}, in Rust {values:?} within {limit:e}"
                ));
            }
        }
        if !rest.is_empty() {
            fail(format!("{place}: {rest:?} beyond the values in Rust"));
        }
    }
}

/// A number, or an array of numbers or flags.
enum Group {
    Number(f64),
    Array(Vec<f64>),
    Flags(Vec<i32>),
}

impl Group {
    fn numbers(self) -> Vec<f64> {
        match self {
            Self::Number(value) => vec![value],
            Self::Array(values) => values,
            Self::Flags(values) => values.into_iter().map(f64::from).collect(),
        }
    }

    fn argument(self) -> Argument {
        match self {
            Self::Number(value) => Argument::Number(value),
            Self::Array(values) => Argument::Array(values),
            Self::Flags(values) => Argument::Flags(values),
        }
    }
}

/// The value of a method by its `Debug` text.
fn read(text: &str) -> Values {
    if let Some(error) = text.strip_prefix("Err(") {
        let at = ERRORS.iter().position(|name| error.starts_with(name));
        return Err(at.map_or(-1, |at| at as i32 + 1));
    }
    Ok(groups(text, true).into_iter().map(Group::numbers).collect())
}

/// The numbers of a `Debug` text: alone, or by the outermost brackets. Matrices have their columns in brackets; they are
/// read row by row if `are_matrices`.
fn groups(text: &str, are_matrices: bool) -> Vec<Group> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if next == '[' {
            let mut depth = 0;
            let end = rest.find(|c| {
                depth += i32::from(c == '[') - i32::from(c == ']');
                depth == 0
            });
            let (inner, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            all.push(array(inner, are_matrices));
            rest = after;
        } else if next.is_alphabetic() || next == '_' {
            // `NaN` and `inf` are numbers, others the names of types and fields.
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '#');
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            if let (Ok(value), false) = (word.parse(), after.starts_with(':')) {
                all.push(Group::Number(value));
            }
            rest = after;
        } else if next.is_ascii_digit() || next == '-' {
            let end =
                rest.find(|c: char| !c.is_ascii_alphanumeric() && !['.', '-', '+'].contains(&c));
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            all.push(Group::Number(word.parse().unwrap_or(f64::NAN)));
            rest = after;
        } else {
            rest = &rest[next.len_utf8()..];
        }
    }
    all
}

fn array(text: &str, is_matrix: bool) -> Group {
    if text.contains("true") || text.contains("false") {
        let words = text
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty());
        return Group::Flags(words.map(|word| i32::from(word == "true")).collect());
    }
    let inner = &text[1..text.len().saturating_sub(1)];
    let columns = inner.split('[').map(|column| {
        let words = column
            .split([',', ']', ' '])
            .filter(|word| !word.is_empty());
        words
            .map(|word| word.parse().unwrap_or(f64::NAN))
            .collect::<Vec<f64>>()
    });
    let columns: Vec<Vec<f64>> = columns.filter(|column| !column.is_empty()).collect();
    let height = columns.first().map_or(0, Vec::len);
    Group::Array(if is_matrix {
        (0..height)
            .flat_map(|i| {
                columns
                    .iter()
                    .filter_map(move |column| column.get(i).copied())
            })
            .collect()
    } else {
        columns.concat()
    })
}
