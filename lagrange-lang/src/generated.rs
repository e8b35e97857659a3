//! The names that are generated beside the user's outputs. The checks use this list to refuse outputs with these names,
//! and the code generation uses it too.

use lagrange_engine::Requirement;

/// Defines an enum with a name for each variant and a list of all variants.
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
    /// A method of every system, or of every system of some kind.
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
        StateRates = "state_rates",
        StateDerivative = "state_derivative",
        StateDerivativeUnchecked = "state_derivative_unchecked",
        Rhs = "rhs",
        MassMatrixFull = "mass_matrix_full",
        ForcingFull = "forcing_full",
        ConstraintResidual = "constraint_residual",
        ConstraintVelocity = "constraint_velocity",
        ConstraintJacobian = "constraint_jacobian",
        ConstraintGamma = "constraint_gamma",
        MultiplierForces = "multiplier_forces",
        ConstraintForces = "constraint_forces",
        Project = "project",
        InverseDynamicsDerivatives = "inverse_dynamics_derivatives",
        EquationDerivatives = "equation_derivatives",
        AccelerationDerivatives = "acceleration_derivatives",
        MultiplierDerivatives = "multiplier_derivatives",
        ConstraintVelocityDerivatives = "constraint_velocity_derivatives",
        Linearize = "linearize",
        LinearizeUnchecked = "linearize_unchecked",
        LinearizeFixedAxes = "linearize_fixed_axes",
        LinearizeReduced = "linearize_reduced",
        Vjp = "vjp",
        AccelerationHessian = "acceleration_hessian",
        MidpointTerms = "midpoint_terms",
        MidpointVjp = "midpoint_vjp",
        ConstraintBounds = "constraint_bounds",
        Velocity = "velocity",
        Hamiltonian = "hamiltonian",
        HamiltonEquations = "hamilton_equations",
        Gaps = "gaps",
        GapRates = "gap_rates",
        ContactJacobian = "contact_jacobian",
        ContactGamma = "contact_gamma",
        SolveActive = "solve_active",
        Impact = "impact",
        Delassus = "delassus",
        LinearizeActive = "linearize_active",
        ImpactDerivatives = "impact_derivatives",
        FrictionTerms = "friction_terms",
        Resolve = "resolve",
    }
}

names! {
    /// A method beside an output. The name of the output is its prefix: `hand_jacobian`.
    Beside {
        Velocity = "velocity",
        Jacobian = "jacobian",
        Rate = "rate",
        Bias = "bias",
        Derivatives = "derivatives",
        Hessian = "hessian",
    }
}

impl Beside {
    /// The name of this method beside the given output.
    pub(crate) fn of(self, output: &str) -> String {
        format!("{output}_{}", self.name())
    }
}

names! {
    /// An associated constant of the struct.
    AssociatedConstant {
        Coordinates = "COORDINATES",
        Velocities = "VELOCITIES",
        Parameters = "PARAMETERS",
        States = "STATES",
        Inputs = "INPUTS",
        Units = "UNITS",
        Constraints = "CONSTRAINTS",
        Contacts = "CONTACTS",
        HolonomicConstraints = "HOLONOMIC_CONSTRAINTS",
        DegreesOfFreedom = "DEGREES_OF_FREEDOM",
        Angular = "ANGULAR",
        Cyclic = "CYCLIC",
        ConservedMomenta = "CONSERVED_MOMENTA",
        ConservesEnergy = "CONSERVES_ENERGY",
        ConstantMassMatrix = "CONSTANT_MASS_MATRIX",
        Equations = "EQUATIONS",
        EquationsMathml = "EQUATIONS_MATHML",
    }
}

/// The maximum size of the energies of a system that has the methods for `midpoint_step` without a request: nodes and
/// operands. An arm has fewer, a humanoid more.
pub(crate) const MOST_MIDPOINT: usize = 4000;

/// The maximum number of operations of a `coriolis_matrix` that is generated without a request.
pub(crate) const MOST_CORIOLIS: u32 = 20_000;

/// Maximum number of rows of a Hessian, which is returned by value. The mass matrix has the same limit.
pub(crate) const MAX_HESSIAN: usize = 256;

/// The attribute that requests the second derivatives of accelerations.
pub(crate) const ASK_FOR_HESSIAN: &str = "#[lagrangian(hessian)]";

/// The attribute that requests a longer one.
pub(crate) const ASK_FOR_CORIOLIS: &str = "#[lagrangian(coriolis_matrix)]";

/// The private methods that solve with pivoting, with and without a check.
pub(crate) const PIVOTED: &str = "__pivoted";
pub(crate) const PIVOTED_UNCHECKED: &str = "__pivoted_unchecked";

/// The private method that moves a state onto the constraints if the rank of J is not clear beside them.
pub(crate) const CLEAR: &str = "__clear";

/// The private method with J and J_c for contacts, in which rows of rounding errors are zeros.
pub(crate) const TOUCHING_ROWS: &str = "__touching_rows";

/// The private method that finds the non-finite parameter after a non-finite result.
pub(crate) const BLAME: &str = "__blame";

