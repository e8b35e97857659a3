//! Parsing of tokens to syntax. Names and types are checked later.
//!
//! Mistakes go to the collector, and parsing continues with the next field, statement or element. Unreadable parts stay
//! in the tree as [`ast::ExprKind::Error`] or [`ast::Role::Unknown`].

pub(crate) mod ast;

mod assignments;
mod attributes;
mod blocks;
mod comments;
mod cursor;
mod expr;
mod field_names;
mod fields;
mod foreign;
mod functions;
mod head;
mod keywords;
mod listings;
mod mechanics;
pub(crate) mod name_scopes;
mod names;
mod numbers;
mod operators;
mod parser;
mod primary;
mod recovery;
mod robots;
mod roles;
mod statements;
#[cfg(test)]
mod tests;
mod units;
mod unknown;
mod written;

use proc_macro2::TokenStream;

use self::ast::SystemDef;
pub(crate) use self::keywords::is_rust_keyword;
use self::parser::Parser;
pub(crate) use self::robots::field_of;
use crate::errors::Errors;

/// Reads all sound parts of a declaration. Returns `None` if the declaration has no name.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Option<SystemDef> {
    read(Parser::new(tokens, errors))
}

/// [`parse`], but a list of names ends with its line. This reading suits an unfinished field, such as `x,` above `m:
/// parameter`.
pub(crate) fn parse_by_lines(tokens: TokenStream, errors: &mut Errors) -> Option<SystemDef> {
    let mut parser = Parser::new(tokens, errors);
    parser.by_lines = true;
    read(parser)
}

fn read(mut parser: Parser<'_>) -> Option<SystemDef> {
    let mut system = parser.parse_head()?;
    system.statements = parser.parse_statements();
    system.lacks_names = parser.lacks_names;
    system.has_labels = parser.has_labels;
    system.has_lost = parser.has_lost;
    system.carried = parser.carried;
    Some(system)
}
