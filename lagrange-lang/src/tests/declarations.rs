//! The declarations of this repository as test data, from its documents, examples and tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{Delimiter, TokenStream, TokenTree, extra};

use crate::errors::Errors;
use crate::expand::read;

/// Maximum length of a text. Derivations from longer ones take too long for repeated tests.
const MOST: usize = 1500;

/// A declaration without mistakes.
pub(super) struct Sound {
    pub(super) text: String,
    pub(super) judgement: Judgement,
}

/// The texts between the braces of every `lagrangian! { .. }` without mistakes. Contains only short ones, in a
/// fixed order and without repetition.
pub(super) fn sound() -> &'static [Sound] {
    // Checking each text takes longer than most tests that use it.
    static SOUND: LazyLock<Vec<Sound>> = LazyLock::new(|| {
        all()
            .into_iter()
            .filter(|text| text.len() <= MOST)
            .filter_map(|text| {
                let judgement = judge(&text)?;
                Some(Sound { text, judgement })
            })
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
    let mut texts: Vec<String> = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap_or_default();
        for declaration in of_text(&text) {
            if !texts.contains(&declaration) {
                texts.push(declaration);
            }
        }
    }
    texts
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
    let mut texts = Vec::new();
    let mut remaining = text;
    while let Some(at) = remaining.find(HEAD) {
        remaining = &remaining[at + HEAD.len()..];
        if let Some(end) = end_of_braces(remaining) {
            texts.push(remaining[..end].trim_matches('\n').to_owned());
        }
    }
    texts
}

/// The position of the brace that closes the open one, without comments.
fn end_of_braces(text: &str) -> Option<usize> {
    let mut depth = 1_usize;
    let mut position = 0;
    while let Some(letter) = text[position..].chars().next() {
        if text[position..].starts_with("//") {
            position += text[position..].find('\n')?;
            continue;
        }
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(position);
        }
        position += letter.len_utf8();
    }
    None
}

/// The messages of the macro about a declaration, and its outputs.
pub(super) struct Judgement {
    pub(super) errors: Vec<Said>,
    /// The outputs that become methods, with or without errors.
    pub(super) outputs: Vec<String>,
    /// True if the system has a name.
    pub(super) is_named: bool,
}

pub(super) struct Said {
    /// The first and the last line.
    pub(super) lines: (usize, usize),
    pub(super) message: String,
}

/// `None` if the text is not a token stream. The compiler itself reports why.
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
            let entries = known
                .tables
                .outputs
                .into_iter()
                .map(|entry| entry.item)
                .collect::<Vec<_>>();
            names(&entries)
        }
    };
    let errors = errors
        .messages()
        .into_iter()
        .zip(errors.places())
        .map(|(message, place)| Said {
            lines: (place.first.start().line, place.last.end().line),
            message,
        })
        .collect();
    extra::invalidate_current_thread_spans();
    Some(Judgement {
        errors,
        outputs,
        is_named,
    })
}

/// A token of a text, or a delimiter, with its position and text.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Counted from 0.
    pub(super) line: usize,
    /// In characters, from the first one to the position after the last one.
    pub(super) columns: (usize, usize),
    pub(super) text: String,
    /// +1 opens a group, -1 closes one.
    pub(super) opens: i8,
}

/// The pieces of a text in order, without lines of doc comments.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut bodies = Vec::new();
    if let Ok(tokens) = text.parse() {
        add_pieces(tokens, &mut bodies);
    }
    let lines: Vec<&str> = text.lines().collect();
    bodies.retain(|piece| {
        let line = lines.get(piece.line).map_or("", |line| line.trim_start());
        !line.starts_with("//")
    });
    extra::invalidate_current_thread_spans();
    bodies
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
