//! The messages of all programs of the message tests beside those of the macro, which these tests hold: the files of
//! `lagrange-lang/tests/mistakes` and of `tests/messages/ui`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use lagrangian_live::{Diagnostic, Model, Severity, declarations};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|name| name == extension))
        .collect();
    files.sort();
    files
}

/// All messages, warnings after errors.
fn told(text: &str, folder: &Path) -> Vec<Diagnostic> {
    match Model::read_in(text, folder) {
        Ok(model) => model.warnings().to_vec(),
        Err(messages) => messages,
    }
}

/// The headline, the advice and the number, as in the files.
fn text(diagnostic: &Diagnostic, folder: &Path) -> String {
    let Diagnostic {
        code,
        message,
        help,
        ..
    } = diagnostic;
    let help = match help {
        // The macro looks for files in the folder of the package.
        Some(help) => help.replace(
            &format!("the folder `{}`", folder.display()),
            "the directory of the package's Cargo.toml",
        ),
        None if diagnostic.severity == Severity::Warning => return format!("{message} [{code}]"),
        None => "see".to_owned(),
    };
    format!("{message} | {help} [{code}]")
}

/// The program with its messages below the lines.
fn annotated(program: &str, messages: &[Diagnostic], folder: &Path) -> String {
    let mut annotated = String::new();
    for (number, line) in program.lines().enumerate() {
        let _ = writeln!(annotated, "{line}");
        for message in messages.iter().filter(|message| message.line == number + 1) {
            let from = message.column - 1;
            let is_one_line =
                message.end_line == message.line && message.end_column > message.column;
            let width = if is_one_line {
                message.end_column - message.column
            } else {
                1
            };
            let mark = match message.severity {
                Severity::Error => "^",
                Severity::Warning => "~",
            };
            let marks = mark.repeat(width);
            let _ = writeln!(
                annotated,
                "{}{marks} {}",
                " ".repeat(from),
                text(message, folder)
            );
        }
    }
    annotated.trim_end().to_owned()
}

/// The lines with the marks below each line of the program in one order, whatever the order of the messages.
fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    let is_mark = |line: &&str| line.trim_start().starts_with(['^', '~']);
    lines
        .chunk_by_mut(|a, b| is_mark(a) && is_mark(b))
        .for_each(<[&str]>::sort_unstable);
    lines
}

/// A line of the file without the name of the lint, which only rustc shows.
fn without_lint(line: &str) -> String {
    match line.trim_start().starts_with('~') {
        true => {
            let (marks, text) = line.split_once("~ ").unwrap();
            format!("{marks}~ {}", text.split_once(": ").unwrap().1)
        }
        false => line.to_owned(),
    }
}

/// The programs of a file, each with its messages below the lines.
pub(crate) fn mistakes() -> Vec<String> {
    let files = files(&root().join("lagrange-lang/tests/mistakes"), "txt");
    let texts = files.iter().map(|file| fs::read_to_string(file).unwrap());
    let cases = texts.flat_map(|text| {
        let cases = text.split("\n== ").skip(1);
        let cases = cases.map(|case| {
            let text = case.split_once('\n').unwrap().1;
            text.split("\n--\n").next().unwrap().trim_end().to_owned()
        });
        cases.collect::<Vec<String>>()
    });
    cases.collect()
}

pub(crate) fn without_marks(text: &str) -> String {
    let is_mark = |line: &&str| line.trim_start().starts_with(['^', '~']);
    let program: Vec<&str> = text.lines().filter(|line| !is_mark(line)).collect();
    program.join("\n")
}

#[test]
fn mistakes_have_the_messages_of_the_macro() {
    let folder = root().join("lagrange-lang");
    let (mut count, mut failures) = (0, String::new());
    for case in mistakes() {
        let program = without_marks(&case);
        let mut messages = told(&program, &folder);
        // The lint of rustc is not in the files.
        messages.retain(|message| message.code != "unused_variables");
        let found = annotated(&program, &messages, &folder);
        let expected: Vec<String> = case.lines().map(without_lint).collect();
        if sorted(&found) != sorted(&expected.join("\n")) {
            let _ = writeln!(failures, "{found}\n");
        }
        count += 1;
    }
    assert!(failures.is_empty(), "not as the macro:\n{failures}");
    assert!(count > 300, "{count} programs only");
}

/// A message as rustc shows it: the first line, without the name of the lint, then the line and the column.
type Shown = (String, usize, usize);

/// The messages of the macro in what rustc prints: those with a number, and unused variables.
fn shown(stderr: &str) -> BTreeSet<Shown> {
    let blocks = stderr.split("\n\n");
    let mut shown = BTreeSet::new();
    let mut headline: Option<String> = None;
    for line in blocks.flat_map(str::lines) {
        if let Some(text) = line
            .strip_prefix("error: ")
            .or_else(|| line.strip_prefix("warning: "))
        {
            let text = match text.strip_prefix("use of deprecated macro ") {
                Some(text) => text.split_once(": ").unwrap().1,
                None => text,
            };
            headline = Some(text.split(" [L").next().unwrap().to_owned());
        } else if let Some(place) = line.trim_start().strip_prefix("--> ") {
            let numbers = place
                .rsplitn(3, ':')
                .map_while(|number| number.parse().ok());
            // A place in a file of the standard library has no numbers.
            if let [column, line] = numbers.collect::<Vec<usize>>()[..] {
                shown.extend(headline.take().map(|headline| (headline, line, column)));
            }
        }
    }
    shown
}

