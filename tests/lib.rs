//! The programs of the README, and of the page on other crates, which needs more than the library does.

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;

#[doc = include_str!("../docs/other_crates.md")]
#[cfg(doctest)]
struct OtherCrates;
