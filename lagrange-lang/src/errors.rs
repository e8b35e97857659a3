//! The collector of all mistakes in a declaration.

mod advice;
mod codes;
mod messages;

use std::collections::{HashMap, HashSet};
use std::fmt::Display;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

#[cfg(test)]
pub(crate) use codes::ALL;
pub(crate) use codes::Code;
pub use messages::{Message, Severity};

use crate::spans::SpanKey;

/// The maximum number of mistakes shown in one run. rustc needs seconds to print thousands.
pub(crate) const MOST_SHOWN: usize = 100;

/// All mistakes found so far. They are shown in one run, in the order of discovery.
///
/// A message is lower case, puts code into backticks and has no full stop. Advice follows after a blank line as `help:
/// ..`, which rustc prints indented. The message ends with the number of its kind, which identifies the page about it.
#[must_use = "mistakes are lost unless they become compile errors"]
#[derive(Default)]
pub(crate) struct Errors {
    found: Vec<Mistake>,
    /// The number of further mistakes, and the place of the first of them.
    more: usize,
    first_more: Option<SpanRange>,
    /// The messages in `found`, each with its place.
    said: HashSet<(PlaceKey, String)>,
    /// The messages about files, which several places may name.
    said_of_files: HashSet<String>,
    /// The current pass over the body of a loop, and the number of passes so far. 0 is outside of loops.
    pass: usize,
    passes: usize,
    /// The pass in which the first mistake of each place was found.
    passes_by_place: HashMap<PlaceKey, usize>,
    /// The first mistake in the body of the function that is being evaluated.
    heard: Option<Heard>,
}

/// A mistake in the body of a function that depends on the arguments. The call reports it too.
#[derive(Clone)]
pub(crate) struct Heard {
    code: Code,
    /// The message without advice.
    headline: String,
}

/// The state that is restored after the body of a function.
pub(crate) struct Outside {
    pass: usize,
    heard: Option<Heard>,
}

struct Mistake {
    place: SpanRange,
    code: Code,
    message: String,
}

/// The first and the last token of the text to be changed. `Span::join` is not stable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpanRange {
    pub(crate) first: Span,
    pub(crate) last: Span,
}

/// The first and the last token as keys.
type PlaceKey = [SpanKey; 2];

impl SpanRange {
    /// Returns whether both are the same tokens.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    fn key(&self) -> PlaceKey {
        [self.first, self.last].map(SpanKey::of)
    }
}

impl From<Span> for SpanRange {
    fn from(span: Span) -> Self {
        SpanRange {
            first: span,
            last: span,
        }
    }
}

impl From<&Ident> for SpanRange {
    fn from(ident: &Ident) -> Self {
        ident.span().into()
    }
}

impl Errors {
    /// Records a mistake at one token, name or expression. The same message at the same place is kept once. The body of
    /// a loop is evaluated many times, so each of its places keeps only the messages of the first pass that reports it.
    pub(crate) fn error(&mut self, place: impl Into<SpanRange>, code: Code, message: impl Display) {
        let place = place.into();
        let message = message.to_string();
        self.heard.get_or_insert_with(|| Heard {
            code,
            headline: message
                .split(advice::MARK)
                .next()
                .unwrap_or_default()
                .to_owned(),
        });
        let key = place.key();
        let first = *self.passes_by_place.entry(key.clone()).or_insert(self.pass);
        if self.pass != 0 && first != self.pass {
            return;
        }
        if !self.said.insert((key, message.clone())) {
            return;
        }
        if self.is_full() {
            self.more += 1;
            self.first_more.get_or_insert(place);
        } else {
            self.found.push(Mistake {
                place,
                code,
                message,
            });
        }
    }

    /// Records a mistake of a file. It is one mistake at all places that name the file.
    pub(crate) fn error_of_file(
        &mut self,
        place: impl Into<SpanRange>,
        code: Code,
        message: String,
    ) {
        if self.said_of_files.insert(message.clone()) {
            self.error(place, code, message);
        }
    }

