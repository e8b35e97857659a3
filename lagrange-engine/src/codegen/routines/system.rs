//! The system that routines are built from.

use std::cell::OnceCell;
use std::ops::Range;

use crate::codegen::routine::Equations;
use crate::{Dynamics, Kinematics, Quantity, SensitivityProgram, Sizes, SolveProgram};

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
    /// True if rows of constraints and contacts may depend on each other.
    pub(super) are_redundant: bool,
    solution: OnceCell<SolveProgram>,
    sensitivities: OnceCell<Option<SensitivityProgram>>,
}

/// A part of a bundle.
#[derive(Clone, Debug)]
pub enum BundlePart {
    /// Quantities, each with the name of its result.
    Quantities(Vec<(String, Quantity)>),
    /// All results of a method.
    Call(String),
}

/// The names of routines that only others call. No method and no output has a space in its name. Rust has methods for
/// those of the same name after the space.
pub(super) mod private {
    /// a and lambda by pivoting.
    pub(in crate::codegen::routines) const PIVOTED: &str = "private solve_pivoted";
    /// a by pivoting, without a check.
    pub(in crate::codegen::routines) const PIVOTED_UNCHECKED: &str =
        "private solve_pivoted_unchecked";
    /// The derivatives of a and lambda by the state and by u, by straight-line code: A and B without the rates of
    /// displacements, with constraints also the derivatives of lambda.
    pub(in crate::codegen::routines) const LINEARIZED: &str = "private linearized";
    /// The same without a check.
    pub(in crate::codegen::routines) const LINEARIZED_UNCHECKED: &str =
        "private linearized_unchecked";
    /// The derivatives of a and lambda by q, v and u, by pivoting.
    pub(in crate::codegen::routines) const DIFFERENTIATED: &str = "private differentiated";
    /// a, lambda and the rank of J as a real number.
    pub(in crate::codegen::routines) const SOLVED: &str = "private solve";
    /// q and v, moved onto the constraints if the rank of J is not clear beside them.
    pub(in crate::codegen::routines) const CLEAR: &str = "private clear";
    /// J, with zeros for rows of rounding errors.
    pub(in crate::codegen::routines) const JACOBIAN: &str = "private constraint_jacobian";
    /// The same and J_c of contacts.
    pub(in crate::codegen::routines) const TOUCHING_ROWS: &str = "private touching_rows";
    /// Residuals of holonomic constraints, their rows of J, and limits of the residuals.
    pub(in crate::codegen::routines) const RESIDUALS: &str = "private residuals";
    /// Rates of constraints and their limits.
    pub(in crate::codegen::routines) const RATES: &str = "private rates";
    /// q on the constraints.
    pub(in crate::codegen::routines) const POSITIONS: &str = "private positions";
    /// v on the constraints.
    pub(in crate::codegen::routines) const VELOCITIES: &str = "private velocities";
}

impl<'a> Routines<'a> {
    /// The routines of a system. Nothing is derived before it is needed.
    pub fn new(dynamics: &'a Dynamics) -> Self {
        Self {
            dynamics,
            are_redundant: false,
            solution: OnceCell::new(),
            sensitivities: OnceCell::new(),
        }
    }

    /// The same if rows of J, and of contacts, `are_redundant`: they may depend on each other. `solve` has the rank of
    /// J as a further result.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Routines, System};
    /// // A mass on x = 0, which is written twice.
    /// let text = "coordinates x y\nnode %0 = velocity 0\nnode %1 = velocity 1\nnode %2 = product %0^2\n\
    ///             node %3 = product %1^2\nnode %4 = sum 0 1*%2 1*%3\nkinetic %4\nnode %5 = coordinate 0\n\
    ///             potential %5\nholonomic one %5\nholonomic other %5\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let routines = Routines::new(&dynamics).with_redundant_rows(true);
    /// let solved = routines.evaluate("solve", &[vec![0.0; 2], vec![0.0; 2]], &[]).expect("a motion");
    /// assert_eq!((&solved[0], &solved[2]), (&vec![0.0, 0.0], &vec![1.0]));
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    #[must_use]
    pub fn with_redundant_rows(self, are_redundant: bool) -> Self {
        Self {
            are_redundant,
            ..self
        }
    }

    /// The code for the solution of the equations of motion. It does not hold if forces depend on multipliers.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Routines, System};
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert!(Routines::new(&dynamics).solve_program().factorization.is_some());
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn solve_program(&self) -> &SolveProgram {
        self.solution
            .get_or_init(|| match self.has_redundant_rows() {
                true => self.dynamics.redundant_solve_program(),
                false => self.dynamics.solve_program(),
            })
    }

    /// The code for the derivatives of a and lambda: only if the solution is unrolled, rows of J do not depend on each
    /// other, and there are no first-order states.
    pub(super) fn sensitivities(&self) -> Option<&SensitivityProgram> {
        let program = self.sensitivities.get_or_init(|| {
            let is_unrolled = self.equations() == Equations::Regular
                && self.sizes().states == 0
                && self.solve_program().factorization.is_some();
            is_unrolled
                .then(|| self.dynamics.sensitivity_program())
                .flatten()
        });
        program.as_ref()
    }

    /// True if rows of J may depend on each other.
    pub(super) fn has_redundant_rows(&self) -> bool {
        self.are_redundant && self.sizes().constraints > 0
    }

    pub(super) fn sizes(&self) -> Sizes {
        self.dynamics.sizes()
    }

    /// True if forces depend on multipliers of constraints: then the equations of motion are not symmetric.
    pub(super) fn reacts(&self) -> bool {
        self.depends_on(0..self.sizes().constraints)
    }

    /// The equations of motion.
    pub(super) fn equations(&self) -> Equations {
        if self.reacts() {
            Equations::Reacting
        } else if self.has_redundant_rows() {
            Equations::Redundant
        } else {
            Equations::Regular
        }
    }

    /// The equations of changes of q and v by impulses of the constraints.
    pub(super) fn equations_of_steps(&self) -> Equations {
        match self.has_redundant_rows() {
            true => Equations::Independent,
            false => Equations::Regular,
        }
    }

    /// True if forces depend on multipliers, those of contacts included.
    pub(super) fn has_multiplier_forces(&self) -> bool {
        let sizes = self.sizes();
        self.depends_on(0..sizes.constraints + sizes.contacts)
    }

    pub(super) fn depends_on(&self, multipliers: Range<usize>) -> bool {
        let matrix = self.dynamics.expressions(Quantity::MultiplierForces);
        let sizes = self.sizes();
        let mut entries = matrix
            .chunks((sizes.constraints + sizes.contacts).max(1))
            .flat_map(|row| row.get(multipliers.clone()).unwrap_or_default());
        let graph = self.dynamics.graph();
        entries.any(|entry| !graph.is_zero(*entry))
    }

    /// The number of parameters, element by element.
    pub(crate) fn parameter_count(&self) -> usize {
        self.dynamics.names().parameters.len()
    }

    pub(crate) fn kinematics(&self) -> &Kinematics {
        self.dynamics.kinematics()
    }

    /// Time if the system declares it, and the existing ones among these arguments.
    pub(super) fn existing<'n>(&self, arguments: &[&'n str]) -> Vec<&'n str> {
        let sizes = self.sizes();
        let time = self.dynamics.names().time.as_ref().map(|_| "t");
        let others = arguments.iter().copied().filter(|name| match *name {
            "z" => sizes.states > 0,
            "u" => sizes.inputs > 0,
            _ => true,
        });
        time.into_iter().chain(others).collect()
    }
}
