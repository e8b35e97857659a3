//! Programs: the code of several quantities together, in the cheapest form.

mod along_maps;
mod code;
mod entries;
mod estimate;
mod length;
mod sensitivity;
mod solve;
mod start;

use std::iter;

use entries::Entries;
use estimate::{Lowest, estimate, is_long};

use crate::codegen::cost_model::{
    DISTRIBUTED_ROUNDS, GROUPED_PART, MOST_DISTRIBUTED, MOST_PRODUCTS_TRIED, PROGRAMS_DISTRIBUTED,
};
use crate::codegen::cse::{Planned, Sums};
use crate::forms::Form;
use crate::{Dynamics, NodeId, Quantity};
pub use code::Program;
pub(crate) use entries::Start;
pub use sensitivity::SensitivityProgram;
pub use solve::SolveProgram;

impl Dynamics {
    /// Code for these quantities together, in the cheapest form of the system, with products multiplied out if that
    /// makes it shorter. It is stored.
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
        if let Some(known) = self.programs.borrow().get(quantities) {
            return known.clone();
        }
        let program =
            self.search_from_start(|| self.cheapest(quantities).with_own_graph(&self.graph()));
        let mut programs = self.programs.borrow_mut();
        programs.insert(quantities.to_vec(), program.clone());
        program
    }

    fn cheapest(&self, quantities: &[Quantity]) -> Program {
        let mut planned: Vec<(Program, Planned)> = self
            .candidates_from_start(quantities)
            .into_iter()
            .map(|entries| {
                let plan = Planned::new(&self.graph(), &entries.nodes);
                (
                    self.schedule_planned(entries, &plan, Sums::TermByTerm),
                    plan,
                )
            })
            .collect();
        let least = planned
            .iter()
            .map(|(program, _)| program.total())
            .min()
            .unwrap_or(0);
        planned.retain(|(program, _)| program.total() <= least + least / GROUPED_PART + 1);
        let grouped = planned
            .iter()
            .filter(|(_, plan)| plan.is_groupable(&self.graph()));
        let grouped = grouped.map(|(program, plan)| {
            self.schedule_planned(Entries::of(program), plan, Sums::Grouped)
        });
        let grouped: Vec<Program> = grouped.collect();
        let mut programs: Vec<Program> = planned
            .into_iter()
            .map(|(program, _)| program)
            .chain(grouped)
            .collect();
        programs.sort_by_key(Program::total);
        programs.dedup_by(|later, earlier| later.expressions == earlier.expressions);
        let tried = match programs.first() {
            Some(shortest) if shortest.total() <= MOST_DISTRIBUTED => PROGRAMS_DISTRIBUTED,
            _ => 1,
        };
        let shortest = programs
            .into_iter()
            .take(tried)
            .map(|program| self.distribute(program))
            .min_by_key(Program::total);
        // The form as written always exists.
        shortest.unwrap_or_else(|| self.write_program(Entries::default(), Sums::TermByTerm))
    }

    /// The program with products of factors and sums multiplied out, all of them or one by one, as long as that makes
    /// it shorter.
    fn distribute(&self, mut program: Program) -> Program {
        for _ in 0..DISTRIBUTED_ROUNDS {
            let products = self.derived().distributable(&program.expressions);
            let are_tried = products.len() > 1 && program.total() <= MOST_DISTRIBUTED;
            let single = products
                .chunks(1)
                .take(if are_tried { MOST_PRODUCTS_TRIED } else { 0 });
            let mut shorter = iter::once(&products[..])
                .chain(single)
                .filter(|products| !products.is_empty())
                .map(|products| self.distribute_products(&program, products))
                .filter(|new| new.total() < program.total());
            let Some(shorter) = shorter.next() else {
                break;
            };
            program = shorter;
        }
        program
    }

    /// The program with these products multiplied out.
    fn distribute_products(&self, program: &Program, products: &[NodeId]) -> Program {
        let nodes = self.derived().distributed(&program.expressions, products);
        let parts = program.parts.clone();
        let plan = Planned::new(&self.graph(), &nodes);
        let entries = Entries { nodes, parts };
        let plain = self.schedule_planned(entries.clone(), &plan, Sums::TermByTerm);
        if !plan.is_groupable(&self.graph()) {
            return plain;
        }
        let grouped = self.schedule_planned(entries, &plan, Sums::Grouped);
        if grouped.total() < plain.total() {
            grouped
        } else {
            plain
        }
    }

    /// Code for these quantities in every form that the system has, and simplified in every way: all
    /// compute the same.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Quantity, Symbol, System};
    /// // A mass thrown upwards, along y.
    /// let text = "coordinates x y\nparameters m g\nnode %0 = velocity 0\nnode %1 = velocity 1\n\
    ///             node %2 = product %0^2\nnode %3 = product %1^2\nnode %4 = sum 0 1/2*%2 1/2*%3\n\
    ///             node %5 = parameter 0\nnode %6 = product %4^1 %5^1\nkinetic %6\nnode %7 = coordinate 1\n\
    ///             node %8 = parameter 1\nnode %9 = product %5^1 %7^1 %8^1\npotential %9\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let programs = dynamics.programs(&[Quantity::Momenta]);
    /// assert!(!programs.is_empty());
    /// for program in programs {
    ///     assert_eq!(program.schedule.evaluate(&|_: Symbol| 3.0), [9.0, 9.0]);
    /// }
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn programs(&self, quantities: &[Quantity]) -> Vec<Program> {
        self.search_from_start(|| {
            let candidates = self.candidates(quantities).into_iter();
            let forms_of_sums = [Sums::TermByTerm, Sums::Grouped];
            let written = |entries: Entries| {
                forms_of_sums.map(|sums| self.write_program(entries.clone(), sums))
            };
            candidates
                .flat_map(written)
                .map(|program| program.with_own_graph(&self.graph()))
                .collect()
        })
    }

    /// The expressions of these quantities in every form, simplified in every way.
    pub(crate) fn every_expression(&self, quantities: &[Quantity]) -> Vec<NodeId> {
        self.candidates(quantities)
            .into_iter()
            .flat_map(|entries| entries.nodes)
            .collect()
    }

    /// The entries of the quantities in every form, each simplified in every way; none twice.
    fn candidates(&self, quantities: &[Quantity]) -> Vec<Entries> {
        self.candidates_if(quantities, |_| true)
    }

    /// The candidates that may become the shortest.
    fn likely_candidates(&self, quantities: &[Quantity]) -> Vec<Entries> {
        let mut derived = Lowest::default();
        let mut known: Vec<(Vec<NodeId>, usize)> = Vec::new();
        let mut estimated = |nodes: &[NodeId]| {
            if let Some((_, estimate)) = known.iter().find(|(known, _)| known == nodes) {
                return *estimate;
            }
            let estimate = self.estimate(nodes);
            known.push((nodes.to_vec(), estimate));
            estimate
        };
        let written = self.derive_entries(Form::AsWritten, quantities);
        let are_long = written.is_some_and(|entries| is_long(estimated(&entries.nodes)));
        if are_long {
            for entries in Form::ALL
                .into_iter()
                .filter_map(|form| self.derive_entries(form, quantities))
            {
                derived.admits_long(estimated(&entries.nodes));
            }
        }
        let candidates = self.candidates_if(quantities, |entries| {
            if are_long {
                derived.admits_long(estimated(entries))
            } else {
                derived.admits_derived(estimated(entries))
            }
        });
        let mut simplified = Lowest::default();
        let estimates: Vec<usize> = candidates
            .iter()
            .map(|entries| self.estimate(&entries.nodes))
            .collect();
        for estimate in &estimates {
            simplified.admits_simplified(*estimate);
        }
        candidates
            .into_iter()
            .zip(estimates)
            .filter(|(_, estimate)| simplified.admits_simplified(*estimate))
            .map(|(entries, _)| entries)
            .collect()
    }

    fn estimate(&self, roots: &[NodeId]) -> usize {
        estimate(&self.graph(), roots)
    }

    /// The candidates, only in the forms that are admitted by their derived expressions.
    fn candidates_if(
        &self,
        quantities: &[Quantity],
        mut is_admitted: impl FnMut(&[NodeId]) -> bool,
    ) -> Vec<Entries> {
        let mut seen: Vec<Vec<NodeId>> = Vec::new();
        let mut candidates: Vec<Entries> = Vec::new();
        for form in Form::ALL {
            let Some(entries) = self.derive_entries(form, quantities) else {
                continue;
            };
            if seen.contains(&entries.nodes) || !is_admitted(&entries.nodes) {
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

    fn derive_entries(&self, form: Form, quantities: &[Quantity]) -> Option<Entries> {
        self.deriving(|derivation| {
            let mut of_derivatives = quantities.iter();
            let has_derivatives =
                of_derivatives.any(|quantity| quantity.is_inverse_dynamics_derivative());
            if !derivation.has(form)
                // Then it is the same form.
                || (!has_derivatives && form.differentiated() != form)
                // They share more with forces than M does.
                || (has_derivatives && form == Form::MassMoments)
                || (has_derivatives && !derivation.writes_derivatives(form))
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

    fn write_program(&self, entries: Entries, sums: Sums) -> Program {
        let plan = Planned::new(&self.graph(), &entries.nodes);
        self.schedule_planned(entries, &plan, sums)
    }

    fn schedule_planned(&self, entries: Entries, plan: &Planned, sums: Sums) -> Program {
        let schedule = plan.schedule(&self.graph(), &entries.nodes, sums);
        Program::new(schedule, entries.nodes, entries.parts)
    }
}
