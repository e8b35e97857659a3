//! The names of what is generated beside the user's outputs: one list for the checks, which keep
//! outputs off them, and for the emission.

/// An enum with the name of each variant and a list of all.
macro_rules! names {
    ($(#[$attribute:meta])* $type:ident { $($variant:ident = $name:literal,)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum $type { $($variant,)* }

        impl $type {
            pub(crate) const ALL: &[Self] = &[$(Self::$variant,)*];

            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

names! {
    /// A method that every system, or every system of some kind, has.
    Method {
        CoordinateRates = "coordinate_rates",
        Integrate = "integrate",
        Difference = "difference",
        Neutral = "neutral",
        MassMatrix = "mass_matrix",
        Forcing = "forcing",
        Momenta = "momenta",
        Bias = "bias",
        GeneralizedForces = "generalized_forces",
        KineticEnergy = "kinetic_energy",
        PotentialEnergy = "potential_energy",
        CoriolisMatrix = "coriolis_matrix",
        PotentialGradient = "potential_gradient",
        Lagrangian = "lagrangian",
        Energy = "energy",
        JacobiIntegral = "jacobi_integral",
        InverseDynamics = "inverse_dynamics",
        Acceleration = "acceleration",
        AccelerationUnchecked = "acceleration_unchecked",
        Solve = "solve",
        StateDerivative = "state_derivative",
        StateDerivativeUnchecked = "state_derivative_unchecked",
        Rhs = "rhs",
        MassMatrixFull = "mass_matrix_full",
        ForcingFull = "forcing_full",
        Linearize = "linearize",
        ConstraintResidual = "constraint_residual",
        ConstraintVelocity = "constraint_velocity",
        ConstraintJacobian = "constraint_jacobian",
        ConstraintGamma = "constraint_gamma",
        ConstraintForces = "constraint_forces",
        Project = "project",
        Velocity = "velocity",
        Hamiltonian = "hamiltonian",
        HamiltonEquations = "hamilton_equations",
    }
}

names! {
    /// A constant of the struct.
    AssociatedConstant {
        Coordinates = "COORDINATES",
        Velocities = "VELOCITIES",
        Parameters = "PARAMETERS",
        Inputs = "INPUTS",
        Constraints = "CONSTRAINTS",
        DegreesOfFreedom = "DEGREES_OF_FREEDOM",
        Cyclic = "CYCLIC",
        ConservedMomenta = "CONSERVED_MOMENTA",
        ConservesEnergy = "CONSERVES_ENERGY",
        ConstantMassMatrix = "CONSTANT_MASS_MATRIX",
        Equations = "EQUATIONS",
    }
}

/// The private method that computes what the equations of motion are made of.
pub(crate) const TERMS: &str = "__terms";

/// Whether something generated has this name.
pub(crate) fn is_taken(name: &str) -> bool {
    let mut methods = Method::ALL.iter().map(|method| method.name());
    let mut constants = AssociatedConstant::ALL
        .iter()
        .map(|constant| constant.name());
    name == TERMS || methods.any(|taken| taken == name) || constants.any(|taken| taken == name)
}
