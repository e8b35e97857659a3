//! What a page shows of the model: its declaration, equations and parameters.

use std::fmt::{Debug, Write};

use super::json::escape_html;

/// Words of the language and of its functions of place.
const WORDS: [&str; 32] = [
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
    "holonomic",
    "nonholonomic",
    "bundle",
    "regressor",
    "symmetry",
    "der",
    "world",
    "pi",
];

/// The declaration in the source of an example, its equations as a `math` element, and the parameters'
/// values.
pub(super) fn html(source: &str, equations: &str, system: &dyn Debug) -> String {
    let mut html = String::from("<section id=\"model\" aria-label=\"Model\">");
    let _ = write!(
        html,
        "<figure><figcaption><strong>Equations</strong></figcaption><div class=\"wide\">{equations}</div></figure>"
    );
    let fields = fields(&format!("{system:?}"));
    if !fields.is_empty() {
        html += "<figure><figcaption><strong>Parameters</strong></figcaption><dl class=\"wide\">";
        for (name, value) in fields {
            let (name, value) = (escape_html(&name), escape_html(&value));
            let _ = write!(html, "<dt><code>{name}</code></dt><dd>{value}</dd>");
        }
        html += "</dl></figure>";
    }
    let _ = write!(
        html,
        "<figure><figcaption><strong>Declaration</strong></figcaption><pre class=\"wide\">{}</pre></figure>",
        declaration_html(source)
    );
    html + "</section>"
}

/// The declaration in a source, highlighted.
pub(super) fn declaration_html(source: &str) -> String {
    highlighted(declaration(source))
}

/// From `lagrangian! {` to the brace in the first column.
fn declaration(source: &str) -> &str {
    let start = source.find("\nlagrangian! {").map_or(0, |start| start + 1);
    let rest = &source[start..];
    let length = rest.find("\n}\n").map_or(rest.len(), |end| end + 2);
    &rest[..length]
}

/// Names and values in what `Debug` writes of a struct.
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
    let parts = parts.iter().filter_map(|part| part.split_once(':'));
    let parts = parts.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
    parts.filter(|(name, _)| !name.starts_with('_')).collect()
}

/// Comments, words and numbers in elements of their own.
fn highlighted(code: &str) -> String {
    let mut html = String::new();
    for line in code.lines() {
        let comment = line.find("//").unwrap_or(line.len());
        let (code, comment) = line.split_at(comment);
        let mut rest = code;
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
            let length = if first.is_ascii_digit() {
                rest.find(|c| !is_word(c)).unwrap_or(rest.len())
            } else if first.is_alphabetic() {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_')
                    .unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            let (token, others) = rest.split_at(length);
            let token_html = escape_html(token);
            html += &match first {
                '0'..='9' => format!("<i class=\"number\">{token_html}</i>"),
                _ if WORDS.contains(&token) => format!("<i class=\"word\">{token_html}</i>"),
                _ => token_html,
            };
            rest = others;
        }
        if !comment.is_empty() {
            let _ = write!(html, "<i class=\"comment\">{}</i>", escape_html(comment));
        }
        html.push('\n');
    }
    html
}
