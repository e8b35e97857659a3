//! The generated methods: one table of arguments, values and words, for the real thing and for the
//! stub after errors alike.

use lagrange_engine::Quantity;

use super::signature::{Argument, Layout, Size, Value};
pub(crate) use crate::generated::Method;

/// One row of the table.
pub(crate) struct Row {
    pub(crate) method: Method,
    /// All arguments that it may have, in order; a system leaves out what it does not know.
    arguments: &'static [Argument],
    pub(crate) value: Value,
    pub(crate) fallible: bool,
    exists: Exists,
    /// Whether it takes no time even where that is declared.
    timeless: bool,
    /// What it evaluates; `None` for methods that are put together from others.
    pub(crate) quantity: Option<Quantity>,
    /// What the value is called in formulas.
    pub(crate) symbol: &'static str,
    /// The first sentence of its documentation.
    pub(crate) summary: &'static str,
}

/// Which systems have a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Exists {
    Always,
    /// Kinetic and potential energy are given apart.
    Natural,
    Constrained,
}

use Argument::{A, D, InputArray, MassV, Q, Q0, Q1, RateArray, StateArray, T, U, V, Y};
use Exists::{Always, Constrained, Natural};
use Size::{Constraints, Coordinates, Full, Holonomic, N, State};

const _: () = assert!(METHODS.len() == Method::ALL.len());

