//! What a system needs to have a method.

use super::system::Routines;

/// What a system needs to have a method that not every system has.
///
/// ```
/// use lagrange_engine::Requirement;
/// assert_eq!(Requirement::of("impact"), Some(Requirement::Contacts));
/// assert_eq!(Requirement::of("energy"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requirement {
    /// T and V are given separately.
    SeparateEnergies,
    /// There are constraints.
    Constraints,
    /// There are constraints, and all of them are holonomic.
    HolonomicConstraints,
    /// Forces depend on multipliers.
    MultiplierForces,
    /// L is quadratic in the velocities.
    QuadraticLagrangian,
    /// There is a rotation.
    Rotations,
    /// There are contacts, and no first-order states.
    Contacts,
    /// There are contacts or joints with dry friction, no first-order states, and no forces by multipliers.
    Friction,
    /// There are first-order states.
    States,
    /// There are no first-order states.
    NoStates,
}

use Requirement::*;

/// The methods that not every system has.
const METHODS: [(Requirement, &str); 10] = [
    (
        SeparateEnergies,
        "kinetic_energy potential_energy potential_gradient coriolis_matrix",
    ),
    (
        Constraints,
        "constraint_residual constraint_velocity constraint_jacobian constraint_gamma constraint_forces \
         constraint_bounds constraint_velocity_derivatives multiplier_derivatives project",
    ),
    (HolonomicConstraints, "linearize_reduced"),
    (MultiplierForces, "multiplier_forces"),
    (
        QuadraticLagrangian,
        "velocity hamiltonian hamilton_equations",
    ),
    (Rotations, "linearize_fixed_axes"),
    (
        Contacts,
        "gaps gap_rates contact_jacobian contact_gamma solve_active impact delassus linearize_active \
         impact_derivatives",
    ),
    (Friction, "friction_terms resolve"),
    (States, "state_rates"),
    (NoStates, "midpoint_terms midpoint_vjp"),
];

impl Requirement {
    /// What a system needs to have the method of this name. `None` if every system has it.
    pub fn of(method: &str) -> Option<Self> {
        let lists = |names: &str| names.split(' ').any(|name| name == method);
        let row = METHODS.iter().find(|(_, names)| lists(names))?;
        Some(row.0)
    }

    /// Returns whether a system meets the requirement.
    pub(super) fn is_met_by(self, routines: &Routines) -> bool {
        let sizes = routines.sizes();
        match self {
            SeparateEnergies => routines.dynamics.is_natural(),
            Constraints => sizes.constraints > 0,
            HolonomicConstraints => sizes.constraints > 0 && sizes.holonomic == sizes.constraints,
            MultiplierForces => routines.has_multiplier_forces(),
            QuadraticLagrangian => routines.dynamics.is_quadratic(),
            Rotations => !routines.dynamics.kinematics().is_trivial(),
            Contacts => sizes.contacts > 0 && sizes.states == 0,
            Friction => {
                sizes.contacts + sizes.dry_joints > 0
                    && sizes.states == 0
                    && !routines.has_multiplier_forces()
            }
            States => sizes.states > 0,
            NoStates => sizes.states == 0,
        }
    }
}
