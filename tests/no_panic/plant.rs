//! Plants a panic into every function of a copy of a crate, for `tests/no_panic/run`.
//!
//! `plant FOLDER` rewrites the sources below `FOLDER`: each body of a function begins with
//! `if black_box(false) { crate::planted::NAME() }`, which no optimisation removes, and `lib.rs` gets the
//! module `planted`, whose functions panic. It prints a line for each file: the path, and the names that
//! are planted there. Bodies in macros count once; tests and `const fn` are left alone.

use std::path::{Path, PathBuf};
use std::{env, fmt::Write, fs, iter};

fn main() {
    let root = PathBuf::from(env::args().nth(1).expect("usage: plant FOLDER"));
    let mut planted = String::new();
    for path in sources(&root) {
        let text = fs::read_to_string(&path).expect("a source is UTF-8");
        let inside = path.strip_prefix(&root).expect("it was found there");
        let (text, names) = plant(&text, &stem(inside));
        fs::write(&path, text).expect("the copy can be written to");
        for name in &names {
            // Each panic on a line of its own, so that no two functions are alike and merged.
            writeln!(
                planted,
                "#[inline(never)]\npub fn {name}() {{\n    panic!()\n}}"
            )
            .unwrap();
        }
        println!("{} {}", inside.display(), names.join(" "));
    }
    let lib = root.join("lib.rs");
    let text = fs::read_to_string(&lib).expect("a crate has a `lib.rs`");
    let module = format!(
        "#[doc(hidden)]\n#[allow(missing_docs, non_snake_case)]\npub mod planted {{\n{planted}}}\n"
    );
    fs::write(&lib, format!("{text}\n{module}")).expect("the copy can be written to");
}

/// The sources below a folder but for tests, in order.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    let is_test = |path: &Path| path.file_stem().is_some_and(|stem| stem == "tests");
    let mut found = Vec::new();
    for path in paths.into_iter().filter(|path| !is_test(path)) {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// `linalg_kkt` for `linalg/kkt.rs`.
fn stem(path: &Path) -> String {
    let path = path.with_extension("");
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("_")
}

/// The text with its plants, and their names: the file's, the line's and the function's.
fn plant(text: &str, stem: &str) -> (String, Vec<String>) {
    let code = code(text);
    let (mut planted, mut names, mut kept) = (String::new(), Vec::new(), 0);
    for (name, body) in functions(&code) {
        let line = text[..body].lines().count();
        let name = format!("{stem}__{line}_{}", name.trim_start_matches('$'));
        planted += &text[kept..body];
        write!(
            planted,
            " if core::hint::black_box(false) {{ crate::planted::{name}(); }}"
        )
        .unwrap();
        kept = body;
        names.push(name);
    }
    (planted + &text[kept..], names)
}

/// Functions that are neither `const` nor tests, each with the place after the brace of its body.
fn functions(code: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut place = 0;
    while let Some(step) = code[place..].find("fn ") {
        let word = place + step;
        place = word + "fn ".len();
        let before = &code[..word];
        if before.ends_with(is_of_name) || is_const(before) || in_tests(code, word) {
            continue;
        }
        let rest = &code[place..];
        let length = rest.find(|c| !is_of_name(c) && c != '$').unwrap_or(0);
        if let (1.., Some(body)) = (length, body(rest)) {
            found.push((rest[..length].to_owned(), place + body));
        }
    }
    found
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_const(before: &str) -> bool {
    before.trim_end().ends_with("const")
}

/// Whether a place is in an item after `#[cfg(test)]`.
fn in_tests(code: &str, place: usize) -> bool {
    let mut items = code[..place]
        .match_indices("#[cfg(test)]")
        .map(|(start, _)| start);
    items.any(|start| match code[start..].find(['{', ';']) {
        Some(open) if code[start + open..].starts_with('{') => {
            place < start + open + closing(&code[start + open..])
        }
        _ => false,
    })
}

/// The end of the group in braces that the code begins with.
fn closing(code: &str) -> usize {
    let mut depth = 0;
    for (place, c) in code.char_indices() {
        depth += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        if depth == 0 {
            return place;
        }
    }
    code.len()
}

/// Where the body begins of the function whose signature the code begins with: after the first brace
/// outside of all brackets, unless a semicolon ends it before.
fn body(signature: &str) -> Option<usize> {
    let mut depth = 0;
    let mut last = ' ';
    for (place, c) in signature.char_indices() {
        match c {
            '{' if depth == 0 => return Some(place + 1),
            ';' if depth == 0 => return None,
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if last != '-' && last != '=' => depth -= 1,
            _ => {}
        }
        last = c;
    }
    None
}

/// The text with blanks in place of comments, strings and characters.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = comment(rest).or_else(|| literal(rest));
        let end = length.unwrap_or(first.len_utf8());
        match length {
            Some(_) => code.extend(iter::repeat_n(' ', end)),
            None => code.push(first),
        }
        rest = &rest[end..];
    }
    code
}

/// The length of the comment that the text begins with.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.starts_with("/*")
        .then(|| text.find("*/").map_or(text.len(), |end| end + 2))
}

/// The length of the string or character that the text begins with; a lifetime is neither.
fn literal(text: &str) -> Option<usize> {
    let hashes = text
        .strip_prefix('r')
        .map(|rest| rest.len() - rest.trim_start_matches('#').len());
    if let Some(count) = hashes.filter(|count| text[1 + count..].starts_with('"')) {
        let end = format!("\"{}", "#".repeat(count));
        let start = count + 2;
        return Some(
            text[start..]
                .find(&end)
                .map_or(text.len(), |place| start + place + end.len()),
        );
    }
    let quote = text
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    let mut escaped = false;
    for (count, (place, c)) in text.char_indices().skip(1).enumerate() {
        if c == quote && !escaped {
            return Some(place + 1);
        }
        if quote == '\'' && count > 0 && !text[1..].starts_with('\\') {
            return None;
        }
        escaped = c == '\\' && !escaped;
    }
    None
}
