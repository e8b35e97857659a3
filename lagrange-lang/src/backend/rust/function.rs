//! A method and its text.

use std::borrow::Cow;

use lagrange_engine::Operations;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::assembly::{Text, parse_code};
use super::skeleton::Skeleton;
use crate::methods::{Argument, Layout, Value};

/// A method with its text, except the types of its arguments.
#[derive(Default)]
pub(super) struct Function {
    /// The user's attributes, or `#[inline]`.
    pub(super) attributes: Code,
    pub(super) visibility: Code,
    pub(super) docs: String,
    pub(super) name: Code,
    /// `<const __CORRECTED: bool>`, or nothing.
    pub(super) generics: &'static str,
    pub(super) arguments: Vec<Argument>,
    /// The arguments for results that are too large to be returned.
    pub(super) places: String,
    pub(super) returned: String,
    /// True if the method branches on values, so that it requires `RealField`.
    pub(super) real: bool,
    pub(super) body: Code,
}

/// Signatures and bodies are text, which a debug build of the macro writes many times faster than tokens. Names and
/// attributes from the user are tokens with their spans.
pub(super) enum Code {
    Text(Cow<'static, str>),
    Tokens(TokenStream),
}

/// Attribute of a method that is always inlined into its callers.
pub(super) const INLINED: &str = "#[inline(always)] ";
pub(super) const APART: &str = "#[inline(never)] ";
/// The same for a method that is rarely called.
pub(super) const COLD: &str = "#[cold] #[inline(never)] ";

impl Code {
    pub(super) const PUBLIC: Self = Self::Text(Cow::Borrowed("pub"));

    /// Tokens of the user, with their spans.
    pub(super) fn of(tokens: &impl ToTokens) -> Self {
        Self::Tokens(tokens.to_token_stream())
    }
}

impl Default for Code {
    fn default() -> Self {
        Self::Text(Cow::Borrowed(""))
    }
}

impl From<&'static str> for Code {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Code {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<TokenStream> for Code {
    fn from(tokens: TokenStream) -> Self {
        Self::Tokens(tokens)
    }
}

impl Function {
    /// Its name without `r#`.
    pub(super) fn unraw(&self) -> String {
        let name = match &self.name {
            Code::Text(text) => text.clone().into_owned(),
            Code::Tokens(tokens) => tokens.to_string(),
        };
        name.trim_start_matches("r#").to_owned()
    }

    /// Returns whether only generated code calls a method of this name, so that no documentation lists the method.
    fn is_private(&self) -> bool {
        matches!(&self.visibility, Code::Text(text) if text.is_empty())
    }
}

/// The code of a method and its description in the documentation.
#[derive(Default)]
pub(super) struct Definition {
    pub(super) body: Code,
    pub(super) details: Details,
}

/// The description of a method's code in its documentation.
#[derive(Default)]
pub(super) struct Details {
    /// The entries of the value, written out.
    pub(super) formula: String,
    pub(super) operations: Operations,
    /// The work of the method in addition to these operations.
    pub(super) beyond: Cow<'static, str>,
}

/// One `impl` for methods of every scalar, and one for methods that branch on values.
pub(super) fn write_implementations(skeleton: &Skeleton, functions: &[Function]) -> TokenStream {
    let Skeleton { own, rt, .. } = skeleton;
    let attributes = skeleton.item_attributes();
    let written = |real: bool| -> TokenStream {
        let mut writer = Writer::default();
        for function in functions.iter().filter(|function| function.real == real) {
            writer.write_function(function, &skeleton.layout);
        }
        writer.finish()
    };
    let (lanes, real) = (written(false), written(true));
    quote! {
        #attributes
        impl<S: #rt::SimdRealField + #rt::core::marker::Copy> #own<S> { #lanes }

        #attributes
        impl<S: #rt::RealField + #rt::core::marker::Copy> #own<S> { #real }
    }
}

/// Length of text that is parsed before more is added, so that the buffer stays small.
const MOST_TEXT: usize = 1 << 16;

/// Alternating text and tokens of code.
#[derive(Default)]
struct Writer {
    tokens: TokenStream,
    /// The text after the tokens.
    text: Text,
}

impl Writer {
    /// ```text
    /// #[doc = ".."] pub fn mass_matrix(&self, q: &__rt::SVector<S, 2>, ) -> __rt::SMatrix<S, 2, 2> { .. }
    /// ```
    fn write_function(&mut self, function: &Function, layout: &Layout) {
        self.write_code(&function.attributes);
        if function.is_private() {
            self.text.push_str("#[doc(hidden)] ");
        } else {
            self.text.push_str("#[doc = ");
            self.text.push_literal(&function.docs);
            self.text.push_str("] ");
        }
        self.write_code(&function.visibility);
        self.text.push_str(" fn ");
        self.write_code(&function.name);
        self.text.push_str(function.generics);
        self.text.push_str("(&self, ");
        for argument in &function.arguments {
            argument.declare(layout, &mut self.text);
        }
        self.text.push_str(&function.places);
        self.text.push_str(") -> ");
        self.text.push_str(&function.returned);
        match &function.body {
            Code::Text(body) => {
                self.text.push_str(" {\n");
                self.text.push_str(body);
                self.text.push_str("}\n");
                if self.text.len() > MOST_TEXT {
                    self.parse();
                }
            }
            Code::Tokens(body) => {
                let body = Group::new(Delimiter::Brace, body.clone());
                self.write_tokens(TokenTree::from(body).into());
            }
        }
    }

    fn write_code(&mut self, code: &Code) {
        match code {
            Code::Text(text) => self.text.push_str(text),
            Code::Tokens(tokens) => self.write_tokens(tokens.clone()),
        }
    }

    fn write_tokens(&mut self, tokens: TokenStream) {
        if tokens.is_empty() {
            return;
        }
        self.parse();
        self.tokens.extend(tokens);
    }

    fn parse(&mut self) {
        if self.text.len() > 0 {
            self.tokens.extend(parse_code(&self.text.read()));
            self.text.clear();
        }
    }

    fn finish(mut self) -> TokenStream {
        self.parse();
        self.tokens
    }
}

/// A method with an unreachable body.
pub(super) fn stub(
    skeleton: &Skeleton,
    name: Code,
    arguments: Vec<Argument>,
    value: Value,
    fallible: bool,
) -> Function {
    Function {
        name,
        arguments,
        returned: value.write_return_type(fallible, &skeleton.layout),
        real: fallible,
        body: "loop {}".into(),
        ..Function::default()
    }
}
