//! A page that shows a mechanical system: its motion, plots over time, equations, parameters and declaration, in one HTML
//! file that needs no network.
//!
//! Declare a system with [`lagrangian!`](https://docs.rs/lagrangian), simulate it, and show its `pub frame`s and
//! `pub let`s:
//!
//! ```
//! use lagrangian::{lagrangian, vector};
//! use lagrangian_page::{Ink, Page, Plot, Recording, Scene};
//!
//! lagrangian! {
//!     /// A bob on a light rod.
//!     #[derive(Clone, Debug)]
//!     pub struct Pendulum {
//!         /// Angle from hanging [rad].
//!         theta: coordinate,
//!         m, l: parameter,
//!         g: parameter = 9.81,
//!     }
//!
//!     pub let bob = [l * sin(theta), -l * cos(theta)];
//!     T = m * der(bob)^2 / 2;
//!     V = m * g * bob.y;
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = std::env::temp_dir();
//! let pendulum = Pendulum::new(0.5, 1.0);
//! let motion = Recording::run(&pendulum, (vector![2.0], vector![0.0]), 10.0, 1e-3)?;
//! let bob = || motion.map(|s| pendulum.bob(&s.q));
//! let page = Page::new("Pendulum")
//!     .times(motion.times())
//!     .scene(
//!         Scene::new("A bob swings on its rod")
//!             .rod("rod", Ink::Body, 0.015, bob().map(|bob| ([0.0, 0.0], bob)))
//!             .circle("bob", Ink::Orange, 0.06, bob()),
//!     )
//!     .plot(Plot::new("Angle", "rad").line("θ", Ink::Blue, motion.map(|s| s.q[0])))
//!     .model(include_str!("lib.rs"), Pendulum::EQUATIONS_MATHML, &pendulum);
//! println!("{}", page.write(folder.join("pendulum.html"))?); // an address, which terminals make a link
//! # Ok(())
//! # }
//! ```
//!
//! - [`Recording`] has the states of a motion: integrated by [`Recording::run`], or collected from your own integrator.
//! - [`Scene`] draws in the plane, [`Space`] in space, where the reader can turn the view. A shape takes one set of
//!   [`Points`] for each state, or a single one if it does not move: arrays, vectors, the rows of a matrix, and
//!   [`Pose`]s of frames. [`Space::axes`], [`Space::block_in`] and [`Space::cylinder_in`] draw parts that are fixed in
//!   a frame.
//! - [`Plot`] has one value for each state, or its own axis.
//! - [`Page::model`] shows the declaration from your source, with equations and parameters.
//! - [`Page::write`] writes the page; for a path that ends in `.svg` it writes the scene as a picture.
//!
//! All lengths are in metres and all times in seconds.
//!
//! [`Pose`]: lagrange_runtime::Pose

#![forbid(unsafe_code)]

mod json;
mod model;
mod page;
#[doc(hidden)]
pub mod parts;
mod picture;
mod plot;
mod points;
mod recording;
mod scene;
mod solid;

pub use page::Page;
pub use plot::Plot;
pub use points::{Point, Points, point};
pub use recording::{Recording, State};
pub use scene::{Drawing, Ink, Scene, Space};
