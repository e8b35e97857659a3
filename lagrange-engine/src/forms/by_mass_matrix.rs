//! T written by the mass matrix: `T = v^T M v / 2 + b . v + T0`.
//!
//! If T was given by the velocities of points, terms such as `sin^2 + cos^2` cancel in M; derivatives of this form
//! never contain them again.

use super::{Derivation, Form};
use crate::codegen::cost_model::MOST_NODES_OF_MASS;
use crate::{Dependence, Energy, NodeId, Number, Quantity, lower_of};

impl Derivation<'_> {
    /// T and V in this form; `None` if T is not separate, not quadratic by structure, or already in this form, or M is
    /// large.
    pub(crate) fn energy_by_mass_matrix(&mut self) -> Option<Energy> {
        if let Some(known) = self.derived.known.by_mass_matrix {
            return known;
        }
        let energy = self.rewrite_by_mass_matrix();
        self.derived.known.by_mass_matrix = Some(energy);
        energy
    }

    fn rewrite_by_mass_matrix(&mut self) -> Option<Energy> {
        let (kinetic, potential) = self.natural(Form::AsWritten)?;
        let mass = self.quantity(Form::AsWritten, Quantity::MassMatrix);
        let momenta = self.quantity(Form::AsWritten, Quantity::Momenta);
        let n = momenta.len();
        let lower = lower_of(&mass, n);
        let graph = &self.derived.graph;
        let of_position = |node: &NodeId| !graph.dependence(*node).intersects(Dependence::VELOCITY);
        let size = graph
            .reachable(&lower)
            .iter()
            .filter(|reached| **reached)
            .count();
        if size > MOST_NODES_OF_MASS || !lower.iter().all(of_position) {
            return None;
        }
        let at_rest = self.at_rest(&[&momenta[..], &[kinetic]].concat());
        let roots = [&lower[..], &at_rest].concat();
        let simple = self.derived.simplified(&roots);
        let (lower, other_terms) = simple.split_at(lower.len());
        let rewritten = self.quadratic(lower, &other_terms[..n], other_terms[n]);
        // An energy in this form would only be derived twice.
        (rewritten != kinetic).then_some(Energy::Natural {
            kinetic: rewritten,
            potential,
        })
    }

    /// `v^T M v / 2 + b . v + T0`, M by its lower triangle.
    fn quadratic(&mut self, lower: &[NodeId], linear: &[NodeId], constant: NodeId) -> NodeId {
        let v = self.velocities();
        let graph = &mut self.derived.graph;
        let mut terms = vec![(Number::ONE, constant)];
        let mut entries = lower.iter();
        for i in 0..v.len() {
            for (j, entry) in (0..=i).zip(&mut entries) {
                let squared = graph.mul(v[i], v[j]);
                let factor = if i == j { Number::HALF } else { Number::ONE };
                terms.push((factor, graph.mul(*entry, squared)));
            }
            terms.push((Number::ONE, graph.mul(linear[i], v[i])));
        }
        graph.sum(Number::ZERO, terms)
    }
}
