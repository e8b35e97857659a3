//! Equations of motion at compile time.
//!
//! **Start here**: the [tutorial] leads from a pendulum to a controlled cart in half an hour. The [recipes] are short
//! programs for everyday tasks. The [language] is the reference for all declarations, and [errors] explains each
//! message of the compiler by its number. If you come from [SymPy](from_sympy), [CasADi](from_casadi), [Pinocchio or
//! URDF](from_pinocchio) or [MATLAB](from_matlab), these pages show the names of the same things and the differences in
//! sign.
//!
//! Describe a mechanical system by its energies, bodies, forces and constraints. [`lagrangian!`] derives its equations
//! of motion while your program compiles, and gives you a struct with typed methods that do not allocate: mass matrix,
//! forces, accelerations, constraint multipliers, projection onto the constraints, and conserved quantities.
//!
//! ```
//! use lagrangian::{lagrangian, vector};
//!
//! lagrangian! {
//!     /// A cart that carries an inverted pendulum.
//!     #[derive(Clone, Debug)]
//!     pub struct CartPole {
//!         /// Position of the cart along the track.
//!         x: coordinate,
//!         /// Angle of the pole from upright.
//!         theta: coordinate,
//!         m_c, m_p, l: parameter,
//!         g: parameter = 9.81,
//!         /// Horizontal force on the cart.
//!         u: input,
//!     }
//!
//!     pub let bob = [x + l * sin(theta), l * cos(theta)];
//!
//!     T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
//!     V = m_p * g * bob.y;
//!     Q.x = u;
//! }
//!
//! # fn main() -> Result<(), lagrangian::Error> {
//! let system = CartPole { m_c: 1.0, m_p: 0.1, l: 0.5, g: 9.81 };
//!
//! // Upright, at rest, pushed with 2 N.
//! let (q, v, u) = (vector![0.0, 0.0], vector![0.0, 0.0], vector![2.0]);
//! let a = system.acceleration(&q, &v, &u)?;
//! assert!((a - vector![2.0, -4.0]).norm() < 1e-12);
//!
//! // The names of the coordinates, and facts that follow from the structure of the system.
//! assert_eq!(CartPole::COORDINATES, ["x", "theta"]);
//! assert_eq!(CartPole::CYCLIC, [true, false]);
//! # Ok(())
//! # }
//! ```
//!
//! # Conventions
//!
//! With the coordinates q, velocities `v = dq/dt`, the Lagrangian `L = T - V` and the momenta
//! `p = dL/dv`:
//!
//! - The mass matrix is `M = dp/dv`, and the equations of motion are **`M a = f + Jᵀ λ`** with
//!   `J a = γ`.
//! - The forcing is `f = dL/dq - (dp/dq) v - dp/dt + Q = Q - h`, with all generalized forces in Q and
//!   the bias h.
//! - `Jᵀ λ` is the force that the constraints exert.
//!
//! # Generated items
//!
//! For `struct Name` the macro generates a type `Name<S = f64>` with the parameters as public fields, and
//! `Name::new(..)`, which takes the parameters without a default. Its methods work for `f32`, `f64`, SIMD lanes and
//! dual numbers. They take q, v and u by reference, and only the arguments that the system has. Methods that can fail
//! return [`Error`]; [`Motion`] is a result of more than one part. The trait [`System`] has the same methods with
//! uniform arguments for generic code, [`Stateful`] those of a system with states. [`Baumgarte`] is a system that stabilises
//! the constraints of another one, [`rk4_step`] moves any system in time, [`rk4_step_derivatives`] returns the derivatives
//! of this step too, [`rk4_step_unchecked`] moves several at once in SIMD lanes, [`trim`](fn@trim)
//! finds the state of a given acceleration, and [`lqr`](fn@lqr) the feedback that holds it.
//!
//! Generated code does not allocate, panic, lock or print, whatever numbers it gets.
//!
//! | generated | section of the reference |
//! | --- | --- |
//! | `mass_matrix`, `forcing`, `bias`, `momenta`, `generalized_forces`, `inverse_dynamics`, `energy`, `coriolis_matrix` | [methods](generated_items#methods) |
//! | `acceleration`, `solve`, `state_derivative`, `rhs` | [methods](generated_items#methods), [errors at run time](numerics#errors-at-run-time) |
//! | `constraint_residual`, `constraint_jacobian`, `constraint_gamma`, `constraint_forces` | [constraints](language#8-constraints) |
//! | `gaps`, `solve_active`, `impact`, `delassus`, `linearize_active`, `impact_derivatives` of systems with a `contact`, and the trait [`Contacts`] | [contacts](language#contacts) |
//! | `project` | [drift](numerics#drift) |
//! | `integrate`, `difference`, `neutral`, `coordinate_rates` | [rotations](language#rotations) |
//! | `linearize`, `acceleration_derivatives`, `inverse_dynamics_derivatives`, `vjp` | [derivatives](generated_items#derivatives) |
//! | `midpoint_terms`, `midpoint_vjp`, `constraint_bounds`, for [`midpoint_step`] | [a variational step](generated_items#a-variational-step) |
//! | `velocity`, `hamiltonian`, `hamilton_equations` | [Hamilton's equations](language#hamiltons-equations) |
//! | `bob`, `bob_jacobian`, `bob_rate`, `bob_bias` of a `pub let bob` | [outputs](generated_items#outputs) |
//! | `hand`, `hand_velocity`, `hand_jacobian`, `hand_bias` of a `pub frame hand` | [frames](generated_items#frames-that-are-outputs) |
//! | a method of each `bundle`, `regressor` and `symmetry` | [bundles](generated_items#bundles), [regressors](generated_items#regressors), [symmetries](generated_items#symmetries) |
//! | `COORDINATES`, `CYCLIC`, `EQUATIONS`, `CONSERVES_ENERGY` | [constants](generated_items#constants) |
//!
//! # Features
//!
//! - `std` (default): elementary functions from the standard library.
//! - `libm`: elementary functions from the `libm` crate, for targets without the standard library; use
//!   it with `default-features = false`.
//! - `inline-trig` (default): sine and cosine of floats are computed inline on targets with fused multiply-add
//!   (`-C target-cpu=native` or `-C target-feature=+fma` on x86-64, and AArch64) if `std` is enabled. Small systems
//!   take a third to three fifths less time with it. The last bits differ from those of other targets. With
//!   `default-features = false, features = ["std"]` all targets use the library's functions.

