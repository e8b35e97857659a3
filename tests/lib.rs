//! The programs of the README, which need more than the library does.

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