/// The private method that writes only a large M.
pub(crate) const INERTIA: &str = "__inertia";

/// The private method that writes only a large J.
pub(crate) const ROWS: &str = "__rows";

/// The private method with the derivatives of an unrolled solution.
pub(crate) const LINEARIZED: &str = "__linearized";

/// The private method with the derivatives of an unrolled solution, without a check.
pub(crate) const LINEARIZED_UNCHECKED: &str = "__linearized_unchecked";

/// The private method with the straight-line code that the methods with derivatives share.
pub(crate) const SENSITIVITIES: &str = "__sensitivities";

/// The private method with the derivatives of a solution by pivoting.
pub(crate) const DIFFERENTIATED: &str = "__differentiated";
/// The private methods that write large values of `equation_derivatives` and `linearize` to a place.
pub(crate) const EQUATION_DERIVATIVES: &str = "__equation_derivatives";
pub(crate) const LINEARIZE: &str = "__linearize";

/// Methods of the traits that the struct implements or can derive. An output with one of these names would hide the
/// method. Names that are mainly mathematics, such as `min` and `max` of `Ord`, are allowed.
const OF_TRAITS: [(&str, &[&str]); 7] = [
    ("Default", &["default"]),
    ("Clone", &["clone", "clone_from"]),
    ("Debug", &["fmt"]),
    ("PartialEq", &["eq", "ne"]),
    ("PartialOrd", &["partial_cmp"]),
    ("Ord", &["cmp"]),
    ("Hash", &["hash"]),
];

/// The trait with a method of this name.
pub(crate) fn trait_with(name: &str) -> Option<&'static str> {
    let has = |(_, methods): &&(&str, &[&str])| methods.contains(&name);
    OF_TRAITS.iter().find(has).map(|(of, _)| *of)
}

/// The constructor.
pub(crate) const NEW: &str = "new";

/// The conversion to another scalar.
pub(crate) const CAST: &str = "cast";

/// The name of `integrate` in the trait `Unchecked`.
pub(crate) const INTEGRATE_UNCHECKED: &str = "integrate_unchecked";

/// The names of the constants with exported texts.
pub(crate) const EXPORTS: [&str; 4] = ["C99", "CUDA", "WGSL", "CASADI"];

/// The parts of a system that bring items of their own.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    pub(crate) contacts: bool,
    /// Contacts, or joints with dry friction that sticks.
    pub(crate) friction: bool,
    pub(crate) states: bool,
}

/// True if something that is generated for a system with these parts has this name.
pub(crate) fn is_taken(name: &str, parts: Parts) -> bool {
    let exists = |method: &Method| match method {
        Method::StateRates => parts.states,
        _ => match Requirement::of(method.name()) {
            Some(Requirement::Contacts) => parts.contacts,
            Some(Requirement::Friction) => parts.friction,
            _ => true,
        },
    };
    let methods = Method::ALL
        .iter()
        .filter(|method| exists(method))
        .map(|method| method.name());
    let constants = AssociatedConstant::ALL
        .iter()
        .filter(|constant| parts.states || **constant != AssociatedConstant::States)
        .map(|constant| constant.name());
    let taken = methods.chain(constants).chain([
        PIVOTED,
        PIVOTED_UNCHECKED,
        CLEAR,
        TOUCHING_ROWS,
        BLAME,
        INERTIA,
        ROWS,
        LINEARIZED,
        LINEARIZED_UNCHECKED,
        SENSITIVITIES,
        DIFFERENTIATED,
        EQUATION_DERIVATIVES,
        LINEARIZE,
        NEW,
        CAST,
        INTEGRATE_UNCHECKED,
    ]);
    let mut taken = taken.chain(EXPORTS);
    taken.any(|taken| taken == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests the methods that the reference lists.
    #[test]
    fn every_method_of_the_design_is_taken() {
        for name in "mass_matrix forcing momenta bias generalized_forces kinetic_energy \
                     potential_energy coriolis_matrix potential_gradient lagrangian energy \
                     jacobi_integral inverse_dynamics acceleration acceleration_unchecked solve \
                     coordinate_rates integrate difference neutral state_derivative \
                     state_derivative_unchecked rhs mass_matrix_full forcing_full linearize \
                     linearize_fixed_axes \
                     multiplier_derivatives inverse_dynamics_derivatives vjp constraint_residual \
                     constraint_velocity constraint_jacobian constraint_gamma constraint_forces project \
                     velocity hamiltonian hamilton_equations gaps gap_rates contact_jacobian contact_gamma \
                     solve_active impact delassus linearize_active impact_derivatives friction_terms resolve CONTACTS state_rates STATES new cast COORDINATES VELOCITIES PARAMETERS \
                     INPUTS CONSTRAINTS DEGREES_OF_FREEDOM CYCLIC CONSERVED_MOMENTA CONSERVES_ENERGY \
                     CONSTANT_MASS_MATRIX EQUATIONS"
            .split_whitespace()
        {
            let (contacts, friction, states) = (true, true, true);
            let parts = Parts {
                contacts,
                friction,
                states,
            };
            assert!(is_taken(name, parts), "{name}");
        }
    }
}
