//! `trim`: equilibria, hovering, steady turns; the nearest of many states, targets that cannot be met, and
//! starts where derivatives vanish.

#[path = "trim/bicycle.rs"]
mod bicycle;
#[path = "trim/choices.rs"]
mod choices;
#[path = "trim/equilibria.rs"]
mod equilibria;
#[path = "trim/failures.rs"]
mod failures;
#[path = "trim/flight.rs"]
mod flight;
