//! Programs: the code of several quantities together, in the form that costs least.

mod sensitivity;

use std::ops::Range;

pub use sensitivity::SensitivityProgram;

use crate::forms::Form;
use crate::{
    Answer, Dynamics, Equation, Factorization, Graph, NodeId, Operand, Operations, Quantity,
    Schedule, Symbol, is_singular, schedule, schedule_solve,
};

/// Straight-line code for a set of quantities.
#[derive(Clone, Debug)]
pub struct Program {
    /// The code; its roots are all entries, quantity by quantity.
    pub schedule: Schedule,
    /// The same entries as expressions, simplified.
    pub expressions: Vec<NodeId>,
    /// Which entries belong to which quantity, as asked for.
    parts: Vec<Range<usize>>,
}

impl Program {
    /// The operations it takes.
    pub fn operations(&self) -> Operations {
        self.schedule.operations()
    }

    /// The number of quantities that were asked for.
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// The results of the quantity that was asked for at this position, row by row.
    pub fn results(&self, position: usize) -> &[Operand] {
        &self.schedule.roots[self.parts[position].clone()]
    }

    /// The expressions of the quantity that was asked for at this position, row by row.
    pub fn expressions_of(&self, position: usize) -> &[NodeId] {
        &self.expressions[self.parts[position].clone()]
    }
}

/// Code for M, f, J and gamma and, if it is not too long, for the solution of the equations of motion.
#[derive(Clone, Debug)]
pub struct SolveProgram {
    /// The terms: [`SolveProgram::TERMS`], and what else was asked for.
    pub terms: Program,
    /// The unrolled solution, unless it would be too long or a pivot is zero by structure.
    pub factorization: Option<Factorization>,
}

impl SolveProgram {
    /// What the terms of the equations of motion are, in their order.
    pub const TERMS: [Quantity; 4] = [
        Quantity::MassMatrix,
        Quantity::Forcing,
        Quantity::ConstraintJacobian,
        Quantity::ConstraintGamma,
    ];
}

