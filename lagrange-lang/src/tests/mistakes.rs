//! Wrong programs by kind, with their messages and places: the files of `tests/mistakes`.
//!
//! ```text
//! == a velocity by its name in SymPy -> der(x)
//! struct S { x: coordinate, m: parameter }
//! T = m * x_dot^2 / 2;
//!         ^^^^^ unknown name `x_dot` | the velocity of `x` is `der(x)`
//! ```
//!
//! The text after the arrow must occur in the message. A line of `^` below a line of the program is an error at
//! that place, a line of `~` a warning with its name. There are no other messages. `UPDATE=1` writes these lines
//! again; read each change.
//!
//! The program after a line `--` follows the advice, and has no messages.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use proc_macro2::{Span, TokenStream, extra};

use crate::errors::{Code, Errors};
use crate::expand::read;

/// Minimum number of programs, so that a lost file is noticed.
const LEAST: usize = 300;

struct Case {
    /// The text after `==`, including the arrow and the text after it.
    title: String,
    program: String,
    /// The lines with their marks.
    text: String,
    /// The program that follows the advice.
    followed: Option<String>,
}

fn cases(text: &str) -> Vec<Case> {
    let cases = text.split("\n== ").skip(1).map(|case| {
        let (title, text) = case.split_once('\n').unwrap_or((case, ""));
        let (text, followed) = match text.split_once("\n--\n") {
            Some((text, followed)) => (text, Some(followed.trim_end().to_owned())),
            None => (text, None),
        };
        let text = text.trim_end().to_owned();
        Case {
            title: title.to_owned(),
            program: without_marks(&text),
            text,
            followed,
        }
    });
    cases.collect()
}

/// The program without the lines that mark mistakes.
pub(super) fn without_marks(text: &str) -> String {
    let is_mark = |line: &&str| line.trim_start().starts_with(['^', '~']);
    let program: Vec<&str> = text.lines().filter(|line| !is_mark(line)).collect();
    program.join("\n")
}

/// A message at a place.
pub(super) struct Remark {
    line: usize,
    columns: (usize, usize),
    mark: char,
    pub(super) code: Code,
    pub(super) text: String,
}

pub(super) fn remarks(program: &str) -> Vec<Remark> {
    let tokens: TokenStream = match program.parse() {
        Ok(tokens) => tokens,
        Err(error) => panic!("no tokens: {error}\n{program}"),
    };
    let mut errors = Errors::default();
    let warnings = match read(tokens, &mut errors) {
        Some((_, Ok(sound))) => sound.model.warnings,
        _ => Vec::new(),
    };
    let mut remarks: Vec<Remark> = errors
        .texts()
        .into_iter()
        .zip(errors.places())
        .zip(errors.codes())
        .map(|((message, place), code)| remark((place.first, place.last), '^', code, &message))
        .collect();
    remarks.extend(warnings.iter().map(|warning| {
        let text = format!("{}: {}", warning.name, warning.text());
        remark((warning.span, warning.span), '~', warning.code, &text)
    }));
    extra::invalidate_current_thread_spans();
    remarks
}

fn remark((first, last): (Span, Span), mark: char, code: Code, message: &str) -> Remark {
    let (start, end) = (first.start(), last.end());
    let is_one_line = start.line == end.line && start.column < end.column;
    let end = if is_one_line {
        end.column
    } else {
        start.column + 1
    };
    Remark {
        line: start.line,
        columns: (start.column, end),
        mark,
        code,
        text: message.replace("\n\nhelp: ", " | "),
    }
}

/// The program with the messages below its lines.
pub(super) fn annotated(program: &str, remarks: &[Remark]) -> String {
    let mut text = String::new();
    for (number, line) in program.lines().enumerate() {
        let _ = writeln!(text, "{line}");
        for remark in remarks.iter().filter(|remark| remark.line == number + 1) {
            let (from, to) = remark.columns;
            let marks = String::from(remark.mark).repeat(to - from);
            let _ = writeln!(text, "{}{marks} {}", " ".repeat(from), remark.text);
        }
    }
    text.trim_end().to_owned()
}

/// Returns whether a message has advice. A warning has it in the same sentence.
fn has_cure(remark: &Remark) -> bool {
    let text = &remark.text;
    remark.mark == '~' || text.contains(" | ")
}

#[test]
fn mistakes_are_told_where_they_are_with_their_cure() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().flatten().collect();
    files.sort_by_key(|file| file.path());
    let (mut count, mut failures) = (0, String::new());
    for file in files {
        let old = fs::read_to_string(file.path()).unwrap();
        let introduction = old.split("\n== ").next().unwrap_or_default();
        let mut new = format!("{}\n\n", introduction.trim_end());
        let cases = cases(&old);
        println!("{:>4} {}", cases.len(), file.file_name().to_string_lossy());
        count += cases.len();
        for case in cases {
            let said = remarks(&case.program);
            let annotated_program = annotated(&case.program, &said);
            let _ = write!(new, "== {}\n{annotated_program}\n", case.title);
            if let Some(followed) = &case.followed {
                let _ = writeln!(new, "--\n{followed}");
                let said = remarks(followed);
                if !said.is_empty() {
                    let said = annotated(followed, &said);
                    let _ = writeln!(failures, "== {}: the advice\n{said}\n", case.title);
                }
            }
            new.push('\n');
            let Some((_, cure)) = case.title.rsplit_once(" -> ") else {
                panic!("no cure: {}", case.title);
            };
            let first = said.first().map_or("", |remark| remark.text.as_str());
            let is_told = first.contains(cure) && said.iter().all(has_cure);
            if annotated_program != case.text || !is_told {
                let _ = writeln!(failures, "== {}\n{annotated_program}\n", case.title);
            }
        }
        if env::var_os("UPDATE").is_some() {
            fs::write(file.path(), new.trim_end().to_owned() + "\n").unwrap();
        }
    }
    assert!(
        failures.is_empty(),
        "not as written, or without the cure:\n{failures}"
    );
    assert!(count >= LEAST, "{count} programs only");
}
