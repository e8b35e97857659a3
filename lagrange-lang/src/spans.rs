//! Keys for places in the source.

use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// A key that represents a span in comparisons.
///
/// Spans do not implement `Eq`. The key is their `Debug` text, which contains the bytes in the source and the
/// expansion. A line and a column do not suffice. Two steps of a recursive `macro_rules!` yield tokens with the same
/// line and column, and only the expansion distinguishes them. In rust-analyzer all tokens have the same line and
/// column.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct SpanKey(String);

impl SpanKey {
    pub(crate) fn of(span: Span) -> Self {
        SpanKey(format!("{span:?}"))
    }

    /// The key in a form that can be part of a name.
    pub(crate) fn as_word(&self) -> String {
        let other = |letter: char| !letter.is_ascii_alphanumeric();
        self.0.replace(other, "_")
    }
}

/// The tokens with this span.
pub(crate) fn move_to(span: Span, tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| {
            let mut token = match token {
                TokenTree::Group(group) => {
                    Group::new(group.delimiter(), move_to(span, group.stream())).into()
                }
                token => token,
            };
            token.set_span(span);
            token
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proc_macro2::{Span, TokenStream};

    use super::SpanKey;

    #[test]
    fn equal_words_at_two_places_have_two_keys() {
        let tokens: TokenStream = "x x".parse().unwrap();
        let spans: Vec<Span> = tokens.into_iter().map(|token| token.span()).collect();
        let keys = [spans[0], spans[0], spans[1]].map(SpanKey::of);
        assert_eq!(keys[0], keys[1]);
        assert_ne!(keys[0], keys[2]);
    }
}
