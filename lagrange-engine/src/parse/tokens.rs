//! Words of a line: labels, numbers, quoted names.

use std::str::FromStr;

use super::{ParseErrorKind, Result};
use crate::Number;

/// The words of a line, up to a `#`. A quoted word may contain anything, with `\"`, `\\` and `\n`.
pub(super) fn split(line: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut remaining = line.trim_start();
    while let Some(first) = remaining.chars().next().filter(|first| *first != '#') {
        let (word, after) = if first == '"' {
            quoted(&remaining[1..])?
        } else {
            let end = remaining
                .find(char::is_whitespace)
                .unwrap_or(remaining.len());
            (remaining[..end].to_owned(), &remaining[end..])
        };
        words.push(word);
        remaining = after.trim_start();
    }
    Ok(words)
}

/// The word up to the closing quote, and the rest.
fn quoted(text: &str) -> Result<(String, &str)> {
    let mut word = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => return Ok((word, characters.as_str())),
            '\\' => match characters.next() {
                Some('n') => word.push('\n'),
                Some(escaped @ ('"' | '\\')) => word.push(escaped),
                _ => return Err(ParseErrorKind::Malformed),
            },
            other => word.push(other),
        }
    }
    Err(ParseErrorKind::Malformed)
}

/// A name for [`split`] to read.
pub(super) fn quote(name: &str) -> String {
    let is_plain = |c: char| !c.is_whitespace() && !matches!(c, '"' | '#' | '\\');
    if !name.is_empty() && name.chars().all(is_plain) {
        return name.to_owned();
    }
    let escaped = name.replace('\\', r"\\").replace('"', r#"\""#);
    format!("\"{}\"", escaped.replace('\n', r"\n"))
}

/// `%7`
pub(super) fn label(token: &str) -> Result<u32> {
    let digits = token.strip_prefix('%').ok_or(ParseErrorKind::Malformed)?;
    integer(digits)
}

pub(super) fn integer<T: FromStr>(token: &str) -> Result<T> {
    token
        .parse()
        .map_err(|_| ParseErrorKind::BadNumber(token.to_owned()))
}

/// `-3`, `1/2`, or a double with an exponent: `1.5e0`.
pub(super) fn number(token: &str) -> Result<Number> {
    let value = if token.contains(['e', 'E']) {
        let double: Option<f64> = token.parse().ok();
        double
            .filter(|double| double.is_finite())
            .map(Number::float)
    } else if let Some((num, den)) = token.split_once('/') {
        let inverse = Number::parse(den).and_then(Number::recip);
        Number::parse(num)
            .zip(inverse)
            .and_then(|(num, inverse)| num.checked_mul(inverse))
    } else {
        Number::parse(token)
    };
    value.ok_or_else(|| ParseErrorKind::BadNumber(token.to_owned()))
}

pub(super) fn split_pair(token: &str, separator: char) -> Result<(&str, &str)> {
    token.split_once(separator).ok_or(ParseErrorKind::Malformed)
}
