//! The error type of all generated methods.

use core::fmt;

/// The reason why a generated method has no result.
///
/// A failed call changes nothing: no output is written, and the system holds no state.
///
/// # Examples
///
/// ```
/// use lagrange_runtime::Error;
///
/// fn advice(error: Error) -> &'static str {
///     match error {
///         Error::SingularMassMatrix => "give every coordinate some inertia",
///         Error::DependentConstraints { .. } => "remove the redundant constraint",
///         Error::NotConverged { .. } => "start nearer to the constraints",
///         Error::NotFinite { argument: "q" | "v" | "y" } => "look for NaN in the state",
///         Error::NotFinite { .. } => "look for NaN in what is given beside the state",
///         Error::NoContactSolution => "let the contacts strike",
///     }
/// }
/// assert_eq!(advice(Error::NotFinite { argument: "q" }), "look for NaN in the state");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Error {
    /// The mass matrix M is singular at this state, to working precision: some combination of the
    /// coordinates has no inertia, so that its acceleration is not determined.
    ///
    /// Typical causes are a mass or inertia of zero, a state where the coordinates themselves are
    /// singular (Euler angles in gimbal lock), and, for systems with constraints, a direction that has
    /// neither inertia nor a constraint.
    SingularMassMatrix,
    /// A constraint adds nothing to those above it at this state, to working precision, so that the
    /// multipliers are not determined.
    DependentConstraints {
        /// The first such constraint, as a 0-based index into `CONSTRAINTS`.
        row: usize,
    },
    /// The iteration onto the constraints, or that of [`trim`](crate::trim()) to its target, stopped away from them; or
    /// [`lqr`](crate::lqr()) found no stabilising solution of its equation, or a [`Run`](crate::Run) does not reach its end.
    NotConverged {
        /// The largest absolute value of the remaining differences: constraint residuals, for `trim` differences of
        /// accelerations, for `lqr` the left side of its equation; for a run the time that is left.
        residual: f64,
    },
    /// An argument, a parameter or the result is NaN or infinite.
    NotFinite {
        /// The first of the method's arguments with such an entry (`"t"`, `"q"`, `"v"`, .., `"h"`), else the first
        /// such parameter (`"self.m"`, an element `"self.c[1]"`), else `"result"`. The state of `rhs` and
        /// `state_derivative` is `"y"`, the weights of `vjp` are `"w"`.
        argument: &'static str,
    },
    /// No forces of the contacts agree with their laws: the state is one of Painlevé's paradox.
    NoContactSolution,
}

impl Error {
    /// A value that is computed from finite numbers is NaN or infinite.
    #[doc(hidden)]
    pub const NOT_FINITE: Self = Self::NotFinite { argument: "result" };

    /// The error of a method of q and v, for one that has both as its argument y.
    #[doc(hidden)]
    #[must_use]
    pub fn of_state(self) -> Self {
        match self {
            Self::NotFinite {
                argument: "q" | "v",
            } => Self::NotFinite { argument: "y" },
            other => other,
        }
    }

    /// The error of a method whose arguments were computed from finite ones: only a parameter can be the cause.
    #[inline]
    pub(crate) fn of_computed(self) -> Self {
        match self {
            Self::NotFinite { argument } if !argument.starts_with("self.") => Self::NOT_FINITE,
            other => other,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SingularMassMatrix => f.write_str(
                "the mass matrix is singular at this state: check for masses and inertias of zero \
                 and for a singular configuration of the coordinates",
            ),
            Self::DependentConstraints { row } => write!(
                f,
                "constraint {row} adds nothing to the constraints above it at this state: remove it, \
                 or avoid this configuration"
            ),
            Self::NotConverged { residual } => write!(
                f,
                "the constraints, the target or the Riccati equation could not be met, a residual of \
                 {residual:e} remains: start from a state nearer to them, or check that they can be met at all"
            ),
            Self::NoContactSolution => f.write_str(
                "no forces of the contacts agree with their friction at this state (Painlevé's paradox): the motion goes \
                 on with an impact",
            ),
            Self::NotFinite { argument: "result" } => f.write_str(
                "the result is NaN or infinite, of arguments and parameters that are finite: check whether they \
                 are huge, and whether the motion has diverged",
            ),
            Self::NotFinite { argument } => write!(
                f,
                "`{argument}` is NaN or infinite: check where it comes from, and whether the motion has diverged"
            ),
        }
    }
}

impl core::error::Error for Error {}
