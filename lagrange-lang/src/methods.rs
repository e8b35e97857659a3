//! Generated methods as data: the systems that have them, their arguments, values, quantities and wording.
//!
//! The printer in `backend` writes them as Rust, and `bundles` finds its items here. This module depends on neither.

pub(crate) mod outputs;
pub(crate) mod regressors;
mod row;
pub(crate) mod sensitivities;
mod shell;
mod signature;
pub(crate) mod symmetries;
mod table;

pub(crate) use row::{Assembly, Recipe, Row};
pub(crate) use shell::{Field, Shell};
pub(crate) use signature::{Argument, Layout, Reacting, Size, Value};
pub(crate) use table::METHODS;
