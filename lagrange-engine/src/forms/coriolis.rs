//! The Coriolis matrix C of the metric connection: dM/dt - 2 C is skew and, if T has no terms linear in v, C v + dV/dq
//! = h.
//!
//! In coordinates these are the Christoffel symbols,
//! `C_ij = 1/2 sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k`. Along directions that turn with a
//! rotation, Koszul's formula adds their brackets, `[e_i, e_j] = e_i x e_j` for the axes of one
//! rotation (M. do Carmo, *Riemannian Geometry*, 1992, section 2.3).

use super::{Derivation, Form};
use crate::{NodeId, Number, Quantity, lower_of, symmetric};

impl Derivation<'_> {
    /// C = (dM/dt + N - N^T + B) / 2 with N = d(M v)/dq at fixed v, whose directional derivatives give the sums over k,
    /// and the terms B of the brackets.
    pub(super) fn coriolis_matrix(&mut self, form: Form) -> Vec<NodeId> {
        let entries = self.coriolis_matrix_within(form, usize::MAX);
        entries.unwrap_or_default()
    }

    /// The same; `None` as soon as the graph would grow by more than `most` nodes.
    pub(crate) fn coriolis_matrix_within(
        &mut self,
        form: Form,
        most: usize,
    ) -> Option<Vec<NodeId>> {
        if self.natural(form).is_none() {
            return Some(Vec::new());
        }
        let mass = self.quantity(form, Quantity::MassMatrix);
        let momenta = self.quantity(form, Quantity::Momenta);
        let n = momenta.len();
        let last = self.graph().len().saturating_add(most);
        let along = self
            .kinematics
            .along_the_velocities(&mut self.derived.graph);
        let lower = lower_of(&mass, n);
        let rates = self.graph().directional(&lower, &along);
        let rates = symmetric(&rates, n);
        let at_rest = self.at_rest(&momenta);
        let quadratic = self.subtract_entries(&momenta, &at_rest);
        let mut columns: Vec<Vec<NodeId>> = Vec::with_capacity(n);
        for j in 0..n {
            let direction = self.kinematics.direction(&mut self.derived.graph, j);
            columns.push(self.graph().directional(&quadratic, &direction));
            if self.graph().len() > last {
                return None;
            }
        }
        let brackets = self.brackets(&mass, &quadratic);
        let mut matrix = Vec::with_capacity(n * n);
        for i in 0..n {
            for j in 0..n {
                let mut terms = vec![
                    (Number::HALF, rates[i * n + j]),
                    (Number::HALF, columns[j][i]),
                    (-Number::HALF, columns[i][j]),
                ];
                if let Some(brackets) = &brackets {
                    terms.push((Number::HALF, brackets[i * n + j]));
                }
                matrix.push(self.graph().sum(Number::ZERO, terms));
            }
            if self.graph().len() > last {
                return None;
            }
        }
        Some(matrix)
    }

    /// `B_ij = (M [v, e_j])_i - (M v) . [e_j, e_i] + (M [e_i, v])_j`; `None` without rotations.
    fn brackets(&mut self, mass: &[NodeId], momenta: &[NodeId]) -> Option<Vec<NodeId>> {
        if self.kinematics.is_trivial() {
            return None;
        }
        let n = momenta.len();
        let v = self.velocities();
        let kinematics = self.kinematics;
        let graph = &mut self.derived.graph;
        let (zero, one) = (graph.integer(0), graph.integer(1));
        let unit =
            |j: usize| -> Vec<NodeId> { (0..n).map(|i| if i == j { one } else { zero }).collect() };
        // Column j of [v, e_j]: w x e_j for the axes of a rotation, zero for other directions.
        let turned: Vec<Option<Vec<NodeId>>> = (0..n)
            .map(|j| {
                kinematics.rotation_of_velocity(j)?;
                Some(kinematics.turned(graph, &v, &unit(j)))
            })
            .collect();
        let mut brackets = Vec::with_capacity(n * n);
        for i in 0..n {
            for j in 0..n {
                let (row_i, row_j) = (&mass[i * n..(i + 1) * n], &mass[j * n..(j + 1) * n]);
                let mut terms = Vec::new();
                if let Some(turned) = &turned[j] {
                    terms.push((Number::ONE, graph.dot(row_i, turned)));
                }
                if let Some((axis, has_its_sign)) = kinematics.commutator(j, i) {
                    let sign = if has_its_sign {
                        Number::MINUS_ONE
                    } else {
                        Number::ONE
                    };
                    terms.push((sign, momenta[axis]));
                }
                if let Some(turned) = &turned[i] {
                    terms.push((Number::MINUS_ONE, graph.dot(row_j, turned)));
                }
                brackets.push(graph.sum(Number::ZERO, terms));
            }
        }
        Some(brackets)
    }
}
