//! The links of the documents: files, headings, and the pages of the documentation that they become; the files and tests
//! that they name; the values that the tests confirm.

#[path = "documents/examples.rs"]
mod examples;
#[path = "documents/named.rs"]
mod named;
#[path = "documents/validation.rs"]
mod validation;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every document, by its path from the root.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let folders = [
        ".",
        "docs",
        "examples",
        "tests/reference",
        "lagrange-engine",
        "lagrange-lang",
        "lagrange-macros",
        "lagrange-runtime",
        "lagrangian-page",
        "python",
    ];
    let files = folders
        .iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let paths = files.map(|file| file.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|name| name == "md"))
        .collect()
}

/// The text outside of blocks and spans of code.
fn prose(text: &str) -> String {
    let mut blocks = text.split("\n```");
    let mut prose = blocks.next().unwrap_or_default().to_owned();
    // A block, the text up to the next one, and so on.
    for (i, part) in blocks.enumerate() {
        if i % 2 == 1 {
            prose.push_str(part);
        }
    }
    prose
        .split('`')
        .step_by(2)
        .collect::<Vec<_>>()
        .join(" code ")
}

/// The targets of its links.
fn targets(text: &str) -> Vec<String> {
    let prose = prose(text);
    let inline = prose
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'));
    let mut targets: Vec<String> = inline.map(|(target, _)| target.to_owned()).collect();
    for line in text.lines().filter(|line| line.starts_with('[')) {
        targets.extend(line.split_once("]: ").map(|(_, target)| target.to_owned()));
    }
    targets
}

/// The anchors of its headings, as rustdoc and code hosts make them.
fn anchors(text: &str) -> Vec<String> {
    let mut inside = false;
    let headings = text.lines().filter(|line| {
        inside ^= line.starts_with("```");
        !inside && line.starts_with('#')
    });
    let anchor = |heading: &str| -> String {
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = words
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut texts = HashMap::new();
    for path in documents() {
        texts.insert(
            path.canonicalize().unwrap(),
            fs::read_to_string(&path).unwrap(),
        );
    }
    let mut broken = Vec::new();
    for (path, text) in &texts {
        for target in targets(text) {
            if target.starts_with("http") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let to = match file {
                "" => path.clone(),
                file => path.parent().unwrap().join(file),
            };
            let Ok(to) = to.canonicalize() else {
                broken.push(format!("{}: {target}: no such file", path.display()));
                continue;
            };
            let known = || {
                texts
                    .get(&to)
                    .is_some_and(|text| anchors(text).iter().any(|a| a == anchor))
            };
            if !anchor.is_empty() && !known() {
                broken.push(format!("{}: {target}: no such heading", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// The targets within the document of the links before the first section, and the anchors of its headings but the
/// title.
fn contents(file: &str) -> (Vec<String>, Vec<String>) {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs")).join(file);
    let text = fs::read_to_string(path).unwrap();
    let listed = targets(text.split("\n## ").next().unwrap()).into_iter();
    let listed = listed.filter_map(|target| Some(target.strip_prefix('#')?.to_owned()));
    (listed.collect(), anchors(&text).split_off(1))
}

#[test]
fn contents_list_every_heading() {
    for (page, count) in [
        ("language.md", 30),
        ("generated_items.md", 10),
        ("numerics.md", 4),
    ] {
        let (listed, headings) = contents(page);
        assert!(headings.len() > count, "{page}");
        assert_eq!(listed, headings);
    }
    // The sections, then the entries.
    let (mut listed, mut headings) = contents("errors.md");
    assert!(headings.len() > 100);
    listed.sort();
    headings.sort();
    assert_eq!(listed, headings);
}

/// Pages link to pages: `src/pages.rs` defines anew each reference of a document to its folder or one beside it.
#[test]
fn pages_link_to_pages() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let pages = fs::read_to_string(root.join("src/pages.rs")).unwrap();
    let files = pages
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("page! { "));
    let mut found = 0;
    for line in files {
        let file = line.split('"').nth(1).unwrap();
        let text = fs::read_to_string(root.join("docs").join(file)).unwrap();
        for target in targets(&text) {
            if target.starts_with('#') || target.starts_with("http") {
                continue;
            }
            assert!(pages.contains(&format!("[{target}]: ")), "{file}: {target}");
            let inline = format!("]({target})");
            assert!(
                !text.contains(&inline),
                "{file}: {target} is written inline"
            );
        }
        found += 1;
    }
    assert!(found > 5);
}

#[test]
fn the_book_has_every_page() {
    let docs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"));
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let mut listed = targets(&summary);
    let names = fs::read_dir(docs)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut pages: Vec<String> = names
        .filter(|name| name.ends_with(".md") && name != "SUMMARY.md")
        .collect();
    listed.sort();
    pages.sort();
    assert_eq!(listed, pages);
}
