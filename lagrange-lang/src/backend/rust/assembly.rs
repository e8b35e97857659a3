//! Parts of the text of bodies other than arithmetic.

use std::borrow::Cow;
use std::fmt::{self, Display};

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

use crate::generated::BLAME;
use crate::methods::{Argument, Layout};

/// The arguments of a method that depends on the whole state.
pub(super) fn arguments(layout: &Layout) -> Vec<Argument> {
    layout.arguments(&[Argument::Q, Argument::V, Argument::States, Argument::U])
}

/// `self.method(t, q, v, u)`
pub(super) fn call(method: &str, layout: &Layout) -> String {
    call_by_name(method, &arguments(layout))
}

/// A call of a method with its arguments, each by its own name.
pub(super) fn call_by_name(method: &str, arguments: &[Argument]) -> String {
    invoke(method, arguments, |argument| argument.name().to_owned())
}

/// A call of a method with a separate expression for each argument.
pub(super) fn invoke(
    method: &str,
    arguments: &[Argument],
    value: impl Fn(&Argument) -> String,
) -> String {
    let arguments = list(arguments.iter().map(value));
    format!("self.{method}({arguments})")
}

/// A call of a method with the places of its results after the arguments.
pub(super) fn call_with_places(method: &str, arguments: &[Argument], places: &[String]) -> String {
    let arguments = arguments.iter().map(|argument| argument.name().to_owned());
    let passed = list(arguments.chain(places.iter().cloned()));
    format!("self.{method}({passed})")
}

/// Code that only some systems need.
pub(super) fn only_if(condition: bool, code: impl FnOnce() -> String) -> String {
    if condition { code() } else { String::new() }
}

/// `a, b, c`
pub(super) fn list(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<String>>().join(", ")
}

/// A name in generated code.
pub(super) fn local(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Parses code that was written as text.
pub(super) fn parse_code(text: &str) -> TokenStream {
    // In the compiler, uses the compiler's parser: `proc_macro2` would first parse the text with its own.
    let tokens = if proc_macro::is_available() {
        text.parse::<proc_macro::TokenStream>()
            .map(TokenStream::from)
            .ok()
    } else {
        text.parse().ok()
    };
    tokens.unwrap_or_else(|| {
        let message = "generated code is no Rust: this is a bug of the `lagrangian` crate";
        quote!(::core::compile_error!(#message))
    })
}

/// The same for code next to the implementations, which refers to the facade by its path.
pub(super) fn parse_beside(text: &str, runtime: &TokenStream) -> TokenStream {
    replace_path(parse_code(text), runtime)
}

fn replace_path(tokens: TokenStream, runtime: &TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(name) if name == "__rt" => runtime.clone(),
            TokenTree::Group(group) => {
                let inner = replace_path(group.stream(), runtime);
                TokenTree::from(Group::new(group.delimiter(), inner)).into()
            }
            other => other.into(),
        })
        .collect()
}

/// Returns from the method if an argument is not finite, with the first such argument.
pub(super) fn check_finite(arguments: &[Argument]) -> String {
    let named = name_arguments(arguments);
    format!("__rt::linalg::check_finite({named})?;")
}

/// `&[("t", &[t]), ("q", &q.data.0[0])]`
fn name_arguments(arguments: &[Argument]) -> String {
    let arguments = arguments.iter().map(|argument| {
        let (name, array) = (argument.name(), slice_entries(*argument));
        format!("({name:?}, {array})")
    });
    format!("&[{}]", list(arguments))
}

/// `.map_err(..)` for a result that was computed from finite arguments. The error then names a parameter or the
/// result.
pub(super) fn map_error() -> String {
    format!(".map_err(|__error| self.{BLAME}(__error))")
}

/// The entries of an argument as a slice.
fn slice_entries(argument: Argument) -> String {
    match argument {
        Argument::T => "&[t]".to_owned(),
        Argument::Restitution => "restitution".to_owned(),
        other => format!("&{}.data.0[0]", other.name()),
    }
}

/// `Ok(value)`
pub(super) fn ok(value: impl Display) -> String {
    format!("__rt::core::result::Result::Ok({value})")
}

/// Returns from the method unless a value that was computed from finite arguments is finite.
pub(super) fn return_unless(condition: impl Display) -> String {
    format!(
        "if !({condition}) {{
             return __rt::core::result::Result::Err(self.{BLAME}(__rt::Error::NOT_FINITE));
         }}"
    )
}

