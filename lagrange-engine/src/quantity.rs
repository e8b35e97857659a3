//! The quantities of a system: one row for each quantity of its equations of motion.

use crate::Shape;

/// A term of the equations of motion, derived at its first use.
///
/// Adding one takes a variant, its row in `row` and its derivation in `forms`.
///
/// ```
/// use lagrange_engine::{Dynamics, Quantity, System, plain_names};
/// // A mass thrown upwards, along y.
/// let text = "coordinates x y\nparameters m g\nnode %0 = velocity 0\nnode %1 = velocity 1\n\
///             node %2 = product %0^2\nnode %3 = product %1^2\nnode %4 = sum 0 1/2*%2 1/2*%3\n\
///             node %5 = parameter 0\nnode %6 = product %4^1 %5^1\nkinetic %6\nnode %7 = coordinate 1\n\
///             node %8 = parameter 1\nnode %9 = product %5^1 %7^1 %8^1\npotential %9\n";
/// let dynamics = Dynamics::new(text.parse::<System>()?);
/// let text = |quantity| {
///     let entries = dynamics.expressions(quantity).into_iter();
///     entries.map(|entry| dynamics.graph().text(entry, &plain_names)).collect::<Vec<_>>()
/// };
/// assert_eq!(text(Quantity::Momenta), ["v0*p0", "v1*p0"]);
/// assert_eq!(text(Quantity::Bias), ["0", "p0*p1"]);
/// assert_eq!(text(Quantity::InverseDynamics), ["p0*a0", "p0*p1 + p0*a1"]);
/// assert_eq!(text(Quantity::PotentialEnergy), ["p0*q1*p1"]);
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantity {
    /// M = dp/dv, symmetric: n x n.
    MassMatrix,
    /// p = dL/dv: n.
    Momenta,
    /// h, so that M a + h = Q: n.
    Bias,
    /// Q, including dissipation: n.
    GeneralizedForces,
    /// f = Q - h, so that M a = f: n.
    Forcing,
    /// M a + h, in symbols for the accelerations: n.
    InverseDynamics,
    /// qdot = N v: m.
    CoordinateRates,
    /// T. Natural systems only.
    KineticEnergy,
    /// V. Natural systems only.
    PotentialEnergy,
    /// dV/dq, along the directions of v: n. Natural systems only.
    PotentialGradient,
    /// C: n x n. Natural systems only.
    CoriolisMatrix,
    /// L.
    Lagrangian,
    /// T + V; for a system given by L the Jacobi integral.
    Energy,
    /// p . v - L.
    JacobiIntegral,
    /// g of the h holonomic rows.
    ConstraintResidual,
    /// J v + dg/dt, for a nonholonomic row its residual: c.
    ConstraintVelocity,
    /// J: c x n.
    ConstraintJacobian,
    /// The rows of J of the holonomic constraints: h x n.
    HolonomicJacobian,
    /// gamma, so that J a = gamma: c.
    ConstraintGamma,
    /// The gaps of the P contacts.
    ContactGaps,
    /// Their rates J_c v + dg/dt: P.
    ContactGapRates,
    /// J_c: P x n.
    ContactJacobian,
    /// gamma_c: the second derivative of the gaps is J_c a - gamma_c: P.
    ContactGamma,
    /// The sliding velocities of this direction, 0 or 1, with 0 for contacts that lack it: P.
    Slips(usize),
    /// Their derivatives by v: P x n.
    SlipJacobian(usize),
    /// gamma_s: the rates of the sliding velocities are J_s a - gamma_s: P.
    SlipGamma(usize),
    /// The coefficients of friction of the contacts: P.
    ContactFriction,
    /// The coefficients of restitution of the contacts: P.
    ContactRestitution,
    /// The largest dry friction of each joint that has it: M.
    JointLimits,
    /// The derivatives of the generalized forces by the multipliers of constraints, then by those of contacts:
    /// n x (c + P). Empty if no force depends on a multiplier.
    MultiplierForces,
    /// The derivatives of J_c^T F, and of the forces B_c F by these multipliers, along the directions of v, in symbols
    /// for the multipliers: those of the contacts follow those of the constraints. A block of n x n for each contact,
    /// one below the other: a sum of all would be NaN where a contact without a force is: (P n) x n.
    ContactForcesByPosition,
    /// The derivatives of B_c F by v, a block for each contact: (P n) x n.
    ContactForcesByVelocity,
    /// The derivatives of B_c F by z and u, a block for each contact: (P n) x (nz + k).
    ContactForcesByHeld,
    /// The derivatives of J_c^T F along the directions of v, a block for each contact: (P n) x n.
    ContactImpulsesByPosition,
    /// The derivatives of gamma_c - J_c a along the directions of v, at fixed v and a: P x n.
    ContactsByPosition,
    /// The derivatives of gamma_c by v: P x n.
    ContactsByVelocity,
    /// The derivatives of J^T lambda - M a along the directions of v: the residual of an impact without the impulses of
    /// contacts, with the impulses and the change of v in place of the multipliers and of a. n x n.
    ImpulsesByPosition,
    /// The same by v: n x n.
    ImpulsesByVelocity,
    /// The derivatives of J a along the directions of v: c x n.
    ConstraintChangesByPosition,
    /// The derivatives of J_c a along the directions of v: P x n.
    ContactChangesByPosition,
    /// The derivatives of the rates of the gaps along the directions of v: P x n.
    GapRatesByPosition,
    /// The derivatives of M a + h along the directions of v, at fixed v and a: n x n.
    InverseDynamicsByPosition,
    /// The derivatives of M a + h by v: n x n.
    InverseDynamicsByVelocity,
    /// The derivatives of Q + J^T lambda along the directions of v, in symbols for the multipliers, which
    /// are fixed: n x n.
    ForcesByPosition,
    /// The derivatives of Q by v: n x n.
    ForcesByVelocity,
    /// The derivatives of Q - h by z, then by u: n x (nz + k).
    ForcesByHeld,
    /// The derivatives of gamma - J a along the directions of v, at fixed v and a: c x n.
    ConstraintsByPosition,
    /// The derivatives of gamma by v: c x n.
    ConstraintsByVelocity,
    /// The derivatives of the constraints at velocity level along the directions of v; by v they are J:
    /// c x n.
    ConstraintVelocityByPosition,
    /// The derivatives of `y . (M a + h)` along the directions of v, in symbols for a and the weights y,
    /// which are fixed: n.
    WeightedInverseDynamicsByPosition,
    /// The same by v: n.
    WeightedInverseDynamicsByVelocity,
    /// The derivatives of `y . (Q + J^T lambda) + z . (gamma - J a)` along the directions of v, in symbols
    /// for a, lambda and the weights (y, z), which are fixed: n.
    WeightedForcesByPosition,
    /// The same by v: n.
    WeightedForcesByVelocity,
    /// The derivatives of `y . (Q - h)` by z, then by u: nz + k.
    WeightedForcesByHeld,
    /// The rates of the first-order states: nz.
    StateRates,
    /// Their derivatives along the directions of v: nz x n.
    StateRatesByPosition,
    /// The same by v: nz x n.
    StateRatesByVelocity,
    /// The same by z, then by u: nz x (nz + k).
    StateRatesByHeld,
    /// The derivatives of `y . dz/dt` along the directions of v, in symbols for the weights y, which are fixed: n.
    WeightedStateRatesByPosition,
    /// The same by v: n.
    WeightedStateRatesByVelocity,
    /// The same by z, then by u: nz + k.
    WeightedStateRatesByHeld,
    /// The user's output of this number.
    Output(usize),
    /// Its derivative along the directions of v, at fixed v, u and t, a row for each entry; only for a scalar or
    /// vector.
    OutputJacobian(usize),
    /// Its derivative by v, a row for each entry; only for a scalar or vector.
    OutputByVelocities(usize),
    /// Its derivative by z, a row for each entry; only for a scalar or vector.
    OutputByStates(usize),
    /// Its derivative by u, a row for each entry; only for a scalar or vector.
    OutputByInputs(usize),
    /// Its rate; only for a scalar or vector of q and t alone.
    OutputRate(usize),
    /// The rate of the rate at a = 0; only for a scalar or vector of q and t alone.
    OutputBias(usize),
    /// Its second derivatives by the displacement of q, by v, by z and by u, a square of 2n + nz + k; only for a scalar.
    OutputHessian(usize),
    /// The origin of the output frame of this number.
    FrameOrigin(usize),
    /// Its axes as columns, in the world.
    FrameRotation(usize),
    /// The velocity of its origin and its angular velocity, in the world: 6.
    FrameVelocity(usize),
    /// Their derivative by v: 6 x n.
    FrameJacobian(usize),
    /// Their rates at a = 0: 6.
    FrameBias(usize),
    /// p less those at v = 0, in symbols for the momenta; M v, if L is quadratic in v: n.
    KineticMomenta,
    /// dp/dt = dL/dq + Q - w x p without constraints, in symbols for the momenta: n.
    MomentumRate,
    /// F = dL/dq + Q, by which the momenta change apart from w x p and constraints: n.
    MomentumForces,
    /// The derivatives of `y . p + z . F` along the directions of v, in symbols for the weights (y, z), which are fixed:
    /// n.
    WeightedMomentaByPosition,
    /// The same by v: n.
    WeightedMomentaByVelocity,
    /// The same by z, then by u: nz + k.
    WeightedMomentaByHeld,
    /// Y of the regressor of this number, a column for each of its parameters: the derivative of M a + h - Q by them at
    /// u = 0.
    Regressor(usize),
    /// The derivatives of `f - M a + J^T lambda` by the parameter of this number, in symbols for a and the multipliers,
    /// which are fixed: n.
    EquationsByParameter(u32),
    /// The derivatives of gamma - J a by it: c.
    ConstraintsByParameter(u32),
    /// The second derivatives of `y . (f - M a + J^T lambda) + z . (gamma - J a)` by the displacement of q, by v, by z and
    /// by u, in symbols for a, lambda and the weights (y, z), which are fixed: a square of 2n + nz + k.
    WeightedHessian,
    /// The derivatives of the gradient of that sum by a and lambda, a row for each of these variables: 2n + nz + k rows.
    WeightedMixed,
    /// The change of the gradient of that sum by these variables along a displacement of them, in symbols for the
    /// displacement, which follow the weights: 2n + nz + k.
    WeightedGradientChange,
    /// The same of the gradient by a and lambda: n + c.
    WeightedMixedChange,
    /// p . xi of the symmetry of this number.
    NoetherMomentum(usize),
    /// `[I 0 0; 0 M -J^T; 0 J 0]`.
    MassMatrixFull,
    /// `[dq/dt; f; gamma]`.
    ForcingFull,
}

