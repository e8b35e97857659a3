//! The expansion for an editor equals the compiled one, except for the bodies of methods.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Expr, ImplItem, ImplItemFn, Item, Stmt};

use super::declarations::sound;
use super::items_of;
use super::workloads::cases;
use crate::expand::expand;
use crate::generated::EXPORTS;
use crate::host::Purpose;

/// The items, with methods reduced to their heads, without private items of generated code.
fn heads(declaration: &str, purpose: Purpose) -> Vec<String> {
    let tokens: TokenStream = declaration.parse().unwrap();
    let items = items_of(expand(tokens, purpose)).items;
    let mut heads: Vec<String> = items.into_iter().flat_map(of_item).collect();
    heads.sort();
    heads
}

fn of_item(item: Item) -> Vec<String> {
    match item {
        Item::Impl(block) if block.trait_.is_none() => {
            let self_type = block.self_ty.to_token_stream();
            block
                .items
                .iter()
                .filter_map(|item| match item {
                    ImplItem::Fn(function) => head(function),
                    // The text is empty for an editor.
                    ImplItem::Const(constant)
                        if EXPORTS.iter().any(|name| constant.ident == name) =>
                    {
                        Some(constant.ident.to_string())
                    }
                    other => Some(other.to_token_stream().to_string()),
                })
                .map(|head| format!("{self_type}: {head}"))
                .collect()
        }
        // The block that keeps the names of generated code separate.
        Item::Const(constant) if constant.ident == "_" => match *constant.expr {
            Expr::Block(block) => block
                .block
                .stmts
                .into_iter()
                .filter_map(|statement| match statement {
                    Stmt::Item(item) => Some(item),
                    _ => None,
                })
                .flat_map(of_item)
                .collect(),
            other => vec![other.to_token_stream().to_string()],
        },
        // Only bodies read the tables of curves.
        Item::Static(table) if table.ident.to_string().starts_with("__") => Vec::new(),
        other => vec![other.to_token_stream().to_string()],
    }
}

/// The head without the description of the code.
fn head(function: &ImplItemFn) -> Option<String> {
    if function.sig.ident.to_string().starts_with("__") {
        return None;
    }
    let is_left = |attribute: &&Attribute| {
        !["doc", "inline"]
            .iter()
            .any(|name| attribute.path().is_ident(name))
    };
    let attributes = function
        .attrs
        .iter()
        .filter(is_left)
        .map(|attribute| attribute.to_token_stream().to_string());
    let (visibility, signature) = (&function.vis, &function.sig);
    let written = [visibility.to_token_stream(), signature.to_token_stream()];
    Some(
        attributes
            .chain(written.map(|part| part.to_string()))
            .collect::<Vec<_>>()
            .join(" "),
    )
}

#[test]
fn editors_see_what_is_compiled() {
    let declared = sound().iter().step_by(16).map(|sound| sound.text.clone());
    let small = cases()
        .into_iter()
        .filter(|(_, parts, _)| *parts <= 5)
        .map(|(.., text)| text);
    let declarations: Vec<String> = declared.chain(small).collect();
    assert!(declarations.len() > 50, "{}", declarations.len());
    for declaration in declarations {
        let [code, signatures] =
            [Purpose::Code, Purpose::Signatures].map(|purpose| heads(&declaration, purpose));
        let missing = code.iter().find(|head| !signatures.contains(head));
        let idle = signatures.iter().find(|head| !code.contains(head));
        assert_eq!((missing, idle), (None, None), "{declaration}");
    }
}
