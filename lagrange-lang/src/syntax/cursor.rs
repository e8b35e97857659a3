//! A position in one level of the token tree, with lookahead.

use std::collections::VecDeque;

use proc_macro2::{Delimiter, Group, Ident, Literal, Spacing, Span, TokenStream, TokenTree};

use crate::errors::SpanRange;

/// All operators that are read as one token, longer ones first. The list also contains operators of other languages, so
/// that messages can quote them.
const OPERATORS: &[&str] = &[
    "..=", "...", "**=", "==", "!=", "<=", ">=", "=>", "->", "+=", "-=", "*=", "/=", "^=", "%=",
    "&&", "||", "**", "..", "::", "+", "-", "*", "/", "^", "%", "=", "<", ">", "!", "&", "|", ".",
    ",", ";", ":", "#",
];

/// The tokens of one delimited group, or of the whole input.
///
/// An invisible group (a `macro_rules!` fragment) of one token counts as that token. An empty one is dropped. A longer
/// one is kept, because it binds like parentheses.
pub(super) struct Cursor {
    tokens: VecDeque<TokenTree>,
    /// The end of the previous token.
    previous: Span,
    is_behind_semicolon: bool,
    is_behind_number: bool,
    end: Span,
    end_text: &'static str,
}

impl Cursor {
    pub(super) fn new(tokens: TokenStream) -> Self {
        let tokens = look_through(tokens);
        let end = tokens.back().map_or_else(Span::call_site, span_close);
        let previous = tokens.front().map_or(end, span_open);
        Cursor {
            tokens,
            previous,
            is_behind_semicolon: false,
            is_behind_number: false,
            end,
            end_text: "the end",
        }
    }

    /// The contents of a group, given as these tokens.
    pub(super) fn inside(group: &Group, tokens: TokenStream) -> Self {
        Cursor {
            tokens: look_through(tokens),
            previous: group.span_open(),
            is_behind_semicolon: false,
            is_behind_number: false,
            end: group.span_close(),
            end_text: match group.delimiter() {
                Delimiter::Parenthesis => "`)`",
                Delimiter::Bracket => "`]`",
                Delimiter::Brace => "`}`",
                Delimiter::None => "the end of a macro's fragment",
            },
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    pub(super) fn peek(&self) -> Option<&TokenTree> {
        self.tokens.front()
    }

    pub(super) fn advance(&mut self) -> Option<TokenTree> {
        let token = self.tokens.pop_front()?;
        self.previous = span_close(&token);
        self.is_behind_semicolon =
            matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ';');
        self.is_behind_number = matches!(&token, TokenTree::Literal(literal) if is_number(literal));
        Some(token)
    }

    pub(super) fn is_behind_semicolon(&self) -> bool {
        self.is_behind_semicolon
    }

    pub(super) fn is_behind_number(&self) -> bool {
        self.is_behind_number
    }

    /// The number of tokens left on this level.
    pub(super) fn left(&self) -> usize {
        self.tokens.len()
    }

    /// True if the next token, or the closing delimiter, is on a later line than the previous token. It is false if the
    /// lines are unknown: some compilers do not provide them, and tokens of a macro cannot be compared with those of
    /// its fragments.
    pub(super) fn begins_line(&self) -> bool {
        is_on_later_line(self.previous, self.span())
    }

    /// [`Self::begins_line`] for the token at distance `ahead`.
    pub(super) fn begins_line_at(&self, ahead: usize) -> bool {
        let Some(before) = ahead.checked_sub(1) else {
            return self.begins_line();
        };
        let before = self.tokens.get(before).map_or(self.end, span_close);
        is_on_later_line(before, self.tokens.get(ahead).map_or(self.end, span_open))
    }

    /// The start of the next token, or of the closing delimiter.
    pub(super) fn span(&self) -> Span {
        self.peek().map_or(self.end, span_open)
    }

    /// The end of the previous token.
    pub(super) fn previous_span(&self) -> Span {
        self.previous
    }

    /// The place of the whole next token. An operator of several characters counts as one token.
    pub(super) fn next_place(&self) -> SpanRange {
        let length = self.operator().map_or(1, str::len);
        let last = self.tokens.get(length - 1).map_or(self.end, span_open);
        SpanRange {
            first: self.span(),
            last,
        }
    }

    pub(super) fn peek_ident(&self) -> Option<&Ident> {
        self.ident_at(0)
    }

    pub(super) fn ident_at(&self, ahead: usize) -> Option<&Ident> {
        match self.tokens.get(ahead) {
            Some(TokenTree::Ident(ident)) => Some(ident),
            _ => None,
        }
    }

    pub(super) fn peek_word(&self, word: &str) -> bool {
        self.peek_ident().is_some_and(|ident| ident == word)
    }

    pub(super) fn take_ident(&mut self) -> Option<Ident> {
        let ident = self.peek_ident()?.clone();
        self.advance();
        Some(ident)
    }

    pub(super) fn take_word(&mut self, word: &str) -> Option<Ident> {
        if self.peek_word(word) {
            self.take_ident()
        } else {
            None
        }
    }

    pub(super) fn token_at(&self, ahead: usize) -> Option<&TokenTree> {
        self.tokens.get(ahead)
    }

    pub(super) fn literal_at(&self, ahead: usize) -> Option<&Literal> {
        match self.tokens.get(ahead) {
            Some(TokenTree::Literal(literal)) => Some(literal),
            _ => None,
        }
    }

    pub(super) fn group_at(&self, ahead: usize, delimiter: Delimiter) -> Option<&Group> {
        match self.tokens.get(ahead) {
            Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
            _ => None,
        }
    }

    pub(super) fn any_group_at(&self, ahead: usize) -> bool {
        matches!(self.tokens.get(ahead), Some(TokenTree::Group(_)))
    }

    pub(super) fn peek_group(&self, delimiter: Delimiter) -> bool {
        self.group_at(0, delimiter).is_some()
    }

    pub(super) fn take_group(&mut self, delimiter: Delimiter) -> Option<Group> {
        let group = self.group_at(0, delimiter)?.clone();
        self.advance();
        Some(group)
    }

    /// The next operator, the longest that matches.
    pub(super) fn operator(&self) -> Option<&'static str> {
        self.operator_at(0)
    }

