//! One row of the method table: the systems that have the method, its arguments and value, and the kind of its body.

use lagrange_engine::{Quantity, Requirement};

use super::signature::{Argument, Layout, Value};
use crate::generated::Method;

/// One row of the table.
pub(crate) struct Row {
    pub(crate) method: Method,
    /// All possible arguments in order. A system leaves out those that it does not have.
    arguments: &'static [Argument],
    pub(crate) value: Value,
    pub(crate) fallible: bool,
    /// True for a method without the argument `t`, even if time is declared.
    timeless: bool,
    /// The way in which the body is made.
    pub(crate) body: Recipe,
    /// The symbol of the value in formulas.
    pub(crate) symbol: &'static str,
    /// The first sentence of the documentation.
    pub(crate) summary: &'static str,
}

const WITH_CONSTRAINTS: &str = "A and B are those of the constrained accelerations, without regard to whether [d; w] \
                                keeps the constraints.";
const ROWS_OF_DISPLACEMENTS: &str = "The first rows of A, for dd/dt, are [0 I]; for a rotation with angular velocity w0 they are [-(w0 x) I].";
const SPINNING_AXES: &str = "The displacement of a rotation is in its turned axes. While it spins, these spin: A changes along the motion, \
     and its eigenvalues are not those of the motion. `linearize_fixed_axes` measures in axes that do not turn.";

/// The way in which the body of a method is made.
#[derive(Clone, Copy)]
pub(crate) enum Recipe {
    /// The program evaluates one quantity.
    Evaluates(Quantity),
    /// A function for this method writes the body.
    PutTogether(Assembly),
    /// The steps of the routine that exports have too.
    Steps,
}

/// A body that is written by hand: ARCHITECTURE.md says why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Assembly {
    Project,
    Resolve,
}

/// A row of a method that cannot fail.
pub(super) const fn row(
    body: Recipe,
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
        timeless: false,
        body,
        symbol,
        summary,
    }
}

pub(super) const fn timeless(row: Row) -> Row {
    Row {
        timeless: true,
        ..row
    }
}

pub(super) const fn fallible(row: Row) -> Row {
    Row {
        fallible: true,
        ..row
    }
}

