//! JSON and HTML output for a page.

/// A number with six significant digits, enough for the eye; `null` if it is not finite.
pub(crate) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "null".into();
    }
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    if rounded == 0.0 {
        "0".into()
    } else if (1e-4..1e6).contains(&rounded.abs()) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// A finite number with all its digits: the times of a long motion differ in the last ones.
pub(crate) fn exact(value: f64) -> String {
    format!("{value}")
}

/// A string literal. `<` is escaped too, because the text is in a `<script>` element.
pub(crate) fn string(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            '<' | '\0'..='\x1f' => literal += &format!("\\u{:04x}", u32::from(c)),
            _ => literal.push(c),
        }
    }
    literal + "\""
}

/// An array of written values.
pub(crate) fn array(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    format!("[{}]", items.join(","))
}

/// An object of written values.
pub(crate) fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{}:{value}", string(name)))
        .collect();
    format!("{{{}}}", fields.join(","))
}

/// Text escaped for use between HTML tags and in attributes.
#[must_use]
pub fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
