//! Forces of contacts with friction, and of joints with dry friction: the laws, and the search for the modes.

mod arcs;
mod cones;
mod elimination;
mod impulses;
mod pivoting;
mod problem;
mod rows;
mod search;

pub(super) use impulses::{LawSolution, Setting, positive_part, solve_laws, solve_modes};
pub use problem::{Candidate, Contact, Joint, Law, Modes, Problem};
pub use rows::{Fixed, PerRow, Rows, Sizes, Square};
