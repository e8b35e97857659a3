//! Attributes and visibility. They have Rust's own syntax, which `syn` reads.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::meta::ParseNestedMeta;
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Path, Token, Visibility};

use super::ast::{MAX_NESTING, Options, StatementKind};
use super::head::place_of_group;
use super::parser::{Parse, Parser};
use crate::errors::{Code, SpanRange};

/// The nesting limit up to which `cfg_attr` is searched.
const MAX_CONDITIONS: usize = 8;

/// The attributes that set lint levels.
const LEVELS: [&str; 5] = ["allow", "expect", "warn", "deny", "forbid"];

/// The attribute that requests the second derivatives of an output.
const HESSIAN: &str = "hessian";

/// The struct option that requests this method.
const CORIOLIS: &str = "coriolis_matrix";

/// The struct option that requests the methods for this function.
const MIDPOINT: &str = "midpoint_step";

/// The struct option for rows of J that depend on each other.
const REDUNDANT: &str = "redundant";

impl Parser<'_> {
    /// `#[..] #[..]`. A broken attribute is reported and left out.
    pub(super) fn parse_attributes(&mut self) -> Vec<Attribute> {
        let mut attributes = Vec::new();
        loop {
            self.cursor.open_invisible();
            let inner = match (self.cursor.operator(), self.cursor.operator_at(1)) {
                (Some("#"), Some("!")) => true,
                (Some("#"), _) => false,
                _ => return attributes,
            };
            let Some(group) = self
                .cursor
                .group_at(1 + usize::from(inner), Delimiter::Bracket)
                .cloned()
            else {
                return attributes;
            };
            let mut tokens = TokenStream::new();
            for _ in 0..2 + usize::from(inner) {
                tokens.extend(self.cursor.advance());
            }
            if inner {
                let message = "expected an attribute or doc comment for the next item\n\n\
                               help: write `#[..]` or `///`";
                let first = group.span_open();
                let last = group.span_close();
                self.error(SpanRange { first, last }, Code::Attribute, message);
                continue;
            }
            // `syn` reads groups recursively.
            if is_deeper(&group, MAX_NESTING) {
                let message = format!("nested more than {MAX_NESTING} levels deep");
                self.error(place_of_group(&group), Code::TooDeep, message);
                continue;
            }
            match Attribute::parse_outer.parse2(tokens) {
                Ok(parsed) => attributes.extend(parsed),
                Err(error) => self.report_syn_error(&error),
            }
        }
    }

    /// No visibility, `pub` or `pub(..)`.
    pub(super) fn parse_visibility(&mut self) -> Visibility {
        let mut tokens = TokenStream::new();
        let Some(word) = self.cursor.take_word("pub") else {
            return Visibility::Inherited;
        };
        let public: Token![pub] = Token![pub](word.span());
        tokens.extend([TokenTree::Ident(word)]);
        if let Some(group) = self.cursor.take_group(Delimiter::Parenthesis) {
            if is_deeper(&group, MAX_NESTING) {
                let message = format!("nested more than {MAX_NESTING} levels deep");
                self.error(place_of_group(&group), Code::TooDeep, message);
                return Visibility::Public(public);
            }
            tokens.extend([TokenTree::Group(group)]);
        }
        match syn::parse2(tokens) {
            Ok(visibility) => visibility,
            Err(error) => {
                self.report_syn_error(&error);
                Visibility::Public(public)
            }
        }
    }

    /// Removes `#[lagrangian(..)]` from the attributes of the struct.
    pub(super) fn take_options(&mut self, attributes: &mut Vec<Attribute>) -> Options {
        let mut options = Options::default();
        attributes.retain(|attribute| {
            if !attribute.path().is_ident("lagrangian") {
                return true;
            }
            let read = attribute.parse_nested_meta(|option| read_option(&option, &mut options));
            if let Err(error) = read {
                self.report_syn_error(&error);
            }
            false
        });
        options
    }

    /// Refuses `#[derive(Default)]`, because the macro implements it, and removes it from the list.
    pub(super) fn refuse_default(&mut self, attributes: &mut [Attribute]) {
        for attribute in attributes {
            self.refuse_default_in(&mut attribute.meta, 0);
        }
    }

    /// Refuses `Default` inside one `derive(..)`, which may be part of `cfg_attr(.., derive(..))`.
    fn refuse_default_in(&mut self, meta: &mut Meta, depth: usize) {
        let Meta::List(list) = meta else {
            return;
        };
        if list.path.is_ident("derive") {
            list.tokens = self.remove_default(list.tokens.clone());
        } else if list.path.is_ident("cfg_attr") && depth < MAX_CONDITIONS {
            let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
            if let Ok(mut parts) = parser.parse2(list.tokens.clone()) {
                for part in parts.iter_mut().skip(1) {
                    self.refuse_default_in(part, depth + 1);
                }
                list.tokens = parts.into_token_stream();
            }
        }
    }

    /// The list of a `derive` without `Default`, which is reported.
    fn remove_default(&mut self, list: TokenStream) -> TokenStream {
        let parser = Punctuated::<Path, Token![,]>::parse_terminated;
        let Ok(paths) = parser.parse2(list.clone()) else {
            // rustc reports the mistake in the list.
            return list;
        };
        let is_default = |path: &&Path| path.segments.last().is_some_and(|s| s.ident == "Default");
        let (refused, others): (Vec<_>, Vec<_>) = paths.iter().partition(is_default);
        if refused.is_empty() {
            return list;
        }
        for path in &refused {
            let message = "`Default` is implemented by the macro, exactly when every parameter has \
                           a default\n\nhelp: remove it here";
            self.error(place_of(path), Code::DerivedDefault, message);
        }
        quote!(#(#others),*)
    }

    /// The attributes of a statement that have an effect. The others are refused, because a term acts regardless of its
    /// attributes. `what` names the statement or field.
    pub(super) fn keep_attributes(
        &mut self,
        mut attributes: Vec<Attribute>,
        (what, bearer): (&str, Bearer),
    ) -> Vec<Attribute> {
        attributes.retain(|attribute| {
            let Some((code, message)) = refusal(attribute, what, bearer) else {
                return true;
            };
            self.error(place_of(attribute), code, message);
            false
        });
        attributes
    }

    /// The place of `#[hessian]` among the attributes of a statement, and the other attributes.
    pub(super) fn take_hessian(
        &mut self,
        attributes: Vec<Attribute>,
    ) -> (Option<SpanRange>, Vec<Attribute>) {
        let is_hessian = |attribute: &Attribute| attribute.path().is_ident(HESSIAN);
        let (hessians, other_attributes): (Vec<_>, Vec<_>) =
            attributes.into_iter().partition(is_hessian);
        let first = hessians.first().map(place_of);
        for again in hessians.iter().skip(1) {
            self.error(
                place_of(again),
                Code::Hessian,
                "`#[hessian]` is given twice\n\nhelp: remove it",
            );
        }
        for attribute in &hessians {
            if !matches!(attribute.meta, Meta::Path(_)) {
                let message = "`hessian` takes no arguments\n\nhelp: write `#[hessian]`";
                self.error(place_of(attribute), Code::Hessian, message);
            }
        }
        (first, other_attributes)
    }

    /// Attaches `#[hessian]` to the output that follows it.
    pub(super) fn place_hessian(
        &mut self,
        place: Option<SpanRange>,
        statements: &mut [StatementKind],
    ) {
        let Some(place) = place else { return };
        match statements {
            [
                StatementKind::Let {
                    public: Some(_),
                    hessian,
                    ..
                },
                ..,
            ] => *hessian = Some(place),
            // A statement without a name has been refused already.
            [] => {}
            _ => self.error(place, Code::Hessian, explain_hessian()),
        }
    }

    /// Fails at attributes that nothing follows.
    pub(super) fn refuse_dangling(&mut self, attributes: &[Attribute], what: &str) -> Parse<()> {
        let Some(last) = attributes.last() else {
            return Ok(());
        };
        let message = format!("expected {what} after this attribute or doc comment");
        self.fail(place_of(last), Code::Attribute, message)
    }

    fn report_syn_error(&mut self, error: &syn::Error) {
        for mistake in error {
            let place = mistake.span();
            self.error(place, Code::Attribute, mistake);
        }
    }
}

