//! The generated methods: one table of names, arguments and values, for the real thing and for the
//! stub after errors alike.

use super::signature::{Argument, Layout, Size, Value};

/// A method that every system, or every system of some kind, has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Method {
    MassMatrix,
    Forcing,
    Momenta,
    Bias,
    GeneralizedForces,
    KineticEnergy,
    PotentialEnergy,
    CoriolisMatrix,
    PotentialGradient,
    Lagrangian,
    Energy,
    JacobiIntegral,
    InverseDynamics,
    Acceleration,
    AccelerationUnchecked,
    Solve,
    StateDerivative,
    StateDerivativeUnchecked,
    Rhs,
    MassMatrixFull,
    ForcingFull,
    Linearize,
    ConstraintResidual,
    ConstraintVelocity,
    ConstraintJacobian,
    ConstraintGamma,
    ConstraintForces,
    Project,
    Velocity,
    Hamiltonian,
    HamiltonEquations,
}

/// One row of the table.
pub(crate) struct Row {
    pub(crate) method: Method,
    pub(crate) name: &'static str,
    /// All arguments that it may have, in order; a system leaves out what it does not know.
    arguments: &'static [Argument],
    pub(crate) value: Value,
    pub(crate) fallible: bool,
    exists: Exists,
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
    /// The Lagrangian is quadratic in the velocities.
    Quadratic,
}

use Argument::{A, InputArray, MassV, P, Q, RateArray, StateArray, T, U, V, Y};
use Exists::{Always, Constrained, Natural, Quadratic};
use Size::{Constraints, Full, Holonomic, N, TwoN};