/// The vector with the entries of an array.
pub(super) fn vector_of(array: impl Display) -> String {
    format!("__rt::linalg::vector({array})")
}

/// The matrix with an array of columns.
pub(super) fn matrix(columns: impl Display) -> String {
    format!("__rt::linalg::matrix({columns})")
}

/// The text of bodies under construction.
///
/// For each piece, an unoptimised `String` takes some three hundred steps in its generic code. Copying the bytes
/// one by one takes a fraction of these.
#[derive(Default)]
pub(super) struct Text {
    /// The text, and free space after it.
    bytes: Box<[u8]>,
    len: usize,
}

/// Number of bytes above which a piece is copied in one call.
const MOST_BY_HAND: usize = 16;

/// The block that the buffer grows by.
const BLOCK: &[u8] = &[0; 8192];

impl Text {
    pub(super) fn push_str(&mut self, piece: &str) {
        self.push_bytes(piece.as_bytes());
    }

    /// Appends bytes, which must be whole characters.
    fn push_bytes(&mut self, piece: &[u8]) {
        let end = self.len + piece.len();
        if end > self.bytes.len() {
            self.grow(end);
        }
        if piece.len() > MOST_BY_HAND {
            self.bytes[self.len..end].copy_from_slice(piece);
            self.len = end;
            return;
        }
        let bytes = &mut self.bytes[..];
        let (mut to, mut from) = (self.len, 0);
        while to < end {
            bytes[to] = piece[from];
            to += 1;
            from += 1;
        }
        self.len = end;
    }

    fn grow(&mut self, least: usize) {
        // Copies blocks of zeros. The allocator would request zeroed memory as pages from the kernel.
        let room = least.max(2 * self.bytes.len()).max(BLOCK.len());
        let mut wider = Vec::with_capacity(room);
        wider.extend_from_slice(&self.bytes[..self.len]);
        while wider.len() < room {
            let left = room - wider.len();
            wider.extend_from_slice(&BLOCK[..left.min(BLOCK.len())]);
        }
        self.bytes = wider.into_boxed_slice();
    }

    /// Appends a string literal.
    pub(super) fn push_literal(&mut self, value: &str) {
        self.push_str(&format!("{value:?}"));
    }

    /// Appends an ASCII name that ends with a number, as one piece.
    pub(super) fn push_number<const N: usize>(&mut self, before: &[u8; N], number: usize) {
        let mut digits = [b'0'; 40];
        let (mut first, mut remaining) = (digits.len(), number);
        loop {
            first -= 1;
            digits[first] += (remaining % 10) as u8;
            remaining /= 10;
            if remaining == 0 {
                break;
            }
        }
        for byte in before.iter().rev() {
            first -= 1;
            digits[first] = *byte;
        }
        self.push_bytes(&digits[first..]);
    }

    pub(super) fn read(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes[..self.len])
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Clears the text, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn finish(self) -> String {
        self.read().into_owned()
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.push_str(piece);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::Text;

    #[test]
    fn pieces_follow_each_other() {
        let (mut text, mut expected) = (Text::default(), String::new());
        for number in [0, 7, 10, 305, usize::MAX] {
            text.push_str("θ");
            text.push_number(b" = ", number);
            let _ = writeln!(text, "; {number:>3}");
            let _ = writeln!(expected, "θ = {number}; {number:>3}");
        }
        assert_eq!(text.finish(), expected);
        assert_eq!(Text::default().finish(), "");
    }
}
