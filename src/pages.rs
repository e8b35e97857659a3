//! The documents, as pages of the documentation.
//!
//! They link to each other by file, in reference style, so that the links also work in a checkout. Markdown uses the
//! first of several definitions of a reference: the definitions here come first and lead to pages.

/// Link targets of the documents, as pages; files that are no pages are in the repository.
macro_rules! links {
    () => {
        concat!(
            "[language.md]: crate::language
[language.md#6-functions]: crate::language#6-functions
[language.md#14-what-the-compiler-says]: crate::language#14-what-the-compiler-says
[language.md#18-what-is-easily-modelled-wrong]: crate::language#18-what-is-easily-modelled-wrong
[language.md#bundles]: crate::language#bundles
[language.md#redundant-rows]: crate::language#redundant-rows
[language.md#functions-of-your-own]: crate::language#functions-of-your-own
[language.md#drift]: crate::language#drift
[language.md#contacts]: crate::language#contacts
[language.md#forces-by-multipliers]: crate::language#forces-by-multipliers
[language.md#regressors]: crate::language#regressors
[language.md#time]: crate::language#time
[errors.md]: crate::errors
[errors.md#two-errors-of-nalgebra]: crate::errors#two-errors-of-nalgebra
[integrators.md]: crate::integrators
[other_crates.md]: crate::other_crates
[recipes.md]: crate::recipes
[robots.md]: crate::robots
[hybrid.md]: crate::hybrid
[other_languages.md]: crate::other_languages
[sweeps.md]: crate::sweeps
[from_sympy.md]: crate::from_sympy
[from_casadi.md]: crate::from_casadi
[from_pinocchio.md]: crate::from_pinocchio
[from_matlab.md]: crate::from_matlab
",
            "[../benches]: ",
            env!("CARGO_PKG_REPOSITORY"),
            "/tree/main/benches\n",
            "[../examples]: ",
            env!("CARGO_PKG_REPOSITORY"),
            "/tree/main/examples\n",
            "[../lagrangian-page]: ",
            env!("CARGO_PKG_REPOSITORY"),
            "/tree/main/lagrangian-page\n",
            "[../tests/integrators/src/lib.rs]: ",
            env!("CARGO_PKG_REPOSITORY"),
            "/blob/main/tests/integrators/src/lib.rs\n",
            "[../tests/integrators/tests/all]: ",
            env!("CARGO_PKG_REPOSITORY"),
            "/tree/main/tests/integrators/tests/all\n",
            "[../tests/integrators/tests/all/diffsol.rs]: ",
            env!("CARGO_PKG_REPOSITORY"),
            "/blob/main/tests/integrators/tests/all/diffsol.rs\n",
        )
    };
}

/// Declares a page for a file in `docs`.
macro_rules! page {
    ($name:ident: $file:literal) => {
        #[doc = links!()]
        #[doc = include_str!(concat!("../docs/", $file))]
        pub mod $name {}
    };
}

page! { tutorial: "tutorial.md" }
page! { language: "language.md" }
page! { errors: "errors.md" }
page! { robots: "robots.md" }
page! { hybrid: "hybrid.md" }
page! { other_languages: "other_languages.md" }
page! { sweeps: "sweeps.md" }
page! { from_sympy: "from_sympy.md" }
page! { from_casadi: "from_casadi.md" }
page! { from_pinocchio: "from_pinocchio.md" }
page! { from_matlab: "from_matlab.md" }

// Their blocks need other crates: `tests/lib.rs` and the packages in `tests/integrators` and `tests/recipes` run them.
#[cfg(not(doctest))]
page! { other_crates: "other_crates.md" }
#[cfg(not(doctest))]
page! { integrators: "integrators.md" }
#[cfg(not(doctest))]
page! { recipes: "recipes.md" }