pub(crate) static METHODS: [Row; 31] = [
    of(
        Quantity::CoordinateRates,
        Method::CoordinateRates,
        &[Q, V],
        Value::Vector(Coordinates),
        (
            "dq/dt",
            "The rates dq/dt = N(q) v of the coordinates: v, but for rotations.",
        ),
    ),
    timeless(plain(
        Method::Integrate,
        &[Q, D],
        Value::Vector(Coordinates),
        (
            "q",
            "The coordinates q moved by the displacement d: q + d, and R exp(d) for a rotation, with d in \
             the turned axes and the quaternion of unit length.",
        ),
    )),
    timeless(plain(
        Method::Difference,
        &[Q0, Q1],
        Value::Vector(N),
        (
            "d",
            "The displacement d for which `integrate(q0, d)` is q1: q1 - q0; of a rotation at most pi long.",
        ),
    )),
    timeless(plain(
        Method::Neutral,
        &[],
        Value::Vector(Coordinates),
        ("q", "The coordinates of zeros and of rotations by nothing."),
    )),
    of(
        Quantity::MassMatrix,
        Method::MassMatrix,
        &[Q, MassV],
        Value::Matrix(N, N),
        ("M", "The mass matrix M = dp/dv, symmetric."),
    ),
    of(
        Quantity::Forcing,
        Method::Forcing,
        &[Q, V, U],
        Value::Vector(N),
        (
            "f",
            "The forcing f = Q - h = dL/dq - (dp/dq) v - dp/dt + Q: \
             M a = f where no constraint acts.",
        ),
    ),
    of(
        Quantity::Momenta,
        Method::Momenta,
        &[Q, V],
        Value::Vector(N),
        ("p", "The generalized momenta p = dL/dv."),
    ),
    of(
        Quantity::Bias,
        Method::Bias,
        &[Q, V],
        Value::Vector(N),
        (
            "h",
            "The bias h = (dp/dq) v + dp/dt - dL/dq: M a + h = Q where no constraint acts.",
        ),
    ),
    of(
        Quantity::GeneralizedForces,
        Method::GeneralizedForces,
        &[Q, V, U],
        Value::Vector(N),
        (
            "Q",
            "The generalized forces Q: explicit ones, forces at points, torques and dissipation.",
        ),
    ),
    natural(of(
        Quantity::KineticEnergy,
        Method::KineticEnergy,
        &[Q, V],
        Value::Scalar,
        ("T", "The kinetic energy T."),
    )),
    natural(of(
        Quantity::PotentialEnergy,
        Method::PotentialEnergy,
        &[Q],
        Value::Scalar,
        ("V", "The potential energy V."),
    )),
    natural(of(
        Quantity::CoriolisMatrix,
        Method::CoriolisMatrix,
        &[Q, V],
        Value::Matrix(N, N),
        (
            "C",
            "The Coriolis matrix C of Christoffel symbols, \
                 C_ij = 1/2 sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k: (dM/dq) v - 2 C is skew.",
        ),
    )),
    natural(of(
        Quantity::PotentialGradient,
        Method::PotentialGradient,
        &[Q],
        Value::Vector(N),
        ("dV/dq", "The gradient dV/dq of the potential energy."),
    )),
    of(
        Quantity::Lagrangian,
        Method::Lagrangian,
        &[Q, V],
        Value::Scalar,
        ("L", "The Lagrangian L."),
    ),
    of(
        Quantity::Energy,
        Method::Energy,
        &[Q, V],
        Value::Scalar,
        (
            "E",
            "The energy T + V; of a system that is given by L, the Jacobi integral p.v - L.",
        ),
    ),
    of(
        Quantity::JacobiIntegral,
        Method::JacobiIntegral,
        &[Q, V],
        Value::Scalar,
        ("J", "The Jacobi integral p.v - L."),
    ),
    of(
        Quantity::InverseDynamics,
        Method::InverseDynamics,
        &[Q, V, A],
        Value::Vector(N),
        (
            "tau",
            "The generalized forces tau = M a + h that the acceleration a asks for.",
        ),
    ),
    fallible(
        Method::Acceleration,
        &[Q, V, U],
        Value::Vector(N),
        (
            "a",
            "The acceleration a = dv/dt, from M a = f + J^T lambda, J a = gamma.",
        ),
    ),
    plain(
        Method::AccelerationUnchecked,
        &[Q, V, U],
        Value::Vector(N),
        (
            "a",
            "The acceleration a = dv/dt without any check, so that it serves SIMD lanes: not finite where \
             it is not determined, inaccurate nearby.",
        ),
    ),
    fallible(
        Method::Solve,
        &[Q, V, U],
        Value::Motion,
        (
            "(a, lambda)",
            "The acceleration a and the constraint multipliers lambda: \
             M a = f + J^T lambda, J a = gamma.",
        ),
    ),
    fallible(
        Method::StateDerivative,
        &[Y, U],
        Value::Vector(State),
        (
            "dy/dt",
            "The derivative [dq/dt; a] of the state y = [q; v] by time.",
        ),
    ),
    plain(
        Method::StateDerivativeUnchecked,
        &[Y, U],
        Value::Vector(State),
        (
            "dy/dt",
            "The derivative [dq/dt; a] of the state y = [q; v] by time, \
             without any check, so that it serves SIMD lanes.",
        ),
    ),
    fallible(
        Method::Rhs,
        &[StateArray, InputArray, RateArray],
        Value::Nothing,
        (
            "dy",
            "Writes the derivative [dq/dt; a] of the state y = [q; v] to `dy`: the form that integrators on \
             arrays take. On an error `dy` is left as it was.",
        ),
    ),
    plain(
        Method::MassMatrixFull,
        &[Q, MassV],
        Value::Matrix(Full, Full),
        (
            "A",
            "The matrix A = [I 0 0; 0 M -J^T; 0 J 0] of the first-order form A [dq/dt; a; lambda] = b.",
        ),
    ),
    plain(
        Method::ForcingFull,
        &[Q, V, U],
        Value::Vector(Full),
        (
            "b",
            "The right-hand side b = [dq/dt; f; gamma] of the first-order form A [dq/dt; a; lambda] = b.",
        ),
    ),
    constrained(of(
        Quantity::ConstraintResidual,
        Method::ConstraintResidual,
        &[Q],
        Value::Vector(Holonomic),
        (
            "r",
            "The residuals, left side less right side, of the holonomic constraints.",
        ),
    )),
    constrained(of(
        Quantity::ConstraintVelocity,
        Method::ConstraintVelocity,
        &[Q, V],
        Value::Vector(Constraints),
        (
            "dr/dt",
            "The constraints at velocity level: \
             J v + dr/dt of holonomic ones, the residual of the others.",
        ),
    )),
    constrained(of(
        Quantity::ConstraintJacobian,
        Method::ConstraintJacobian,
        &[Q],
        Value::Matrix(Constraints, N),
        (
            "J",
            "The constraint Jacobian J: \
             dr/dq of holonomic constraints, dr/dv of the others.",
        ),
    )),
    constrained(of(
        Quantity::ConstraintGamma,
        Method::ConstraintGamma,
        &[Q, V],
        Value::Vector(Constraints),
        (
            "gamma",
            "The right-hand side gamma of the constraints at acceleration level, J a = gamma.",
        ),
    )),
    constrained(fallible(
        Method::ConstraintForces,
        &[Q, V, U],
        Value::Vector(N),
        (
            "J^T lambda",
            "The forces J^T lambda that the constraints exert on the coordinates.",
        ),
    )),
    constrained(fallible(
        Method::Project,
        &[Q, V],
        Value::Pair(Coordinates, N),
        (
            "(q, v)",
            "The state on the constraints next to this one in the metric of M.",
        ),
    )),
];

