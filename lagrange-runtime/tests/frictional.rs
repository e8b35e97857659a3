//! Systems whose contacts are solved.

mod model;
mod resolve;
mod space;
mod step;
mod woodpecker;
