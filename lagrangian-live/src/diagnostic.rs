//! Messages with their places in the text.

use std::fmt;

use lagrange_lang::{Message, Severity};
use proc_macro2::{LexError, LineColumn};

/// A message about a declaration, at its place in the text.
///
/// Lines and columns count from 1, and columns count characters. The end is the place after the last character.
///
/// ```
/// use lagrangian_live::Model;
///
/// let text = "struct S { x: coordinate, m: parameter }\nT = m * der(y)^2 / 2;";
/// let found = Model::read(text).unwrap_err();
/// assert_eq!((found[0].line, found[0].column, found[0].end_column), (2, 13, 14));
/// assert_eq!(found[0].to_string(), "\
/// error[L101]: unknown name `y`
///  --> 2:13
///   |
/// 2 | T = m * der(y)^2 / 2;
///   |             ^
///   = help: declare it among the fields, `y: parameter`, or before this by `let y = ..;`");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// True if the message refuses the declaration.
    pub severity: Severity,
    /// The number of its kind, such as `L101`, which the page about errors explains. `unused_variables` is a lint of the
    /// compiler of Rust, and `tokens` a text that has no tokens.
    pub code: String,
    /// The message.
    pub message: String,
    /// Advice, if the message does not say how to change the text.
    pub help: Option<String>,
    /// The line of the first token.
    pub line: usize,
    /// The column of its first character.
    pub column: usize,
    /// The line of the last token.
    pub end_line: usize,
    /// The column after its last character.
    pub end_column: usize,
    /// The line of the first token as text.
    source: String,
}

/// The code of a text that has no tokens.
const TOKENS: &str = "tokens";

impl Diagnostic {
    pub(crate) fn new(message: Message, text: &str) -> Self {
        let Message {
            severity,
            code,
            message,
            help,
            first,
            last,
        } = message;
        let mut place = (first.start(), last.end());
        // The place of the call of the macro, for a text without tokens: behind its blanks.
        if first.byte_range().is_empty() {
            let blanks = text.chars().take_while(|letter| letter.is_whitespace());
            let blanks: Vec<char> = blanks.collect();
            let mut lines = blanks.split(|letter| *letter == '\n');
            let column = lines.next_back().map_or(0, <[char]>::len);
            place.0 = LineColumn {
                line: 1 + lines.count(),
                column,
            };
            place.1 = place.0;
        }
        Self::at(place, (severity, code, message, help), text)
    }

    fn at(
        (start, end): (LineColumn, LineColumn),
        (severity, code, message, help): (Severity, String, String, Option<String>),
        text: &str,
    ) -> Self {
        let end = end.max(start);
        let source = text.split('\n').nth(start.line.saturating_sub(1));
        Self {
            severity,
            code,
            message,
            help,
            line: start.line,
            column: start.column + 1,
            end_line: end.line,
            end_column: end.column + 1,
            source: source.unwrap_or_default().trim_end_matches('\r').to_owned(),
        }
    }

    /// The message for a text that has no tokens.
    pub(crate) fn of_tokens(error: &LexError, text: &str) -> Self {
        let place = (error.span().start(), error.span().end());
        let mut message = Self::at(
            place,
            (Severity::Error, TOKENS.to_owned(), String::new(), None),
            text,
        );
        let letter = message.source.chars().nth(message.column - 1);
        let after: String = message
            .source
            .chars()
            .skip(message.column)
            .take(1)
            .collect();
        let (headline, help) = match letter {
            Some('/') if after == "*" => (
                "a comment that nothing closes".to_owned(),
                "close it by `*/`",
            ),
            Some(open @ ('(' | '[' | '{')) => (
                format!("`{open}` is not closed"),
                "close it where its content ends",
            ),
            Some(close @ (')' | ']' | '}')) => (
                format!("`{close}` closes nothing, or another bracket"),
                "remove it, or close the brackets in the order in which they are open",
            ),
            Some('"' | '\'') => (
                "a quotation mark that nothing closes".to_owned(),
                "close it, or remove it: velocities are `der(x)`",
            ),
            Some(letter) => (
                format!("`{letter}` is no part of a declaration"),
                "remove it",
            ),
            None => (
                "the text ends too early".to_owned(),
                "close the comment, quotation or bracket that is open",
            ),
        };
        message.message = headline;
        message.help = Some(help.to_owned());
        message.end_line = message.line;
        message.end_column = message.end_column.max(message.column + 1);
        message
    }

    /// The message with the line of the file in which the declaration stands.
    pub(crate) fn with_lines(mut self, file: &str) -> Self {
        let source = file.split('\n').nth(self.line.saturating_sub(1));
        self.source = source.unwrap_or_default().trim_end_matches('\r').to_owned();
        self
    }

    /// The message with the name of the file before its place: `cart.lag:2:13`.
    ///
    /// ```
    /// let found = lagrangian_live::Model::read("struct S { x: coordinat }").unwrap_err();
    /// assert!(found[0].in_file("cart.lag").contains(" --> cart.lag:1:15"));
    /// ```
    pub fn in_file(&self, name: &str) -> String {
        self.written(&format!("{name}:"))
    }

    fn written(&self, file: &str) -> String {
        let kind = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let Self {
            code,
            message,
            line,
            column,
            source,
            ..
        } = self;
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let before: String = source.chars().take(column - 1).map(blanks).collect();
        let marked = source.chars().skip(column - 1);
        let length = if self.end_line == self.line {
            self.end_column - column
        } else {
            usize::MAX
        };
        let width = marked.take(length).map(|letter| blanks(letter).len()).sum();
        let marks = "^".repeat(usize::max(width, 1));
        let mut text = format!(
            "{kind}[{code}]: {message}\n{margin}--> {file}{line}:{column}\n{margin} |\n\
             {number} | {source}\n{margin} | {before}{marks}"
        );
        if let Some(help) = &self.help {
            text += &format!("\n{margin} = help: {help}");
        }
        text
    }
}

/// The blanks below a letter in the line of marks: nothing below an accent of the letter before, two below a letter that
/// terminals show twice as wide (the wide ones of Unicode's annex 11, by their blocks).
fn blanks(letter: char) -> &'static str {
    match letter {
        '\t' => "\t",
        '\u{300}'..='\u{36f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}' => "",
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{a960}'..='\u{a97c}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f680}'..='\u{1f6ff}'
        | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}' => "  ",
        _ => " ",
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(""))
    }
}

impl std::error::Error for Diagnostic {}
