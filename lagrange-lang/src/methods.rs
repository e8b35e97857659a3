//! Generated methods as data: which systems have them, their arguments, values, quantities and words.
//!
//! The printer in `backend` writes them as Rust, and bundles find their items here. This module knows neither.

pub(crate) mod outputs;
pub(crate) mod regressors;
mod row;
mod shell;
mod signature;
pub(crate) mod symmetries;
mod table;

pub(crate) use row::{Assembly, Recipe, Row};
pub(crate) use shell::{Field, Shell};
pub(crate) use signature::{Argument, Layout, Size, Value};
pub(crate) use table::METHODS;