pub(crate) const METHODS: [Row; 31] = [
    plain(
        Method::MassMatrix,
        "mass_matrix",
        &[Q, MassV],
        Value::Matrix(N, N),
        ("M", "The mass matrix M = dp/dv, symmetric."),
    ),
    plain(
        Method::Forcing,
        "forcing",
        &[Q, V, U],
        Value::Vector(N),
        (
            "f",
            "The forcing f = Q - h = dL/dq - (dp/dq) v - dp/dt + Q: M a = f where no constraint acts.",
        ),
    ),
    plain(
        Method::Momenta,
        "momenta",
        &[Q, V],
        Value::Vector(N),
        ("p", "The generalized momenta p = dL/dv."),
    ),
    plain(
        Method::Bias,
        "bias",
        &[Q, V],
        Value::Vector(N),
        (
            "h",
            "The bias h = (dp/dq) v + dp/dt - dL/dq: M a + h = Q where no constraint acts.",
        ),
    ),
    plain(
        Method::GeneralizedForces,
        "generalized_forces",
        &[Q, V, U],
        Value::Vector(N),
        (
            "Q",
            "The generalized forces Q: explicit ones, forces at points, torques and dissipation.",
        ),
    ),
    Row {
        exists: Natural,
        ..plain(
            Method::KineticEnergy,
            "kinetic_energy",
            &[Q, V],
            Value::Scalar,
            ("T", "The kinetic energy T."),
        )
    },
    Row {
        exists: Natural,
        ..plain(
            Method::PotentialEnergy,
            "potential_energy",
            &[Q],
            Value::Scalar,
            ("V", "The potential energy V."),
        )
    },
    Row {
        exists: Natural,
        ..plain(
            Method::CoriolisMatrix,
            "coriolis_matrix",
            &[Q, V],
            Value::Matrix(N, N),
            (
                "C",
                "The Coriolis matrix C of Christoffel symbols, \
                 C_ij = 1/2 sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k: (dM/dq) v - 2 C is skew.",
            ),
        )
    },
    Row {
        exists: Natural,
        ..plain(
            Method::PotentialGradient,
            "potential_gradient",
            &[Q],
            Value::Vector(N),
            ("dV/dq", "The gradient dV/dq of the potential energy."),
        )
    },
    plain(
        Method::Lagrangian,
        "lagrangian",
        &[Q, V],
        Value::Scalar,
        ("L", "The Lagrangian L."),
    ),
    plain(
        Method::Energy,
        "energy",
        &[Q, V],
        Value::Scalar,
        (
            "E",
            "The energy T + V; of a system that is given by L, the Jacobi integral p.v - L.",
        ),
    ),
    plain(
        Method::JacobiIntegral,
        "jacobi_integral",
        &[Q, V],
        Value::Scalar,
        ("J", "The Jacobi integral p.v - L."),
    ),
    plain(
        Method::InverseDynamics,
        "inverse_dynamics",
        &[Q, V, A],
        Value::Vector(N),
        (
            "tau",
            "The generalized forces tau = M a + h that the acceleration a asks for.",
        ),
    ),
    fallible(
        Method::Acceleration,
        "acceleration",
        &[Q, V, U],
        Value::Vector(N),
        (
            "a",
            "The acceleration a = dv/dt, from M a = f + J^T lambda, J a = gamma.",
        ),
    ),
    plain(
        Method::AccelerationUnchecked,
        "acceleration_unchecked",
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
        "solve",
        &[Q, V, U],
        Value::Motion,
        (
            "(a, lambda)",
            "The acceleration a and the constraint multipliers lambda: M a = f + J^T lambda, J a = gamma.",
        ),
    ),
    fallible(
        Method::StateDerivative,
        "state_derivative",
        &[Y, U],
        Value::Vector(TwoN),
        (
            "dy/dt",
            "The derivative [v; a] of the state y = [q; v] by time.",
        ),
    ),
    plain(
        Method::StateDerivativeUnchecked,
        "state_derivative_unchecked",
        &[Y, U],
        Value::Vector(TwoN),
        (
            "dy/dt",
            "The derivative [v; a] of the state y = [q; v] by time, without any check, so that it serves SIMD lanes.",
        ),
    ),
    fallible(
        Method::Rhs,
        "rhs",
        &[StateArray, InputArray, RateArray],
        Value::Nothing,
        (
            "dy",
            "Writes the derivative [v; a] of the state y = [q; v] to `dy`: the form that integrators on \
             arrays take. On an error `dy` is left as it was.",
        ),
    ),
    plain(
        Method::MassMatrixFull,
        "mass_matrix_full",
        &[Q, MassV],
        Value::Matrix(Full, Full),
        (
            "A",
            "The matrix A = [I 0 0; 0 M -J^T; 0 J 0] of the first-order form A [v; a; lambda] = b.",
        ),
    ),
    plain(
        Method::ForcingFull,
        "forcing_full",
        &[Q, V, U],
        Value::Vector(Full),
        (
            "b",
            "The right-hand side b = [v; f; gamma] of the first-order form A [v; a; lambda] = b.",
        ),
    ),
    fallible(
        Method::Linearize,
        "linearize",
        &[Q, V, U],
        Value::Linearization,
        (
            "(A, B)",
            "The exact derivatives A and B of the state's derivative [v; a] by the state y = [q; v] and by the inputs u.",
        ),
    ),
    Row {
        exists: Constrained,
        ..plain(
            Method::ConstraintResidual,
            "constraint_residual",
            &[Q],
            Value::Vector(Holonomic),
            (
                "r",
                "The residuals, left side less right side, of the holonomic constraints.",
            ),
        )
    },
    Row {
        exists: Constrained,
        ..plain(
            Method::ConstraintVelocity,
            "constraint_velocity",
            &[Q, V],
            Value::Vector(Constraints),
            (
                "dr/dt",
                "The constraints at velocity level: J v + dr/dt of holonomic ones, the residual of the others.",
            ),
        )
    },
    Row {
        exists: Constrained,
        ..plain(
            Method::ConstraintJacobian,
            "constraint_jacobian",
            &[Q],
            Value::Matrix(Constraints, N),
            (
                "J",
                "The constraint Jacobian J: dr/dq of holonomic constraints, dr/dv of the others.",
            ),
        )
    },
    Row {
        exists: Constrained,
        ..plain(
            Method::ConstraintGamma,
            "constraint_gamma",
            &[Q, V],
            Value::Vector(Constraints),
            (
                "gamma",
                "The right-hand side gamma of the constraints at acceleration level, J a = gamma.",
            ),
        )
    },
    Row {
        exists: Constrained,
        ..fallible(
            Method::ConstraintForces,
            "constraint_forces",
            &[Q, V, U],
            Value::Vector(N),
            (
                "J^T lambda",
                "The forces J^T lambda that the constraints exert on the coordinates.",
            ),
        )
    },
    Row {
        exists: Constrained,
        ..fallible(
            Method::Project,
            "project",
            &[Q, V],
            Value::Pair(N, N),
            (
                "(q, v)",
                "The state on the constraints next to this one in the metric of M.",
            ),
        )
    },
    Row {
        exists: Quadratic,
        ..fallible(
            Method::Velocity,
            "velocity",
            &[Q, P],
            Value::Vector(N),
            ("v", "The velocities v that belong to the momenta p."),
        )
    },
    Row {
        exists: Quadratic,
        ..fallible(
            Method::Hamiltonian,
            "hamiltonian",
            &[Q, P],
            Value::Scalar,
            ("H", "The Hamiltonian H(q, p) = p.v - L."),
        )
    },
    Row {
        exists: Quadratic,
        ..fallible(
            Method::HamiltonEquations,
            "hamilton_equations",
            &[Q, P, U],
            Value::Pair(N, N),
            (
                "(dq/dt, dp/dt)",
                "Hamilton's equations: dq/dt = dH/dp and dp/dt = -dH/dq + Q + J^T lambda.",
            ),
        )
    },
];

const fn plain(
    method: Method,
    name: &'static str,
    arguments: &'static [Argument],
    value: Value,
    (symbol, summary): (&'static str, &'static str),
) -> Row {
    Row {
        method,
        name,
        arguments,
        value,
        fallible: false,
        exists: Always,
        symbol,
        summary,
    }
}

const fn fallible(
    method: Method,
    name: &'static str,
    arguments: &'static [Argument],
    value: Value,
    texts: (&'static str, &'static str),
) -> Row {
    Row {
        fallible: true,
        ..plain(method, name, arguments, value, texts)
    }
}

impl Row {
    /// The arguments in a system of this layout.
    pub(crate) fn arguments(&self, layout: &Layout) -> Vec<Argument> {
        let mut arguments = layout.arguments(self.arguments);
        // Integrators on arrays hand the time to every right-hand side.
        if self.method == Method::Rhs && !layout.time {
            arguments.insert(0, T);
        }
        arguments
    }

    /// Whether a system of this layout has the method. That L is quadratic is not for the layout to
    /// say.
    pub(crate) fn exists(&self, layout: &Layout) -> bool {
        match self.exists {
            Always | Quadratic => true,
            Natural => !layout.by_lagrangian,
            Constrained => layout.constraints > 0,
        }
    }
}