    /// True if further mistakes are only counted. Then their messages need not be made.
    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= MOST_SHOWN
    }

    /// Begins a pass over the body of a loop. Returns the outer pass for [`Errors::end_pass`].
    pub(crate) fn begin_pass(&mut self) -> usize {
        self.passes += 1;
        std::mem::replace(&mut self.pass, self.passes)
    }

    pub(crate) fn end_pass(&mut self, outer: usize) {
        self.pass = outer;
    }

    /// Begins the body of a function. Each call evaluates it anew, like the passes of a loop.
    pub(crate) fn begin_body(&mut self) -> Outside {
        Outside {
            pass: self.begin_pass(),
            heard: self.heard.take(),
        }
    }

    /// Ends the body. Returns its first mistake, even if it was reported before.
    pub(crate) fn end_body(&mut self, outside: Outside) -> Option<Heard> {
        self.end_pass(outside.pass);
        std::mem::replace(&mut self.heard, outside.heard)
    }

    /// Reports a mistake in the body of a function at the call.
    pub(crate) fn error_of_call(&mut self, name: &Ident, heard: &Heard) {
        let Heard { code, headline } = heard;
        self.heard.get_or_insert_with(|| heard.clone());
        let message = format!(
            "in this call of `{name}`: {headline}{}the mistake is in the body of `{name}`, or in the arguments of the call",
            advice::MARK
        );
        self.error(name, *code, message);
    }

    /// The number of mistakes, including those that are not shown.
    pub(crate) fn count(&self) -> usize {
        self.found.len() + self.more
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// One `::core::compile_error! { ".." }` for each mistake, valid in the place of an item.
    pub(crate) fn into_compile_errors(self) -> TokenStream {
        let further = self.rest();
        self.found
            .iter()
            .chain(&further)
            .flat_map(Mistake::tokens)
            .collect()
    }

    /// The mistakes of [`Self::into_compile_errors`] as data.
    pub(crate) fn into_messages(self) -> Vec<Message> {
        let further = self.rest();
        self.found
            .into_iter()
            .chain(further)
            .map(Mistake::into_message)
            .collect()
    }

    /// The message about the mistakes that are not shown, at the place of the first of them.
    fn rest(&self) -> Option<Mistake> {
        let place = self.first_more?;
        let more = self.more;
        let mistakes = if more == 1 { "mistake" } else { "mistakes" };
        let message = format!(
            "{more} more {mistakes} from here on\n\nhelp: {MOST_SHOWN} are shown at a time: mend those first"
        );
        Some(Mistake {
            place,
            code: Code::MoreMistakes,
            message,
        })
    }

    #[cfg(test)]
    pub(crate) fn messages(&self) -> Vec<String> {
        self.found.iter().map(|m| m.message.clone()).collect()
    }

    /// The messages as they are shown.
    #[cfg(test)]
    pub(crate) fn texts(&self) -> Vec<String> {
        self.found.iter().map(Mistake::text).collect()
    }

    #[cfg(test)]
    pub(crate) fn codes(&self) -> Vec<Code> {
        self.found.iter().map(|m| m.code).collect()
    }

    #[cfg(test)]
    pub(crate) fn places(&self) -> Vec<SpanRange> {
        self.found.iter().map(|m| m.place).collect()
    }
}

impl Mistake {
    /// The message, its own advice or the advice for its kind, and its number.
    fn text(&self) -> String {
        let Mistake { code, message, .. } = self;
        match advice::advice(message) {
            Some(advice) => format!("{message}\n\nhelp: {advice} [{code}]"),
            None if message.contains(advice::MARK) => format!("{message} [{code}]"),
            None => format!("{message}{}see [{code}]", advice::MARK),
        }
    }

    fn into_message(self) -> Message {
        let Mistake {
            place,
            code,
            message,
        } = self;
        let parts = message.split_once(advice::MARK);
        let (headline, help) = match parts {
            Some((headline, help)) => (headline.to_owned(), Some(help.to_owned())),
            None => (message.clone(), advice::advice(&message).map(str::to_owned)),
        };
        Message {
            severity: Severity::Error,
            code: code.to_string(),
            message: headline,
            help,
            first: place.first,
            last: place.last,
        }
    }