const fn plain(
    method: Method,
    arguments: &'static [Argument],
    value: Value,
    (symbol, summary): (&'static str, &'static str),
) -> Row {
    Row {
        method,
        arguments,
        value,
        fallible: false,
        exists: Always,
        timeless: false,
        quantity: None,
        symbol,
        summary,
    }
}

/// A row that evaluates a quantity.
const fn of(
    quantity: Quantity,
    method: Method,
    arguments: &'static [Argument],
    value: Value,
    texts: (&'static str, &'static str),
) -> Row {
    Row {
        quantity: Some(quantity),
        ..plain(method, arguments, value, texts)
    }
}

const fn timeless(row: Row) -> Row {
    Row {
        timeless: true,
        ..row
    }
}

const fn natural(row: Row) -> Row {
    Row {
        exists: Natural,
        ..row
    }
}

const fn constrained(row: Row) -> Row {
    Row {
        exists: Constrained,
        ..row
    }
}

const fn fallible(
    method: Method,
    arguments: &'static [Argument],
    value: Value,
    texts: (&'static str, &'static str),
) -> Row {
    Row {
        fallible: true,
        ..plain(method, arguments, value, texts)
    }
}

impl Row {
    pub(crate) fn name(&self) -> &'static str {
        self.method.name()
    }

    /// The arguments in a system of this layout.
    pub(crate) fn arguments(&self, layout: &Layout) -> Vec<Argument> {
        if self.timeless {
            return self.arguments.to_vec();
        }
        let mut arguments = layout.arguments(self.arguments);
        // Integrators on arrays hand the time to every right-hand side.
        if self.method == Method::Rhs && !layout.time {
            arguments.insert(0, T);
        }
        arguments
    }

    /// All arguments that it may have, in order.
    pub(crate) fn all_arguments(&self) -> &'static [Argument] {
        self.arguments
    }

    /// What there is to say beyond the summary.
    pub(crate) fn notes(&self, is_constrained: bool) -> &'static [&'static str] {
        match self.method {
            Method::AccelerationUnchecked if is_constrained => &[
                "It may also fail to be finite where M is singular at some states only and the \
                 constraints determine what M does not; `acceleration` solves these, too.",
            ],
            Method::Solve if is_constrained => {
                &["J^T lambda is the force that the constraints exert on the coordinates."]
            }
            Method::ConstraintResidual => &[
                "Their rows come first in `CONSTRAINTS`; the others have no residual without velocities.",
            ],
            Method::ConstraintVelocity | Method::ConstraintJacobian | Method::ConstraintGamma => {
                &["The rows are in the order of `CONSTRAINTS`."]
            }
            Method::Project => &[
                "First q by Newton's method in the metric of M at the start, until the residuals of \
                 the holonomic constraints are a few eps of the size of their terms; then v by the \
                 smallest change in the mass metric that meets J v = -dr/dt. A state that meets the \
                 constraints so comes back as it is, if it can be solved.",
            ],
            _ => &[],
        }
    }

    /// Whether a system of this layout has the method.
    pub(crate) fn exists(&self, layout: &Layout) -> bool {
        match self.exists {
            Always => true,
            Natural => !layout.by_lagrangian,
            Constrained => layout.constraints > 0,
        }
    }
}
