//! Mechanical systems that are declared as text while a program runs: the language of
//! [`lagrangian!`](https://docs.rs/lagrangian) without a compiler of Rust.
//!
//! ```
//! use lagrangian_live::Model;
//!
//! let model = Model::read("
//!     /// A cart that carries an inverted pendulum.
//!     struct CartPole { x, theta: coordinate, m_c, m_p, l: parameter, g: parameter = 9.81, u: input }
//!     pub let bob = [x + l * sin(theta), l * cos(theta)];
//!     T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
//!     V = m_p * g * bob.y;
//!     Q.x = u;
//! ").unwrap();
//!
//! // The parameters in order: m_c, m_p, l, g.
//! let (parameters, q, v, u) = ([1.0, 0.2, 0.5, 9.81], [0.0, 0.3], [0.0, 0.7], [1.0]);
//! let mut a = [0.0; 2];
//! model.call("acceleration", &parameters, &[&q, &v, &u], &mut [&mut a])?;
//! assert!((a[1] - 4.93322148).abs() < 1e-8);
//! # Ok::<(), lagrangian_live::Error>(())
//! ```
//!
//! [`Model::read`] returns the macro's own messages, each with its place: see [`Diagnostic`]. The methods are those of the
//! generated struct, with the same arguments, by name. [`Model::call_batch`] evaluates many states at once. Values are
//! those of the methods in Rust up to rounding, at a few times the cost.
//!
//! The program `lagrangian` of this package checks declarations, writes their equations, exports them and simulates them.

#![forbid(unsafe_code)]

mod contacts;
mod diagnostic;
mod error;
#[doc(hidden)]
pub mod figure;
mod model;
#[doc(hidden)]
pub mod motion;
mod rust;
mod source;

/// The page of the package.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use diagnostic::Diagnostic;
pub use error::Error;
pub use lagrange_engine::{Argument, RoutineError, Shape};
pub use lagrange_lang::{Equations, Language, Method, Severity, Variable};
pub use model::Model;
pub use motion::{Motion, State, Steps};
pub use rust::declarations;
pub use source::{Source, SourceError};
