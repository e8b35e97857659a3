//! The solution of the equations of motion without M: along the linear maps of the velocities.

use super::elimination::{Order, Problem, Sides, Term, Updates};
use super::equation::Blocks;
use super::factorization::{Factorization, SolveSchedule};
use crate::codegen::cse::lower;
use crate::codegen::ir::{Builder, Operand, Signed};
use crate::linear::{LinearMaps, signed};
use crate::{Graph, NodeId, Symbol};

/// The terms of the equations of motion, with linear maps instead of M.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MappedEquation<'a> {
    /// The linear maps of n velocities.
    pub(crate) maps: &'a LinearMaps,
    /// The scales of the pivots of M: n entries.
    pub(crate) scales: &'a [NodeId],
    /// f: n entries.
    pub(crate) forcing: &'a [NodeId],
    /// J, row by row: c x n entries.
    pub(crate) jacobian: &'a [NodeId],
    /// gamma: c entries.
    pub(crate) gamma: &'a [NodeId],
    /// Other values to compute.
    pub(crate) others: &'a [NodeId],
}

impl MappedEquation<'_> {
    /// Code for f, J, gamma and the others, which are its roots, and for the solution; `None` if a pivot is zero by
    /// structure, or if the solution would take more than `most` operations.
    pub(crate) fn schedule(
        &self,
        graph: &Graph,
        updates: Updates,
        most: u32,
    ) -> Option<SolveSchedule> {
        let terms = self.terms();
        let entries: Vec<NodeId> = self
            .signed_entries(graph)
            .into_iter()
            .map(|(_, node)| node)
            .collect();
        let roots = [&terms[..], self.others, &entries].concat();
        let mut builder = Builder::default();
        let values = lower::lower(graph, &roots, &mut builder);
        let (results, entries) = values.split_at(terms.len() + self.others.len());
        let known = [&results[..terms.len()], entries].concat();
        let factorization = Some(self.solve(graph, &mut builder, &known, updates, most)?);
        Some(SolveSchedule {
            schedule: builder.finish(results.to_vec()),
            factorization,
        })
    }

    /// The number of operations of the solution alone, with the same limits.
    pub(crate) fn operations(&self, graph: &Graph, most: u32) -> Option<u32> {
        let mut nodes = self.terms();
        nodes.extend(self.signed_entries(graph).into_iter().map(|(_, node)| node));
        // Only two properties of a value matter: whether it is a number, and whether others are equal to it.
        let values: Vec<Operand> = nodes
            .into_iter()
            .map(|node| match graph.as_number(node) {
                Some(number) => Operand::Constant(number.to_f64()),
                None => Operand::Symbol(Symbol::Parameter(node.0)),
            })
            .collect();
        let mut builder = Builder::default();
        self.solve(graph, &mut builder, &values, Updates::AtOnce, most)?;
        Some(builder.finish(Vec::new()).operations().total())
    }

    /// From the values of f, J, gamma and the signed entries.
    fn solve(
        &self,
        graph: &Graph,
        builder: &mut Builder,
        values: &[Operand],
        updates: Updates,
        most: u32,
    ) -> Option<Factorization> {
        let (forcing, remaining) = values.split_at(self.forcing.len());
        let (jacobian, remaining) = remaining.split_at(self.jacobian.len());
        let (gamma, entries) = remaining.split_at(self.gamma.len());
        let problem = self.problem(graph, jacobian, entries);
        let factors = problem.factor(builder, Order::LeastFill, updates, most)?;
        let mut factors = Factorization::new(builder, factors, forcing, gamma, Sides::One);
        let blocks = Blocks {
            matrix: &[],
            forcing,
            jacobian,
            gamma,
        };
        factors.tested = blocks.choose_tested(false);
        let residuals = blocks.evaluate_residuals(builder, &factors.tested, &factors.solution, &[]);
        factors.store_residuals(&residuals);
        Some(factors)
    }

    /// f, J and gamma.
    fn terms(&self) -> Vec<NodeId> {
        [self.forcing, self.jacobian, self.gamma].concat()
    }

    /// The scales and the coefficients of the maps, each with a separate sign.
    fn signed_entries(&self, graph: &Graph) -> Vec<(bool, NodeId)> {
        self.scales
            .iter()
            .copied()
            .chain(self.maps.entries())
            .map(|entry| signed(graph, entry))
            .collect()
    }

    /// The multipliers come before the nodes.
    fn problem(&self, graph: &Graph, jacobian: &[Operand], entries: &[Operand]) -> Problem {
        let (n, c) = (self.forcing.len(), self.gamma.len());
        let signs = self.signed_entries(graph);
        let mut entries = signs
            .iter()
            .zip(entries)
            .map(|((minus, _), value)| Signed::new(*minus, *value));
        let shift = |variable: usize| if variable < n { variable } else { variable + c };
        let scales = entries.by_ref().take(n).collect();
        let definitions = self.maps.definitions.iter().map(|definition| {
            let terms = definition.iter().zip(&mut entries);
            let term = |((variable, _), coefficient): (&(usize, NodeId), Signed)| Term {
                variable: shift(*variable),
                coefficient,
            };
            terms.map(term).collect()
        });
        let definitions = definitions.collect();
        let mut form: Vec<(usize, usize, Signed)> = self
            .maps
            .form
            .iter()
            .zip(entries)
            .map(|((i, j, _), entry)| (shift(*i), shift(*j), entry))
            .collect();
        for (k, row) in jacobian.chunks(n.max(1)).enumerate() {
            let row = row.iter().enumerate();
            form.extend(row.map(|(j, entry)| (n + k, j, Signed::new(false, *entry))));
        }
        form.retain(|(.., entry)| !entry.is_zero());
        let turns = self
            .maps
            .turns(graph)
            .into_iter()
            .map(|pair| pair.map(shift));
        Problem {
            velocities: n,
            multipliers: c,
            definitions,
            partners: turns.flat_map(|[x, y]| [(x, y), (y, x)]).collect(),
            form,
            scales,
            ..Problem::default()
        }
    }
}
