//! Any text that is made of tokens -> the macro: it may not panic, and what it emits is items.
#![no_main]

use std::str::FromStr;

use libfuzzer_sys::fuzz_target;

include!("the_macro.rs");

fuzz_target!(|text: &str| {
    let Ok(tokens) = TokenStream::from_str(text) else {
        return;
    };
    assert_expands(tokens);
});
