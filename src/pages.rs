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
[language.md#12-what-the-compiler-says]: crate::language#12-what-the-compiler-says
[language.md#14-what-is-easily-modelled-wrong]: crate::language#14-what-is-easily-modelled-wrong
[generated_items.md#bundles]: crate::generated_items#bundles
[language.md#units]: crate::language#units
[language.md#states]: crate::language#states
[language.md#data]: crate::language#data
[language.md#redundant-rows]: crate::language#redundant-rows
[language.md#functions-of-your-own]: crate::language#functions-of-your-own
[numerics.md#drift]: crate::numerics#drift
[language.md#contacts]: crate::language#contacts
[language.md#friction]: crate::language#friction
[language.md#forces-by-multipliers]: crate::language#forces-by-multipliers
[generated_items.md#regressors]: crate::generated_items#regressors
[language.md#time]: crate::language#time
[generated_items.md]: crate::generated_items
[generated_items.md#a-motion-with-events]: crate::generated_items#a-motion-with-events
[generated_items.md#a-step-in-time]: crate::generated_items#a-step-in-time
[generated_items.md#a-variational-step]: crate::generated_items#a-variational-step
[generated_items.md#constants]: crate::generated_items#constants
[generated_items.md#derivatives]: crate::generated_items#derivatives
[generated_items.md#frames-that-are-outputs]: crate::generated_items#frames-that-are-outputs
[generated_items.md#methods]: crate::generated_items#methods
[generated_items.md#outputs]: crate::generated_items#outputs
[generated_items.md#second-derivatives]: crate::generated_items#second-derivatives
[generated_items.md#sensitivities]: crate::generated_items#sensitivities
[generated_items.md#symmetries]: crate::generated_items#symmetries
[generated_items.md#the-feedback-of-least-cost]: crate::generated_items#the-feedback-of-least-cost
[generated_items.md#the-state-of-a-given-acceleration]: crate::generated_items#the-state-of-a-given-acceleration
[generated_items.md#the-trait]: crate::generated_items#the-trait
[language.md#1-a-declaration]: crate::language#1-a-declaration
[language.md#2-the-head]: crate::language#2-the-head
[language.md#8-constraints]: crate::language#8-constraints
[language.md#9-frames-and-bodies]: crate::language#9-frames-and-bodies
[language.md#hamiltons-equations]: crate::language#hamiltons-equations
[language.md#rotations]: crate::language#rotations
[numerics.md]: crate::numerics
[numerics.md#errors-at-run-time]: crate::numerics#errors-at-run-time
[errors.md]: crate::errors
[errors.md#l917-a-parameter-that-no-motion-shows]: crate::errors#l917-a-parameter-that-no-motion-shows
[errors.md#two-errors-of-nalgebra]: crate::errors#two-errors-of-nalgebra
[integrators.md]: crate::integrators
[other_crates.md]: crate::other_crates
[recipes.md]: crate::recipes
[robots.md]: crate::robots
[hybrid.md]: crate::hybrid
[hybrid.md#motions-by-events]: crate::hybrid#motions-by-events
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
            "[../lagrangian-live]: ",
            env!("CARGO_PKG_REPOSITORY"),
            "/tree/main/lagrangian-live\n",
            "[../lagrangian-page]: ",
            env!("CARGO_PKG_REPOSITORY"),
            "/tree/main/lagrangian-page\n",
            "[../python]: ",
            env!("CARGO_PKG_REPOSITORY"),
            "/tree/main/python\n",
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
page! { generated_items: "generated_items.md" }
page! { numerics: "numerics.md" }
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
