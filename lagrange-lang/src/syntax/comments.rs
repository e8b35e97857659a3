//! Comments of other languages, which are skipped.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::parser::Parser;
use crate::errors::Code;

impl Parser<'_> {
    /// The tokens of a level without comments of other languages. Each comment is reported.
    pub(super) fn remove_comments(&mut self, tokens: TokenStream) -> TokenStream {
        let is_mark = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if ['#', '%'].contains(&punct.as_char()));
        if !tokens.clone().into_iter().any(|token| is_mark(&token)) {
            return tokens;
        }
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut kept_tokens = Vec::new();
        let mut position = 0;
        while let Some(token) = tokens.get(position) {
            if !is_mark(token) || !begins_comment(&tokens, position) {
                kept_tokens.push(token.clone());
                position += 1;
                continue;
            }
            let line = token.span().start().line;
            let message = "a comment begins with `//`\n\nhelp: write `// ..`";
            self.error(token.span(), Code::Comment, message);
            position += 1;
            while tokens
                .get(position)
                .is_some_and(|next| next.span().start().line == line)
            {
                position += 1;
            }
        }
        kept_tokens.into_iter().collect()
    }
}

/// True for `#` except in attributes, and for `%` where no operator is valid.
fn begins_comment(tokens: &[TokenTree], at: usize) -> bool {
    let token = &tokens[at];
    let next = tokens.get(at + 1);
    let is_bracket = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket);
    let is_punct = |token: Option<&TokenTree>, of: &[char]| matches!(token, Some(TokenTree::Punct(punct)) if of.contains(&punct.as_char()));
    if is_punct(Some(token), &['#']) {
        let is_inner = is_punct(next, &['!']) && is_bracket(tokens.get(at + 2));
        return !is_bracket(next) && !is_inner;
    }
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let is_behind_block =
        matches!(before, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace);
    before.is_none()
        || is_punct(before, &[';', ',', '%'])
        || is_behind_block
        || before.is_some_and(|before| {
            let (line, own) = (before.span().end().line, token.span().start().line);
            0 < line && line < own
        })
}