impl Dynamics {
    /// Code for these quantities together, in the cheapest of the forms that the system has.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Quantity, Symbol, System};
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let program = dynamics.program(&[Quantity::Momenta, Quantity::MassMatrix]);
    /// assert_eq!(program.operations().to_string(), "1 mul");
    /// assert_eq!(program.schedule.evaluate(&|_: Symbol| 3.0), [6.0, 2.0]);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn program(&self, quantities: &[Quantity]) -> Program {
        let programs = self.programs(quantities).into_iter();
        let cheapest = programs.min_by_key(|program| program.operations().total());
        // There is always the form as written.
        cheapest.unwrap_or_else(|| self.written(Entries::default()))
    }

    /// Derives quantities, in their order, before any of them is simplified.
    ///
    /// The order of the graph's nodes decides between forms of equal length. After this it does not hang on
    /// which program is asked for first.
    pub fn prepare(&self, quantities: &[Quantity]) {
        self.deriving(|derivation| {
            derivation.quantity(Form::AsWritten, Quantity::Momenta);
            derivation.gradient_of(derivation.system.energy);
        });
        for form in [Form::AsWritten, Form::Multibody] {
            self.entries(form, quantities);
        }
    }

    /// Code for these quantities in every form that the system has, and simplified in every way: all
    /// compute the same.
    pub fn programs(&self, quantities: &[Quantity]) -> Vec<Program> {
        let candidates = self.candidates(quantities).into_iter();
        candidates.map(|entries| self.written(entries)).collect()
    }

    /// Code for the terms of the equations of motion and their solution together, in the cheapest form.
    pub fn solve_program(&self) -> SolveProgram {
        self.solve_program_with(&[])
    }

    /// The same with further quantities, whose results follow those of [`SolveProgram::TERMS`].
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Quantity, SolveProgram, Symbol, System};
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let program = dynamics.solve_program_with(&[Quantity::Momenta]).terms;
    /// let momenta = program.results(SolveProgram::TERMS.len());
    /// let values = program.schedule.evaluate(&|_: Symbol| 3.0);
    /// assert_eq!(program.schedule.roots[2], momenta[0]);
    /// assert_eq!(values, [2.0, 0.0, 6.0]);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn solve_program_with(&self, others: &[Quantity]) -> SolveProgram {
        let quantities = [&SolveProgram::TERMS[..], others].concat();
        let candidates = self.candidates(&quantities).into_iter();
        let programs = candidates.map(|entries| self.solved(entries));
        let cheapest = programs.min_by_key(|program| program.terms.operations().total());
        cheapest.unwrap_or_else(|| self.solved(Entries::default()))
    }

    /// The solution x of M x = b by the factorisation unrolled over the zeros of M, or `None` where it would
    /// take more operations than these. The entries of M on and below the diagonal, row by row, are
    /// `Symbol::Parameter`, those of b are `Symbol::Momentum`.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Symbol, System};
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let (mut code, factors) = dynamics.inverse_program(100).expect("a short one");
    /// code.roots = factors.solution;
    /// let value = |symbol| if symbol == Symbol::Parameter(0) { 2.0 } else { 3.0 };
    /// assert_eq!(code.evaluate(&value), [1.5]);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn inverse_program(&self, most_operations: u32) -> Option<(Schedule, Factorization)> {
        let n = self.sizes().velocities;
        let mass_matrix = crate::lower_of(&self.written_expressions(Quantity::MassMatrix), n);
        let mut graph = Graph::new();
        let mut entry = |i: usize, is_zero| {
            if is_zero {
                graph.integer(0)
            } else {
                graph.symbol(Symbol::Parameter(i as u32))
            }
        };
        let zeros = mass_matrix.iter().map(|node| self.graph().is_zero(*node));
        let pattern: Vec<NodeId> = zeros.enumerate().map(|(i, zero)| entry(i, zero)).collect();
        let momenta = (0..n as u32).map(|i| graph.symbol(Symbol::Momentum(i)));
        let forcing: Vec<NodeId> = momenta.collect();
        let code = schedule_solve(
            &graph,
            Equation {
                mass_matrix: &pattern,
                forcing: &forcing,
                jacobian: &[],
                gamma: &[],
                singular: false,
                others: &[],
            },
        );
        let is_short = code.schedule.operations().total() <= most_operations;
        let factors = code.factorization.filter(|_| is_short)?;
        Some((code.schedule, factors))
    }

    /// The entries of the quantities in every form, each simplified in both ways; none twice.
    fn candidates(&self, quantities: &[Quantity]) -> Vec<Entries> {
        let mut seen: Vec<Vec<NodeId>> = Vec::new();
        let mut candidates: Vec<Entries> = Vec::new();
        for form in Form::ALL {
            let Some(entries) = self.entries(form, quantities) else {
                continue;
            };
            if seen.contains(&entries.nodes) {
                continue;
            }
            let simple = self.derived().simplify(&entries.nodes);
            for nodes in simple {
                if !candidates.iter().any(|candidate| candidate.nodes == nodes) {
                    let parts = entries.parts.clone();
                    candidates.push(Entries { nodes, parts });
                }
            }
            seen.push(entries.nodes);
        }
        candidates
    }

    fn entries(&self, form: Form, quantities: &[Quantity]) -> Option<Entries> {
        self.deriving(|derivation| {
            let is_derivative = |quantity: &Quantity| {
                matches!(
                    quantity,
                    Quantity::InverseDynamicsByPosition | Quantity::InverseDynamicsByVelocity
                )
            };
            if !derivation.has(form)
                || (quantities.iter().any(is_derivative) && !derivation.writes_derivatives(form))
            {
                return None;
            }
            let mut entries = Entries::default();
            for quantity in quantities {
                let first = entries.nodes.len();
                entries.nodes.extend(derivation.quantity(form, *quantity));
                entries.parts.push(first..entries.nodes.len());
            }
            Some(entries)
        })
    }

    /// Whether M is singular at every state, as with a quaternion and its constraint for the attitude. Of
    /// no interest without constraints: such a system is refused.
    fn has_singular_mass_matrix(&self) -> bool {
        let sizes = self.sizes();
        if sizes.constraints == 0 {
            return false;
        }
        *self.singular.get_or_init(|| {
            let mass_matrix = self.written_expressions(Quantity::MassMatrix);
            let rows = mass_matrix.chunks(sizes.velocities.max(1));
            let rows: Vec<Vec<NodeId>> = rows.map(<[NodeId]>::to_vec).collect();
            is_singular(&self.graph(), &rows) == Answer::Yes
        })
    }

    fn written(&self, entries: Entries) -> Program {
        Program {
            schedule: schedule(&self.graph(), &entries.nodes),
            expressions: entries.nodes,
            parts: entries.parts,
        }
    }

    fn solved(&self, entries: Entries) -> SolveProgram {
        let Entries { nodes, parts } = entries;
        let part = |i: usize| &nodes[parts[i].clone()];
        let n = part(1).len();
        let mass_matrix = crate::lower_of(part(0), n);
        let singular = self.has_singular_mass_matrix();
        let others = parts.get(SolveProgram::TERMS.len()..).unwrap_or_default();
        let others: Vec<NodeId> = others
            .iter()
            .flat_map(|own| nodes[own.clone()].to_vec())
            .collect();
        let code = schedule_solve(
            &self.graph(),
            Equation {
                mass_matrix: &mass_matrix,
                forcing: part(1),
                jacobian: part(2),
                gamma: part(3),
                singular,
                others: &others,
            },
        );
        let mut schedule = code.schedule;
        let triangle = schedule.roots.drain(..mass_matrix.len());
        let full = crate::symmetric(&triangle.collect::<Vec<_>>(), n);
        schedule.roots.splice(0..0, full);
        SolveProgram {
            terms: Program {
                schedule,
                expressions: nodes,
                parts,
            },
            factorization: code.factorization,
        }
    }
}

/// The entries of several quantities, and which belong to which.
#[derive(Clone, Default)]
struct Entries {
    nodes: Vec<NodeId>,
    parts: Vec<Range<usize>>,
}
