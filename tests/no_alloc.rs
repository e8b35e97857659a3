//! Generated methods never allocate: neither on success nor on failure, neither where the solution is
//! unrolled nor where it is a loop, neither by the quick solve nor by the careful one.

#[path = "shared/arm.rs"]
mod arm;
#[path = "shared/chain.rs"]
mod chain;
#[path = "no_alloc/constrained.rs"]
mod constrained;
#[path = "no_alloc/counting.rs"]
mod counting;
#[path = "shared/long_chain.rs"]
mod long_chain;
#[path = "shared/methods.rs"]
mod methods;
#[path = "no_alloc/stateful.rs"]
mod stateful;
#[path = "no_alloc/unconstrained.rs"]
mod unconstrained;
