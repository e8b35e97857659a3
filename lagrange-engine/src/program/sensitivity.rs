//! Programs for the derivatives of accelerations: the solution of the equations of motion, and the derivatives
//! of the equations where it is.

use super::{Entries, SolveProgram};
use crate::{
    Dynamics, Equation, Factorization, NodeId, Operand, Quantity, Schedule, schedule_sensitivity,
};

/// Longer programs are left to methods that call each other.
const MAX_OPERATIONS: u32 = 6_000;

/// The derivatives of M a + h, of what it equals, and of the latter by the inputs.
const OF_EQUATIONS: [Quantity; 5] = [
    Quantity::InverseDynamicsByPosition,
    Quantity::InverseDynamicsByVelocity,
    Quantity::ForcesByPosition,
    Quantity::ForcesByVelocity,
    Quantity::ForcesByInput,
];

/// The same of one weighted sum of the equations.
const OF_WEIGHTED: [Quantity; 5] = [
    Quantity::WeightedInverseDynamicsByPosition,
    Quantity::WeightedInverseDynamicsByVelocity,
    Quantity::WeightedForcesByPosition,
    Quantity::WeightedForcesByVelocity,
    Quantity::WeightedForcesByInput,
];

/// Code for the solution of the equations of motion and the derivatives of the equations at it.
#[derive(Clone, Debug)]
pub struct SensitivityProgram {
    /// The code; its roots are the lower triangle of M row by row, f, and the derivatives.
    pub schedule: Schedule,
    /// The solution, and the factors for that of its derivatives.
    pub factorization: Factorization,
    /// The derivatives of `M a + h - Q` by position and by velocity, and those of Q by the inputs, row by row.
    pub derivatives: [Vec<Operand>; 3],
}

impl Dynamics {
    /// Code for M a = f and for the derivatives of `M a + h - Q` and of Q at its solution, in the cheapest form;
    /// `None` where it would be long, and with constraints.
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
        self.beyond_the_solution(&OF_EQUATIONS, false)
    }

    /// The same of one sum of the equations: its weights y solve `M y = w`, where w are the values of
    /// [`Symbol::Weight`](crate::Symbol::Weight).
    pub fn adjoint_program(&self) -> Option<SensitivityProgram> {
        self.beyond_the_solution(&OF_WEIGHTED, true)
    }

    fn beyond_the_solution(
        &self,
        quantities: &[Quantity; 5],
        weighted: bool,
    ) -> Option<SensitivityProgram> {
        if self.sizes().constraints > 0 {
            return None;
        }
        let quantities = [&SolveProgram::TERMS[..2], quantities].concat();
        let candidates = self.candidates(&quantities).into_iter();
        let programs = candidates.filter_map(|entries| self.sensitivities(&entries, weighted));
        let cheapest = programs.min_by_key(|program| program.schedule.operations().total());
        cheapest.filter(|program| program.schedule.operations().total() <= MAX_OPERATIONS)
    }

    fn sensitivities(&self, entries: &Entries, weighted: bool) -> Option<SensitivityProgram> {
        let part = |at: usize| &entries.nodes[entries.parts[at].clone()];
        let [
            mass,
            forcing,
            inverse_q,
            inverse_v,
            forces_q,
            forces_v,
            by_input,
        ] = [0, 1, 2, 3, 4, 5, 6].map(part);
        let less = |inverse: &[NodeId], forces: &[NodeId]| -> Vec<NodeId> {
            let graph = &mut self.derived().graph;
            let pairs = inverse.iter().zip(forces);
            pairs.map(|(a, b)| graph.sub(*a, *b)).collect()
        };
        let derivatives = [
            less(inverse_q, forces_q),
            less(inverse_v, forces_v),
            by_input.to_vec(),
        ];
        let equation = Equation {
            mass_matrix: &crate::lower_of(mass, forcing.len()),
            forcing,
            jacobian: &[],
            gamma: &[],
            singular: false,
            others: &derivatives.concat(),
        };
        let code = schedule_sensitivity(&self.graph(), equation, weighted)?;
        let first = equation.mass_matrix.len() + forcing.len();
        let mut rest = code.schedule.roots.get(first..)?;
        let derivatives = derivatives.map(|nodes| {
            let (own, others) = rest.split_at(nodes.len());
            rest = others;
            own.to_vec()
        });
        Some(SensitivityProgram {
            schedule: code.schedule,
            factorization: code.factorization?,
            derivatives,
        })
    }
}
