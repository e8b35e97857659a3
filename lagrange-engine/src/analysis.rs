//! Analysis of the structure of expressions and systems.

mod combinations;
mod constraint_rows;
mod constraints;
mod courses;
mod degeneracy;
mod elimination;
mod facts;
mod flat_constraints;
mod identification;
mod idle_parameters;
mod integrability;
mod jumps;
mod lines;
mod on_constraints;
mod pieces;
mod quadratic;
mod regressors;
mod states;
mod symmetries;

pub use combinations::{Coefficient, Combination};
pub use constraints::{ConstraintDefect, constraint_defects};
pub use degeneracy::{Degeneracy, degeneracy};
pub(crate) use facts::Evidence;
pub use facts::Facts;
pub use flat_constraints::flat_constraints;
pub use identification::{Identification, identification};
pub use integrability::integrable_constraints;
pub use quadratic::{is_quadratic, velocity_degree};
pub use regressors::{Entry, RegressorDefect, parameters_beside_multipliers, regressor_defects};
pub(crate) use symmetries::is_conserved;
pub use symmetries::{SymmetryDefect, symmetry_defect};
