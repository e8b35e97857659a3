//! Systems with a `rotation`: an orientation by a unit quaternion, moved by the angular velocity of its
//! axes, against hand formulas, closed forms and conservation laws.

#[path = "rotations/arrays.rs"]
mod arrays;
#[path = "rotations/contact.rs"]
mod contact;
#[path = "rotations/drone.rs"]
mod drone;
#[path = "rotations/fixed_axes.rs"]
mod fixed_axes;
#[path = "rotations/free_body.rs"]
mod free_body;
#[path = "rotations/joints.rs"]
mod joints;
#[path = "rotations/quadruped.rs"]
mod quadruped;
#[path = "rotations/rolling.rs"]
mod rolling;
#[path = "rotations/scalars.rs"]
mod scalars;
#[path = "rotations/support.rs"]
mod support;
