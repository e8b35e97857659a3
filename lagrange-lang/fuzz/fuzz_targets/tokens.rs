//! Any text that is made of tokens -> the macro: it may not panic, and what it emits is items.
#![no_main]

use std::str::FromStr;

use libfuzzer_sys::fuzz_target;

include!("the_macro.rs");

fuzz_target!(|text: &str| {
    let Ok(tokens) = TokenStream::from_str(text) else {
        return;
    };
    assert_items(expand::expand(tokens.clone(), host::Purpose::Code));
    assert_items(expand::expand(tokens, host::Purpose::Signatures));
    // The text of every input is kept for its places, until it is said that nobody asks for them.
    proc_macro2::extra::invalidate_current_thread_spans();
});
