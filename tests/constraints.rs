//! Systems with constraints, against solutions by hand, conservation laws and one another.

#[path = "constraints/conventions.rs"]
mod conventions;
#[path = "constraints/generated.rs"]
mod generated;
#[path = "constraints/motion.rs"]
mod motion;
#[path = "constraints/scalars.rs"]
mod scalars;