/// Reads one option of `#[lagrangian(..)]`.
fn read_option(option: &ParseNestedMeta, options: &mut Options) -> syn::Result<()> {
    let twice = |name: &str| option.error(format!("`{name}` is given twice\n\nhelp: remove it"));
    if option.path.is_ident("crate") {
        if options.crate_path.is_some() {
            return Err(twice("crate"));
        }
        options.crate_path = Some(module_path(option.value()?)?);
        return Ok(());
    }
    let flag = [
        (CORIOLIS, &mut options.coriolis_matrix),
        (HESSIAN, &mut options.hessian),
        (MIDPOINT, &mut options.midpoint_step),
        (REDUNDANT, &mut options.redundant),
    ]
    .into_iter()
    .find(|(name, _)| option.path.is_ident(name));
    let (Some((name, place)), Some(word)) = (flag, option.path.get_ident()) else {
        let message = "unknown option\n\n\
                       help: the options are `crate = path`, `coriolis_matrix`, `hessian`, `midpoint_step` and `redundant`";
        return Err(option.error(message));
    };
    if place.replace(word.span()).is_some() {
        return Err(twice(name));
    }
    if option.input.is_empty() || option.input.peek(Token![,]) {
        return Ok(());
    }
    let message = format!("`{name}` takes no value\n\nhelp: write `#[lagrangian({name})]`");
    Err(option.error(message))
}

