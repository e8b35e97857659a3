//! Forces of contacts with friction, and of joints with dry friction: the laws, and the search for the modes.

mod arcs;
mod cones;
mod elimination;
mod impulses;
mod pivoting;
mod problem;
mod rows;
mod search;

pub(super) use impulses::{Found, Setting, solve_laws, solve_modes};
pub(super) use problem::{Contact, Joint, Law, Modes, PerRow};
pub(crate) use rows::Rows;
