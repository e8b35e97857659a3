//! The rules of a declaration, one function each; mistakes go to the collector.

pub(crate) mod constraints;
mod defaults;
pub(crate) mod head;
pub(crate) mod names;
pub(crate) mod outputs;
pub(crate) mod physics;
pub(crate) mod reads;
mod sizes;
pub(crate) mod usage;

pub(crate) use head::head;