    pub(super) fn operator_at(&self, ahead: usize) -> Option<&'static str> {
        let (run, length) = self.run_at(ahead);
        if length == 0 {
            return None;
        }
        // An indexed loop that compares the first character first, because this runs many times for each token.
        let mut index = 0;
        while index < OPERATORS.len() {
            let characters = OPERATORS[index].as_bytes();
            if characters[0] == run[0]
                && characters.len() <= length
                && characters == &run[..characters.len()]
            {
                return Some(OPERATORS[index]);
            }
            index += 1;
        }
        None
    }

    /// The next adjacent operator characters, up to the length of the longest operator.
    fn run_at(&self, ahead: usize) -> ([u8; 3], usize) {
        let mut run = [0; 3];
        let mut length = 0;
        while let Some(TokenTree::Punct(punct)) = self.tokens.get(ahead + length) {
            // Rust's punctuation is ASCII.
            run[length] = u8::try_from(punct.as_char()).unwrap_or(0);
            length += 1;
            if length == run.len() || punct.spacing() == Spacing::Alone {
                break;
            }
        }
        (run, length)
    }

    pub(super) fn take_operator(&mut self, operator: &str) -> Option<Span> {
        if self.operator() == Some(operator) {
            let span = self.span();
            for _ in operator.chars() {
                self.advance();
            }
            Some(span)
        } else {
            None
        }
    }

    /// Replaces an invisible group at the cursor by its tokens.
    pub(super) fn open_invisible(&mut self) {
        while let Some(group) = self.group_at(0, Delimiter::None) {
            let inner = look_through(group.stream());
            self.tokens.pop_front();
            for token in inner.into_iter().rev() {
                self.tokens.push_front(token);
            }
        }
    }

    /// The same for a group that holds a range, which binds weaker than everything around it.
    pub(super) fn open_range(&mut self) {
        let holds_range = |group: &Group| {
            let inner = Cursor::inside(group, group.stream());
            (0..inner.left()).any(|ahead| inner.operator_at(ahead) == Some(".."))
        };
        if self.group_at(0, Delimiter::None).is_some_and(holds_range) {
            self.open_invisible();
        }
    }

    /// The next token in words, for the end of "expected .., found ..".
    pub(super) fn found(&self) -> String {
        match self.peek() {
            None => self.end_text.to_owned(),
            Some(TokenTree::Group(group)) => match group.delimiter() {
                Delimiter::Parenthesis => "`(`".to_owned(),
                Delimiter::Bracket => "`[`".to_owned(),
                Delimiter::Brace => "`{`".to_owned(),
                Delimiter::None => "a macro's fragment".to_owned(),
            },
            Some(TokenTree::Punct(punct)) => match self.operator() {
                Some("#") if self.group_at(1, Delimiter::Bracket).is_some() => {
                    "an attribute or doc comment".to_owned()
                }
                Some(operator) => format!("`{operator}`"),
                None => format!("`{}`", punct.as_char()),
            },
            Some(TokenTree::Ident(ident)) => format!("`{ident}`"),
            Some(TokenTree::Literal(literal)) => format!("`{}`", shortened(literal.to_string())),
        }
    }
}

/// Replaces invisible groups of one token by that token, and drops empty ones.
fn look_through(tokens: TokenStream) -> VecDeque<TokenTree> {
    tokens.into_iter().filter_map(innermost).collect()
}

/// It is a loop, because nested macros may wrap a token many times.
fn innermost(mut token: TokenTree) -> Option<TokenTree> {
    loop {
        let TokenTree::Group(group) = &token else {
            return Some(token);
        };
        if group.delimiter() != Delimiter::None {
            return Some(token);
        }
        let mut inner = group.stream().into_iter();
        match (inner.next(), inner.next()) {
            (None, _) => return None,
            (Some(only), None) => token = only,
            (Some(_), Some(_)) => return Some(token),
        }
    }
}

fn is_on_later_line(before: Span, next: Span) -> bool {
    let (line, next_line) = (before.end().line, next.start().line);
    0 < line && line < next_line && origin(before) == origin(next)
}

/// The macro from which a token comes, if any. Only the debug form of a span contains it.
fn origin(span: Span) -> Option<String> {
    let text = format!("{span:?}");
    let (origin, _) = text.strip_prefix('#')?.split_once(' ')?;
    Some(origin.to_owned())
}

fn span_open(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) => group.span_open(),
        other => other.span(),
    }
}

fn span_close(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) => group.span_close(),
        other => other.span(),
    }
}

/// Shortens a long string from the source, which would make the message unreadable.
fn shortened(text: String) -> String {
    const MOST: usize = 30;
    match text.char_indices().nth(MOST) {
        Some((cut, _)) => format!("{}..", &text[..cut]),
        None => text,
    }
}

/// True for a numeric literal.
pub(super) fn is_number(literal: &Literal) -> bool {
    literal
        .to_string()
        .starts_with(|first: char| first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::OPERATORS;

    /// Then the first operator that matches is the longest.
    #[test]
    fn longer_operators_come_first() {
        assert!(OPERATORS.is_sorted_by_key(|operator| std::cmp::Reverse(operator.len())));
    }
}
