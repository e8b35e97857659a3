//! The table of generated methods, which the code, the stub after errors, the documentation and the bundles read.

use lagrange_engine::Quantity;

use super::row::{Assembly, Recipe, Row, fallible, row, timeless};
use super::signature::{Argument, Size, Value};
use crate::generated::Method;

use Argument::{
    A, Active, D, FullStates, FullU, FullV, InputArray, MassV, Motion, P, Q, Q0, Q1, RateArray,
    Restitution, StateArray, States, U, V, W, Y, Z,
};
use Recipe::{Evaluates, PutTogether, Steps};
use Size::{Constraints, Contacts, Coordinates, Full, Holonomic, Multipliers, N, State, Variables};

const _: () = assert!(METHODS.len() == Method::ALL.len());

pub(crate) static METHODS: [Row; 61] = [
    row(
        Evaluates(Quantity::CoordinateRates),
        Method::CoordinateRates,
        &[Q, V],
        Value::Vector(Coordinates),
        (
            "dq/dt",
            "The rates dq/dt = N(q) v of the coordinates: v, except for rotations.",
        ),
    ),
    timeless(row(
        Steps,
        Method::Integrate,
        &[Q, D],
        Value::Vector(Coordinates),
        (
            "q",
            "The coordinates q moved by the displacement d: q + d, and R exp(d) for a rotation, with d in the rotated axes and a quaternion of unit length.",
        ),
    )),
    timeless(row(
        Steps,
        Method::Difference,
        &[Q0, Q1],
        Value::Vector(N),
        (
            "d",
            "The displacement d for which `integrate(q0, d)` is q1: q1 - q0, and at most pi long for a rotation.",
        ),
    )),
    timeless(row(
        Steps,
        Method::Neutral,
        &[],
        Value::Vector(Coordinates),
        (
            "q",
            "The neutral configuration: zeros, and the identity for each rotation.",
        ),
    )),
    row(
        Evaluates(Quantity::MassMatrix),
        Method::MassMatrix,
        &[Q, MassV],
        Value::Matrix(N, N),
        ("M", "The mass matrix M = dp/dv, symmetric."),
    ),
    row(
        Evaluates(Quantity::Forcing),
        Method::Forcing,
        &[Q, V, States, U],
        Value::Vector(N),
        (
            "f",
            "The forcing f = Q - h = dL/dq - (dp/dq) v - dp/dt + Q: \
             M a = f where no constraint acts.",
        ),
    ),
    row(
        Evaluates(Quantity::Momenta),
        Method::Momenta,
        &[Q, V],
        Value::Vector(N),
        ("p", "The generalized momenta p = dL/dv."),
    ),
    row(
        Evaluates(Quantity::Bias),
        Method::Bias,
        &[Q, V, States],
        Value::Vector(N),
        (
            "h",
            "The bias h = (dp/dq) v + dp/dt - dL/dq: M a + h = Q where no constraint acts.",
        ),
    ),
    row(
        Evaluates(Quantity::GeneralizedForces),
        Method::GeneralizedForces,
        &[Q, V, States, U],
        Value::Vector(N),
        (
            "Q",
            "The generalized forces Q: explicit ones, forces at points, torques and dissipation.",
        ),
    ),
    row(
        Evaluates(Quantity::KineticEnergy),
        Method::KineticEnergy,
        &[Q, V],
        Value::Scalar,
        ("T", "The kinetic energy T."),
    ),
    row(
        Evaluates(Quantity::PotentialEnergy),
        Method::PotentialEnergy,
        &[Q, States],
        Value::Scalar,
        ("V", "The potential energy V."),
    ),
    row(
        Evaluates(Quantity::CoriolisMatrix),
        Method::CoriolisMatrix,
        &[Q, V],
        Value::Matrix(N, N),
        (
            "C",
            "The Coriolis matrix C of Christoffel symbols, \
                 C_ij = 1/2 sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k: (dM/dq) v - 2 C is skew.",
        ),
    ),
    row(
        Evaluates(Quantity::PotentialGradient),
        Method::PotentialGradient,
        &[Q, States],
        Value::Vector(N),
        ("dV/dq", "The gradient dV/dq of the potential energy."),
    ),
    row(
        Evaluates(Quantity::Lagrangian),
        Method::Lagrangian,
        &[Q, V, States],
        Value::Scalar,
        ("L", "The Lagrangian L."),
    ),
    row(
        Evaluates(Quantity::Energy),
        Method::Energy,
        &[Q, V, States],
        Value::Scalar,
        (
            "E",
            "The energy T + V, or the Jacobi integral p.v - L if the system is given by L.",
        ),
    ),
    row(
        Evaluates(Quantity::JacobiIntegral),
        Method::JacobiIntegral,
        &[Q, V, States],
        Value::Scalar,
        ("J", "The Jacobi integral p.v - L."),
    ),
    row(
        Evaluates(Quantity::InverseDynamics),
        Method::InverseDynamics,
        &[Q, V, States, A],
        Value::Vector(N),
        (
            "tau",
            "The generalized forces tau = M a + h that produce the acceleration a.",
        ),
    ),
    fallible(row(
        Steps,
        Method::Acceleration,
        &[Q, V, States, U],
        Value::Vector(N),
        (
            "a",
            "The acceleration a = dv/dt, from M a = f + J^T lambda, J a = gamma.",
        ),
    )),
    row(
        Steps,
        Method::AccelerationUnchecked,
        &[Q, V, States, U],
        Value::Vector(N),
        (
            "a",
            "The acceleration a = dv/dt without any check, so that it serves SIMD lanes: not finite where \
             it is not determined, inaccurate nearby.",
        ),
    ),
    fallible(row(
        Steps,
        Method::Solve,
        &[Q, V, States, U],
        Value::Motion,
        (
            "(a, lambda)",
            "The acceleration a and the constraint multipliers lambda: \
             M a = f + J^T lambda, J a = gamma.",
        ),
    )),
    row(
        Evaluates(Quantity::StateRates),
        Method::StateRates,
        &[Q, V, States, U],
        Value::Vector(Size::States),
        ("dz/dt", "The rates dz/dt of the states."),
    ),
    fallible(row(
        Steps,
        Method::StateDerivative,
        &[Y, U],
        Value::Vector(State),
        (
            "dy/dt",
            "The derivative [dq/dt; a] of the state y = [q; v] by time.",
        ),
    )),
    row(
        Steps,
        Method::StateDerivativeUnchecked,
        &[Y, U],
        Value::Vector(State),
        (
            "dy/dt",
            "The derivative [dq/dt; a] of the state y = [q; v] by time, \
             without any check, so that it serves SIMD lanes.",
        ),
    ),
    fallible(row(
        Steps,
        Method::Rhs,
        &[StateArray, InputArray, RateArray],
        Value::Nothing,
        (
            "dy",
            "Writes the derivative [dq/dt; a] of the state y = [q; v] to `dy`: the form that integrators on \
             arrays take. On an error `dy` is left as it was.",
        ),
    )),
    row(
        Steps,
        Method::MassMatrixFull,
        &[Q, FullV, FullStates, FullU],
        Value::Matrix(Full, Full),
        (
            "A",
            "The matrix A = [I 0 0; 0 M -J^T; 0 J 0] of the first-order form A [dq/dt; a; lambda] = b.",
        ),
    ),
    row(
        Steps,
        Method::ForcingFull,
        &[Q, V, States, U],
        Value::Vector(Full),
        (
            "b",
            "The right-hand side b = [dq/dt; f; gamma] of the first-order form A [dq/dt; a; lambda] = b.",
        ),
    ),
    row(
        Evaluates(Quantity::ConstraintResidual),
        Method::ConstraintResidual,
        &[Q],
        Value::Vector(Holonomic),
        (
            "r",
            "The residuals, left side less right side, of the holonomic constraints.",
        ),
    ),
    row(
        Evaluates(Quantity::ConstraintVelocity),
        Method::ConstraintVelocity,
        &[Q, V],
        Value::Vector(Constraints),
        (
            "dr/dt",
            "The constraints at velocity level: \
             J v + dr/dt of holonomic ones, the residual of the others.",
        ),
    ),
    row(
        Evaluates(Quantity::ConstraintJacobian),
        Method::ConstraintJacobian,
        &[Q],
        Value::Matrix(Constraints, N),
        (
            "J",
            "The constraint Jacobian J: \
             dr/dq of holonomic constraints, dr/dv of the others.",
        ),
    ),
    row(
        Evaluates(Quantity::ConstraintGamma),
        Method::ConstraintGamma,
        &[Q, V],
        Value::Vector(Constraints),
        (
            "gamma",
            "The right-hand side gamma of the constraints at acceleration level, J a = gamma.",
        ),
    ),
    row(
        Evaluates(Quantity::MultiplierForces),
        Method::MultiplierForces,
        &[Q, V, States, U],
        Value::Matrix(N, Multipliers),
        (
            "B",
            "The derivative B of the generalized forces by the multipliers of the constraints, then of the contacts.",
        ),
    ),
    fallible(row(
        Steps,
        Method::ConstraintForces,
        &[Q, V, States, U],
        Value::Vector(N),
        (
            "J^T lambda",
            "The forces J^T lambda that the constraints exert on the coordinates.",
        ),
    )),
    fallible(row(
        PutTogether(Assembly::Project),
        Method::Project,
        &[Q, V],
        Value::Pair(Coordinates, N),
        (
            "(q, v)",
            "The nearest state that satisfies the constraints, measured in the mass metric.",
        ),
    )),
    row(
        Steps,
        Method::InverseDynamicsDerivatives,
        &[Q, V, States, A],
        Value::Matrices(N),
        (
            "(dtau/dq, dtau/dv)",
            "The derivatives of the generalized forces M a + h by the displacement of q and by v; those by \
             a are M.",
        ),
    ),
    row(
        Steps,
        Method::EquationDerivatives,
        &[Q, V, States, U, Motion],
        Value::DerivativePair(N, Constraints),
        (
            "(d(f - M a + J^T lambda), d(gamma - J a))",
            "The derivatives of the residuals of the equations of motion, f - M a + J^T lambda and gamma - J a, at fixed a and lambda.",
        ),
    ),
    fallible(row(
        Steps,
        Method::AccelerationDerivatives,
        &[Q, V, States, U],
        Value::Derivatives(N),
        (
            "da",
            "The derivatives of the acceleration (with the constraints, if there are any) by the displacement of q, by v and by u.",
        ),
    )),
    fallible(row(
        Steps,
        Method::MultiplierDerivatives,
        &[Q, V, States, U],
        Value::Derivatives(Constraints),
        (
            "dlambda",
            "The derivatives of the constraint multipliers by the displacement of q, by v and by u.",
        ),
    )),
    row(
        Steps,
        Method::ConstraintVelocityDerivatives,
        &[Q, V],
        Value::Derivatives(Constraints),
        (
            "d(dr/dt)",
            "The derivatives of the constraints at velocity level by the displacement of q and by v, which \
             are J; those by u are 0.",
        ),
    ),
    fallible(row(
        Steps,
        Method::Linearize,
        &[Q, V, States, U],
        Value::Linearization,
        (
            "(A, B)",
            "The linearized motion: the displacement d of q and the change w of v obey d/dt [d; w] = A [d; w] + B du.",
        ),
    )),
    row(
        Steps,
        Method::LinearizeUnchecked,
        &[Q, V, States, U],
        Value::Linearization,
        (
            "(A, B)",
            "The same as `linearize` without any check, so that it serves SIMD lanes: not finite where the \
             acceleration is not determined, inaccurate nearby.",
        ),
    ),
    fallible(row(
        Steps,
        Method::LinearizeFixedAxes,
        &[Q, V, States, U],
        Value::Linearization,
        (
            "(A, B)",
            "The same as `linearize` in axes that do not turn: for each rotation matrix R, D = R d and E = R w, in \
             the axes before the rotation, take the place of d and w.",
        ),
    )),
    fallible(row(
        Steps,
        Method::LinearizeReduced,
        &[Q, V, States, U],
        Value::ReducedLinearization,
        (
            "(A, B, Z)",
            "The motion of neighbours to first order on the independent displacements: for the displacement Z y of q and \
             the change w of v, y and z = Z^T w obey d/dt [y; z] = A [y; z] + B du.",
        ),
    )),
    fallible(row(
        Steps,
        Method::Vjp,
        &[Q, V, States, U, W],
        Value::Gradient,
        (
            "w^T da",
            "The derivatives w^T da of one weighted sum of the accelerations by the displacement of q, by v \
             and by u.",
        ),
    )),
    fallible(row(
        Steps,
        Method::AccelerationHessian,
        &[Q, V, States, U, W],
        Value::Matrix(Variables, Variables),
        (
            "d2(w.a)",
            "The second derivatives of the weighted sum w . a of the accelerations, in the order displacement of q, v and \
             u: square and symmetric.",
        ),
    )),
    row(
        Steps,
        Method::MidpointTerms,
        &[Q, V, States, U],
        Value::MidpointTerms,
        (
            "(p, F)",
            "The terms p = dL/dv and F = dL/dq + Q of the variational midpoint rule, with bounds of their rounding \
             errors.",
        ),
    ),
    row(
        Steps,
        Method::MidpointVjp,
        &[Q, V, States, U, W, Z],
        Value::Gradient,
        (
            "d(w.p + z.F)",
            "The derivatives of the weighted sum w.p + z.F of `midpoint_terms` by the displacement of q, by v and by u.",
        ),
    ),
    row(
        Steps,
        Method::ConstraintBounds,
        &[Q, V],
        Value::Pair(Constraints, Constraints),
        (
            "(e, e')",
            "Bounds of the rounding errors of `constraint_residual`, with 0 for nonholonomic constraints, and of \
             `constraint_velocity`.",
        ),
    ),
    fallible(row(
        Steps,
        Method::Velocity,
        &[Q, P],
        Value::Vector(N),
        (
            "v",
            "The velocities v of the momenta p, from M v = p - p0 with p0 the momenta at rest.",
        ),
    )),
    fallible(row(
        Steps,
        Method::Hamiltonian,
        &[Q, P, States],
        Value::Scalar,
        (
            "H",
            "The Hamiltonian H = p.v - L, with v the velocities of the momenta p.",
        ),
    )),
    fallible(row(
        Steps,
        Method::HamiltonEquations,
        &[Q, P, States, U],
        Value::Pair(Coordinates, N),
        (
            "(dq/dt, dp/dt)",
            "The rates of the coordinates q and of the momenta p: Hamilton's equations, with all forces.",
        ),
    )),
    row(
        Evaluates(Quantity::ContactGaps),
        Method::Gaps,
        &[Q],
        Value::Vector(Contacts),
        (
            "g",
            "The gaps of the contacts, in the order of `CONTACTS`: larger side less smaller side.",
        ),
    ),
    row(
        Evaluates(Quantity::ContactGapRates),
        Method::GapRates,
        &[Q, V],
        Value::Vector(Contacts),
        (
            "dg/dt",
            "The rates of the gaps of the contacts, J_c v + dg/dt.",
        ),
    ),
    row(
        Evaluates(Quantity::ContactJacobian),
        Method::ContactJacobian,
        &[Q],
        Value::Matrix(Contacts, N),
        (
            "J_c",
            "The Jacobian J_c of the gaps: the derivative of their rates by v.",
        ),
    ),
    row(
        Evaluates(Quantity::ContactGamma),
        Method::ContactGamma,
        &[Q, V],
        Value::Vector(Contacts),
        (
            "gamma_c",
            "The right-hand side gamma_c of the contacts: the second derivatives of the gaps are J_c a - gamma_c.",
        ),
    ),
    fallible(row(
        Steps,
        Method::SolveActive,
        &[Q, V, States, U, Active],
        Value::ActiveMotion,
        (
            "(a, lambda, F)",
            "The motion while the active contacts stay closed: the acceleration a, the multipliers lambda of the \
             constraints, and the forces F of the contacts.",
        ),
    )),
    fallible(row(
        Steps,
        Method::Impact,
        &[Q, V, Active, Restitution],
        Value::Impact,
        (
            "(v+, L, P)",
            "The velocity v+ after an impact at the active contacts by Newton's law, and the impulses L of the \
             constraints and P of the contacts.",
        ),
    )),
    fallible(row(
        Steps,
        Method::Delassus,
        &[Q, MassV],
        Value::Matrix(Contacts, Contacts),
        (
            "W",
            "Delassus' matrix W = J_c M^-1 J_c^T, with the constraints held.",
        ),
    )),
    fallible(row(
        Steps,
        Method::LinearizeActive,
        &[Q, V, States, U, Active],
        Value::Linearization,
        (
            "(A, B)",
            "The motion of neighbours to first order while the active contacts stay closed: the displacement d of q and \
             the change w of v obey d/dt [d; w] = A [d; w] + B du.",
        ),
    )),
    fallible(row(
        Steps,
        Method::ImpactDerivatives,
        &[Q, V, Active, Restitution],
        Value::Matrices(N),
        (
            "(dv+/dq, dv+/dv)",
            "The derivatives of the velocity after an impact by the displacement of q and by v.",
        ),
    )),
    row(
        Steps,
        Method::FrictionTerms,
        &[Q, V],
        Value::FrictionTerms,
        (
            "(s, J_s, gamma_s, mu, e, F)",
            "The sliding velocities s of the contacts with J_s and gamma_s, the coefficients mu of friction and e of \
             restitution, the largest dry friction F of the joints, and bounds of rounding errors.",
        ),
    ),
    fallible(row(
        PutTogether(Assembly::Resolve),
        Method::Resolve,
        &[Q, V, U, Active],
        Value::Resolved,
        (
            "(a, lambda, F)",
            "The motion where each of the closed contacts opens or stays closed, and slides or sticks, by itself: the \
             acceleration a, the multipliers lambda of the constraints, the forces F of the contacts, those of friction, \
             and what each contact and each dry joint does.",
        ),
    )),
];
