//! Systems with constraints, against solutions by hand, conservation laws and one another.

#[path = "constraints/conventions.rs"]
mod conventions;
#[path = "constraints/generated.rs"]
mod generated;
#[path = "constraints/motion.rs"]
mod motion;
#[path = "constraints/redundant.rs"]
mod redundant;
#[path = "constraints/scalars.rs"]
mod scalars;
