//! The declarations of this repository, as material: in its documents, examples and tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{Delimiter, TokenStream, TokenTree, extra};

use crate::errors::Errors;
use crate::expand::read;

/// The longest text that is taken: what is derived of longer ones takes too long to be done again and again.
const MOST: usize = 1500;

/// A declaration without mistakes.
pub(super) struct Sound {
    pub(super) text: String,
    pub(super) judgement: Judgement,
}

/// The texts between the braces of every `lagrangian! { .. }` that has no mistakes, shorter ones only, in a
/// fixed order and each once.
pub(super) fn sound() -> &'static [Sound] {
    // Each is read to be judged, which takes longer than most of what is tried with it.
    static SOUND: LazyLock<Vec<Sound>> = LazyLock::new(|| {
        let short = all().into_iter().filter(|text| text.len() <= MOST);
        let judged = short.filter_map(|text| {
            let judgement = judge(&text)?;
            Some(Sound { text, judgement })
        });
        judged
            .filter(|sound| sound.judgement.errors.is_empty())
            .collect()
    });
    &SOUND
}

/// The texts between the braces of every `lagrangian! { .. }` of the repository.
pub(super) fn all() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = vec![root.join("README.md")];
    for folder in ["docs", "examples", "tests", "benches", "src"] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    let mut found: Vec<String> = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap_or_default();
        for declaration in of_text(&text) {
            if !found.contains(&declaration) {
                found.push(declaration);
            }
        }
    }
    found
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_text = path.extension().is_some_and(|e| e == "rs" || e == "md");
        if path.is_dir() {
            collect(&path, files);
        } else if is_text && !path.components().any(|part| part.as_os_str() == "ui") {
            files.push(path);
        }
    }
}

/// The texts between the braces of every `lagrangian! { .. }` of a text.
pub(super) fn of_text(text: &str) -> Vec<String> {
    const HEAD: &str = "lagrangian! {";
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(HEAD) {
        rest = &rest[at + HEAD.len()..];
        if let Some(end) = end_of_braces(rest) {
            found.push(rest[..end].trim_matches('\n').to_owned());
        }
    }
    found
}

/// Where the brace that is open before the text is closed, comments left out.
fn end_of_braces(text: &str) -> Option<usize> {
    let mut depth = 1_usize;
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        if text[at..].starts_with("//") {
            at += text[at..].find('\n')?;
            continue;
        }
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
        at += letter.len_utf8();
    }
    None
}

/// What the macro says of a declaration.
pub(super) struct Judgement {
    pub(super) errors: Vec<Said>,
    /// The outputs that are methods in the end, with or without errors.
    pub(super) outputs: Vec<String>,
    /// Whether the system has a name.
    pub(super) is_named: bool,
}

pub(super) struct Said {
    /// The first and the last line.
    pub(super) lines: (usize, usize),
    pub(super) message: String,
}

/// `None` for what is no tokens, of which the compiler itself says why.
pub(super) fn judge(text: &str) -> Option<Judgement> {
    let tokens: TokenStream = text.parse().ok()?;
    let mut errors = Errors::default();
    let names = |items: &[crate::model::OutputItem]| {
        items
            .iter()
            .map(|item| item.name.to_string())
            .collect::<Vec<_>>()
    };
    let read = read(tokens, &mut errors);
    let is_named = read.is_some();
    let outputs = match read {
        None => Vec::new(),
        Some((_, Ok(sound))) => names(&sound.model.outputs),
        Some((_, Err(known))) => {
            let entries = known.tables.outputs.into_iter();
            names(&entries.map(|entry| entry.item).collect::<Vec<_>>())
        }
    };
    let said = errors.messages().into_iter().zip(errors.places());
    let said = said.map(|(message, place)| Said {
        lines: (place.first.start().line, place.last.end().line),
        message,
    });
    let errors = said.collect();
    extra::invalidate_current_thread_spans();
    Some(Judgement {
        errors,
        outputs,
        is_named,
    })
}

/// A token of a text, or a delimiter: where it stands and what it says.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Counted from 0.
    pub(super) line: usize,
    /// In letters, from the first to behind the last one.
    pub(super) columns: (usize, usize),
    pub(super) text: String,
    /// +1 opens a group, -1 closes one.
    pub(super) opens: i8,
}

/// The pieces of a text in order; of lines with doc comments none.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    if let Ok(tokens) = text.parse() {
        add_pieces(tokens, &mut found);
    }
    let lines: Vec<&str> = text.lines().collect();
    found.retain(|piece| {
        let line = lines.get(piece.line).map_or("", |line| line.trim_start());
        !line.starts_with("//")
    });
    extra::invalidate_current_thread_spans();
    found
}

fn add_pieces(tokens: TokenStream, found: &mut Vec<Piece>) {
    let piece = |span: proc_macro2::Span, text: String, opens: i8| Piece {
        line: span.start().line - 1,
        columns: (span.start().column, span.end().column),
        text,
        opens,
    };
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let [open, close] = match group.delimiter() {
                    Delimiter::Parenthesis => ["(", ")"],
                    Delimiter::Bracket => ["[", "]"],
                    Delimiter::Brace => ["{", "}"],
                    Delimiter::None => continue,
                };
                found.push(piece(group.span_open(), open.to_owned(), 1));
                add_pieces(group.stream(), found);
                found.push(piece(group.span_close(), close.to_owned(), -1));
            }
            other => found.push(piece(other.span(), other.to_string(), 0)),
        }
    }
}
