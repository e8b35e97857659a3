//! Programs for the derivatives of accelerations: the solution of the equations of motion, and the derivatives of the
//! equations at it.

use super::{Entries, SolveProgram};
use crate::codegen::cost_model::{
    MOST_OF_SENSITIVITIES, MOST_PAIRS_OF_SENSITIVITIES, MOST_SIMPLIFIED_SENSITIVITIES,
};
use crate::{
    Beyond, Dynamics, Equation, Factorization, NodeId, Operand, Quantity, Schedule,
    schedule_sensitivity,
};

/// The derivatives of M a + h, of its right-hand side, of Q - h by first-order states and inputs, and of gamma - J a.
const OF_EQUATIONS: [Quantity; 7] = [
    Quantity::InverseDynamicsByPosition,
    Quantity::InverseDynamicsByVelocity,
    Quantity::ForcesByPosition,
    Quantity::ForcesByVelocity,
    Quantity::ForcesByHeld,
    Quantity::ConstraintsByPosition,
    Quantity::ConstraintsByVelocity,
];

/// The derivatives of one weighted sum of the equations.
const OF_WEIGHTED: [Quantity; 5] = [
    Quantity::WeightedInverseDynamicsByPosition,
    Quantity::WeightedInverseDynamicsByVelocity,
    Quantity::WeightedForcesByPosition,
    Quantity::WeightedForcesByVelocity,
    Quantity::WeightedForcesByHeld,
];

/// The derivatives of the equations, and the second derivatives of one weighted sum.
const WITH_HESSIAN: [Quantity; 9] = {
    let [a, b, c, d, e, f, g] = OF_EQUATIONS;
    let (hessian, mixed) = (Quantity::WeightedHessian, Quantity::WeightedMixed);
    [a, b, c, d, e, f, g, hessian, mixed]
};

/// The kind of the values beside the solution.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Columns,
    Weighted,
    Hessian,
}

/// Code for the solution of the equations of motion and the derivatives of the equations at it.
#[derive(Clone, Debug)]
pub struct SensitivityProgram {
    /// The code; its roots are the lower triangle of M row by row, f, J row by row, gamma, and the derivatives.
    pub schedule: Schedule,
    /// J, row by row.
    pub jacobian: Vec<Operand>,
    /// The solution, and the factors for that of its derivatives.
    pub factorization: Factorization,
    /// The derivatives of `M a + h - Q - J^T lambda` by position and by velocity, and those of Q - h by first-order states
    /// and inputs, row by row.
    pub derivatives: [Vec<Operand>; 3],
    /// The derivatives of `J a - gamma` by position and by velocity; empty for one weighted sum of the equations.
    pub rates: [Vec<Operand>; 2],
    /// The second derivatives of the weighted accelerations, row by row; empty unless they are requested.
    pub hessian: Vec<Operand>,
}