/// The sizes of a system.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sizes {
    /// The number m of coordinates.
    pub coordinates: usize,
    /// The number n of velocities.
    pub velocities: usize,
    /// The number c of constraints.
    pub constraints: usize,
    /// The number of holonomic constraints.
    pub holonomic: usize,
    /// The number P of contacts.
    pub contacts: usize,
    /// The number M of joints with dry friction.
    pub dry_joints: usize,
    /// The number nz of first-order states.
    pub states: usize,
    /// The number k of inputs.
    pub inputs: usize,
}

impl Sizes {
    /// The number 2n + nz + k of variables by which second derivatives are: displacements, velocities, first-order states
    /// and inputs.
    pub(crate) fn variables(self) -> usize {
        2 * self.velocities + self.states + self.inputs
    }
}

/// A number of rows or columns.
#[derive(Clone, Copy, Debug)]
enum Extent {
    Coordinates,
    Velocities,
    Constraints,
    Holonomic,
    Contacts,
    DryJoints,
    States,
    /// First-order states and inputs, which the equations of motion take as given.
    Held,
    Known(usize),
    /// Multipliers of constraints and contacts.
    Multipliers,
    /// The velocities for each contact.
    Forces,
    /// Coordinates, velocities and multipliers.
    Full,
    /// Displacements, velocities, first-order states and inputs.
    Variables,
    /// Velocities and multipliers of constraints.
    Motion,
}

