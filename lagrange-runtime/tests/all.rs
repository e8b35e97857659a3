//! All tests of the runtime but those of elementary functions, which are also run for other targets.

mod accuracy;
mod columns;
mod constrained;
mod frictional;
mod kkt;
mod kkt_reference;
mod linalg;
mod lqr;
mod pose;
mod project;
mod project_rounding;
mod project_stack;
mod redundant;
mod system;
mod trust;