/// A path of a module, without generic arguments. Paths of types are refused.
fn module_path(input: ParseStream) -> syn::Result<Path> {
    let path = input.call(Path::parse_mod_style)?;
    match path.segments.iter().find(|segment| segment.ident == "Self") {
        Some(segment) => {
            let message = "expected the path of a crate, found `Self`";
            Err(syn::Error::new(segment.ident.span(), message))
        }
        None => Ok(path),
    }
}

/// True if the nesting depth of this group exceeds `most`. It is a loop, because the depth may be thousands.
fn is_deeper(group: &Group, most: usize) -> bool {
    let mut groups = vec![(group.clone(), 1)];
    while let Some((group, depth)) = groups.pop() {
        if depth > most {
            return true;
        }
        let inner = group.stream().into_iter().filter_map(|token| match token {
            TokenTree::Group(group) => Some((group, depth + 1)),
            _ => None,
        });
        groups.extend(inner);
    }
    false
}

/// The effect of attributes on an item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bearer {
    /// The macro generates an item of the same kind, which takes over all attributes.
    Item,
    /// The macro generates a method. It takes over the attributes that `rustdoc` reads, and lint levels apply.
    Documentation,
    /// Lint levels apply. Doc comments are shown or are plain comments.
    Nothing,
}

/// The reason why an attribute is not allowed here.
fn refusal(attribute: &Attribute, what: &str, bearer: Bearer) -> Option<(Code, String)> {
    let path = attribute.path();
    let is = |names: &[&str]| names.iter().any(|name| path.is_ident(name));
    if is(&[HESSIAN]) {
        return Some((Code::Hessian, explain_hessian()));
    }
    if is(&["cfg", "cfg_attr"]) {
        let message = format!(
            "{what} cannot be conditional\n\n\
             help: put `#[cfg(..)]` before the struct, and declare one system for each case"
        );
        return Some((Code::Attribute, message));
    }
    // `#[doc(hidden)]` and the like are not comments.
    let is_text = matches!(attribute.meta, Meta::NameValue(_));
    let is_shown = is(&["doc"]) && (is_text || bearer == Bearer::Documentation);
    if bearer == Bearer::Item || is_shown || is(&LEVELS) {
        return None;
    }
    let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let arguments = if is(&["doc"]) { "(..)" } else { "" };
    let message = format!(
        "`#[{}{arguments}]` has no effect on {what}\n\n\
         help: remove it; doc comments and `#[allow(..)]` are allowed here",
        segments.join("::")
    );
    Some((Code::Attribute, message))
}

/// The message for `#[hessian]` before anything other than an output.
fn explain_hessian() -> String {
    "`#[hessian]` requests the second derivatives of a scalar output\n\n\
     help: write it before a `pub let`"
        .to_owned()
}

/// The attributes that set lint levels.
pub(super) fn levels(attributes: &[Attribute]) -> Vec<Attribute> {
    let is_level = |attribute: &&Attribute| LEVELS.iter().any(|l| attribute.path().is_ident(l));
    attributes.iter().filter(is_level).cloned().collect()
}

fn place_of(tokens: &impl ToTokens) -> SpanRange {
    let mut spans = tokens
        .to_token_stream()
        .into_iter()
        .map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    let last = spans.last().unwrap_or(first);
    SpanRange { first, last }
}

/// The place of a written visibility.
pub(super) fn place_of_visibility(visibility: &Visibility) -> Option<SpanRange> {
    match visibility {
        Visibility::Inherited => None,
        written => Some(place_of(written)),
    }
}