/// The shape of a quantity, before the sizes of the system are known.
#[derive(Clone, Copy, Debug)]
enum Form {
    Scalar,
    Vector(Extent),
    Matrix(Extent, Extent),
    /// The shape of the user's output or regressor.
    Own,
}

/// The fixed properties of a quantity.
struct Row {
    symbol: &'static str,
    form: Form,
    /// True if only systems with separate T and V have it.
    natural: bool,
}

impl Quantity {
    /// True for derivatives of an output by the state and u together, which no output is itself.
    pub(crate) fn is_of_derivatives(self) -> bool {
        matches!(
            self,
            Self::OutputByVelocities(_)
                | Self::OutputByStates(_)
                | Self::OutputByInputs(_)
                | Self::OutputHessian(_)
        )
    }

    /// Its symbol in formulas; outputs and their frames have their own names.
    pub fn symbol(self) -> &'static str {
        self.row().symbol
    }

    /// Its shape in a system of these sizes; `None` for outputs and regressors, whose shape is the
    /// user's.
    pub fn shape(self, sizes: Sizes) -> Option<Shape> {
        let size = |extent| match extent {
            Extent::Coordinates => sizes.coordinates,
            Extent::Velocities => sizes.velocities,
            Extent::Constraints => sizes.constraints,
            Extent::Holonomic => sizes.holonomic,
            Extent::Contacts => sizes.contacts,
            Extent::DryJoints => sizes.dry_joints,
            Extent::States => sizes.states,
            Extent::Held => sizes.states + sizes.inputs,
            Extent::Multipliers => sizes.constraints + sizes.contacts,
            Extent::Forces => sizes.contacts * sizes.velocities,
            Extent::Known(size) => size,
            Extent::Full => sizes.coordinates + sizes.velocities + sizes.constraints,
            Extent::Variables => sizes.variables(),
            Extent::Motion => sizes.velocities + sizes.constraints,
        };
        match self.row().form {
            Form::Scalar => Some(Shape::Scalar),
            Form::Vector(length) => Some(Shape::Vector(size(length))),
            Form::Matrix(rows, columns) => Some(Shape::Matrix(size(rows), size(columns))),
            Form::Own => None,
        }
    }

    /// Returns whether only systems with separate kinetic and potential energy have it.
    pub fn is_natural(self) -> bool {
        self.row().natural
    }

    fn row(self) -> Row {
        use Extent::{
            Constraints, Contacts, Coordinates, Full, Held, Holonomic, States, Velocities,
        };
        let row = |symbol, form| Row {
            symbol,
            form,
            natural: false,
        };
        let natural = |symbol, form| Row {
            natural: true,
            ..row(symbol, form)
        };
        match self {
            Self::MassMatrix => row("M", Form::Matrix(Velocities, Velocities)),
            Self::Momenta => row("p", Form::Vector(Velocities)),
            Self::Bias => row("h", Form::Vector(Velocities)),
            Self::GeneralizedForces => row("Q", Form::Vector(Velocities)),
            Self::Forcing => row("f", Form::Vector(Velocities)),
            Self::InverseDynamics => row("tau", Form::Vector(Velocities)),
            Self::CoordinateRates => row("dq/dt", Form::Vector(Coordinates)),
            Self::KineticEnergy => natural("T", Form::Scalar),
            Self::PotentialEnergy => natural("V", Form::Scalar),
            Self::PotentialGradient => natural("dV/dq", Form::Vector(Velocities)),
            Self::CoriolisMatrix => natural("C", Form::Matrix(Velocities, Velocities)),
            Self::Lagrangian => row("L", Form::Scalar),
            Self::Energy => row("E", Form::Scalar),
            Self::JacobiIntegral => row("J", Form::Scalar),
            Self::ConstraintResidual => row("r", Form::Vector(Holonomic)),
            Self::ConstraintVelocity => row("dr/dt", Form::Vector(Constraints)),
            Self::ConstraintJacobian => row("J", Form::Matrix(Constraints, Velocities)),
            Self::HolonomicJacobian => row("J", Form::Matrix(Holonomic, Velocities)),
            Self::ConstraintGamma => row("gamma", Form::Vector(Constraints)),
            Self::ContactGaps => row("g", Form::Vector(Contacts)),
            Self::ContactGapRates => row("dg/dt", Form::Vector(Contacts)),
            Self::ContactJacobian => row("J_c", Form::Matrix(Contacts, Velocities)),
            Self::ContactGamma => row("gamma_c", Form::Vector(Contacts)),
            Self::Slips(0) => row("s", Form::Vector(Contacts)),
            Self::Slips(_) => row("s'", Form::Vector(Contacts)),
            Self::SlipJacobian(_) => row("J_s", Form::Matrix(Contacts, Velocities)),
            Self::SlipGamma(_) => row("gamma_s", Form::Vector(Contacts)),
            Self::ContactFriction => row("mu", Form::Vector(Contacts)),
            Self::ContactRestitution => row("e", Form::Vector(Contacts)),
            Self::JointLimits => row("F", Form::Vector(Extent::DryJoints)),
            Self::MultiplierForces => row("B", Form::Matrix(Velocities, Extent::Multipliers)),
            Self::ContactForcesByPosition | Self::ContactImpulsesByPosition => {
                row("d(J_c^T F)/dq", Form::Matrix(Extent::Forces, Velocities))
            }
            Self::ContactForcesByVelocity => {
                row("d(B_c F)/dv", Form::Matrix(Extent::Forces, Velocities))
            }
            Self::ContactForcesByHeld => {
                row("d(B_c F)/d(z, u)", Form::Matrix(Extent::Forces, Held))
            }
            Self::ContactsByPosition => {
                row("d(gamma_c - J_c a)/dq", Form::Matrix(Contacts, Velocities))
            }
            Self::ContactsByVelocity => row("dgamma_c/dv", Form::Matrix(Contacts, Velocities)),
            Self::ImpulsesByPosition => row("d(J^T L)/dq", Form::Matrix(Velocities, Velocities)),
            Self::ImpulsesByVelocity => row("d(J^T L)/dv", Form::Matrix(Velocities, Velocities)),
            Self::ConstraintChangesByPosition => {
                row("d(J a)/dq", Form::Matrix(Constraints, Velocities))
            }
            Self::ContactChangesByPosition => {
                row("d(J_c a)/dq", Form::Matrix(Contacts, Velocities))
            }
            Self::GapRatesByPosition => row("d(dg/dt)/dq", Form::Matrix(Contacts, Velocities)),
            Self::InverseDynamicsByPosition => row("dtau/dq", Form::Matrix(Velocities, Velocities)),
            Self::InverseDynamicsByVelocity => row("dtau/dv", Form::Matrix(Velocities, Velocities)),
            Self::ForcesByPosition => {
                row("d(Q + J^T lambda)/dq", Form::Matrix(Velocities, Velocities))
            }
            Self::ForcesByVelocity => row("dQ/dv", Form::Matrix(Velocities, Velocities)),
            Self::ForcesByHeld => row("d(Q - h)/d(z, u)", Form::Matrix(Velocities, Held)),
            Self::ConstraintsByPosition => {
                row("d(gamma - J a)/dq", Form::Matrix(Constraints, Velocities))
            }
            Self::ConstraintsByVelocity => row("dgamma/dv", Form::Matrix(Constraints, Velocities)),
            Self::ConstraintVelocityByPosition => {
                row("d(dr/dt)/dq", Form::Matrix(Constraints, Velocities))
            }
            Self::Output(_)
            | Self::OutputJacobian(_)
            | Self::OutputByVelocities(_)
            | Self::OutputByStates(_)
            | Self::OutputByInputs(_)
            | Self::OutputRate(_)
            | Self::OutputBias(_)
            | Self::OutputHessian(_) => row("", Form::Own),
            Self::FrameOrigin(_) => row("", Form::Vector(Extent::Known(3))),
            Self::FrameRotation(_) => row("", Form::Matrix(Extent::Known(3), Extent::Known(3))),
            Self::FrameVelocity(_) | Self::FrameBias(_) => row("", Form::Vector(Extent::Known(6))),
            Self::FrameJacobian(_) => row("", Form::Matrix(Extent::Known(6), Velocities)),
            Self::KineticMomenta => row("M v", Form::Vector(Velocities)),
            Self::MomentumRate => row("dp/dt", Form::Vector(Velocities)),
            Self::MomentumForces => row("F", Form::Vector(Velocities)),
            Self::WeightedMomentaByPosition => row("y dp/dq", Form::Vector(Velocities)),
            Self::WeightedMomentaByVelocity => row("y dp/dv", Form::Vector(Velocities)),
            Self::WeightedMomentaByHeld => row("y dp/d(z, u)", Form::Vector(Held)),
            Self::Regressor(_) => row("Y", Form::Own),
            Self::EquationsByParameter(_) => {
                row("d(f - M a + J^T lambda)/dtheta", Form::Vector(Velocities))
            }
            Self::ConstraintsByParameter(_) => {
                row("d(gamma - J a)/dtheta", Form::Vector(Constraints))
            }
            Self::WeightedHessian => {
                row("y d2f", Form::Matrix(Extent::Variables, Extent::Variables))
            }
            Self::WeightedMixed => row(
                "y d2f/d(a, lambda)",
                Form::Matrix(Extent::Variables, Extent::Motion),
            ),
            Self::WeightedGradientChange => row("d(y df)", Form::Vector(Extent::Variables)),
            Self::WeightedMixedChange => row("d(y df/d(a, lambda))", Form::Vector(Extent::Motion)),
            Self::NoetherMomentum(_) => row("p . xi", Form::Scalar),
            Self::MassMatrixFull => row("A", Form::Matrix(Full, Full)),
            Self::ForcingFull => row("b", Form::Vector(Full)),
            Self::WeightedInverseDynamicsByPosition => row("y dtau/dq", Form::Vector(Velocities)),
            Self::WeightedInverseDynamicsByVelocity => row("y dtau/dv", Form::Vector(Velocities)),
            Self::WeightedForcesByPosition => row("y dQ/dq", Form::Vector(Velocities)),
            Self::WeightedForcesByVelocity => row("y dQ/dv", Form::Vector(Velocities)),
            Self::WeightedForcesByHeld => row("y d(Q - h)/d(z, u)", Form::Vector(Held)),
            Self::StateRates => row("dz/dt", Form::Vector(States)),
            Self::StateRatesByPosition => row("d(dz/dt)/dq", Form::Matrix(States, Velocities)),
            Self::StateRatesByVelocity => row("d(dz/dt)/dv", Form::Matrix(States, Velocities)),
            Self::StateRatesByHeld => row("d(dz/dt)/d(z, u)", Form::Matrix(States, Held)),
            Self::WeightedStateRatesByPosition => row("y d(dz/dt)/dq", Form::Vector(Velocities)),
            Self::WeightedStateRatesByVelocity => row("y d(dz/dt)/dv", Form::Vector(Velocities)),
            Self::WeightedStateRatesByHeld => row("y d(dz/dt)/d(z, u)", Form::Vector(Held)),
        }
    }
}
