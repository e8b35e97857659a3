//! The symbolic engine of the `lagrangian` crate, as a plain library without dependencies.
//!
//! A [`System`] holds energies and forces as nodes of a hash-consed [`Graph`], and bodies in frames, a [`Multibody`].
//! [`Dynamics`] derives the terms of its equations of motion, each a [`Quantity`]. [`Dynamics::program`] turns any set
//! of them into straight-line code, a [`Schedule`], which [`Schedule::evaluate`] interprets and
//! [`Schedule::operations`] counts. Only requested quantities are derived, and nothing is ever expanded. Every pass is
//! a loop over the arena, so time and size grow with the number of nodes and not of paths.
//!
//! ```
//! use lagrange_engine::{
//!     Dynamics, Energy, Graph, Multibody, Names, Number, Quantity, Symbol, System, Unary, plain_names,
//! };
//!
//! // The pendulum: T = m l^2 v^2 / 2, V = -m g l cos(q).
//! let mut graph = Graph::new();
//! let [q, v, m, l, g] = [
//!     Symbol::Coordinate(0),
//!     Symbol::Velocity(0),
//!     Symbol::Parameter(0),
//!     Symbol::Parameter(1),
//!     Symbol::Parameter(2),
//! ]
//! .map(|symbol| graph.symbol(symbol));
//! let twice = graph.product(vec![(m, 1), (l, 2), (v, 2)]);
//! let kinetic = graph.scale(Number::HALF, twice);
//! let height = graph.unary(Unary::Cos, q);
//! let depth = graph.product(vec![(m, 1), (g, 1), (l, 1), (height, 1)]);
//! let potential = graph.neg(depth);
//! let zero = graph.integer(0);
//!
//! let dynamics = Dynamics::new(System {
//!     graph,
//!     names: Names {
//!         coordinates: vec!["q".into()],
//!         parameters: vec!["m".into(), "l".into(), "g".into()],
//!         ..Names::default()
//!     },
//!     energy: Energy::Natural { kinetic, potential },
//!     multibody: Multibody::default(),
//!     dissipation: zero,
//!     forces: vec![zero],
//!     constraints: vec![],
//!     contacts: vec![],
//!     dry_joints: vec![],
//!     outputs: vec![],
//!     regressors: vec![],
//!     sensitivities: vec![],
//!     state_rates: Vec::new(),
//!     multiplier_forces: vec![],
//!     symmetries: vec![],
//! });
//!
//! // M a = f
//! let program = dynamics.program(&[Quantity::MassMatrix, Quantity::Forcing]);
//! let text = |node| program.graph.text(node, &plain_names);
//! assert_eq!(text(program.expressions_of(0)[0]), "p0*p1^2");
//! assert_eq!(text(program.expressions_of(1)[0]), "-p0*p1*p2*sin(q0)");
//! let code = program.schedule;
//! let values = code.evaluate(&|symbol| match symbol {
//!     Symbol::Coordinate(_) => std::f64::consts::FRAC_PI_2,
//!     _ => 2.0,
//! });
//! assert_eq!(values, [8.0, -8.0]);
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod analysis;
mod backend;
mod codegen;
mod complex;
mod curve;
mod diff;
mod dynamics;
mod eval;
mod forms;
mod graph;
mod id;
mod kinematics;
mod linear;
mod multibody;
mod number;
mod op;
mod parse;
mod print;
mod probe;
mod quantity;
mod simplify;
mod system;
mod textbook;
mod triangle;

pub use analysis::{
    Coefficient, Combination, ConstraintDefect, Degeneracy, Entry, Facts, Identification,
    RegressorDefect, SymmetryDefect, constraint_defects, degeneracy, flat_constraints,
    identification, integrable_constraints, is_quadratic, parameters_beside_multipliers,
    regressor_defects, symmetry_defect, velocity_degree,
};
pub use backend::{c99, casadi, cuda, wgsl};
pub use codegen::{
    Argument, Array, Beyond, BundlePart, Compute, Condition, Constant, ContactCorrections,
    ContactForces, ContactLaw, ContactProblem, ContactSearch, Correction, Equation, Equations,
    Factorization, Failure, Floor, Input, Instruction, Kernel, LowerEntry, Operand, Operations,
    Pivots, Program, Requirement, Routine, RoutineError, RoutineResult, Routines, Schedule,
    SensitivityProgram, SolveProgram, SolveSchedule, SolvedColumns, SolvedInputs, Step, Sum, Tape,
    TestedEquations, View, Write, schedule, schedule_sensitivity, schedule_solve,
};
pub use complex::Complex;
pub use curve::{Curve, CurveKind, Piecewise, equally_spaced};
pub use dynamics::Dynamics;
pub use eval::Probe;
pub use graph::{Graph, Node};
pub use id::{Dependence, NodeId, Symbol};
pub use kinematics::{Kinematics, Rotation};
pub use multibody::{Body, FrameId, Frames, Joint, Multibody, MultibodyError, Recursion, Split};
pub use number::Number;
pub use op::{Binary, Comparison, Unary};
pub use parse::{ParseError, ParseErrorKind};
pub use print::{Line, mathml_name, plain_names};
pub use probe::{Answer, Dependent, Rank, is_identically_zero, is_singular, rank};
pub use quantity::{Quantity, Sizes};
pub use system::{
    Constraint, ConstraintKind, Contact, DryJoint, Energy, Names, Output, ParameterList, Shape,
    Symmetry, System,
};
pub use textbook::Textbook;
pub use triangle::{lower_of, lower_triangle, symmetric};
