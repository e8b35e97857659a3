//! Schedules of derived expressions, in the cheaper of the two forms that simplification left.

use super::Dynamics;
use crate::{
    Answer, Equation, Graph, NodeId, Schedule, SolveSchedule, is_singular, lower_triangle,
    schedule, schedule_solve,
};

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

    /// Of M and f together, in the cheaper of the two factored forms.
    pub(super) fn operations_of_motion(&self) -> u32 {
        let roots = [&self.mass_matrix[..], &self.forcing[..]].concat();
        self.schedule(&roots).operations().total()
    }

    /// Schedules the terms of the equations of motion and their solution together, in the cheaper
    /// of both forms.
    pub fn schedule_solve(&self) -> SolveSchedule {
        let singular = !self.constraints.is_empty() && self.has_singular_mass_matrix();
        let first = self.schedule_solve_of(singular, |roots| roots.to_vec());
        let second = self.schedule_solve_of(singular, |roots| self.alternative(roots));
        let total = |code: &SolveSchedule| code.schedule.operations().total();
        if total(&second) < total(&first) {
            second
        } else {
            first
        }
    }

    /// Whether M is singular at every state, as with a quaternion for the attitude.
    fn has_singular_mass_matrix(&self) -> bool {
        let n = self.coordinate_count();
        let entry = |i: usize, j: usize| self.mass_matrix[lower_triangle(i.max(j), i.min(j))];
        let row = |i| (0..n).map(|j| entry(i, j)).collect();
        let rows: Vec<Vec<NodeId>> = (0..n).map(row).collect();
        is_singular(&self.graph, &rows) == Answer::Yes
    }

    fn schedule_solve_of(
        &self,
        singular: bool,
        form: impl Fn(&[NodeId]) -> Vec<NodeId>,
    ) -> SolveSchedule {
        schedule_solve(
            &self.graph,
            Equation {
                mass_matrix: &form(&self.mass_matrix),
                forcing: &form(&self.forcing),
                jacobian: &form(&self.constraints.jacobian),
                gamma: &form(&self.constraints.gamma),
                singular,
            },
        )
    }

    fn alternative(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let other = |root: &NodeId| self.alternatives.get(root).copied().unwrap_or(*root);
        roots.iter().map(other).collect()
    }

    /// `alternatives` holds one expression for each slot, in the order of [`Self::groups`].
    pub(crate) fn set_alternatives(&mut self, alternatives: &[NodeId]) {
        let slots = self.groups().into_iter().flatten();
        let roots: Vec<NodeId> = slots.map(|slot| *slot).collect();
        let pairs = roots.into_iter().zip(alternatives.iter().copied());
        self.alternatives = pairs.filter(|(root, other)| root != other).collect();
    }

    /// Applies `map` to all derived expressions together.
    pub(crate) fn map_roots(&mut self, map: impl FnMut(&mut Graph, &[NodeId]) -> Vec<NodeId>) {
        let mut graph = std::mem::take(&mut self.graph);
        let slots = self.groups().into_iter().flatten().collect();
        map_slots(&mut graph, slots, map);
        self.graph = graph;
    }

    /// Applies `map` to each group of expressions that some schedule computes together.
    pub(crate) fn map_groups(&mut self, mut map: impl FnMut(&mut Graph, &[NodeId]) -> Vec<NodeId>) {
        let mut graph = std::mem::take(&mut self.graph);
        for slots in self.groups() {
            map_slots(&mut graph, slots, &mut map);
        }
        self.graph = graph;
    }

    /// Every derived expression, by what is computed together.
    fn groups(&mut self) -> Vec<Vec<&mut NodeId>> {
        let mut solution: Vec<&mut NodeId> = Vec::new();
        solution.extend(&mut self.mass_matrix);
        solution.extend(&mut self.forcing);
        solution.extend(&mut self.constraints.jacobian);
        solution.extend(&mut self.constraints.gamma);
        let bias = self.bias.iter_mut().collect();
        let inverse_dynamics = self.inverse_dynamics.iter_mut().collect();
        let mut others: Vec<&mut NodeId> = Vec::new();
        others.extend(&mut self.momenta);
        others.extend(&mut self.generalized_forces);
        others.extend([
            &mut self.lagrangian,
            &mut self.energy,
            &mut self.jacobi_integral,
        ]);
        if let Some(terms) = &mut self.natural {
            others.extend([&mut terms.kinetic, &mut terms.potential]);
            others.extend(&mut terms.potential_gradient);
            others.extend(&mut terms.coriolis_matrix);
        }
        others.extend(&mut self.constraints.residual);
        others.extend(&mut self.constraints.velocity);
        for output in &mut self.outputs {
            others.extend(&mut output.entries);
            others.extend(output.jacobian.iter_mut().flatten());
        }
        vec![solution, bias, inverse_dynamics, others]
    }
}

fn map_slots(
    graph: &mut Graph,
    slots: Vec<&mut NodeId>,
    mut map: impl FnMut(&mut Graph, &[NodeId]) -> Vec<NodeId>,
) {
    let roots: Vec<NodeId> = slots.iter().map(|slot| **slot).collect();
    for (slot, node) in slots.into_iter().zip(map(graph, &roots)) {
        *slot = node;
    }
}
