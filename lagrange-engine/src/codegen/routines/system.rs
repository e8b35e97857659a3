//! The system that routines are built from.

use std::ops::Range;

use crate::{Dynamics, Quantity, Sizes};

/// The methods of a system as data.
///
/// ```
/// use lagrange_engine::{Dynamics, Routines, System};
/// // A mass on a spring: 2 a = -2 x.
/// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
///             node %2 = coordinate 0\nnode %3 = product %2^2\npotential %3\n";
/// let dynamics = Dynamics::new(text.parse::<System>()?);
/// let routines = Routines::new(&dynamics);
/// let values = routines.evaluate("acceleration", &[vec![3.0], vec![0.0]], &[]);
/// assert_eq!(values, Ok(vec![vec![-3.0]]));
/// # Ok::<(), lagrange_engine::ParseError>(())
/// ```
#[derive(Debug)]
pub struct Routines<'a> {
    pub(in crate::codegen) dynamics: &'a Dynamics,
}

/// A part of a bundle.
#[derive(Clone, Debug)]
pub enum BundlePart {
    /// Quantities, each with the name of its result.
    Quantities(Vec<(String, Quantity)>),
    /// All results of a method.
    Call(String),
}

/// The names of routines that only others call. No method and no output has a space in its name.
pub(super) mod private {
    /// a and lambda by pivoting.
    pub(in crate::codegen::routines) const PIVOTED: &str = "private solve_pivoted";
    /// The derivatives of a and lambda by q, v and u.
    pub(in crate::codegen::routines) const DIFFERENTIATED: &str = "private differentiated";
    /// The same without a check.
    pub(in crate::codegen::routines) const DIFFERENTIATED_UNCHECKED: &str =
        "private differentiated_unchecked";
    /// J, with zeros for rows of rounding errors.
    pub(in crate::codegen::routines) const JACOBIAN: &str = "private jacobian";
    /// The same of contacts.
    pub(in crate::codegen::routines) const CONTACT_JACOBIAN: &str = "private contact_jacobian";
    /// Residuals of holonomic constraints, their rows of J, and limits of the residuals.
    pub(in crate::codegen::routines) const RESIDUALS: &str = "private residuals";
    /// Rates of constraints and their limits.
    pub(in crate::codegen::routines) const RATES: &str = "private rates";
    /// q on the constraints.
    pub(in crate::codegen::routines) const POSITIONS: &str = "private positions";
    /// v on the constraints.
    pub(in crate::codegen::routines) const VELOCITIES: &str = "private velocities";
    /// M, without velocities, at rest.
    pub(in crate::codegen::routines) const INERTIA: &str = "private inertia_at_rest";
}

impl<'a> Routines<'a> {
    /// The routines of a system. Nothing is derived before it is needed.
    pub fn new(dynamics: &'a Dynamics) -> Self {
        Self { dynamics }
    }

    pub(super) fn sizes(&self) -> Sizes {
        self.dynamics.sizes()
    }

    /// True if forces depend on multipliers of constraints: then the equations of motion are not symmetric.
    pub(super) fn reacts(&self) -> bool {
        self.depends_on(0..self.sizes().constraints)
    }

    /// True if forces depend on multipliers, those of contacts included.
    pub(super) fn has_multiplier_forces(&self) -> bool {
        let sizes = self.sizes();
        self.depends_on(0..sizes.constraints + sizes.contacts)
    }

    fn depends_on(&self, multipliers: Range<usize>) -> bool {
        let matrix = self.dynamics.expressions(Quantity::MultiplierForces);
        let sizes = self.sizes();
        let rows = matrix.chunks((sizes.constraints + sizes.contacts).max(1));
        let mut entries = rows.flat_map(|row| row.get(multipliers.clone()).unwrap_or_default());
        let graph = self.dynamics.graph();
        entries.any(|entry| !graph.is_zero(*entry))
    }

    pub(super) fn has_time(&self) -> bool {
        self.dynamics.names().time.is_some()
    }
}
