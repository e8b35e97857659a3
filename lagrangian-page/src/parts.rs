//! The parts of a page, for pages with another composition: the gallery of the examples and its playground. Not part of
//! the public interface.

pub use crate::json::escape_html;
pub use crate::model::{WORDS, declaration_html};

/// The style of all pages.
pub const STYLE: &str = include_str!("web/page.css");

/// The scripts that draw scenes and plots.
pub const DRAWING: &str = concat!(
    include_str!("web/solids.js"),
    include_str!("web/space.js"),
    include_str!("web/scene.js"),
    include_str!("web/plots.js"),
);

/// A template with these texts at its placeholders, which occur in this order. It is read once: a placeholder inside a
/// text stays unchanged.
#[must_use]
pub fn fill(template: &str, parts: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut remaining = template;
    for (placeholder, text) in parts {
        let (before, after) = remaining.split_once(placeholder).unwrap_or((remaining, ""));
        filled.push_str(before);
        filled.push_str(text);
        remaining = after;
    }
    filled + remaining
}