/// A message about an empty declaration is at the call of the macro, which is not in the text: without its column.
fn without_call((headline, line, column): Shown) -> Shown {
    let is_of_call = headline.ends_with("found the end") && headline.contains("struct");
    (headline, line, if is_of_call { 0 } else { column })
}

#[test]
fn programs_in_rust_have_the_messages_of_the_compiler() {
    let folder = root().join("tests/messages/ui");
    let paths = files(&folder, "rs")
        .into_iter()
        .chain(files(&folder.join("lints"), "rs"));
    let (mut count, mut failures) = (0, String::new());
    for path in paths {
        let program = fs::read_to_string(&path).unwrap();
        let stderr = fs::read_to_string(path.with_extension("stderr")).unwrap();
        let mut expected: BTreeSet<Shown> = shown(&stderr).into_iter().map(without_call).collect();
        // The compiler's own word for two systems of one name.
        expected.retain(|(headline, ..)| !headline.starts_with("no rules expected"));
        let texts = match declarations(&program) {
            Ok(texts) => texts,
            // rustc stops there, too.
            Err(messages) => {
                let message = &messages[0];
                let place = format!(":{}:{}\n", message.line, message.column);
                assert!(stderr.contains(&place), "{message}");
                continue;
            }
        };
        let found = texts
            .iter()
            .flat_map(|text| told(text, &root().join("tests/messages")));
        let found: BTreeSet<Shown> = found
            .map(|message| (message.message, message.line, message.column))
            .map(without_call)
            .collect();
        for missing in expected
            .difference(&found)
            .chain(found.difference(&expected))
        {
            let side = if found.contains(missing) {
                "only here"
            } else {
                "only in rustc"
            };
            let _ = writeln!(failures, "{} {side}: {missing:?}", path.display());
        }
        count += found.len();
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(count > 100, "{count} messages only");
}

#[test]
fn a_text_without_tokens_has_a_message() {
    for (text, line, column, message) in [
        ("struct S {\n  x: coordinate", 1, 10, "`{` is not closed"),
        (
            "struct S { x: coordinate }\nT = der(x]^2;",
            2,
            10,
            "`]` closes nothing",
        ),
        (
            "struct S { x: coordinate }\nT = x'';",
            2,
            6,
            "a quotation mark",
        ),
        ("T = \"abc", 1, 5, "a quotation mark"),
    ] {
        let messages = Model::read(text).unwrap_err();
        let first = &messages[0];
        assert_eq!((first.line, first.column), (line, column), "{first}");
        assert!(first.message.starts_with(message), "{first}");
        assert_eq!(first.code, "tokens");
    }
}

#[test]
fn lint_levels_are_those_of_the_compiler() {
    let read = |attributes: &str| {
        let text = format!("{attributes} struct S {{ x: coordinate, c: parameter }} T = der(x)^2;");
        let read = Model::read(&text);
        read.map(|model| model.warnings().len())
            .map_err(|messages| messages[0].code.clone())
    };
    assert_eq!(read(""), Ok(1));
    assert_eq!(read("#[allow(unused_variables)]"), Ok(0));
    assert_eq!(read("#[allow(unused)]"), Ok(0));
    assert_eq!(read("#[allow(deprecated)]"), Ok(1));
    assert_eq!(
        read("#[deny(unused_variables)]"),
        Err("unused_variables".to_owned())
    );
    let underscore = "struct S { x: coordinate, _c: parameter } T = der(x)^2;";
    assert!(Model::read(underscore).unwrap().warnings().is_empty());
}

#[test]
fn carets_stand_below_the_token() {
    let text = "struct S { θ: coordinate }\n\tT = der(θ)^2 + 1 / 2 * θ̇ * fehlt;";
    let shown = Model::read(text).unwrap_err()[0].to_string();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[3], "2 | \tT = der(θ)^2 + 1 / 2 * θ̇ * fehlt;");
    assert_eq!(lines[4], "  | \t                           ^^^^^");
}

/// The marks of a text's first message, and the message.
fn marked(text: &str) -> (String, String) {
    let shown = Model::read(text).unwrap_err()[0].to_string();
    let mut lines = shown.lines();
    let headline = lines.next().unwrap_or_default().to_owned();
    let marks = lines.nth(3).unwrap_or_default().to_owned();
    (marks, headline)
}

#[test]
fn marks_are_as_wide_as_the_letters() {
    // A terminal shows two columns for each of these letters, and none for an accent.
    for (before, columns) in [
        ("", 0),
        ("\u{e9}", 1),
        ("e\u{301}", 1),
        ("漢字", 4),
        ("한", 2),
        ("ﾊ", 1),
        ("Ａ", 2),
        ("🙂", 2),
    ] {
        for (name, width) in [("zz", 2), ("変数", 4), ("Ａ", 2), ("é", 1)] {
            let text =
                format!("struct S {{ x: coordinate }} T = der(x)^2;\n/*{before}*/ V = {name};");
            let (marks, headline) = marked(&text);
            let expected = format!("  | {}{}", " ".repeat(9 + columns), "^".repeat(width));
            assert_eq!(marks, expected, "{text}");
            assert_eq!(headline, format!("error[L101]: unknown name `{name}`"));
        }
    }
}

#[test]
fn comments_without_an_end_are_told() {
    for text in [
        "struct S { x: coordinate } /* T = der(x)^2;",
        "struct S { x: coordinate } T = /** /* */ der(x)^2;",
    ] {
        assert_eq!(
            marked(text).1,
            "error[tokens]: a comment that nothing closes"
        );
    }
}
