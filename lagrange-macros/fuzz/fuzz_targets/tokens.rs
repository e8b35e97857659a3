//! Any text that is made of tokens -> the macro: it may not panic, and what it emits is items.
#![no_main]

use std::str::FromStr;

use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;

// What tells whether there is a compiler around.
extern crate proc_macro;

// A proc-macro crate exports nothing but macros: its modules are compiled into this program. The
// inline module moves the place where they are looked for; they name each other from the root.
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
#[allow(unused_imports)]
use stages::{
    bundles, check, editor, emit, errors, expand, generated, host, lower, model, robots, suggest,
    syntax, tables,
};

fuzz_target!(|text: &str| {
    let Ok(tokens) = TokenStream::from_str(text) else {
        return;
    };
    assert_items(expand::expand(tokens.clone(), host::Purpose::Code));
    assert_items(expand::expand(tokens, host::Purpose::Signatures));
    // The text of every input is kept for its places, until it is said that nobody asks for them.
    proc_macro2::extra::invalidate_current_thread_spans();
});

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
