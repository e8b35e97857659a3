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

/// The last tokens, as far as they begin something that is looked for.
#[derive(Clone, Copy, PartialEq)]
enum Seen {
    Nothing,
    /// `lagrangian`
    Name,
    /// `lagrangian!`
    Call,
    /// `macro_rules`
    Rules,
    /// `macro_rules!`
    RulesCall,
    /// `macro_rules! name`
    RulesName,
}

/// Adds the texts among these tokens. A list takes the place of recursion into groups. In `macro_rules!` a text with `$`
/// is a pattern of declarations, and none itself.
fn collect(tokens: TokenStream, lines: &[&str], texts: &mut Vec<String>) {
    // The second part is true within `macro_rules!`.
    let mut streams = vec![(tokens.into_iter(), false)];
    let mut seen = Seen::Nothing;
    while let Some((stream, in_rules)) = streams.last_mut() {
        let in_rules = *in_rules;
        seen = match (stream.next(), seen) {
            (None, _) => {
                streams.pop();
                Seen::Nothing
            }
            (Some(TokenTree::Ident(_)), Seen::RulesCall) => Seen::RulesName,
            (Some(TokenTree::Ident(name)), _) if name == "lagrangian" => Seen::Name,
            (Some(TokenTree::Ident(name)), _) if name == "macro_rules" => Seen::Rules,
            (Some(TokenTree::Punct(mark)), Seen::Name) if mark.as_char() == '!' => Seen::Call,
            (Some(TokenTree::Punct(mark)), Seen::Rules) if mark.as_char() == '!' => Seen::RulesCall,
            (Some(TokenTree::Group(group)), Seen::Call) => {
                if !(in_rules && has_dollar(group.stream())) {
                    texts.push(text(&group, lines));
                }
                Seen::Nothing
            }
            (Some(TokenTree::Group(group)), _) => {
                streams.push((
                    group.stream().into_iter(),
                    in_rules || seen == Seen::RulesName,
                ));
                Seen::Nothing
            }
            (Some(_), _) => Seen::Nothing,
        };
    }
}

/// Returns whether `$` stands among these tokens.
fn has_dollar(tokens: TokenStream) -> bool {
    let mut streams = vec![tokens];
    while let Some(stream) = streams.pop() {
        for token in stream {
            match token {
                TokenTree::Punct(mark) if mark.as_char() == '$' => return true,
                TokenTree::Group(group) => streams.push(group.stream()),
                _ => {}
            }
        }
    }
    false
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
