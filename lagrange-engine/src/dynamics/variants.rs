//! Schedules of derived expressions, in the cheaper of the two forms that simplification left.

use super::Dynamics;
use crate::{Graph, NodeId, Schedule, SolveSchedule, schedule, schedule_solve};

impl Dynamics {
    /// The number n of generalized coordinates.
    pub fn coordinate_count(&self) -> usize {
        self.momenta.len()
    }

    /// Schedules expressions of this system together, in the cheaper of the two factored forms.
    pub fn schedule(&self, roots: &[NodeId]) -> Schedule {
        let first = schedule(&self.graph, roots);
        let second = schedule(&self.graph, &self.alternative(roots));
        if second.operations().total() < first.operations().total() {
            second
        } else {
            first
        }
    }

    /// Schedules M, f and the solution of M a = f together, in the cheaper of both forms.
    pub fn schedule_solve(&self) -> SolveSchedule {
        let (matrix, forcing) = (&self.mass_matrix, &self.forcing);
        let first = schedule_solve(&self.graph, matrix, forcing);
        let (matrix, forcing) = (self.alternative(matrix), self.alternative(forcing));
        let second = schedule_solve(&self.graph, &matrix, &forcing);
        let total = |code: &SolveSchedule| code.schedule.operations().total();
        if total(&second) < total(&first) {
            second
        } else {
            first
        }
    }

    fn alternative(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let other = |root: &NodeId| self.alternatives.get(root).copied().unwrap_or(*root);
        roots.iter().map(other).collect()
    }

    /// `alternatives` holds one expression for each of [`Self::slots`].
    pub(crate) fn set_alternatives(&mut self, alternatives: &[NodeId]) {
        let roots: Vec<NodeId> = self.slots().iter().map(|slot| **slot).collect();
        let pairs = roots.into_iter().zip(alternatives.iter().copied());
        self.alternatives = pairs.filter(|(root, other)| root != other).collect();
    }

    /// Applies `map` to every derived expression.
    pub(crate) fn map_roots(&mut self, mut map: impl FnMut(&mut Graph, &[NodeId]) -> Vec<NodeId>) {
        let slots = self.slots();
        let roots: Vec<NodeId> = slots.iter().map(|slot| **slot).collect();
        let mut graph = std::mem::take(&mut self.graph);
        let new = map(&mut graph, &roots);
        for (slot, node) in self.slots().into_iter().zip(new) {
            *slot = node;
        }
        self.graph = graph;
    }

    /// Every derived expression, in a fixed order.
    fn slots(&mut self) -> Vec<&mut NodeId> {
        let mut slots: Vec<&mut NodeId> = Vec::new();
        slots.extend(&mut self.mass_matrix);
        slots.extend(&mut self.momenta);
        slots.extend(&mut self.bias);
        slots.extend(&mut self.forcing);
        slots.extend(&mut self.generalized_forces);
        slots.extend(&mut self.inverse_dynamics);
        slots.extend([
            &mut self.lagrangian,
            &mut self.energy,
            &mut self.jacobi_integral,
        ]);
        if let Some(terms) = &mut self.natural {
            slots.extend([&mut terms.kinetic, &mut terms.potential]);
            slots.extend(&mut terms.potential_gradient);
            slots.extend(&mut terms.coriolis_matrix);
        }
        for output in &mut self.outputs {
            slots.extend(&mut output.entries);
            slots.extend(output.jacobian.iter_mut().flatten());
        }
        slots
    }
}