#![no_std]
#![forbid(unsafe_code)]

pub use lagrange_macros::lagrangian;
pub use lagrange_runtime::{
    ActiveMotion, Advance, Baumgarte, Cast, ContactStep, Contacts, Derivatives, Equations, Error,
    Event, Free, FrictionTerms, Frictional, Gradient, Impact, Joint, Linearization, Lqr,
    MidpointTerms, Mode, MomentumDerivatives, Motion, Pose, ReducedLinearization, RedundantMotion,
    Resolved, Run, Stateful, Step, StepDerivatives, StepSensitivities, System, Unchecked,
    contact_step, dlqr, index_of, lqr, matrix, midpoint_step, midpoint_step_derivatives, nalgebra,
    quaternion, quaternion_entries, rk4_step, rk4_step_derivatives, rk4_step_unchecked,
    rk4_step_with_states, trim, vector,
};

/// All paths that generated code uses. Not part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use ::core;
    pub use lagrange_runtime::nalgebra::{RealField, SMatrix, SVector, SimdRealField};
    pub use lagrange_runtime::{
        ActiveMotion, Cast, Contacts, Derivatives, Equations, Error, FrictionTerms, Frictional,
        Gradient, Impact, Joint, Linearization, MidpointTerms, Mode, Motion, Pose,
        ReducedLinearization, RedundantMotion, Resolved, Stateful, System, Unchecked, contacts,
        linalg, math, nalgebra, project, rotation,
    };
}

#[cfg(any(doc, doctest))]
mod pages;
#[cfg(any(doc, doctest))]
pub use pages::*;
