//! Files and tests that documents name exist.

use std::fs;
use std::path::{Path, PathBuf};

use super::documents;

/// Paths from the root begin with one of these.
const FOLDERS: [&str; 11] = [
    ".ci/",
    "benches/",
    "docs/",
    "examples/",
    "lagrange-engine/",
    "lagrange-lang/",
    "lagrange-macros/",
    "lagrange-runtime/",
    "lagrangian-page/",
    "python/",
    "tests/",
];
/// `docs/systems.md` names tests from one of these.
const BELOW: [&str; 2] = ["tests", "tests/messages"];

/// The first word of each span of code, outside of blocks.
fn names(text: &str) -> Vec<&str> {
    let prose = text.split("\n```").step_by(2);
    let spans = prose.flat_map(|part| part.split('`').skip(1).step_by(2));
    spans
        .filter_map(|span| span.split_whitespace().next())
        .collect()
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

#[test]
fn files_that_documents_name_exist() {
    let mut missing = Vec::new();
    let mut found = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for name in names(&text) {
            let is_path = FOLDERS.iter().any(|folder| name.starts_with(folder));
            if !is_path || name.contains('*') {
                continue;
            }
            let file = name.split("::").next().unwrap_or(name);
            found += 1;
            if !root().join(file).exists() {
                missing.push(format!("{}: {name}", document.display()));
            }
        }
    }
    assert!(missing.is_empty(), "no such files: {missing:#?}");
    assert!(found > 100, "{found} files are named");
}

/// A test is `file::function`; `::function` is in the file before it.
#[test]
fn tests_that_the_index_of_systems_names_exist() {
    let text = fs::read_to_string(root().join("docs/systems.md")).unwrap();
    let mut file = PathBuf::new();
    let (mut missing, mut found) = (Vec::new(), 0);
    for name in names(&text) {
        let (path, function) = name.split_once("::").unwrap_or((name, ""));
        if !path.is_empty() && !path.ends_with(".rs") {
            continue;
        }
        if !path.is_empty() {
            let places = BELOW.map(|folder| root().join(folder).join(path));
            let place = places.into_iter().find(|place| place.is_file());
            file = place.unwrap_or_default();
        }
        found += 1;
        let source = fs::read_to_string(&file).unwrap_or_default();
        let is_there = |before: &str| source.contains(&format!("{before}{function}"));
        // `reference_test!` begins with the name of the function; a wrong program is a module.
        let before = ["#[test]\nfn ", "reference_test! {\n    ", "\nmod "];
        let is_test = before.into_iter().any(is_there);
        if source.is_empty() || !function.is_empty() && !is_test {
            missing.push(name);
        }
    }
    assert!(missing.is_empty(), "no such tests: {missing:#?}");
    assert!(found > 80, "{found} tests are named");
}
