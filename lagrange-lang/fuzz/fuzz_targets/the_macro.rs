// Included by each target, in its root: the modules of the macro name each other from there.

// What tells whether there is a compiler around.
extern crate proc_macro;

// A proc-macro crate exports nothing but macros: its modules are compiled into this program. The
// inline module moves the place where they are looked for.
#[path = "../../src"]
#[allow(dead_code)]
mod stages {
    pub(crate) mod bundles;
    pub(crate) mod check;
    pub(crate) mod editor;
    pub(crate) mod emit;
    pub(crate) mod errors;
    pub(crate) mod expand;
    pub(crate) mod generated;
    pub(crate) mod host;
    pub(crate) mod lower;
    pub(crate) mod model;
    pub(crate) mod robots;
    pub(crate) mod suggest;
    pub(crate) mod syntax;
    pub(crate) mod tables;
}
use proc_macro2::TokenStream;
#[allow(unused_imports)]
use stages::{
    bundles, check, editor, emit, errors, expand, generated, host, lower, model, robots, suggest,
    syntax, tables,
};

/// Asserts that the expansion can be parsed as a file of items.
fn assert_items(expansion: TokenStream) {
    let file = match syn::parse2::<syn::File>(expansion.clone()) {
        Ok(file) => file,
        Err(error) => panic!("{error} in the expansion\n{expansion}"),
    };
    // The implementations stand in braces behind a text and a tag for the macro of the system.
    for item in file.items {
        let syn::Item::Macro(invocation) = item else {
            continue;
        };
        let is_rules = invocation.ident.is_some();
        let groups = invocation.mac.tokens.into_iter().skip(2);
        for items in groups.filter(|_| !is_rules) {
            if let Err(error) = syn::parse2::<syn::Block>(items.into()) {
                panic!("{error} behind the macro of the system\n{expansion}");
            }
        }
    }
}