impl Row {
    pub(crate) fn name(&self) -> &'static str {
        self.method.name()
    }

    /// The quantity that the method evaluates. `None` for a combined body.
    pub(crate) fn quantity(&self) -> Option<Quantity> {
        match self.body {
            Recipe::Evaluates(quantity) => Some(quantity),
            Recipe::PutTogether(_) | Recipe::Steps => None,
        }
    }

    /// True if only real scalars have the method, no lanes.
    pub(crate) fn is_of_reals(&self) -> bool {
        self.fallible || self.method == Method::FrictionTerms
    }

    /// The arguments in a system of this layout.
    pub(crate) fn arguments(&self, layout: &Layout) -> Vec<Argument> {
        if self.timeless {
            return self.arguments.to_vec();
        }
        let mut arguments = layout.arguments(self.arguments);
        // Integrators that work on arrays pass the time to every right-hand side.
        if self.method == Method::Rhs && !layout.time {
            arguments.insert(0, Argument::T);
        }
        arguments
    }

    /// All possible arguments in order.
    pub(crate) fn all_arguments(&self) -> &'static [Argument] {
        self.arguments
    }

    /// The value of the inherent method.
    pub(crate) fn value(&self, layout: &Layout) -> Value {
        match self.method {
            Method::Solve if layout.has_redundant_rows() => Value::RedundantMotion,
            _ => self.value,
        }
    }

    /// The documentation after the summary.
    pub(crate) fn notes(&self, layout: &Layout) -> &'static [&'static str] {
        let is_constrained = layout.constraints > 0;
        match self.method {
            Method::MassMatrix if layout.lacks_coriolis_matrix() => &[
                "Its `coriolis_matrix` takes more than 20,000 operations: write \
                 `#[lagrangian(coriolis_matrix)]` on the struct to have that method.",
            ],
            Method::CoriolisMatrix => &[
                "If it takes more than 20,000 operations, it is generated only if \
                 `#[lagrangian(coriolis_matrix)]` on the struct requests it.",
            ],
            Method::AccelerationUnchecked if is_constrained => &[
                "It may also be infinite or NaN at single states with a singular M, even if the constraints determine the \
                 motion there; `acceleration` solves these states, too.",
            ],
            Method::Solve if layout.reacts() => &[
                "J^T lambda is the force that the constraints exert on the coordinates. With the forces by multipliers \
                 M a = f + (J^T + B) lambda, J a = gamma.",
            ],
            Method::Solve if is_constrained => {
                &["J^T lambda is the force that the constraints exert on the coordinates."]
            }
            Method::MultiplierForces => &[
                "The forces are Q + B lambda: `generalized_forces` and `forcing` are those without multipliers. \
                 [M -(J^T + B); J 0] determines the motion.",
            ],
            Method::MassMatrixFull if layout.reacts() => &[
                "J^T + B takes the place of J^T, with the columns of `multiplier_forces` for the constraints.",
            ],
            Method::ConstraintResidual => &[
                "Their rows come first in `CONSTRAINTS`; the others have no residual without velocities.",
            ],
            Method::ConstraintVelocity | Method::ConstraintJacobian | Method::ConstraintGamma => {
                &["The rows are in the order of `CONSTRAINTS`."]
            }
            Method::Linearize | Method::LinearizeUnchecked => {
                match (is_constrained, layout.coordinates > layout.velocities) {
                    (false, false) => &[ROWS_OF_DISPLACEMENTS],
                    (true, false) => &[WITH_CONSTRAINTS, ROWS_OF_DISPLACEMENTS],
                    (false, true) => &[ROWS_OF_DISPLACEMENTS, SPINNING_AXES],
                    (true, true) => &[WITH_CONSTRAINTS, ROWS_OF_DISPLACEMENTS, SPINNING_AXES],
                }
            }
            Method::LinearizeFixedAxes => &[
                "The rows of D are 0 by D and 1 by E. The change of the angular velocity R w0 is E - (R w0) x D. With S \
                 the block diagonal matrix of these R (else 1) on both halves, A is S A S^-1 + S' S^-1 of the A of \
                 `linearize`, and B is S B.",
            ],
            Method::LinearizeReduced => &[
                "Z, `basis`, is an orthonormal basis of the null space of J; the largest entry of each column is positive. \
                 The state is on the constraints. A = diag(Z, Z)^T A_lin E and B = diag(Z, Z)^T B_lin with the A_lin and \
                 B_lin of `linearize` and E = [Z 0; -J^+ (d(J v + dr/dt)/dq) Z, Z].",
            ],
            Method::Vjp => {
                &["By one adjoint solution and one reverse sweep over the equations of motion."]
            }
            Method::AccelerationHessian => &[
                "By one adjoint solution: the second derivatives of one weighted sum of the equations, and products of its \
                 mixed derivatives with the derivatives of the motion. With states of first order z comes after v. For a \
                 rotation the derivatives are those at d = 0 of w . a at R exp(d).",
            ],
            Method::MidpointTerms | Method::ConstraintBounds => &[
                "The bounds are in units of half of the machine epsilon, with half an ulp of each entry of q and v counted.",
            ],
            Method::MidpointVjp => &["By one reverse sweep."],
            Method::HamiltonEquations if layout.reacts() => &[
                "dq/dt = dH/dp, and dp/dt = -dH/dq + Q + (J^T + B) lambda with lambda that of `solve` and B of \
                 `multiplier_forces`; less w x p for a rotation of angular velocity w.",
            ],
            Method::HamiltonEquations if is_constrained => &[
                "dq/dt = dH/dp, and dp/dt = -dH/dq + Q + J^T lambda with lambda that of `solve`; less w x p \
                 for a rotation of angular velocity w.",
            ],
            Method::HamiltonEquations => &[
                "dq/dt = dH/dp, and dp/dt = -dH/dq + Q; less w x p for a rotation of angular velocity w.",
            ],
            Method::Project => &[
                "First q changes, by Newton's method in the metric of M at the start, until the residuals of the \
                 holonomic constraints are at most four times the bounds of their rounding errors. Then v changes, by \
                 the smallest change in the mass metric that meets J v = -dr/dt. A state that already meets the \
                 constraints to this accuracy is returned unchanged, if its equations can be solved.",
            ],
            Method::SolveActive if layout.reacting.is_some() => &[
                "M a = f + J^T lambda + J_c^T F + B [lambda; F], J a = gamma, and J_c a = gamma_c in the rows of the active \
                 contacts. A force that pushes is positive; that of a contact that is not active is 0. Which contacts are \
                 active is the caller's decision: an active one holds as an equation, and may pull.",
                "The `row` of `DependentConstraints` counts the constraints first, then all contacts.",
            ],
            Method::SolveActive => &[
                "M a = f + J^T lambda + J_c^T F, J a = gamma, and J_c a = gamma_c in the rows of the active contacts. A \
                 force that pushes is positive; that of a contact that is not active is 0. Which contacts are active is the \
                 caller's decision: an active one holds as an equation, and may pull.",
                "The `row` of `DependentConstraints` counts the constraints first, then all contacts.",
            ],
            Method::Impact => &[
                "M (v+ - v) = J^T L + J_c^T P. J v+ = J v, and the rates of the gaps of active contacts are reversed \
                 and multiplied by e. Which contacts are active is the caller's decision. If their e differ, the energy \
                 may grow.",
                "The `row` of `DependentConstraints` counts the constraints first, then all contacts.",
            ],
            Method::LinearizeActive => &[
                "A and B are those of the accelerations while the active contacts stay closed, without regard to whether \
                 [d; w] keeps them and the constraints.",
                ROWS_OF_DISPLACEMENTS,
            ],
            Method::Resolve => &[
                "M a = f + J^T lambda + J_c^T F + J_s^T t + r and J a = gamma. For each contact that `active` flags F >= 0, \
                 and the gap does not close, J_c a >= gamma_c; one of them holds as an equation. A contact that slides has \
                 the friction t = -mu F s/|s| against its sliding velocity s; one that sticks has |t| <= mu F, and s stays \
                 0, or begins to slide against t. The dry friction r of a joint that is at rest holds it up to its bound; \
                 that of a moving joint is its bound, against the motion.",
                "The gaps are not read: which contacts are closed is the caller's decision, `gaps` within a tolerance. A \
                 rate of a gap or a sliding velocity that may be a rounding error counts as 0; one of a gap that grows \
                 opens the contact. `Resolved::modes` has what each contact does, `Resolved::held` the joints at rest.",
                "With friction several motions may solve the equations. Then all contacts open if they can. Otherwise it \
                 is the one at the end of Lemke's path from open contacts, or in space of Newton's method from forces of 0.",
            ],
            Method::FrictionTerms => &[
                "The rates of the sliding velocities are J_s a - gamma_s. Terms of a sliding velocity that a contact does \
                 not have are 0. A gap, a rate of a gap or a sliding velocity whose amount is at most its bound may be a \
                 rounding error: the bounds are four times the running error bounds.",
            ],
            Method::Delassus => {
                &["Entry (i, j) is the acceleration of gap i by a unit force at contact j."]
            }
            _ => &[],
        }
    }

    /// True for the methods that `midpoint_step` calls.
    pub(crate) fn is_of_midpoint_rule(&self) -> bool {
        matches!(
            self.method,
            Method::MidpointTerms | Method::MidpointVjp | Method::ConstraintBounds
        )
    }

    /// The systems that have the method, in words for messages.
    pub(crate) fn systems_in_words(&self) -> &'static str {
        match Requirement::of(self.name()) {
            None if self.method == Method::AccelerationHessian => "with `#[lagrangian(hessian)]`",
            Some(Requirement::Constraints) if self.is_of_midpoint_rule() => {
                "with constraints and `#[lagrangian(midpoint_step)]`"
            }
            None => "of every kind",
            Some(Requirement::SeparateEnergies) => "that are given by T and V",
            Some(Requirement::Constraints) => "with constraints",
            Some(Requirement::HolonomicConstraints) => "whose constraints are all holonomic",
            Some(Requirement::MultiplierForces) => "whose forces name a `multiplier`",
            Some(Requirement::QuadraticLagrangian) => "whose L is quadratic in the velocities",
            Some(Requirement::Rotations) => "with a `rotation`",
            Some(Requirement::Contacts) => "with a `contact`",
            Some(Requirement::Friction) => {
                "with a `contact` or with dry friction that sticks, whose forces name no `multiplier`"
            }
            Some(Requirement::States) => "with a `state`",
            // The midpoint rule.
            Some(Requirement::NoStates) => "with `#[lagrangian(midpoint_step)]`",
        }
    }

    /// True if a system of this layout has the method.
    pub(crate) fn exists(&self, layout: &Layout) -> bool {
        let is_short_or_requested = match self.method {
            Method::CoriolisMatrix => layout.coriolis_matrix,
            Method::AccelerationHessian => layout.hessian,
            _ => layout.midpoint_step || !self.is_of_midpoint_rule(),
        };
        is_short_or_requested
            && match Requirement::of(self.name()) {
                None => true,
                Some(Requirement::SeparateEnergies) => !layout.by_lagrangian,
                Some(Requirement::Constraints) => layout.constraints > 0,
                Some(Requirement::HolonomicConstraints) => {
                    layout.constraints > 0 && layout.holonomic == layout.constraints
                }
                Some(Requirement::MultiplierForces) => layout.reacting.is_some(),
                Some(Requirement::QuadraticLagrangian) => layout.quadratic,
                Some(Requirement::Rotations) => layout.coordinates > layout.velocities,
                Some(Requirement::Contacts) => layout.contacts > 0 && layout.states == 0,
                Some(Requirement::Friction) => layout.has_friction(),
                Some(Requirement::States) => layout.states > 0,
                Some(Requirement::NoStates) => layout.states == 0,
            }
    }
}