impl Dynamics {
    /// Code for the solution of the equations of motion, and for the derivatives of `M a + h - Q - J^T lambda`, of
    /// `J a - gamma` and of Q at it, in the cheapest form; `None` if it would be long, or if M is singular at every
    /// state.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Symbol, System};
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
    ///             node %2 = coordinate 0\nnode %3 = product %2^2\npotential %3\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let mut program = dynamics.sensitivity_program().expect("a short one");
    /// program.schedule.roots = program.derivatives.concat();
    /// // 2 a + 2 x
    /// assert_eq!(program.schedule.evaluate(&|_: Symbol| 3.0), [2.0, 0.0]);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn sensitivity_program(&self) -> Option<SensitivityProgram> {
        if !self.writes_inverse_dynamics_derivatives() || !self.writes_force_derivatives() {
            return None;
        }
        let pairs = self.deriving(|derivation| derivation.fewest_pairs());
        if pairs.is_none_or(|pairs| pairs > MOST_PAIRS_OF_SENSITIVITIES) {
            return None;
        }
        self.search_from_start(|| self.find_cheapest_sensitivity(&OF_EQUATIONS, Kind::Columns))
    }

    /// The same with the second derivatives of the sum of the accelerations that the values w of
    /// [`Symbol::Weight`](crate::Symbol::Weight) weight; `None` also if the derivatives of the solution would not be
    /// unrolled.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Symbol, System};
    /// // 2 a + 3 x^2 = 0
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
    ///             node %2 = coordinate 0\nnode %3 = product %2^3\npotential %3\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let mut program = dynamics.hessian_program().expect("a short one");
    /// program.schedule.roots = program.hessian;
    /// // -3 w by x and x, nothing else.
    /// let value = |symbol| if symbol == Symbol::Weight(0) { 4.0 } else { 5.0 };
    /// assert_eq!(program.schedule.evaluate(&value), [-12.0, 0.0, 0.0, 0.0]);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn hessian_program(&self) -> Option<SensitivityProgram> {
        if !self.writes_weighted_hessian() {
            return None;
        }
        self.search_from_start(|| self.find_cheapest_sensitivity(&WITH_HESSIAN, Kind::Hessian))
    }

    /// The same for one sum of the equations: its weights y solve `M y = w` with the values w of
    /// [`Symbol::Weight`](crate::Symbol::Weight).
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Symbol, System};
    /// // 2 a + 3 x^2 = 0
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n\
    ///             node %2 = coordinate 0\nnode %3 = product %2^3\npotential %3\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let mut program = dynamics.adjoint_program().expect("a short one");
    /// program.schedule.roots = program.derivatives.concat();
    /// // y = 4/2, and y times the derivatives by x and by v.
    /// let value = |symbol| if symbol == Symbol::Weight(0) { 4.0 } else { 5.0 };
    /// assert_eq!(program.schedule.evaluate(&value), [60.0, 0.0]);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn adjoint_program(&self) -> Option<SensitivityProgram> {
        if self.sizes().constraints > 0 {
            return None;
        }
        self.search_from_start(|| self.find_cheapest_sensitivity(&OF_WEIGHTED, Kind::Weighted))
    }

    fn find_cheapest_sensitivity(
        &self,
        quantities: &[Quantity],
        kind: Kind,
    ) -> Option<SensitivityProgram> {
        // With factors of M + J^T W J columns would lose digits.
        if self.has_singular_mass_matrix() {
            return None;
        }
        let quantities = [&SolveProgram::TERMS[..], quantities].concat();
        let cheapest = self
            .candidates_from_start(&quantities)
            .into_iter()
            .filter(|entries| self.estimate(&entries.nodes) <= MOST_SIMPLIFIED_SENSITIVITIES)
            .filter_map(|entries| self.schedule_sensitivities(&entries, kind))
            .min_by_key(|program| program.schedule.operations().total());
        cheapest.filter(|program| program.schedule.operations().total() <= MOST_OF_SENSITIVITIES)
    }

    fn schedule_sensitivities(&self, entries: &Entries, kind: Kind) -> Option<SensitivityProgram> {
        let part = |number: usize| {
            entries
                .parts
                .get(number)
                .cloned()
                .map_or(&[][..], |nodes| &entries.nodes[nodes])
        };
        let [mass, forcing, jacobian, gamma] = [0, 1, 2, 3].map(part);
        let [inverse_q, inverse_v, forces_q, forces_v, by_input] = [4, 5, 6, 7, 8].map(part);
        let less = |inverse: &[NodeId], forces: &[NodeId]| -> Vec<NodeId> {
            let graph = &mut self.derived().graph;
            inverse
                .iter()
                .zip(forces)
                .map(|(a, b)| graph.sub(*a, *b))
                .collect()
        };
        let minus = |rates: &[NodeId]| -> Vec<NodeId> {
            let graph = &mut self.derived().graph;
            rates.iter().map(|rate| graph.neg(*rate)).collect()
        };
        let derivatives = [
            less(inverse_q, forces_q),
            less(inverse_v, forces_v),
            by_input.to_vec(),
        ];
        let rates = [9, 10].map(|number| minus(part(number)));
        let second = [part(11), part(12)].concat();
        let equation = Equation {
            mass_matrix: &crate::lower_of(mass, forcing.len()),
            forcing,
            jacobian,
            gamma,
            singular: false,
            others: &[derivatives.concat(), rates.concat(), second].concat(),
        };
        let inputs = by_input.len() / forcing.len().max(1);
        let beyond = match kind {
            Kind::Weighted => Beyond::Weighted,
            Kind::Columns => Beyond::Columns { inputs },
            Kind::Hessian => Beyond::Hessian { inputs },
        };
        let code = schedule_sensitivity(&self.graph(), equation, beyond)?;
        let mut roots = &code.schedule.roots[..];
        let mut take_roots = |length: usize| -> Option<Vec<Operand>> {
            let (taken, remaining) = roots.split_at_checked(length)?;
            roots = remaining;
            Some(taken.to_vec())
        };
        take_roots(equation.mass_matrix.len() + forcing.len())?;
        let jacobian = take_roots(jacobian.len())?;
        take_roots(gamma.len())?;
        let [by_position, by_velocity, by_input] =
            derivatives.map(|nodes| take_roots(nodes.len()).unwrap_or_default());
        let rates = rates.map(|nodes| take_roots(nodes.len()).unwrap_or_default());
        let hessian = take_roots(part(11).len()).unwrap_or_default();
        Some(SensitivityProgram {
            jacobian,
            derivatives: [by_position, by_velocity, by_input],
            rates,
            hessian,
            factorization: code.factorization?,
            schedule: code.schedule,
        })
    }
}
