//! Attributes that the user wrote: documentation, conditions and lint levels.

use quote::ToTokens;
use syn::Attribute;

/// The `#[cfg(..)]` attributes of an item, for the items that belong to it.
pub(crate) fn conditions(attributes: &[Attribute]) -> Vec<&Attribute> {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .collect()
}

/// The `#[doc]` attributes.
pub(crate) fn doc_attributes(attributes: &[Attribute]) -> Vec<&Attribute> {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"))
        .collect()
}

/// The text of the `#[doc]` attributes, line by line.
pub(crate) fn doc_lines(attributes: &[Attribute]) -> Vec<String> {
    attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(text),
                    ..
                }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        })
        .flat_map(|text| {
            text.lines()
                .map(|line| line.trim().to_owned())
                .collect::<Vec<_>>()
        })
        .collect()
}

/// True if the attribute sets the level of one of these lints.
pub(crate) fn sets_level(attribute: &Attribute, lints: &[&str]) -> bool {
    let levels = ["allow", "warn", "deny", "forbid", "expect"];
    levels.iter().any(|level| attribute.path().is_ident(level))
        && attribute
            .meta
            .to_token_stream()
            .into_iter()
            .any(|token| match token {
                proc_macro2::TokenTree::Group(group) => group
                    .stream()
                    .into_iter()
                    .any(|word| lints.contains(&word.to_string().as_str())),
                _ => false,
            })
}
