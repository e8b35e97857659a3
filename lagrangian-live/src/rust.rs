//! Declarations within programs in Rust.

use proc_macro2::{Group, TokenStream, TokenTree};

use crate::Diagnostic;
use crate::model::{apart, tokens};

/// The texts of all `lagrangian! { .. }` in a program, for [`Model::read`](crate::Model::read). Each begins with as many
/// empty lines and blanks as stand before it, so that its messages have the lines and columns of the program.
///
/// ```
/// let program = "use lagrangian::lagrangian;\nlagrangian! {\n    struct S { x: coordinat }\n}";
/// let texts = lagrangian_live::declarations(program).unwrap();
/// let found = lagrangian_live::Model::read(&texts[0]).unwrap_err();
/// assert_eq!((found[0].line, found[0].column), (3, 19));
/// ```
///
/// # Errors
///
/// The place where the program has no tokens.
pub fn declarations(program: &str) -> Result<Vec<String>, Vec<Diagnostic>> {
    let program = program.strip_prefix('\u{feff}').unwrap_or(program);
    apart(|| {
        let tokens = tokens(program)?;
        let lines: Vec<&str> = program.split('\n').collect();
        let mut texts = Vec::new();
        collect(tokens, &lines, &mut texts);
        Ok(texts)
    })
}

/// Adds the texts among these tokens. A list takes the place of recursion into groups.
fn collect(tokens: TokenStream, lines: &[&str], texts: &mut Vec<String>) {
    let mut streams = vec![tokens.into_iter()];
    // True if the last tokens are `lagrangian` and `!`.
    let mut seen = 0;
    while let Some(stream) = streams.last_mut() {
        match stream.next() {
            None => {
                streams.pop();
                seen = 0;
            }
            Some(TokenTree::Ident(name)) if name == "lagrangian" => seen = 1,
            Some(TokenTree::Punct(mark)) if mark.as_char() == '!' && seen == 1 => seen = 2,
            Some(TokenTree::Group(group)) if seen == 2 => {
                texts.push(text(&group, lines));
                seen = 0;
            }
            Some(TokenTree::Group(group)) => {
                streams.push(group.stream().into_iter());
                seen = 0;
            }
            Some(_) => seen = 0,
        }
    }
}

/// The text within a group, behind as many lines and blanks as stand before it.
fn text(group: &Group, lines: &[&str]) -> String {
    let (start, end) = (group.span_open().end(), group.span_close().start());
    let mut text = "\n".repeat(start.line - 1) + &" ".repeat(start.column);
    for line in start.line..=end.line {
        let letters = lines.get(line - 1).copied().unwrap_or_default().chars();
        let first = if line == start.line { start.column } else { 0 };
        let last = if line == end.line {
            end.column
        } else {
            usize::MAX
        };
        if line > start.line {
            text.push('\n');
        }
        text.extend(letters.take(last).skip(first));
    }
    text
}
