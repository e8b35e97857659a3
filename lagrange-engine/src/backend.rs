//! Printers of routines as text in other languages. Each can print every routine; passes that only one language needs
//! are beside its printer.

pub mod c99;
pub mod casadi;
pub mod cuda;
mod curves;
mod declaration;
mod names;
mod printer;
mod schedules;
mod steps;
pub mod wgsl;

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

/// Words that a text in another language may not use.
type Words = LazyLock<HashSet<&'static str>>;

/// The words of a list.
fn words(list: &'static str) -> HashSet<&'static str> {
    list.split_ascii_whitespace().collect()
}

/// A text with marks replaced, the first that fits at each place. Replacements are not searched again: a system may be
/// called like a mark.
fn replaced(text: &str, marks: &[(&str, &str)]) -> String {
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        match marks.iter().find(|(mark, _)| rest.starts_with(mark)) {
            Some((mark, value)) => {
                found.push_str(value);
                rest = &rest[mark.len()..];
            }
            None => {
                found.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    found
}

/// The helper functions that a text calls, directly or through others, in their order. `sections` has the mark of each
/// helper and a call that shows that it is needed; helpers call only those above them.
fn helpers(
    sections: &[(&str, &str)],
    called_by: &str,
    named: impl Fn(&str) -> String,
    text: impl Fn(&str) -> String,
) -> String {
    let mut chosen = Vec::new();
    let mut callers = called_by.to_owned();
    for (name, call) in sections.iter().rev() {
        if callers.contains(&named(call)) {
            let helper = text(name);
            callers.push_str(&helper);
            chosen.push(helper);
        }
    }
    chosen.reverse();
    chosen.concat()
}

/// The part of a file after a mark and before the next one, which begins alike.
fn section<'a>(file: &'a str, mark: &str, beginning: &str) -> &'a str {
    let after = file.split_once(mark).map_or("", |(_, after)| after);
    after.split(beginning).next().unwrap_or_default()
}

/// A name of letters, digits and underscores: other characters become their number.
fn ascii(name: &str) -> String {
    let mut word = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            word.push_str(&format!("u{:04X}", u32::from(c)));
        }
    }
    word
}

/// The name, with as many underscores at its end as it takes to be free.
fn free(mut name: String, is_taken: impl Fn(&str) -> bool) -> String {
    while is_taken(&name) {
        name.push('_');
    }
    name
}

/// Each name with its word; of two equal words the later one gets an underscore.
fn distinct(names: &[String], word: impl Fn(&str) -> String) -> BTreeMap<String, String> {
    let mut words: BTreeMap<String, String> = BTreeMap::new();
    for name in names {
        let own = free(word(name), |own| words.values().any(|other| other == own));
        words.insert(name.clone(), own);
    }
    words
}
