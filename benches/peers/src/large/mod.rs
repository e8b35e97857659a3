//! Systems of many coordinates.

pub(crate) mod chains;
pub(crate) mod linkages;
pub(crate) mod walkers;
