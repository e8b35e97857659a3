// Included by each target.

use lagrange_lang::{Purpose, expand};
use proc_macro2::TokenStream;

/// Asserts that the expansions of a declaration, for the compiler and for editors, are items.
fn assert_expands(declaration: TokenStream) {
    assert_items(expand(declaration.clone(), Purpose::Code));
    assert_items(expand(declaration, Purpose::Signatures));
    // The text of every input is kept for its places, until it is said that nobody asks for them.
    proc_macro2::extra::invalidate_current_thread_spans();
}

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
