//! The pages of the errors, `docs/errors.md`: one entry for each kind of message, with its number and title.
//!
//! In an entry, the blocks with marks are wrong programs. The marks are their only messages, and all have the
//! number of the entry. The other blocks are right programs without messages. `UPDATE=1` writes the marks again. It
//! also writes the right programs into `tests/error_pages.rs` of the workspace, where they are compiled.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use super::mistakes::{annotated, remarks, without_marks};
use crate::errors::{ALL, Code};

/// A message that appears only after more than a hundred mistakes. A test of the error collector covers it.
const WITHOUT_PROGRAMS: [Code; 1] = [Code::MoreMistakes];

const FENCE: &str = "```";

/// A program of the page: its correct text, and its difference from the page.
struct Block {
    is_wrong: bool,
    new: String,
    complaint: Option<String>,
}

fn block(text: &str, code: &str) -> Block {
    let program = without_marks(text);
    let is_wrong = program != text;
    let mut remarks = remarks(&program);
    let are_of_kind = remarks.iter().all(|remark| remark.code.to_string() == code);
    let is_as_told = is_wrong != remarks.is_empty() && are_of_kind;
    let all_remarks = annotated(&program, &remarks);
    for remark in &mut remarks {
        // The advice is shown by the other program.
        remark.text = remark
            .text
            .split(" | ")
            .next()
            .unwrap_or_default()
            .replace(&format!(" [{code}]"), "");
    }
    let new = if is_as_told {
        annotated(&program, &remarks)
    } else {
        text.to_owned()
    };
    let complaint = (!is_as_told || new != text).then_some(all_remarks);
    Block {
        is_wrong,
        new,
        complaint,
    }
}

const COMPILED: &str = "\
//! The right programs of `docs/errors.md`, for the compiler to see: nothing is said of them there either. Written by
//! `UPDATE=1 cargo test -p lagrange-lang --lib each_kind`.

#![deny(warnings)]
#![allow(missing_docs, dead_code)]
";

/// A right program in its own module.
fn module(code: &str, count: usize, program: &str) -> String {
    let name = code.to_lowercase();
    let program = program.trim().replace('\n', "\n        ");
    // Empty lines have no spaces.
    let program = program.replace("\n        \n", "\n\n");
    format!(
        "\nmod {name}_{count} {{\n    lagrangian::lagrangian! {{\n        {program}\n    }}\n}}\n"
    )
}

/// Compares a file with the stored one.
fn is_kept(path: &Path, text: &str) -> bool {
    if env::var_os("UPDATE").is_some() {
        fs::write(path, text).unwrap();
    }
    fs::read_to_string(path).unwrap_or_default() == text
}

#[test]
fn each_kind_of_message_has_its_entry() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = root.join("docs/errors.md");
    let old = fs::read_to_string(&path).unwrap();
    let (mut compiled, mut seen) = (COMPILED.to_owned(), HashSet::new());
    let mut entries = old.split("\n### ");
    let mut new = entries.next().unwrap_or_default().to_owned();
    let (mut headings, mut failures) = (Vec::new(), String::new());
    for entry in entries {
        let heading = entry.lines().next().unwrap_or_default();
        let code = heading.split(':').next().unwrap_or_default();
        let (mut wrong, mut right) = (0, 0);
        let _ = write!(new, "\n### ");
        for (at, part) in entry.split(FENCE).enumerate() {
            if at > 0 {
                new += FENCE;
            }
            let Some(program) = part.strip_prefix("text\n").filter(|_| at % 2 == 1) else {
                new += part;
                continue;
            };
            let block = block(program.trim_end(), code);
            *(if block.is_wrong {
                &mut wrong
            } else {
                &mut right
            }) += 1;
            // The same program can be right for many kinds of mistakes.
            if !block.is_wrong && seen.insert(program.trim()) {
                compiled += &module(code, right, program);
            }
            let _ = writeln!(new, "text\n{}", block.new);
            if let Some(complaint) = block.complaint {
                let _ = writeln!(failures, "{heading}\n{complaint}\n");
            }
        }
        let is_shown = WITHOUT_PROGRAMS.iter().all(|of| of.to_string() != code);
        if is_shown && (wrong == 0 || right == 0) {
            let _ = writeln!(
                failures,
                "{heading}: {wrong} wrong programs, {right} right ones"
            );
        }
        headings.push(heading.to_owned());
    }
    let is_compiled = is_kept(&root.join("tests/error_pages.rs"), &compiled);
    is_kept(&path, &new);
    assert!(failures.is_empty(), "not as the page has it:\n{failures}");
    assert!(is_compiled, "tests/error_pages.rs has other programs");
    let titles = ALL
        .iter()
        .map(|code| format!("{code}: {}", code.title()))
        .collect::<Vec<String>>();
    assert_eq!(headings, titles);
    // The table at the top links to the same anchors as the messages.
    for code in ALL {
        let address = code.address();
        let (_, anchor) = address.split_once('#').unwrap();
        let link = format!("[{code}](#{anchor})");
        assert!(new.contains(&link), "the table has no {link}");
    }
}
