//! Printers of routines as text in other languages. Each can print every routine; passes that only one language needs
//! are beside its printer.

pub mod c99;
pub mod cuda;
pub mod wgsl;

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
