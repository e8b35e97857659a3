//! Estimates of the length of the derivatives of the inverse dynamics, before they are derived.

use super::{Derivation, Form};
use crate::codegen::cost_model::{
    MOST_FACTORED, MOST_PAIRS, MOST_PAIRS_OF_FEWEST, MOST_PAIRS_OF_HESSIAN,
};
use crate::graph::Members;
use crate::{Dependence, Node, NodeId, Quantity, Symbol};

impl Derivation<'_> {
    /// Returns whether derivatives of M a + h are short in this form.
    pub(super) fn is_short(&mut self, form: Form) -> bool {
        let pairs = self.pairs_of(form);
        pairs.is_some_and(|pairs| pairs <= MOST_FACTORED)
    }

    /// Returns whether the derivatives of M a + h are written out in this form: longer ones are rows by a reverse
    /// sweep, one after the other.
    pub(crate) fn writes_derivatives(&mut self, form: Form) -> bool {
        let Some(pairs) = self.pairs_of(form) else {
            return false;
        };
        pairs <= MOST_PAIRS || self.fewest_pairs() == Some(pairs)
    }

    /// Returns whether the derivatives of Q + J^T lambda and gamma - J a are written out.
    pub(crate) fn writes_force_derivatives(&mut self) -> bool {
        let entries = self.forces_and_rates();
        self.count_pairs(&entries)
            .is_some_and(|pairs| pairs <= MOST_PAIRS)
    }

    /// Returns whether the second derivatives of one weighted sum of the equations are written out, in any form.
    pub(crate) fn writes_weighted_hessian(&mut self) -> bool {
        Form::ALL.into_iter().any(|form| {
            if !self.has(form) || form.differentiated() != form {
                return false;
            }
            let roots = self.weighted_gradient(form).concat();
            let pairs = self.count_pairs_up_to(&roots, MOST_PAIRS_OF_HESSIAN);
            pairs.is_some()
        })
    }

    /// Returns whether the derivatives of the rates of first-order states are written out.
    pub(crate) fn writes_state_rate_derivatives(&mut self) -> bool {
        self.count_pairs(&self.system.state_rates)
            .is_some_and(|pairs| pairs <= MOST_PAIRS)
    }

    /// The pairs of a node of M a + h and a variable in it, in the form with the fewest pairs; `None` if they are too
    /// many in every form.
    pub(crate) fn fewest_pairs(&mut self) -> Option<usize> {
        Form::ALL
            .into_iter()
            .filter_map(|form| self.has(form).then(|| self.pairs_of(form))?)
            .min()
    }

    /// `None` if they are too many for any form.
    fn pairs_of(&mut self, form: Form) -> Option<usize> {
        if let Some(known) = self.derived.known.pairs.get(&form) {
            return *known;
        }
        let entries = self.quantity(form, Quantity::InverseDynamics);
        let pairs = self.count_pairs(&entries);
        self.derived.known.pairs.insert(form, pairs);
        pairs
    }

    fn count_pairs(&self, roots: &[NodeId]) -> Option<usize> {
        self.count_pairs_up_to(roots, MOST_PAIRS_OF_FEWEST)
    }

    /// `None` if there are more than `most`.
    fn count_pairs_up_to(&self, roots: &[NodeId], most: usize) -> Option<usize> {
        let graph = &self.derived.graph;
        let mut moving = Dependence::COORDINATE.union(Dependence::VELOCITY);
        let held = self.held_symbols();
        let has_states = matches!(held[..], [Symbol::State(_), ..]);
        if has_states {
            moving = moving.union(Dependence::STATE).union(Dependence::INPUT);
        }
        let members = Members::of(graph, roots);
        let m = self.kinematics.coordinate_count();
        let n = self.kinematics.velocity_count();
        let count = if has_states {
            m + n + held.len()
        } else {
            m + n
        };
        let words = count.div_ceil(64).max(1);
        // The number of words for each member.
        let mut sets: Vec<u64> = vec![0; words * members.nodes.len()];
        let mut count = 0;
        for (place, id) in members.nodes.iter().enumerate() {
            if !graph.dependence(*id).intersects(moving) {
                continue;
            }
            let first_word = place * words;
            match graph.node(*id) {
                Node::Symbol(Symbol::Coordinate(i)) => set(&mut sets[first_word..], *i as usize),
                Node::Symbol(Symbol::Velocity(i)) => set(&mut sets[first_word..], m + *i as usize),
                Node::Symbol(symbol) => {
                    if let Some(i) = held.iter().position(|other| other == symbol) {
                        set(&mut sets[first_word..], m + n + i);
                    }
                }
                node => node.for_each_child(|child| {
                    let of_child = members.at(child) * words;
                    for word in 0..words {
                        sets[first_word + word] |= sets[of_child + word];
                    }
                }),
            }
            for word in &sets[first_word..first_word + words] {
                count += word.count_ones() as usize;
            }
            if count > most {
                return None;
            }
        }
        Some(count)
    }
}

fn set(bits: &mut [u64], index: usize) {
    if let Some(word) = bits.get_mut(index / 64) {
        *word |= 1 << (index % 64);
    }
}
