//! The blocks of `docs/recipes.md` as tests.

#[cfg(doctest)]
#[doc = include_str!("../../../docs/recipes.md")]
struct Document;