    /// The text that rustc shows, with the address of the page entry for its kind.
    fn shown(&self) -> String {
        format!("{}\n{}", self.text(), self.code.address())
    }

    /// rustc underlines a macro call from its path to its closing brace. The path therefore has the first span, and the
    /// braces have the last.
    fn tokens(&self) -> [TokenTree; 8] {
        let SpanRange { first, last } = self.place;
        let punct = |character, spacing| {
            let mut punct = Punct::new(character, spacing);
            punct.set_span(first);
            TokenTree::Punct(punct)
        };
        let mut text = Literal::string(&self.shown());
        text.set_span(last);
        let mut braces = Group::new(Delimiter::Brace, TokenTree::Literal(text).into());
        braces.set_span(last);
        [
            punct(':', Spacing::Joint),
            punct(':', Spacing::Alone),
            TokenTree::Ident(Ident::new("core", first)),
            punct(':', Spacing::Joint),
            punct(':', Spacing::Alone),
            TokenTree::Ident(Ident::new("compile_error", first)),
            punct('!', Spacing::Alone),
            TokenTree::Group(braces),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_become_compile_errors_in_order_and_once() {
        let span = Span::call_site();
        let mut errors = Errors::default();
        assert!(errors.is_empty());
        errors.error(span, Code::Number, "a mistake in `x`");
        errors.error(span, Code::Unit, "a mistake in `y`");
        errors.error(span, Code::Number, "a mistake in `x`");
        assert!(!errors.is_empty());
        assert_eq!(
            errors.into_compile_errors().to_string(),
            ":: core :: compile_error ! { \"a mistake in `x`\\n\\nhelp: see [L024]\\n\
             https://docs.rs/lagrangian/latest/lagrangian/errors/index.html#l024-no-number\" } \
             :: core :: compile_error ! { \"a mistake in `y`\\n\\nhelp: see [L023]\\n\
             https://docs.rs/lagrangian/latest/lagrangian/errors/index.html#l023-a-unit-after-a-number\" }"
        );
    }

    #[test]
    fn a_loop_says_once_what_is_wrong_at_a_place() {
        let span = Span::call_site();
        let mut errors = Errors::default();
        for i in 0..3 {
            let outer = errors.begin_pass();
            errors.error(
                span,
                Code::IndexOutOfBounds,
                format!("index out of bounds: {i}"),
            );
            errors.error(span, Code::Number, format!("another mistake of pass {i}"));
            errors.end_pass(outer);
        }
        errors.error(span, Code::NoCoordinate, "a mistake of the whole");
        assert_eq!(
            errors.messages(),
            [
                "index out of bounds: 0",
                "another mistake of pass 0",
                "a mistake of the whole"
            ]
        );
    }

    #[test]
    fn thousands_of_mistakes_end_in_their_number() {
        for (count, last) in [
            (99, "mistake 98"),
            (100, "mistake 99"),
            (101, "1 more mistake "),
            (20_000, "19900 more mistakes "),
        ] {
            let mut errors = Errors::default();
            for i in 0..count {
                errors.error(Span::call_site(), Code::Number, format!("mistake {i}"));
            }
            let tokens = errors.into_compile_errors();
            let texts: Vec<String> = tokens
                .into_iter()
                .filter_map(|token| match token {
                    TokenTree::Group(braces) => Some(braces.stream().to_string()),
                    _ => None,
                })
                .collect();
            assert_eq!(texts.len(), count.min(MOST_SHOWN + 1));
            assert!(
                texts.last().is_some_and(|text| text.contains(last)),
                "{texts:?}"
            );
        }
    }

    #[test]
    fn a_message_may_hold_anything() {
        let message = "a \"quote\", a {brace}\n\nhelp: θ̇";
        let mut errors = Errors::default();
        errors.error(Span::call_site(), Code::Number, message);
        let last = errors.into_compile_errors().into_iter().last();
        let Some(TokenTree::Group(braces)) = last else {
            panic!("no braces at the end");
        };
        let text: syn::LitStr = syn::parse2(braces.stream()).unwrap();
        let address = Code::Number.address();
        assert_eq!(text.value(), format!("{message} [L024]\n{address}"));
    }
}
