//! The model on a page: its declaration, equations and parameters.

use std::fmt::{Debug, Write};

use crate::json::escape_html;

/// Words of the language, and its functions of frames.
pub const WORDS: [&str; 36] = [
    "lagrangian",
    "pub",
    "struct",
    "let",
    "mut",
    "for",
    "in",
    "if",
    "else",
    "sum",
    "coordinate",
    "parameter",
    "input",
    "state",
    "time",
    "rotation",
    "frame",
    "body",
    "gravity",
    "force",
    "torque",
    "at",
    "on",
    "spring",
    "damper",
    "actuator",
    "holonomic",
    "nonholonomic",
    "contact",
    "bundle",
    "export",
    "regressor",
    "symmetry",
    "der",
    "world",
    "pi",
];

/// Figures of the equations, of the parameters and of the declaration. An empty part has no figure.
pub(crate) fn figures(source: &str, equations: &str, system: &dyn Debug) -> [String; 3] {
    let written = format!("{system:?}");
    let mut parameters = String::new();
    for (name, value) in fields(&written) {
        let name = escape_html(&name);
        let (value, shown) = (escape_html(&value), escape_html(&shortened(&value)));
        let title = if value == shown {
            String::new()
        } else {
            format!(" title=\"{value}\"")
        };
        let _ = write!(
            parameters,
            "<dt><code>{name}</code></dt><dd{title}>{shown}</dd>"
        );
    }
    if !parameters.is_empty() {
        parameters = format!("<dl>{parameters}</dl>");
    }
    let name = written
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next();
    let declaration = match declaration_html(source, name.unwrap_or_default()) {
        text if text.is_empty() => text,
        text => format!("<pre class=\"wide\" tabindex=\"0\">{text}</pre>"),
    };
    let equations = match equations {
        "" => String::new(),
        _ => format!("<div class=\"wide\" tabindex=\"0\">{equations}</div>"),
    };
    let figure = |title: &str, content: String| match content.as_str() {
        "" => content,
        _ => format!("<figure><figcaption><strong>{title}</strong></figcaption>{content}</figure>"),
    };
    [
        figure("Equations", equations),
        figure("Parameters", parameters),
        figure("Declaration", declaration),
    ]
}

/// The declaration of a system in a source, highlighted; empty if it is not found. Without a name it is the first one.
#[must_use]
pub fn declaration_html(source: &str, name: &str) -> String {
    let declaration_text = declaration(source, name).unwrap_or_default();
    // Moved to the left margin.
    let indent = &declaration_text[..declaration_text.len() - declaration_text.trim_start().len()];
    let lines = declaration_text
        .lines()
        .map(|line| line.strip_prefix(indent).unwrap_or(line));
    highlighted(&lines.collect::<Vec<_>>().join("\n"))
}

/// From the line with `lagrangian! {` to the brace below its first letter.
fn declaration<'a>(source: &'a str, name: &str) -> Option<&'a str> {
    let mut position = 0;
    let mut begin = None;
    for line in source.split_inclusive('\n') {
        let text = line.trim_end();
        let indent = &text[..text.len() - text.trim_start().len()];
        match begin {
            None if text.trim_start().starts_with("lagrangian! {")
                || text.trim_start().starts_with("lagrangian::lagrangian! {") =>
            {
                begin = Some((position, indent));
            }
            Some((from, outer)) if indent == outer && text.trim_start().starts_with('}') => {
                let declaration = &source[from..position + text.len()];
                if name.is_empty() || declares(declaration, name) {
                    return Some(declaration);
                }
                begin = None;
            }
            _ => {}
        }
        position += line.len();
    }
    None
}

/// Returns whether a declaration has a struct of that name.
fn declares(declaration: &str, name: &str) -> bool {
    let words: Vec<&str> = declaration.split_whitespace().collect();
    let is_of_name = |word: &str| word.trim_end_matches('{') == name;
    words
        .windows(2)
        .any(|pair| pair[0] == "struct" && is_of_name(pair[1]))
}

/// A value with six significant digits in each number. Entries that are rounding beside the largest one are 0.
fn shortened(value: &str) -> String {
    const BETWEEN: [char; 8] = [' ', ',', '[', ']', '(', ')', '{', '}'];
    let parts = value.split_inclusive(BETWEEN);
    let parts = parts.map(|part| part.split_at(part.trim_end_matches(BETWEEN).len()));
    let largest = parts
        .clone()
        .filter_map(|(part, _)| part.parse().ok())
        .map(f64::abs)
        .fold(0.0, f64::max);
    let mut text = String::new();
    for (part, between) in parts {
        text += &match part.parse::<f64>() {
            Ok(number) if number.abs() < 16.0 * f64::EPSILON * largest => "0.0".to_owned(),
            Ok(number) if part.bytes().filter(u8::is_ascii_digit).count() > 6 => rounded(number),
            _ => part.to_owned(),
        };
        text += between;
    }
    text
}

/// With six significant digits.
fn rounded(number: f64) -> String {
    let rounded: f64 = format!("{number:.5e}").parse().unwrap_or(number);
    format!("{rounded:?}")
}

/// Names and values in the `Debug` output of a struct.
fn fields(written: &str) -> Vec<(String, String)> {
    let inner = written.split_once('{').map_or("", |(_, inner)| inner);
    let inner = inner.trim_end().trim_end_matches('}');
    let (mut depth, mut parts) = (0_usize, vec![String::new()]);
    for c in inner.chars() {
        match c {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (c, depth, parts.last_mut()) {
            (',', 0, _) => parts.push(String::new()),
            (c, _, Some(part)) => part.push(c),
            _ => {}
        }
    }
    parts
        .iter()
        .filter_map(|part| part.split_once(':'))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .filter(|(name, _)| !name.starts_with('_'))
        .collect()
}

/// Comments, words and numbers in separate elements.
fn highlighted(code: &str) -> String {
    let mut html = String::new();
    for line in code.lines() {
        let comment = line.find("//").unwrap_or(line.len());
        let (code, comment) = line.split_at(comment);
        let mut remaining = code;
        while let Some(first) = remaining.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
            let length = if first.is_ascii_digit() {
                remaining.find(|c| !is_word(c)).unwrap_or(remaining.len())
            } else if first.is_alphabetic() {
                remaining
                    .find(|c: char| !c.is_alphanumeric() && c != '_')
                    .unwrap_or(remaining.len())
            } else {
                first.len_utf8()
            };
            let (token, following) = remaining.split_at(length);
            let token_html = escape_html(token);
            html += &match first {
                '0'..='9' => format!("<i class=\"number\">{token_html}</i>"),
                _ if WORDS.contains(&token) => format!("<i class=\"word\">{token_html}</i>"),
                _ => token_html,
            };
            remaining = following;
        }
        if !comment.is_empty() {
            let _ = write!(html, "<i class=\"comment\">{}</i>", escape_html(comment));
        }
        html.push('\n');
    }
    html
}
