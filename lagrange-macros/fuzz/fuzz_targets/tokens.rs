//! Any text that is made of tokens -> the macro: it may not panic, and what it emits is items.
#![no_main]

use std::str::FromStr;

use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;

// A proc-macro crate exports nothing but macros: its modules are compiled into this program. The
// inline module moves the place where they are looked for; they name each other from the root.
#[path = "../../src"]
#[allow(dead_code)]
mod stages {
    pub(crate) mod check;
    pub(crate) mod emit;
    pub(crate) mod errors;
    pub(crate) mod expand;
    pub(crate) mod generated;
    pub(crate) mod lower;
    pub(crate) mod model;
    pub(crate) mod suggest;
    pub(crate) mod syntax;
}
#[allow(unused_imports)]
use stages::{check, emit, errors, expand, generated, lower, model, suggest, syntax};

fuzz_target!(|text: &str| {
    let Ok(tokens) = TokenStream::from_str(text) else {
        return;
    };
    let expansion = expand::expand(tokens);
    if let Err(error) = syn::parse2::<syn::File>(expansion.clone()) {
        panic!("{error} in the expansion\n{expansion}");
    }
});
