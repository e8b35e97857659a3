//! Systems whose contacts are solved.

mod model;
mod resolve;
mod step;
mod woodpecker;
