//! The length of the Coriolis matrix, before all of it is derived.

use super::estimate::fewest;
use crate::codegen::cost_model::{
    CODE_FOR_EACH, CORIOLIS_FOR_EACH, MORE_NODES, NODES_FOR_EACH, SAVED_PART, SIMPLIFIED_FOR_EACH,
};
use crate::codegen::cse::Sums;
use crate::forms::Form;
use crate::{Dynamics, Energy, NodeId, Quantity, schedule};

impl Dynamics {
    /// Returns whether the code of [`Quantity::CoriolisMatrix`] takes more than `most` operations.
    ///
    /// It has n^2 entries, and may be longer than all other quantities together. The derivation ends as soon as the
    /// answer is clear, so its cost is limited even if nothing else of the system is large. A matrix with more than two
    /// nodes for each of `most` operations counts as longer, without regard to simplification.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// let text = "coordinates x y\nnode %0 = velocity 0\nnode %1 = velocity 1\nnode %2 = coordinate 1\n\
    ///             node %3 = product %0^2 %2^2\nnode %4 = product %1^2\nnode %5 = sum 0 1/2*%3 1/2*%4\n\
    ///             kinetic %5\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// // y y', y x' and -y x'
    /// assert!(!dynamics.coriolis_matrix_exceeds(3));
    /// assert!(dynamics.coriolis_matrix_exceeds(1));
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn coriolis_matrix_exceeds(&self, most: u32) -> bool {
        let Energy::Natural { kinetic, .. } = self.energy() else {
            return false;
        };
        let n = self.sizes().velocities;
        let bound = self.edges(kinetic).saturating_mul(CORIOLIS_FOR_EACH * n);
        if bound <= most as usize {
            return false;
        }
        // Most answers need no search, so that an editor gets them without the state in which searches begin.
        let (clear, _) = self.derive_anew(|| self.coriolis_matrix_clearly_exceeds(most));
        clear.unwrap_or_else(|| {
            let program = self.program(&[Quantity::CoriolisMatrix]);
            program.operations().total() > most
        })
    }

    /// `None` if only the search for the shortest code can tell.
    fn coriolis_matrix_clearly_exceeds(&self, most: u32) -> Option<bool> {
        let nodes = (most as usize)
            .saturating_mul(NODES_FOR_EACH)
            .saturating_add(MORE_NODES);
        let entries =
            self.deriving(|derivation| derivation.coriolis_matrix_within(Form::AsWritten, nodes));
        let Some(entries) = entries else {
            return Some(true);
        };
        let derived = self.estimate(&entries);
        if derived * CODE_FOR_EACH <= most as usize {
            return Some(false);
        }
        if fewest(&self.graph(), &entries) <= most {
            let written = schedule(&self.graph(), &entries).operations().total();
            if written <= most || written / SIMPLIFIED_FOR_EACH > most {
                return Some(written > most);
            }
        }
        let is_far = |operations: u32| operations - operations / SAVED_PART > most;
        let mut is_near = false;
        for entries in self.likely_candidates(&[Quantity::CoriolisMatrix]) {
            if is_far(fewest(&self.graph(), &entries.nodes)) {
                continue;
            }
            let program = self.write_program(entries, Sums::TermByTerm);
            let operations = program.operations().total();
            if operations <= most {
                return Some(false);
            }
            is_near |= !is_far(operations);
        }
        (!is_near).then_some(true)
    }

    /// The number of nodes and operands of the energies: a measure of their length before anything is derived.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, System};
    /// // v^2: a product of one operand.
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// assert!((3..6).contains(&dynamics.energy_size()));
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn energy_size(&self) -> usize {
        match self.energy() {
            Energy::Natural { kinetic, potential } => self.edges(kinetic) + self.edges(potential),
            Energy::Lagrangian(lagrangian) => self.edges(lagrangian),
        }
    }

    /// The operands of all nodes of an expression.
    fn edges(&self, root: NodeId) -> usize {
        let graph = self.graph();
        let used = graph.reachable(&[root]);
        graph
            .since(0)
            .filter(|id| used.get(id.index()) == Some(&true))
            .map(|id| {
                let mut count = 1;
                graph.node(id).for_each_child(|_| count += 1);
                count
            })
            .sum()
    }
}
